"""Five new players are added and seated at the same cost, however many players and tables there are."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.builders.playing import context, new_club, new_tournament
from tests.builders.sqlite_steps import counted_steps
from tournaments.log.context import club_lock
from tournaments.models import Table, Tournament
from tournaments.people.players import add_players
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table, open_tables

pytestmark = pytest.mark.django_db
AT_A_TABLE = 5
MOST_QUERIES = 25


def played_at(tables: int, naming: str) -> Tournament:
    """A tournament of one round with so many tables of five."""
    tournament = new_tournament(new_club(naming=naming), "pool_201")
    players = add_players(tournament.club, [f"Player{number} Rao" for number in range(AT_A_TABLE * tables)])
    drafts = [
        TableDraft(
            number=number + 1,
            seats=[
                SeatedPlayer(number=seat + 1, player=players[AT_A_TABLE * number + seat].id)
                for seat in range(AT_A_TABLE)
            ],
        )
        for number in range(tables)
    ]
    with club_lock(tournament.club_id):
        open_tables(tournament, drafts, context())
    return tournament


def five_more(tournament: Tournament, names: str = "Newcomer") -> Table:
    players = add_players(tournament.club, [f"{names}{number} Roy" for number in range(AT_A_TABLE)])
    seats = [SeatedPlayer(number=seat, player=player.id) for seat, player in enumerate(players, start=1)]
    return open_table(tournament, TableDraft(number=9_000, seats=seats), context=context())


def test_five_new_players_are_seated_in_few_queries():
    tournament = played_at(2, "full")
    with CaptureQueriesContext(connection) as asked:
        five_more(tournament)
    assert len(asked) <= MOST_QUERIES


@pytest.mark.slow
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="its steps are those of SQLite")
@pytest.mark.parametrize(("naming", "names"), [("full", "Newcomer"), ("first", "Newcomer"), ("first", "Player")])
def test_five_new_players_are_seated_without_passing_over_the_others(naming: str, names: str):
    """Planted faults: public names without an index; rows in an order that made SQLite read all of a club or a round.

    Shown as `Player0 R.`, players of the third case look like others, and are told apart.
    """
    steps = []
    for tables in (10, 60):
        tournament = played_at(tables, naming)
        with counted_steps() as counted:
            five_more(tournament, names)
        steps.append(counted.taken)
    # Where a row stands among others takes a few steps more or less.
    assert steps[1] <= 1.25 * steps[0]
