"""What a projector shows automatically, what the director sets, and what a screen held on one view shows."""

from typing import Any

from tournaments.models import Screen
from tournaments.running.screens import SECONDS, Phase, Steering, programme, screens_named

EVERYTHING = frozenset(Screen)
SEATING, STANDINGS, TABLES, CLOCK = Screen.SEATING, Screen.STANDINGS, Screen.TABLES, Screen.CLOCK
WINNERS, ADDRESS, MESSAGE = Screen.WINNERS, Screen.ADDRESS, Screen.MESSAGE


def shown(steering: Steering, phase: Phase = Phase.PLAYING, filled=EVERYTHING, own=()) -> list[Screen]:
    return [turn.screen for turn in programme(steering, phase, filled, own)]


def test_a_projector_shows_what_the_room_wants_to_know_or_what_somebody_chose():
    cases: list[tuple[tuple[Any, ...], list[Screen]]] = [
        ((Steering(), Phase.BEFORE), [ADDRESS]),
        ((Steering(), Phase.SEATED), [SEATING, ADDRESS, CLOCK]),
        ((Steering(), Phase.PLAYING), [STANDINGS, TABLES, CLOCK]),
        ((Steering(), Phase.NEXT_ROUND), [SEATING, CLOCK]),
        ((Steering(), Phase.PAUSE), [STANDINGS, ADDRESS]),
        ((Steering(), Phase.OVER), [WINNERS, STANDINGS]),
        ((Steering(), Phase.GIVEN_UP), [ADDRESS]),
        # A round without a clock has none on the screen.
        ((Steering(), Phase.PLAYING, EVERYTHING - {CLOCK}), [STANDINGS, TABLES]),
        # Held, a screen is alone, also before there is anything on it. Planted fault: the address shown instead.
        ((Steering(pinned=SEATING),), [SEATING]),
        ((Steering(pinned=WINNERS), Phase.PLAYING, frozenset({ADDRESS})), [WINNERS]),
        # A projector with screens of its own is not the director's to hold.
        ((Steering(pinned=MESSAGE), Phase.PLAYING, EVERYTHING, (SEATING, CLOCK)), [SEATING, CLOCK]),
        # There is always something to show.
        ((Steering(), Phase.OVER, frozenset({ADDRESS})), [WINNERS]),
        ((Steering(is_automatic=False), Phase.PLAYING, frozenset({ADDRESS})), [ADDRESS]),
    ]
    for asked, expected in cases:
        assert shown(*asked) == expected, asked


def test_screens_chosen_by_hand_stay_the_evening_through_for_as_long_as_was_said():
    steering = Steering(is_automatic=False, chosen=(STANDINGS, ADDRESS), seconds={STANDINGS: 40})
    for phase in Phase:
        assert programme(steering, phase, EVERYTHING) == ((STANDINGS, 40), (ADDRESS, SECONDS[ADDRESS]))


def test_names_of_screens_that_nobody_knows_are_passed_over():
    assert screens_named(["clock", "dragons", "seating"]) == (SEATING, CLOCK)
