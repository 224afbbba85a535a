"""Players who come late, leave or are replaced: the scores each policy gives, and two rules that all of them keep."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.events import wire
from scoring.tournament.state.played import PartKind, average
from tests.builders.plans import CAST, HIGH, LOW, Night, nights, scores, seven_rounds

ROUND_1 = {"asha": 20, "bo": 40, "cy": 30}


def with_late(late, *, game=LOW, plus=1):
    """Dev comes after the first round and loses nothing, and wins nothing, in the second."""
    plan = seven_rounds() | {"late": late, "late_plus": plus, "late_until_round": 7}
    night = Night(plan, players=("asha", "bo", "cy"), game=game).play(ROUND_1)
    night.then(wire.PlayerEntered(player="dev"))
    return night.play({"asha": 0, "bo": 0, "cy": 0, "dev": 0}).results()["dev"]


@pytest.mark.parametrize(
    ("late", "game", "starts_with"),
    [
        ("zero", HIGH, 0),
        ("zero", LOW, 30),
        ("average", LOW, 30),
        ("average", HIGH, 30),
        ("highest_plus", LOW, 45),
        ("highest_plus", HIGH, 15),
    ],
)
def test_a_late_entry_starts_as_the_plan_says(late, game, starts_with):
    assert with_late(late, game=game, plus=5).score == starts_with
    if late == "average":
        (_, part) = with_late("average").parts
        assert str(part.text) == "Late entry, round 1 missed: starts with the average, 30"


@pytest.mark.slow
@given(nights(), scores)
def test_a_late_entry_never_starts_better_than_the_average(night, score):
    there = [result.score for result in night.results().values()]
    night.then(wire.PlayerEntered(player="late"))
    dev = night.results()["late"]
    starts = [part.amount for part in dev.parts if part.what is PartKind.LATE]
    is_points = night.plan["stages"][0]["compares"] == "rank_points"
    low_is_good = night.game.low_is_good and not is_points
    if starts and night.plan["stages"][0]["compares"] != "average":
        mean = average(there)
        assert starts[0] >= mean if low_is_good else starts[0] <= mean


def leaving(policy, *, returns=False):
    """Asha plays the first round of three, and is gone in the second."""
    night = Night(seven_rounds() | {"leaving": policy}).play({"asha": 10, "bo": 40, "cy": 30, "dev": 20})
    night.then(wire.PlayerLeft(player="asha")).play({"bo": 5, "cy": 50, "dev": 8})
    if returns:
        night.then(wire.PlayerReturned(player="asha")).play({"asha": 0, "bo": 1, "cy": 2, "dev": 3})
    else:
        night.play({"bo": 1, "cy": 2, "dev": 3})
    return night.results()["asha"]


@pytest.mark.parametrize(("policy", "score"), [("forfeit", 10 + 50 + 3), ("average", 30), ("void", 40 + 50 + 3)])
def test_a_player_who_leaves_for_good_gets_what_the_plan_says(policy, score):
    assert leaving(policy).score == score


@pytest.mark.parametrize(("policy", "score"), [("forfeit", 60), ("average", 60), ("void", 90)])
def test_a_player_who_comes_back_has_forfeited_what_was_missed(policy, score):
    asha = leaving(policy, returns=True)
    assert asha.score == score
    assert [str(part.text) for part in asha.parts if part.round == 2] == [
        "Round 2 forfeited: the worst of the round, 50"
    ]
    # No place is no points.
    night = Night(seven_rounds(compares="rank_points")).play({"asha": 10, "bo": 40, "cy": 30, "dev": 20})
    night.then(wire.PlayerLeft(player="asha")).play({"bo": 5, "cy": 50, "dev": 8})
    assert [part.amount for part in night.results()["asha"].parts] == [6, 0]


@pytest.mark.slow
@given(nights(least_rounds=3), st.data())
def test_leaving_and_coming_back_never_gives_a_better_place_than_staying(night, data):
    leaver = data.draw(st.sampled_from(night.players))
    gone_after = data.draw(st.integers(min_value=1, max_value=night.rounds - 1))
    back_after = data.draw(st.integers(min_value=gone_after + 1, max_value=night.rounds))
    stayed = night.places()[leaver]
    away = Night(night.plan, night.players, night.game, played=[], events=[])
    away.events = list(_while_away(night, leaver, gone_after, back_after))
    missed = range(gone_after + 1, back_after + 1)
    away.played = [seat for seat in night.played if not (seat.player == leaver and seat.round in missed)]
    assert away.results()[leaver].forfeits >= len(missed)
    assert away.places()[leaver] == len(night.players) >= stayed


def _while_away(night, leaver, gone_after, back_after):
    """The same evening, but one player left after a round and came back after a later one."""
    for event in night.events:
        if not isinstance(event, wire.RoundSeated):
            yield event
            continue
        is_gone = gone_after < event.round <= back_after
        tables = tuple((n, tuple(p for p in there if not is_gone or p != leaver)) for n, there in event.tables)
        yield wire.RoundSeated(stage=1, round=event.round, tables=tables, method="draw")
        if event.round == gone_after:
            yield wire.PlayerLeft(player=leaver)
        if event.round == back_after:
            yield wire.PlayerReturned(player=leaver)


def test_a_player_who_forfeited_a_round_reaches_no_score_by_it():
    plan = {"stages": [{"rounds": 2, "smallest_table": 2, "at_least": 60}, {"smallest_table": 2}]}
    night = Night(plan).play({"asha": 10, "bo": 40, "cy": 30, "dev": 20})
    night.then(wire.PlayerLeft(player="asha")).play({"bo": 5, "cy": 50, "dev": 8})
    night.then(wire.PlayerReturned(player="asha"))
    assert night.results()["asha"].score == 60
    assert night.proposal().advancing == ("dev", "bo")


def substituted(policy):
    night = Night(seven_rounds() | {"substitute": policy}).play({"asha": 10, "bo": 40}, {"cy": 30, "dev": 20})
    night.then(wire.PlayerSubstituted(player="asha", by="sam", reason="Asha is ill"))
    return night.play({"sam": 1, "bo": 2}, {"cy": 3, "dev": 4}).results()


def test_a_substitute_has_the_score_of_the_seat_or_an_own_or_half_of_it():
    seat, person, split = map(substituted, ("seat", "person", "split"))
    assert "asha" not in seat
    assert (seat["sam"].score, seat["sam"].people) == (11, ("asha", "sam"))
    # With an own score the substitute comes late and the other has left.
    assert [part.what for part in person["sam"].parts] == [PartKind.TABLE, PartKind.LATE]
    assert (person["sam"].score, person["asha"].score, person["asha"].is_here) == (1 + 25, 10 + 4, False)
    # Each half counts as if it had gone on.
    assert (split["asha"].score, split["sam"].score) == (20, 2)
    assert split["asha"].forfeits == split["sam"].forfeits == 0


def test_nobody_who_was_marked_absent_before_the_first_round_has_left():
    night = Night(seven_rounds() | {"late_until_round": 7, "late": "average"})
    night.then(wire.MarkedAbsent(player="dev")).play({"asha": 10, "bo": 40, "cy": 31})
    night.then(wire.PlayerReturned(player="dev")).play({"asha": 1, "bo": 2, "cy": 3, "dev": 0})
    dev = night.results()["dev"]
    assert (dev.forfeits, dev.score) == (0, Fraction(27))


LEAVINGS = ("forfeit", "average", "void")


def two_stages(policy, compares="score"):
    """Four players, of whom three qualify from the first stage of two rounds."""
    stages = [{"rounds": 2, "smallest_table": 2, "advancing": 3, "compares": compares}, {"smallest_table": 2}]
    return {"stages": stages, "leaving": policy}


def test_a_player_who_leaves_in_the_second_stage_keeps_what_the_first_one_gave():
    night = Night(two_stages("void")).play(dict.fromkeys(CAST, 10)).play({"asha": 1, "bo": 2, "cy": 3, "dev": 4}).cut()
    before = night.results(1)
    night.play({"asha": 5, "bo": 6, "cy": 7}).then(wire.PlayerLeft(player="asha"))
    assert night.results(1)["asha"].score == before["asha"].score == 11
    assert night.results(2)["asha"].forfeits == 1


def test_a_player_who_left_before_the_cut_gets_nothing_back_by_returning_after_it():
    night = Night(two_stages("void")).play(dict.fromkeys(CAST, 10)).play({"asha": 1, "bo": 2, "cy": 3, "dev": 4})
    night.then(wire.PlayerLeft(player="asha")).cut()
    assert night.results(1)["asha"].forfeits == 2
    night.then(wire.PlayerReturned(player="asha"))
    assert night.results(1)["asha"].forfeits == 2


def test_a_place_taken_over_before_the_cut_was_played_to_its_end():
    night = Night(two_stages("void")).play(dict.fromkeys(CAST, 10))
    night.then(wire.PlayerSubstituted(player="asha", by="sam", reason="Asha is ill"))
    night.play({"sam": 1, "bo": 2, "cy": 3, "dev": 4}).cut()
    night.then(wire.PlayerLeft(player="sam"))
    assert (night.results(1)["sam"].score, night.results(1)["sam"].forfeits) == (11, 0)


@pytest.mark.slow
@given(nights(), st.sampled_from(LEAVINGS), st.data())
def test_nothing_that_happens_after_a_cut_changes_the_stage_that_was_cut(night, leaving, data):
    stages = [*night.plan["stages"], {"smallest_table": 2}]
    stages[0] = stages[0] | {"rounds": night.rounds, "advancing": 4}
    plan = night.plan | {"stages": stages, "leaving": leaving}
    finished = Night(plan, night.players, night.game, played=night.played, events=[])
    finished.events = [finished.events[0], *night.events[1:]]
    gone_before = data.draw(st.sampled_from(night.players))
    finished.then(wire.PlayerLeft(player=gone_before))
    through = tuple(player for player in night.players if player != gone_before)[:4]
    finished.then(wire.CutMade(stage=1, advancing=through))
    before = finished.results(1)
    leaver, other = data.draw(st.permutations(through))[:2]
    finished.then(wire.PlayerLeft(player=leaver), wire.MarkedAbsent(player=other))
    finished.then(wire.PlayerReturned(player=gone_before))
    after = finished.results(1)
    assert {p: (r.score, r.forfeits) for p, r in after.items()} == {p: (r.score, r.forfeits) for p, r in before.items()}
