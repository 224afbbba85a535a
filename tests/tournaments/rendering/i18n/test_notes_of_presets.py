"""The source of a preset, and every other name that a game defines, is shown in the language of the page."""

import pytest
from django.utils import translation

from scoring.rules.variants import PRESETS, VARIANTS, words_of
from tournaments.rendering.i18n.translating import translate

NOTES = {name: preset.note for name, (_, preset) in PRESETS.items() if preset.note}


@pytest.mark.parametrize("preset", NOTES)
def test_the_note_of_every_preset_is_known_whole(preset: str):
    """Planted fault: a note that is missing from the messages of its game."""
    with translation.override("de"):
        assert translate(NOTES[preset]) != NOTES[preset]


def test_translators_get_the_words_of_every_game():
    """Planted fault: texts of options left out, so that a newly added game is never translated."""
    for rules in VARIANTS.values():
        told_of = set(words_of(rules))
        assert {rules.title, rules.summary, *(preset.title for preset in rules.presets)} <= told_of
        for wording in rules.wordings.values():
            assert {text for text in (wording.title, wording.unset) if text} <= told_of
            assert {text for text in wording.choices.values() if text.upper() != text.lower()} <= told_of
        assert {form.note for form in rules.formats} | set(rules.ending_titles.values()) <= told_of
