"""A cache of frequently requested responses as compressed bytes, built once per change by the first request.

Rules: docs/decisions/0054-boards-kept-as-bytes.md. The caller has checked the permission, and has read the values of
the tag before building the response. A row is returned only under the tag that it was built for, and only if its digest
matches; if the database cannot store a row, the response is built and sent all the same.
"""

import gzip
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b
from uuid import UUID

from django.db import DatabaseError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now

from tournaments.models import KeptAnswer, ShownVersion
from tournaments.models.readmodels import MOST_PACKED
from tournaments.models.statements import unique_key
from tournaments.projections.shown import Shown

DIGEST_BYTES = 16
# Higher levels make it a tenth smaller, in twice the time, while the first request waits.
LEVEL = 4
# The first request builds; the others wait as long as a board of a thousand players takes, then each builds its own.
WAIT_SECONDS = 2.0
LOOK_EVERY_SECONDS = 0.025
# After this long the process that began is taken for dead.
MAKING = timedelta(seconds=10)
KEPT_FOR = timedelta(days=30)
# Plain SQL, as a request answered from the cache asks for nothing else: building the SQL with the ORM took longer than
# all the rest.
_KEPT = """
SELECT digest, packed FROM tournaments_keptanswer
WHERE club_id = %s AND tournament_id = %s AND view = %s AND tag = %s"""
_CLAIM = """
INSERT INTO tournaments_keptanswer
  (club_id, tournament_id, view, making, moment, tag, position, version, digest, packed)
VALUES (%s, %s, %s, %s, %s, '', 0, 0, '', '')
ON CONFLICT ({key}) DO UPDATE SET making = excluded.making, moment = excluded.moment
WHERE tournaments_keptanswer.making <> excluded.making OR tournaments_keptanswer.moment <= %s"""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A response about a tournament: which view, and the tag of the state that it shows."""

    shown: Shown
    view: str
    tag: str

    @property
    def rows(self) -> QuerySet[KeptAnswer]:
        """The one row that may contain it."""
        return KeptAnswer.objects.filter(club_id=self.shown.club, tournament_id=self.shown.tournament, view=self.view)


def kept_answer(wanted: Wanted, make: Callable[[], bytes]) -> bytes:
    """The response, compressed with gzip: from the cache in one query, else built and stored."""
    found = kept_already(wanted)
    if found is not None:
        return found
    try:
        is_mine = _claim(wanted)
    except DatabaseError as error:
        log.warning("an answer cannot be kept: %s", error)
        return pack(make())
    if not is_mine and (found := _awaited(wanted)) is not None:
        return found
    try:
        packed = pack(make())
    except Exception:
        if is_mine:
            wanted.rows.filter(making=wanted.tag).update(making="")
        raise
    if is_mine and len(packed) <= MOST_PACKED:
        _store(wanted, packed)
    return packed


def pack(text: bytes) -> bytes:
    """Compress for clients that accept gzip; the same text always gives the same bytes."""
    return gzip.compress(text, LEVEL, mtime=0)


def digest_of(packed: bytes) -> bytes:
    """A checksum that detects damaged bytes."""
    return blake2b(packed, digest_size=DIGEST_BYTES).digest()


def kept_already(wanted: Wanted) -> bytes | None:
    """The bytes stored under the tag; None if there are none or they are damaged."""
    shown = wanted.shown
    with connection.cursor() as cursor:
        cursor.execute(_KEPT, [shown.club, shown.tournament, wanted.view, wanted.tag])
        row = cursor.fetchone()
    if row is None or bytes(row[0]) != digest_of(bytes(row[1])):
        return None
    return bytes(row[1])


def _claim(wanted: Wanted) -> bool:
    """Claim the building of this response, in one statement; False if another process is building it."""
    moment, shown = now(), wanted.shown
    new = (shown.club, shown.tournament, wanted.view, wanted.tag)
    with _without_waiting(), connection.cursor() as cursor:
        moments = [connection.ops.adapt_datetimefield_value(each) for each in (moment, moment - MAKING)]
        claim = _CLAIM.format(key=", ".join(unique_key("club_id", "tournament_id", "view")))
        cursor.execute(claim, [*new, *moments])
        return bool(cursor.rowcount == 1)


def _awaited(wanted: Wanted) -> bytes | None:
    """The response that another process is building, once it is there; None if that failed or takes too long."""
    until = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < until:
        time.sleep(LOOK_EVERY_SECONDS)
        # Read before the bytes: both change in one statement.
        is_made = not wanted.rows.filter(making=wanted.tag).exists()
        if (found := kept_already(wanted)) is not None or is_made:
            return found
    return None


def _store(wanted: Wanted, packed: bytes) -> None:
    """Store the response, unless a newer one is stored, or the club's version changed since without an event.

    The club's version is locked first: erasing or renaming a player raises it before deleting the cached rows, and so
    either waits here and deletes this row too, or is noticed here.
    """
    club, position, version = wanted.shown.club, wanted.shown.position, int(wanted.shown.version)
    try:
        with _without_waiting():
            if _locked_version(club) != version:
                return
            older = Q(position__lt=position) | Q(position=position, version__lte=version)
            made = {"tag": wanted.tag, "position": position, "version": version, "packed": packed}
            wanted.rows.filter(older).update(**made, digest=digest_of(packed), making="", moment=now())
            KeptAnswer.objects.filter(club_id=club, moment__lt=now() - KEPT_FOR).delete()
    except DatabaseError as error:
        log.warning("an answer cannot be kept: %s", error)


@contextmanager
def _without_waiting() -> Iterator[None]:
    """A transaction that does not wait long for rows locked by a writer: what it would store is about to change.

    SQLite has one writer at a time, which is done before the timeout for readers.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = 50")
        yield


def _locked_version(club_id: UUID) -> int:
    """A club's version, locked until the transaction ends; its row is created if missing."""
    versions = ShownVersion.objects.select_for_update().filter(club_id=club_id).values_list("version", flat=True)
    if (found := next(iter(versions), None)) is not None:
        return found
    ShownVersion.objects.bulk_create([ShownVersion(club_id=club_id)], ignore_conflicts=True)
    return versions.all().get()
