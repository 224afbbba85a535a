"""A table's number in the room, however often its players were moved on to another sheet."""

from scoring.tournament import TournamentState
from scoring.tournament.state import Move, RoundSeating, TableSeating
from tournaments.seating.queries.balance import standing_places


def table(number, players):
    return TableSeating(number=number, players=tuple(players))


def places(tables, moves):
    seated = RoundSeating(stage=1, round=1, version=2, tables=tuple(tables), method="draw")
    return standing_places(TournamentState(rounds=(seated,), moves=tuple(moves)), seated)


def moved(instead_of, numbers, **extra):
    return Move(**{"version": 3, "round": 1, "instead_of": instead_of, "numbers": numbers, **extra})


def test_a_new_table_stands_where_most_of_its_players_sat_or_at_the_lower_of_two():
    found = places([table(1, "AB"), table(2, "CDE"), table(3, "CDEAB")], [moved((1, 2), (3,))])
    assert found[3] == 2
    found = places([table(1, "AB"), table(2, "CD"), table(3, "ABCD")], [moved((1, 2), (3,))])
    assert found[3] == 1


def test_a_table_moved_on_twice_still_stands_where_it_stood():
    tables = [table(1, "AB"), table(2, "CDE"), table(3, "FG"), table(4, "CDEAB"), table(5, "CDEFG")]
    found = places(tables, [moved((1, 2), (4,)), moved((3, 4), (5,), version=4)])
    assert found[5] == 2


def test_a_move_of_another_round_says_nothing_of_this_one():
    assert places([table(1, "AB"), table(2, "CD")], [moved((1, 2), (3,), round=9)]) == {1: 1, 2: 2}
