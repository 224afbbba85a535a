"""The position of letters: line breaks, and lines written from right to left."""

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


def test_a_name_from_the_right_stands_turned_and_its_number_does_not():
    assert shown("אבג 123") == "123 גבא"


def test_a_name_from_the_right_within_a_line_is_turned_alone():
    assert shown("Asha, אבג, Bo") == "Asha, גבא, Bo"


def test_two_names_from_the_right_change_places():
    assert shown("אב גד") == "דג בא"


def test_an_amount_in_a_line_from_the_right_keeps_its_sign_and_its_order():
    assert shown("אב ₹1,200.50") == "₹1,200.50 בא"


def test_a_latin_name_in_a_line_from_the_right_reads_from_the_left():
    assert shown("אב (Asha Bo)") == ")Asha Bo( בא"


def test_a_number_behind_a_name_from_the_right_belongs_to_that_name():
    assert shown("Asha אב 12") == "Asha 12 בא"


def test_a_number_behind_a_latin_name_stays_behind_it():
    assert shown("אב Asha 12") == "Asha 12 בא"


def test_a_range_behind_an_arabic_name_is_read_from_the_right():
    assert shown("م 1-2") == "2-1 م"


def test_letters_from_the_right_are_drawn_from_the_right_end():
    assert words_of([Lettering().line("אבג")]) == ["גבא"]


def test_faces_change_places_with_their_letters():
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


def test_plain_text_has_no_marks_that_turn_a_line_and_no_halves_of_letters():
    assert plain("A\u202es\u2066h\u200fa\0\n Bo\ud800 \ue000") == "Ash" + "a Bo\ufffd \ufffd"


def test_accents_stand_on_their_letters_however_they_were_typed():
    assert plain("Zoe\u0301") == "Zo\u00e9"


def test_a_space_that_holds_together_is_kept():
    assert plain("12\u00a0CHF") == "12\u00a0CHF"
