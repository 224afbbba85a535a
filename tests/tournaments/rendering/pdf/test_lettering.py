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


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        pytest.param("אבג 123", "123 גבא", id="a number is not turned"),
        pytest.param("Asha, אבג, Bo", "Asha, גבא, Bo", id="a name within a line is turned alone"),
        pytest.param("אב גד", "דג בא", id="two names change places"),
        pytest.param("אב ₹1,200.50", "₹1,200.50 בא", id="an amount keeps its sign and its order"),
        pytest.param("אב (Asha Bo)", ")Asha Bo( בא", id="a Latin name reads from the left"),
        pytest.param("Asha אב 12", "Asha 12 בא", id="a number belongs to the name before it"),
        pytest.param("אב Asha 12", "Asha 12 בא", id="and stays behind a Latin one"),
        pytest.param("م 1-2", "2-1 م", id="a range behind an Arabic name is read from the right"),
    ],
)
def test_a_name_from_the_right_stands_turned(text: str, printed: str):
    assert shown(text) == printed


def test_letters_from_the_right_are_drawn_from_the_right_end_each_in_its_face():
    assert words_of([Lettering().line("אבג")]) == ["גבא"]
    assert [run.text for run in Lettering().line("אב (גד)").runs] == [")", "גד", "(", "אב "]


def test_a_line_is_plain_whoever_sets_it():
    assert words_of([Lettering().line("A\0s\u202eha")]) == ["Asha"]


@given(st.text(alphabet="ab אבم123.,-₹()َ", max_size=30))
def test_every_letter_is_printed_once(text: str):
    depths = levels(text, base_level(text))
    places = [at for start, end in visual_runs(depths) for at in range(start, end)]
    assert sorted(places) == list(range(len(text)))


def test_lines_break_at_spaces_and_fill_what_they_may():
    lettering = Lettering()
    width = lettering.line("Asha Bo Cy").width
    assert words_of(lettering.wrap("Asha Bo Cy Dev", width)) == ["Asha Bo Cy", "Dev"]


def test_no_line_is_wider_than_it_may_be():
    lettering = Lettering()
    found = lettering.wrap("Dev " + "w" * 200 + " Bo क्षत्रियक्षत्रियक्षत्रिय", 8.0)
    assert max(line.width for line in found) <= 8.0


def test_letters_that_hang_on_each_other_are_not_torn_apart():
    found = Lettering().wrap("क्षि" * 20, 3.0)
    assert {run.text.startswith("क्षि") for line in found for run in line.runs} == {True}


def test_the_middle_of_an_arabic_word_is_not_a_row_of_separate_letters():
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
