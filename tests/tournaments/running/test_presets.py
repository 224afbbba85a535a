"""A tournament from every preset: it can be set up unchanged, given the value of a point."""

import pytest

from scoring.rules.variants import PRESETS, VARIANTS
from tests.builders.playing import new_club, new_tournament
from tests.builders.samples import each

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", each(*VARIANTS, quick=("points", "gin")))
def test_a_tournament_is_set_up_from_each_preset_of_a_game(name: str):
    club = new_club()
    made = [new_tournament(club, preset=preset.name, point_value_minor=100) for preset in VARIANTS[name].presets]
    assert [(one.variant, one.options) for one in made] == [
        (PRESETS[one.preset][0].name, PRESETS[one.preset][1].options) for one in made
    ]
    assert made
