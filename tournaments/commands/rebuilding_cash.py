"""Rebuilding the cash desk's rows from the books' streams, or comparing them with it.

What accounts hold is not rebuilt: the journal is kept for itself, and `check_ledger` holds it against the log.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from scoring.cash import CashBook, dump_book
from scoring.rules import cash_facts as facts
from scoring.rules import events
from tournaments import log
from tournaments.cash_folding import book_from_log
from tournaments.models import CashBook as CashBookRow
from tournaments.models import PlayerCredit, Stream, StreamKind

COLUMNS = ("currency", "number", "version", "state", "is_closed", "opened_at", "closed_at")


class Credit(NamedTuple):
    """How far somebody may owe, as was granted last."""

    player: UUID
    currency: str


def rebuild_cash() -> int:
    """Write the rows of every book and every credit again. Returns how many events were read."""
    with transaction.atomic():
        list(CashBookRow.objects.select_for_update().order_by("id").values_list("id"))
        stored = _stored()
        CashBookRow.objects.bulk_create(
            [CashBookRow(**values) for values in _wanted(stored)],
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=["version", "state", "is_closed", "closed_at"],
        )
        PlayerCredit.objects.all().delete()
        PlayerCredit.objects.bulk_create(
            [
                PlayerCredit(player_id=credit.player, currency=credit.currency, limit_minor=limit)
                for credit, limit in _credits(stored).items()
            ]
        )
    return sum(map(len, stored.values()))


def cash_differences() -> Iterator[str]:
    """Every row of the cash desk that says something else than the log."""
    with transaction.atomic():
        stored = _stored()
        kept = {row.id: row for row in CashBookRow.objects.all()}
        for values in _wanted(stored):
            yield from _unequal(kept.pop(values["id"], None), values)
        yield from (f"cash book {book_id} has no events" for book_id in kept)
        granted = _credits(stored)
        rows = PlayerCredit.objects.values_list("player_id", "currency", "limit_minor")
        found = {Credit(player, currency): limit for player, currency, limit in rows}
        for credit in sorted(granted.keys() | found.keys()):
            if granted.get(credit) != found.get(credit):
                said = f"{found.get(credit, 0)}, the log says {granted.get(credit, 0)}"
                yield f"credit of player {credit.player} in {credit.currency} is {said}"


def _stored() -> dict[UUID, list[log.StoredEvent]]:
    """Every book's stream, the oldest book first."""
    streams = Stream.objects.filter(kind=StreamKind.CASH).order_by("id").values_list("id", flat=True)
    found = log.read_many(list(streams))
    return dict(sorted(found.items(), key=lambda one: one[1][0].position))


def _wanted(stored: Mapping[UUID, list[log.StoredEvent]]) -> Iterator[dict[str, Any]]:
    """The columns of each book, books of a club numbered in the order in which they were opened."""
    numbers: dict[tuple[UUID, str], int] = {}
    for book_id, its in stored.items():
        book = book_from_log(its)
        key = (its[0].club_id, book.currency)
        numbers[key] = numbers.get(key, 0) + 1
        yield {"id": book_id, "club_id": its[0].club_id, "number": numbers[key], **_columns(book, its)}


def _columns(book: CashBook, stored: list[log.StoredEvent]) -> dict[str, Any]:
    return {
        "currency": book.currency,
        "version": book.version,
        "state": dump_book(book),
        "is_closed": book.is_closed,
        "opened_at": stored[0].recorded_at,
        "closed_at": stored[-1].recorded_at if book.is_closed else None,
    }


def _credits(stored: Mapping[UUID, list[log.StoredEvent]]) -> dict[Credit, int]:
    """What was granted last to whom, club by club in the order of its log."""
    granted: dict[Credit, int] = {}
    everything = [(event, its[0]) for its in stored.values() for event in its if event.kind == "credit_granted"]
    for event, first in sorted(everything, key=lambda one: one[0].position):
        fact = events.decode(event.kind, event.schema, event.body)
        opened = events.decode(first.kind, first.schema, first.body)
        if isinstance(fact, facts.CreditGranted) and isinstance(opened, facts.CashBookOpened):
            granted[Credit(UUID(fact.player), opened.currency)] = fact.limit_minor
    return {credit: limit for credit, limit in granted.items() if limit}


def _unequal(row: CashBookRow | None, wanted: Mapping[str, Any]) -> Iterator[str]:
    if row is None:
        yield f"cash book {wanted['id']} is missing"
        return
    for column in COLUMNS:
        kept = getattr(row, column)
        if kept != wanted[column]:
            yield f"cash book {row.id}: {column} is {str(kept)[:80]!r}, the log says {str(wanted[column])[:80]!r}"
