"""The exact message of each refusal, and the bounds at which it begins."""

from typing import Annotated, Literal

import pytest
from msgspec import UNSET, Meta, UnsetType

from scoring.facts import wire
from scoring.facts.cash import TillDifferenceBooked
from scoring.facts.evening import EVENING_FACTS
from scoring.facts.reading import read_cash_fact, read_tournament_fact
from scoring.facts.table import PenaltyGiven
from scoring.facts.wire import FACTS
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
    deal_result,
    endings_for,
    hand_points,
)
from scoring.rules.variants.western.gin.deadwood import gin_deadwood
from tests.builders.rules import deal, deals, first_drop, pool, show, tiebreak

RUN, OTHER, THREES = "5S 6S 7S", "9H TH JH", "3S 3H 3D"


def cards(written):
    return parse_cards(written, "cards")


def told(problems):
    return [(problem.code, problem.seat, problem.field, problem.text()) for problem in problems]


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


@pytest.mark.parametrize(
    ("hand", "options", "details"),
    [
        ("7H", {}, ["1 card, but a hand has 13"]),
        ("7H 8H", {}, ["2 cards, but a hand has 13"]),
        ("", {}, ["0 cards, but a hand has 13"]),
        (
            "PJ AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS",
            {"printed_jokers": 0},
            ["PJ is there 1 time, but the packs hold 0"],
        ),
        (
            "PJ PJ 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS",
            {"packs": 1, "printed_jokers": 1},
            ["PJ is there 2 times, but the packs hold 1"],
        ),
        ("PJ PJ PJ AS AS AS AH AH AH 2S 2S 2S 5H", {"packs": 3, "printed_jokers": 1}, []),
    ],
)
def test_a_hand_that_cannot_be_is_reported_with_its_numbers(hand, options, details):
    problems = hand_problems(cards(hand), HandOptions(**options), field="cards")
    assert [problem.text() for problem in problems] == details


def test_a_joker_in_gin_and_a_card_held_twice_are_told_apart():
    with pytest.raises(RuleError) as refused:
        gin_deadwood(cards("PJ 5S 5S"))
    assert [problem.text() for problem in refused.value.problems] == [
        "PJ cannot be there: gin is played with one pack and no jokers",
        "5S is there more than once, but gin is played with one pack",
    ]


def test_a_card_that_no_pack_holds_is_told_of_the_last_seat_that_holds_it():
    found = hands_beyond_packs({"asha": "7H 8H", "bo": "7H 9H", "cy": "7H", "dev": "9S"}, packs=1, jokers=2)
    assert told(found) == [
        (
            "impossible_card_count",
            "cy",
            "hands",
            "cy holds 7H: the hands show it 3 times, and the packs hold 1",
        )
    ]


def laid(*groups, loose="", hand=None):
    return LaidDown(tuple(cards(group) for group in groups), cards(loose), hand and cards(hand))


TWELVE = f"{RUN} {OTHER} {THREES} KS KH KD"
THIRTEEN = f"{TWELVE} KC"


@pytest.mark.parametrize(
    ("shown_cards", "options", "found"),
    [
        (
            laid(RUN, OTHER, THREES, "KS KH KD KC", hand=TWELVE),
            {},
            [
                ("not_13_cards", "hand", "12 cards, but a hand has 13"),
                ("card_not_in_hand", "groups", "KC is laid 1 time, but the hand holds 0"),
            ],
        ),
        (
            laid(RUN, OTHER, THREES, "KS KC KC KD", hand=f"{TWELVE} KC"),
            {},
            [
                ("card_not_in_hand", "groups", "KC is laid 2 times, but the hand holds 1"),
                ("duplicate_suit_in_set", "groups[3]", "KS KC KC KD: a set may not hold two cards of one suit"),
            ],
        ),
        (
            laid(RUN, OTHER, THREES, "QS KS AS", loose="2D"),
            {"ace": "low"},
            [
                ("wraparound_ace", "groups[3]", "QS KS AS: the ace lies below the two only"),
                ("loose_cards", "loose", "2D in no group: a show uses all 13 cards"),
            ],
        ),
        (
            laid(RUN, OTHER, THREES, "QS KS AS 2S"),
            {},
            [
                (
                    "wraparound_ace",
                    "groups[3]",
                    "QS KS AS 2S: a sequence does not go round from the king over the ace to the two",
                )
            ],
        ),
        (
            laid(RUN, OTHER, THREES, "KS KH KD KC", ""),
            {"ace": "low"},
            [("group_too_small", "groups[4]", "an empty group: a group needs at least three cards")],
        ),
        (
            laid(RUN, "9H 9S 9D", THREES, "KS KH KD KC"),
            {},
            [("only_one_sequence", "groups", "one sequence; a show needs two, one of them pure")],
        ),
        (
            laid("5S 5H 5D", "9H 9S 9D", THREES, "KS KH KD KC"),
            {},
            [
                ("no_pure_sequence", "groups", "no sequence is without jokers; a show needs a pure one"),
                ("only_one_sequence", "groups", "no sequence; a show needs two, one of them pure"),
            ],
        ),
        (
            laid(RUN, OTHER, "9D 9C 9H 9S 9D", "KS"),
            {"max_set_size": 5},
            [
                ("not_13_cards", "groups", "12 cards, but a hand has 13"),
                ("duplicate_suit_in_set", "groups[2]", "9D 9C 9H 9S 9D: a set may not hold two cards of one suit"),
                ("group_too_small", "groups[3]", "KS: a group needs at least three cards"),
            ],
        ),
        (
            laid(RUN, OTHER, "9D 9C 9H 9S PJ PJ", ""),
            {"max_set_size": 5},
            [
                ("not_13_cards", "groups", "12 cards, but a hand has 13"),
                (
                    "set_too_large",
                    "groups[2]",
                    "9D 9C 9H 9S PJ PJ: a set may have no more than 5 cards, jokers included",
                ),
                ("group_too_small", "groups[3]", "an empty group: a group needs at least three cards"),
            ],
        ),
    ],
)
def test_a_wrong_show_is_reported_group_by_group(shown_cards, options, found):
    problems = judge_show(shown_cards, wild=None, options=HandOptions(**options)).problems
    assert [(problem.code, problem.field, problem.text()) for problem in problems] == found


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


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ({}, [("missing_field", None, "outcomes", "a deal needs outcomes: one entry for each seat")]),
        ({"outcomes": {}}, [("missing_field", None, "outcomes", "a deal needs outcomes: one entry for each seat")]),
        ({"outcomes": [1]}, [("missing_field", None, "outcomes", "a deal needs outcomes: one entry for each seat")]),
        (
            {"outcomes": {str(number): {} for number in range(21)}},
            [("too_many_outcomes", None, "outcomes", "a deal has one outcome for each seat, not 21")],
        ),
        (
            {"outcomes": WINS_AND_DROPS, "ended": "rained_off", "dealer": "cy", "wild": "1", "colour": 1},
            [
                ("unknown_field", None, "colour", "a deal has no field 'colour'"),
                (
                    "not_a_choice",
                    None,
                    "ended",
                    "a deal cannot have ended as 'rained_off'; use one of played_out, count_now, void_others",
                ),
                (
                    "impossible_wild",
                    None,
                    "wild",
                    "wild must be a rank (A 2 3 4 5 6 7 8 9 T J Q K), a card or PJ, not '1'",
                ),
                (
                    "unknown_seat",
                    "cy",
                    "dealer",
                    "there is no seat 'cy' at this table; the seats are asha, bo",
                ),
            ],
        ),
        (
            {"outcomes": WINS_AND_DROPS, "ended": ["x"], "dealer": 3},
            [
                (
                    "not_a_choice",
                    None,
                    "ended",
                    "a deal cannot have ended as a list; use one of played_out, count_now, void_others",
                ),
                ("unknown_seat", "3", "dealer", "there is no seat 3 at this table; the seats are asha, bo"),
            ],
        ),
        (
            {"outcomes": {**WINS_AND_DROPS, "bo": {"how": "loss", "colour": 1, "count": 1_000_001}}},
            [
                ("unknown_field", "bo", "colour", "an outcome has no field 'colour'"),
                ("wrong_type", "bo", "count", "bo: count cannot be 1000001 (no hand counts as much)"),
            ],
        ),
        (
            {"outcomes": {**WINS_AND_DROPS, "bo": {"how": "loss", "groups": "7H 8H"}}},
            [("wrong_type", "bo", "groups", "bo: groups cannot be '7H 8H' (a list of up to 20 groups is needed)")],
        ),
        (
            {"outcomes": {**WINS_AND_DROPS, "bo": {"how": "loss", "groups": ["7H"] * 21}}},
            [("wrong_type", "bo", "groups", "bo: groups cannot be a list (a list of up to 20 groups is needed)")],
        ),
    ],
)
def test_a_sheet_that_cannot_be_read_is_reported_seat_by_seat_and_field_by_field(raw, found):
    _, problems = read_sheet(raw, SEATS)
    assert told(problems) == found


def test_as_many_outcomes_as_a_deal_can_have_are_read_seat_by_seat():
    _, problems = read_sheet({"outcomes": {str(number): {} for number in range(MOST_ENTRIES)}}, SEATS)
    assert {problem.code for problem in problems} == {"unknown_seat"}
    assert len(problems) == MOST_ENTRIES


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


@pytest.mark.parametrize(
    ("options", "endings"),
    [
        ({}, ["played_out"]),
        ({"stock_exhausted": "count_now"}, ["played_out", "count_now"]),
        ({"stock_exhausted": "void"}, ["played_out"]),
        ({"wrong_show_continues": False}, ["played_out", "void_others"]),
        ({"stock_exhausted": "count_now", "wrong_show_continues": False}, ["played_out", "count_now", "void_others"]),
    ],
)
def test_a_table_offers_the_endings_that_its_house_plays(options, endings):
    assert list(endings_for(DealOptions(**options))) == endings


def test_who_sits_out_has_no_points_in_a_deal():
    said = {
        "asha": Outcome(how=OutcomeKind.SHOW),
        "bo": Outcome(how=OutcomeKind.NOT_IN_DEAL),
        "cy": Outcome(how=OutcomeKind.LOSS, count=7),
    }
    result = deal_result(DealSheet(outcomes=said), DealOptions(), ["asha", "bo", "cy", "dev"])
    assert (result.points, result.winners) == ({"asha": 0, "cy": 7}, ("asha",))


def test_a_hand_of_which_nothing_is_written_costs_nothing_until_somebody_counts_it():
    assert hand_points(Outcome(how=OutcomeKind.LOSS), DealOptions(), None) == 0


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (
            {"kind": "penalty_given", "seat": "asha", "points": -1, "reason": "late"},
            [("out_of_range", "points", "points cannot be -1: Expected `int` >= 1")],
        ),
        (
            {"kind": "penalty_given", "seat": 3, "points": True, "reason": 7},
            [
                ("wrong_type", "seat", "seat cannot be 3: Expected `str`, got `int`"),
                ("wrong_type", "points", "points cannot be True: Expected `int`, got `bool`"),
                ("wrong_type", "reason", "reason cannot be 7: Expected `str`, got `int`"),
            ],
        ),
        (
            {"kind": "penalty_given", "seat": "asha", "points": "9", "reason": " "},
            [
                ("wrong_type", "points", "points cannot be '9': Expected `int`, got `str`"),
                ("wrong_type", "reason", "reason cannot be ' ': enter a reason"),
            ],
        ),
        (
            {"kind": "penalty_given", "points": 9, "colour": 1},
            [
                ("missing_field", "seat", "penalty_given needs the field 'seat'"),
                ("missing_field", "reason", "penalty_given needs the field 'reason'"),
                ("unknown_field", "colour", "this event has no field 'colour'"),
            ],
        ),
        (
            {"kind": "penalty_given", "seat": "zoe", "points": 9, "reason": "late"},
            [("unknown_seat", "seat", "there is no seat 'zoe' at this table; the seats are asha, bo")],
        ),
        (
            {"kind": "penalty_given", "seat": "asha", "points": 9, "reason": ""},
            [("wrong_type", "reason", "enter a reason")],
        ),
    ],
)
def test_an_event_that_cannot_be_read_is_reported_field_by_field(raw, found):
    _, problems = pool(seats=2).considered(raw)
    assert [(problem.code, problem.field, problem.text()) for problem in problems] == found


def test_a_reason_fits_beside_the_log():
    fact, problems = pool(seats=2).considered(penalty_for("x" * 500))
    assert isinstance(fact, PenaltyGiven)
    assert (problems, len(fact.reason)) == ([], 500)
    _, problems = pool(seats=2).considered(penalty_for("x" * 501))
    assert [problem.text() for problem in problems] == [
        f"reason cannot be '{'x' * 59}…: a reason has at most 500 characters"
    ]


def penalty_for(reason):
    return {"kind": "penalty_given", "seat": "asha", "points": 9, "reason": reason}


def test_a_deal_carries_a_reason_only_where_it_is_corrected():
    _, problems = pool(seats=2).considered(deal(1, show("asha"), first_drop("bo"), reason="late"))
    assert told(problems) == [("unknown_field", None, "reason", "this event has no field 'reason'")]


def test_a_deal_of_one_is_none_at_a_table_of_two():
    _, problems = pool(seats=2).considered(deal(1, show("asha"), ("bo", {"how": "not_in_deal"})))
    assert told(problems) == [
        ("too_few_seats", None, "outcomes", "1 of 2 seats took part; a deal needs at least two"),
    ]


def test_a_tie_break_that_names_no_deal_is_the_first():
    fact, _ = deals().considered(tiebreak(show("asha"), first_drop("bo")))
    assert isinstance(fact, wire.TiebreakRecorded)
    assert fact.deal == 1


def test_an_event_of_no_table_is_told_which_there_are():
    _, problems = pool(seats=2).considered({"kind": "tilted"})
    assert [(problem.code, problem.field) for problem in problems] == [("unknown_kind", "kind")]
    known = problems[0].text().removeprefix("there is no event 'tilted'; use one of ").split(", ")
    assert {"deal_recorded", "rejoined", "table_closed"} <= set(known)
    for kind in set(FACTS) - set(known):
        assert pool(seats=2).considered({"kind": kind})[1][0].code == "unknown_kind"
    for kind in known:
        assert "unknown_kind" not in [problem.code for problem in pool(seats=2).considered({"kind": kind})[1]]


def test_a_fact_of_a_tournament_or_a_till_is_read_as_what_was_told():
    undone = read_tournament_fact({"kind": "last_call_undone", "round": 2, "reason": "the bell was late"})
    assert isinstance(undone, wire.LastCallUndone)
    assert (undone.kind, undone.round, undone.reason) == ("last_call_undone", 2, "the bell was late")
    booked = read_cash_fact({"kind": "till_difference_booked", "till": "user:1", "amount_minor": -680, "reason": "?"})
    assert isinstance(booked, TillDifferenceBooked)
    assert (booked.kind, booked.amount_minor, booked.reason) == ("till_difference_booked", -680, "?")


@pytest.mark.parametrize("raw", [None, [], "x", {}, {"kind": 3}, {"kind": []}, {"kind": "deal_recorded"}])
def test_what_is_no_fact_of_a_tournament_is_refused_with_those_there_are(raw):
    with pytest.raises(EventRejected) as refused:
        read_tournament_fact(raw)
    (problem,) = refused.value.problems
    assert (problem.code, problem.field) == ("unknown_kind", "kind")
    assert problem.text().endswith(f"; use one of {', '.join(fact.kind for fact in EVENING_FACTS)}")


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


def test_options_are_described_with_their_type_bounds_and_help():
    described = {option.pop("name"): option for option in describe_options(House, {"limit": 7})}
    assert described == {
        "plain": {"title": "Plain", "help": "", "type": "integer", "default": 3},
        "name": {"title": "Name", "help": "A name", "longest": 3, "type": "text", "default": ""},
        "limit": {"title": "Limit", "help": "The limit", "min": 1, "max": 9, "type": "integer", "default": 7},
        "is_on": {"title": "Is on", "help": "Whether", "type": "boolean", "default": False},
        "rule": {
            "title": "Rule",
            "help": "Which",
            "plays_only": True,
            "type": "choice",
            "choices": ["one", "two"],
            "default": "one",
        },
        "cap": {
            "title": "Cap",
            "help": "The most",
            "min": 2,
            "max": 4,
            "type": "integer",
            "nullable": True,
            "default": None,
        },
        "places": {"title": "Places", "help": "By place", "type": "list", "default": ()},
        "named": {"title": "Named", "help": "By name", "type": "map", "default": described["named"]["default"]},
        "first": {"title": "First", "help": "At first", "min": 0, "max": 9, "type": "integer", "default": 4},
        "later": {"title": "Later", "help": "Later", "type": "integer", "nullable": True, "default": None},
        "bare": {"title": "Bare", "help": "", "type": "integer", "default": None},
    }


def test_a_forms_own_options_come_before_those_it_shares_and_each_once():
    names = [option["name"] for option in describe_options(Larger)]
    assert names[:5] == ["own", "limit", "plain", "name", "is_on"]
    assert len(names) == len(set(names)) == len(House.__struct_fields__) + 1


@pytest.mark.parametrize(
    ("given", "code", "detail"),
    [
        ({"limit": 10}, "out_of_range", "option limit cannot be 10: a whole number from 1 to 9"),
        ({"limit": True}, "wrong_type", "option limit cannot be True: a whole number from 1 to 9"),
        ({"rule": "six"}, "not_a_choice", "option rule cannot be 'six': use one of one, two"),
        ({"rule": 6}, "wrong_type", "option rule cannot be 6: use one of one, two"),
        ({"is_on": 1}, "wrong_type", "option is_on cannot be 1: Expected `bool`, got `int`"),
        ({"name": "four"}, "wrong_type", "option name cannot be 'four': Expected `str` of length <= 3"),
        ({"cap": 5}, "out_of_range", "option cap cannot be 5: a whole number from 2 to 4"),
        (
            {"limits": 5},
            "unknown_option",
            f"there is no option 'limits'; the options are {', '.join(House.__struct_fields__)}",
        ),
    ],
)
def test_an_option_that_cannot_be_is_told_what_could_be(given, code, detail):
    with pytest.raises(OptionsRejected) as refused:
        read_options(House, given)
    assert [(problem.code, problem.field, problem.text()) for problem in refused.value.problems] == [
        (code, *given, detail)
    ]


def test_a_default_of_the_form_that_cannot_be_is_refused_too():
    with pytest.raises(OptionsRejected):
        read_options(House, {}, {"limit": 40})
    assert read_options(House, {"limit": 2}, {"limit": 40, "plain": 8}) == House(limit=2, plain=8)


def test_of_many_unknown_options_the_first_twenty_are_told():
    with pytest.raises(OptionsRejected) as refused:
        read_options(House, {f"o{number}": 1 for number in range(30)} | {"limit": 0})
    assert [problem.field for problem in refused.value.problems] == [*(f"o{n}" for n in range(20)), "limit"]
