"""The typeface of each letter, and the names that have a letter without one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rendering.pdf.faces import BOLD, LATIN, letters_of, unprintable
from tournaments.rendering.social_cards.podium import line_of


@pytest.mark.parametrize(
    "name",
    [
        *("Zoë Łukasz", "Ελένη", "Юлия", "Անի", "გიორგი", "Ⴂიორგი", "आशा", "বসু", "ਸਿੰਘ", "બા", "ଶ୍ରୀ", "ஸ்ரீ", "శ్రీ"),
        *("ಶ್ರೀ", "ശ്രീ", "සුනිල් ක්\u200dරිෂ්", "สมชาย ใจดี", "محمد علي", "כהן", "₹1,200.50 −€3", "A\u202es\0ha", ""),
    ],
)
def test_a_name_in_one_of_our_scripts_can_be_printed(name: str):
    assert unprintable([name]) == []


@pytest.mark.parametrize("letter", ["王", "김", "あ", "🙂", "♠", "አ", "\U0001faea", "\ue000"])
def test_a_name_with_a_letter_that_no_face_has_is_returned_as_it_is_printed(letter: str):
    """Planted fault: letters that this Python does not know yet, which are printed as a sign, taken for known ones."""
    [shown] = unprintable(["Asha", f"Bo  {letter}\0", f"Bo {letter}", "Cy"])
    assert shown.startswith("Bo ")


@given(st.text(st.characters(max_codepoint=0x2FFF) | st.sampled_from("aक्ा।บัක්รא\u0301\u200d1 "), max_size=8))
def test_a_name_that_is_not_returned_has_no_empty_box(name: str):
    """Planted fault: a mark in the face of the letter before it, which has no such mark."""
    boxes = [glyph for glyph in line_of(name).glyphs if glyph.number == 0]
    assert not boxes or unprintable([name])


def test_the_bold_face_has_the_letters_of_the_regular_one():
    assert letters_of(BOLD) == letters_of(LATIN)
