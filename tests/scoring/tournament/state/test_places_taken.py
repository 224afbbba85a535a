"""Substitutes who take a player's place, give it back or pass it on: one place has one player at a time."""

from scoring.events import wire
from scoring.events.wire import Event
from scoring.tournament import TournamentState, fold_tournament, problems_with
from scoring.tournament.state import Standing
from tests.builders.plans import CAST, Night

LEVELS = {
    "stages": [
        {"smallest_table": 2, "advancing": 2},
        {"smallest_table": 2, "reentry_minor": 5, "reentry_until_round": 2},
    ]
}


def codes(evening: TournamentState, event: Event) -> list[str]:
    return [problem.code for problem in problems_with(evening, event)]


def after(evening: TournamentState, *events: Event) -> TournamentState:
    """The evening after events that are accepted."""
    for event in events:
        assert codes(evening, event) == []
        evening = fold_tournament(evening, [(evening.version + 1, event)])
    return evening


def substituted(player: str, by: str) -> wire.PlayerSubstituted:
    return wire.PlayerSubstituted(player=player, by=by, reason="a train to catch")


def test_a_player_who_was_replaced_does_not_withdraw_and_come_back_as_the_substitute_of_the_substitute():
    """Planted fault it catches: two players in each other's place, so that it is unknown who plays."""
    evening = after(Night({}).state, substituted("asha", "sam"))
    assert codes(evening, wire.EntryWithdrawn(player="asha")) == ["is_away"]
    assert codes(evening, substituted("sam", "asha")) == ["plays_already"]


def test_a_substitute_who_never_sat_down_gives_the_place_back():
    evening = after(Night({}).state, substituted("asha", "sam"), wire.EntryWithdrawn(player="sam"))
    assert evening.entrants["asha"].standing is Standing.LEFT
    evening = after(evening, wire.PlayerReturned(player="asha"), substituted("bo", "sam"))
    assert (evening.playing_for("asha"), evening.playing_for("bo")) == ("asha", "sam")
    assert sorted(evening.field()) == ["asha", "cy", "dev", "sam"]


def test_a_substitute_of_a_substitute_goes_on_though_the_one_between_never_sat_down():
    night = Night({"stages": [{"smallest_table": 2, "advancing": 2}, {"smallest_table": 2}]})
    night.play(dict(zip(CAST, (0, 10, 20, 30), strict=True)))
    night.then(substituted("asha", "sam"), substituted("sam", "eli"))
    cut = night.proposal()
    assert cut.advancing == ("eli", "bo")
    assert codes(night.state, wire.CutMade(stage=1, advancing=cut.advancing)) == []


def test_buying_back_twice_into_one_stage_is_a_second_tap():
    night = Night(LEVELS).play(dict(zip(CAST, (0, 10, 20, 30), strict=True))).cut()
    again = wire.PlayerReentered(player="dev", stage=2)
    evening = after(night.state, again)
    assert codes(evening, again) == ["already_done"]


def test_a_substitute_who_buys_in_as_well_is_seated_once():
    night = Night(LEVELS).play(dict(zip(CAST, (0, 10, 20, 30), strict=True))).cut()
    evening = after(night.state, substituted("asha", "sam"), wire.PlayerReentered(player="sam", stage=2))
    assert evening.field() == ("sam", "bo")


def test_a_seating_is_not_taken_back_over_a_move():
    """Planted fault it catches: the deals that were played before the move would be lost."""
    night = Night({}).play({"asha": 5, "bo": 6}, {"cy": 7, "dev": 8})
    moved = wire.PlayersMoved(round=1, instead_of=(1, 2), tables=((3, CAST),))
    evening = after(night.state, moved)
    assert codes(evening, wire.SeatingWithdrawn(round=1, reason="wrong draw")) == ["already_played"]
    evening = after(evening, wire.MoveUndone(version=evening.version, reason="they sit elsewhere"))
    assert codes(evening, wire.SeatingWithdrawn(round=1, reason="wrong draw")) == []


def test_a_move_stands_once_its_stage_was_cut():
    night = Night({"stages": [{"smallest_table": 2, "advancing": 2}, {"smallest_table": 2}]})
    night.play({"asha": 5, "bo": 6}, {"cy": 7, "dev": 8})
    evening = after(night.state, wire.PlayersMoved(round=1, instead_of=(1, 2), tables=((3, CAST),)))
    move = wire.MoveUndone(version=evening.version, reason="they sit elsewhere")
    assert codes(evening, move) == []
    evening = after(evening, wire.CutMade(stage=1, advancing=("asha", "bo")))
    assert codes(evening, move) == ["nothing_to_undo"]
