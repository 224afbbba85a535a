"""The exact message of each refusal, and the bounds at which it begins."""

from typing import Annotated, Any, Literal

import pytest
from msgspec import UNSET, Meta, UnsetType

from scoring.events import wire
from scoring.events.cash import TillDifferenceBooked
from scoring.events.reading import read_cash_event, read_tournament_event
from scoring.events.table import PenaltyGiven
from scoring.events.tournament import TOURNAMENT_EVENTS
from scoring.events.wire import EVENTS
from scoring.messages import Message, Seat, say
from scoring.options import Options, describe_options, read_options
from scoring.problems import EventRejected, OptionsRejected, Problem, RuleError, StaleTable, shown
from scoring.rules.arrangements import GroupKind, HandOptions
from scoring.rules.cards import parse_cards, parse_wild
from scoring.rules.hands import LaidDown, Ruling, declared_count, hand_problems, hands_beyond_packs, judge_show
from scoring.rules.variants.indian import MOST_ENTRIES, read_sheet
from scoring.rules.variants.indian.outcomes import (
    DealEnd,
    DealOptions,
    DealSheet,
    Outcome,
    OutcomeKind,
    endings_for,
    hand_points,
)
from scoring.rules.variants.western.gin.deadwood import gin_deadwood
from tests.builders.rules import deal, deals, first_drop, pool, show, tiebreak
from tests.builders.wording import picture, refusal, refusals, written

RUN, OTHER, THREES = "5S 6S 7S", "9H TH JH", "3S 3H 3D"


def cards(written):
    return parse_cards(written, "cards")


def told(problems):
    return [refusal(problem) for problem in problems]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("abc", "'abc'"),
        (b"abc", "b'abc'"),
        ("x" * 58, "'" + "x" * 58 + "'"),
        ("x" * 59, "'" + "x" * 59 + "…"),
        ("x" * 10**7, "'" + "x" * 59 + "…"),
        (2**240 - 1, str(2**240 - 1)[:60] + "…"),
        (2**240, "a number with far too many digits"),
        (-(2**240), "a number with far too many digits"),
        (10**59, str(10**59)),
        ({}, "an object"),
        ([1], "a list"),
        ((), "a list"),
        (None, "None"),
        (1.5, "1.5"),
    ],
)
def test_a_value_from_outside_is_repeated_within_a_line(value, words):
    assert str(shown(value)) == words


def test_a_problem_names_the_player_and_its_place_in_the_list():
    problem = Problem(code="late", seat="2", field="how", detail=say("{seat} is late", seat=Seat("2")))
    assert problem.at_event(3).as_json({"2": "Bo"}) == {
        "code": "late",
        "seat": "2",
        "field": "how",
        "event": 3,
        "detail": "Bo is late",
    }
    assert problem.text() == "2 is late"
    assert Problem(code="late", detail=Message("{seat}")).text({"2": "Bo"}) == "{seat}"


def test_a_refusal_reads_as_all_its_problems():
    problems = [
        Problem(code="a", detail=say("first")),
        Problem(code="b", seat="2", detail=say("{seat} second", seat=Seat("2"))),
    ]
    assert str(RuleError(problems)) == "first; 2 second"
    refused = EventRejected(problems, readable="half")
    assert (str(refused), refused.readable) == ("first; 2 second", "half")
    assert str(StaleTable(expected=3, current=5)) == "expected version 3, but the table stands at version 5"


HANDS: list[tuple[str, dict[str, Any]]] = [
    ("7H", {}),
    ("7H 8H", {}),
    ("", {}),
    ("PJ AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", {"printed_jokers": 0}),
    ("PJ PJ 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", {"packs": 1, "printed_jokers": 1}),
    ("PJ PJ PJ AS AS AS AH AH AH 2S 2S 2S 5H", {"packs": 3, "printed_jokers": 1}),
]


def test_cards_that_cannot_be_held_are_reported_with_their_numbers(snapshot):
    """In a hand, in gin, and of all seats together: of the last seat that holds a card which no pack has left."""
    with pytest.raises(RuleError) as refused:
        gin_deadwood(cards("PJ 5S 5S"))
    answers = {
        f"{hand}; {written(options)}": told(hand_problems(cards(hand), HandOptions(**options), field="cards"))
        for hand, options in HANDS
    }
    together = {"asha": "7H 8H", "bo": "7H 9H", "cy": "7H", "dev": "9S"}
    answers |= {
        "PJ 5S 5S in gin": told(refused.value.problems),
        f"{written(together)} of one pack": told(hands_beyond_packs(together, packs=1, jokers=2)),
    }
    assert picture(answers) == snapshot


def laid(*groups, loose="", hand=None):
    return LaidDown(tuple(cards(group) for group in groups), cards(loose), hand and cards(hand))


TWELVE = f"{RUN} {OTHER} {THREES} KS KH KD"
THIRTEEN = f"{TWELVE} KC"


SHOWS: list[tuple[tuple[str, ...], dict[str, str], dict[str, Any]]] = [
    ((RUN, OTHER, THREES, "KS KH KD KC"), {"hand": TWELVE}, {}),
    ((RUN, OTHER, THREES, "KS KC KC KD"), {"hand": f"{TWELVE} KC"}, {}),
    ((RUN, OTHER, THREES, "QS KS AS"), {"loose": "2D"}, {"ace": "low"}),
    ((RUN, OTHER, THREES, "QS KS AS 2S"), {}, {}),
    ((RUN, OTHER, THREES, "KS KH KD KC", ""), {}, {"ace": "low"}),
    ((RUN, "9H 9S 9D", THREES, "KS KH KD KC"), {}, {}),
    (("5S 5H 5D", "9H 9S 9D", THREES, "KS KH KD KC"), {}, {}),
    ((RUN, OTHER, "9D 9C 9H 9S 9D", "KS"), {}, {"max_set_size": 5}),
    ((RUN, OTHER, "9D 9C 9H 9S PJ PJ", ""), {}, {"max_set_size": 5}),
]


def test_a_wrong_show_is_reported_group_by_group(snapshot):
    answers = (
        (
            f"{' | '.join(groups)}; {written({**more, **options})}",
            told(judge_show(laid(*groups, **more), wild=None, options=HandOptions(**options)).problems),
        )
        for groups, more, options in SHOWS
    )
    assert picture(answers) == snapshot


def test_a_loser_who_laid_down_the_own_cards_is_spared_them_and_no_others():
    hand = f"{RUN} {OTHER} {THREES} KS QD JC 8C"
    options = HandOptions()
    held = laid(RUN, OTHER, THREES, loose="KS QD JC 8C", hand=hand)
    assert judge_show(held, wild=None, options=options).count_if_loser == 38
    # The same run cannot protect twice a card that is held once.
    twice = laid(RUN, RUN, OTHER, THREES, loose="KS", hand=hand)
    assert judge_show(twice, wild=None, options=options).count_if_loser == 38
    assert judge_show(laid(RUN, OTHER, THREES, "KS KH KD KC", hand=THIRTEEN), wild=None, options=options) == Ruling(
        kinds=(GroupKind.PURE_SEQUENCE, GroupKind.PURE_SEQUENCE, GroupKind.SET, GroupKind.SET),
        count_if_loser=0,
        problems=(),
    )
    other = laid(RUN, "9C TC JC", THREES, loose="KS QD JC 8C", hand=hand)
    assert judge_show(other, wild=None, options=options).count_if_loser == 80


def test_a_lone_pure_sequence_protects_itself_and_no_set_beside_it():
    groups = [cards(RUN), cards(THREES)]
    options = HandOptions(pure_alone_protects=True, cap=None)
    assert declared_count(groups, cards("KS QD"), wild=None, options=options) == 9 + 20
    assert declared_count(groups, cards("KS QD PJ"), wild=parse_wild("3"), options=options) == 20


SEATS = ("asha", "bo")
WINS_AND_DROPS = {"asha": {"how": "show"}, "bo": {"how": "first_drop"}}


SHEETS: list[dict[str, Any]] = [
    {},
    {"outcomes": {}},
    {"outcomes": [1]},
    {"outcomes": {str(number): {} for number in range(21)}},
    {"outcomes": WINS_AND_DROPS, "ended": "rained_off", "dealer": "cy", "wild": "1", "colour": 1},
    {"outcomes": WINS_AND_DROPS, "ended": ["x"], "dealer": 3},
    {"outcomes": {**WINS_AND_DROPS, "bo": {"how": "loss", "colour": 1, "count": 1_000_001}}},
    {"outcomes": {**WINS_AND_DROPS, "bo": {"how": "loss", "groups": "7H 8H"}}},
    {"outcomes": {**WINS_AND_DROPS, "bo": {"how": "loss", "groups": ["7H"] * 21}}},
]


def test_a_sheet_that_cannot_be_read_is_reported_seat_by_seat_and_field_by_field(snapshot):
    assert picture((written(raw), told(read_sheet(raw, SEATS)[1])) for raw in SHEETS) == snapshot


def test_as_many_outcomes_as_a_deal_can_have_are_read_seat_by_seat():
    sheet, problems = read_sheet({"outcomes": {str(number): {} for number in range(MOST_ENTRIES)}}, SEATS)
    assert (sheet, [problem.code for problem in problems]) == (None, ["unknown_seat"] * MOST_ENTRIES)


def test_a_sheet_with_some_wrong_fields_is_read_as_far_as_it_goes():
    sheet, problems = read_sheet({"outcomes": WINS_AND_DROPS, "ended": "x", "dealer": "cy", "wild": "z"}, SEATS)
    assert len(problems) == 3
    assert sheet == DealSheet(
        outcomes={"asha": Outcome(how=OutcomeKind.SHOW), "bo": Outcome(how=OutcomeKind.FIRST_DROP)}
    )
    assert read_sheet({"outcomes": {"zoe": {"how": "show"}}}, SEATS)[0] is None


@pytest.mark.parametrize(("wild", "kept"), [("10", "T"), ("t", "T"), ("10♥", "TH"), ("jk", "PJ"), (" a ", "A")])
def test_a_sheet_is_read_whole_in_the_words_that_are_kept(wild, kept):
    raw = {
        "outcomes": {
            "asha": {"how": "show"},
            "bo": {"how": "loss", "groups": ["7h"] * MOST_ENTRIES, "loose": "10♠", "count": 1_000_000},
        },
        "wild": wild,
        "dealer": "bo",
        "ended": "count_now",
    }
    sheet, problems = read_sheet(raw, SEATS)
    assert problems == []
    assert sheet is not None
    assert (sheet.wild, sheet.dealer, sheet.ended) == (kept, "bo", DealEnd.COUNT_NOW)
    outcome = sheet.outcomes["bo"]
    assert (outcome.groups, outcome.loose, outcome.count) == (("7H",) * MOST_ENTRIES, "TS", 1_000_000)


def test_a_sheet_says_of_each_seat_what_is_written():
    sheet = DealSheet(
        outcomes={
            "asha": Outcome(how=OutcomeKind.SHOW),
            "bo": Outcome(how=OutcomeKind.LOSS, groups=("7H 8H",), loose="2S"),
            "cy": Outcome(how=OutcomeKind.LOSS, count=12),
        },
        ended=DealEnd.VOID_OTHERS,
        wild="5",
    )
    marks = sheet.marks()
    assert {seat: mark.is_win for seat, mark in marks.items()} == {"asha": True, "bo": False, "cy": False}
    assert [(mark.text, mark.groups, mark.loose) for mark in marks.values()] == [
        ("Show", (), ""),
        ("Loss 7H 8H | loose 2S", ("7H 8H",), "2S"),
        ("Loss 12", (), ""),
    ]
    assert marks["cy"].cards == ""
    assert list(map(str, sheet.remarks())) == ["stopped by a wrong show", "wild joker 5"]
    assert DealSheet(outcomes={}).remarks() == ()
    assert DealSheet(outcomes={}, wild="PJ").remarks() == (say("wild joker {card}", card="PJ"),)
    assert DealSheet(outcomes={}, ended=DealEnd.COUNT_NOW).remarks() == (say("stock ran out, hands counted"),)
    assert sheet.keeps_dealer is False


def test_a_table_offers_the_endings_that_its_house_plays_and_an_unwritten_hand_costs_nothing():
    for options, endings in (
        ({"stock_exhausted": "void"}, ["played_out"]),
        ({"stock_exhausted": "count_now"}, ["played_out", "count_now"]),
        ({"wrong_show_continues": False}, ["played_out", "void_others"]),
        ({"stock_exhausted": "count_now", "wrong_show_continues": False}, ["played_out", "count_now", "void_others"]),
    ):
        assert list(endings_for(DealOptions(**dict[str, Any](options)))) == endings
    assert hand_points(Outcome(how=OutcomeKind.LOSS), DealOptions(), None) == 0


REFUSED_EVENTS: list[dict[str, Any]] = [
    {"kind": "penalty_given", "seat": "asha", "points": -1, "reason": "late"},
    {"kind": "penalty_given", "seat": 3, "points": True, "reason": 7},
    {"kind": "penalty_given", "seat": "asha", "points": "9", "reason": " "},
    {"kind": "penalty_given", "points": 9, "colour": 1},
    {"kind": "penalty_given", "seat": "zoe", "points": 9, "reason": "late"},
    {"kind": "penalty_given", "seat": "asha", "points": 9, "reason": ""},
]


def test_an_event_that_cannot_be_read_or_has_no_place_is_reported_field_by_field(snapshot):
    answers = {written(raw): refusals(pool(seats=2), raw) for raw in REFUSED_EVENTS}
    long = {"kind": "penalty_given", "seat": "asha", "points": 9, "reason": "x" * 500}
    event, problems = pool(seats=2).considered(long)
    assert isinstance(event, PenaltyGiven)
    assert (problems, len(event.reason)) == ([], 500)
    late = deal(1, show("asha"), first_drop("bo"), reason="late")
    answers |= {
        "a reason of 501 letters": refusals(pool(seats=2), long | {"reason": "x" * 501}),
        "a reason of a deal that is not corrected": refusals(pool(seats=2), late),
        "one of two plays": refusals(pool(seats=2), deal(1, show("asha"), ("bo", {"how": "not_in_deal"}))),
    }
    assert picture(answers) == snapshot


def test_a_tie_break_that_names_no_deal_is_the_first():
    event, _ = deals().considered(tiebreak(show("asha"), first_drop("bo")))
    assert isinstance(event, wire.TiebreakRecorded)
    assert event.deal == 1


def test_an_event_of_no_table_is_told_which_there_are():
    _, problems = pool(seats=2).considered({"kind": "tilted"})
    assert [(problem.code, problem.field) for problem in problems] == [("unknown_kind", "kind")]
    known = problems[0].text().removeprefix("there is no event 'tilted'; use one of ").split(", ")
    assert {"deal_recorded", "rejoined", "table_closed"} <= set(known)
    for kind in set(EVENTS) - set(known):
        assert pool(seats=2).considered({"kind": kind})[1][0].code == "unknown_kind"
    for kind in known:
        assert "unknown_kind" not in [problem.code for problem in pool(seats=2).considered({"kind": kind})[1]]


def test_an_event_of_a_tournament_or_a_till_is_read_as_what_was_told():
    undone = read_tournament_event({"kind": "last_call_undone", "round": 2, "reason": "the bell was late"})
    assert isinstance(undone, wire.LastCallUndone)
    assert (undone.kind, undone.round, undone.reason) == ("last_call_undone", 2, "the bell was late")
    booked = read_cash_event({"kind": "till_difference_booked", "till": "user:1", "amount_minor": -680, "reason": "?"})
    assert isinstance(booked, TillDifferenceBooked)
    assert (booked.kind, booked.amount_minor, booked.reason) == ("till_difference_booked", -680, "?")


@pytest.mark.parametrize("raw", [None, [], "x", {}, {"kind": 3}, {"kind": []}, {"kind": "deal_recorded"}])
def test_what_is_no_event_of_a_tournament_is_refused_with_those_there_are(raw):
    with pytest.raises(EventRejected) as refused:
        read_tournament_event(raw)
    (problem,) = refused.value.problems
    assert (problem.code, problem.field) == ("unknown_kind", "kind")
    ends: tuple[type[wire.Event], ...] = (wire.TournamentClosed, wire.TournamentCancelled, wire.TournamentReopened)
    kinds = [event.kind for event in (*TOURNAMENT_EVENTS, *ends)]
    assert problem.text().endswith(f"; use one of {', '.join(kinds)}")


class House(Options, frozen=True, kw_only=True):
    """One option of every type."""

    plain: int = 3
    name: Annotated[str, Meta(max_length=3, description="A name")] = ""
    limit: Annotated[int, Meta(ge=1, le=9, description="The limit")] = 5
    is_on: Annotated[bool, Meta(description="Whether")] = False
    rule: Annotated[Literal["one", "two"], Meta(description="Which", extra={"plays_only": True})] = "one"
    cap: Annotated[Annotated[int, Meta(ge=2, le=4)] | None, Meta(description="The most")] = None
    places: Annotated[tuple[int, ...], Meta(description="By place")] = ()
    named: Annotated[dict[str, int], Meta(description="By name")] = {}
    first: Annotated[Annotated[int, Meta(ge=0, le=9)] | UnsetType, Meta(description="At first", extra={"unset": 4})] = (
        UNSET
    )
    later: Annotated[int | UnsetType | None, Meta(description="Later")] = UNSET
    bare: int | UnsetType = UNSET


class Larger(House, frozen=True, kw_only=True):
    """A form with an option of its own, and one that it changes."""

    own: Annotated[bool, Meta(description="Its own")] = True
    limit: Annotated[int, Meta(ge=1, le=20, description="The limit")] = 12


def test_options_are_described_with_their_type_bounds_and_help(snapshot):
    assert describe_options(House, {"limit": 7}) == snapshot


def test_a_forms_own_options_come_before_those_it_shares_and_each_once():
    names = [option["name"] for option in describe_options(Larger)]
    assert names[:5] == ["own", "limit", "plain", "name", "is_on"]
    assert len(names) == len(set(names)) == len(House.__struct_fields__) + 1


GIVEN: list[dict[str, Any]] = [
    {"limit": 10},
    {"limit": True},
    {"rule": "six"},
    {"rule": 6},
    {"is_on": 1},
    {"name": "four"},
    {"cap": 5},
    {"limits": 5},
]


def test_an_option_that_cannot_be_is_told_what_could_be(snapshot):
    def answer(given):
        with pytest.raises(OptionsRejected) as refused:
            read_options(House, given)
        return told(refused.value.problems)

    assert picture((written(given), answer(given)) for given in GIVEN) == snapshot


def test_a_default_of_the_form_that_cannot_be_is_refused_too():
    with pytest.raises(OptionsRejected):
        read_options(House, {}, {"limit": 40})
    assert read_options(House, {"limit": 2}, {"limit": 40, "plain": 8}) == House(limit=2, plain=8)


def test_of_many_unknown_options_the_first_twenty_are_told():
    with pytest.raises(OptionsRejected) as refused:
        read_options(House, {f"o{number}": 1 for number in range(30)} | {"limit": 0})
    assert [problem.field for problem in refused.value.problems] == [*(f"o{n}" for n in range(20)), "limit"]
