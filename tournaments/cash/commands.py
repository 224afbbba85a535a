"""Commands of the cash desk: write lines in the open cash book, within the user's role and what they have seen.

Rules: docs/reference/roles.md; docs/how-to/books.md, "The cash desk". Two cashiers can write at once: a line is refused
only if another line about the same player, till or place was written since. Knows nothing of pages.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from django.db.models import OuterRef

from scoring import ledger
from scoring.cash import PLACES, CashBook, dump_book, entry_of, fold_book, in_cash, load_book
from scoring.cash.admission import ALREADY, problems_with
from scoring.events import cash as events
from scoring.events.reading import read_stored
from scoring.events.table import Event
from scoring.messages import say
from scoring.money import TILL
from scoring.money.formatting import currency_problems
from scoring.problems import EventNotAllowed, Problem, StaleTable, refuse_if, shown
from tournaments import log
from tournaments.cash import cause_of, holdings
from tournaments.log.context import CommandContext, club_lock, digest_of, new_event, part
from tournaments.models import CashBook as CashBookRow
from tournaments.models import Membership, PlayerCredit
from tournaments.people.permissions import EVENT_PERMISSIONS, Actor, Permission, may
from tournaments.people.players import named_in_books

# Each command stores an event in the cash book and, in the same transaction, an entry in the journal.


@dataclass(frozen=True, slots=True, kw_only=True)
class CashRecorded:
    """The result: the current book, the line that was written, and whether there was nothing to write."""

    book_id: UUID
    book: CashBook
    line: int
    is_replay: bool


def open_book(club_id: UUID, currency: str, *, context: CommandContext) -> UUID:
    """The id of the club's open book in a currency; a new one is begun if the last was closed."""
    with club_lock(club_id):
        books = dict(CashBookRow.objects.filter(club_id=club_id, is_closed=False).values_list("currency", "id"))
        return books.get(currency) or _begin(club_id, currency, part(context, "book"))


def till_of(club_id: UUID, currency: str, *, context: CommandContext) -> str:
    """The till of the acting user in the open book, opened if necessary.

    Raises EventNotAllowed if their till was already counted and closed in this book.
    """
    with club_lock(club_id):
        book_id = open_book(club_id, currency, context=context)
        if load_book(CashBookRow.objects.get(id=book_id).state).open_till(context.actor) is None:
            opening = replace(part(context, "till"), asked="")
            write_in_book(book_id, events.TillOpened(till=context.actor), context=opening)
        return TILL + context.actor


def write_in_book(book_id: UUID, event: Event, *, context: CommandContext, expected: int | None = None) -> CashRecorded:
    """Write one line of a book and post what it moves. With `expected` it must follow that line.

    Cash is rounded as the club's settings say now. A repeated request writes nothing. Raises EventNotAllowed with every
    problem, StaleTable, KeyReused.
    """
    club_id = CashBookRow.objects.values_list("club_id", flat=True).get(id=book_id)
    # What was asked, so that a resend is recognized if the settings have changed since.
    context = replace(context, asked=context.asked or digest_of(book_id, event))
    with club_lock(club_id):
        row = CashBookRow.objects.select_related("club").get(id=book_id)
        book = load_book(row.state)
        event = in_cash(event, row.club.smallest_cash.get(row.currency, 0), row.club.cash_rounding)
        if stored_event := log.first_answer(club_id, context.key, context.asked):
            return CashRecorded(book_id=book_id, book=book, line=stored_event.version, is_replay=True)
        if expected is not None and expected != book.version:
            raise StaleTable(expected=expected, current=book.version)
        problems = problems_with(book, event, holdings(row, book, event))
        if problems and all(problem.code == ALREADY for problem in problems):
            return CashRecorded(book_id=book_id, book=book, line=book.version, is_replay=True)
        refuse_if(named_in_books(club_id, problems), EventNotAllowed)
        return _append(row, book, event, context)


def _begin(club_id: UUID, currency: str, context: CommandContext) -> UUID:
    refuse_if(currency_problems(currency), EventNotAllowed)
    last = CashBookRow.objects.filter(club_id=club_id, currency=currency).order_by("-number").first()
    number = last.number + 1 if last else 1
    row = CashBookRow(id=uuid4(), club_id=club_id, currency=currency, number=number, opened_at=context.now)
    event = events.CashBookOpened(currency=currency)

    def on_append(stored: log.StoredEvent) -> None:
        row.version, row.state = stored.version, dump_book(fold_book(CashBook(), [(stored.version, event)]))
        row.save(force_insert=True)

    place = log.StreamVersion(club_id=club_id, stream_id=row.id, expected=0)
    request = context.request(digest_of(club_id, event))
    log.open_stream(place, "cash", new_event(event, context), request=request, on_append=on_append)
    return row.id


def _append(row: CashBookRow, book: CashBook, event: Event, context: CommandContext) -> CashRecorded:
    after = fold_book(book, [(book.version + 1, event)])

    def on_append(stored: log.StoredEvent) -> None:
        closed_at = context.now if after.is_closed else None
        CashBookRow.objects.filter(id=row.id).update(
            version=after.version, state=dump_book(after), is_closed=after.is_closed, closed_at=closed_at
        )
        line, entry = book.version + 1, entry_of(book, event)
        if isinstance(event, events.CashEntryUndone):
            ledger.settle(row.club_id, cause_of(row.id, event.version), version=line, entries=(), now=context.now)
        elif entry is not None:
            ledger.settle(row.club_id, cause_of(row.id, line), version=line, entries=(entry,), now=context.now)
        if isinstance(event, events.CreditGranted):
            grant(row.club_id, UUID(event.player), book.currency, event.limit_minor)

    appended = log.append(
        log.StreamVersion(club_id=row.club_id, stream_id=row.id, expected=book.version),
        new_event(event, context),
        request=context.request(context.asked),
        on_append=on_append,
    )
    return CashRecorded(book_id=row.id, book=after, line=appended.stored.version, is_replay=appended.is_replay)


def grant(club_id: UUID, player: UUID, currency: str, limit_minor: int) -> None:
    """Set how far a player may owe; a limit of 0 deletes the row."""
    if limit_minor:
        PlayerCredit.objects.update_or_create(
            club_id=club_id, player_id=player, currency=currency, defaults={"limit_minor": limit_minor}
        )
    else:
        PlayerCredit.objects.filter(club_id=club_id, player_id=player, currency=currency).delete()


PLAYERS = ("player", "to", "payer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The user at a club's cash desk: in which currency and book, and up to which line they have seen it.

    `book` is None if there was none yet; then the club's open one is used, or a new one begins.
    """

    club: UUID
    currency: str
    actor: Actor
    book: UUID | None = None
    seen: int = 0


def write_at_desk(desk: Desk, event: Event, *, context: CommandContext) -> CashRecorded:
    """Write one line in the book; if it is refused, a book that it would have begun is not begun either.

    Raises EventNotAllowed with every problem, StaleTable, KeyReused; CashBook.DoesNotExist for another club's book.
    """
    with club_lock(desk.club):
        book_id = desk.book or _book_of(desk, context)
        row = CashBookRow.objects.get(id=book_id, club_id=desk.club)
        stored_events = log.read(desk.club, book_id)
        lines = {
            stored_event.version: read_stored(stored_event.kind, stored_event.schema, stored_event.body)
            for stored_event in stored_events
        }
        if log.key_id(context.key) not in {stored_event.key for stored_event in stored_events}:
            _refuse_meanwhile(lines, event, desk.seen)
        problems = [*_beyond_role(desk.actor, row, _whole(lines, event)), *_never_here(desk, event)]
        refuse_if(problems, EventNotAllowed)
        return write_in_book(book_id, event, context=context)


def let_owe(desk: Desk, owed: Mapping[str, int], reason: str, *, context: CommandContext) -> None:
    """Allow each player credit for what they owe, in minor units: a line each, all or none.

    Raises what `write_at_desk` raises; EventNotAllowed if no player was chosen.
    """
    if not owed:
        raise EventNotAllowed([Problem(code="missing_field", field="player", detail=say("choose who may owe it"))])
    with club_lock(desk.club):
        for player, limit in sorted(owed.items()):
            granted = events.CreditGranted(player=player, limit_minor=limit, reason=reason)
            write_at_desk(desk, granted, context=part(context, player))


def pay_out(desk: Desk, amounts: Mapping[str, int], place: str, *, context: CommandContext) -> None:
    """Pay players out of one place, in minor units: a line each in this order, all or none.

    Raises what `write_at_desk` raises; EventNotAllowed if no player was chosen.
    """
    if not amounts:
        raise EventNotAllowed([Problem(code="missing_field", field="player", detail=say("choose who is paid"))])
    with club_lock(desk.club):
        for player, amount in amounts.items():
            paid = events.MoneyPaidOut(player=player, amount_minor=amount, place=place)
            write_at_desk(desk, paid, context=part(context, player))


def _book_of(desk: Desk, context: CommandContext) -> UUID:
    """The open book; for a resent request the book that has the line already, even if it is closed by now."""
    has_the_line = log.happened(OuterRef("pk"), club=desk.club, keys=[context.key])
    book = CashBookRow.objects.filter(has_the_line, club_id=desk.club).first()
    return book.id if book and book.currency == desk.currency else open_book(desk.club, desk.currency, context=context)


def _refuse_meanwhile(lines: Mapping[int, Event], event: Event, seen: int) -> None:
    """Raise StaleTable if another line about the same player, till or place was written since."""
    later = [version for version in lines if version > seen > 0]
    is_all = isinstance(event, events.CashBookClosed)
    names = {name for line_event in _whole(lines, event) for name in _looked_at(line_event)}
    for version in later:
        if is_all or names & {name for line_event in _whole(lines, lines[version]) for name in _touched(line_event)}:
            raise StaleTable(expected=seen, current=max(lines))


def _whole(lines: Mapping[int, Event], event: Event) -> Sequence[Event]:
    """An event, and the one that it undoes."""
    if isinstance(event, events.CashEntryUndone) and event.version in lines:
        return (event, lines[event.version])
    return (event,)


def _looked_at(event: Event) -> Iterator[str]:
    """The players, tills and places that a line's author has decided on."""
    players = [getattr(event, name, None) for name in PLAYERS]
    yield from (player for player in players if player)
    if isinstance(event, events.MoneyMoved):
        yield from (event.source, event.target)
    if till := getattr(event, "till", ""):
        yield TILL + till


def _touched(event: Event) -> Iterator[str]:
    """The players, tills and places that a line changes."""
    yield from _looked_at(event)
    yield from (place for name in PLACES if (place := getattr(event, name, "")))


def _beyond_role(actor: Actor, row: CashBookRow, all_of_it: Sequence[Event]) -> Iterator[Problem]:
    """Problems with the role: directors may use any till; others only their own, and no transfer that bypasses it."""
    if may(actor, Permission.DIRECT, row.club_id):
        return
    for event in all_of_it:
        if EVENT_PERMISSIONS.get(event.kind, Permission.DIRECT) is Permission.DIRECT:
            yield Problem("not_your_deed", say("only a director can"), field="kind")
        yield from _not_own(actor, event)


def _not_own(actor: Actor, event: Event) -> Iterator[Problem]:
    own = TILL + actor.name
    named = {name: place for name in PLACES if (place := getattr(event, name, ""))}
    if till := getattr(event, "till", ""):
        named["till"] = TILL + till
    if isinstance(event, events.TillOpened):
        named = {"till": named["till"]}
    for name, place in named.items():
        if place.startswith(TILL) and place != own:
            detail = say("this is another cashier's till: ask a director, or use your own")
            yield Problem(code="not_your_till", field=name, detail=detail)
    for name in [name for name, place in named.items() if place == "levy"]:
        detail = say("only a director can pass on or return a levy")
        yield Problem(code="not_your_deed", field=name, detail=detail)
    if named and own not in named.values() and not any(place.startswith(TILL) for place in named.values()):
        detail = say("one side must be your own till: other transfers need a director")
        yield Problem(code="not_your_till", field=next(iter(named)), detail=detail)


def _never_here(desk: Desk, event: Event) -> Iterator[Problem]:
    """Problems at the desk alone: a count of nothing, a till for somebody outside the staff, a book begun by hand."""
    if isinstance(event, events.TillCounted) and not event.pieces:
        # A sheet without a number is no count of zero: saving it would show the expected sum to who counts blind.
        detail = say("enter how many there are of each, or 0 for an empty till")
        yield Problem(code="nothing_counted", field="pieces", detail=detail)
    if isinstance(event, events.CashBookOpened):
        yield Problem(code="unknown_kind", field="kind", detail=say("a book begins by itself, with its first line"))
    if not isinstance(event, events.TillOpened) or event.till == desk.actor.name:
        return
    people = Membership.objects.filter(club_id=desk.club).values_list("user_id", flat=True)
    if event.till not in {f"user:{person}" for person in people}:
        detail = say("{typed} does not work for the club: only club staff have tills", typed=shown(event.till))
        yield Problem(code="no_till", field="till", detail=detail)
