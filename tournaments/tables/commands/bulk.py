"""Records events of several tables in one transaction: their score sheets, standings and dues are written in bulk.

A deal is recorded by `record`, one table at a time. Here the caller holds the club's lock and has checked the events:
the number of queries does not depend on the number of tables.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Greatest

from scoring.events import wire
from scoring.events.wire import Event
from scoring.problems import Problem
from scoring.rules.table.admission import new_limit_problems, problems_with
from scoring.rules.table.table import Status, Table
from scoring.sheets.snapshots import load_table
from tournaments import log
from tournaments.log.context import CommandContext, new_event
from tournaments.models import EveningSheet, Scoresheet, Tournament
from tournaments.projections.boards import Row, sheet_values, standings_of, write_standings
from tournaments.projections.stale import enqueue_settlement, mark_tournament_stale
from tournaments.tables.commands.record import is_official, mark_prizes_stale, wants_official

WRITTEN = ("last_position", "last_recorded_at", "due_version", "settle_problem")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEvents:
    """The events to record at one table, in order, each under a key of its own. `sheet` carries its table."""

    sheet: Scoresheet
    before: Table
    after: Table
    events: tuple[tuple[Event, CommandContext], ...]

    @classmethod
    def at(cls, sheet: Scoresheet, table: Table, events: Sequence[tuple[Event, CommandContext]]) -> "TableEvents":
        """Build these events as the next ones of the table."""
        after = table.apply(*(event for event, _ in events))
        return cls(sheet=sheet, before=table, after=after, events=tuple(events))

    @property
    def changes_what_is_owed(self) -> bool:
        """Whether the money owed changes; nothing is owed while events contradict each other."""
        return not self.after.conflicts and self.before.dues() != self.after.dues()


def sheets_with_tables(tournament: Tournament, wanted: Q) -> list[tuple[Scoresheet, Table]]:
    """Return score sheets of a tournament with their tables, by round and number, in one query."""
    sheets = Scoresheet.objects.filter(wanted, table__tournament=tournament).select_related("table")
    ordered_sheets = list(sheets.order_by("table__round", "table__number"))
    for sheet in ordered_sheets:
        sheet.table.tournament = tournament
    return [(sheet, load_table(sheet.state)) for sheet in ordered_sheets]


def problems_at(table: Table, event: Event) -> list[Problem]:
    """Return the problems with an event at a table, including its limits."""
    return problems_with(table, event) or new_limit_problems(table, table.apply(event))


def may_confirm(table: Table, deal: int, actor: str, recorders: Mapping[int, str]) -> bool:
    """Whether this actor may confirm a deal: not its recorder, and an official if the table requires one."""
    entry = table.deal_entry(deal)
    if entry is None or recorders.get(entry.corrected_at or entry.version) == actor:
        return False
    return not wants_official(table) or is_official(actor)


def recorders_of(club_id: UUID, tables: Collection[UUID]) -> dict[UUID, dict[int, str]]:
    """Return who recorded or corrected the deals of some tables, by the version of the event, in one query."""
    recorders: dict[UUID, dict[int, str]] = {table: {} for table in tables}
    kinds = [wire.DealRecorded.kind, wire.DealCorrected.kind]
    for event in log.find(club=club_id, streams=tables, kinds=kinds) if tables else ():
        recorders[event.stream_id][event.version] = event.actor
    return recorders


def record_at_tables(tournament: Tournament, changes: Sequence[TableEvents]) -> int:
    """Store the events of all tables, or none. Returns their number: 0 if they were stored before under their keys.

    Raises KeyReused.
    """
    stored_events = log.append_all(
        [
            (_place(change, number), new_event(event, context), context.request(context.asked))
            for change in changes
            for number, (event, context) in enumerate(change.events)
        ],
        on_append=lambda events: _follow(tournament, changes, events),
    )
    return len(stored_events)


def _place(change: TableEvents, number: int) -> log.StreamVersion:
    sheet = change.sheet
    return log.StreamVersion(club_id=sheet.club_id, stream_id=sheet.table_id, expected=change.before.version + number)


def _follow(tournament: Tournament, changes: Sequence[TableEvents], events: Sequence[log.StoredEvent]) -> None:
    """Update the boards of all tables; then what is owed; then seasons and prizes if a finished sheet was changed."""
    last = {event.stream_id: event for event in events}
    is_rehearsal = EveningSheet.objects.filter(tournament=tournament, is_rehearsal=True).exists()
    for change in changes:
        _put(
            change.sheet,
            change.after,
            last[change.sheet.table_id],
            owes=change.changes_what_is_owed and not is_rehearsal,
        )
    sheets = [change.sheet for change in changes]
    Scoresheet.objects.bulk_update(sheets, [*sheet_values(changes[0].before), *WRITTEN])
    write_standings(list(_standings(changes, last)))
    position = events[-1].position
    Tournament.objects.filter(id=tournament.id).update(board_position=Greatest("board_position", position))
    if any(change.before.status is not Status.OPEN for change in changes):
        mark_prizes_stale(tournament.id, position)
        mark_tournament_stale(tournament.id)


def _put(sheet: Scoresheet, after: Table, stored: log.StoredEvent, *, owes: bool) -> None:
    for name, value in sheet_values(after).items():
        setattr(sheet, name, value)
    sheet.last_position, sheet.last_recorded_at = stored.position, stored.recorded_at
    if owes:
        sheet.due_version, sheet.settle_problem = after.version, ""
        enqueue_settlement(sheet.table_id)


def _standings(changes: Iterable[TableEvents], last: Mapping[UUID, log.StoredEvent]) -> Iterator[Row]:
    for change in changes:
        yield from standings_of(change.sheet.table, change.after, position=last[change.sheet.table_id].position)
