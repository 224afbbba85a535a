"""The chain of tie-breaks, one after the other, and the line that reports what decided."""

import pytest
from hypothesis import given

from scoring.events import wire
from scoring.rules.cards import parse_cards
from scoring.tournament.standings.tiebreaks import by_high_card
from tests.builders.plans import HIGH, Night, heats, nights, seven_rounds

LEVEL = {"asha": 20, "bo": 20}, {"cy": 20, "dev": 90}


def night(*chain, **numbers):
    return Night(seven_rounds() | {"tie_breaks": chain}).play(*LEVEL, **numbers)


def test_more_deals_won_decide_and_each_player_reads_a_line_that_is_true_of_them():
    """Planted fault: "3 deals won against 2" under the player who had won 2."""
    found = night("deals_won", deals_won={"asha": 3, "bo": 4, "cy": 1})
    assert found.places() == {"bo": 1, "asha": 2, "cy": 3, "dev": 4}
    assert found.lines() == {
        "bo": "4 deals won against 3",
        "asha": "3 deals won against 4",
        "cy": "1 deal won against 3",
    }


def test_the_next_tie_break_is_asked_where_one_says_nothing():
    found = night("deals_won", "fewest_wrong_shows", deals_won={"asha": 2, "bo": 2}, wrong_shows={"asha": 1})
    assert list(found.places()) == ["bo", "asha", "cy", "dev"]
    assert found.lines()["bo"] == "0 wrong shows against 1"


def test_players_whom_nothing_tells_apart_share_the_place_and_the_next_is_skipped():
    assert list(night("fewest_drops", drops={"asha": 1, "bo": 2}).places())[:3] == ["cy", "asha", "bo"]
    found = night("fewest_drops")
    assert found.places() == {"asha": 1, "bo": 1, "cy": 1, "dev": 4}
    assert found.lines()["bo"] == "tied on every tie-break"


@pytest.mark.parametrize(
    ("by_hand", "line"),
    [
        ("high_card", "tied, no card drawn"),
        ("extra_deal", "tied, no extra deal played"),
        ("lots", "tied, no lots drawn"),
    ],
)
def test_a_tie_that_waits_for_a_tie_break_by_hand_says_which_one_was_not_done(by_hand, line):
    """Planted fault: "tied on every tie-break" while no card was drawn."""
    found = night("fewest_drops", by_hand, "deals_won")
    assert [found.lines()[player] for player in ("asha", "bo", "cy")] == [line] * 3


def test_head_to_head_counts_where_it_orders_everybody():
    found = Night(seven_rounds() | {"tie_breaks": ["head_to_head"]})
    found.play({"asha": 10, "bo": 20}, {"cy": 15, "dev": 99}).play({"asha": 20, "cy": 15}, {"bo": 10, "dev": 99})
    found.play({"cy": 5, "bo": 5}, {"asha": 5, "dev": 99})
    assert {row.place for row in found.standings()} == {1, 4}


def test_two_level_players_are_told_apart_by_the_table_they_shared():
    found = Night(seven_rounds() | {"tie_breaks": ["head_to_head"]})
    found.play({"asha": 10, "bo": 20}, {"cy": 50, "dev": 99}).play({"asha": 30, "cy": 50}, {"bo": 20, "dev": 99})
    assert list(found.places())[:2] == ["asha", "bo"]
    assert found.lines()["asha"] == "1 beaten head to head against 0"


def test_the_last_deal_decides_in_the_direction_of_the_game():
    last = {"asha": 12, "bo": 30, "cy": 5}
    assert list(night("last_deal", last_deal=last).places())[:3] == ["cy", "asha", "bo"]
    high = Night(seven_rounds() | {"tie_breaks": ["last_deal"]}, game=HIGH).play(*LEVEL, last_deal=last)
    assert list(high.places()) == ["dev", "bo", "asha", "cy"]


def test_a_table_of_one_round_is_believed_in_how_it_put_its_level_players():
    found = Night(heats(per_table=1) | {"tie_breaks": []}, ("asha", "bo")).play({"asha": 20, "bo": 20})
    asha, bo = found.played[:2]
    found.played[:2] = [
        type(asha)(player="asha", round=1, table=1, score=20, rank_key=(20, 5), place=2, deals=4),
        type(bo)(player="bo", round=1, table=1, score=20, rank_key=(20, 0), place=1, deals=4),
    ]
    assert list(found.places())[:2] == ["bo", "asha"]
    assert found.lines() == {"bo": "ranked higher at their own table", "asha": "ranked lower at their own table"}


def test_the_chain_waits_at_an_extra_deal_although_later_ones_could_tell():
    found = night("extra_deal", "deals_won", deals_won={"asha": 1})
    assert found.places()["asha"] == found.places()["bo"] == 1


ORDER = ("bo", "asha", "cy")


@pytest.mark.parametrize(
    ("settled", "lines"),
    [
        ({"method": "extra_deal"}, ["ahead in the extra deal", "", "behind in the extra deal"]),
        (
            {"method": "high_card", "cards": {"asha": "KS", "bo": "AD", "cy": "7C"}},
            ["AD drawn against KS", "KS drawn against AD", "7C drawn against KS"],
        ),
        (
            {"method": "lots", "seed": "K7QF-2M9X"},
            ["ahead by lot (draw code K7QF-2M9X)", "", "behind by lot (draw code K7QF-2M9X)"],
        ),
    ],
)
def test_what_settled_a_tie_decides_and_is_reported(settled, lines):
    found = night(settled["method"]).then(wire.TieSettled(stage=1, order=ORDER, **settled))
    assert list(found.places())[:3] == list(ORDER)
    assert all(found.lines()[player] == line for player, line in zip(ORDER, lines, strict=True) if line)


@pytest.mark.parametrize("settled", [{"stage": 1, "order": ("asha", "bo")}, {"stage": 2, "order": ORDER}])
def test_a_tie_that_was_settled_for_others_or_in_another_stage_decides_nothing(settled):
    found = night("extra_deal").then(wire.TieSettled(method="extra_deal", **settled))
    assert found.places()["asha"] == found.places()["cy"] == 1


def test_the_high_card_goes_by_rank_with_the_ace_on_top_and_then_by_suit():
    drawn = dict(zip("abcde", parse_cards("KC KS AD 2S KH", "cards"), strict=True))
    assert by_high_card(drawn) == ("c", "b", "e", "a", "d")


@pytest.mark.slow
@given(nights())
def test_places_follow_scores_and_count_everybody_once(found):
    rows = found.standings()
    assert sorted(row.player for row in rows) == sorted(found.players)
    assert [row.result.key for row in rows] == sorted(row.result.key for row in rows)
    assert all(row.place == 1 + sum(other.place < row.place for other in rows) for row in rows)
