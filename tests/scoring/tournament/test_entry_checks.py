"""Problems with an event about one player, in every status of that player: the code and the message of each."""

from typing import Any

import pytest

from scoring.events import wire
from scoring.events.wire import Event
from scoring.tournament import problems_with
from tests.builders.plans import Night
from tests.builders.wording import picture, refusal

PLAYER = "asha"
ROUND = ({"asha": 10, "bo": 40}, {"cy": 30, "dev": 20})
PLAN: dict[str, Any] = {"stages": [{"smallest_table": 2, "rounds": 7}], "late_until_round": 2}
# How a player reaches each status.
BECAME: dict[str, tuple[Event, ...]] = {
    "entered": (),
    "checked in": (wire.CheckedIn(player=PLAYER),),
    "standby": (wire.EntryWithdrawn(player=PLAYER), wire.PlayerEntered(player=PLAYER, is_standby=True)),
    "withdrawn": (wire.EntryWithdrawn(player=PLAYER),),
    "absent": (wire.MarkedAbsent(player=PLAYER),),
    "left": (wire.PlayerLeft(player=PLAYER),),
    "seated and left": (wire.PlayerLeft(player=PLAYER),),
    "seated and hidden": (wire.PlayerLeft(player=PLAYER), wire.PlayerHidden(player=PLAYER)),
    "substituted": (wire.PlayerSubstituted(player=PLAYER, by="sam", reason="ill"),),
    "stranger": (),
}
EVENTS: list[Event] = [
    wire.PlayerEntered(player=PLAYER),
    wire.PlayerEntered(player=PLAYER, is_standby=True),
    wire.EntryWithdrawn(player=PLAYER),
    wire.CheckedIn(player=PLAYER),
    wire.CheckInUndone(player=PLAYER),
    wire.EntryPaid(player=PLAYER, amount_minor=5),
    wire.MarkedAbsent(player=PLAYER),
    wire.PlayerLeft(player=PLAYER),
    wire.PlayerReturned(player=PLAYER),
    wire.PlayerHidden(player=PLAYER),
    wire.PlayerShown(player=PLAYER),
    wire.PlayerSubstituted(player=PLAYER, by="tom", reason="ill"),
]


def told(night: Night, *given: Event) -> list[str]:
    """All problems with the last of these events."""
    *before, event = given
    return [refusal(problem) for problem in problems_with(night.then(*before).state, event)]


@pytest.mark.parametrize("standing", BECAME)
def test_whatever_has_become_of_a_player_each_event_is_taken_or_refused_in_its_words(standing: str, snapshot) -> None:
    players = ("bo", "cy", "dev") if standing == "stranger" else (PLAYER, "bo", "cy", "dev")
    night = Night(PLAN, players).play(*ROUND) if standing.startswith("seated") else Night(PLAN, players)
    answers = ((f"{event.kind}: {event}", told(night, *BECAME[standing], event)) for event in EVENTS)
    assert picture(answers) == snapshot


def test_no_more_is_given_back_than_was_paid(snapshot) -> None:
    night = Night(PLAN).then(wire.EntryPaid(player=PLAYER, amount_minor=700))
    asked = [(PLAYER, 700), (PLAYER, 701), ("zoe", 1)]
    answers = (
        (f"{amount} to {player}", told(night, wire.EntryRefunded(player=player, amount_minor=amount, reason="ill")))
        for player, amount in asked
    )
    assert picture(answers) == snapshot


def test_late_entries_are_taken_up_to_their_round_and_in_the_first_stage_only(snapshot) -> None:
    late = wire.PlayerEntered(player="zoe")
    stages = {"stages": [{"smallest_table": 2, "per_table": 1}, {"smallest_table": 2}], "late_until_round": 2}
    answers = {
        "no late entries, but nothing is seated": told(Night(PLAN | {"late_until_round": 0}), late),
        "round 1 is seated": told(Night(PLAN).play(*ROUND), late),
        "round 2 is seated": told(Night(PLAN).play(*ROUND).play(*ROUND), late),
        "round 2 is seated, on the standby list": told(
            Night(PLAN).play(*ROUND).play(*ROUND), wire.PlayerEntered(player="zoe", is_standby=True)
        ),
        "the first stage was cut": told(Night(stages).play(*ROUND).cut(), late),
    }
    assert picture(answers) == snapshot


def test_a_player_who_has_been_seated_leaves_and_does_not_withdraw(snapshot) -> None:
    night = Night(PLAN).then(wire.PlayerEntered(player="zoe")).play(*ROUND, out=("zoe",))
    answers = ((player, told(night, wire.EntryWithdrawn(player=player))) for player in (PLAYER, "zoe"))
    assert picture(answers) == snapshot


def test_a_substitute_is_somebody_who_has_not_played_for_themselves(snapshot) -> None:
    def by(name: str) -> Event:
        return wire.PlayerSubstituted(player=PLAYER, by=name, reason="ill")

    night = Night(PLAN).then(wire.PlayerEntered(player="zoe", is_standby=True))
    answers = {name: told(night, by(name)) for name in ("zoe", "tom", "bo", PLAYER)}
    answers["bo, for a player who has left"] = told(night, wire.PlayerLeft(player=PLAYER), by("bo"))
    assert picture(answers) == snapshot


def test_a_substitute_who_is_away_returns_before_the_place_is_given_back(snapshot) -> None:
    back = wire.SubstitutionUndone(player=PLAYER, reason="well again")
    night = Night(PLAN).then(*BECAME["substituted"])
    answers = {"sam is here": told(night, back), "sam has left": told(night, wire.PlayerLeft(player="sam"), back)}
    assert picture(answers) == snapshot


def bought(**stage: Any) -> Night:
    """Dev was cut; the second stage may take re-entries."""
    second = {"smallest_table": 2, "rounds": 3, **stage}
    plan = {"stages": [{"smallest_table": 2, "advancing": 3}, second]}
    return Night(plan).play({"asha": 1, "bo": 2, "cy": 3, "dev": 40}).cut()


OPEN = {"reentry_minor": 500, "reentry_until_round": 2}
AGAIN = wire.PlayerReentered(player="dev", stage=2)


def test_a_stage_takes_re_entries_where_the_plan_says_so_and_while_it_is_played(snapshot) -> None:
    later = bought(**OPEN).play({"asha": 1, "bo": 2, "cy": 3})
    answers = {
        "open": told(bought(**OPEN), AGAIN),
        "none in the plan": told(bought(), AGAIN),
        "none in the first stage": told(bought(**OPEN), wire.PlayerReentered(player="dev", stage=1)),
        "closed": told(later, AGAIN),
        "a stranger": told(bought(**OPEN), wire.PlayerReentered(player="zoe", stage=2)),
        "twice": told(bought(**OPEN), AGAIN, AGAIN),
        "who has left": told(bought(**OPEN), wire.PlayerLeft(player="dev"), AGAIN),
        "undone for a stranger": told(bought(**OPEN), wire.ReentryUndone(player="zoe", stage=2)),
    }
    assert picture(answers) == snapshot
