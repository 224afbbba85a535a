"""The standings of a stage: sums, averages and points for places, carried scores, and parts that add up."""

from fractions import Fraction

import pytest
from hypothesis import given

from scoring.events import wire
from scoring.tournament import dump_tournament_state, load_tournament_state
from scoring.tournament.standings.results import stage_results
from scoring.tournament.state.played import PartKind, score_text
from tests.builders.plans import HIGH, LOW, POOL, Night, heats, nights, seven_rounds


def test_the_rounds_of_a_stage_are_added_up_and_stand_in_the_direction_of_the_game():
    night = Night(seven_rounds()).play({"asha": 20, "bo": 40}, {"cy": 10, "dev": 70})
    night.play({"asha": 30, "dev": 0}, {"cy": 45, "bo": 5})
    scores = {player: result.score for player, result in night.results().items()}
    assert list(scores.items()) == [("bo", 45), ("asha", 50), ("cy", 55), ("dev", 70)]
    night = Night(seven_rounds(), game=HIGH).play({"asha": 20, "bo": -40}, {"cy": 10, "dev": 70})
    assert list(night.results()) == ["dev", "asha", "cy", "bo"]


def test_unequal_tables_are_compared_by_the_exact_average_per_deal_which_a_sit_out_leaves_alone():
    night = Night(seven_rounds(compares="average")).play({"asha": 10, "bo": 40}, {"cy": 7, "dev": 70}, deals=(3, 2))
    assert night.results()["asha"].score == Fraction(10, 3)
    assert list(night.places()) == ["asha", "cy", "bo", "dev"]
    night = Night(seven_rounds(compares="average"), players=("asha", "bo", "cy"))
    night.play({"asha": 10, "bo": 20}, out=["cy"]).play({"cy": 5, "bo": 31}, out=["asha"])
    assert night.results()["asha"].score == Fraction(10, 4)


def test_a_place_is_worth_its_points_and_shared_places_share_them():
    night = Night(seven_rounds(compares="rank_points", rank_points=[4, 3, 2, 1]))
    night.play({"asha": 10, "bo": 20, "cy": 20, "dev": 90})
    assert {player: result.score for player, result in night.results().items()} == {
        "asha": 4,
        "bo": Fraction(5, 2),
        "cy": Fraction(5, 2),
        "dev": 1,
    }
    before = Night(seven_rounds(compares="rank_points")).play({"asha": 0, "bo": 0, "cy": 0, "dev": 0}, deals=(0,))
    assert {result.score for result in before.results().values()} == {0}


def test_a_sit_out_counts_as_the_average_of_the_own_rounds():
    night = Night(seven_rounds(), players=("asha", "bo", "cy"))
    night.play({"asha": 10, "bo": 20}, out=["cy"]).play({"asha": 5, "cy": 31}, out=["bo"]).play({"bo": 7, "cy": 30})
    asha, bo, cy = (night.results()[player] for player in ("asha", "bo", "cy"))
    assert (bo.score, cy.score) == (Fraction(81, 2), Fraction(183, 2))
    assert [part.what for part in cy.parts] == [PartKind.TABLE, PartKind.TABLE, PartKind.SIT_OUT]
    assert asha.forfeits == 1


def test_in_pools_whoever_went_out_later_stands_before_whoever_went_out_earlier():
    night = Night(heats(per_table=1), game=POOL)
    night.play({"asha": 90, "bo": 120}, {"cy": 60, "dev": 101}, out_in_deal={"bo": 7, "dev": 4})
    assert list(night.places()) == ["cy", "asha", "bo", "dev"]


def test_deals_before_a_move_count_for_when_a_pool_player_went_out():
    night = Night(heats(per_table=1), game=POOL)
    night.play({"asha": 50, "bo": 110}, {"cy": 60, "dev": 40}, out_in_deal={"bo": 6}, deals=(6, 5))
    night.then(wire.PlayersMoved(round=1, instead_of=(1, 2), tables=((3, ("asha", "cy", "dev")),)))
    moved = Night(heats(per_table=1), game=POOL)
    moved.play({}, {}, {"asha": 70, "cy": 105, "dev": 80}, out_in_deal={"cy": 2}, deals=(0, 0, 2))
    night.played += moved.played
    assert list(night.places()) == ["asha", "dev", "cy", "bo"]


def test_a_moved_player_has_the_score_of_the_last_table_of_the_round_once():
    night = Night(heats(per_table=1)).play({"asha": 50, "bo": 30}, {"cy": 60, "dev": 40})
    night.then(wire.PlayersMoved(round=1, instead_of=(1, 2), tables=((3, ("asha", "cy")), (4, ("bo", "dev")))))
    after = Night(heats(per_table=1)).play({}, {}, {"asha": 55, "cy": 75}, {"bo": 90, "dev": 40})
    night.played += after.played
    asha = night.results()["asha"]
    assert (asha.score, [part.tables for part in asha.parts]) == (55, [(1, 3)])


def test_a_stage_that_carries_counts_on_from_the_score_before():
    plan = {"stages": [{"smallest_table": 2, "per_table": 1}, {"smallest_table": 2, "carries": "score"}]}
    night = Night(plan).play({"asha": 20, "bo": 40}, {"cy": 10, "dev": 70}).cut().play({"asha": 5, "cy": 25})
    assert {player: result.score for player, result in night.results().items()} == {"asha": 25, "cy": 35}
    assert [part.amount for part in night.results()["cy"].parts] == [10, 25]


def test_an_average_that_is_carried_counts_the_deals_that_made_it():
    plan = heats(per_table=1, compares="average")
    plan["stages"][1] |= {"carries": "score", "compares": "average"}
    night = Night(plan).play({"asha": 20, "bo": 40}, {"cy": 10, "dev": 70}).cut().play({"asha": 4, "cy": 2}, deals=(2,))
    assert night.results()["asha"].score == Fraction(24, 6)


def test_a_pool_that_carries_has_what_was_brought_on_its_sheet_already():
    plan = {"stages": [{"smallest_table": 2, "per_table": 1}, {"smallest_table": 2, "carries": "score"}]}
    night = Night(plan, game=POOL).play({"asha": 20, "bo": 40}, {"cy": 10, "dev": 70}).cut()
    night.play({"asha": 25, "cy": 35})
    asha = night.results()["asha"]
    assert (asha.score, [part.amount for part in asha.parts]) == (25, [20, 5])


def test_a_player_who_comes_in_between_stages_does_not_start_better_than_the_average():
    plan = {
        "stages": [
            {"smallest_table": 2, "per_table": 1},
            {"smallest_table": 2, "carries": "score", "reentry_minor": 100, "reentry_until_round": 2},
        ]
    }
    night = Night(plan).play({"asha": 20, "bo": 40}, {"cy": 10, "dev": 70}).cut()
    night.then(wire.PlayerReentered(player="bo", stage=2)).play({"asha": 5, "cy": 25, "bo": 0})
    assert night.results()["bo"].score == 15


def test_a_table_that_puts_somebody_behind_whatever_they_scored_is_heard():
    night = Night(seven_rounds()).play({"asha": 20, "bo": 40}, {"cy": 10, "dev": 70})
    cy = next(seat for seat in night.played if seat.player == "cy")
    night.played.remove(cy)
    night.played += [type(cy)(player="cy", round=1, table=2, score=10, rank_key=(2_000_010,), place=2, deals=4)]
    assert list(night.results()) == ["asha", "bo", "dev", "cy"]
    assert night.results()["cy"].score == 10


@pytest.mark.slow
@given(nights())
def test_the_parts_of_every_score_add_up_to_it(night):
    night.then(wire.PlayerLeft(player="p001")).play(
        {"p002": 3, "p003": 9}, {"p004": 1, "p005": 77}, out=["p006", "p007", "p008"]
    )
    night.then(wire.PlayerReturned(player="p001"), wire.PlayerEntered(player="late"))
    night.play({"p001": 5, "late": 6}, {"p002": 1, "p003": 2}, out=["p004", "p005", "p006", "p007", "p008"])
    for result in night.results().values():
        assert sum(part.amount for part in result.parts) == result.score


@pytest.mark.parametrize(
    ("number", "printed"),
    [
        (7, "7"),
        (Fraction(5, 2), "2.50"),
        (Fraction(-10, 3), "-3.33"),
        (Fraction(2, 3), "0.67"),
        (Fraction(-1, 8), "-0.13"),
    ],
)
def test_scores_are_printed_whole_or_with_two_decimals(number, printed):
    assert score_text(number) == printed


def test_level_results_stand_in_the_order_of_tables_and_seats_also_in_a_stored_evening():
    night = Night(seven_rounds(), game=LOW).play({"dev": 10, "cy": 10}, {"bo": 10, "asha": 10})
    assert list(night.results()) == ["dev", "cy", "bo", "asha"]
    night = Night(seven_rounds(), players=("dev", "asha", "cy", "bo")).play({"dev": 10, "cy": 10}, out=["bo", "asha"])
    stored = load_tournament_state(dump_tournament_state(night.state))
    assert list(night.results()) == [r.player for r in stage_results(stored, 1, night.played, LOW)]
