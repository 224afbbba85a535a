"""What somebody at the cash desk writes in tonight's book: within their role, and on what they have seen.

Rules: docs/roles.md; docs/books.md, "The cash desk". Two cashiers write at once: a line is held back only where
another about the same player, till or place came between. Knows nothing of pages.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from scoring.facts import cash as facts
from scoring.facts.stored import read_stored
from scoring.facts.table import Fact
from scoring.money.entries import TILL
from scoring.problems import FactRejected, Problem, StaleTable, shown
from tournaments import log
from tournaments.cash.cash_books import CashRecorded, open_book, write_in_book
from tournaments.log.context import Order, part
from tournaments.log.turns import club_turn
from tournaments.models import CashBook as CashBookRow
from tournaments.models import Event, Membership
from tournaments.people.permissions import FACT_DEEDS, Actor, Deed, may

PLACES = ("place", "source", "target")
PLAYERS = ("player", "to", "payer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Whoever stands at a club's cash desk: in which currency, before which book, having seen it up to a line.

    `book` is None where there was none yet; then the club's open one is meant, or a new one begins.
    """

    club: UUID
    currency: str
    actor: Actor
    book: UUID | None = None
    seen: int = 0


def write_at_desk(desk: Desk, fact: Fact, *, order: Order) -> CashRecorded:
    """One line in the book, or the refusal of all of it: a book that only this line would have begun does not begin.

    Raises FactRejected with every problem, StaleTable, KeyReused; CashBook.DoesNotExist for another club's book.
    """
    with club_turn(desk.club):
        book_id = desk.book or _book_of(desk, order)
        row = CashBookRow.objects.get(id=book_id, club_id=desk.club)
        stored = log.read(book_id)
        lines = {event.version: read_stored(event.kind, event.schema, event.body) for event in stored}
        if not any(event.key == order.key for event in stored):
            _refuse_meanwhile(lines, fact, desk.seen)
        problems = [*_beyond_role(desk.actor, row, _whole(lines, fact)), *_never_here(desk, fact)]
        if problems:
            raise FactRejected(problems)
        return write_in_book(book_id, fact, order=order)


def let_owe(desk: Desk, owed: Mapping[str, int], reason: str, *, order: Order) -> None:
    """Grant each of some players credit for what they owe, in minor units: a line each, all or none.

    Raises what `write_at_desk` raises; FactRejected where nobody was chosen.
    """
    if not owed:
        raise FactRejected([Problem(code="missing_field", field="player", detail="choose who may owe it")])
    with club_turn(desk.club):
        for player, limit in sorted(owed.items()):
            granted = facts.CreditGranted(player=player, limit_minor=limit, reason=reason)
            write_at_desk(desk, granted, order=part(order, player))


def _book_of(desk: Desk, order: Order) -> UUID:
    """The open book; for a resend the one in which the line stands already, though it may be closed by now."""
    written = Event.objects.filter(club_id=desk.club, key=order.key).values("stream_id")
    book = CashBookRow.objects.filter(id__in=written, club_id=desk.club).first()
    return book.id if book and book.currency == desk.currency else open_book(desk.club, desk.currency, order=order)


def _refuse_meanwhile(lines: Mapping[int, Fact], fact: Fact, seen: int) -> None:
    """Somebody wrote about the same player, till or place since."""
    later = [version for version in lines if version > seen > 0]
    is_all = isinstance(fact, facts.CashBookClosed)
    wanted = {name for each in _whole(lines, fact) for name in _looked_at(each)}
    for version in later:
        if is_all or wanted & {name for each in _whole(lines, lines[version]) for name in _touched(each)}:
            raise StaleTable(expected=seen, current=max(lines))


def _whole(lines: Mapping[int, Fact], fact: Fact) -> Sequence[Fact]:
    """A fact, and the one that it takes back."""
    if isinstance(fact, facts.CashDeedUndone) and fact.version in lines:
        return (fact, lines[fact.version])
    return (fact,)


def _looked_at(fact: Fact) -> Iterator[str]:
    """On what whoever writes this has decided."""
    players = [getattr(fact, name, None) for name in PLAYERS]
    yield from (player for player in players if player)
    if isinstance(fact, facts.MoneyMoved):
        yield from (fact.source, fact.target)
    if till := getattr(fact, "till", ""):
        yield TILL + till


def _touched(fact: Fact) -> Iterator[str]:
    """What a line has changed."""
    yield from _looked_at(fact)
    yield from (place for name in PLACES if (place := getattr(fact, name, "")))


def _beyond_role(actor: Actor, row: CashBookRow, all_of_it: Sequence[Fact]) -> Iterator[Problem]:
    """Whoever directs works with any till; everybody else with their own, and with nothing that goes past it."""
    if may(actor, Deed.DIRECT, row.club_id):
        return
    for fact in all_of_it:
        if FACT_DEEDS.get(fact.kind, Deed.DIRECT) is Deed.DIRECT:
            detail = "this is a director's to write down, and to take back"
            yield Problem(code="not_your_deed", field="kind", detail=detail)
        yield from _not_own(actor, fact)


def _not_own(actor: Actor, fact: Fact) -> Iterator[Problem]:
    own = TILL + actor.name
    named = {name: place for name in PLACES if (place := getattr(fact, name, ""))}
    if till := getattr(fact, "till", ""):
        named["till"] = TILL + till
    if isinstance(fact, facts.TillOpened):
        named = {"till": named["till"]}
    for name, place in named.items():
        if place.startswith(TILL) and place != own:
            detail = "this is another cashier's till: a director may work with it, you with your own"
            yield Problem(code="not_your_till", field=name, detail=detail)
    for name in [name for name, place in named.items() if place == "levy"]:
        detail = "a levy is passed on, or comes back, by a director"
        yield Problem(code="not_your_deed", field=name, detail=detail)
    if named and own not in named.values() and not any(place.startswith(TILL) for place in named.values()):
        detail = "your own till must be on one side of it: what goes past the tills is a director's"
        yield Problem(code="not_your_till", field=next(iter(named)), detail=detail)


def _never_here(desk: Desk, fact: Fact) -> Iterator[Problem]:
    """A till is opened for whoever asks, or for somebody who works for the club; a book begins by itself."""
    if isinstance(fact, facts.CashBookOpened):
        yield Problem(code="unknown_kind", field="kind", detail="a book begins by itself, with its first line")
    if not isinstance(fact, facts.TillOpened) or fact.till == desk.actor.name:
        return
    people = Membership.objects.filter(club_id=desk.club).values_list("user_id", flat=True)
    if fact.till not in {f"user:{person}" for person in people}:
        detail = f"{shown(fact.till)} does not work for the club: a till belongs to somebody who does"
        yield Problem(code="no_till", field="till", detail=detail)
