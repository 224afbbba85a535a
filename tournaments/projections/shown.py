"""Counts the changes of a club's pages that are not events.

Events raise a tournament's `board_position`. Names, texts and settings are changed from many places, so triggers in the
database count the changes; they are created and checked like the guards of the log. Both numbers together are the
version of a board: docs/decisions/0079-one-cache.md.
"""

from collections.abc import Iterator
from typing import NamedTuple
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.timezone import now

from scoring.storage import uuid_from
from scoring.storage.guards import Guards
from tournaments.models import Club, ShownVersion, Tournament
from tournaments.models.public_names import Names

# The columns that pages show, and where the club's id is in their rows.
WATCHED = {
    "tournaments_club": (
        *("name", "slug", "currency", "timezone", "locale", "is_published", "shows_money", "about", "venue", "website"),
    ),
    "tournaments_player": ("public_name", "has_page", "erased_at", "merged_into_id"),
    "tournaments_table": ("name", "round", "number"),
    "tournaments_tournament": (
        *("slug", "name", "preset", "variant", "options", "currency", "entry_minor", "fee_bp", "fee_floor_minor"),
        *("fee_cap_minor", "levy_bp", "levy_name", "levy_on", "point_value_minor", "starts_at", "is_published"),
        *("closed_at", "is_cancelled", "takes_entries", "entries_until", "places", "shows_entrants"),
    ),
}
_CLUB = {
    "tournaments_club": "NEW.id",
    "tournaments_player": "NEW.club_id",
    "tournaments_table": "(SELECT club_id FROM tournaments_tournament WHERE id = NEW.tournament_id)",
    "tournaments_tournament": "NEW.club_id",
}
_RAISE = """INSERT INTO tournaments_shownversion (club_id, version, names) {}
  ON CONFLICT (club_id) DO UPDATE SET version = tournaments_shownversion.version + excluded.version,
    names = tournaments_shownversion.names + excluded.names"""
# The first parameter is the moment: whether people may enter by themselves ends by the clock, which raises no number.
_BY_ADDRESS = """
SELECT t.id, t.club_id, t.board_position, coalesce(v.version, 0), t.is_published, c.is_published,
  t.takes_entries AND coalesce(t.entries_until, t.starts_at) > %s
FROM tournaments_tournament AS t JOIN tournaments_club AS c ON c.id = t.club_id
LEFT JOIN tournaments_shownversion AS v ON v.club_id = t.club_id
WHERE c.slug = %s AND t.slug = %s"""
_TOURNAMENT_AT_ADDRESS = """
SELECT t.id, t.club_id, coalesce(e.last_position, 0), coalesce(v.version, 0), t.is_published, c.is_published,
  t.takes_entries AND coalesce(t.entries_until, t.starts_at) > %s
FROM tournaments_tournament AS t JOIN tournaments_club AS c ON c.id = t.club_id
LEFT JOIN tournaments_shownversion AS v ON v.club_id = t.club_id
LEFT JOIN tournaments_eveningsheet AS e ON e.tournament_id = t.id
WHERE c.slug = %s AND t.slug = %s"""
# Answers that processes of the release before still store while they are being replaced; the table goes with a later
# release. Without this an erased name would stay in it.
_KEPT = "DELETE FROM tournaments_keptanswer"


def version_shown(club: Club, names: Names = Names.PUBLIC) -> str:
    """Return how often anything other than events has changed for readers of these names.

    No query where `club` was read with its `shown_version`.
    """
    try:
        version_row = club.shown_version
    except ObjectDoesNotExist:
        version_row = ShownVersion()
    return f"{version_row.version}" if names is Names.PUBLIC else f"{version_row.version}-{version_row.names}"


def shown_anew(club: Club) -> int:
    """Return what only `show_anew` raises, for tags that list what else they cover: nobody renames 10^9 times."""
    return int(version_shown(club)) // 10**9


class Shown(NamedTuple):
    """What the tag of a tournament's board is computed from, and whether the board is public.

    `takes_entries`: people may enter by themselves, as far as settings and the clock say.
    """

    tournament: UUID
    club: UUID
    position: int
    version: str
    is_public: bool
    takes_entries: bool = False


def shown_of(tournament: Tournament) -> Shown:
    """Return it for a tournament loaded with its club, and the club with its `shown_version`."""
    club = tournament.club
    is_public = tournament.is_published and club.is_published
    takes_entries = tournament.takes_entries and now() < (tournament.entries_until or tournament.starts_at)
    return Shown(tournament.pk, club.pk, tournament.board_position, version_shown(club), is_public, takes_entries)


def shown_by_address(club_slug: str, slug: str) -> Shown | None:
    """Look it up by the slugs of an address, in one row. Plain SQL: Django took four times as long to generate it."""
    return _looked_up(_BY_ADDRESS, club_slug, slug)


def tournament_at_address(club_slug: str, slug: str) -> Shown | None:
    """The same for what shows the tournament alone: the position is of its own last event, which no deal changes."""
    return _looked_up(_TOURNAMENT_AT_ADDRESS, club_slug, slug)


def _looked_up(query: str, club_slug: str, slug: str) -> Shown | None:
    with connection.cursor() as cursor:
        cursor.execute(query, [connection.ops.adapt_datetimefield_value(now()), club_slug, slug])
        row = cursor.fetchone()
    if row is None:
        return None
    tournament, club = map(uuid_from, row[:2])
    return Shown(tournament, club, row[2], str(row[3]), bool(row[4] and row[5]), bool(row[6]))


def show_anew(database: BaseDatabaseWrapper) -> None:
    """Change every tag: something shown has changed without an event or a trigger.

    Seconds since 1970 are added: the database that a backup replaced may have counted further.
    """
    seconds = int(now().timestamp())
    with database.cursor() as cursor:
        cursor.execute(_RAISE.format("SELECT id, %s, %s FROM tournaments_club WHERE true"), [seconds, seconds])
        cursor.execute(_KEPT)


def show_club_anew(club_id: UUID) -> None:
    """Change the tags of a club's pages and delete their cached answers: the public sees other players than before.

    Boards of the past too, whose tags do not hold the position of the latest event.
    """
    with connection.cursor() as cursor:
        cursor.execute(_RAISE.format("VALUES (%s, 1, 0)"), [club_id])
        cursor.execute(f"{_KEPT} WHERE club_id = %s", [club_id])


def _triggers() -> Iterator[tuple[str, str, str]]:
    """Yield the name of each trigger, when it fires, and its statements for each row."""
    for table, columns in WATCHED.items():
        raised = _RAISE.format(f"VALUES ({_CLUB[table]}, 1, 0)")
        changes = f"{raised};\n  {_KEPT} WHERE club_id = {_CLUB[table]};"
        yield f"{table}_shown", f"AFTER UPDATE OF {', '.join(columns)} ON {table}", changes
    named = f"{_RAISE.format('VALUES (NEW.club_id, 0, 1)')};"
    yield "tournaments_player_named", "AFTER UPDATE OF name ON tournaments_player", named


SHOWN = Guards(
    triggers=lambda database: database.after_each_row(_triggers()),
    tables=frozenset({*WATCHED, "tournaments_shownversion", "tournaments_keptanswer"}),
    noun="pages",
    unguarded="pages may show what has changed since",
    proof="rebuild --check",
    check="tournaments.W002",
    names_others=True,
    anew=show_anew,
)
