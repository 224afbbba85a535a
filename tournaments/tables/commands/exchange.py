"""Corrects deals in which two players sat in each other's seats: one command swaps the two seats in all of them."""

from dataclasses import dataclass, replace
from uuid import UUID

from scoring.events import wire
from scoring.messages import say
from scoring.problems import EventNotAllowed, Problem, StaleTable, refuse_if
from scoring.rules.table.entering import exchanged
from scoring.rules.table.table import Table, steps
from scoring.rules.table.variant import Wire
from scoring.sheets.snapshots import load_table
from tournaments import log
from tournaments.log.context import CommandContext, part, tournament_lock
from tournaments.models import Scoresheet
from tournaments.tables.commands.record import record_wire_event


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Two seats of a table that were confused in some deals."""

    seats: tuple[str, str]
    deals: tuple[int, ...]
    reason: str


def exchange_seats(table_id: UUID, exchange: Exchange, *, context: CommandContext, expected: int) -> Table:
    """Correct every one of these deals by swapping the two seats in it. All or none.

    Raises EventRejected or EventNotAllowed with every problem, StaleTable; KeyReused for other deals or seats under the
    same key. The same request again changes nothing more.
    """
    context = replace(context, asked=wire.request_digest(str(table_id), "exchange", repr(exchange)))
    row = Scoresheet.objects.select_related("table").get(table_id=table_id)
    with tournament_lock(row.table.tournament_id):
        sheet = Scoresheet.objects.get(table_id=table_id)
        table = load_table(sheet.state)
        keys = [part(context, deal).key for deal in exchange.deals]
        if sheet.version != expected:
            if any(log.first_answer(sheet.club_id, key, context.asked) for key in keys):
                return table
            raise StaleTable(expected=expected, current=sheet.version)
        refuse_if(exchange_problems(table, exchange), EventNotAllowed)
        for number, raw in enumerate(exchange_events(table, exchange)):
            record_wire_event(table_id, raw, expected=expected + number, context=part(context, raw["deal"]))
        return load_table(Scoresheet.objects.values_list("state", flat=True).get(table_id=table_id))


def exchange_events(table: Table, exchange: Exchange) -> list[Wire]:
    """Return the corrections of the exchange, in the order of the deals."""
    corrections = []
    for entry, game, _ in steps(table):
        event = entry.event
        if event.kind == "deal_recorded" and event.deal in exchange.deals and not entry.is_void:
            fields = table.rules.entry_form(table.setup, game, is_extra=False)
            raw = exchanged(fields, event.sheet, *exchange.seats)
            corrections.append({"kind": "deal_corrected", "deal": event.deal, **raw, "reason": exchange.reason})
    return corrections


def exchange_problems(table: Table, exchange: Exchange) -> list[Problem]:
    """Check for two different seats of the table, deals that count, and a reason."""
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
