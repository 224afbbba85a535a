"""Is the log as it was written, and can every table still be read from it?

Hashes, order and seals are `tournaments.log`'s business; this adds what the facts must say: each one decodes,
and every table folds. A tournament's own facts change no score: they have to be readable, no more.
"""

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from scoring.rules import events
from scoring.rules.events import TableOpened
from scoring.rules.problems import Defect, RummyError
from scoring.rules.table import Table, fold
from scoring.rules.variants import table_from
from tournaments import log
from tournaments.folding import table_from_log
from tournaments.log.raw import RawEvent, clubs, stray_notes
from tournaments.models import Club
from tournaments.queries.fingerprints import is_of_a_board

OF_TOURNAMENTS = events.NOT_FOR_TABLES - {"table_opened"}
UNREADABLE = (RummyError, LookupError, TypeError, ValueError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The first thing wrong with one club's log."""

    club: str
    position: int
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What came out: how many events were gone through, how many sealed ones not, and what is wrong."""

    events: int
    skipped: int
    findings: tuple[Finding, ...]


def verify_log(*, slug: str = "", is_full: bool = False) -> Audit:
    """Check the log of every club, or of one."""
    names = {club.id.hex: club.slug for club in Club.objects.only("id", "slug")}
    found = clubs()
    wanted = [club for club in found if club in names and slug in ("", names[club])]
    with _without_collector():
        verdicts = [log.verify_club(club, is_full=is_full, examine=_TableReader()) for club in wanted]
    findings = [
        Finding(club=names[verdict.club], position=fault.position, said=fault.said)
        for verdict in verdicts
        for fault in verdict.faults[:1]
    ]
    if not slug:
        findings += _strays(set(found) - set(names))
    return Audit(
        events=sum(verdict.events for verdict in verdicts),
        skipped=sum(verdict.from_position for verdict in verdicts),
        findings=tuple(findings),
    )


@contextmanager
def _without_collector() -> Iterator[None]:
    """Facts and tables hold no cycles; to look for some in all that was read so far cost a quarter of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def missing_fingerprint(noted: str) -> str:
    """What to say of a noted fingerprint that nothing has: no event, no seal and no board. Empty where one has it."""
    said = log.missing_fingerprint(noted)
    return "" if said and is_of_a_board(noted) else said


def _strays(unknown: Iterable[str]) -> Iterator[Finding]:
    """What belongs to nobody: it was taken from where it belonged, or put there."""
    for club in sorted(unknown):
        yield Finding(club="", position=0, said=f"parts of the log belong to {club}, which is no club here")
    notes = stray_notes()
    if notes:
        yield Finding(club="", position=0, said=f"{notes} notes belong to no event")


@dataclass(slots=True)
class _TableReader:
    """Folds the tables of one club as their events come by."""

    tables: dict[bytes, Table] = field(default_factory=dict)

    def __call__(self, rows: Sequence[RawEvent]) -> log.Fault | None:
        by_stream: dict[bytes, list[RawEvent]] = {}
        for row in rows:
            by_stream.setdefault(row.stream, []).append(row)
        faults = [fault for stream, group in by_stream.items() if (fault := self._read(stream, group))]
        return min(faults, key=lambda fault: fault.position, default=None)

    def _read(self, stream: bytes, rows: Sequence[RawEvent]) -> log.Fault | None:
        """Fold all rows of a stream at once; only when that fails, one by one, to find the culprit."""
        if rows[0].kind in OF_TOURNAMENTS:
            return _unreadable(rows)
        try:
            before = self.tables.get(stream) or _before(stream, rows[0])
            self.tables[stream] = _folded(before, rows)
        except UNREADABLE as error:
            return self._culprit(stream, rows) or log.Fault(position=rows[0].position, said=str(error))
        return None

    def _culprit(self, stream: bytes, rows: Sequence[RawEvent]) -> log.Fault | None:
        table = self.tables.get(stream)
        for row in rows:
            try:
                table = _folded(table, [row])
            except UNREADABLE as error:
                return log.Fault(position=row.position, said=f"the event cannot be read: {error}")
        return None


def _unreadable(rows: Sequence[RawEvent]) -> log.Fault | None:
    """The first fact of a tournament's own stream that cannot be read."""
    for row in rows:
        try:
            events.decode(row.kind, row.schema, row.body)
        except UNREADABLE as error:
            return log.Fault(position=row.position, said=f"the event cannot be read: {error}")
    return None


def _before(stream: bytes, row: RawEvent) -> Table | None:
    """A table as it stood before a row that comes after a seal; None at its beginning."""
    if row.version == 1:
        return None
    return table_from_log(log.as_of(UUID(hex=stream.decode()), row.version - 1))


def _folded(table: Table | None, rows: Sequence[RawEvent]) -> Table:
    if table is None:
        opened = events.decode(rows[0].kind, rows[0].schema, rows[0].body)
        if not isinstance(opened, TableOpened):
            raise Defect(f"a table's log begins with its opening, not with {opened.kind}")
        table, rows = table_from(opened), rows[1:]
    return fold(table, _facts(table, rows))


def _facts(table: Table, rows: Sequence[RawEvent]) -> Iterator[tuple[int, events.Fact]]:
    for row in rows:
        yield row.version, events.decode(row.kind, row.schema, row.body, table.rules)
