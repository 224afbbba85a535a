"""A tournament from every preset: it can be set up unchanged, given the value of a point."""

import pytest

from scoring.rules.variants import PRESETS, VARIANTS
from tests.builders.playing import new_club, new_tournament

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=lambda rules: rules.name)
def test_a_tournament_is_set_up_from_each_preset_of_a_game(rules):
    club = new_club()
    made = [new_tournament(club, preset=preset.name, point_value_minor=100) for preset in rules.presets]
    assert [(one.variant, one.options) for one in made] == [
        (PRESETS[one.preset][0].name, PRESETS[one.preset][1].options) for one in made
    ]
    assert made
