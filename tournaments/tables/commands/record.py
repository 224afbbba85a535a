"""Recording a fact of a table: the one path by which deals, drops, rejoins and corrections get in.

The order of steps is the rule: resend? stale? well formed? admitted? Then the fact and the boards are stored in one
transaction, and a worker is rung if money is owed that was not owed before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from scoring.facts import wire
from scoring.facts.wire import Fact
from scoring.messages import say
from scoring.problems import EventRejected, FactRejected, Problem, StaleTable, refuse_if
from scoring.rules.table.admission import considered, disputed_deal, limit_problems
from scoring.rules.table.entering import exchanged
from scoring.rules.table.table import Status, Table, fold, steps
from scoring.sheets.snapshots import load_table
from tournaments import log
from tournaments.books.commands import IS_PLAYED_FOR_REAL, cover_problems
from tournaments.log.context import Order, part, tournament_turn
from tournaments.models import EveningSheet, Scoresheet, Tournament
from tournaments.projections.boards import write_boards
from tournaments.projections.stale import owe_readings_of, ring_evening, ring_settlement

# Confirming a deal: the word of somebody else than whoever wrote it down, as the table asks for it.


def word_problems(table_id: UUID, table: Table, fact: Fact, actor: str) -> list[Problem]:
    """What speaks against this actor's word on a deal; one query, and that only where a deal is confirmed."""
    if not isinstance(fact, wire.DealConfirmed) or table.deal_entry(fact.deal) is None:
        return []
    problems = []
    if writer_of(table_id, table, fact.deal) == actor:
        problems.append(own_deal(fact.deal))
    if fact.deal in table.disputed:
        problems.append(disputed_deal(fact.deal))
    if wants_official(table) and not is_official(actor):
        detail = say("deal {deal} is confirmed by a second official, who signs in", deal=fact.deal)
        if table.setup.two_seats_enter:
            detail = say("deal {deal} is confirmed by a second seat that enters it", deal=fact.deal)
        problems.append(Problem(code="not_an_official", field="deal", detail=detail))
    return problems


def writer_of(table_id: UUID, table: Table, deal: int) -> str:
    """The actor who wrote a deal down as it stands, in one query; empty where there is no such deal."""
    entry = table.deal_entry(deal)
    if entry is None:
        return ""
    version = entry.corrected_at or entry.version
    return log.actors_of(table_id, [version]).get(version, "")


def own_deal(deal: int) -> Problem:
    """Nobody confirms what they wrote down."""
    detail = say("you recorded deal {deal}: someone else must confirm it", deal=deal)
    return Problem(code="own_deal", field="deal", detail=detail)


def wants_official(table: Table) -> bool:
    """Whether nobody but a person who signed in may confirm a deal of this table without entering it."""
    return table.setup.two_seats_enter or table.setup.confirmation == "second_official"


def is_official(name: str) -> bool:
    """Whether the actor of this name is a person who signed in, and no table's card or device."""
    return name.startswith("user:")


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
        """Nothing is owed while facts contradict each other; once they agree again, the books are looked at.

        Where each deal is paid, a deal more owes more: all the payouts of a long table are not worked out for that.
        """
        before, after = self.before, self.after
        if after.conflicts or before.conflicts:
            return not after.conflicts
        if before.status is after.status is Status.OPEN and after.rules.pays_while_open(after.setup):
            return bool(before.game != after.game)
        return before.dues() != after.dues()

    @property
    def reopens_the_table(self) -> bool:
        """Its closing, or its being given up, is withdrawn."""
        return self.before.status is not Status.OPEN and self.after.status is Status.OPEN


def sheet_of(table_id: UUID) -> Scoresheet:
    """A table's score sheet row with what recording a fact of it asks for."""
    return Scoresheet.objects.select_related("table__tournament").get(table_id=table_id)


def record_wire_event(
    table_id: UUID, raw: Mapping[str, object], *, expected: int, order: Order, sheet: Scoresheet | None = None
) -> Recorded:
    """Store an event, as the contract writes it, as the version after `expected`; `sheet` is the row, if it was read.

    Raises EventRejected or FactRejected with every problem, StaleTable when the table has moved on, KeyReused. The same
    order again gets its first answer: it is looked for only where the version no longer fits.
    """
    digest = digest_of_event(table_id, raw, expected)
    sheet = sheet or sheet_of(table_id)
    if sheet.version != expected:
        first = log.first_answer(sheet.club_id, order.key, digest)
        if first is None:
            raise StaleTable(expected=expected, current=sheet.version)
        return Recorded(stored=first, table=None, is_replay=True)
    before = load_table(sheet.state)
    fact = admitted(before, raw)
    refuse_if(word_problems(table_id, before, fact, order.actor), FactRejected)
    return record_fact(sheet, before, fact, order, digest)


def record_fact(sheet: Scoresheet, before: Table, fact: Fact, order: Order, digest: str) -> Recorded:
    """Store an admitted fact as the next version of a table that stands as `before`. Raises as `record_wire_event`."""
    step = _Step(sheet=sheet, before=before, fact=fact, after=fold(before, [(before.version + 1, fact)]))
    refuse_if(_beyond_limit(step), FactRejected)
    return _store(step, order, order.request(digest))


def digest_of_event(table_id: UUID, raw: Mapping[str, object], expected: int) -> str:
    """What tells a resend of an event from another request under its key."""
    return wire.request_digest(str(table_id), str(expected), wire.canonical(raw))


def admitted(table: Table, raw: Mapping[str, object]) -> Fact:
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
        if step.changes_what_is_owed:
            owed = Scoresheet.objects.filter(IS_PLAYED_FOR_REAL, pk=sheet.pk)
            if owed.update(due_version=after.version, settle_problem=""):
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
        detail = say("the tournament is closed: reopen it before its tables")
        raise FactRejected([Problem(code="tournament_closed", detail=detail)])


# Players who sat in each other's seats for some deals: one deed writes those deals again, the right way round.


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Two seats of a table that were taken for each other in some deals."""

    seats: tuple[str, str]
    deals: tuple[int, ...]
    reason: str


def exchange_seats(table_id: UUID, exchange: Exchange, *, order: Order, expected: int) -> Table:
    """Correct every one of these deals so that the two seats have changed places in it. All or none.

    Raises EventRejected or FactRejected with every problem, StaleTable. The same order again changes nothing more.
    """
    row = Scoresheet.objects.select_related("table").get(table_id=table_id)
    with tournament_turn(row.table.tournament_id):
        sheet = Scoresheet.objects.get(table_id=table_id)
        table = load_table(sheet.state)
        keys = [part(order, deal).key for deal in exchange.deals]
        if sheet.version != expected:
            if log.find(club=sheet.club_id, streams=[table_id], keys=keys).exists():
                return table
            raise StaleTable(expected=expected, current=sheet.version)
        refuse_if(exchange_problems(table, exchange), FactRejected)
        for number, raw in enumerate(exchange_events(table, exchange)):
            record_wire_event(table_id, raw, expected=expected + number, order=part(order, raw["deal"]))
        return load_table(Scoresheet.objects.values_list("state", flat=True).get(table_id=table_id))


def exchange_events(table: Table, exchange: Exchange) -> list[dict[str, Any]]:
    """The corrections that the exchange is made of, in the order of the deals."""
    found = []
    for entry, game, _ in steps(table):
        fact = entry.fact
        if fact.kind == "deal_recorded" and fact.deal in exchange.deals and not entry.is_void:
            fields = table.rules.entry_form(table.setup, game, is_extra=False)
            raw = exchanged(fields, fact.sheet, *exchange.seats)
            found.append({"kind": "deal_corrected", "deal": fact.deal, **raw, "reason": exchange.reason})
    return found


def exchange_problems(table: Table, exchange: Exchange) -> list[Problem]:
    """Two different seats of the table, deals that stand, and a reason."""
    problems = [
        Problem("unknown_seat", say("there is no seat {seat} at this table", seat=seat), seat=seat, field="seats")
        for seat in exchange.seats
        if seat not in table.setup.seats
    ]
    if len(set(exchange.seats)) < 2:
        detail = say("choose the two seats that were mixed up")
        problems.append(Problem(code="seat_twice", field="seats", detail=detail))
    if not exchange.deals:
        problems.append(Problem(code="missing_field", field="deals", detail=say("choose the deals")))
    if not exchange.reason.strip():
        problems.append(Problem(code="missing_field", field="reason", detail=say("enter a reason")))
    for deal in exchange.deals:
        entry = table.deal_entry(deal)
        if entry is None or entry.is_void:
            detail = say("deal {deal} is not on the sheet", deal=deal)
            problems.append(Problem(code="no_such_deal", field="deals", detail=detail))
    return problems
