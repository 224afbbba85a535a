"""What may be undone in an evening, until when, and that nothing of it is left."""

import pytest

from scoring.events import wire
from scoring.tournament import problems_with
from scoring.tournament.state import Standing, with_hindsight
from scoring.tournament.steps import shown_clock
from tests.builders.plans import CAST, Night, heats, seven_rounds

SUBSTITUTED = wire.PlayerSubstituted(player="asha", by="sam", reason="Asha is ill")
BACK = wire.SubstitutionUndone(player="asha", reason="Asha is well again")
UNDONE_REENTRY = wire.ReentryUndone(player="dev", stage=2)


def told(night, event):
    return [problem.code for problem in problems_with(night.state, event)]


def begun(**plan):
    return Night(seven_rounds() | plan).play({"asha": 10, "bo": 40}, {"cy": 30, "dev": 20})


def test_a_player_whose_substitution_is_taken_back_has_the_seat_that_the_substitute_was_given():
    night = begun().then(SUBSTITUTED).play({"sam": 0, "bo": 0}, {"cy": 0, "dev": 0})
    assert told(night, BACK) == []
    after = night.then(BACK).state
    assert after.rounds[-1].tables[0].players == ("asha", "bo")
    assert after.entrants["asha"].plays
    assert after.entrants["sam"].standing is Standing.WITHDRAWN


@pytest.mark.parametrize("policy", ["seat", "person", "split"])
def test_after_a_substitution_was_taken_back_the_standings_are_as_if_it_had_never_been(policy):
    scores = ({"asha": 5, "bo": 7}, {"cy": 3, "dev": 1})
    plain = begun(substitute=policy).play(*scores)
    taken = begun(substitute=policy).then(SUBSTITUTED).play({"sam": 0, "bo": 0}, {"cy": 0, "dev": 0}).then(BACK)
    taken.played = plain.played
    assert taken.results() == plain.results()


def test_a_substitute_who_stood_by_stands_by_again():
    night = begun().then(wire.PlayerEntered(player="sam", is_standby=True), SUBSTITUTED, BACK)
    assert night.state.entrants["sam"].standing is Standing.STANDBY


def test_a_substitute_who_has_played_a_round_stays_and_the_first_of_them_is_named():
    night = begun().then(SUBSTITUTED)
    night.play({"sam": 1, "bo": 0}, {"cy": 0, "dev": 0}).play({"sam": 2, "bo": 0}, {"cy": 0, "dev": 0})
    (problem,) = problems_with(night.state, BACK)
    assert problem.code == "already_played"
    assert problem.text({"sam": "Sam"}) == "Sam has played in round 2: the substitution cannot be undone"


@pytest.mark.parametrize(
    ("instead_of", "players", "codes"),
    [((2,), ("cy", "dev"), []), ((1, 2), ("sam", "bo", "cy", "dev"), ["already_played"])],
)
def test_a_substitute_stays_only_where_the_own_table_was_moved(instead_of, players, codes):
    night = begun().then(SUBSTITUTED).play({"sam": 0, "bo": 0}, {"cy": 0, "dev": 0})
    night.then(wire.PlayersMoved(round=2, instead_of=instead_of, tables=((3, players),)))
    assert told(night, BACK) == codes


def test_taking_a_substitution_back_needs_one_and_a_reason():
    assert told(begun(), BACK) == ["nothing_to_undo"]
    assert told(begun(), wire.SubstitutionUndone(player="zoe", reason="-")) == ["unknown_player"]
    assert told(begun().then(SUBSTITUTED), wire.SubstitutionUndone(player="asha")) == ["missing_field"]


def bought_back():
    """Dev was cut, and has re-entered the second stage before it is seated."""
    plan = heats(advancing=3)
    plan["stages"][1] |= {"reentry_minor": 500, "reentry_until_round": 2}
    night = Night(plan).play({"asha": 1, "bo": 2, "cy": 3, "dev": 40}).cut()
    return night.then(wire.PlayerReentered(player="dev", stage=2))


def test_a_reentry_is_taken_back_as_if_it_had_never_been():
    night = bought_back()
    assert "dev" in night.state.field()
    assert told(night, UNDONE_REENTRY) == []
    assert night.then(UNDONE_REENTRY).state.field() == ("asha", "bo", "cy")
    assert told(night, wire.PlayerReentered(player="dev", stage=2)) == []
    assert told(night, UNDONE_REENTRY) == ["already_done"]
    kinds = {event.kind for _, event in with_hindsight(list(enumerate(night.events, 1)))}
    assert kinds.isdisjoint({"player_reentered", "reentry_undone"})


def test_a_reentry_stands_once_the_player_has_a_seat():
    night = bought_back().play({"asha": 0, "bo": 0, "cy": 0, "dev": 0})
    (problem,) = problems_with(night.state, UNDONE_REENTRY)
    assert (problem.code, problem.text({"dev": "Dev"})) == (
        "already_played",
        "round 2 was seated after Dev had re-entered",
    )


def called(*events):
    return begun().then(*events, wire.LastDealCalled(round=1, at=1_100))


def test_nothing_is_left_of_a_last_call_that_was_taken_back():
    started = wire.ClockStarted(round=1, at=1_000, seconds=600)
    undone = wire.LastCallUndone(round=1, reason="the wrong button")
    assert shown_clock(called(started).then(undone).state, 1_200) == shown_clock(begun().then(started).state, 1_200)
    untimed = called().then(undone)
    assert shown_clock(untimed.state, 1_200) is None
    assert told(untimed, wire.LastDealCalled(round=1, at=1_300)) == []


def test_a_last_call_is_taken_back_once_with_a_reason_and_in_the_round_that_is_played():
    assert told(called(), wire.LastCallUndone(round=1)) == ["missing_field"]
    assert told(begun(), wire.LastCallUndone(round=1, reason="-")) == ["already_done"]
    later = called().play(dict.fromkeys(CAST, 0))
    assert told(later, wire.LastCallUndone(round=1, reason="-")) == ["wrong_round"]
