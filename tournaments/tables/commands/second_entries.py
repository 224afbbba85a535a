"""Deals that two seats enter, each on its own phone: the second entry confirms the first, or says where it differs.

Rules: docs/how-to/evening.md, "Two phones for each deal", and decision 0048. Whatever a phone has seen of the table, a
deal typed on it is never stale because of the other phone's entry, or because of what was said of a deal.
"""

from collections.abc import Mapping
from contextlib import suppress
from uuid import UUID

import msgspec

from scoring.facts import wire
from scoring.facts.table import CHECKS
from scoring.facts.wire import Fact
from scoring.problems import FactRejected, StaleTable, refuse_if
from scoring.rules.table.admission import disputed_deal, problems_with
from scoring.rules.table.table import Table, before_deal
from scoring.rules.table.timeline import DealCheck
from scoring.sheets.snapshots import load_table
from tournaments import log
from tournaments.log.context import Order
from tournaments.models import Scoresheet
from tournaments.tables.commands.record import (
    Recorded,
    admitted,
    digest_of_event,
    own_deal,
    record_fact,
    record_wire_event,
    sheet_of,
    writer_of,
)

# Phones that save at the same moment take turns: one more try for each seat of a table.
TRIES = 10
ENTRIES = frozenset({"deal_recorded", "deal_corrected"})


def record_at_table(
    table_id: UUID, raw: Mapping[str, object], *, expected: int, order: Order, sheet: Scoresheet | None = None
) -> Recorded:
    """Store what somebody at a table sent. Where two seats enter each deal, a seat's deal is compared with the other's.

    Raises what `record_wire_event` raises.
    """
    digest = digest_of_event(table_id, raw, expected)
    for _ in range(TRIES if order.seats and raw.get("kind") in ENTRIES else 0):
        sheet = sheet_of(table_id)
        table = load_table(sheet.state)
        if not table.setup.two_seats_enter:
            break
        stored = log.first_answer(sheet.club_id, order.key, digest) if table.version != expected else None
        found = stored or _entered(sheet, table, raw, expected=expected, order=order)
        if isinstance(found, log.StoredEvent):
            return Recorded(stored=found, table=None, is_replay=True)
        with suppress(StaleTable):
            return record_fact(sheet, table, found, order, digest)
    return record_wire_event(table_id, raw, expected=expected, order=order, sheet=sheet)


def is_of_device(actor: str, order: Order) -> bool:
    """Whether a deal was written down under this name by whoever asks now: the same seat, or another of the device."""
    return actor == order.actor or seat_of(actor) in order.seats


def seat_of(actor: str) -> str:
    """The seat whose card an actor holds; empty for everybody else."""
    kind, _, rest = actor.partition(":")
    return rest.partition(":")[2] if kind == "table" else ""


def _entered(
    sheet: Scoresheet, table: Table, raw: Mapping[str, object], *, expected: int, order: Order
) -> Fact | log.StoredEvent:
    """The fact that a seat's deal is at the table as it stands; or the one that says the same already."""
    deal = raw.get("deal")
    entry = table.deal_entry(deal) if isinstance(deal, int) else None
    if isinstance(deal, int) and entry is not None and not entry.is_void:
        writer = writer_of(sheet.table_id, table, deal)
        if not is_of_device(writer, order):
            return _compared(sheet, table, deal, raw, order)
        is_of_other_seat = seat_of(writer) != order.seats[0]
        told = [own_deal(deal)] if is_of_other_seat else [disputed_deal(deal)] if deal in table.locked else []
        refuse_if(told, FactRejected)
    if table.version != expected and not _is_only_checked_since(sheet, expected):
        raise StaleTable(expected=expected, current=table.version)
    return admitted(table, raw)


def _is_only_checked_since(sheet: Scoresheet, version: int) -> bool:
    """Whether others have only confirmed or disputed deals since: the next deal is typed the same."""
    if version > sheet.version:
        return False
    since = log.find(club=sheet.club_id, streams=[sheet.table_id], after=version)
    return all(event.kind in CHECKS for event in since)


def _compared(
    sheet: Scoresheet, table: Table, deal: int, raw: Mapping[str, object], order: Order
) -> Fact | log.StoredEvent:
    """A deal that another seat has entered: this seat agrees, or says where it does not."""
    second = table.second_entry(deal)
    if deal in table.locked or (second is not None and second[0] not in order.seats):
        raise FactRejected([disputed_deal(deal)])
    typed = {name: value for name, value in raw.items() if name != "reason"}
    entered = admitted(before_deal(table, deal), {**typed, "kind": "deal_recorded"})
    assert isinstance(entered, wire.DealRecorded)  # noqa: S101 - of that kind
    seat = second[0] if second is not None else order.seats[0]
    fact: Fact = wire.DealConfirmed(deal=deal, seat=seat)
    if table.disagreements(deal, entered.sheet):
        # As it is stored: a list that was told for a tuple is the same sheet.
        said = msgspec.json.decode(msgspec.json.encode(entered.sheet))
        fact = wire.DealDisputed(deal=deal, seat=seat, sheet=said)
    elif second is None and deal not in table.unconfirmed:
        return _confirmation(sheet, table, deal)
    refuse_if(problems_with(table, fact), FactRejected)
    return fact


def _confirmation(sheet: Scoresheet, table: Table, deal: int) -> log.StoredEvent:
    """What confirmed a deal: somebody's word, or a correction to what the second seat had entered."""
    entry = table.deal_entry(deal)
    version = table.checks.get(str(deal), DealCheck()).confirmed_at or (entry.corrected_at if entry else 0)
    return log.as_of(sheet.table_id, version)[-1]
