"""Seals over a club's log, and the few letters by which anybody can check history later.

A seal is a Merkle root (RFC 6962) over the hashes of a stretch of events, chained to the seal before it.
A fingerprint is a place and 64 bits: printed on a result, it proves that place and everything before it.
"""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from tournaments.log.dialect import uuid_value
from tournaments.log.reading import head_of
from tournaments.log.rows import framed_digest, short_form, time_text
from tournaments.models.log import ClubHead, Event, Seal

FIRST_PREVIOUS = bytes(32)
SealContent = tuple[int, int, bytes, bytes, str]
_HASHES = "SELECT hash FROM tournaments_event WHERE club_id = %s AND position > %s ORDER BY position"

_STORE = """
INSERT INTO tournaments_seal (id, club_id, from_position, to_position, root, previous, sealed_at, hash)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"""


def seal_club(club_id: UUID, now: datetime) -> Seal | None:
    """Seal what is not sealed yet; None where nothing is. Two sealers at once write one seal."""
    last = last_seal(club_id)
    start = last.to_position if last else 0
    leaves = _hashes_after(club_id, start)
    if not leaves:
        return None
    previous = bytes(last.hash) if last else FIRST_PREVIOUS
    content = (start + 1, start + len(leaves), merkle_root(leaves), previous, time_text(now))
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_STORE, _seal_values(club_id, content))
    except IntegrityError:
        # Somebody sealed the same stretch between our reading and our writing; theirs stands.
        return last_seal(club_id)
    return last_seal(club_id)


def clubs_to_seal() -> list[UUID]:
    """Clubs whose log has grown since their last seal, in one query."""
    return list(_unsealed().order_by("club_id").values_list("club_id", flat=True))


def unsealed_since() -> dict[UUID, datetime]:
    """When the first fact that no seal covers yet was recorded, of every club that has such facts, in one query."""
    first = Event.objects.filter(club=OuterRef("club"), position=OuterRef("sealed") + 1).order_by()
    return dict(_unsealed().values_list("club_id").annotate(since=Subquery(first.values("recorded_at"))))


def _unsealed() -> QuerySet[ClubHead]:
    sealed = Seal.objects.filter(club=OuterRef("club")).order_by("-to_position").values("to_position")[:1]
    return ClubHead.objects.annotate(sealed=Coalesce(Subquery(sealed), 0)).filter(position__gt=F("sealed"))


def last_seal(club_id: UUID) -> Seal | None:
    """The newest seal of a club."""
    return Seal.objects.filter(club=club_id).order_by("-to_position").first()


def seal_hash(club: bytes, content: SealContent) -> bytes:
    """A seal's own hash, over every column of it."""
    start, end, root, previous, sealed_at = content
    return framed_digest([b"rummy seal", club, b"%d" % start, b"%d" % end, root, previous, sealed_at.encode()])


def merkle_root(leaves: Sequence[bytes]) -> bytes:
    """The root over at least one leaf. A last one without a partner moves up: the same tree as RFC 6962 splits."""
    level = [sha256(b"\x00" + leaf).digest() for leaf in leaves]
    while len(level) > 1:
        pairs = [sha256(b"\x01" + left + right).digest() for left, right in zip(level[::2], level[1::2], strict=False)]
        level = pairs + level[len(pairs) * 2 :]
    return level[0]


def fingerprint(stream_id: UUID) -> str:
    """A stream's version and the short form of its head hash, as `17-3F9A-11C0-77AB-02DE`; empty without one."""
    head = head_of(stream_id)
    return f"{head.version}-{short_form(head.hash)}" if head else ""


def club_fingerprint(club_id: UUID) -> str:
    """The fingerprint of a club's last seal; empty before the first one."""
    seal = last_seal(club_id)
    return seal_fingerprint(seal) if seal else ""


def seal_fingerprint(seal: Seal) -> str:
    """The position that a seal stands up to and the short form of its hash."""
    return f"{seal.to_position}-{short_form(bytes(seal.hash))}"


def _hashes_after(club_id: UUID, position: int) -> list[bytes]:
    with connection.cursor() as cursor:
        cursor.execute(_HASHES, [uuid_value(club_id), position])
        return [bytes(row[0]) for row in cursor.fetchall()]


def _seal_values(club_id: UUID, content: SealContent) -> list[Any]:
    start, end, root, previous, sealed_at = content
    digest = seal_hash(club_id.hex.encode(), content)
    moment = sealed_at if connection.vendor == "sqlite" else f"{sealed_at}+00"
    name = uuid_value(UUID(bytes=digest[:16]))
    return [name, uuid_value(club_id), start, end, root, previous, moment, digest]
