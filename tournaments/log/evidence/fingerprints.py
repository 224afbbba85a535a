"""The few letters on a result by which anybody can find out later whether its history was touched.

A table's fingerprint names the version it proves; a board's names a position of the club's log and covers the last
fact of each of its tables up to there, and through the hash chain everything before it. docs/how-to/publishing.md says
how to check one. Knows nothing of scores.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import Max, Q, QuerySet

from scoring.facts import wire
from tournaments.log.rows import short_form
from tournaments.models import Club, Table, Tournament
from tournaments.models.log import Event

CHANGES = (wire.DealCorrected.kind, wire.DealVoided.kind)


def table_fingerprint(table_id: UUID, version: int) -> str:
    """A table's history up to a version, as `17-3F9A-11C0-77AB-02DE`; empty where there is no such version."""
    found = Event.objects.filter(stream_id=table_id, version=version).values_list("hash", flat=True).first()
    return f"{version}-{short_form(bytes(found))}" if found else ""


def table_fingerprints(versions: Mapping[UUID, int]) -> dict[UUID, str]:
    """The same of each table at a version, in one query."""
    rows: Any = Event.objects.filter(stream_id__in=versions, version__in=set(versions.values()))
    return {
        stream: f"{version}-{short_form(bytes(digest))}"
        for stream, version, digest in rows.values_list("stream_id", "version", "hash")
        if versions[stream] == version
    }


def board_fingerprint(position: int, heads: Iterable[tuple[UUID, bytes]]) -> str:
    """A board's history up to a position, from the last hash of each of its tables; empty without tables."""
    content = b"".join(table.bytes + head for table, head in sorted(heads))
    return f"{position}-{short_form(sha256(content).digest())}" if content else ""


def board_fingerprint_at(tournament_id: UUID, position: int) -> str:
    """The fingerprint that a tournament's board carried at a position: to be held against a printed one."""
    tables = Table.objects.filter(tournament_id=tournament_id).values_list("id", "tournament__club_id")
    clubs = {club for _, club in tables}
    if len(clubs) != 1:
        return ""
    lasts = (
        Event.objects.filter(stream_id__in=[table for table, _ in tables], position__lte=position)
        .values("stream_id")
        .annotate(last=Max("position"))
        .values_list("last", flat=True)
    )
    return board_fingerprint(position, heads_at(clubs.pop(), list(lasts)))


def is_of_a_board(noted: str) -> bool:
    """Whether a board of any club carries this fingerprint at the position that it names."""
    wanted = noted.strip().upper()
    number = wanted.partition("-")[0]
    if not number.isdecimal():
        return False
    # A board names the position of a fact of its own: of each club there is one that can be meant.
    facts = Event.objects.filter(club__in=Club.objects.all(), position=int(number)).values("stream_id")
    boards = Tournament.objects.filter(Q(id__in=facts) | Q(tables__in=facts)).values_list("id", flat=True).distinct()
    return any(board_fingerprint_at(tournament, int(number)) == wanted for tournament in boards)


def heads_at(club_id: UUID, positions: Sequence[int]) -> list[tuple[UUID, bytes]]:
    """Stream and hash of the events at these positions of a club."""
    found: Any = Event.objects.filter(club_id=club_id, position__in=positions).values_list("stream_id", "hash")
    return [(stream, bytes(digest)) for stream, digest in found]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A deal of a table that was corrected or voided, and when."""

    table: UUID
    deal: int
    is_void: bool
    recorded_at: datetime


def changes_of(tables: Sequence[UUID], position: int) -> tuple[Change, ...]:
    """The deals of a board that were corrected or voided by a position, the latest first, in one query."""
    return _changes(Event.objects.filter(stream_id__in=tables, position__lte=position))


def changes_at(table_id: UUID, version: int) -> tuple[Change, ...]:
    """The deals of one table that were corrected or voided by a version, the latest first, in one query."""
    return _changes(Event.objects.filter(stream_id=table_id, version__lte=version))


def _changes(written: QuerySet[Event]) -> tuple[Change, ...]:
    rows = written.filter(kind__in=CHANGES).order_by("-position")
    return tuple(
        Change(
            table=stream_id,
            deal=msgspec.json.decode(body)["deal"],
            is_void=kind == wire.DealVoided.kind,
            recorded_at=recorded_at,
        )
        for stream_id, kind, body, recorded_at in rows.values_list("stream_id", "kind", "body", "recorded_at")
    )
