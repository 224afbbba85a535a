"""Seats that change before the first deal of a table, as the evening keeps them."""

import pytest

from scoring.events import wire
from scoring.tournament import problems_with
from scoring.tournament.state import with_hindsight
from tests.builders.plans import Night, seven_rounds

EIGHT = ("asha", "bo", "cy", "dev", "eli", "fay")


def seated() -> Night:
    """Asha, Bo and Cy at table 1; Dev and Eli at table 2; Fay sits out."""
    night = Night(seven_rounds(), EIGHT)
    tables = ((1, ("asha", "bo", "cy")), (2, ("dev", "eli")))
    return night.then(wire.RoundSeated(stage=1, round=1, tables=tables, method="draw", sitting_out=("fay",)))


def changed(*tables: tuple[int, tuple[str, ...]], number: int = 1) -> wire.SeatsChanged:
    return wire.SeatsChanged(round=number, tables=tables)


def told(night: Night, event: wire.Event) -> list[str]:
    return [problem.code for problem in problems_with(night.state, event)]


def seats(night: Night) -> dict[int, tuple[str, ...]]:
    return {table.number: table.players for table in night.state.rounds[-1].tables}


def test_a_player_who_loses_the_seat_sits_out_and_one_who_gets_one_does_not():
    night = seated().then(changed((1, ("asha", "bo", "fay"))))
    assert seats(night) == {1: ("asha", "bo", "fay"), 2: ("dev", "eli")}
    assert night.state.rounds[-1].sitting_out == ("cy",)


def test_a_table_without_players_is_not_played_and_can_come_back_to_its_place():
    night = seated().then(changed((1, ()), (2, ("dev", "eli", "asha", "bo", "cy"))))
    assert seats(night) == {2: ("dev", "eli", "asha", "bo", "cy")}
    night.then(changed((1, ("asha", "bo", "cy")), (2, ("dev", "eli"))))
    assert list(seats(night)) == [1, 2]


def test_a_player_who_has_left_does_not_sit_out():
    night = seated().then(wire.PlayerLeft(player="cy"), changed((1, ("asha", "bo"))))
    assert night.state.rounds[-1].sitting_out == ("fay",)


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (changed((1, ("asha", "bo", "dev"))), "player_seated_elsewhere"),
        (changed((1, ("asha", "bo", "zoe"))), "not_in_field"),
        (changed((1, ("asha", "asha"))), "player_seated_twice"),
        (changed((1, ("asha",))), "out_of_range"),
        (changed((1, ("asha", "bo")), number=2), "wrong_round"),
    ],
)
def test_seats_that_cannot_be_are_refused(event: wire.SeatsChanged, code: str):
    assert code in told(seated(), event)


def test_a_table_that_came_of_a_move_keeps_its_players():
    moved = wire.PlayersMoved(round=1, instead_of=(1, 2), tables=((3, ("asha", "bo", "cy", "dev", "eli")),))
    assert told(seated().then(moved), changed((3, ("asha", "bo")))) == ["already_played"]


def test_a_seating_that_is_undone_takes_its_changes_with_it():
    night = seated().then(changed((1, ("asha", "bo", "fay"))), wire.SeatingWithdrawn(round=1, reason="wrong list"))
    kept = [type(event) for _, event in with_hindsight(list(enumerate(night.events, start=1)))]
    assert wire.SeatsChanged not in kept
    assert night.state.rounds == ()


def test_a_late_player_takes_a_seat_in_the_round_being_played_and_no_other():
    night = seated()
    assert told(night, wire.PlayerEntered(player="gita")) == ["too_late"]
    assert told(night, wire.PlayerEntered(player="gita", round=1)) == []
    assert told(night, wire.PlayerEntered(player="gita", round=2)) == ["wrong_round"]
    night.then(wire.PlayerEntered(player="gita", round=1))
    assert night.state.entrants["gita"].since_round == 1
