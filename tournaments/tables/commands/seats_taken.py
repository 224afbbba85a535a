"""Reads what a few players and table numbers have already: names, merges, seats in a tournament, tables of a round.

Plain SQL, because five players are seated in a few milliseconds: Django took longer to write each of these statements
than the database to answer it. Knows nothing of what may be opened.
"""

from collections.abc import Collection
from uuid import UUID

from django.db import connection

from scoring.storage import uuid_from
from tournaments.models import EveningSheet, Tournament
from tournaments.models.statements import PreparedQuery, places

_PLAYERS = """
SELECT id, name, merged_into_id, club_id FROM tournaments_player WHERE id IN ({0}) OR merged_into_id IN ({0})"""
_SEATS = """
SELECT own.round, seat.player_id, own.number FROM tournaments_standing AS seat
JOIN tournaments_table AS own ON own.id = seat.table_id
JOIN tournaments_scoresheet AS sheet ON sheet.table_id = seat.table_id
WHERE seat.player_id IN ({0}) AND seat.tournament_id = %s AND NOT sheet.is_cancelled"""
_NUMBERS = "SELECT round, number FROM tournaments_table WHERE tournament_id = %s AND round IN ({0}) AND number IN ({1})"
_PLANS = PreparedQuery(
    lambda tournament_id: EveningSheet.objects.filter(tournament=tournament_id, has_plan=True).only("tournament"),
    (UUID(int=1), UUID(int=2)),
)


def rows_of(tournament: Tournament, players: Collection[UUID]) -> list[tuple[UUID, str, UUID | None]]:
    """Return id, name and row merged into of these players of the club, and of the rows merged into them.

    The club is compared here: where it is part of the question, SQLite reads all players of the club.
    """
    with connection.cursor() as cursor:
        cursor.execute(_PLAYERS.format(places(players)), [*players, *players])
        rows = cursor.fetchall()
    player_rows = (
        (uuid_from(row), name, merged_into and uuid_from(merged_into), uuid_from(club))
        for row, name, merged_into, club in rows
    )
    return [(row, name, merged_into) for row, name, merged_into, club in player_rows if club == tournament.club_id]


def seats_of(tournament: Tournament, players: Collection[UUID]) -> list[tuple[int, UUID, int]]:
    """Return round, player and table number of these players' seats, without those at cancelled tables."""
    with connection.cursor() as cursor:
        cursor.execute(_SEATS.format(places(players)), [*players, tournament.id])
        return [(number, uuid_from(player), table) for number, player, table in cursor.fetchall()]


def numbers_in_use(
    tournament: Tournament, rounds: Collection[int], numbers: Collection[int]
) -> frozenset[tuple[int, int]]:
    """Return which of these rounds and numbers have a table."""
    with connection.cursor() as cursor:
        cursor.execute(_NUMBERS.format(places(rounds), places(numbers)), [tournament.id, *rounds, *numbers])
        return frozenset((number, table) for number, table in cursor.fetchall())


def has_plan(tournament: Tournament) -> bool:
    """Whether the tournament has a plan."""
    return _PLANS.first(tournament.id) is not None
