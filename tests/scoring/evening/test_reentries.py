"""The start score of a re-entry: given by the plan, noted at the cut, and shown among the parts of the score."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scoring.evening import Evening, dump_evening, fold_evening, load_evening, problems_with, read_plan
from scoring.evening.checks.playable import playable_problems
from scoring.evening.prizes.consequences import cut_changes
from scoring.evening.state.played import PartKind
from scoring.evening.state.reentries import brought_into, too_little
from scoring.evening.state.terms import Terms
from scoring.facts import wire
from scoring.problems import OptionsRejected
from tests.builders.plans import HIGH, LOW, POOL, Night

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


def told(night: Night, fact: Any = BACK) -> list[tuple[str, str | None, str]]:
    """Problems with a fact, by the rules and by the way the game counts."""
    found = problems_with(night.evening, fact)
    if isinstance(fact, wire.PlayerReentered):
        found = found or too_little(night.evening, fact, night.game)
    return [(problem.code, problem.field, problem.text({"dev": "Dev", "asha": "Asha"})) for problem in found]


def refused(raw: dict[str, Any]) -> list[tuple[str | None, str]]:
    with pytest.raises(OptionsRejected) as found:
        read_plan(raw)
    return [(problem.field, problem.text()) for problem in found.value.problems]


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
        assert problem[:2] == ("out_of_range", "reentry_at_least")
        return
    assert told(night) == []
    night.then(BACK)
    if game is POOL:
        assert brought_into(night.evening, 2)["dev"] == example["start"]
        night.play({"asha": average, "cy": average, "dev": example["start"] + 5})
        assert night.results()["dev"].score == example["start"] + 5
    else:
        night.play({"asha": 0, "cy": 0, "dev": 5})
        assert night.results()["dev"].score == example["start"] + 5


@pytest.mark.parametrize("begins", [{}, {"reentry_begins": "chips", "reentry_chips": 5}])
def test_a_least_own_score_is_asked_for_whatever_a_re_entry_starts_with(begins: dict[str, Any]):
    """Planted faults: the start score checked instead; the wrong comparison where fewer points are better."""
    assert told(cut_off(reentry_own_least=60, **begins)) == []
    assert told(cut_off(reentry_own_least=61, **begins)) == [
        ("out_of_range", "reentry_own_least", "Dev was cut with 60: a re-entry takes 61 or more")
    ]
    penalties = cut_off(LOW, (10, 50, 20, 60), reentry_own_least=59, **begins)
    assert told(penalties) == [
        ("out_of_range", "reentry_own_least", "Dev was cut with 60: a re-entry takes 59 or fewer")
    ]


def test_a_least_own_score_needs_scores_that_count_on():
    said = "stage 2: a least score to re-enter needs a re-entry fee and scores that count on, not averages"
    assert refused(levels(reentry_own_least=5, carries="nothing")) == [("stage 2, reentry_own_least", said)]
    assert refused(levels(reentry_own_least=5, reentry_minor=0)) == [("stage 2, reentry_own_least", said)]
    assert refused(levels(reentry_own_least=5, compares="average")) == [("stage 2, reentry_own_least", said)]
    assert "reentry_own_least" not in msgspec.to_builtins(read_plan(levels(reentry_own_least=None)))["stages"][1]


def test_the_own_score_and_what_is_added_are_parts_of_their_own():
    night = cut_off(reentry_begins="score_and_chips", reentry_chips=200).then(BACK)
    dev = night.play({"asha": 1, "cy": 2, "dev": 30}).results()["dev"]
    assert [(part.what, part.amount, str(part.text)) for part in dev.parts] == [
        (PartKind.CARRIED, 60, "Brought from stage 1: 60"),
        (PartKind.REENTRY, 200, "Re-entry: 200 added"),
        (PartKind.TABLE, 30, "Round 2, table 1"),
    ]
    assert dev.score == 290


def test_a_start_is_one_part_and_the_score_of_the_stage_before_is_no_part():
    night = cut_off(reentry_begins="chips", reentry_chips=-200).then(BACK).play({"asha": 1, "cy": 2, "dev": 30})
    parts = [(part.what, str(part.text)) for part in night.results()["dev"].parts]
    assert parts == [(PartKind.REENTRY, "Re-entry: starts with -200"), (PartKind.TABLE, "Round 2, table 1")]


def test_a_start_is_good_also_where_it_is_better_than_the_average():
    night = cut_off(reentry_begins="chips", reentry_chips=1_000).then(BACK)
    assert night.results()["dev"].score == 1_000
    assert list(night.results()) == ["dev", "asha", "cy"]


def test_the_start_goes_on_with_the_player_through_the_next_cut():
    plan = levels(reentry_begins="score_and_chips", reentry_chips=200)
    plan["stages"][1] |= {"advancing": 2}
    plan["stages"].append({"smallest_table": 2, "carries": "score"})
    night = Night(plan, game=HIGH).play({"asha": 300, "bo": 100}, {"cy": 250, "dev": 60}).cut().then(BACK)
    night.play({"asha": 0, "cy": 0, "dev": 30}).cut()
    assert night.evening.cuts[1].carried == {"asha": 300, "dev": 290}
    assert night.evening.cuts[1].left == {"cy": 250}


def test_who_was_cut_two_stages_ago_has_the_score_of_then_as_long_as_every_stage_counts_on():
    plan = levels()
    plan["stages"][1] |= {"advancing": 1}
    start = {"reentry_begins": "score_and_chips", "reentry_chips": 20, "reentry_until_round": 3, "reentry_minor": 5}
    plan["stages"].append({"smallest_table": 2, "carries": "score", **start})
    night = Night(plan, game=HIGH).play({"asha": 300, "bo": 100}, {"cy": 250, "dev": 60}).cut()
    night.play({"asha": 0, "cy": 5}).cut().then(wire.PlayerReentered(player="dev", stage=3))
    assert [str(part.text) for part in night.results()["dev"].parts] == [
        "Brought from stage 1: 60",
        "Re-entry: 20 added",
    ]


def test_a_stage_that_began_again_has_ended_the_score_of_before():
    """Also where the plan says so only after the cut has noted the scores."""
    plan = levels()
    plan["stages"][1] |= {"advancing": 1}
    start = {"reentry_begins": "score_and_chips", "reentry_until_round": 3, "reentry_minor": 5}
    plan["stages"].append({"smallest_table": 2, "carries": "score", **start})
    night = Night(plan, game=HIGH).play({"asha": 300, "bo": 100}, {"cy": 250, "dev": 60}).cut()
    assert night.evening.cuts[0].left == {"bo": 100, "dev": 60}
    plan["stages"][1] |= {"carries": "nothing"}
    night.then(wire.PlanMade(plan=msgspec.to_builtins(read_plan(plan)), reason="anew"))
    night.play({"asha": 0, "cy": 5}).cut()
    assert told(night, wire.PlayerReentered(player="dev", stage=3)) == [
        ("no_reentry", "reentry_begins", "Dev has no score from before stage 3 that a re-entry could start with")
    ]


def test_a_player_who_came_after_the_cut_has_no_score_to_start_with():
    night = cut_off(reentry_begins="score_and_chips")
    night.facts.insert(1, wire.PlayerEntered(player="sam"))
    night.facts.insert(2, wire.MarkedAbsent(player="sam"))
    night.then(wire.PlayerReturned(player="sam"))
    assert [code for code, _, _ in told(night, wire.PlayerReentered(player="sam", stage=2))] == ["no_reentry"]
    fixed = cut_off(reentry_begins="chips", reentry_chips=5)
    fixed.facts[1:1] = night.facts[1:3]
    fixed.then(wire.PlayerReturned(player="sam"))
    assert told(fixed, wire.PlayerReentered(player="sam", stage=2)) == []


def test_a_player_who_went_on_does_not_start_a_second_time():
    night = cut_off(reentry_begins="chips", reentry_chips=900)
    assert told(night, wire.PlayerReentered(player="asha", stage=2)) == [
        ("plays_already", "player", "Asha plays in stage 2 already: only players who were cut re-enter")
    ]


def test_what_a_cut_carried_stands_over_a_start_that_came_later_into_the_plan():
    night = cut_off().then(wire.PlayerReentered(player="asha", stage=2))
    later = msgspec.to_builtins(read_plan(levels(reentry_begins="chips", reentry_chips=900)))
    night.then(wire.PlanMade(plan=later, reason="chips"))
    assert night.results()["asha"].score == 300
    assert brought_into(night.evening, 2) == {"asha": 300, "cy": 250}


def test_too_low_a_start_is_refused_with_the_name_the_field_and_both_numbers():
    night = cut_off(reentry_begins="score_and_chips", reentry_chips=20, reentry_at_least=100)
    assert told(night) == [
        ("out_of_range", "reentry_at_least", "Dev would start with 80, and a re-entry needs 100 or more")
    ]
    assert told(night, wire.PlayerReentered(player="bo", stage=2)) == []


def test_where_fewer_points_are_better_a_start_may_not_be_over_the_score():
    scores = (10, 50, 20, 90)
    night = cut_off(LOW, scores, reentry_begins="score_and_chips", reentry_chips=-10, reentry_at_least=79)
    assert [text for _, _, text in told(night)] == ["Dev would start with 80, and a re-entry needs 79 or fewer"]
    points = {"compares": "rank_points"}
    night = cut_off(LOW, scores, first=points, **points, reentry_begins="score_and_chips", reentry_at_least=6)
    assert [text for _, _, text in told(night)] == ["Dev would start with 5, and a re-entry needs 6 or more"]


def test_a_substitute_of_who_was_cut_starts_with_the_score_of_the_seat_where_seats_are_played_on():
    start: dict[str, Any] = {"reentry_begins": "score_and_chips", "reentry_chips": 7}
    taken = wire.PlayerSubstituted(player="dev", by="sam", reason="had to go")
    again = wire.PlayerReentered(player="sam", stage=2)
    night = cut_off(**start).then(taken)
    assert told(night, again) == []
    assert night.then(again).results()["sam"].score == 67
    plan = levels(**start) | {"substitute": "person"}
    night = Night(plan, game=HIGH).play({"asha": 300, "bo": 100}, {"cy": 250, "dev": 60}).cut().then(taken)
    assert [code for code, _, _ in told(night, again)] == ["no_reentry"]


def test_a_start_follows_a_cut_that_is_made_again():
    night = cut_off(reentry_begins="score_and_chips", reentry_chips=5).then(BACK)
    dev = next(seat for seat in night.played if seat.player == "dev")
    corrected = [with_score(seat, 90) if seat is dev else seat for seat in night.played]
    (change,) = cut_changes(night.evening, night.played, corrected, lambda _: night.game)
    assert change.carried == {"dev": (60, 90)}
    assert (change.no_longer, change.instead) == ((), ())
    night.played = corrected
    night.stage = 1
    night.then(wire.CutWithdrawn(stage=1, reason="a sheet was read again")).cut()
    assert night.results()["dev"].score == 95


def test_who_has_not_re_entered_moves_nothing_that_a_correction_is_told_of():
    night = cut_off(reentry_begins="score_and_chips", reentry_chips=5)
    corrected = [with_score(seat, 90) if seat.player == "dev" else seat for seat in night.played]
    assert cut_changes(night.evening, night.played, corrected, lambda _: night.game) == ()


def with_score(seat: Any, score: int) -> Any:
    """The same seat with another score."""
    return replace(seat, score=score, rank_key=(-score,))


def test_a_re_entry_in_the_middle_of_a_stage_misses_its_rounds_like_a_late_entry():
    night = cut_off(reentry_begins="chips", reentry_chips=500, rounds=2, reentry_until_round=3)
    night.play({"asha": -30, "cy": -10}).then(BACK)
    parts = [(part.what, part.amount) for part in night.play({"asha": 0, "cy": 0, "dev": 9}).results()["dev"].parts]
    assert parts == [(PartKind.REENTRY, 500), (PartKind.TABLE, 9), (PartKind.LATE, -20)]


CONTRADICTIONS: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    (
        levels(reentry_begins="chips", reentry_minor=0),
        [("stage 2, reentry_begins", "stage 2 has no re-entry: enter its fee first")],
    ),
    (
        levels(reentry_begins="least_score", carries="nothing", first={"at_least": 5}),
        [
            (
                "stage 2, reentry_begins",
                "stage 2 does not carry over scores: a re-entry starts with 0, like everybody",
            )
        ],
    ),
    (
        levels(reentry_begins="chips", first={"compares": "average"}),
        [
            (
                "stage 2, reentry_begins",
                "stage 2 compares averages per deal: a re-entry cannot start with points or chips",
            )
        ],
    ),
    (
        levels(reentry_begins="least_score"),
        [("stage 2, reentry_begins", "stage 2: the previous stage requires no score that a re-entry could start with")],
    ),
    (
        levels(reentry_chips=200, reentry_at_least=-5),
        [
            ("stage 2, reentry_chips", "stage 2: 200 is given, but a re-entry does not start with points or chips"),
            ("stage 2, reentry_at_least", "stage 2: -5 is required, but every re-entry starts with the same"),
        ],
    ),
    (
        {"stages": [{**FEE, "reentry_begins": "chips", "reentry_chips": 5}]},
        [
            (
                "stage 1, reentry_begins",
                "stage 1 does not carry over scores: a re-entry starts with 0, like everybody",
            )
        ],
    ),
]


@pytest.mark.parametrize(("raw", "expected"), CONTRADICTIONS)
def test_a_start_that_re_entries_cannot_have_is_refused_at_its_field(raw: dict[str, Any], expected: list[Any]) -> None:
    assert refused(raw) == expected


@pytest.mark.parametrize("field", ["reentry_chips", "reentry_at_least"])
@pytest.mark.parametrize("number", [-MOST - 1, MOST + 1, 2**63])
def test_a_number_beyond_the_bounds_is_refused_with_them(field: str, number: int) -> None:
    ((where, detail),) = refused(levels(reentry_begins="score_and_chips", **dict[str, Any]({field: number})))
    assert where == f"stage 2, {field}"
    assert detail.endswith(f"a whole number from {-MOST} to {MOST}")


def in_pool(raw: dict[str, Any]) -> list[tuple[str | None, str]]:
    terms = Terms(variant="pool", options={"limit": 101}, stakes={"point_value_minor": 100})
    return [(problem.field, problem.text()) for problem in playable_problems(read_plan(raw), terms)]


def test_a_start_over_the_limit_of_a_pool_is_refused_with_the_plan():
    chips: dict[str, Any] = {"reentry_begins": "chips"}
    assert in_pool(levels(**chips, reentry_chips=100)) == []
    assert in_pool(levels(**chips, reentry_chips=101)) == [
        ("stage 2, reentry_chips", "stage 2: a re-entry that starts with 101 is out at 101")
    ]
    asked = {"at_least": 120, "length": "minutes"}
    assert in_pool(levels(first=asked, reentry_begins="least_score")) == [
        ("stage 2, reentry_begins", "stage 2: a re-entry that starts with 120 is out at 101")
    ]
    own: dict[str, Any] = {"reentry_begins": "score_and_chips", "reentry_chips": -20}
    assert in_pool(levels(**own, reentry_at_least=90)) == []
    assert in_pool(levels(**own)) == [
        (
            "stage 2, reentry_at_least",
            "stage 2: a re-entry with its own score may be out at 101: enter the score that it needs",
        )
    ]


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
    evening = fold_evening(Evening(), [(1, wire.PlanMade(plan=levels(**silence)))])
    assert "reentry_begins" not in dump_evening(evening)
    assert load_evening(dump_evening(evening)) == evening


def test_a_stage_that_was_played_may_come_back_from_a_form_that_spells_silence_out():
    night = Night({"stages": [{"smallest_table": 2, "per_table": 1}, {"smallest_table": 2, "carries": "score"}]})
    night.play({"asha": 1, "bo": 2}, {"cy": 1, "dev": 2}).cut()
    spelt = {"reentry_begins": "nothing", "reentry_chips": 0, "reentry_at_least": None}
    stages = [{**stage, **spelt} for stage in night.plan["stages"]]
    assert told(night, wire.PlanMade(plan={"stages": stages}, reason="the same again")) == []


def test_a_cut_of_an_earlier_release_says_nothing_of_what_was_left():
    night = cut_off(reentry_begins="score_and_chips")
    (made,) = [fact for fact in night.facts if isinstance(fact, wire.CutMade)]
    assert made.left == {"bo": 100, "dev": 60}
    night.facts[night.facts.index(made)] = msgspec.structs.replace(made, left={})
    assert [code for code, _, _ in told(night)] == ["no_reentry"]


scores = st.integers(min_value=-2_000, max_value=2_000)
starting = st.sampled_from(("nothing", "chips", "score_and_chips", "least_score"))


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
    if "dev" in night.evening.cuts[0].advancing:
        return
    field = night.evening.field()
    was = night.results()
    night.then(BACK)
    alone = night.results()
    assert all(alone[player] == was[player] for player in field)
    starts = {"chips": chips, "score_and_chips": before[3] + chips, "least_score": 17}
    mean = sum(night.evening.cuts[0].carried.values()) / len(field)
    assert alone["dev"].score == starts.get(begins, max(0, mean) if game.low_is_good else min(0, mean))
    night.play({**dict.fromkeys(field, 0), "dev": played})
    dev = night.results()["dev"]
    assert dev.score == alone["dev"].score + played == sum(part.amount for part in dev.parts)
    assert cut_off_again(night) == was


def cut_off_again(night: Night) -> dict[str, Any]:
    """The stage before it was seated, with the re-entry undone."""
    facts = [fact for fact in night.facts if not isinstance(fact, wire.RoundSeated) or fact.stage == 1]
    night.facts = [*facts, wire.ReentryUndone(player="dev", stage=2)]
    return night.results()
