"""Is the log as it was written, and can everything still be read from it?

Hashes, order and seals are `tournaments.log`'s business; this adds what the facts must say: each one decodes, and every
table, evening and cash book follows from its own. A fact may be as it was written and cannot be read, or not be
followed, and a director may have left it out.

Rules: docs/decisions/0026-facts-that-read-back.md. Reads whole streams, as the proofs do. A stream that holds such a
fact is named with its club and position, not judged, and the next one is looked at. A line on it is a type of its own,
so that whoever acts on a proof can tell it from a line on something that was changed.
"""

import gc
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from scoring.cash import CashBook, fold_book
from scoring.evening import Evening, fold_evening
from scoring.facts.reading import UNREADABLE, Unreadable, as_unreadable, fold_stored, read_stored
from scoring.facts.table import Fact, FactLeftOut
from scoring.merging import Merges, fold_merges
from scoring.rules.table.table import Table, fold
from scoring.rules.variants import table_from_stored
from tournaments import log
from tournaments.log.raw import (
    RawEvent,
    clubs,
    ends_of,
    events_after,
    last_position,
    next_position,
    stray_notes,
    streams_of,
)
from tournaments.log.reading import table_from_log
from tournaments.log.seals import is_of_a_board
from tournaments.models import Club
from tournaments.models.log import StreamKind

Versioned = tuple[int, Fact]
Progress = Callable[[int, int], None]
FOLDS: dict[str, tuple[Any, Callable[..., Any]]] = {
    StreamKind.TOURNAMENT: (Evening(), fold_evening),
    StreamKind.CASH: (CashBook(), fold_book),
    StreamKind.CLUB: (Merges(), fold_merges),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadableFact:
    """One of them: where it stands, of what kind it says it is, and why nobody can read it."""

    club: str
    club_name: str
    stream: UUID
    stream_kind: str
    version: int
    position: int
    kind: str
    why: str

    @property
    def said(self) -> str:
        """Where it stands and why, as a proof tells it."""
        return f"fact {self.version} ({self.kind}) of {self.stream_kind} {self.stream}: {self.why}"


class LeftOut(NamedTuple):
    """One of them that does not count any more, and where a director said so."""

    fact: UnreadableFact
    position: int

    @property
    def said(self) -> str:
        fact = self.fact
        where = f"{fact.stream_kind} {fact.stream}, fact {fact.version} ({fact.kind})"
        return f"{where} at position {fact.position} cannot be read and is left out by position {self.position}"


# A fact takes a kilobyte in the state of its table. A round of a thousand tables is held whole; what is beyond is
# let go, and read again when its stream goes on.
MOST_FACTS_HELD = 50_000


@dataclass(slots=True, kw_only=True)
class StreamReader:
    """Follows every stream of one club as its events come by, and keeps what cannot be read.

    It holds the states of streams that go on, last used last, with the number of facts in each; never of all there are.
    """

    club: str
    name: str
    states: dict[bytes, tuple[Any, int]] = field(default_factory=dict)
    kinds: dict[bytes, str] = field(default_factory=dict)
    ends: dict[bytes, int] = field(default_factory=dict)
    found: list[UnreadableFact] = field(default_factory=list)
    # By stream: the fact that is left out, and the position at which that was said.
    gone: dict[UUID, dict[int, int]] = field(default_factory=dict)

    def __call__(self, rows: Sequence[RawEvent]) -> None:
        """Read some rows whose hashes are right."""
        if not self.kinds:
            self.kinds = {stream: kind.decode() for stream, kind in streams_of(self.club).items()}
            self.ends = ends_of(self.club)
        by_stream: dict[bytes, list[RawEvent]] = {}
        for row in rows:
            by_stream.setdefault(row.stream, []).append(row)
        for stream, group in by_stream.items():
            state = self._read(stream, group)
            if (last := group[-1].version) != self.ends.get(stream):
                self.states[stream] = state, last
        self._let_go()

    def _let_go(self) -> None:
        """Forget those that have not gone on for longest, where all together hold too much."""
        held = sum(facts for _, facts in self.states.values())
        for stream in list(self.states):
            if held <= MOST_FACTS_HELD:
                return
            held -= self.states.pop(stream)[1]

    def unreadable(self) -> list[UnreadableFact]:
        """Those that nobody has left out."""
        return [fact for fact in self.found if not self._left_out_at(fact)]

    def left_out(self) -> list[LeftOut]:
        """Those that somebody has."""
        return [LeftOut(fact, position) for fact in self.found if (position := self._left_out_at(fact))]

    def _left_out_at(self, fact: UnreadableFact) -> int:
        """A table is given up whole: with one of its facts, all that stood before are left out."""
        said = self.gone.get(fact.stream, {})
        if fact.stream_kind == StreamKind.TABLE:
            return max((position for position in said.values() if position > fact.position), default=0)
        return said.get(fact.version, 0)

    def _read(self, stream: bytes, rows: Sequence[RawEvent]) -> Any:
        """Follow all rows of a stream at once; only when that fails, one by one, to find the culprit."""
        kind = self.kinds.get(stream, StreamKind.TABLE)
        empty, fold_kind = FOLDS.get(kind, (None, fold))
        state, _ = self.states.pop(stream, (None, 0))
        if state is None:
            state = self._begun(stream, rows[0]) if empty is None else self._before(stream, rows[0], empty, fold_kind)
            rows = rows[1:] if rows[0].version == 1 and empty is None else rows
        form = getattr(state, "rules", None)
        told = [(row.version, read_stored(row.kind, row.schema, row.body, form)) for row in rows]
        for row, (_, fact) in zip(rows, told, strict=True):
            self._note(row, fact)
        try:
            return fold_kind(state, told)
        except UNREADABLE:
            return self._one_by_one(fold_kind, state, list(zip(rows, told, strict=True)))

    def _one_by_one(self, fold_kind: Callable[..., Any], state: Any, rows: Sequence[tuple[RawEvent, Versioned]]) -> Any:
        for row, (version, fact) in rows:
            try:
                state = fold_kind(state, [(version, fact)])
            except UNREADABLE as error:
                unread = as_unreadable(fact, error)
                self._note(row, unread)
                state = fold_kind(state, [(version, unread)])
        return state

    def _begun(self, stream: bytes, first: RawEvent) -> Table:
        """A table as its opening leaves it, or as it stood before a row after a seal, or long after the others."""
        if first.version > 1:
            return table_from_log(log.as_of(UUID(hex=self.club), UUID(hex=stream.decode()), first.version - 1))
        table = table_from_stored(read_stored(first.kind, first.schema, first.body))
        for entry in table.timeline:
            self._note(first, entry.fact)
        return table

    def _before(self, stream: bytes, first: RawEvent, empty: Any, fold_kind: Callable[..., Any]) -> Any:
        """An evening or a cash book, the same."""
        before = (
            log.as_of(UUID(hex=self.club), UUID(hex=stream.decode()), first.version - 1) if first.version > 1 else []
        )
        told = ((event.version, read_stored(event.kind, event.schema, event.body)) for event in before)
        return fold_stored(fold_kind, empty, told)

    def _note(self, row: RawEvent, fact: Fact) -> None:
        if isinstance(fact, FactLeftOut):
            self.gone.setdefault(UUID(hex=row.stream.decode()), {})[fact.version] = row.position
        if isinstance(fact, Unreadable):
            self.found.append(
                UnreadableFact(
                    club=self.club,
                    club_name=self.name,
                    stream=UUID(hex=row.stream.decode()),
                    stream_kind=self.kinds.get(row.stream, ""),
                    version=row.version,
                    position=row.position,
                    kind=fact.stored_kind,
                    why=fact.why,
                )
            )


def told_of_all(clubs: Iterable[Club]) -> list[str]:
    """The same of some clubs, a line each. A club whose log cannot be followed has a line that says so."""
    return [line for club in clubs for line in as_far_as_it_goes(f"the log of {club.slug}", partial(_told, club))]


def _told(club: Club) -> list[str]:
    return [f"{club.slug}: position {fact.position}: {fact.said}" for fact in unreadable_facts(club.pk)]


def unreadable_facts(club: UUID) -> list[UnreadableFact]:
    """Every fact of a club that cannot be read and that nobody has left out, in the order of the log."""
    reader = StreamReader(club=club.hex, name="")
    position = 0
    while (later := next_position(club.hex, position)) is not None:
        rows = list(events_after(club.hex, later - 1))
        reader(rows)
        position = rows[-1].position
    return reader.unreadable()


class CannotBeRead(str):
    """A line of a proof on a fact that is as it was written and cannot be read. Every other line is a fault."""

    __slots__ = ()


def are_faults(lines: Iterable[str]) -> bool:
    """Whether a proof has found anything else than facts that cannot be read."""
    return not all(isinstance(line, CannotBeRead) for line in lines)


def not_judged(what: str, stored: Sequence[log.StoredEvent], versions: Collection[int]) -> list[str]:
    """One line for each fact of a stream that cannot be read and that nobody has left out."""
    return [
        CannotBeRead(
            f"{what} of club {event.club_id}: position {event.position} cannot be read (fact {event.version}, "
            f"{event.kind}), so it is not judged"
        )
        for event in stored
        if event.version in versions
    ]


def as_far_as_it_goes(what: str, judge: Callable[[], Iterable[str]]) -> Iterator[str]:
    """What a proof says of one stream, and where what stands there cannot be followed, that it cannot be judged."""
    try:
        yield from judge()
    except UNREADABLE as error:
        yield f"{what} cannot be judged ({type(error).__name__}: {error})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something wrong with one club's log. `is_unreadable`: it is as it was written, and cannot be read."""

    club: str
    position: int
    said: str
    is_unreadable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What came out: how many events were gone through, how many sealed ones not, what is wrong, what is left out."""

    events: int
    skipped: int
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...] = ()


def verify_log(*, slug: str = "", is_full: bool = False, progress: Progress | None = None) -> Audit:
    """Check the log of every club, or of one. `progress` hears how many events have gone by, of how many."""
    names = {club.id.hex: club.slug for club in Club.objects.only("id", "slug")}
    found = clubs()
    wanted = [club for club in found if club in names and slug in ("", names[club])]
    readers = {club: StreamReader(club=club, name=names[club]) for club in wanted}
    examines = dict(_counted(readers, progress)) if progress else readers
    with _without_collector():
        verdicts = [log.verify_club(club, is_full=is_full, examine=examines[club]) for club in wanted]
    findings = [finding for verdict in verdicts for finding in _findings(verdict, readers[verdict.club])]
    if not slug:
        findings += _strays(set(found) - set(names))
    return Audit(
        events=sum(verdict.events for verdict in verdicts),
        skipped=sum(verdict.from_position for verdict in verdicts),
        findings=tuple(findings),
        left_out=tuple(one for reader in readers.values() for one in reader.left_out()),
    )


def _counted(readers: Mapping[str, StreamReader], progress: Progress) -> Iterator[tuple[str, Callable[..., None]]]:
    """Each reader, that tells how far it has come."""
    ends = {club: last_position(club) for club in readers}
    before, total = 0, sum(ends.values())

    def read(reader: StreamReader, before: int, rows: Sequence[RawEvent]) -> None:
        reader(rows)
        if rows:
            progress(min(before + rows[-1].position, total), total)

    for club, reader in readers.items():
        yield club, partial(read, reader, before)
        before += ends[club]


def _findings(verdict: log.Verdict, reader: StreamReader) -> list[Finding]:
    """What is wrong with one club's log, in order of position."""
    changed = [Finding(club=reader.name, position=fault.position, said=fault.said) for fault in verdict.faults]
    unread = [
        Finding(club=reader.name, position=one.position, said=one.said, is_unreadable=True)
        for one in reader.unreadable()
    ]
    return sorted([*changed, *unread], key=attrgetter("position"))


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
