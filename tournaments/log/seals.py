"""Seals over a club's log, and the short codes with which anyone can verify history later.

A seal is a Merkle root (RFC 6962) over the hashes of a range of events, chained to the seal before it. A fingerprint is
a position or version and 64 bits: printed on a result, it proves that place and everything before it. A table's names
the version that it proves; a board's names a position of the club's log and covers the last event of each of its tables
up to there. docs/how-to/publishing.md says how to verify one.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec
from django.db import IntegrityError, connection, transaction
from django.db.models import F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from scoring import storage
from scoring.events import wire
from scoring.events.hashes import merkle_root, seal_hash, short_form
from tournaments.log.reading import head_of, of_streams
from tournaments.log.rows import time_text
from tournaments.models import Club, Table, Tournament
from tournaments.models.log import ClubHead, Event, Seal

FIRST_PREVIOUS = bytes(32)
CHANGES = (wire.DealCorrected.kind, wire.DealVoided.kind, wire.TotalsCorrected.kind)
# SQL: whether the event at a position of a club has this hash; part of a larger statement.
STILL = "EXISTS (SELECT 1 FROM tournaments_event WHERE club_id = %s AND position = %s AND hash = %s)"
_HASHES = "SELECT hash FROM tournaments_event WHERE club_id = %s AND position > %s ORDER BY position"

_STORE = """
INSERT INTO tournaments_seal (id, club_id, from_position, to_position, root, previous, sealed_at, hash)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"""


def seal_club(club_id: UUID, now: datetime) -> Seal | None:
    """Seal what is not sealed yet; returns the newest seal, or None if nothing is unsealed.

    Two processes at once write one seal.
    """
    last = last_seal(club_id)
    start = last.to_position if last else 0
    leaves = _hashes_after(club_id, start)
    if not leaves:
        return None
    previous = bytes(last.hash) if last else FIRST_PREVIOUS
    covers, root, sealed_at = (start + 1, start + len(leaves)), merkle_root(leaves), time_text(now)
    digest = seal_hash(club_id.hex.encode(), covers, root, previous, sealed_at.encode())
    moment = storage.of(connection).sealing_value(sealed_at)
    # Another process may have sealed the same range since it was read: its seal is kept.
    with suppress(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_STORE, [UUID(bytes=digest[:16]), club_id, *covers, root, previous, moment, digest])
    return last_seal(club_id)


def clubs_to_seal() -> list[UUID]:
    """Clubs whose log has grown since their last seal, in one query."""
    return list(_unsealed().order_by("club_id").values_list("club_id", flat=True))


def unsealed_since() -> dict[UUID, datetime]:
    """When the first unsealed event was recorded, of every club that has such events, in one query."""
    first = Event.objects.filter(club=OuterRef("club"), position=OuterRef("sealed") + 1).order_by()
    return dict(_unsealed().values_list("club_id").annotate(since=Subquery(first.values("recorded_at"))))


def _unsealed() -> QuerySet[ClubHead]:
    sealed = Seal.objects.filter(club=OuterRef("club")).order_by("-to_position").values("to_position")[:1]
    return ClubHead.objects.annotate(sealed=Coalesce(Subquery(sealed), 0)).filter(position__gt=F("sealed"))


def count_after(moment: datetime) -> tuple[int, int]:
    """How many events bear a moment after this one, and how many seals. Reads the whole log."""
    return Event.objects.filter(recorded_at__gt=moment).count(), Seal.objects.filter(sealed_at__gt=moment).count()


def last_seal(club_id: UUID) -> Seal | None:
    """The newest seal of a club."""
    return Seal.objects.filter(club=club_id).order_by("-to_position").first()


def fingerprint(club_id: UUID, stream_id: UUID) -> str:
    """A stream's version and the short form of its head hash, as `17-3F9A-11C0-77AB-02DE`; empty without one."""
    head = head_of(club_id, stream_id)
    return f"{head.version}-{short_form(head.hash)}" if head else ""


def club_fingerprint(club_id: UUID) -> str:
    """The fingerprint of a club's last seal; empty before the first one."""
    seal = last_seal(club_id)
    return seal_fingerprint(seal) if seal else ""


def seal_fingerprint(seal: Seal) -> str:
    """The last position that a seal covers and the short form of its hash."""
    return f"{seal.to_position}-{short_form(bytes(seal.hash))}"


def _hashes_after(club_id: UUID, position: int) -> list[bytes]:
    with connection.cursor() as cursor:
        cursor.execute(_HASHES, [club_id, position])
        return [bytes(row[0]) for row in cursor.fetchall()]


def table_fingerprint(club_id: UUID, table_id: UUID, version: int) -> str:
    """A table's version and the short form of its hash, as `17-3F9A-11C0-77AB-02DE`; empty for an unknown version."""
    events = Event.objects.filter(of_streams(club_id), stream_id=table_id, version=version)
    # With the model's default order, which begins with the club, this one row was searched for by club.
    digest = events.order_by("version").values_list("hash", flat=True).first()
    return f"{version}-{short_form(bytes(digest))}" if digest else ""


def table_fingerprints(club_id: UUID, versions: Mapping[UUID, int]) -> dict[UUID, str]:
    """The fingerprints of several tables, each at its version, in one query."""
    rows: Any = Event.objects.filter(of_streams(club_id), stream_id__in=versions, version__in=set(versions.values()))
    return {
        stream: f"{version}-{short_form(bytes(digest))}"
        for stream, version, digest in rows.values_list("stream_id", "version", "hash")
        if versions[stream] == version
    }


def board_fingerprint(position: int, heads: Iterable[tuple[UUID, bytes]]) -> str:
    """A board's fingerprint at a position, from the last hash of each of its tables; empty without tables."""
    content = b"".join(sorted(table.bytes + head for table, head in heads))
    return f"{position}-{short_form(sha256(content).digest())}" if content else ""


def board_fingerprint_at(tournament_id: UUID, position: int) -> str:
    """The fingerprint that a tournament's board had at a position, to compare with a printed one."""
    tables = Table.objects.filter(tournament_id=tournament_id).values_list("id", "tournament__club_id")
    clubs = {club for _, club in tables}
    if len(clubs) != 1:
        return ""
    club = clubs.pop()
    lasts = (
        Event.objects.filter(of_streams(club), stream_id__in=[table for table, _ in tables], position__lte=position)
        .values("stream_id")
        .annotate(last=Max("position"))
        .values_list("last", flat=True)
    )
    return board_fingerprint(position, heads_at(club, list(lasts)))


def is_of_a_board(noted: str) -> bool:
    """Whether a board of any club has this fingerprint at the position that it names."""
    fingerprint = noted.strip().upper()
    number = fingerprint.partition("-")[0]
    if not number.isdecimal():
        return False
    # A board names the position of one of its own events: in each club there is one candidate.
    events = Event.objects.filter(club__in=Club.objects.all(), position=int(number)).values("stream_id")
    boards = Tournament.objects.filter(Q(id__in=events) | Q(tables__in=events)).values_list("id", flat=True).distinct()
    return any(board_fingerprint_at(tournament, int(number)) == fingerprint for tournament in boards)


def heads_at(club_id: UUID, positions: Sequence[int]) -> list[tuple[UUID, bytes]]:
    """Stream and hash of the events at these positions of a club."""
    rows: Any = Event.objects.filter(club_id=club_id, position__in=positions).values_list("stream_id", "hash")
    return [(stream, bytes(digest)) for stream, digest in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A deal of a table that was corrected or voided, and when; deal 0 stands for the totals of a table."""

    table: UUID
    deal: int
    is_void: bool
    recorded_at: datetime


def changes_of(club_id: UUID, tables: Sequence[UUID], position: int, *, after: int = 0) -> tuple[Change, ...]:
    """The deals and totals of a board that were corrected or voided by a position, the latest first, in one query."""
    events = Event.objects.filter(of_streams(club_id), stream_id__in=tables, position__lte=position)
    return _changes(events.filter(position__gt=after) if after else events)


def changes_at(club_id: UUID, table_id: UUID, version: int) -> tuple[Change, ...]:
    """The deals of one table that were corrected or voided by a version, the latest first, in one query."""
    return _changes(Event.objects.filter(of_streams(club_id), stream_id=table_id, version__lte=version))


def _changes(written: QuerySet[Event]) -> tuple[Change, ...]:
    rows = written.filter(kind__in=CHANGES).order_by("-position")
    return tuple(
        Change(
            table=stream_id,
            deal=msgspec.json.decode(body).get("deal", 0),
            is_void=kind == wire.DealVoided.kind,
            recorded_at=recorded_at,
        )
        for stream_id, kind, body, recorded_at in rows.values_list("stream_id", "kind", "body", "recorded_at")
    )
