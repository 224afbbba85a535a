"""Answers that many ask for, kept as compressed bytes: made once for each change, by whoever needs one first.

Rules: docs/decisions/0054-boards-kept-as-bytes.md. Whoever asks has looked at who may see it, and has read what the
tag stands for before anything that is made. A row is handed out only under the tag that it was made for, and only as
it was written; where the database takes no row, the answer is made and sent all the same.
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
# Beyond this one it packs a tenth smaller, in twice the time of whoever asked first.
LEVEL = 4
# Who asked first is at it; the others wait for a board of a thousand players, and then each makes its own.
WAIT_SECONDS = 2.0
LOOK_EVERY_SECONDS = 0.025
# After this long whoever began has fallen.
MAKING = timedelta(seconds=10)
KEPT_FOR = timedelta(days=30)
# Plain SQL, as whoever finds an answer asks for nothing else: Django took longer to write it down than all the rest.
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
    """One answer about a tournament: which view, and the tag of what it shows."""

    shown: Shown
    view: str
    tag: str

    @property
    def rows(self) -> QuerySet[KeptAnswer]:
        """The one row that may hold it."""
        return KeptAnswer.objects.filter(club_id=self.shown.club, tournament_id=self.shown.tournament, view=self.view)


def kept_answer(wanted: Wanted, make: Callable[[], bytes]) -> bytes:
    """The answer, compressed with gzip: as it is kept, else made and kept. In one query where it is kept."""
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
    """As it is sent to whoever takes gzip; the same text is always the same bytes."""
    return gzip.compress(text, LEVEL, mtime=0)


def digest_of(packed: bytes) -> bytes:
    """What tells damaged bytes from those that were written."""
    return blake2b(packed, digest_size=DIGEST_BYTES).digest()


def kept_already(wanted: Wanted) -> bytes | None:
    """What is kept under the tag. Damaged bytes are none."""
    shown = wanted.shown
    with connection.cursor() as cursor:
        cursor.execute(_KEPT, [shown.club, shown.tournament, wanted.view, wanted.tag])
        row = cursor.fetchone()
    if row is None or bytes(row[0]) != digest_of(bytes(row[1])):
        return None
    return bytes(row[1])


def _claim(wanted: Wanted) -> bool:
    """Whether nobody else is making this one; from now on whoever called is. In one statement."""
    moment, shown = now(), wanted.shown
    new = (shown.club, shown.tournament, wanted.view, wanted.tag)
    with _without_waiting(), connection.cursor() as cursor:
        moments = [connection.ops.adapt_datetimefield_value(each) for each in (moment, moment - MAKING)]
        claim = _CLAIM.format(key=", ".join(unique_key("club_id", "tournament_id", "view")))
        cursor.execute(claim, [*new, *moments])
        return bool(cursor.rowcount == 1)


def _awaited(wanted: Wanted) -> bytes | None:
    """What somebody else is making, once it is there; None where that one fell, or takes too long."""
    until = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < until:
        time.sleep(LOOK_EVERY_SECONDS)
        # Asked before the bytes are looked for: both change in one statement.
        is_made = not wanted.rows.filter(making=wanted.tag).exists()
        if (found := kept_already(wanted)) is not None or is_made:
            return found
    return None


def _store(wanted: Wanted, packed: bytes) -> None:
    """Keep it, unless something newer is kept, or what it shows has been changed meanwhile without a fact.

    The club's number is locked first: who erases or renames somebody raises it before deleting what is kept, and so
    either waits here and deletes this row too, or is seen.
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
    """A transaction that waits for no row that a writer holds: what would be kept is about to be something else.

    SQLite has one writer at a time, who is done before its limit for readers.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = 50")
        yield


def _locked_version(club_id: UUID) -> int:
    """A club's number, which stays until the transaction at hand has ended; a row is made where there is none."""
    versions = ShownVersion.objects.select_for_update().filter(club_id=club_id).values_list("version", flat=True)
    if (found := next(iter(versions), None)) is not None:
        return found
    ShownVersion.objects.bulk_create([ShownVersion(club_id=club_id)], ignore_conflicts=True)
    return versions.all().get()
