"""Presets of the Western games: a deal is played at each, and a house plays as its published page says."""

from typing import Any

import pytest

from scoring.problems import OptionsRejected
from scoring.rules.variants import PRESETS
from tests.builders.rules import CAST, Evening, sit
from tests.builders.western import played
from tests.builders.western_histories import NAMES

STAKES = {"entry_minor": 1_000, "point_value_minor": 100}
WESTERN = [preset.name for rules, preset in PRESETS.values() if rules.name in NAMES]
OUT: dict[str, Any] = {"out": "asha", "counts": {"bo": 8, "cy": 31}}
BLOCKED: dict[str, Any] = {"out": None, "counts": {"asha": 6, "bo": 15, "cy": 30}}
HAND: dict[str, Any] = {"knocker": "asha", "ending": "gin", "defender_deadwood": 18}
DEALS: dict[str, dict[str, Any]] = {
    "rum": OUT,
    "block": OUT,
    "romme": OUT,
    "rummy500": {"out": "asha", "melded": {"asha": 60, "bo": 35, "cy": 0}, "in_hand": {"bo": 5, "cy": 20}},
    "rummy_royal": {"dealer": "asha", "out": "asha", "cards_left": {"bo": 1, "cy": 3}},
    "gin": HAND,
}


def at(preset: str, seats: int = 3) -> Evening:
    """A table opened from a preset."""
    rules, found = PRESETS[preset]
    return sit(rules.name, CAST[:seats], STAKES, found.options)


def totals(preset: str, *deals: dict[str, Any], seats: int = 3) -> list[int | None]:
    """The totals of the seats after these deals."""
    return list(played(at(preset, seats), *deals).totals().values())


@pytest.mark.parametrize("name", WESTERN)
def test_a_deal_is_played_at_every_western_preset(name):
    game, options = PRESETS[name][0].name, PRESETS[name][1].options
    deal, seats = DEALS[game], 2 if game == "gin" else 3
    if options.get("scoring") == "casino":
        deal = {**deal, "laid": 95}
    if options.get("oklahoma"):
        deal = {**deal, "upcard": "7H"}
    if options.get("partnership"):
        deal, seats = {"hands": [{**HAND, "defender": "dev"}, {"ending": "dead"}]}, 4
    assert played(at(name, seats), deal).table.deals == 1


@pytest.mark.parametrize("name", WESTERN)
def test_every_western_preset_says_where_it_comes_from(name):
    assert PRESETS[name][1].note.endswith(".")


def test_casino_ranking_is_labelled_unverified_where_a_director_chooses_it():
    assert "unverified" in PRESETS["palace_casino"][1].title
    assert PRESETS["palace_casino"][1].note.startswith("Unverified")


def test_casino_ranking_gives_the_winner_the_cards_laid_besides():
    assert totals("palace_casino", {**OUT, "laid": 95}) == [39 + 95, -8, -31]


def test_the_rummy_palace_plays_winner_collects_and_doubles_a_hand_romme():
    assert totals("palace", OUT) == [39, -8, -31]
    assert totals("palace", {**OUT, "hand_romme": True}) == [78, -16, -62]


def test_a_short_hand_has_no_more_jokers_than_one_pack():
    assert sit("romme", CAST[:2], {}, {"short_hand": True, "jokers": 2}).table.setup.options.jokers == 2
    with pytest.raises(OptionsRejected, match="one pack with 3 jokers at most, not 6"):
        sit("romme", CAST[:2], {}, {"short_hand": True, "jokers": 6})


def test_a_short_hand_has_one_pack_of_55_cards_and_no_registration():
    options = at("palace_short_hand").table.setup.options
    assert (options.pack_cards, options.first_meld_min) == (55, 0)
    assert at("palace_no_jokers").table.setup.options.pack_cards == 104


@pytest.mark.parametrize(
    "name", ["palace_cyclic", "palace_strict_joker", "palace_strict_groups", "palace_knock", "palace_no_discard"]
)
def test_special_rules_of_play_leave_the_score_as_it_is(name):
    assert totals(name, OUT) == totals("palace", OUT)


def test_a_table_that_ends_at_500_lost_ends_there():
    lost = {"out": "asha", "counts": {"bo": 125, "cy": 1}}
    assert not played(at("palace_minus_500"), lost, lost, lost).table.is_finished
    assert played(at("palace_minus_500"), lost, lost, lost, lost).table.is_finished


def test_clubs_award_match_points():
    assert totals("romme_match_points", OUT) == [5, 3, 0]
    assert totals("romme_match_points", {**OUT, "hand_romme": True})[0] == 8


def test_a_seat_is_out_with_101_bad_points_at_rommee():
    lost = {"out": "asha", "counts": {"bo": 101, "cy": 1}}
    assert played(at("romme_out_at_101"), lost).is_out("bo")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("rum", [0, 16, 62]),
        ("rum_no_doubling", [0, 8, 31]),
        ("rum_winner_scores", [78, 0, 0]),
        ("rum_cash", [78, -16, -62]),
    ],
)
def test_going_rummy_counts_as_the_house_plays_it(name, wanted):
    assert totals(name, {**OUT, "went_rummy": True}) == wanted


@pytest.mark.parametrize(
    ("name", "ace"), [("rum", 1), ("rum_aces_high", 15), ("rum_around_the_corner", 15), ("rum_ace_11", 11)]
)
def test_an_ace_costs_what_the_house_says(name, ace):
    assert totals(name, {"out": "asha", "hands": {"bo": "AS", "cy": "2D"}}) == [0, ace, 2]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("block", [6, 15, 30]),
        ("block_differences", [-33, 9, 24]),
        ("block_lowest_collects", [-39, 15, 30]),
        ("block_winner_scores", [33, 0, 0]),
        ("block_cash", [33, -9, -24]),
    ],
)
def test_a_blocked_deal_is_scored_as_the_house_says(name, wanted):
    assert totals(name, BLOCKED) == wanted


def test_a_player_who_must_go_out_to_win_does_not_win_without_it():
    rich: dict[str, Any] = {"out": "bo", "melded": {"asha": 520, "bo": 100, "cy": 0}, "in_hand": {"asha": 5, "cy": 5}}
    deals = [{**rich, "melded": {**rich["melded"], "asha": 130}} for _ in range(4)]
    assert played(at("rummy500"), *deals).winners() == ("asha",)
    assert not played(at("rummy500_must_go_out"), *deals).table.is_finished


@pytest.mark.parametrize(("name", "points"), [("gin", 43), ("gin_20_10", 38), ("gin_250", 43), ("gin_tournament", 43)])
def test_gin_is_worth_the_bonus_of_the_house(name, points):
    assert totals(name, HAND, seats=2) == [points, 0]


def test_big_gin_is_worth_31_at_ginrummy_com():
    assert totals("gin_big_gin", {**HAND, "ending": "big_gin"}, seats=2) == [49, 0]


def test_hollywood_plays_three_games_at_once():
    table = played(at("gin_hollywood", 2), HAND, HAND)
    assert [column.points[0] for column in table.table.game.columns] == [86, 43, 0]


def test_partners_cannot_be_two():
    with pytest.raises(Exception, match="with partners four or six"):
        at("gin_partnership", 2)


@pytest.mark.parametrize(
    ("name", "box"), [("rummy_royal", "678"), ("michigan_789", "789"), ("rummy_royal_8910", "8910")]
)
def test_each_board_pays_its_own_sequence(name, box):
    won = {**DEALS["rummy_royal"], "boxes": {box: "cy"}}
    assert played(at(name), won).table.game.chips.boxes[box] == 0


def test_the_sequence_is_shared_on_a_tripoley_board():
    won = {**DEALS["rummy_royal"], "boxes": {"8910": ["bo", "cy"]}}
    assert played(at("tripoley_8910"), won).table.game.chips.boxes["8910"] == 1


@pytest.mark.parametrize("name", ["michigan_789", "rummy_royal_dealer_double"])
def test_the_dealer_lays_two_chips_a_box_on_michigan_boards(name):
    assert played(at(name), {**DEALS["rummy_royal"], "boxes": {}}).table.game.chips.boxes["AH"] == 4
