"""The places of a whole evening: players of the last stage first, then those of each earlier one."""

from scoring.evening.standings import final_places
from scoring.events import wire
from tests.builders.plans import Night, heats

TABLES = {"asha": 20, "bo": 40}, {"cy": 30, "dev": 70}


def places(night: Night) -> dict[str, int]:
    return dict(final_places(night.evening, night.played, lambda stage: night.game))


def heat() -> Night:
    return Night(heats(per_table=1), ("asha", "bo", "cy", "dev")).play(*TABLES).cut()


def test_the_final_comes_first_and_then_those_who_did_not_go_on():
    assert places(heat().play({"asha": 50, "cy": 10})) == {"cy": 1, "asha": 2, "bo": 3, "dev": 4}


def test_a_player_who_is_left_alone_for_the_final_has_won():
    night = heat().then(wire.PlayerLeft(player="asha"))
    assert places(night) == {"cy": 1, "asha": 2, "bo": 3, "dev": 4}
