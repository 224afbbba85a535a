"""Names of a tournament's players, remembered by a process until a name in their club changes.

A page of a tournament of 5,000 players names sixty of them, in the order of all names. The number that triggers raise
with each change of a name (`tournaments.projections.shown`) tells whether what is remembered still holds. Nothing is
remembered from within a transaction, which may be rolled back.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.core.cache import caches
from django.db import connection

from scoring.storage import uuid_from
from tournaments.models import Club, Player
from tournaments.models.people import search_key
from tournaments.models.public_names import Names
from tournaments.projections.boards import read_rows
from tournaments.projections.shown import version_shown

# How many players of a club a process remembers: of the largest tournament, twice as many.
MOST_PLAYERS = 10_240
AT_ONCE = 5_000


class RememberedName(NamedTuple):
    """The key by which a name is sorted and found, and the name."""

    key: str
    name: str


class _Club(NamedTuple):
    """What is remembered of a club, and the version of its names that it was read at."""

    version: str
    players: Mapping[str, RememberedName]


def names_of_players(club: Club, players: Iterable[str], names: Names = Names.REAL) -> dict[str, RememberedName]:
    """Return the names of these players of a club, those that it has, in their order.

    No query for those that are remembered; `club` must be read before, with its `shown_version`.
    """
    version, player_ids = version_shown(club, names), list(players)
    name_by_player = {} if connection.in_atomic_block else _remembered(club.pk, names, version)
    missing = [player for player in player_ids if player not in name_by_player]
    if missing:
        name_by_player = {**name_by_player, **_read(club.pk, missing, names)}
        if not connection.in_atomic_block:
            _remember(club.pk, names, _Club(version, name_by_player))
    return {player: name_by_player[player] for player in player_ids if player in name_by_player}


def _remembered(club_id: UUID, names: Names, version: str) -> Mapping[str, RememberedName]:
    found: _Club | None = caches["objects"].get(f"names/{club_id}/{names}")
    return found.players if found is not None and found.version == version else {}


def _remember(club_id: UUID, names: Names, found: _Club) -> None:
    if len(found.players) <= MOST_PLAYERS:
        caches["objects"].set(f"names/{club_id}/{names}", found)


def _read(club_id: UUID, players: Sequence[str], names: Names) -> dict[str, RememberedName]:
    """Read names by ids. The club is compared here: as part of the question SQLite would go through all of it."""
    name_by_player = {}
    for first in range(0, len(players), AT_ONCE):
        some = [UUID(player) for player in players[first : first + AT_ONCE]]
        rows = Player.objects.filter(id__in=some).order_by()
        for player, club, name in read_rows(rows.values_list("id", "club_id", names)):
            if uuid_from(club) == club_id:
                name_by_player[str(uuid_from(player))] = RememberedName(search_key(name), name)
    return name_by_player
