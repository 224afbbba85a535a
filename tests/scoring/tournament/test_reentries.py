"""The start score of a re-entry: given by the plan, noted at the cut, and shown among the parts of the score."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scoring.events import wire
from scoring.problems import OptionsRejected
from scoring.tournament import (
    TournamentState,
    dump_tournament_state,
    fold_tournament,
    load_tournament_state,
    problems_with,
    read_plan,
)
from scoring.tournament.checks.playable import playable_problems
from scoring.tournament.prizes.consequences import cut_changes
from scoring.tournament.state.reentries import brought_into, too_little
from scoring.tournament.state.terms import Terms
from tests.builders.plans import HIGH, LOW, POOL, Night
from tests.builders.wording import picture, refusal, written

PAGE = (Path(__file__).parents[3] / "docs" / "rules" / "tournaments.md").read_text()
EXAMPLES = [json.loads(line) for line in PAGE.split("```jsonl re-entries\n")[1].split("```")[0].splitlines()]
GAMES = {"chips": HIGH, "penalty points": LOW, "pool": POOL}
FEE = {"reentry_minor": 500, "reentry_until_round": 2}
BACK = wire.PlayerReentered(player="dev", stage=2)
MOST = 10**6


def levels(*, first: dict[str, Any] | None = None, **again: Any) -> dict[str, Any]:
    """Two stages whose scores add up; players cut from the first may re-enter the second."""
    before = {"smallest_table": 2, "per_table": 1, **(first or {})}
    return {"stages": [before, {"smallest_table": 2, "carries": "score", **FEE, **again}]}


def cut_off(game: Any = HIGH, scores: tuple[int, int, int, int] = (300, 100, 250, 60), **plan: Any) -> Night:
    """Asha and Cy qualified; Bo and Dev were cut."""
    asha, bo, cy, dev = scores
    return Night(levels(**plan), game=game).play({"asha": asha, "bo": bo}, {"cy": cy, "dev": dev}).cut()


def told(night: Night, event: Any = BACK) -> list[str]:
    """Problems with an event, by the rules and by the way the game counts."""
    problems = problems_with(night.state, event)
    if isinstance(event, wire.PlayerReentered):
        problems = problems or too_little(night.state, event, night.game)
    names = {"dev": "Dev", "asha": "Asha"}
    return [f"{problem.code} {problem.field}: {problem.text(names)}" for problem in problems]


def refused(raw: dict[str, Any]) -> list[str]:
    with pytest.raises(OptionsRejected) as unread:
        read_plan(raw)
    return [refusal(problem) for problem in unread.value.problems]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: json.dumps(one["plan"]) + str(one["left"]))
def test_every_worked_example_comes_out_as_it_is_printed(example: dict[str, Any]) -> None:
    """Planted faults: the chips alone instead of the own score and the chips; a minimum score that is never checked."""
    game, average = GAMES[example["game"]], example["average"]
    going_on = {"at_least": example["at_least"], "per_table": 0} if "at_least" in example else {}
    out: dict[str, Any] = {"out_in_deal": {"dev": 3}} if game is POOL else {}
    night = Night(levels(first=going_on, **example["plan"]), game=game)
    worse = -MOST if game is HIGH else MOST
    night.play({"asha": average, "bo": worse}, {"cy": average, "dev": example["left"]}, **out).cut()
    if example["start"] is None:
        (problem,) = told(night)
        assert problem.startswith("out_of_range reentry_at_least: ")
        return
    assert told(night) == []
    night.then(BACK)
    if game is POOL:
        assert brought_into(night.state, 2)["dev"] == example["start"]
        night.play({"asha": average, "cy": average, "dev": example["start"] + 5})
        assert night.results()["dev"].score == example["start"] + 5
    else:
        night.play({"asha": 0, "cy": 0, "dev": 5})
        assert night.results()["dev"].score == example["start"] + 5


def test_a_least_own_score_is_asked_for_whatever_a_re_entry_starts_with(snapshot):
    """Planted faults: the start score checked instead; the wrong comparison where fewer points are better."""
    answers = {
        f"{name}, {written(begins)}": told(cut_off(game, scores, reentry_own_least=least, **begins))
        for begins in ({}, {"reentry_begins": "chips", "reentry_chips": 5})
        for name, game, scores, least in (
            ("60 needed", HIGH, (300, 100, 250, 60), 60),
            ("61 needed", HIGH, (300, 100, 250, 60), 61),
            ("59 at most", LOW, (10, 50, 20, 60), 59),
        )
    }
    assert picture(answers) == snapshot


def test_a_least_own_score_needs_scores_that_count_on(snapshot):
    houses = ({"carries": "nothing"}, {"reentry_minor": 0}, {"compares": "average"})
    answers = ((written(house), refused(levels(reentry_own_least=5, **house))) for house in houses)
    assert picture(answers) == snapshot
    assert "reentry_own_least" not in msgspec.to_builtins(read_plan(levels(reentry_own_least=None)))["stages"][1]


def parts(night: Night) -> list[str]:
    """The parts of Dev's score."""
    return [f"{part.what} {part.amount}: {part.text}" for part in night.results()["dev"].parts]


def test_the_parts_of_a_score_say_what_a_re_entry_brought_and_added(snapshot):
    own = cut_off(reentry_begins="score_and_chips", reentry_chips=200).then(BACK)
    own.play({"asha": 1, "cy": 2, "dev": 30})
    chips = cut_off(reentry_begins="chips", reentry_chips=-200).then(BACK).play({"asha": 1, "cy": 2, "dev": 30})
    late = cut_off(reentry_begins="chips", reentry_chips=500, rounds=2, reentry_until_round=3)
    late.play({"asha": -30, "cy": -10}).then(BACK).play({"asha": 0, "cy": 0, "dev": 9})
    answers = {
        "the own score and chips": parts(own),
        "a start of its own": parts(chips),
        "in the middle of a stage, like a late entry": parts(late),
    }
    assert picture(answers) == snapshot
    assert own.results()["dev"].score == 290


def test_the_start_goes_on_with_the_player_through_the_next_cut():
    plan = levels(reentry_begins="score_and_chips", reentry_chips=200)
    plan["stages"][1] |= {"advancing": 2}
    plan["stages"].append({"smallest_table": 2, "carries": "score"})
    night = Night(plan, game=HIGH).play({"asha": 300, "bo": 100}, {"cy": 250, "dev": 60}).cut().then(BACK)
    night.play({"asha": 0, "cy": 0, "dev": 30}).cut()
    assert night.state.cuts[1].carried == {"asha": 300, "dev": 290}
    assert night.state.cuts[1].left == {"cy": 250}


def test_who_was_cut_two_stages_ago_has_the_score_of_then_as_long_as_every_stage_counts_on(snapshot):
    """Also where the plan says only after the cut has noted the scores that the stage begins again."""
    plan = levels()
    plan["stages"][1] |= {"advancing": 1}
    start = {"reentry_begins": "score_and_chips", "reentry_chips": 20, "reentry_until_round": 3, "reentry_minor": 5}
    plan["stages"].append({"smallest_table": 2, "carries": "score", **start})
    counted, begun_again = (
        Night(plan, game=HIGH).play({"asha": 300, "bo": 100}, {"cy": 250, "dev": 60}).cut() for _ in range(2)
    )
    again = wire.PlayerReentered(player="dev", stage=3)
    counted.play({"asha": 0, "cy": 5}).cut().then(again)
    assert begun_again.state.cuts[0].left == {"bo": 100, "dev": 60}
    anew = {"stages": [plan["stages"][0], plan["stages"][1] | {"carries": "nothing"}, plan["stages"][2]]}
    begun_again.then(wire.PlanMade(plan=msgspec.to_builtins(read_plan(anew)), reason="anew"))
    begun_again.play({"asha": 0, "cy": 5}).cut()
    answers = {"cut two stages ago": parts(counted), "the stage between began again": told(begun_again, again)}
    assert picture(answers) == snapshot


def test_a_player_who_came_after_the_cut_has_no_score_to_start_with(snapshot):
    came = [wire.PlayerEntered(player="sam"), wire.MarkedAbsent(player="sam")]
    answers = {}
    for start in ({"reentry_begins": "score_and_chips"}, {"reentry_begins": "chips", "reentry_chips": 5}):
        night = cut_off(**start)
        night.events[1:1] = came
        night.then(wire.PlayerReturned(player="sam"))
        answers[written(start)] = told(night, wire.PlayerReentered(player="sam", stage=2))
    assert picture(answers) == snapshot


def test_a_player_who_went_on_does_not_start_a_second_time(snapshot):
    night = cut_off(reentry_begins="chips", reentry_chips=900)
    assert picture({"asha re-enters": told(night, wire.PlayerReentered(player="asha", stage=2))}) == snapshot


def test_what_a_cut_carried_stands_over_a_start_that_came_later_into_the_plan():
    night = cut_off().then(wire.PlayerReentered(player="asha", stage=2))
    later = msgspec.to_builtins(read_plan(levels(reentry_begins="chips", reentry_chips=900)))
    night.then(wire.PlanMade(plan=later, reason="chips"))
    assert night.results()["asha"].score == 300
    assert brought_into(night.state, 2) == {"asha": 300, "cy": 250}


def test_too_low_a_start_is_refused_with_the_name_the_field_and_both_numbers(snapshot):
    night = cut_off(reentry_begins="score_and_chips", reentry_chips=20, reentry_at_least=100)
    scores, ranked = (10, 50, 20, 90), {"compares": "rank_points"}
    fewer = cut_off(LOW, scores, reentry_begins="score_and_chips", reentry_chips=-10, reentry_at_least=79)
    places = cut_off(LOW, scores, first=ranked, **ranked, reentry_begins="score_and_chips", reentry_at_least=6)
    answers = {
        "too few": told(night),
        "enough": told(night, wire.PlayerReentered(player="bo", stage=2)),
        "where fewer points are better": told(fewer),
        "points for places": told(places),
    }
    assert picture(answers) == snapshot


def test_a_substitute_of_who_was_cut_starts_with_the_score_of_the_seat_where_seats_are_played_on(snapshot):
    start: dict[str, Any] = {"reentry_begins": "score_and_chips", "reentry_chips": 7}
    taken = wire.PlayerSubstituted(player="dev", by="sam", reason="had to go")
    again = wire.PlayerReentered(player="sam", stage=2)
    night = cut_off(**start).then(taken)
    plan = levels(**start) | {"substitute": "person"}
    own = Night(plan, game=HIGH).play({"asha": 300, "bo": 100}, {"cy": 250, "dev": 60}).cut().then(taken)
    answers = {"the seat is played on": told(night, again), "a score of their own": told(own, again)}
    assert picture(answers) == snapshot
    assert night.then(again).results()["sam"].score == 67


def test_a_start_follows_a_cut_that_is_made_again():
    night = cut_off(reentry_begins="score_and_chips", reentry_chips=5).then(BACK)
    dev = next(seat for seat in night.played if seat.player == "dev")
    corrected = [with_score(seat, 90) if seat is dev else seat for seat in night.played]
    before = cut_off(reentry_begins="score_and_chips", reentry_chips=5)
    assert cut_changes(before.state, night.played, corrected, lambda _: before.game) == ()
    (change,) = cut_changes(night.state, night.played, corrected, lambda _: night.game)
    assert change.carried == {"dev": (60, 90)}
    assert (change.no_longer, change.instead) == ((), ())
    night.played = corrected
    night.stage = 1
    night.then(wire.CutWithdrawn(stage=1, reason="a sheet was read again")).cut()
    assert night.results()["dev"].score == 95


def with_score(seat: Any, score: int) -> Any:
    """The same seat with another score."""
    return replace(seat, score=score, rank_key=(-score,))


CONTRADICTIONS: list[dict[str, Any]] = [
    levels(reentry_begins="chips", reentry_minor=0),
    levels(reentry_begins="least_score", carries="nothing", first={"at_least": 5}),
    levels(reentry_begins="chips", first={"compares": "average"}),
    levels(reentry_begins="least_score"),
    levels(reentry_chips=200, reentry_at_least=-5),
    {"stages": [{**FEE, "reentry_begins": "chips", "reentry_chips": 5}]},
]


def test_a_start_that_re_entries_cannot_have_is_refused_at_its_field(snapshot) -> None:
    assert picture((str(raw["stages"]), refused(raw)) for raw in CONTRADICTIONS) == snapshot


def test_a_number_beyond_the_bounds_is_refused_with_them(snapshot) -> None:
    answers = (
        (f"{field} {number}", refused(levels(**dict[str, Any]({"reentry_begins": "score_and_chips", field: number}))))
        for field in ("reentry_chips", "reentry_at_least")
        for number in (-MOST - 1, MOST + 1, 2**63)
    )
    assert picture(answers) == snapshot


def test_a_start_over_the_limit_of_a_pool_is_refused_with_the_plan(snapshot):
    terms = Terms(variant="pool", options={"limit": 101}, stakes={"point_value_minor": 100})
    own = {"reentry_begins": "score_and_chips", "reentry_chips": -20}
    starts: list[dict[str, Any]] = [
        *[{"reentry_begins": "chips", "reentry_chips": chips} for chips in (100, 101)],
        {"first": {"at_least": 120, "length": "minutes"}, "reentry_begins": "least_score"},
        {**own, "reentry_at_least": 90},
        own,
    ]
    answers = ((written(start), map(refusal, playable_problems(read_plan(levels(**start)), terms))) for start in starts)
    assert picture(answers) == snapshot


SILENCES: list[dict[str, Any]] = [
    {},
    {"reentry_begins": "nothing"},
    {"reentry_begins": "nothing", "reentry_chips": 0, "reentry_at_least": None},
]


@pytest.mark.parametrize("silence", SILENCES)
def test_a_plan_that_says_nothing_is_kept_to_the_letter_as_before_there_was_a_choice(silence: dict[str, Any]) -> None:
    """Planted fault: the fields with plain defaults, which are then in every stored evening."""
    plan = read_plan(levels(**silence))
    assert plan == read_plan(levels())
    kept = msgspec.to_builtins(plan)
    assert [name for stage in kept["stages"] for name in stage if name.startswith("reentry_")] == [
        "reentry_minor",
        "reentry_until_round",
    ] * 2
    evening = fold_tournament(TournamentState(), [(1, wire.PlanMade(plan=levels(**silence)))])
    assert "reentry_begins" not in dump_tournament_state(evening)
    assert load_tournament_state(dump_tournament_state(evening)) == evening


def test_a_stage_that_was_played_may_come_back_from_a_form_that_spells_silence_out():
    night = Night({"stages": [{"smallest_table": 2, "per_table": 1}, {"smallest_table": 2, "carries": "score"}]})
    night.play({"asha": 1, "bo": 2}, {"cy": 1, "dev": 2}).cut()
    spelt = {"reentry_begins": "nothing", "reentry_chips": 0, "reentry_at_least": None}
    stages = [{**stage, **spelt} for stage in night.plan["stages"]]
    assert told(night, wire.PlanMade(plan={"stages": stages}, reason="the same again")) == []


def test_a_cut_of_an_earlier_release_says_nothing_of_what_was_left():
    night = cut_off(reentry_begins="score_and_chips")
    (made,) = [event for event in night.events if isinstance(event, wire.CutMade)]
    assert made.left == {"bo": 100, "dev": 60}
    night.events[night.events.index(made)] = msgspec.structs.replace(made, left={})
    assert [problem.split()[0] for problem in told(night)] == ["no_reentry"]


scores = st.integers(min_value=-2_000, max_value=2_000)
starting = st.sampled_from(("nothing", "chips", "score_and_chips", "least_score"))


@pytest.mark.slow
@given(st.tuples(scores, scores, scores, scores), starting, scores, st.sampled_from((HIGH, LOW)), scores)
def test_a_score_after_a_re_entry_is_its_start_and_what_was_played(
    before: tuple[int, int, int, int], begins: str, chips: int, game: Any, played: int
) -> None:
    """For any scores: the parts add up, other players keep theirs, and undoing the re-entry restores what was."""
    given = {"reentry_chips": chips} if begins in ("chips", "score_and_chips") else {}
    first = {"advancing": 2, "per_table": 0, "at_least": 17}
    night = Night(levels(first=first, reentry_begins=begins, **given) | {"tie_breaks": ["lots"]}, game=game)
    night.play(dict(zip(("asha", "bo"), before, strict=False)), dict(zip(("cy", "dev"), before[2:], strict=True)))
    if night.proposal().tasks:
        return
    night.cut()
    if "dev" in night.state.cuts[0].advancing:
        return
    field = night.state.field()
    was = night.results()
    night.then(BACK)
    alone = night.results()
    assert all(alone[player] == was[player] for player in field)
    starts = {"chips": chips, "score_and_chips": before[3] + chips, "least_score": 17}
    mean = sum(night.state.cuts[0].carried.values()) / len(field)
    assert alone["dev"].score == starts.get(begins, max(0, mean) if game.low_is_good else min(0, mean))
    night.play({**dict.fromkeys(field, 0), "dev": played})
    dev = night.results()["dev"]
    assert dev.score == alone["dev"].score + played == sum(part.amount for part in dev.parts)
    assert cut_off_again(night) == was


def cut_off_again(night: Night) -> dict[str, Any]:
    """The stage before it was seated, with the re-entry undone."""
    events = [event for event in night.events if not isinstance(event, wire.RoundSeated) or event.stage == 1]
    night.events = [*events, wire.ReentryUndone(player="dev", stage=2)]
    return night.results()
