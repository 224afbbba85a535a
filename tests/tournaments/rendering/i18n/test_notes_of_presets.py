"""Where a preset comes from is said in the language of the page."""

import pytest
from django.utils import translation

from scoring.rules.variants import PRESETS
from tournaments.rendering.i18n import of_presets
from tournaments.rendering.i18n.translating import is_known, told

NOTES = {name: preset.note for name, (_, preset) in PRESETS.items() if preset.note}


@pytest.mark.parametrize("preset", NOTES)
def test_the_note_of_every_preset_is_known_whole(preset: str):
    """Planted: a note reworded without its form."""
    assert NOTES[preset] in of_presets.SAID
    assert is_known(NOTES[preset])
    with translation.override("de"):
        assert told(NOTES[preset])


def test_no_note_is_kept_that_no_preset_has():
    assert set(of_presets.SAID) == set(NOTES.values())
