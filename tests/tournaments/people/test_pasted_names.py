"""Pasted text becomes names: tables of lines from real chats, mails and sheets, and limits for any text at all.

Planted faults that these catch: a phone number taken for a place in the list, digits of another script ignored, a
full stop cut from an initial, a joiner cut from a Malayalam name, a number cut off without a neighbour in the list.
"""

import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tournaments.models.public_names import holds_contact
from tournaments.people.pasting import HEADINGS, SkipReason, cleaned_name, pasted_lines

MARKS = frozenset({"paid", "standby", "member"})
P, S, U, A, N, M, L, C, H = (
    SkipReason.PLACE,
    SkipReason.SIGN,
    SkipReason.UNSEEN,
    SkipReason.ADDRESS,
    SkipReason.PHONE,
    SkipReason.AMOUNT,
    SkipReason.LINK,
    SkipReason.COLUMN,
    SkipReason.HEADING,
)

LINES: tuple[tuple[str, str, tuple[str, ...], list[SkipReason]], ...] = (
    ("1. Asha", "Asha", (), [P]),
    ("2) Bo ✅", "Bo", (), [P, S]),
    ("Esha, 98200 12345", "Esha", (), [N]),
    ("1️⃣ Asha", "Asha", (), [P]),
    ("① Bo", "Bo", (), [P]),
    ("(3) Cy", "Cy", (), [P]),
    ("#4 Dev", "Dev", (), [P]),
    ("No. 5 Uma", "Uma", (), [P]),
    ("6 - Uma", "Uma", (), [P]),
    ("- Asha", "Asha", (), [S]),
    ("• Bo 👍🏽", "Bo", (), [S, S]),
    ("[x] Cy", "Cy", (), [S]),
    ("☐ Dev", "Dev", (), [S]),
    ("*Asha Rao*", "Asha Rao", (), [S]),
    ('"Asha Rao",', "Asha Rao", (), []),
    ("„Jürgen“;", "Jürgen", ("",), []),
    ("Asha <asha@example.org>", "Asha", (), [A]),
    ("mailto:asha@example.org Asha", "Asha", (), [A]),
    ("Asha asha@okbank", "Asha", (), [A]),
    ("Asha (98200-12345)", "Asha", (), [N]),
    ("+49 (171) 234 56 78 Jürgen", "Jürgen", (), [N]),
    ("Bo Tel. 12345", "Bo", (), [N]),
    ("आशा ९८२०० १२३४५", "आशा", (), [N]),
    ("٢. أمل ٠٥٠١٢٣٤٥٦٧", "أمل", (), [P, N]),
    ("१) आशा राव", "आशा राव", (), [P]),
    ("\u200f1. \u202bאשה\u202c", "אשה", (), [U, P]),
    ("Asha ₹500", "Asha", (), [M]),
    ("Asha 500/-", "Asha", (), [M]),
    ("Rs. 1,00,000.00 Asha", "Asha", (), [M]),
    ("Asha - 500", "Asha", (), [M]),
    ("Asha = 500", "Asha", (), [M]),
    ("Asha (500)", "Asha", (), [M]),
    ("Asha (2)", "Asha (2)", (), []),
    ("Asha (1998)", "Asha (1998)", (), []),
    ("Asha 20,-", "Asha", (), [M]),
    ("Asha ✅ 500", "Asha", (), [S, M]),
    ("Asha - paid 500", "Asha", ("paid",), [M]),
    ("Asha 500 paid", "Asha", ("paid",), [M]),
    ("Asha Rao PAID ✅", "Asha Rao", ("PAID",), [S]),
    ("Asha (tel. 98200 12345)", "Asha", (), [N]),
    ("1.) Asha", "Asha", (), [P]),
    ("*12* Asha", "Asha", (), [P]),
    ("@Asha", "Asha", (), [S]),
    ("Asha !!!", "Asha", (), []),
    ("Total: 18", "", (), [H]),
    ("Jürgen 10 EUR", "Jürgen", (), [M]),
    ("Uma https://wa.me/919820012345", "Uma", (), [L]),
    ("Asha (paid)", "Asha", ("paid",), []),
    ("Asha, paid", "Asha", ("paid",), []),
    ("12. Dev - 98200 12345 - paid - Rs 500", "Dev", ("paid",), [P, M, N]),
    ("Asha; paid; +High hand", "Asha", ("paid", "+High hand"), []),
    ("Asha; paid ₹500; 98200 12345", "Asha", ("paid", ""), [M, N]),
    ("Asha\t98200 12345\tpaid\t500", "Asha", ("paid",), [N, C]),
    ("1\tAsha\tMumbai", "Asha", (), [C, C]),
    ("98200 12345\tZoe", "Zoe", (), [N]),
    ("1. 98200 12345", "", (), [N]),
    ("asha@example.org", "", (), [A]),
    ("Players for Sunday:", "", (), [H]),
    ("Name", "", (), [H]),
    ("As\u200bha", "Asha", (), [U]),
    ("As\u200dha", "Asha", (), [U]),
)
NAMES = (
    "Asha R.",
    "Rao, Asha",
    "Player 7",
    "Bo 2",
    "Asha (1998)",
    "Asha (new)",
    "Asha (3f2a)",
    "J. R. Rao",
    "Anne-Marie (Anna) O'Neil",
    "Zoë Zappa 🃏",
    "7 of 9",
    "ന്\u200d",
    "क्\u200dष",
    "👩\u200d👧 Uma",
    "=cmd()",
    "x",
    "Nora",
    "Dr. A. P. J. Rao",
    "Club 1904",
)


def test_a_line_from_life_is_a_name_and_what_was_left_out():
    for line, *expected in LINES:
        (read,) = pasted_lines(line, MARKS)
        assert [read.name, read.marks, [piece.why for piece in read.left_out]] == expected, line


def test_what_is_a_name_stays_as_it_was_typed():
    for name in NAMES:
        (read,) = pasted_lines(name, MARKS)
        assert (read.name, read.left_out) == (name, ())
        assert not holds_contact(name), name


def test_bare_numbers_are_places_only_where_they_count_on():
    assert [line.name for line in pasted_lines("1 Asha\n2 Bo\n\n3 Cy\n7 of 9")] == ["Asha", "Bo", "Cy", "7 of 9"]
    assert [line.number for line in pasted_lines("1 Asha\n\n2 Bo")] == [1, 3]
    assert [line.name for line in pasted_lines("10. Asha\n11 Bo\n*12* Cy")] == ["Asha", "Bo", "Cy"]


def test_a_number_or_an_address_is_found_in_any_digits():
    for name in (
        "98200 12345",
        "Asha 9820012345",
        "Asha ９８２００ １２３４５",
        "आशा ९८२००१२३४५",
        "98200\u200b12345",
        "020-7946 0018",
        "+91 98200",
        "Asha asha@example.org",
        "asha＠example.org",
        "Asha (98.20.01.23)",
        "①②③④⑤⑥⑦",
    ):
        assert holds_contact(name), name


@example("1. Asha +91 98200 12345 ✅; paid\n")
@example("0 0")
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=120))
def test_no_text_becomes_a_name_with_a_number_or_breaks_the_reader(text):
    for line in pasted_lines(text, MARKS):
        again, _ = cleaned_name(line.name)
        assert not any(unicodedata.category(sign) == "Cf" and sign not in "\u200c\u200d" for sign in line.name)
        assert line.name == " ".join(line.name.split())
        assert len(again) <= len(line.name)


WORD = st.text(alphabet=st.sampled_from("abcdefghijklmnopqrstuvwxyzäöüéåआशारावבאשהםанна"), min_size=3, max_size=12)
PHONES = st.text(alphabet=st.sampled_from("0123456789"), min_size=7, max_size=12)
GAPS = st.sampled_from(["", " ", "-", "."])


@given(WORD, PHONES, GAPS, st.sampled_from(["{p} {n}", "{n} {p}", "{n}, {p}", "{n} ({p})", "{n}\t{p}", "{n};{p}"]))
def test_a_phone_number_beside_a_name_is_left_out_wherever_it_stands(word, digits, gap, shape):
    phone = gap.join([digits[:4], digits[4:]])
    if word.casefold() in HEADINGS or word in ("tel", "mob", "cell", "handy", "phone", "mobile"):
        return
    (line,) = pasted_lines(shape.format(n=word, p=phone), MARKS)
    assert line.name == " ".join(word.split())
    assert SkipReason.PHONE in [piece.why for piece in line.left_out]
    assert not any(sign.isdecimal() for sign in line.name)


@given(
    st.lists(WORD, min_size=1, max_size=8),
    st.sampled_from(["{k}. {n}", "{k}) {n}", "- {n}", "{n} ✅", '"{n}",', "  {n}  "]),
)
def test_the_shape_of_a_list_never_changes_who_is_on_it(names, shape):
    text = "\n".join(shape.format(k=k, n=f"Xa {name}") for k, name in enumerate(names, 1))
    assert [line.name for line in pasted_lines(text, MARKS)] == [f"Xa {name}" for name in names]


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["x", "1", "1 ", "+1 ", "a@", "(1", "x (", "(a)", "x,", "paid,", "x - ", "x\t", "x;", "1.", "✅"]
)
def test_a_long_text_of_one_piece_is_read_in_the_time_of_its_length(piece: str):
    """Planted faults: an address searched for at each letter of a word; every word behind a name taken one by one."""
    text = piece * (50_000 // len(piece))
    began = time.process_time()
    pasted_lines(f"Asha {text}!\n{text}", {"paid"})
    holds_contact(text)
    # At most one on an idle machine, and more than a minute with either fault.
    assert time.process_time() - began < 20


def test_a_number_behind_names_is_an_amount_where_several_lines_end_in_it():
    assert [line.name for line in pasted_lines("Asha 500\nBo 500\nCy 250")] == ["Asha", "Bo", "Cy 250"]
    told = pasted_lines("Player 100; paid\nPlayer 101; paid")
    assert [line.name for line in told] == ["Player 100", "Player 101"]
    assert [line.name for line in pasted_lines("Player 100\nPlayer 101")] == ["Player 100", "Player 101"]


def test_first_and_last_names_in_two_columns_are_one_name_where_the_first_alone_would_be_two_peoples():
    """Planted fault: the second column left out, so that two Farids were one player in the list twice."""
    told = pasted_lines("6\tFarid\tRao\t500\n7\tFarid\tDas\tpaid\n8\tBo\tRao", MARKS)
    assert [line.name for line in told] == ["Farid Rao", "Farid Das", "Bo Rao"]
    assert told[1].marks == ("paid",)
    assert [line.name for line in pasted_lines("Asha\tPune\nBo\tPune")] == ["Asha", "Bo"]


def test_a_last_name_with_a_sign_is_one_too():
    """Planted fault: two columns joined unless one last name has an apostrophe."""
    for last in ("O'Brien", "O’Brien", "Berg-Rao", "R.", "de Souza", "शर्मा"):
        told = pasted_lines(f"Pat\t{last}\nPat\tRao\nBo\tDas", MARKS)
        assert [line.name for line in told] == [f"Pat {last}", "Pat Rao", "Bo Das"]


def test_a_column_of_marks_or_of_whole_names_is_no_half_of_a_name():
    told = pasted_lines("Asha\tpaid\nAsha\tstandby", MARKS)
    assert [(line.name, line.marks) for line in told] == [("Asha", ("paid",)), ("Asha", ("standby",))]
    assert [line.name for line in pasted_lines("Asha Rao\tPune\nAsha Rao\tDelhi")] == ["Asha Rao", "Asha Rao"]
