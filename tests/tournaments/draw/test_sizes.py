"""How players are split into tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders.rooms import tables_of
from tournaments.draw import SeatingRejected, Sizes, size_problems, table_sizes


def test_tables_come_as_near_to_the_preferred_size_as_they_can():
    for players, allowed, sizes in (
        (7, tables_of(2, 3, 4, 5, 6), (4, 3)),
        (9, tables_of(3, 4, 5), (5, 4)),
        (10, tables_of(3, 4, 5), (4, 3, 3)),
        (13, tables_of(3, 4, 5), (5, 4, 4)),
        (6, tables_of(2, 3, 4), (3, 3)),
        (48, tables_of(3, 4, 5, 6), (4,) * 12),
        # A table of two is laid rather than somebody sitting out, and not where the room can do without.
        (5, tables_of(2, 3), (3, 2)),
        (6, tables_of(2, 6, preferred=6), (6,)),
        (10, tables_of(2, 5, preferred=5), (5, 5)),
        (8, tables_of(2, 3, 4, preferred=2), (2, 2, 2, 2)),
    ):
        assert table_sizes(players, allowed).sizes == sizes, (players, allowed)


def test_those_left_over_sit_out_where_the_sizes_do_not_add_up_or_the_room_is_small():
    assert table_sizes(7, tables_of(4)).sit_outs == 3
    split = table_sizes(20, tables_of(3, 4, most_tables=4))
    assert (split.sizes, split.sit_outs) == ((4, 4, 4, 4), 4)


def test_too_few_players_for_the_smallest_table_are_told_so():
    with pytest.raises(SeatingRejected, match="2 players cannot fill a table: the smallest size allowed is 3"):
        table_sizes(2, tables_of(3, 4))


def test_sizes_that_do_not_add_up_and_a_room_too_small_are_named_where_nobody_may_sit_out():
    (problem,) = size_problems(7, tables_of(4, 5, may_sit_out=False))
    assert (problem.code, problem.field) == ("sizes_do_not_add_up", "sizes.allowed")
    assert "7 players cannot be split into tables of 4 and 5" in problem.text()
    (problem,) = size_problems(20, tables_of(3, 4, most_tables=4, may_sit_out=False))
    assert problem.text() == "4 tables of at most 4 seat 16 of 20 players, and nobody may sit out"


def test_every_problem_of_the_sizes_is_reported_at_once():
    problems = size_problems(8, Sizes(allowed=(1, 11), preferred=4, most_tables=0))
    assert [problem.code for problem in problems] == [
        "size_out_of_range",
        "size_out_of_range",
        "preferred_not_allowed",
        "no_table",
    ]


@given(players=st.integers(2, 500), allowed=st.sets(st.integers(2, 10), min_size=1))
def test_any_split_uses_allowed_sizes_within_one_and_counts_everybody(players, allowed):
    sizes = tables_of(*sorted(allowed))
    if players < min(allowed):
        assert size_problems(players, sizes)
        return
    split = table_sizes(players, sizes)
    assert set(split.sizes) <= allowed
    assert max(split.sizes) - min(split.sizes) <= 1
    assert sum(split.sizes) + split.sit_outs == players
    assert split.sit_outs < min(allowed)
