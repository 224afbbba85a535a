"""The cash desk's deeds: each is a fact in the night's book and, in the same transaction, an entry in the journal.

Rules: docs/books.md, "The cash desk". Whoever writes holds the club's turn, so that nobody takes out at the same
moment what another is taking out.
"""

from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from scoring import ledger
from scoring.cash import CashBook, dump_book, entry_of, fold_book, load_book, problems_with
from scoring.cash.admission import ALREADY
from scoring.facts import cash as facts
from scoring.facts import wire
from scoring.facts.table import Fact
from scoring.money.entries import TILL
from scoring.money.locales import currency_problems
from scoring.problems import FactRejected, StaleTable, refuse_if
from tournaments import log
from tournaments.cash.cash_holdings import holdings
from tournaments.cash.state import cause_of
from tournaments.log.context import Order, new_event, part
from tournaments.log.turns import club_turn
from tournaments.models import CashBook as CashBookRow
from tournaments.models import PlayerCredit
from tournaments.people.naming import named


@dataclass(frozen=True, slots=True, kw_only=True)
class CashRecorded:
    """The answer: the book as it stands, the line that was written, and whether there was anything to write."""

    book_id: UUID
    book: CashBook
    line: int
    is_replay: bool


def open_book(club_id: UUID, currency: str, *, order: Order) -> UUID:
    """The club's open book in a currency; a new one where the last was closed."""
    with club_turn(club_id):
        books = dict(CashBookRow.objects.filter(club_id=club_id, is_closed=False).values_list("currency", "id"))
        return books.get(currency) or _begin(club_id, currency, part(order, "book"))


def till_of(club_id: UUID, currency: str, *, order: Order) -> str:
    """Where whoever asks puts the money they take: their till of tonight, opened if it is not.

    Raises FactRejected when their till was counted and closed tonight already.
    """
    with club_turn(club_id):
        book_id = open_book(club_id, currency, order=order)
        if load_book(CashBookRow.objects.get(id=book_id).state).open_till(order.actor) is None:
            opening = replace(part(order, "till"), asked="")
            write_in_book(book_id, facts.TillOpened(till=order.actor), order=opening)
        return TILL + order.actor


def write_in_book(book_id: UUID, fact: Fact, *, order: Order, expected: int | None = None) -> CashRecorded:
    """Write one line of a book, and book what it moves. With `expected` it must follow that line.

    A second tap on a button that did its work writes nothing. Raises FactRejected with every problem, StaleTable,
    KeyReused.
    """
    club_id = CashBookRow.objects.values_list("club_id", flat=True).get(id=book_id)
    with club_turn(club_id):
        row = CashBookRow.objects.get(id=book_id)
        book = load_book(row.state)
        if stored := log.first_answer(club_id, order.key, order.asked or _digest(book_id, fact)):
            return CashRecorded(book_id=book_id, book=book, line=stored.version, is_replay=True)
        if expected is not None and expected != book.version:
            raise StaleTable(expected=expected, current=book.version)
        problems = problems_with(book, fact, holdings(row, book, fact))
        if problems and all(problem.code == ALREADY for problem in problems):
            return CashRecorded(book_id=book_id, book=book, line=book.version, is_replay=True)
        if problems:
            raise FactRejected(named(club_id, problems))
        return _append(row, book, fact, order)


def _begin(club_id: UUID, currency: str, order: Order) -> UUID:
    refuse_if(currency_problems(currency), FactRejected)
    last = CashBookRow.objects.filter(club_id=club_id, currency=currency).order_by("-number").first()
    row = CashBookRow(
        id=uuid4(), club_id=club_id, currency=currency, number=last.number + 1 if last else 1, opened_at=order.now
    )
    fact = facts.CashBookOpened(currency=currency)

    def also(stored: log.StoredEvent) -> None:
        row.version, row.state = stored.version, dump_book(fold_book(CashBook(), [(stored.version, fact)]))
        row.save(force_insert=True)

    place = log.Place(club_id=club_id, stream_id=row.id, expected=0)
    request = order.request(_digest(club_id, fact))
    log.open_stream(place, "cash", new_event(fact, order), request=request, also=also)
    return row.id


def _append(row: CashBookRow, book: CashBook, fact: Fact, order: Order) -> CashRecorded:
    after = fold_book(book, [(book.version + 1, fact)])

    def also(stored: log.StoredEvent) -> None:
        closed_at = order.now if after.is_closed else None
        CashBookRow.objects.filter(id=row.id).update(
            version=after.version, state=dump_book(after), is_closed=after.is_closed, closed_at=closed_at
        )
        _book(row, book, fact, order)
        if isinstance(fact, facts.CreditGranted):
            grant(UUID(fact.player), book.currency, fact.limit_minor)

    appended = log.append(
        log.Place(club_id=row.club_id, stream_id=row.id, expected=book.version),
        new_event(fact, order),
        request=order.request(_digest(row.id, fact)),
        also=also,
    )
    return CashRecorded(book_id=row.id, book=after, line=appended.stored.version, is_replay=appended.is_replay)


def _book(row: CashBookRow, book: CashBook, fact: Fact, order: Order) -> None:
    """The journal entry of a line, or the reversal of the one that is taken back."""
    line, entry = book.version + 1, entry_of(book, fact)
    if isinstance(fact, facts.CashDeedUndone):
        ledger.settle(row.club_id, cause_of(row.id, fact.version), version=line, entries=(), now=order.now)
    elif entry is not None:
        ledger.settle(row.club_id, cause_of(row.id, line), version=line, entries=(entry,), now=order.now)


def grant(player: UUID, currency: str, limit_minor: int) -> None:
    """How far a player may owe from now on; no row stands for nought."""
    if limit_minor:
        PlayerCredit.objects.update_or_create(
            player_id=player, currency=currency, defaults={"limit_minor": limit_minor}
        )
    else:
        PlayerCredit.objects.filter(player_id=player, currency=currency).delete()


def _digest(stream_id: UUID, fact: Fact) -> str:
    form = wire.encode(fact)
    return wire.request_digest(str(stream_id), form.kind, form.body, form.note)
