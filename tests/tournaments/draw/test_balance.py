"""Balancing tables while a pool night runs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders.draw_tables import table
from tests.builders.rooms import tables_of
from tournaments.draw import SeatingRejected
from tournaments.draw.balance import RunningTable, break_up, is_balanced, proposals

ANY = tables_of(2, 3, 4, 5, 6)


@st.composite
def rooms(draw_from):
    counts = draw_from(st.lists(st.integers(1, 6), min_size=1, max_size=6))
    room, taken = [], 0
    for number, count in enumerate(counts, start=1):
        seats = tuple(f"P{taken + seat}" for seat in range(count))
        room.append(RunningTable(number=number, seats=seats, next_dealer=draw_from(st.sampled_from(seats))))
        taken += count
    return room


def order_of(tables):
    return {one.number: one.dealing_order for one in tables}


def test_a_room_within_one_needs_nothing_and_another_a_move_from_the_longest_table_to_the_shortest():
    assert is_balanced([table(1, "ABCD"), table(2, "EFG")], ANY)
    assert not is_balanced([table(1, "ABCDE"), table(2, "FGH")], ANY)
    best = proposals([table(1, "ABCDE"), table(2, "FGH"), table(3, "JKLM")], ANY)[0]
    (move,) = best.moves
    assert (move.player, move.from_table, move.to_table) == ("E", 1, 2)
    assert best.closes == ()


def test_who_has_just_dealt_moves_and_sits_behind_the_last_to_deal():
    best = proposals([table(1, "ABCDE", deals_next="C"), table(2, "FGH", deals_next="G")], ANY)[0]
    (move,) = best.moves
    assert (move.player, move.after) == ("B", "F")
    assert order_of(best.tables) == {1: ("C", "D", "E", "A"), 2: ("G", "H", "F", "B")}


def test_a_table_is_closed_where_that_moves_fewest_and_no_table_of_two_is_left():
    best = proposals([table(1, "AB"), table(2, "CDE"), table(3, "FGH")], tables_of(3, 4))[0]
    assert best.closes == (1,)
    assert {move.player for move in best.moves} == {"A", "B"}
    assert proposals([table(1, "ABC"), table(2, "DE")], ANY)[0].closes == (2,)


def test_a_player_who_was_to_deal_next_at_a_closed_table_deals_second_at_the_new_one():
    best = proposals([table(1, "ABC"), table(2, "XY", deals_next="Y")], ANY)[0]
    assert order_of(best.tables) == {1: ("A", "Y", "B", "X", "C")}


def test_a_dealer_who_is_out_and_a_player_at_two_tables_are_reported_at_once():
    with pytest.raises(SeatingRejected) as refusal:
        proposals([table(1, "ABC", deals_next="Z"), table(2, "AX")], ANY)
    assert [problem.code for problem in refusal.value.problems] == ["seated_twice", "dealer_not_seated"]


@given(room=rooms())
def test_every_proposal_seats_everybody_once_within_one_and_keeps_the_dealer_order(room):
    if sum(len(one.seats) for one in room) < 2:
        return
    for proposal in proposals(room, tables_of(*range(2, 11), preferred=4) if len(room) > 1 else ANY):
        moved = {move.player for move in proposal.moves}
        assert sorted(key for one in proposal.tables for key in one.seats) == sorted(
            key for one in room for key in one.seats
        )
        assert max(len(one.seats) for one in proposal.tables) - min(len(one.seats) for one in proposal.tables) <= 1
        before = order_of(room)
        for number, order in order_of(proposal.tables).items():
            stayed = [key for key in order if key not in moved]
            assert stayed == [key for key in before[number] if key not in moved]
            assert order[0] == before[number][0]


@given(room=rooms())
def test_no_way_to_an_even_room_moves_fewer_than_the_surplus(room):
    if sum(len(one.seats) for one in room) < 2 * len(room):
        return
    players, tables = sum(len(one.seats) for one in room), len(room)
    larger = -(-players // tables)
    surplus = sum(max(0, len(one.seats) - larger) for one in room)
    shortage = sum(max(0, players // tables - len(one.seats)) for one in room)
    keeping = [one for one in proposals(room, tables_of(*range(2, 11))) if not one.closes]
    assert [len(one.moves) for one in keeping] == ([max(surplus, shortage)] if max(surplus, shortage) else [])


def test_a_table_of_the_directors_choice_is_closed_and_its_players_go_to_the_smallest():
    closed = break_up([table(1, "AB"), table(2, "CDE"), table(3, "FGHJ")], 2, ANY)
    assert closed.closes == (2,)
    assert {(move.player, move.to_table) for move in closed.moves} == {("E", 1), ("D", 1), ("C", 1)}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            lambda: proposals([table(1, "ABC"), table(2, "DE")], tables_of(4)),
            "5 players still in cannot be split into at most 2 tables of 4",
        ),
        (
            lambda: break_up([table(1, "ABC"), table(2, "DEF")], 1, tables_of(3, 4)),
            "without table 1 there is 1 table of at most 4 for 6 players",
        ),
        (lambda: break_up([table(1, "ABC"), table(2, "DEF")], 7, ANY), "table 7 is not in play"),
    ],
)
def test_what_no_room_can_do_is_refused(asked, said):
    with pytest.raises(SeatingRejected, match=said):
        asked()
