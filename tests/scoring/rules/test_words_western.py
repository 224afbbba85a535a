"""The exact messages of rum, block rummy, Rummy 500 and Romme: refusals, stories, forms and written sheets."""

from typing import Any

import pytest

from scoring.facts.reading import read_fact
from scoring.rules.variants.western.romme.sheets import RommeSheet
from scoring.rules.variants.western.rum_form import RumSheet
from scoring.rules.variants.western.rummy500.sheets import Rummy500Sheet
from tests.builders.memo import lines
from tests.builders.rules import CAST, CLOSED, TIME_CALLED, Evening, goes_home, penalty, rejoins, sit
from tests.builders.western import extra, played, sheet
from tests.builders.wording import because, form, marks, opening_refusals, refusal, refusals, story

SEATS = "at this table; the seats are asha, bo, cy"
NO_LAYING = "nobody went out, so nobody laid everything down"


def at(name: str, *, seats: int = 3, entry: int = 0, value: int = 0, **options: Any) -> Evening:
    return sit(name, CAST[:seats], {"entry_minor": entry, "point_value_minor": value}, options)


@pytest.mark.parametrize(
    ("name", "seats", "options", "wanted"),
    [
        (
            "rum",
            2,
            {"mode": "cash", "end": "target"},
            [
                "missing_field - point_value_minor: rum for cash needs the value of a point, more than 0",
                "not_a_choice - end: rum for cash is played for a fixed number of deals, not to a target",
            ],
        ),
        (
            "block",
            2,
            {"mode": "winner_scores", "block_scoring": "all_penalty"},
            [
                (
                    "not_a_choice - block_scoring: "
                    "where only winners score, a blocked deal must have one: all_penalty would score nobody"
                )
            ],
        ),
        (
            "rummy500",
            8,
            {"packs": 1, "settlement": "pay_difference"},
            [
                "missing_field - point_value_minor: paying the difference needs the value of a point, more than 0",
                "out_of_range - packs: 8 seats are dealt 57 cards; 1 pack holds 54",
            ],
        ),
        ("rummy500", 7, {"packs": 1, "jokers_per_pack": 0}, []),
        (
            "romme",
            2,
            {"settlement": "pay_points", "scoring": "match_points"},
            [
                "missing_field - point_value_minor: paying points needs the value of a point, more than 0",
                "not_a_choice - settlement: match points are not owed by losers: they cannot be paid",
            ],
        ),
        *[
            (
                "romme",
                2,
                house,
                ["out_of_range - match_two_up_to: fewer hand points cannot be worth fewer match points"],
            )
            for house in ({"match_three_up_to": 21}, {"match_two_up_to": 31})
        ],
        ("romme", 2, {"match_three_up_to": 20, "match_one_up_to": 20}, []),
    ],
)
def test_a_house_that_does_not_fit_together_is_told_why(name, seats, options, wanted):
    assert opening_refusals(name, seats=seats, options=options) == wanted


def test_money_needs_differences_where_a_deal_is_blocked():
    options = {"mode": "cash", "block_scoring": "lowest_collects_minus_own"}
    assert opening_refusals("block", options=options, point_value_minor=1) == [
        (
            "not_a_choice - block_scoring: lowest_collects_minus_own "
            "leaves points that nobody pays or collects: money needs the differences"
        )
    ]


def test_defaults_follow_from_what_a_house_has_said():
    def options(name: str, seats: int = 2, **given: Any) -> Any:
        return at(name, seats=seats, value=1, **given).table.setup.options

    assert (options("rummy500").ace_low, options("rummy500", values="5/10/15").ace_low) == (15, 5)
    worth = [options("rummy500", joker_value=joker).worth_of_packs for joker in (5, 15, 50)]
    assert worth == [396 + 2 * 15, 396 + 2 * 15, 396 + 2 * 50]
    assert (options("rummy500", seats=4).packs, options("rummy500", seats=5).packs) == (1, 2)
    short = options("romme", short_hand=True)
    assert (short.jokers, short.first_meld_min, options("romme").jokers) == (3, 0, 6)
    assert (options("rum", mode="cash").end, options("rum").end) == ("rounds", "target")
    assert options("rum", mode="winner_scores").block_scoring == "lowest_wins_difference"


ONES = {"asha": 1, "bo": 1, "cy": 1}
TWO = {"bo": 1, "cy": 1}
RUM: list[tuple[str, dict[str, Any], list[str]]] = [
    (
        "rum",
        {"out": None, "counts": ONES},
        ["no_winner - out: nobody went out, but this table reshuffles the stock and plays on"],
    ),
    (
        "block",
        {"out": None, "went_rummy": True, "counts": ONES},
        ["no_winner - went_rummy: nobody went out, so nobody went rummy"],
    ),
    (
        "rum",
        {"out": "asha", "counts": {"bo": 4}},
        ["missing_count cy counts: cy did not go out, but no hand points were entered"],
    ),
    (
        "rum",
        {"out": "asha", "counts": {"asha": 3, "bo": 340, "cy": 0}},
        [
            "winner_has_points asha counts: asha went out, so 0; the sheet says 3",
            "count_is_zero cy counts: cy has 0, but only a seat that went out holds no card",
        ],
    ),
    (
        "rum",
        {"out": "asha", "counts": {"bo": 341, "cy": 340}},
        ["count_over_cap bo counts: bo has 341; a hand never costs more than 340 here"],
    ),
    (
        "rum",
        {"out": "asha", "counts": {"bo": -3, "cy": "ten", "zoe": 1}},
        [
            f"unknown_seat zoe counts: there is no seat 'zoe' {SEATS}",
            "negative_count bo counts: counts of bo is -3; it cannot be negative",
            "wrong_type cy counts: cy: counts cannot be 'ten': a whole number is needed",
        ],
    ),
    (
        "rum",
        {"out": "asha", "counts": {"bo": 1_000_000, "cy": 1_000_001}, "went_rummy": "yes", "score": 3},
        [
            "unknown_field - score: a deal of this game has no field 'score'",
            "out_of_range cy counts: counts of cy is 1000001; no deal is worth as much",
            "wrong_type - went_rummy: went_rummy cannot be 'yes': true or false is needed",
            "count_over_cap bo counts: bo has 1000000; a hand never costs more than 340 here",
        ],
    ),
    (
        "rum",
        {"out": "asha", "counts": {"bo": 5, "cy": 5}, "hands": {"bo": "5S"}},
        ["count_and_cards bo counts: bo has cards and 5 hand points: enter one of the two"],
    ),
    (
        "rum",
        {"out": "asha", "hands": {"asha": "5S", "bo": "5C", "cy": "5H"}},
        ["winner_has_points asha hands: asha went out, but the sheet has cards left for that seat"],
    ),
    (
        "rum",
        {"out": "asha", "counts": [1, 2]},
        ["wrong_type - counts: counts cannot be a list: an object with one entry for each seat is needed"],
    ),
    (
        "rum",
        {"counts": {"zoe": 1}},
        [
            "missing_field - out: a deal of this game needs the field 'out'",
            f"unknown_seat zoe counts: there is no seat 'zoe' {SEATS}",
        ],
    ),
    (
        "rum",
        {"out": "asha", "hands": {"bo": "5S", "cy": "5S"}},
        ["impossible_card_count cy hands: cy holds 5S: the hands show it 2 times, and the packs hold 1"],
    ),
]
ROMME: list[tuple[dict[str, Any], dict[str, Any], list[str]]] = [
    ({}, {"out": None, "hand_romme": True, "counts": ONES}, [f"no_winner - hand_romme: {NO_LAYING}"]),
    ({}, {"out": None, "laid": 5, "counts": ONES}, [f"no_winner - laid: {NO_LAYING}"]),
    (
        {},
        {"out": "asha", "unmelded": ["asha"], "counts": TWO},
        ["winner_has_points asha unmelded: asha went out, and so has melded"],
    ),
    (
        {"scoring": "casino"},
        {"out": "asha", "counts": TWO},
        ["missing_count asha laid: casino scoring needs the value of the cards that the winner laid"],
    ),
    (
        {"stock_out": "reshuffle"},
        {"out": None, "counts": ONES},
        ["no_winner - out: nobody went out; when the stock runs out this table plays on"],
    ),
    (
        {"stock_out": "void"},
        {"out": None, "counts": ONES},
        [
            (
                "no_winner - out: nobody went out; "
                "when the stock runs out this table plays the round again, and records only that"
            )
        ],
    ),
    ({"stock_out": "lowest_wins"}, {"out": None, "counts": ONES}, []),
    *[
        (
            {"scoring": "casino"},
            {"out": "asha", "counts": TWO, "laid": laid},
            [f"out_of_range asha laid: asha laid {laid}; a first meld needs 30, and all cards are worth 880"],
        )
        for laid in (29, 881)
    ],
    *[({"scoring": "casino"}, {"out": "asha", "counts": TWO, "laid": laid}, []) for laid in (30, 880)],
    (
        {"scoring": "casino", "first_meld_min": 0},
        {"out": "asha", "counts": TWO, "laid": 0},
        ["out_of_range asha laid: asha laid 0; a first meld needs 0, and all cards are worth 880"],
    ),
    ({"scoring": "casino", "first_meld_min": 0}, {"out": "asha", "counts": TWO, "laid": 1}, []),
    (
        {},
        {"out": "asha", "hand_romme": True, "unmelded": ["bo"], "counts": TWO},
        ["not_a_hand_romme cy hand_romme: cy has melded, so it was not a hand romme at this table"],
    ),
    (
        {"hand_requires_no_opponent_meld": False},
        {"out": "asha", "hand_romme": True, "unmelded": ["bo"], "counts": TWO},
        [],
    ),
    ({"no_meld_flat": 0}, {"out": "asha", "unmelded": ["bo"], "counts": {"cy": 1}}, []),
    ({"no_meld_flat": 5}, {"out": "asha", "hand_romme": True}, []),
    (
        {"no_meld_flat": 5},
        {"out": "asha", "unmelded": ["bo"]},
        ["missing_count cy counts: cy did not go out, but no hand points were entered"],
    ),
    (
        {},
        {"out": "asha", "unmelded": "bo", "counts": TWO},
        ["wrong_type - unmelded: unmelded cannot be 'bo': a list of seats is needed"],
    ),
]
FIVES = {"asha": 5, "bo": 5}
RUMMY500: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["missing_field - out: a deal of this game needs the field 'out'"]),
    (
        {"out": "asha", "melded": {"asha": 5}, "in_hand": {"bo": 4}},
        ["missing_count bo melded: bo: what was melded is missing; enter 0 for nothing"],
    ),
    (
        {"out": "asha", "melded": FIVES},
        ["missing_count bo in_hand: bo did not go out, but what is in hand is missing"],
    ),
    (
        {"out": "asha", "melded": FIVES, "in_hand": {"asha": 3, "bo": 0}},
        [
            "winner_has_points asha in_hand: asha went out, so nothing in hand; the sheet says 3",
            "count_is_zero bo in_hand: bo has 0 in hand, but only a seat that went out, or floats, holds no card",
        ],
    ),
    (
        {"out": "asha", "melded": FIVES, "in_hand": {"bo": 5}, "hands": {"bo": "5S"}},
        ["count_and_cards bo in_hand: bo has cards and a number of 5: enter one of the two"],
    ),
    (
        {"out": "asha", "melded": FIVES, "hands": {"asha": "5S", "bo": "5C"}},
        ["winner_has_points asha in_hand: asha went out, so nothing in hand; the sheet says 5"],
    ),
    (
        {"out": None, "melded": {"asha": 400, "bo": 5}, "in_hand": {"asha": 20, "bo": 2}},
        ["count_over_cap - melded: 405 melded and 22 in hand: the packs in play hold 426"],
    ),
]


@pytest.mark.parametrize(
    ("table", "raw", "wanted"),
    [
        *[(at(name), raw, wanted) for name, raw, wanted in RUM],
        *[(at("romme", **house), raw, wanted) for house, raw, wanted in ROMME],
        *[(at("rummy500", seats=2), raw, wanted) for raw, wanted in RUMMY500],
    ],
)
def test_a_sheet_is_refused_with_a_sentence_for_each_fault(table, raw, wanted):
    assert refusals(table, sheet(1, **raw)) == wanted


def test_a_seat_that_has_left_is_named_once_with_the_field_it_stands_in():
    table = at("rum").told(goes_home("cy"))
    out = "cy is out, or does not play this deal, and cannot score"
    assert refusals(table, sheet(1, out="cy", counts={"asha": 4, "bo": 4})) == [f"seat_is_out cy out: {out}"]
    assert refusals(table, sheet(1, out="cy", counts={"asha": 4, "bo": 4, "cy": 4})) == [f"seat_is_out cy out: {out}"]
    assert refusals(table, sheet(1, out="asha", counts={"cy": 4, "bo": 4}, hands={"cy": "4S"})) == [
        f"seat_is_out cy counts: {out}"
    ]


class TestCourse:
    def test_says_how_far_a_table_is(self):
        none_won = "played and nobody has won: play on, call time, or cancel"
        deal = {"out": "asha", "counts": {"bo": 1, "cy": 2}}
        assert refusals(at("rum"), CLOSED) == [f"not_finished - -: 0 deals are {none_won}"]
        assert refusals(played(at("rum"), deal), CLOSED) == [f"not_finished - -: 1 deal is {none_won}"]
        assert refusals(played(at("rum"), deal, deal), CLOSED) == [f"not_finished - -: 2 deals are {none_won}"]
        assert refusals(at("rum"), TIME_CALLED) == [
            "nothing_played - -: no deal counts at this table: cancel it instead"
        ]

    def test_says_that_a_table_is_decided(self):
        won = played(at("rum", seats=2, target=40), {"out": "asha", "counts": {"bo": 40}})
        over = ["table_finished - -: the table was decided in deal 1"]
        assert refusals(won, sheet(2, out="asha", counts={"bo": 1})) == over
        assert refusals(won, goes_home("asha")) == over
        assert refusals(won, extra(out="asha", counts={"bo": 1})) == [
            (
                "tiebreak_not_due - -: an extra deal needs enough deals and seats tied for first, where the "
                "house plays one"
            )
        ]

    def test_says_who_may_not_leave_and_what_has_no_place(self):
        left = at("rum").told(goes_home("cy"))
        assert refusals(left, goes_home("cy")) == ["seat_is_out cy seat: cy has left, or is out"]
        assert refusals(left.told(goes_home("bo")), goes_home("asha")) == [
            "last_seat asha seat: asha is the last one at the table"
        ]

    def test_says_that_level_seats_play_on_and_lets_them_leave(self):
        table = played(at("rum", target=40, tie="extra_deal"), {"out": "asha", "counts": {"bo": 20, "cy": 40}})
        level = table.told(penalty("asha", 20))
        assert story(level) == [
            "score: asha: 0 +20 = 20",
            "extra_deal: 2 seats are tied: they play an extra deal",
        ]
        assert refusals(level, sheet(2, out="asha", counts={"bo": 1, "cy": 1})) == [
            "table_finished - -: the table was decided in deal 1; tied seats play a tie-break"
        ]
        assert level.table.in_play == ("asha", "bo")
        assert level.told(goes_home("asha")).winners() == ("bo",)
        # A loser with a single card is placed after the winner, who has none.
        assert level.told(extra(out="asha", counts={"bo": 1})).winners() == ("asha",)

    def test_tells_how_the_scores_moved_and_who_is_out(self):
        table = at("romme", eliminate_minus=50)
        first = played(table, {"out": "asha", "counts": {"bo": 60, "cy": 10}})
        assert story(first) == [
            "score: asha: 0 +70 = 70",
            "score: bo: 0 -60 = -60",
            "score: cy: 0 -10 = -10",
            "out: bo is out with -60",
        ]
        assert story(played(first, {"out": "asha", "counts": {"cy": 10}})) == [
            "score: asha: 70 +10 = 80",
            "score: cy: -10 -10 = -20",
        ]
        assert refusals(first, rejoins("bo")) == ["not_in_this_variant - kind: rejoined has no place in Romme"]

    def test_has_no_winner_before_a_deal_unless_one_alone_is_left(self):
        fresh = at("rum", seats=2).table
        assert fresh.rules.winners(fresh.setup, fresh.game) == ()
        assert at("rum").told(goes_home("cy")).winners() == ()
        assert at("rum").told(goes_home("cy"), goes_home("bo")).winners() == ("asha",)

    def test_breaks_level_scores_by_most_rounds_won(self):
        table = at("romme", seats=2, rounds=3, tie="most_rounds_won")
        table = played(table, {"out": "asha", "counts": {"bo": 10}}, {"out": "asha", "counts": {"bo": 10}})
        ended = played(table, {"out": "bo", "counts": {"asha": 20}})
        assert (ended.totals(), ended.places()) == ({"asha": 0, "bo": 0}, {"asha": 1, "bo": 2})

    def test_closed_by_time_pays_the_pot_and_is_over(self):
        table = played(at("rum", entry=100), {"out": "asha", "counts": {"bo": 1, "cy": 2}})
        assert not table.table.is_finished
        closed = table.told(TIME_CALLED)
        assert (closed.table.is_finished, closed.paid()) == (True, {"asha": 300})

    def test_seats_out_or_gone_stand_behind_in_the_order_in_which_they_went(self):
        table = at("romme", seats=5, entry=10, eliminate_minus=50)
        table = played(table, {"out": "asha", "counts": {"bo": 60, "cy": 10, "dev": 1, "eli": 2}})
        table = played(table, {"out": "asha", "counts": {"cy": 45, "dev": 1, "eli": 2}}).told(goes_home("eli"))
        assert table.places() == {"asha": 1, "dev": 2, "cy": 3, "bo": 4, "eli": 5}
        assert {seat: view.out_in_deal for seat, view in table.table.seats().items()} == {
            "asha": None, "bo": 1, "cy": 2, "dev": None, "eli": 2
        }  # fmt: skip
        assert {seat: view.deals_won for seat, view in table.table.seats().items()} == {
            "asha": 2, "bo": 0, "cy": 0, "dev": 0, "eli": 0
        }  # fmt: skip


def mistyped(table: Evening, **raw: Any) -> list[str]:
    """Warnings before a sheet is saved, although the rules accept it."""
    rules, setup = table.table.rules, table.table.setup
    fact = read_fact(sheet(table.table.next_deal, **raw), rules, setup.seats)
    return [refusal(problem) for problem in rules.typing_problems(setup, fact)]


class TestMistyped:
    def test_is_a_count_that_no_dealt_hand_has(self):
        assert mistyped(at("rum"), out="asha", counts={"bo": 70, "cy": 71}) == [
            "count_over_cap cy counts: cy has 71; a hand never costs more than 70 here"
        ]
        assert mistyped(at("rum"), out="asha", counts={"bo": 70, "cy": 70}) == []

    def test_are_counts_that_one_pack_cannot_make_together(self):
        counts = {"bo": 70, "cy": 70, "dev": 70}
        assert mistyped(at("rum", seats=4), out="asha", counts=counts) == [
            "count_over_cap - counts: the counts make 210; 3 hands of 7 cards never make more than 204"
        ]
        assert mistyped(at("rum", seats=4), out="asha", counts=counts | {"dev": 64}) == []

    def test_is_a_hand_of_more_cards_than_were_dealt(self):
        hands = {"bo": "2S 3S 4S 5S 6S 7S 8S 9S", "cy": "2D 3D 4D 5D 6D 7D 8D"}
        assert mistyped(at("rum"), out="asha", hands=hands) == [
            "too_many_cards bo hands: bo holds 8 cards, but only 7 were dealt"
        ]

    def test_depends_on_how_many_seats_of_a_short_hand_were_dealt_cards(self):
        two, three = at("romme", seats=2, short_hand=True), at("romme", short_hand=True)
        assert mistyped(two, out="asha", counts={"bo": 134}) == []
        assert mistyped(two, out="asha", counts={"bo": 135}) == [
            "count_over_cap bo counts: bo has 135; a hand never costs more than 134 here"
        ]
        assert mistyped(three, out="asha", counts={"bo": 104}, hands={"cy": "5S"}) == []
        assert mistyped(three, out="asha", counts={"bo": 105}, hands={"cy": "5S"}) == [
            "count_over_cap bo counts: bo has 105; a hand never costs more than 104 here"
        ]
        assert mistyped(at("romme", short_hand=True, knock=True), out="asha", counts={"bo": 300, "cy": 1}) == []

    def test_is_going_out_with_nothing_melded(self):
        table = at("rummy500", seats=2)
        assert mistyped(table, out="asha", melded={"asha": 0, "bo": 1}, in_hand={"bo": 4}) == [
            (
                "nothing_melded asha melded: asha went out with nothing melded: "
                "enter what was laid down, or who else went out"
            )
        ]
        assert mistyped(table, out="asha", melded={"asha": 1, "bo": 0}, in_hand={"bo": 4}) == []


@pytest.mark.parametrize(
    ("written", "said", "remarks"),
    [
        (
            RumSheet(out="A", counts={"B": 4}, hands={"C": "5S"}, went_rummy=True),
            {"A": "out [rummy] Went rummy WIN", "B": "held [] Held 4", "C": "held [] Held loose 5S"},
            (),
        ),
        (RumSheet(out="A", counts={"B": 4}), {"A": "out [out] Went out WIN", "B": "held [] Held 4"}, ()),
        (RumSheet(out=None, counts={"B": 4}), {"B": "held [] Held 4"}, ("nobody went out",)),
        (
            RommeSheet(out="A", counts={"B": 4}, hand_romme=True),
            {"A": "out [hand romme] Hand romme WIN", "B": "held [] Held 4"},
            (),
        ),
        (
            RommeSheet(out="A", counts={"B": 4}, unmelded=("B", "C"), laid=40),
            {"B": "held [] Held 4", "C": "unmelded [not melded] Had not melded", "A": "out [out] Went out WIN"},
            ("not melded: B, C", "laid cards worth 40"),
        ),
        (
            RommeSheet(out=None, counts={"B": 4}, unmelded=("C",)),
            {"B": "held [] Held 4", "C": "unmelded [not melded] Had not melded"},
            ("nobody went out", "not melded: C"),
        ),
        (
            Rummy500Sheet(out="A", melded={"A": 50, "B": 5}, in_hand={"B": 7}, hands={"C": "5S"}),
            {
                "A": "out [out] Went out, melded 50 WIN",
                "B": "held [5\u22127] Melded 5, 7 in hand",
                "C": "held [0, cards] Melded 0, cards in hand loose 5S",
            },
            (),
        ),
        (
            Rummy500Sheet(out=None, melded={"B": 3}),
            {"B": "held [3\u22120] Melded 3, 0 in hand"},
            ("nobody went out",),
        ),
    ],
)
def test_a_written_sheet_reads_as_it_was_played(written, said, remarks):
    assert (marks(written), tuple(map(str, written.remarks())), written.keeps_dealer) == (said, remarks, False)


def asked(nobody: str, number: str, *more: str) -> list[str]:
    """The form of a deal in which a player goes out; `number` and `more` are the game's own."""
    mark = f"is_required, mark=out{f', nobody={nobody}' if nobody else ''}"
    cards = "Instead of a number, such as 7H QS AD: their values are added up"
    return [
        f"Went out (out, seat, {mark}) The player with no cards left",
        number,
        f"Cards in hand (hands, cards, per_seat, is_rare) {cards}",
        *more,
        "Dealer (dealer, seat)",
    ]


RUM_COUNT = "Hand points (counts, number, per_seat) All cards still held, melds included: ace 1, ten to king 10, "
WENT_RUMMY = "Went rummy (went_rummy, flag) The whole hand in one turn, with no earlier meld: the deal counts 2 times"
ROMME_COUNT = "Hand points (counts, number, per_seat) All cards still held: ace 11, ten to king 10, others their face"
HAND_ROMME = "Hand romme (hand_romme, flag) All cards laid down in one turn"


@pytest.mark.parametrize(
    ("name", "house", "wanted"),
    [
        ("rum", {}, asked("", f"{RUM_COUNT}others their face", WENT_RUMMY)),
        ("block", {}, asked("Nobody: the deal is blocked", f"{RUM_COUNT}others their face", WENT_RUMMY)),
        (
            "rum",
            {"jokers": 2, "rummy_multiplier": 1, "stock_exhausted": "block"},
            asked("Nobody: the deal is blocked", f"{RUM_COUNT}others their face, joker 15"),
        ),
        (
            "romme",
            {},
            asked(
                "Nobody: the stock ran out",
                f"{ROMME_COUNT}, joker 20",
                f"{HAND_ROMME} while nobody else had melded: the round counts 2 times",
            ),
        ),
        (
            "romme",
            {"scoring": "match_points"},
            asked(
                "Nobody: the stock ran out",
                f"{ROMME_COUNT}, joker 20",
                f"{HAND_ROMME} while nobody else had melded: worth 8 match points",
            ),
        ),
        (
            "romme",
            {
                "no_meld_flat": 100,
                "scoring": "casino",
                "stock_out": "void",
                "jokers": 0,
                "hand_requires_no_opponent_meld": False,
            },
            asked(
                "",
                ROMME_COUNT,
                f"{HAND_ROMME}: the round counts 2 times",
                "Had not melded (unmelded, seats) Each of them pays 100; no hand points needed",
                "Value of the cards the winner laid (laid, number) Needed if somebody went out; the winner gets it too",
                "Figures the winner laid (figures, groups, is_rare) Instead of their value: the cards as they lie, "
                "jokers in their places",
            ),
        ),
    ],
)
def test_a_scorer_is_asked_for_what_the_house_scores(name, house, wanted):
    assert form(at(name, **house)) == wanted


@pytest.mark.parametrize(
    ("house", "values"),
    [
        ({}, "others their face, joker 15"),
        ({"jokers_per_pack": 0, "values": "5/10/15"}, "others 5"),
    ],
)
def test_a_scorer_of_rummy_500_is_asked_for_both_numbers(house, values):
    out, *rest = asked("Nobody: the stock ran out", "")
    assert form(at("rummy500", **house)) == [
        out,
        ("Melded (melded, number, per_seat) Value of the cards laid down or laid off; 0 for none"),
        (
            f"In hand (in_hand, number, per_seat) Value of the cards left, melds not laid down included: "
            f"ace 15, ten to king 10, {values}"
        ),
        rest[1],
        "Melds (melds, groups, per_seat, is_rare) Instead of a number: the melds as they lie, jokers in their places",
        "Laid off on other melds (laid_off, cards, per_seat, is_rare) Cards put to melds that lay there before",
        "Aces laid off below a two (low_aces, cards, per_seat, is_rare) They count as an ace before the two",
        *rest[2:],
    ]


class TestReading:
    @pytest.mark.parametrize(("strangers", "codes"), [(20, ["unknown_seat"] * 20), (21, ["wrong_type"])])
    def test_names_strangers_one_by_one_up_to_twenty(self, strangers, codes):
        names = [f"stranger {number}" for number in range(strangers)]
        for more in ({"counts": dict.fromkeys(names, 1)}, {"unmelded": names}):
            found = refusals(at("romme"), sheet(1, **{"out": "asha", "counts": TWO, **more}))
            assert [line.split()[0] for line in found if "counts of" not in line and "did not" not in line] == codes

    def test_takes_no_more_text_than_a_hand_of_cards(self):
        table = at("rum", stock_exhausted="block")
        too_long = "too_many_cards bo hands: bo: that is more than a hand of cards"
        for spaces, wanted in ((298, []), (299, [too_long])):
            hands = {"bo": "5S" + " " * spaces, "cy": "6S"}
            assert refusals(table, sheet(1, out="asha", hands=hands)) == wanted

    def test_an_empty_hand_is_one_that_was_not_entered(self):
        assert refusals(at("rum"), sheet(1, out="asha", counts={"cy": 1}, hands={"bo": ""})) == [
            "missing_count bo counts: bo did not go out, but no hand points were entered"
        ]


class TestSheetThatACorrectionLeftIncomplete:
    """A stored deal may lack numbers of seats that play after all: they count as zero."""

    @pytest.mark.parametrize(
        ("name", "house", "written", "changes"),
        [
            ("rum", {}, RumSheet(out="asha", counts={"bo": 5}), {"bo": 5, "cy": 0}),
            ("romme", {}, RommeSheet(out="asha", counts={"bo": 5}), {"asha": 5, "bo": -5, "cy": 0}),
            (
                "romme",
                {"scoring": "casino"},
                RommeSheet(out="asha", counts={"bo": 5}),
                {"asha": 5, "bo": -5, "cy": 0},
            ),
            (
                "romme",
                {"no_meld_flat": 0},
                RommeSheet(out="asha", counts={"bo": 5, "cy": 9}, unmelded=("bo",)),
                {"asha": 9, "bo": 0, "cy": -9},
            ),
            (
                "romme",
                {"no_meld_flat": 40},
                RommeSheet(out="asha", counts={"bo": 5, "cy": 9}, unmelded=("asha", "bo", "dev")),
                {"asha": 49, "bo": -40, "cy": -9},
            ),
            (
                "romme",
                {"no_meld_flat": 40},
                RommeSheet(out="asha", hand_romme=True),
                {"asha": 160, "bo": -80, "cy": -80},
            ),
            (
                "rummy500",
                {},
                Rummy500Sheet(out="asha", melded={"asha": 60}, in_hand={"bo": 5}),
                {"asha": 60, "bo": -5, "cy": 0},
            ),
            ("block", {}, RumSheet(out=None), {"asha": 0, "bo": 0, "cy": 0}),
        ],
    )
    def test_is_worth(self, name, house, written, changes):
        table = at(name, **house).table
        rules: Any = table.rules
        assert rules.scored(table.setup, CAST[:3], written).changes == changes

    def test_of_nobody_is_worth_nothing(self):
        table = at("block").table
        rules: Any = table.rules
        assert rules.scored(table.setup, (), RumSheet(out=None)).changes == {}


class TestMoney:
    def test_of_a_deal_and_of_the_end_says_what_made_it(self):
        cash = at("rum", mode="cash", value=10, entry=5)
        table = played(cash, {"out": "asha", "counts": {"bo": 18, "cy": 7}}).told(CLOSED)
        fee = "fee 0 basis points of {} is 0"
        assert because(table) == [
            ("deal:1", ("deal 1: 25 points of 10 make 250", fee.format(250))),
            ("table", ("3 entries of 5 make 15", fee.format(15))),
        ]
        difference = at("rummy500", settlement="pay_difference", value=10, target=100)
        sheets = {"out": "asha", "melded": {"asha": 120, "bo": 50, "cy": 0}, "in_hand": {"bo": 10, "cy": 25}}
        [ended] = played(difference, sheets).table.payouts()
        assert lines(ended.because) == ("225 points of 10 make 2250", fee.format(2_250))
        assert (ended.charges, ended.awards) == ({"bo": 800, "cy": 1_450}, {"asha": 2_250})

    def test_is_given_to_nobody_where_the_house_takes_all(self):
        table = sit("rum", CAST[:2], {"entry_minor": 5, "fee_bp": 10_000}, {"target": 25})
        [pot] = played(table, {"out": "asha", "counts": {"bo": 25}}).table.payouts()
        assert (pot.awards, pot.fee) == ({}, 10)

    def test_of_a_blocked_deal_is_paid_by_all_but_the_lowest(self):
        table = at("block", mode="cash", value=10)
        [payout] = played(table, {"out": None, "counts": {"asha": 4, "bo": 4, "cy": 10}}).table.payouts()
        assert (payout.charges, payout.awards) == ({"cy": 60}, {"asha": 30, "bo": 30})


class TestExtraDeal:
    """The player who goes out comes first, also before a loser with one point; then the fewest points in hand."""

    @pytest.mark.parametrize("scoring", ["winner_collects", "match_points", "penalty_only"])
    def test_is_won_by_who_goes_out(self, scoring):
        table = at("romme", rounds=1, tie="extra_round", scoring=scoring, stock_out="all_lose")
        level = played(table, {"out": None, "counts": {"asha": 15, "bo": 15, "cy": 15}})
        assert level.table.in_play == CAST[:3]
        assert level.told(extra(out="cy", counts={"asha": 2, "bo": 1})).places() == {"cy": 1, "bo": 2, "asha": 3}


def test_who_left_a_table_for_a_pot_stands_behind_by_the_score_left_with():
    table = played(at("rum", seats=4, entry=10), {"out": "asha", "counts": {"bo": 30, "cy": 20, "dev": 10}})
    table = table.told(goes_home("bo"), goes_home("cy"))
    assert table.places() == {"asha": 1, "dev": 2, "cy": 3, "bo": 4}
    assert all(view.net_points is None for view in table.table.seats().values())


class TestGoingOutToWin:
    house: dict[str, Any] = {"target": 100, "must_go_out_to_win": True}

    def deal(self, out: str | None, asha: int, bo: int, cy: int) -> dict[str, Any]:
        held = {seat: 5 for seat in CAST[:3] if seat != out}
        return {"out": out, "melded": {"asha": asha, "bo": bo, "cy": cy}, "in_hand": held}

    def test_needs_the_target_exactly_and_puts_the_others_in_their_order(self):
        below = played(at("rummy500", **self.house), self.deal("bo", asha=145, bo=99, cy=155))
        assert (below.table.is_finished, below.winners()) == (False, ())
        reached = played(at("rummy500", **self.house), self.deal("bo", asha=145, bo=100, cy=155))
        assert (reached.table.is_finished, reached.winners()) == (True, ("bo",))
        assert reached.places() == {"bo": 1, "cy": 2, "asha": 3}

    def test_stands_level_with_the_same_score_at_a_table_that_time_ended(self):
        won = played(at("rummy500", **self.house), self.deal("bo", asha=5, bo=150, cy=5))
        by_time = played(at("rummy500", **self.house), self.deal(None, asha=5, bo=155, cy=5)).told(TIME_CALLED)
        assert won.totals()["bo"] == by_time.totals()["bo"] == 150
        assert won.seat("bo").rank_key == by_time.seat("bo").rank_key
