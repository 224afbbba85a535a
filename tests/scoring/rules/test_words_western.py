"""The exact messages of rum, block rummy, Rummy 500 and Romme: refusals, stories, forms and written sheets."""

from typing import Any

import pytest

from scoring.events.reading import read_event
from scoring.rules.variants.western.romme.sheets import RommeSheet
from scoring.rules.variants.western.rum_form import RumSheet
from scoring.rules.variants.western.rummy500.sheets import Rummy500Sheet
from tests.builders.memo import lines
from tests.builders.rules import CAST, CLOSED, TIME_CALLED, Evening, goes_home, penalty, rejoins, sit
from tests.builders.western import extra, played, sheet
from tests.builders.wording import as_read, because, form, opening_refusals, picture, refusal, refusals, story, written


def at(name: str, *, seats: int = 3, entry: int = 0, value: int = 0, **options: Any) -> Evening:
    return sit(name, CAST[:seats], {"entry_minor": entry, "point_value_minor": value}, options)


HOUSES: list[tuple[str, int, dict[str, Any]]] = [
    ("rum", 2, {"mode": "cash", "end": "target"}),
    ("block", 2, {"mode": "winner_scores", "block_scoring": "all_penalty"}),
    ("rummy500", 8, {"packs": 1, "settlement": "pay_difference"}),
    ("rummy500", 7, {"packs": 1, "jokers_per_pack": 0}),
    ("romme", 2, {"settlement": "pay_points", "scoring": "match_points"}),
    *[("romme", 2, house) for house in ({"match_three_up_to": 21}, {"match_two_up_to": 31})],
    ("romme", 2, {"match_three_up_to": 20, "match_one_up_to": 20}),
    ("romme", 2, {"match_two_up_to": 5}),
    ("romme", 2, {"joker_hand": 14, "end_minus": 99, "stock_out": "cry"}),
    ("romme", 2, {"scoring": "match_points", "hand_bonus": 50}),
    ("rum", 2, {"mode": "cash", "stock_exhausted": "block", "block_scoring": "all_penalty"}),
    ("block", 2, {"mode": "cash", "block_scoring": "all_penalty"}),
    ("rum", 2, {"mode": "cash", "rummy_bonus": 50}),
    ("rum", 2, {"target": 24, "rounds": 51, "mode": "fun"}),
    *[("rum", 3, {"target_per_opponent": 100, "target": target}) for target in (200, 250)],
]


def test_a_house_that_does_not_fit_together_is_told_why(snapshot):
    answers = {
        f"{name}, {seats} seats: {written(house)}": opening_refusals(name, seats=seats, options=house)
        for name, seats, house in HOUSES
    }
    collects = {"mode": "cash", "block_scoring": "lowest_collects_minus_own"}
    answers["block for money"] = opening_refusals("block", options=collects, point_value_minor=1)
    assert picture(answers) == snapshot


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
RUM: list[tuple[str, dict[str, Any]]] = [
    ("rum", {"out": None, "counts": ONES}),
    ("block", {"out": None, "went_rummy": True, "counts": ONES}),
    ("rum", {"out": "asha", "counts": {"bo": 4}}),
    ("rum", {"out": "asha", "counts": {"asha": 3, "bo": 340, "cy": 0}}),
    ("rum", {"out": "asha", "counts": {"bo": 341, "cy": 340}}),
    ("rum", {"out": "asha", "counts": {"bo": -3, "cy": "ten", "zoe": 1}}),
    ("rum", {"out": "asha", "counts": {"bo": 1_000_000, "cy": 1_000_001}, "went_rummy": "yes", "score": 3}),
    ("rum", {"out": "asha", "counts": {"bo": 5, "cy": 5}, "hands": {"bo": "5S"}}),
    ("rum", {"out": "asha", "hands": {"asha": "5S", "bo": "5C", "cy": "5H"}}),
    ("rum", {"out": "asha", "counts": [1, 2]}),
    ("rum", {"counts": {"zoe": 1}}),
    ("rum", {"out": "asha", "hands": {"bo": "5S", "cy": "5S"}}),
    ("rum", {"out": "zoe", "counts": {"bo": 1}}),
    ("block", {"out": None, "counts": {"asha": 4, "cy": 0}}),
    ("rum", {"out": "asha", "counts": {"bo": True, "cy": 10**9}, "went_rummy": "yes", "score": 3}),
    ("rum", {"out": "asha", "counts": {"bo": 5}, "hands": {"bo": "5S", "cy": "1X"}}),
]
ROMME: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {"out": None, "hand_romme": True, "counts": ONES}),
    ({}, {"out": None, "laid": 5, "counts": ONES}),
    ({}, {"out": "asha", "unmelded": ["asha"], "counts": TWO}),
    ({"scoring": "casino"}, {"out": "asha", "counts": TWO}),
    ({"stock_out": "reshuffle"}, {"out": None, "counts": ONES}),
    ({"stock_out": "void"}, {"out": None, "counts": ONES}),
    ({"stock_out": "lowest_wins"}, {"out": None, "counts": ONES}),
    *[({"scoring": "casino"}, {"out": "asha", "counts": TWO, "laid": laid}) for laid in (29, 881)],
    *[({"scoring": "casino"}, {"out": "asha", "counts": TWO, "laid": laid}) for laid in (30, 880)],
    ({"scoring": "casino", "first_meld_min": 0}, {"out": "asha", "counts": TWO, "laid": 0}),
    ({"scoring": "casino", "first_meld_min": 0}, {"out": "asha", "counts": TWO, "laid": 1}),
    ({}, {"out": "asha", "hand_romme": True, "unmelded": ["bo"], "counts": TWO}),
    ({"hand_requires_no_opponent_meld": False}, {"out": "asha", "hand_romme": True, "unmelded": ["bo"], "counts": TWO}),
    ({"no_meld_flat": 0}, {"out": "asha", "unmelded": ["bo"], "counts": {"cy": 1}}),
    ({"no_meld_flat": 5}, {"out": "asha", "hand_romme": True}),
    ({"no_meld_flat": 5}, {"out": "asha", "unmelded": ["bo"]}),
    ({}, {"out": "asha", "unmelded": "bo", "counts": TWO}),
    ({}, {"out": "asha", "unmelded": ["zoe"], "laid": "x", "counts": TWO}),
    ({}, {"out": "asha", "counts": {"asha": 4, "bo": 5, "cy": 0}}),
    ({}, {"out": "asha", "counts": {"bo": 5, "cy": 881}}),
]
FIVES = {"asha": 5, "bo": 5}
RUMMY500: list[dict[str, Any]] = [
    {},
    {"out": "asha", "melded": {"asha": 5}, "in_hand": {"bo": 4}},
    {"out": "asha", "melded": FIVES},
    {"out": "asha", "melded": FIVES, "in_hand": {"asha": 3, "bo": 0}},
    {"out": "asha", "melded": FIVES, "in_hand": {"bo": 5}, "hands": {"bo": "5S"}},
    {"out": "asha", "melded": FIVES, "hands": {"asha": "5S", "bo": "5C"}},
    {"out": None, "melded": {"asha": 400, "bo": 5}, "in_hand": {"asha": 20, "bo": 2}},
    {"out": None, "melded": {"asha": 400, "bo": 5}, "in_hand": {"asha": 20, "bo": 1}},
    {"out": "zoe", "melded": {}},
    {"out": "asha", "melded": {"asha": -5, "bo": 5.5}, "in_hand": {"bo": 1}, "hands": {"bo": "5S"}},
]


def test_a_sheet_is_refused_with_a_sentence_for_each_fault(snapshot):
    cases = [
        *[(name, at(name), raw) for name, raw in RUM],
        *[(f"romme with {written(house)}", at("romme", **house), raw) for house, raw in ROMME],
        *[("rummy500", at("rummy500", seats=2), raw) for raw in RUMMY500],
    ]
    answers = ((f"{name}: {written(raw)}", refusals(table, sheet(1, **raw))) for name, table, raw in cases)
    assert picture(answers) == snapshot


def test_a_seat_that_has_left_is_named_once_with_the_field_it_stands_in(snapshot):
    table = at("rum").told(goes_home("cy"))
    sheets: list[dict[str, Any]] = [
        {"out": "cy", "counts": {"asha": 4, "bo": 4}},
        {"out": "cy", "counts": {"asha": 4, "bo": 4, "cy": 4}},
        {"out": "asha", "counts": {"cy": 4, "bo": 4}, "hands": {"cy": "4S"}},
    ]
    assert picture((written(raw), refusals(table, sheet(1, **raw))) for raw in sheets) == snapshot


class TestCourse:
    def test_says_how_far_a_table_is_that_it_is_decided_and_who_may_not_leave(self, snapshot):
        deal = {"out": "asha", "counts": {"bo": 1, "cy": 2}}
        one = {"out": "asha", "counts": {"bo": 1}}
        won = played(at("rum", seats=2, target=40), {"out": "asha", "counts": {"bo": 40}})
        left = at("rum").told(goes_home("cy"))
        answers = {
            f"closed after {deals} deals": refusals(played(at("rum"), *[deal] * deals), CLOSED) for deals in (0, 1, 2)
        } | {
            "time called at once": refusals(at("rum"), TIME_CALLED),
            "another deal when it is won": refusals(won, sheet(2, **one)),
            "the winner leaves": refusals(won, goes_home("asha")),
            "an extra deal when it is won": refusals(won, extra(**one)),
            "leaving once more": refusals(left, goes_home("cy")),
            "the last one leaves": refusals(left.told(goes_home("bo")), goes_home("asha")),
        }
        assert picture(answers) == snapshot

    def test_says_that_level_seats_play_on_and_lets_them_leave(self, snapshot):
        table = played(at("rum", target=40, tie="extra_deal"), {"out": "asha", "counts": {"bo": 20, "cy": 40}})
        level = table.told(penalty("asha", 20))
        another = refusals(level, sheet(2, out="asha", counts={"bo": 1, "cy": 1}))
        assert picture({"a penalty makes two level": story(level), "another deal": another}) == snapshot
        assert level.table.in_play == ("asha", "bo")
        assert level.told(goes_home("asha")).winners() == ("bo",)
        # A loser with a single card is placed after the winner, who has none.
        assert level.told(extra(out="asha", counts={"bo": 1})).winners() == ("asha",)

    def test_tells_how_the_scores_moved_and_who_is_out(self, snapshot):
        first = played(at("romme", eliminate_minus=50), {"out": "asha", "counts": {"bo": 60, "cy": 10}})
        second = played(first, {"out": "asha", "counts": {"cy": 10}})
        back = refusals(first, rejoins("bo"))
        assert picture({"first round": story(first), "second round": story(second), "bo comes back": back}) == snapshot

    def test_has_no_winner_before_a_deal_unless_one_alone_is_left(self):
        fresh = at("rum", seats=2).table
        assert fresh.rules.winners(fresh.setup, fresh.game) == ()
        assert at("rum").told(goes_home("cy")).winners() == ()
        assert at("rum").told(goes_home("cy"), goes_home("bo")).winners() == ("asha",)

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
    event = read_event(sheet(table.table.next_deal, **raw), rules, setup.seats)
    return [refusal(problem) for problem in rules.typing_problems(setup, event)]


TYPED: list[tuple[str, int, dict[str, Any], list[dict[str, Any]]]] = [
    ("rum", 3, {}, [{"counts": {"bo": 70, "cy": 71}}, {"counts": {"bo": 70, "cy": 70}}]),
    *[
        ("rum", seats, {}, [{"counts": dict.fromkeys(CAST[1:seats], 1) | {"bo": count}} for count in (most, most + 1)])
        for seats, most in ((2, 100), (4, 70), (6, 60))
    ],
    ("romme", 3, {}, [{"counts": {"bo": count, "cy": 1}} for count in (6 * 20 + 7 * 11, 6 * 20 + 7 * 11 + 1)]),
    (
        "rum",
        4,
        {},
        [{"counts": {"bo": 70, "cy": 70, "dev": 70}}, {"counts": {"bo": 70, "cy": 70, "dev": 64}}],
    ),
    ("rum", 3, {}, [{"hands": {"bo": "2S 3S 4S 5S 6S 7S 8S 9S", "cy": "2D 3D 4D 5D 6D 7D 8D"}}]),
    # How many cards a short hand has depends on how many were dealt cards.
    ("romme", 2, {"short_hand": True}, [{"counts": {"bo": 134}}, {"counts": {"bo": 135}}]),
    ("romme", 3, {"short_hand": True}, [{"counts": {"bo": count}, "hands": {"cy": "5S"}} for count in (104, 105)]),
    ("romme", 3, {"short_hand": True, "knock": True}, [{"counts": {"bo": 300, "cy": 1}}]),
    (
        "romme",
        3,
        {"knock": True},
        [{"hands": {"bo": "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AD 2D"}, "counts": {"cy": 1}}],
    ),
    ("rum", 6, {}, [{"counts": dict.fromkeys(CAST[1:6], 60)}]),
    ("rummy500", 2, {}, [{"out": None, "melded": {"asha": 0, "bo": 0}, "in_hand": {"asha": 5, "bo": 4}}]),
    ("rummy500", 2, {}, [{"melded": {"asha": laid, "bo": 1 - laid}, "in_hand": {"bo": 4}} for laid in (0, 1)]),
]


def test_what_no_dealt_hands_can_make_is_questioned_before_it_is_saved(snapshot):
    answers = (
        (f"{name}, {seats} seats, {written(house)}: {written(raw)}", mistyped(table, **{"out": "asha", **raw}))
        for name, seats, house, sheets in TYPED
        for table in [at(name, seats=seats, **house)]
        for raw in sheets
    )
    assert picture(answers) == snapshot


WRITTEN: list[tuple[type[RumSheet | RommeSheet | Rummy500Sheet], dict[str, Any]]] = [
    (RumSheet, {"out": "A", "counts": {"B": 4}, "hands": {"C": "5S"}, "went_rummy": True}),
    (RumSheet, {"out": "A", "counts": {"B": 4}}),
    (RumSheet, {"out": None, "counts": {"B": 4}}),
    (RommeSheet, {"out": "A", "counts": {"B": 4}, "hand_romme": True}),
    (RommeSheet, {"out": "A", "counts": {"B": 4}, "unmelded": ("B", "C"), "laid": 40}),
    (RommeSheet, {"out": None, "counts": {"B": 4}, "unmelded": ("C",)}),
    (Rummy500Sheet, {"out": "A", "melded": {"A": 50, "B": 5}, "in_hand": {"B": 7}, "hands": {"C": "5S"}}),
    (Rummy500Sheet, {"out": None, "melded": {"B": 3}}),
]


def test_a_written_sheet_reads_as_it_was_played(snapshot):
    answers = ((f"{kind.__name__}: {written(fields)}", as_read(kind(**fields))) for kind, fields in WRITTEN)
    assert picture(answers) == snapshot


FORMS: list[tuple[str, dict[str, Any]]] = [
    ("rum", {}),
    ("block", {}),
    ("rum", {"jokers": 2, "rummy_multiplier": 1, "stock_exhausted": "block"}),
    ("rum", {"rummy_multiplier": 1, "rummy_bonus": 50}),
    ("rum", {"ace": "high_or_low", "stock_exhausted": "block"}),
    ("romme", {"joker_hand": 25, "stock_out": "reshuffle"}),
    ("romme", {}),
    ("romme", {"scoring": "match_points"}),
    (
        "romme",
        {
            "no_meld_flat": 100,
            "scoring": "casino",
            "stock_out": "void",
            "jokers": 0,
            "hand_requires_no_opponent_meld": False,
        },
    ),
    ("rummy500", {}),
    ("rummy500", {"jokers_per_pack": 0, "values": "5/10/15"}),
]


def test_a_scorer_is_asked_for_what_the_house_scores(snapshot):
    assert picture((f"{name}: {written(house)}", form(at(name, **house))) for name, house in FORMS) == snapshot


@pytest.mark.parametrize(("strangers", "codes"), [(20, ["unknown_seat"] * 20), (21, ["wrong_type"])])
def test_strangers_are_named_one_by_one_up_to_twenty(strangers, codes):
    names = [f"stranger {number}" for number in range(strangers)]
    for more in ({"counts": dict.fromkeys(names, 1)}, {"unmelded": names}):
        found = refusals(at("romme"), sheet(1, **{"out": "asha", "counts": TWO, **more}))
        assert [line.split()[0] for line in found if "counts of" not in line and "did not" not in line] == codes


def test_no_more_text_is_taken_than_a_hand_of_cards_and_none_is_a_hand_that_was_not_entered():
    table = at("rum", stock_exhausted="block")
    too_long = "too_many_cards bo hands: bo: that is more than a hand of cards"
    for spaces, wanted in ((298, []), (299, [too_long])):
        assert refusals(table, sheet(1, out="asha", hands={"bo": "5S" + " " * spaces, "cy": "6S"})) == wanted
    assert refusals(at("rum"), sheet(1, out="asha", counts={"cy": 1}, hands={"bo": ""})) == [
        "missing_count bo counts: bo did not go out, but no hand points were entered"
    ]


BO_5: dict[str, Any] = {"out": "asha", "counts": {"bo": 5}}
BOTH: dict[str, Any] = {"out": "asha", "counts": {"bo": 5, "cy": 9}}


@pytest.mark.parametrize(
    ("name", "house", "written", "changes"),
    [
        ("rum", {}, RumSheet(**BO_5), {"bo": 5, "cy": 0}),
        ("romme", {}, RommeSheet(**BO_5), {"asha": 5, "bo": -5, "cy": 0}),
        ("romme", {"scoring": "casino"}, RommeSheet(**BO_5), {"asha": 5, "bo": -5, "cy": 0}),
        ("romme", {"no_meld_flat": 0}, RommeSheet(**BOTH, unmelded=("bo",)), {"asha": 9, "bo": 0, "cy": -9}),
        (
            "romme",
            {"no_meld_flat": 40},
            RommeSheet(**BOTH, unmelded=("asha", "bo", "dev")),
            {"asha": 49, "bo": -40, "cy": -9},
        ),
        ("romme", {"no_meld_flat": 40}, RommeSheet(out="asha", hand_romme=True), {"asha": 160, "bo": -80, "cy": -80}),
        (
            "rummy500",
            {},
            Rummy500Sheet(out="asha", melded={"asha": 60}, in_hand={"bo": 5}),
            {"asha": 60, "bo": -5, "cy": 0},
        ),
        ("block", {}, RumSheet(out=None), {"asha": 0, "bo": 0, "cy": 0}),
    ],
)
def test_numbers_that_a_correction_left_out_of_a_stored_sheet_count_as_zero(name, house, written, changes):
    table = at(name, **house).table
    rules: Any = table.rules
    assert rules.scored(table.setup, CAST[:3], written).changes == changes
    assert name != "block" or rules.scored(table.setup, (), written).changes == {}


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


@pytest.mark.parametrize("scoring", ["winner_collects", "match_points", "penalty_only"])
def test_an_extra_deal_is_won_by_who_goes_out_and_then_by_the_fewest_points_in_hand(scoring):
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
