"""Lets a director leave out an unreadable event: its table is cancelled, or the event does not count in its stream.

Rules: docs/decisions/0026-events-that-read-back.md. The fix is an event of its own, with a reason; everything that
follows is computed from the log, never from rows that an earlier version wrote.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from scoring import ledger
from scoring.cash import dump_book, fold_book
from scoring.events import cash
from scoring.events.table import EventLeftOut
from scoring.merging import fold_merges
from scoring.messages import say
from scoring.problems import EventNotAllowed, Problem, refuse_if
from scoring.rules.table.table import Table
from scoring.tournament import fold_tournament
from tournaments import log
from tournaments.books.commands import is_rehearsal
from tournaments.cash import book_from_log, cause_of, entries_of
from tournaments.importing.standings import write_past
from tournaments.integrity.rebuild_readings import rebuild_cash
from tournaments.log.context import CommandContext, club_lock, digest_of
from tournaments.log.reading import table_from_log, tournament_state_from
from tournaments.merging import merges_from, settle_merges, write_merges
from tournaments.models import CashBook, EveningSheet, Scoresheet, Tournament
from tournaments.models.bounds import MOST_POSITION
from tournaments.projections.boards import sheet_values, write_boards
from tournaments.projections.stale import enqueue_prizes, enqueue_settlement, mark_stale, mark_tournament_stale
from tournaments.running.commands.record import sheet_values as state_values
from tournaments.tables.commands.record import mark_prizes_stale

Stored = Sequence[log.StoredEvent]


class NoSuchPosition(LookupError):
    """There is no event at this position of the club's log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """The result: the position of the event that leaves it out, and whether it had been stored before."""

    position: int
    is_replay: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cure:
    """The effect of leaving out an event: the versions that may be left out, and what the transaction also writes."""

    unreadable: Sequence[int]
    on_append: Callable[[log.StoredEvent], None]


def leave_out(club_id: UUID, position: int, *, reason: str, context: CommandContext) -> LeftOut:
    """Leave out the unreadable event at a position of a club's log.

    A repeated request changes nothing. Raises EventNotAllowed without a reason, or if the event can be read;
    NoSuchPosition if there is none; KeyReused.
    """
    with club_lock(club_id):
        stored_event = log.find(club=club_id, positions=[position]).first() if position <= MOST_POSITION else None
        if stored_event is None:
            raise NoSuchPosition(position)
        event = EventLeftOut(version=stored_event.version, reason=reason.strip())
        request = context.request(digest_of(stored_event.stream_id, event))
        if first := log.first_answer(club_id, context.key, request.digest):
            return LeftOut(position=first.position, is_replay=True)
        stored_events = log.read(club_id, stored_event.stream_id)
        cure = _CURES[log.kind_of(club_id, stored_event.stream_id)](stored_event.stream_id, stored_events, event)
        refuse_if(_problems(event, cure), EventNotAllowed)
        place = log.StreamVersion(club_id=club_id, stream_id=stored_event.stream_id, expected=stored_events[-1].version)
        new = log.NewEvent.of(event, context.occurred_at or context.now)
        appended = log.append(place, new, request=request, on_append=cure.on_append)
    if stored_events[stored_event.version - 1].kind == cash.CreditGranted.kind:
        rebuild_cash(club_id)
    return LeftOut(position=appended.stored.position, is_replay=appended.is_replay)


def _problems(event: EventLeftOut, cure: _Cure) -> list[Problem]:
    problems = []
    if not event.reason:
        problems.append(Problem(code="missing_field", field="reason", detail=say("enter a reason")))
    if event.version not in cure.unreadable:
        detail = say("record {number} can be read, or is left out already", number=event.version)
        problems.append(Problem(code="nothing_to_leave_out", field="position", detail=detail))
    return problems


def _table(table_id: UUID, stored: Stored, event: EventLeftOut) -> _Cure:
    """The table is cancelled: everything paid at it is refunded, and the prizes are settled again."""
    before = table_from_log(stored)
    after = before.apply(event)
    sheet = Scoresheet.objects.select_related("table__tournament").get(table_id=table_id)

    def on_append(written: log.StoredEvent) -> None:
        _write_table(sheet, after, written)
        if not is_rehearsal(table_id):
            Scoresheet.objects.filter(pk=sheet.pk).update(due_version=after.version, settle_problem="")
            enqueue_settlement(table_id)
        mark_prizes_stale(sheet.table.tournament_id, written.position)
        mark_tournament_stale(sheet.table.tournament_id)

    return _Cure(unreadable=before.unreadable, on_append=on_append)


def _write_table(sheet: Scoresheet, after: Table, written: log.StoredEvent) -> None:
    """If a table's opening cannot be read its standings stay as they are: they cannot be computed."""
    if not after.is_lost:
        write_boards(sheet.table, after, position=written.position, recorded_at=written.recorded_at)
        return
    reached = {"last_position": written.position, "last_recorded_at": written.recorded_at}
    Scoresheet.objects.filter(pk=sheet.pk).update(**sheet_values(after), **reached)
    Tournament.objects.filter(id=sheet.table.tournament_id).update(board_position=written.position)


def _tournament(tournament_id: UUID, stored: Stored, event: EventLeftOut) -> _Cure:
    """The tournament continues without the event; a worker settles all entries and the prizes again."""
    before = tournament_state_from(stored)
    after = fold_tournament(before, [(before.version + 1, event)])
    tournament = Tournament.objects.get(id=tournament_id)

    def on_append(written: log.StoredEvent) -> None:
        values = {**state_values(tournament, after, written.position), "due_position": written.position}
        if not EveningSheet.objects.filter(tournament=tournament).update(**values, settle_problem=""):
            EveningSheet.objects.create(tournament=tournament, **values)
        Tournament.objects.filter(id=tournament_id).update(board_position=written.position)
        enqueue_prizes(tournament_id)
        if after.is_closed:
            mark_stale(tournament.club_id)

    return _Cure(unreadable=before.unreadable, on_append=on_append)


def _cash_book(book_id: UUID, stored: Stored, event: EventLeftOut) -> _Cure:
    """The line moves no money any more, nor do lines that depend on it, such as closing a till after its count."""
    before = book_from_log(stored)
    after = fold_book(before, [(before.version + 1, event)])
    row = CashBook.objects.get(id=book_id)

    def on_append(written: log.StoredEvent) -> None:
        closed_at = row.closed_at or stored[-1].recorded_at if after.is_closed else None
        CashBook.objects.filter(id=book_id).update(
            version=after.version, state=dump_book(after), is_closed=after.is_closed, closed_at=closed_at
        )
        entries_by_cause = {
            cause_of(book_id, line): entries for line, entries in entries_of([*stored, written]).items()
        }
        obligations = [
            ledger.Obligation(cause=cause, version=written.version, entries=entries_by_cause.get(cause, ()))
            for cause in ledger.causes_of(row.club_id, cause_of(book_id, ""))
        ]
        ledger.settle_many(row.club_id, obligations, now=written.recorded_at)

    return _Cure(unreadable=before.unreadable, on_append=on_append)


def _merge(club_id: UUID, stored: Stored, event: EventLeftOut) -> _Cure:
    """The merges follow from the other events of the club."""
    before = merges_from(stored)
    after = fold_merges(before, [(before.version + 1, event)])

    def on_append(written: log.StoredEvent) -> None:
        write_merges(club_id, after, now=written.recorded_at)
        settle_merges(club_id, after, stored=written)
        write_past(club_id, [*stored, written])
        mark_stale(club_id)

    return _Cure(unreadable=before.unreadable, on_append=on_append)


_CURES: dict[log.StreamKind, Callable[[UUID, Stored, EventLeftOut], _Cure]] = {
    log.StreamKind.TABLE: _table,
    log.StreamKind.TOURNAMENT: _tournament,
    log.StreamKind.CASH: _cash_book,
    log.StreamKind.CLUB: _merge,
}
