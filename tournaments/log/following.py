"""Folds the streams of a club while its events are read in order, and collects those that cannot be read or folded.

Rules: docs/decisions/0026-events-that-read-back.md, 0066-proofs-in-parts.md.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db import DatabaseError

from scoring.cash import CashBook, fold_book
from scoring.events.reading import UNREADABLE, Unreadable, as_unreadable, fold_stored, read_stored
from scoring.events.table import Event, EventLeftOut
from scoring.merging import Merges, fold_merges
from scoring.rules.table.table import Table, fold
from scoring.rules.variants import table_from_stored
from scoring.tournament import TournamentState, fold_tournament
from tournaments.log.raw import RawEvent, ends_of, events_after, next_position, streams_of
from tournaments.log.reading import as_of, table_from_log
from tournaments.models.log import StreamKind

Versioned = tuple[int, Event]
FOLDS: dict[str, tuple[Any, Callable[..., Any]]] = {
    StreamKind.TOURNAMENT: (TournamentState(), fold_tournament),
    StreamKind.CASH: (CashBook(), fold_book),
    StreamKind.CLUB: (Merges(), fold_merges),
}


class UnreadableEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An unreadable event: its place, its stored kind, and why it cannot be read."""

    club: str
    club_name: str
    stream: UUID
    stream_kind: str
    version: int
    position: int
    kind: str
    why: str

    @property
    def text(self) -> str:
        """Its place and the reason, as a line of a proof."""
        return f"event {self.version} ({self.kind}) of {self.stream_kind} {self.stream}: {self.why}"


class LeftOut(NamedTuple):
    """An unreadable event that was left out, and the position where a director did so."""

    event: UnreadableEvent
    position: int

    @property
    def text(self) -> str:
        event = self.event
        where = f"{event.stream_kind} {event.stream}, event {event.version} ({event.kind})"
        return f"{where} at position {event.position} cannot be read and is left out by position {self.position}"


class Readings(msgspec.Struct, frozen=True, kw_only=True):
    """The result of reading: unreadable events, and those that a director has left out.

    `gone` has by stream the version that is left out, and the position of the event that does so.
    """

    found: list[UnreadableEvent] = []
    gone: dict[UUID, dict[int, int]] = {}

    def add(self, later: "Readings", unless: Collection[str] = ()) -> None:
        """Add what was found in a later part, except in streams that were found to be broken."""
        self.found.extend(event for event in later.found if event.stream.hex not in unless)
        for stream, positions in later.gone.items():
            if stream.hex not in unless:
                self.gone.setdefault(stream, {}).update(positions)

    def unreadable(self) -> list[UnreadableEvent]:
        """The unreadable events that are not left out."""
        return [event for event in self.found if not self._left_out_at(event)]

    def left_out(self) -> list[LeftOut]:
        """The unreadable events that are left out."""
        return [LeftOut(event, position) for event in self.found if (position := self._left_out_at(event))]

    def _left_out_at(self, event: UnreadableEvent) -> int:
        """The position that leaves an event out, or 0. A table is left out whole: with all its earlier events."""
        positions = self.gone.get(event.stream, {})
        if event.stream_kind == StreamKind.TABLE:
            return max((position for position in positions.values() if position > event.position), default=0)
        return positions.get(event.version, 0)


# An event takes a kilobyte in the state of its table. A round of a thousand tables fits; states beyond that are
# dropped, and read again when their stream continues.
MOST_EVENTS_HELD = 50_000


@dataclass(slots=True, kw_only=True)
class StreamReader:
    """Folds every stream of one club as its events are read, and collects those that cannot be read.

    It holds the states of streams that are not complete, in the order of their last use, with the number of events in
    each; never of all streams.
    """

    club: str
    name: str
    states: dict[bytes, tuple[Any, int]] = field(default_factory=dict)
    kinds: dict[bytes, str] = field(default_factory=dict)
    ends: dict[bytes, int] = field(default_factory=dict)
    # Streams whose earlier events, in another part, cannot be read at all.
    lost: set[bytes] = field(default_factory=set)
    read: Readings = field(default_factory=Readings)

    def __call__(self, rows: Sequence[RawEvent]) -> None:
        """Read some rows whose hashes are right."""
        new = {row.stream for row in rows} - self.kinds.keys()
        self.kinds |= {stream: kind.decode() for stream, kind in streams_of(self.club, new).items()}
        self.ends |= ends_of(self.club, new)
        by_stream: dict[bytes, list[RawEvent]] = {}
        for row in rows:
            if row.stream not in self.lost:
                by_stream.setdefault(row.stream, []).append(row)
        for stream, group in by_stream.items():
            try:
                state = self._read(stream, group)
            except (DatabaseError, *UNREADABLE) as error:
                self._lose(group[0], error)
                continue
            if (last := group[-1].version) != self.ends.get(stream):
                self.states[stream] = state, last
        self._let_go()

    def _lose(self, first: RawEvent, error: Exception) -> None:
        """Stop following a stream. The part with its earlier events reports the fault there, and that counts."""
        if first.version == 1:
            raise error
        self.lost.add(first.stream)
        self._note(first, as_unreadable(read_stored(first.kind, first.schema, first.body), error))

    def _let_go(self) -> None:
        """Drop the states used least recently if they hold too many events in total."""
        event_count = sum(events for _, events in self.states.values())
        for stream in list(self.states):
            if event_count <= MOST_EVENTS_HELD:
                return
            event_count -= self.states.pop(stream)[1]

    def _read(self, stream: bytes, rows: Sequence[RawEvent]) -> Any:
        """Fold all rows of a stream at once; only if that fails, one by one, to find the faulty one."""
        kind = self.kinds.get(stream, StreamKind.TABLE)
        empty, fold_kind = FOLDS.get(kind, (None, fold))
        state, _ = self.states.pop(stream, (None, 0))
        if state is None:
            state = self._begun(stream, rows[0]) if empty is None else self._before(stream, rows[0], empty, fold_kind)
            rows = rows[1:] if rows[0].version == 1 and empty is None else rows
        form = getattr(state, "rules", None)
        events = [(row.version, read_stored(row.kind, row.schema, row.body, form)) for row in rows]
        for row, (_, event) in zip(rows, events, strict=True):
            self._note(row, event)
        try:
            return fold_kind(state, events)
        except UNREADABLE:
            return self._one_by_one(fold_kind, state, list(zip(rows, events, strict=True)))

    def _one_by_one(self, fold_kind: Callable[..., Any], state: Any, rows: Sequence[tuple[RawEvent, Versioned]]) -> Any:
        for row, (version, event) in rows:
            try:
                state = fold_kind(state, [(version, event)])
            except UNREADABLE as error:
                unread = as_unreadable(event, error)
                self._note(row, unread)
                state = fold_kind(state, [(version, unread)])
        return state

    def _begun(self, stream: bytes, first: RawEvent) -> Table:
        """A table after its opening, or before a later row if its state is not held.

        That is so in a new part of the log, or after the state was dropped.
        """
        if first.version > 1:
            return table_from_log(as_of(UUID(hex=self.club), UUID(hex=stream.decode()), first.version - 1))
        table = table_from_stored(read_stored(first.kind, first.schema, first.body))
        for entry in table.timeline:
            self._note(first, entry.event)
        return table

    def _before(self, stream: bytes, first: RawEvent, empty: Any, fold_kind: Callable[..., Any]) -> Any:
        """The same for a tournament, a cash book or a club."""
        before = as_of(UUID(hex=self.club), UUID(hex=stream.decode()), first.version - 1) if first.version > 1 else []
        events = ((event.version, read_stored(event.kind, event.schema, event.body)) for event in before)
        return fold_stored(fold_kind, empty, events)

    def _note(self, row: RawEvent, event: Event) -> None:
        if isinstance(event, EventLeftOut):
            self.read.gone.setdefault(UUID(hex=row.stream.decode()), {})[event.version] = row.position
        if isinstance(event, Unreadable):
            self.read.found.append(
                UnreadableEvent(
                    club=self.club,
                    club_name=self.name,
                    stream=UUID(hex=row.stream.decode()),
                    stream_kind=self.kinds.get(row.stream, ""),
                    version=row.version,
                    position=row.position,
                    kind=event.stored_kind,
                    why=event.why,
                )
            )


def unreadable_events(club: UUID) -> list[UnreadableEvent]:
    """Every event of a club that is unreadable and not left out, in the order of the log."""
    reader = StreamReader(club=club.hex, name="")
    position = 0
    while (later := next_position(club.hex, position)) is not None:
        rows = list(events_after(club.hex, later - 1))
        reader(rows)
        position = rows[-1].position
    return reader.read.unreadable()
