"""What a projector shows automatically, what the director sets, and what a screen held on one view shows."""

import pytest

from tournaments.evenings.screens import SECONDS, Phase, Steering, programme, screens_named
from tournaments.models import Screen

EVERYTHING = frozenset(Screen)
SEATING, STANDINGS, TABLES, CLOCK = Screen.SEATING, Screen.STANDINGS, Screen.TABLES, Screen.CLOCK
WINNERS, ADDRESS, MESSAGE = Screen.WINNERS, Screen.ADDRESS, Screen.MESSAGE


def shown(steering: Steering, phase: Phase = Phase.PLAYING, filled=EVERYTHING, own=()) -> list[Screen]:
    return [turn.screen for turn in programme(steering, phase, filled, own)]


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        (Phase.BEFORE, [ADDRESS]),
        (Phase.SEATED, [SEATING, ADDRESS, CLOCK]),
        (Phase.PLAYING, [STANDINGS, TABLES, CLOCK]),
        (Phase.NEXT_ROUND, [SEATING, CLOCK]),
        (Phase.PAUSE, [STANDINGS, ADDRESS]),
        (Phase.OVER, [WINNERS, STANDINGS]),
        (Phase.GIVEN_UP, [ADDRESS]),
    ],
)
def test_by_itself_a_projector_shows_what_the_room_wants_to_know(phase: Phase, expected: list[Screen]):
    assert shown(Steering(), phase) == expected


def test_a_round_without_a_clock_has_no_clock_on_the_screen():
    assert shown(Steering(), filled=EVERYTHING - {CLOCK}) == [STANDINGS, TABLES]


def test_screens_chosen_by_hand_stay_the_evening_through_for_as_long_as_was_said():
    steering = Steering(is_automatic=False, chosen=(STANDINGS, ADDRESS), seconds={STANDINGS: 40})
    for phase in Phase:
        assert programme(steering, phase, EVERYTHING) == ((STANDINGS, 40), (ADDRESS, SECONDS[ADDRESS]))


def test_a_screen_that_is_held_is_alone_also_before_there_is_anything_on_it():
    """Planted fault: with empty screens left out of one that is held, the address was shown instead."""
    assert shown(Steering(pinned=SEATING)) == [SEATING]
    assert shown(Steering(pinned=WINNERS), filled=frozenset({ADDRESS})) == [WINNERS]


def test_a_projector_with_screens_of_its_own_is_not_the_directors_to_hold():
    assert shown(Steering(pinned=MESSAGE), own=(SEATING, CLOCK)) == [SEATING, CLOCK]


def test_there_is_always_something_to_show():
    nothing = frozenset({ADDRESS})
    assert shown(Steering(), Phase.OVER, nothing) == [WINNERS]
    assert shown(Steering(is_automatic=False), Phase.PLAYING, nothing) == [ADDRESS]


def test_names_of_screens_that_nobody_knows_are_passed_over():
    assert screens_named(["clock", "dragons", "seating"]) == (SEATING, CLOCK)
