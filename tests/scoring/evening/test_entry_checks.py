"""Problems with a fact about one player, in every status of that player: the code and the message of each."""

from typing import Any

import pytest

from scoring.evening import problems_with
from scoring.facts import wire
from scoring.facts.wire import Fact
from tests.builders.plans import Night

PLAYER = "asha"
ROUND = ({"asha": 10, "bo": 40}, {"cy": 30, "dev": 20})
PLAN: dict[str, Any] = {"stages": [{"smallest_table": 2, "rounds": 7}], "late_until_round": 2}
# How a player reaches each status.
BECAME: dict[str, tuple[Fact, ...]] = {
    "entered": (),
    "checked in": (wire.CheckedIn(player=PLAYER),),
    "standby": (wire.EntryWithdrawn(player=PLAYER), wire.PlayerEntered(player=PLAYER, is_standby=True)),
    "withdrawn": (wire.EntryWithdrawn(player=PLAYER),),
    "absent": (wire.MarkedAbsent(player=PLAYER),),
    "left": (wire.PlayerLeft(player=PLAYER),),
    "substituted": (wire.PlayerSubstituted(player=PLAYER, by="sam", reason="ill"),),
    "stranger": (),
}
AWAY = {
    "standby": "is on the standby list",
    "withdrawn": "has withdrawn",
    "absent": "was marked as a no-show",
    "left": "has left",
    "substituted": "was replaced by a substitute",
}
IS_AWAY = {standing: ("is_away", words) for standing, words in AWAY.items()}
STRANGER = {"stranger": ("unknown_player", "has not entered this tournament")}
DONE = "already_done"


def must_return(*standings: str) -> dict[str, tuple[str, str]]:
    return {standing: ("is_away", f"{AWAY[standing]}: mark the player as returned instead") for standing in standings}


# By fact: the problem for a player of each status; it is accepted where none is named.
SAID: list[tuple[Fact, dict[str, tuple[str, str]]]] = [
    (
        wire.PlayerEntered(player=PLAYER),
        dict.fromkeys(("entered", "checked in"), (DONE, "has entered already"))
        | must_return("left", "absent", "substituted"),
    ),
    (
        wire.PlayerEntered(player=PLAYER, is_standby=True),
        dict.fromkeys(("entered", "checked in", "standby"), (DONE, "has entered already"))
        | must_return("left", "absent", "substituted"),
    ),
    (
        wire.EntryWithdrawn(player=PLAYER),
        STRANGER
        | {
            "withdrawn": (DONE, "has withdrawn already"),
            "substituted": ("is_away", "was replaced by a substitute: remove the substitute first"),
        },
    ),
    (
        wire.CheckedIn(player=PLAYER),
        STRANGER | {"checked in": (DONE, "is checked in already")} | IS_AWAY | {"standby": ("", "")},
    ),
    (
        wire.CheckInUndone(player=PLAYER),
        STRANGER | dict.fromkeys(("entered", *AWAY), (DONE, "is not checked in")),
    ),
    (wire.EntryPaid(player=PLAYER, amount_minor=5), STRANGER),
    (
        wire.MarkedAbsent(player=PLAYER),
        STRANGER | IS_AWAY | {"absent": (DONE, "is already a no-show")},
    ),
    (wire.PlayerLeft(player=PLAYER), STRANGER | IS_AWAY | {"left": (DONE, "has left already")}),
    (
        wire.PlayerReturned(player=PLAYER),
        STRANGER
        | IS_AWAY
        | dict.fromkeys(("entered", "checked in"), (DONE, "is in already"))
        | dict.fromkeys(("left", "absent"), ("", "")),
    ),
    (wire.PlayerSubstituted(player=PLAYER, by="tom", reason="ill"), STRANGER | IS_AWAY),
]


def told(night: Night, fact: Fact) -> list[tuple[str, str | None, str | None, str]]:
    return [(each.code, each.seat, each.field, each.text({})) for each in problems_with(night.evening, fact)]


def of_player(code: str, words: str, player: str = PLAYER, field: str = "player") -> list[tuple[Any, ...]]:
    return [(code, player, field, f"{player} {words}")] if code else []


@pytest.mark.parametrize("standing", BECAME)
@pytest.mark.parametrize(("fact", "said"), SAID, ids=lambda one: getattr(one, "kind", ""))
def test_whatever_has_become_of_a_player_each_fact_is_taken_or_refused_in_its_words(
    fact: Fact, said: dict[str, tuple[str, str]], standing: str
) -> None:
    players = ("bo", "cy", "dev") if standing == "stranger" else (PLAYER, "bo", "cy", "dev")
    night = Night(PLAN, players).then(*BECAME[standing])
    assert told(night, fact) == of_player(*said.get(standing, ("", "")))


def test_no_more_is_given_back_than_was_paid() -> None:
    night = Night(PLAN).then(wire.EntryPaid(player=PLAYER, amount_minor=700))
    assert told(night, wire.EntryRefunded(player=PLAYER, amount_minor=700, reason="ill")) == []
    assert told(night, wire.EntryRefunded(player=PLAYER, amount_minor=701, reason="ill")) == of_player(
        "out_of_range", "has paid less: refund at most what was paid", field="amount_minor"
    )
    assert told(night, wire.EntryRefunded(player="zoe", amount_minor=1, reason="ill")) == of_player(
        *STRANGER["stranger"], player="zoe"
    )


def test_late_entries_are_taken_up_to_their_round_and_in_the_first_stage_only() -> None:
    late = wire.PlayerEntered(player="zoe")
    assert told(Night(PLAN | {"late_until_round": 0}), late) == []
    night = Night(PLAN).play(*ROUND)
    assert told(night, late) == []
    too_late = "is too late: entry closed after round 2, and round 3 is next"
    assert told(night.play(*ROUND), late) == of_player("too_late", too_late, player="zoe")
    assert told(night, wire.PlayerEntered(player="zoe", is_standby=True)) == []
    stages = {"stages": [{"smallest_table": 2, "per_table": 1}, {"smallest_table": 2}], "late_until_round": 2}
    second = Night(stages).play(*ROUND).cut()
    assert told(second, late) == of_player(
        "too_late", "is too late: entry closed after round 2, and round 2 is next", player="zoe"
    )


def test_a_player_who_has_been_seated_leaves_and_does_not_withdraw() -> None:
    night = Night(PLAN).then(wire.PlayerEntered(player="zoe")).play(*ROUND, out=("zoe",))
    assert told(night, wire.EntryWithdrawn(player=PLAYER)) == of_player(
        "was_seated", "has been seated already: mark the player as left"
    )
    assert told(night, wire.EntryWithdrawn(player="zoe")) == []


def test_a_substitute_is_somebody_who_has_not_played_for_themselves() -> None:
    def by(name: str) -> Fact:
        return wire.PlayerSubstituted(player=PLAYER, by=name, reason="ill")

    night = Night(PLAN).then(wire.PlayerEntered(player="zoe", is_standby=True))
    assert (told(night, by("zoe")), told(night, by("tom"))) == ([], [])
    plays = "is or was already a player"
    assert told(night, by("bo")) == of_player("plays_already", plays, "bo", "by")
    assert told(night, by(PLAYER)) == of_player("same_player", "cannot be their own substitute", field="by")
    night.then(wire.PlayerLeft(player=PLAYER))
    assert told(night, by("bo")) == [
        *of_player("is_away", "has left"),
        *of_player("plays_already", plays, "bo", "by"),
    ]


def test_a_substitute_who_is_away_returns_before_the_place_is_given_back() -> None:
    back = wire.SubstitutionUndone(player=PLAYER, reason="well again")
    night = Night(PLAN).then(*BECAME["substituted"])
    assert told(night, back) == []
    night.then(wire.PlayerLeft(player="sam"))
    assert told(night, back) == of_player("is_away", "has left: mark the player as returned first", player="sam")


def bought(**stage: Any) -> Night:
    """Dev was cut; the second stage may take re-entries."""
    second = {"smallest_table": 2, "rounds": 3, **stage}
    plan = {"stages": [{"smallest_table": 2, "advancing": 3}, second]}
    return Night(plan).play({"asha": 1, "bo": 2, "cy": 3, "dev": 40}).cut()


OPEN = {"reentry_minor": 500, "reentry_until_round": 2}
AGAIN = wire.PlayerReentered(player="dev", stage=2)


def test_a_stage_takes_re_entries_where_the_plan_says_so_and_while_it_is_played() -> None:
    assert told(bought(**OPEN), AGAIN) == []
    none = [("no_reentry", "dev", "stage", "stage 2 has no re-entry")]
    assert told(bought(), AGAIN) == none
    first = wire.PlayerReentered(player="dev", stage=1)
    assert told(bought(**OPEN), first) == [("no_reentry", "dev", "stage", "stage 1 has no re-entry")]
    later = bought(**OPEN).play({"asha": 1, "bo": 2, "cy": 3})
    assert told(later, AGAIN) == [("too_late", "dev", "player", "re-entry closed after round 2, and round 3 is next")]


def test_a_re_entry_is_bought_once_by_somebody_who_is_there() -> None:
    assert told(bought(**OPEN), wire.PlayerReentered(player="zoe", stage=2)) == of_player(
        *STRANGER["stranger"], player="zoe"
    )
    twice = "has already re-entered in stage 2"
    assert told(bought(**OPEN).then(AGAIN), AGAIN) == of_player(DONE, twice, player="dev")
    gone = bought(**OPEN).then(wire.PlayerLeft(player="dev"))
    assert told(gone, AGAIN) == of_player("is_away", "has left", player="dev")
    undone = wire.ReentryUndone(player="zoe", stage=2)
    assert told(bought(**OPEN), undone) == of_player(*STRANGER["stranger"], player="zoe")
