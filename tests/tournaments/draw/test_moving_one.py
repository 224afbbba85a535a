"""One player to a table of the director's choice: the next dealer stays, and every player keeps a place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.draw import SeatingRejected
from tournaments.draw.balance import RunningTable, move_one

FIRST = RunningTable(number=1, seats=("asha", "bo", "cy", "dev"), next_dealer="cy")
SECOND = RunningTable(number=2, seats=("eli", "fay", "gita"), next_dealer="fay")


def moved(player, to_table, most=6):
    proposal = move_one([FIRST, SECOND], player, to_table, most=most)
    return {table.number: table for table in proposal.tables}


def test_the_player_leaves_one_table_and_sits_at_the_other():
    after = moved("bo", 2)
    assert after[1].seats == ("asha", "cy", "dev")
    assert set(after[2].seats) == {"bo", "eli", "fay", "gita"}


def test_where_the_next_dealer_gets_up_the_deal_passes_on():
    after = moved("cy", 2)
    assert after[1].next_dealer == "dev"
    assert after[2].dealing_order[:2] == ("fay", "cy")


@given(st.data())
def test_nobody_who_stays_deals_in_another_order(data):
    sizes = data.draw(st.lists(st.integers(3, 6), min_size=2, max_size=4))
    keys = iter(range(100))
    tables = []
    for number, size in enumerate(sizes, 1):
        seats = tuple(f"p{next(keys)}" for _ in range(size))
        tables.append(RunningTable(number=number, seats=seats, next_dealer=data.draw(st.sampled_from(seats))))
    origin, goal = data.draw(st.permutations(tables))[:2]
    player = data.draw(st.sampled_from(origin.seats))
    after = {table.number: table for table in move_one(tables, player, goal.number, most=10).tables}
    for table in tables:
        stayed = [key for key in after[table.number].dealing_order if key != player]
        assert stayed == [key for key in table.dealing_order if key != player]
    assert after[goal.number].next_dealer == goal.next_dealer
    assert sorted(key for t in after.values() for key in t.seats) == sorted(key for t in tables for key in t.seats)


@pytest.mark.parametrize(
    ("player", "to_table", "most", "code"),
    [
        ("zoe", 2, 6, "not_in_play"),
        ("asha", 3, 6, "no_such_table"),
        ("asha", 1, 6, "same_table"),
        ("asha", 2, 3, "table_too_large"),
    ],
)
def test_a_move_that_cannot_be_is_refused(player, to_table, most, code):
    with pytest.raises(SeatingRejected) as refused:
        moved(player, to_table, most)
    assert [problem.code for problem in refused.value.problems] == [code]


def test_a_table_keeps_two_players_or_is_closed_as_a_whole():
    pair = RunningTable(number=3, seats=("hari", "ina"), next_dealer="ina")
    with pytest.raises(SeatingRejected, match="close it instead"):
        move_one([FIRST, pair], "hari", 1, most=6)
