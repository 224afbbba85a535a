"""The places for prizes: as played, and as a preview expects them."""

from typing import Any

from scoring.events import wire
from scoring.messages import say
from scoring.tournament import read_plan
from scoring.tournament.prizes import expected_sheet
from scoring.tournament.standings import Corner, Finish, expected_finish, final_places, finish_of
from scoring.tournament.state.fees import place_unpaid_minor
from tests.builders.plans import LOW, Night, field_of


def finish(night: Night) -> Finish:
    return finish_of(night.state, night.played, lambda stage: night.game)


def test_the_final_comes_first_and_who_is_left_alone_for_it_has_won():
    """Then those who did not go on."""
    plan = {"stages": [{"smallest_table": 2, "per_table": 1}, {"smallest_table": 2}]}
    played, left = (Night(plan).play({"asha": 20, "bo": 40}, {"cy": 30, "dev": 70}).cut() for _ in range(2))
    for night in (played.play({"asha": 50, "cy": 10}), left.then(wire.PlayerLeft(player="asha"))):
        places = dict(final_places(night.state, night.played, lambda stage: LOW))
        assert places == {"cy": 1, "asha": 2, "bo": 3, "dev": 4}


def prizes(*of: tuple[int, str]) -> list[dict[str, Any]]:
    return [{"stage": stage, "of": what, "amounts_minor": [5]} for stage, what in of]


TWO_TABLES = ({"asha": 10, "bo": 40}, {"cy": 30, "dev": 20})


def test_each_table_and_the_whole_of_a_stage_have_a_standing_of_their_own():
    plan = {
        "stages": [{"smallest_table": 2, "rounds": 2, "per_table": 1}, {"smallest_table": 2}],
        "stage_prizes": prizes((2, "stage"), (1, "stage"), (1, "each_table")),
        "late_until_round": 2,
    }
    night = Night(plan).then(wire.PlayerEntered(player="eve")).play(*TWO_TABLES, out=("eve",))
    night.play({"bo": 5, "cy": 5}, {"dev": 0, "asha": 50}, out=("eve",))
    tables = [
        (say("round {round}, table {table}", round=1, table=1), (("asha", 1), ("bo", 2))),
        (say("round {round}, table {table}", round=1, table=2), (("dev", 1), ("cy", 2))),
        (say("round {round}, table {table}", round=2, table=1), (("bo", 1), ("cy", 1))),
        (say("round {round}, table {table}", round=2, table=2), (("dev", 1), ("asha", 2))),
    ]
    *found, whole = finish(night).corners
    assert found == [Corner(stage=1, title=title, placed=placed, is_table=True) for title, placed in tables]
    # Eve has never sat at a table: she has no place. Stage 2 has not been seated.
    assert (whole.stage, str(whole.title), whole.is_table) == (1, "stage 1", False)
    assert [player for player, _ in whole.placed] == ["dev", "cy", "bo", "asha"]


def test_a_table_whose_players_were_moved_has_no_winner():
    plan = {"stages": [{"smallest_table": 2}], "stage_prizes": prizes((1, "each_table"))}
    night = Night(plan).play(*TWO_TABLES)
    night.then(wire.PlayersMoved(round=1, instead_of=(1, 2), tables=((3, ("asha", "bo", "cy", "dev")),)))
    assert [str(corner.title) for corner in finish(night).corners] == ["round 1, table 3"]


def in_order(players: int) -> tuple[tuple[str, int], ...]:
    return tuple((str(place), place) for place in range(1, players + 1))


def expected(players: int, stages: list[dict[str, Any]], *of: tuple[int, str]) -> dict[str, int]:
    """How many have a place in each group of a preview, and in the whole evening."""
    found = expected_finish(read_plan({"stages": stages, "stage_prizes": prizes(*of)}), players)
    assert found.places == in_order(players)
    assert all(corner.placed == in_order(len(corner.placed)) for corner in found.corners)
    assert all(corner.is_table == str(corner.title).startswith("table") for corner in found.corners)
    return {f"{corner.stage}: {corner.title}": len(corner.placed) for corner in found.corners}


def test_a_preview_follows_the_cuts_of_the_plan():
    stages = [
        {"preferred_table": 4, "rounds": 2, "per_table": 2, "wild_cards": 1},
        {"preferred_table": 6, "advancing": 5},
        {"preferred_table": 6},
    ]
    # 13 players sit at four tables, in each of two rounds; two of each and one more qualify.
    first = {f"1: table {number}": 4 for number in range(1, 9)}
    assert expected(13, stages, (1, "each_table"), (1, "stage")) == {**first, "1: stage 1": 13}
    assert expected(13, stages, (2, "stage"), (2, "each_table")) == {"2: stage 2": 9, "2: table 1": 6, "2: table 2": 6}
    assert expected(13, stages, (3, "each_table"), (3, "stage")) == {"3: table 1": 5, "3: stage 3": 5}


def test_a_preview_never_expects_more_players_than_there_are():
    stages = [{"advancing": 50}, {"advancing": 4}, {}]
    of = ((2, "stage"), (3, "stage"))
    assert expected(7, stages, *of) == {"2: stage 2": 7, "3: stage 3": 4}


def test_a_preview_counts_the_pots_that_everybody_plays_for_and_no_other():
    pots = [
        {"name": "High hand", "contribution_minor": 500, "carried_minor": 1},
        {"name": "Jackpot", "contribution_minor": 300, "joins": "opt_in"},
    ]
    paid = expected_sheet(read_plan({"side_pots": pots}), players=4, entry_minor=1_000, fee_bp=0)
    assert {pot.name: pot.total_minor for pot in paid.pots} == {"High hand": 2_001, "Jackpot": 0}
    assert paid.entries.charges == {str(number): 1_500 for number in range(1, 5)}


def test_a_player_who_never_entered_owes_nothing_for_a_place():
    night = Night({"stages": [{"smallest_table": 2}]}, field_of(2))
    night.then(wire.PlayerSubstituted(player="p001", by="sam", reason="ill"))
    assert place_unpaid_minor(night.state, "nobody", 1_000) == 0
    assert place_unpaid_minor(night.state, "sam", 1_000) == 1_000
    assert place_unpaid_minor(night.then(wire.EntryPaid(player="p001", amount_minor=999)).state, "sam", 1_000) == 1
