"""The position of letters: line breaks, and lines written from right to left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rendering.pdf.lettering import Lettering, Line
from tournaments.rendering.pdf.text import base_level, levels, plain, visual_runs


def shown(text: str) -> str:
    """The letters from left to right, as they are printed."""
    depths = levels(text, base_level(text))
    parts = (text[start:end][::-1] if depths[start] % 2 else text[start:end] for start, end in visual_runs(depths))
    return "".join(parts)


def words_of(lines: list[Line]) -> list[str]:
    return ["".join(str(run.letters) for run in line.runs) for line in lines]


def test_a_name_from_the_right_stands_turned():
    printed = {
        "אבג 123": "123 גבא",
        "Asha, אבג, Bo": "Asha, גבא, Bo",
        "אב גד": "דג בא",
        "אב ₹1,200.50": "₹1,200.50 בא",
        "אב (Asha Bo)": ")Asha Bo( בא",
        "Asha אב 12": "Asha 12 בא",
        "אב Asha 12": "Asha 12 בא",
        "م 1-2": "2-1 م",
    }
    assert {text: shown(text) for text in printed} == printed


def test_letters_from_the_right_are_drawn_from_the_right_end_each_in_its_face_and_a_line_is_plain():
    assert words_of([Lettering().line("אבג")]) == ["גבא"]
    assert [run.text for run in Lettering().line("אב (גד)").runs] == [")", "גד", "(", "אב "]
    assert words_of([Lettering().line("A\0s\u202eha")]) == ["Asha"]


@given(st.text(alphabet="ab אבم123.,-₹()َ", max_size=30))
def test_every_letter_is_printed_once(text: str):
    depths = levels(text, base_level(text))
    places = [at for start, end in visual_runs(depths) for at in range(start, end)]
    assert sorted(places) == list(range(len(text)))


def test_lines_break_at_spaces_fill_what_they_may_and_are_no_wider():
    lettering = Lettering()
    width = lettering.line("Asha Bo Cy").width
    assert words_of(lettering.wrap("Asha Bo Cy Dev", width)) == ["Asha Bo Cy", "Dev"]
    found = lettering.wrap("Dev " + "w" * 200 + " Bo क्षत्रियक्षत्रियक्षत्रिय", 8.0)
    assert max(line.width for line in found) <= 8.0


def test_letters_that_hang_on_each_other_are_not_torn_apart():
    found = Lettering().wrap("क्षि" * 20, 3.0)
    assert {run.text.startswith("क्षि") for line in found for run in line.runs} == {True}
    lettering = Lettering()
    joined = lettering.line("ببب").width
    assert joined < 3 * lettering.line("ب").width


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # No marks that turn a line, and no halves of letters.
        ("A\u202es\u2066h\u200fa\0\n Bo\ud800 \ue000", "Asha Bo\ufffd \ufffd"),
        # Accents stand on their letters however they were typed.
        ("Zoe\u0301", "Zo\u00e9"),
        # A space that holds together is kept.
        ("12\u00a0CHF", "12\u00a0CHF"),
    ],
)
def test_plain_text_is_printed_as_it_reads(text: str, expected: str):
    assert plain(text) == expected
