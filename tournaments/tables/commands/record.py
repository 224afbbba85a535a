"""Recording a fact of a table: the one path by which deals, drops, rejoins and corrections get in.

The order of steps is the rule: resend? stale? well formed? admitted? Then the fact and the boards are stored in one
transaction, and a worker is rung if money is owed that was not owed before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from scoring.facts import wire
from scoring.facts.wire import Fact
from scoring.problems import EventRejected, FactRejected, Problem, StaleTable, refuse_if
from scoring.rules.table.admission import considered, limit_problems
from scoring.rules.table.table import Status, Table, fold
from scoring.sheets.snapshots import load_table
from tournaments import log
from tournaments.books.covering import cover_problems
from tournaments.books.settling import is_rehearsal
from tournaments.log.context import Order
from tournaments.models import EveningSheet, Scoresheet, Tournament
from tournaments.projections.boards import write_boards
from tournaments.projections.doorbell import ring_evening, ring_settlement
from tournaments.projections.stale import owe_readings_of
from tournaments.tables.commands.confirming import word_problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """The answer: the stored fact, the table after it, and whether it had been stored before."""

    stored: log.StoredEvent
    table: Table | None
    is_replay: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One fact between the table before it and the table after it."""

    sheet: Scoresheet
    before: Table
    fact: Fact
    after: Table

    @property
    def changes_what_is_owed(self) -> bool:
        """Nothing is owed while facts contradict each other; once they agree again, the books are looked at."""
        if self.after.conflicts:
            return False
        return bool(self.before.conflicts) or self.before.dues() != self.after.dues()

    @property
    def reopens_the_table(self) -> bool:
        """Its closing, or its being given up, is withdrawn."""
        return self.before.status is not Status.OPEN and self.after.status is Status.OPEN


def record_wire_event(table_id: UUID, raw: Mapping[str, object], *, expected: int, order: Order) -> Recorded:
    """Store an event, as the contract writes it, as the version after `expected`.

    Raises EventRejected or FactRejected with every problem, StaleTable when the table has moved on, KeyReused. The same
    order again gets its first answer: it is looked for only where the version no longer fits.
    """
    digest = wire.request_digest(str(table_id), str(expected), wire.canonical(raw))
    sheet = Scoresheet.objects.select_related("table__tournament").get(table_id=table_id)
    if sheet.version != expected:
        first = log.first_answer(sheet.club_id, order.key, digest)
        if first is None:
            raise StaleTable(expected=expected, current=sheet.version)
        return Recorded(stored=first, table=None, is_replay=True)
    before = load_table(sheet.state)
    fact = _admitted(before, raw)
    refuse_if(word_problems(table_id, before, fact, order.actor), FactRejected)
    step = _Step(sheet=sheet, before=before, fact=fact, after=fold(before, [(expected + 1, fact)]))
    refuse_if(_beyond_limit(step), FactRejected)
    return _store(step, order, order.request(digest))


def _admitted(table: Table, raw: Mapping[str, object]) -> Fact:
    """The fact, if nothing speaks against it: form, rules and slips of the pen are looked at together."""
    fact, problems = considered(table, raw)
    if fact is None:
        raise EventRejected(problems)
    refuse_if([*problems, *table.rules.typing_problems(table.setup, fact)], FactRejected)
    return fact


def _beyond_limit(step: _Step) -> list[Problem]:
    """What this fact makes more than can be kept; a table that was beyond it before can be corrected and closed."""
    problems = limit_problems(step.after)
    return problems if problems and not limit_problems(step.before) else []


def _store(step: _Step, order: Order, request: log.Request) -> Recorded:
    """The fact and everything that follows from it, in one transaction."""
    sheet, after = step.sheet, step.after

    def also(stored: log.StoredEvent) -> None:
        refuse_if(cover_problems(sheet, step.before, step.fact), FactRejected)
        if step.reopens_the_table:
            _refuse_in_a_closed_tournament(sheet.table.tournament_id)
        write_boards(sheet.table, after, position=stored.position, recorded_at=stored.recorded_at)
        if step.changes_what_is_owed and not is_rehearsal(sheet.table_id):
            Scoresheet.objects.filter(pk=sheet.pk).update(due_version=after.version, settle_problem="")
            ring_settlement(sheet.table_id)
        if step.before.status is not Status.OPEN:
            owe_prizes_anew(sheet.table.tournament_id, stored.position)
            owe_readings_of(sheet.table.tournament_id)

    appended = log.append(
        log.Place(club_id=sheet.club_id, stream_id=sheet.table_id, expected=step.before.version),
        log.NewEvent.of(step.fact, order.occurred_at or order.now),
        request=request,
        also=also,
    )
    return Recorded(stored=appended.stored, table=None if appended.is_replay else after, is_replay=appended.is_replay)


def owe_prizes_anew(tournament_id: UUID, position: int) -> None:
    """What is changed at a table of a closed evening may change its prizes; while one is open, no evening is closed.

    Asked while the append holds the club's head: a page may have read the tournament before it was closed.
    """
    closed = EveningSheet.objects.filter(tournament_id=tournament_id, has_plan=True)
    if closed.filter(tournament__closed_at__isnull=False).update(due_position=position):
        ring_evening(tournament_id)


def _refuse_in_a_closed_tournament(tournament_id: UUID) -> None:
    """Asked while the append holds the club's head, so that nobody can close the tournament between the two."""
    if Tournament.objects.filter(id=tournament_id, closed_at__isnull=False).exists():
        detail = "the tournament is closed, so no table of it can be open: reopen the tournament first"
        raise FactRejected([Problem(code="tournament_closed", detail=detail)])
