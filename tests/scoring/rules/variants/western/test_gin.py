"""Gin rummy: knocks, gin, undercuts, boxes, shutouts; Oklahoma, Hollywood and partners."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.events import reading
from scoring.events.wire import DealRecorded
from scoring.rules.cards import parse_cards
from scoring.rules.table.previews import preview
from scoring.rules.variants.western.gin.deadwood import gin_deadwood
from scoring.rules.variants.western.gin.game import (
    GinColumn,
    SideResult,
    ahead_by,
    column_difference,
    entered,
    final_scores,
    is_shutout,
)
from scoring.rules.variants.western.gin.options import GinOptions, read_upcard
from tests.builders.gin import DEAD, gin, goes_gin, knocks
from tests.builders.rules import CAST, CLOSED, TIME_CALLED, Evening, penalty, sit, voided
from tests.builders.western import (
    amounts,
    cases,
    codes,
    examples,
    fixed,
    house,
    played,
    sheet,
    told_twice,
)

KNOWN = ("knock_max", "gin_bonus", "undercut_bonus", "undercut_on_tie", "target", "game_bonus", "box_bonus")


def published_house(case: dict[str, Any]) -> dict[str, Any]:
    """The options of a published case, by our names."""
    given = case["options"]
    extra = ("big_gin_bonus", "gin_extra_boxes", "oklahoma", "ace_means_gin", "shutout", "games")
    return {name: given[name] for name in (*KNOWN, *extra) if name in given}


@cases("gin", "hand")
def test_a_published_hand(case):
    wanted = case["expected"]
    held = case["input"]["defender_deadwood_after_layoff"]
    given = knocks("A", case["input"]["knocker_deadwood"], held)
    if "big_gin_bonus" in case["options"]:
        given = goes_gin("A", held, "big_gin")
    for table in told_twice(sit("gin", ("A", "B"), {}, published_house(case)), [given, DEAD]):
        winner, loser = ("A", "B") if wanted["winner"] == "knocker" else ("B", "A")
        assert (table.total(winner), table.total(loser)) == (wanted["points"], 0)
        assert (table.seat(winner).deals_won, table.seat(loser).deals_won) == (1, 0)
        boxes = table.table.game.columns[0].boxes[0 if winner == "A" else 1]
        assert boxes == 1 + wanted.get("extra_boxes", 0)


@cases("gin", "oklahoma_limit")
def test_a_published_knock_limit(case):
    options = gin(**published_house(case)).table.setup.options
    assert options.knock_limit(case["input"]["upcard"]) == case["expected"]["knock_max"]


@cases("gin", "hollywood")
def test_a_published_hollywood_sheet(case):
    options = GinOptions(games=case["options"]["games"], target=case["options"]["target"])
    columns: tuple[GinColumn, ...] = (GinColumn(),) * options.games
    after_each = []
    for hand in case["input"]["hands"]:
        columns = entered(options, columns, SideResult("AB".index(hand["winner"]), hand["points"], 1))
        after_each.append([column.points[0] for column in columns])
    final = {seat: [column.points[side] for column in columns] for side, seat in enumerate("AB")}
    assert final == case["expected"]["final"]
    assert after_each == case["expected"].get("after_each", after_each)
    closed = [number for number, column in enumerate(columns, start=1) if column.winner is not None]
    assert closed == case["expected"].get("closed", closed)
    if "shut_out_in" in case["expected"]:
        assert [number for number in closed if is_shutout(columns[number - 1])] == case["expected"]["shut_out_in"]["B"]


@cases("gin", "game_end")
def test_a_published_end(case):
    options = GinOptions(**published_house(case))
    hands = case["input"]["hands_won"]
    points = case["input"]["points"]
    column = GinColumn((points["A"], points["B"]), (hands["A"], hands["B"]), (hands["A"], hands["B"]), 0)
    assert final_scores(options, column) == tuple(case["expected"]["final"].values())
    assert column_difference(options, column) == case["expected"]["difference"]


@cases("gin", "team_hand_boxes")
def test_published_boxes_of_a_team(case):
    given, wanted = case["input"], case["expected"]
    options = GinOptions(box_bonus=case["options"]["box_bonus"], game_bonus=0, games=3, last_game_doubles=True)
    boxes = given["extra_boxes"] + given["score_boxes"]
    column = GinColumn((given["points"], 0), (boxes, 0), (1, 1), 0)
    assert boxes * options.box_bonus == wanted["boxes_value"]
    assert column_difference(options, column) == wanted["hand_value"]
    assert ahead_by(options, (column,) * 3) == wanted["three_columns"]
    shut_out = GinColumn((given["points"], 0), (boxes, 0), (1, 0), 0)
    assert ahead_by(options, (shut_out,) * 3) == wanted["three_columns_shutout"]


@cases("gin", "deadwood")
def test_a_published_knock(case):
    cards = parse_cards(" ".join(case["input"]["hand"]), "hand")
    discard = parse_cards(case["input"]["discard"], "discard")
    left = gin_deadwood([card for card in cards if card not in discard])
    assert (gin_deadwood(cards), left) == (case["expected"]["before_discard"], case["expected"]["deadwood"])
    assert (codes(gin(), sheet(1, **knocks("asha", left, 20))) == []) is case["expected"]["may_knock"]


@examples("gin_hands")
def test_a_hand_is_worth_what_the_page_says(row):
    ending = {} if row["ending"] in ("knock", "gin") else {"ending": row["ending"]}
    given = knocks("A", int(row["knocker"]), int(row["defender"]), **ending)
    given |= {"upcard": row["upcard"]} if row["upcard"] else {}
    table = played(sit("gin", ("A", "B"), {}, house(row["house"])), given)
    assert table.totals() == amounts(row["points"])


@examples("gin_ends")
def test_a_game_ends_as_the_page_says(row):
    points, won = amounts(row["points"]), amounts(row["hands"])
    column = GinColumn((points["A"], points["B"]), (won["A"], won["B"]), (won["A"], won["B"]), 0)
    options = GinOptions(**house(row["house"]))
    assert final_scores(options, column) == tuple(amounts(row["final"]).values())
    assert column_difference(options, column) == int(row["difference"])


class TestEnd:
    def test_pays_the_difference_with_boxes_bonus_and_shutout(self):
        table = played(gin(value=10, fee_bp=500), goes_gin("asha", 75))
        assert table.table.is_finished
        assert table.seat("asha").net_points == 2 * (100 + 100 + 25)
        assert (table.paid(), table.fee()) == ({"asha": 4275, "bo": -4500}, 225)

    def test_belongs_to_who_is_ahead_when_boxes_are_counted(self):
        table = gin(game_bonus=0, box_bonus=50, entry=100)
        table = played(table, *[knocks("bo", 1, 4)] * 6, goes_gin("asha", 75))
        assert table.totals() == {"asha": 100, "bo": 18}
        assert table.seat("bo").net_points == 6 * 50 + 18 - 100 - 50
        assert (table.winners(), table.paid()) == (("bo",), {"bo": 200})

    def test_when_time_is_called_has_no_game_bonus_and_no_shutout_and_is_shared_over_dead_hands(self):
        table = played(gin(value=1), knocks("asha", 4, 24))
        assert [code for code, *_ in codes(table, CLOSED)] == ["not_finished"]
        assert table.told(TIME_CALLED).paid() == {"asha": 45, "bo": -45}
        dead = played(gin(value=1, entry=50), DEAD).told(TIME_CALLED)
        assert (dead.winners(), dead.paid()) == (("asha", "bo"), {"asha": 50, "bo": 50})

    def test_follows_a_correction_and_a_void(self):
        table = played(gin(), goes_gin("asha", 75))
        assert [code for code, *_ in codes(table, sheet(2, **DEAD))] == ["table_finished"]
        assert not table.told(fixed(1, **goes_gin("asha", 74))).table.is_finished
        assert table.told(voided(1)).totals() == {"asha": 0, "bo": 0}


class TestOklahoma:
    def test_sets_the_limit_by_the_card_turned_up(self):
        table = gin(oklahoma=True)
        assert codes(table, sheet(1, **knocks("asha", 6, 20, upcard="5H"))) == [
            ("knock_over_limit", "asha", "knocker_deadwood")
        ]
        assert codes(table, sheet(1, **knocks("asha", 5, 20, upcard="5"))) == []
        assert codes(table, sheet(1, **knocks("asha", 1, 20, upcard="AD")))[0][0] == "knock_over_limit"
        assert codes(gin(oklahoma=True, ace_means_gin=False), sheet(1, **knocks("asha", 1, 20, upcard="AD"))) == []

    @pytest.mark.parametrize(
        ("written", "read"),
        [("10", "T"), ("t", "T"), ("10♥", "TH"), ("as", "AS"), ("PJ", None), ("1", None), (7, None)],
    )
    def test_reads_a_card_or_a_rank(self, written, read):
        assert read_upcard(written) == read


class TestHollywood:
    def test_ends_when_all_games_are_won_and_adds_their_differences(self):
        table = gin(games=2, value=1, last_game_doubles=True)
        table = played(table, goes_gin("asha", 75), knocks("bo", 1, 3), goes_gin("asha", 75))
        assert [column.points for column in table.table.game.columns] == [(100, 0), (100, 2)]
        assert table.seat("asha").net_points == 450 + 2 * (100 + 100 + 25 - 2 - 25)
        assert table.table.is_finished is True
        # A last game that doubles needs a game before it.
        alone, plain = (played(gin(last_game_doubles=doubles), goes_gin("asha", 75)) for doubles in (True, False))
        assert alone.seat("asha").net_points == plain.seat("asha").net_points

    def test_begins_game_four_when_game_one_ends_where_the_house_plays_on(self):
        """Planted faults: game four open from the start; the deal that ends game one entered in game four as well."""
        table = played(gin(games=3, further_games=1), goes_gin("asha", 75))
        assert [column.points for column in table.table.game.columns] == [(100, 0), (0, 0), (0, 0), (0, 0)]
        table = played(table, goes_gin("asha", 5), goes_gin("asha", 5), goes_gin("asha", 5))
        assert [column.points[0] for column in table.table.game.columns] == [100, 90, 60, 30]
        table = played(table, goes_gin("asha", 50))
        assert [column.winner for column in table.table.game.columns] == [0, 0, 0, 0]
        assert table.table.is_finished is True
        none_begins = gin(games=3, further_games=0)
        assert none_begins.table.setup.options == gin(games=3).table.setup.options


class TestPartners:
    def deal(self, first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
        return {"hands": [first, second]}

    def test_net_their_hands_into_one_result_and_one_box_and_ignore_a_dead_one(self):
        both = self.deal(knocks("asha", 2, 22, defender="bo"), knocks("dev", 1, 9, defender="cy"))
        table = played(gin(seats=4), both)
        assert table.totals() == {"asha": 12, "bo": 0, "cy": 12, "dev": 0}
        assert table.table.game.columns[0] == GinColumn((12, 0), (1, 0), (1, 0))
        dead = self.deal(knocks("asha", 2, 22, defender="dev"), {"ending": "dead"})
        assert played(gin(seats=4), dead).total("cy") == 20

    def test_keep_the_further_boxes_of_the_hands_they_won_and_one_doubled_once_by_a_spade(self):
        both = self.deal(goes_gin("asha", 5, defender="bo"), goes_gin("cy", 5, defender="dev"))
        table = played(gin(seats=4, gin_extra_boxes=2), both)
        assert table.table.game.columns[0] == GinColumn((60, 0), (5, 0), (1, 0))
        table = gin(seats=4, oklahoma=True, spades_double="points_and_boxes")
        table = played(table, {**both, "upcard": "9S"})
        assert table.table.game.columns[0] == GinColumn((120, 0), (2, 0), (1, 0), 0)

    def test_each_settle_with_one_opponent(self):
        table = gin(seats=4, value=1, entry=10, shutout="none", game_bonus=0, box_bonus=0)
        ended = played(table, self.deal(goes_gin("asha", 75, defender="bo"), {"ending": "dead"}))
        assert ended.paid() == {"asha": 120, "bo": -100, "cy": 120, "dev": -100}


def test_a_knock_that_wins_may_have_a_bonus_and_an_undercut_has_its_own():
    table = played(gin(knock_bonus=15), knocks("asha", 3, 20), knocks("asha", 5, 5), goes_gin("bo", 10))
    assert table.totals() == {"asha": 17 + 15, "bo": 25 + 35}


def test_ten_cards_never_count_more_than_98():
    """Planted fault: a stored sheet with 99 refused, so that its table no longer folds."""
    table = gin()
    assert refused_typing(table, 98) == []
    assert refused_typing(table, 99) == ["count_over_cap"]
    assert played(table, knocks("asha", 3, 99)).total("asha") == 96


def refused_typing(table: Evening, held: int) -> list[str]:
    return [problem.code for problem in preview(table.table, sheet(1, **knocks("asha", 3, held))).problems]


def test_equal_counts_are_not_called_held_where_they_are_an_undercut():
    event = reading.read_event(sheet(1, **knocks("asha", 5, 5)), gin().table.rules, ("asha", "bo"))
    assert isinstance(event, DealRecorded)
    assert event.sheet.marks()["bo"].title == "Equal count"


def test_an_illegal_knock_is_kept_and_scores_nothing():
    table = played(gin(), knocks("asha", 3, 20, illegal_knocks=["bo"]))
    assert (table.seat("bo").wrong_shows, table.totals()) == (1, {"asha": 17, "bo": 0})


def test_a_penalty_counts_against_the_side():
    table = played(gin(), knocks("asha", 3, 20)).told(penalty("asha", 10))
    assert table.totals() == {"asha": 7, "bo": 0}
    assert table.seat("bo").net_points == 10 - 17 - 25


HANDS = st.lists(
    st.tuples(st.sampled_from(CAST[:2]), st.integers(0, 10), st.integers(0, 60), st.booleans()), min_size=1, max_size=25
)


def told(start: Evening, hands: Any) -> Evening:
    table = start
    for seat, deadwood, held, is_dead in hands:
        if table.table.is_finished:
            break
        table = played(table, DEAD if is_dead and deadwood > 6 else knocks(seat, deadwood, held))
    return table


@given(HANDS, st.sampled_from([50, 100, 250]))
def test_hollywood_with_one_game_is_plain_gin(hands, target):
    """Plain gin scored without columns: points run on, every hand won is a box."""
    table = told(gin(target=target), hands)
    points, boxes, winner = [0, 0], [0, 0], None
    for raw in table.events:
        if raw["knocker"] is None or winner is not None:
            continue
        knocked, held, seat = raw["knocker_deadwood"], raw["defender_deadwood"], CAST.index(raw["knocker"])
        gained, side = (held + 25, seat) if not knocked else (held - knocked, seat)
        if knocked and held <= knocked:
            gained, side = knocked - held + 25, 1 - seat
        points[side] += gained
        boxes[side] += 1
        winner = side if points[side] >= target else None
    final = [points[side] + 25 * boxes[side] + (100 if winner == side else 0) for side in (0, 1)]
    ahead = (final[0] - final[1]) * (2 if winner is not None and not boxes[1 - winner] else 1)
    assert [table.seat(seat).net_points for seat in CAST[:2]] == [ahead, -ahead]
    assert list(table.totals().values()) == points


@given(
    HANDS,
    st.integers(1, 4),
    st.sampled_from(["double_difference", "double_points", "flat", "none"]),
    st.integers(0, 3),
    st.sampled_from([0, 15]),
)
def test_what_one_side_wins_the_other_loses(hands, games, shutout, further, knock_bonus):
    house = {"further_games": further, "knock_bonus": knock_bonus}
    table = told(gin(games=games, shutout=shutout, value=3, target=60, **house), hands)
    first, second = (table.seat(seat).net_points or 0 for seat in CAST[:2])
    assert first == -second
    ended = table if table.table.is_finished else table.told(TIME_CALLED)
    assert sum(ended.paid().values()) == 0


@given(HANDS, st.integers(1, 3), st.integers(1, 4))
def test_as_many_games_are_open_as_are_scored_side_by_side_until_the_last_has_begun(hands, games, further):
    columns = told(gin(games=games, further_games=further, target=50), hands).table.game.columns
    still_open = sum(column.winner is None for column in columns)
    assert still_open == games or len(columns) == games + further


@given(HANDS, st.integers(1, 4))
def test_the_first_game_of_hollywood_is_the_plain_game(hands, games):
    plain, side_by_side = told(gin(), hands), told(gin(games=games), hands)
    first = side_by_side.table.game.columns[0]
    assert first.points == plain.table.game.columns[0].points
