"""A table as text and back: stored so that recording one more deal does not fold the whole log.

Rules: docs/events.md, "Snapshots". A snapshot can always be deleted and created again from the log.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

import msgspec

from scoring.events import wire
from scoring.events.reading import UNREADABLE, Unreadable, read_stored
from scoring.events.table import Confirmation
from scoring.events.wire import Event, TableOpened
from scoring.money.payouts import Stakes
from scoring.rules.table.table import Conflict, Entry, Setup, Status, Table
from scoring.rules.table.timeline import DealCheck, recounted, status_of
from scoring.rules.variants import table_from_stored, variant

# The events of forty tables of a long night; some two hundred bytes each.
MOST_EVENTS = 4096

# A table as it was after its first lines, as known today: corrections count in their place.


def as_known(table: Table, had_been_written: Callable[[int], bool]) -> Table:
    """The table after the lines whose first version passes. It ends at the first that does not: a sheet has no gaps."""
    timeline = tuple(takewhile(lambda entry: had_been_written(entry.version), table.timeline))
    if len(timeline) == len(table.timeline):
        return table
    game, conflicts = recounted(table.rules, table.setup, timeline)
    deals = {str(entry.event.deal) for entry in timeline if isinstance(entry.event, wire.DealRecorded)}
    status = status_of(timeline)
    return replace(
        table,
        timeline=timeline,
        game=game,
        status=status,
        conflicts=() if status is Status.CANCELLED else conflicts,
        checks={deal: check for deal, check in table.checks.items() if deal in deals},
    )


def corrected_deals(table: Table) -> frozenset[int]:
    """The numbers of the deals on this sheet that were corrected or voided; 0 where its totals were."""
    return frozenset(
        entry.event.deal if isinstance(entry.event, wire.DealRecorded) else 0
        for entry in table.timeline
        if entry.corrected_at and isinstance(entry.event, wire.DealRecorded | wire.TotalsRecorded)
    )


class _StoredEntry(msgspec.Struct, frozen=True, array_like=True):
    """A timeline entry with its event in stored form."""

    version: int
    kind: str
    schema: int
    body: msgspec.Raw
    is_void: bool
    corrected_at: int


class _Snapshot(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The parts of a table; options and game are read with the variant's own types."""

    variant: str
    options: msgspec.Raw
    stakes: Stakes
    players: tuple[tuple[str, str], ...]
    carried: dict[str, int] = {}
    version: int
    timeline: tuple[_StoredEntry, ...]
    game: msgspec.Raw
    status: Status
    conflicts: tuple[Conflict, ...]
    checks: dict[str, DealCheck] = {}
    confirmation: Confirmation = "at_once"

    def reads_as_it_was(self, table: Table) -> bool:
        """Whether no event that could be read when this was written has become unreadable since."""
        pairs = zip(self.timeline, table.timeline, strict=True)
        return not any(isinstance(now.event, Unreadable) and was.kind != Unreadable.kind for was, now in pairs)


_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(_Snapshot)


def dump_table(table: Table) -> str:
    """The table as canonical JSON: equal tables give equal text."""
    snapshot = _Snapshot(
        variant=table.rules.name,
        options=_raw(table.setup.options),
        stakes=table.setup.stakes,
        players=tuple(table.players.items()),
        carried=table.setup.carried,
        version=table.version,
        timeline=tuple(_stored(entry) for entry in table.timeline),
        game=_raw(table.game),
        status=table.status,
        conflicts=table.conflicts,
        checks=dict(table.checks),
        confirmation=table.setup.confirmation,
    )
    return _ENCODER.encode(snapshot).decode()


def load_table(text: str) -> Table:
    """The table that `dump_table` wrote; one without seats where its options or stakes cannot be read any more."""
    try:
        return _loaded(_DECODER.decode(text))
    except UNREADABLE as error:
        first = Unreadable(stored_kind=TableOpened.kind, stored_schema=TableOpened.schema, body=text, why=str(error))
        return table_from_stored(first)


def _loaded(kept: _Snapshot) -> Table:
    rules = variant(kept.variant)
    options = msgspec.json.decode(kept.options, type=rules.options_type)
    table = Table(
        rules=rules,
        setup=Setup(
            options=options,
            stakes=kept.stakes,
            seats=tuple(seat for seat, _ in kept.players),
            carried=kept.carried,
            confirmation=kept.confirmation,
        ),
        players=dict(kept.players),
        version=kept.version,
        timeline=tuple(
            Entry(e.version, _read(e.kind, e.schema, bytes(e.body), rules.name), e.is_void, e.corrected_at)
            for e in kept.timeline
        ),
        game=msgspec.json.decode(kept.game, type=rules.game_type),
        status=kept.status,
        conflicts=kept.conflicts,
        checks=kept.checks,
    )
    return table if kept.reads_as_it_was(table) else _counted_again(table)


@lru_cache(MOST_EVENTS)
def _read(kind: str, schema: int, body: bytes, game: str) -> Event:
    """The same event object for the same bytes: a table is loaded for each deal, and all but one were read before."""
    return read_stored(kind, schema, body, variant(game))


def _counted_again(table: Table) -> Table:
    """Count the game again without events that counted when the snapshot was made and can no longer be read."""
    game, conflicts = recounted(table.rules, table.setup, table.timeline)
    is_over = table.status is Status.CANCELLED
    return replace(table, game=game, conflicts=() if is_over else conflicts)


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(_ENCODER.encode(value))


def _stored(entry: Entry) -> _StoredEntry:
    form = wire.encode(entry.event)
    body = msgspec.Raw(form.body.encode())
    return _StoredEntry(entry.version, form.kind, form.schema, body, entry.is_void, entry.corrected_at)
