"""The cash book read from the log, line by line, each with the book before it, and the balances to check a line with.

Rules: docs/how-to/books.md, "The cash desk". The same fold is used for writing, rebuilding and auditing.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Literal, NamedTuple
from uuid import UUID

from django.db.models import F

from scoring import ledger
from scoring.cash import CashBook, account_at, account_of_player, entry_of, fold_book, load_book
from scoring.cash.admission import Holdings
from scoring.events import cash as events
from scoring.events.reading import UNREADABLE, as_unreadable, fold_stored, read_stored
from scoring.events.table import Event, EventLeftOut
from scoring.messages import say
from scoring.money import TILL, AccountKind, AccountRef, PlannedEntry
from scoring.problems import EventNotAllowed, Problem, refuse_if
from tournaments import log
from tournaments.books.player_balances import balances_of, balances_of_club, credits_of, hold_stakes
from tournaments.log import StoredEvent
from tournaments.models import CashBook as CashBookRow
from tournaments.models import EveningSheet, Player, Scoresheet
from tournaments.people.players import uuid_of

# What a line of the cash book is checked against: balances, credit limits, and what is open when the book is closed.


def holdings(row: CashBookRow, book: CashBook, event: Event) -> Holdings:
    """The balances and limits to check a line against, in few queries. Raises EventNotAllowed for unknown players."""
    _refuse_strangers(row.club_id, event)
    if isinstance(event, events.CashBookClosed):
        return at_the_end(row)
    undone = _line(row, event.version) if isinstance(event, events.CashEntryUndone) else None
    accounts = set(_accounts(book, undone or event))
    players = [ref.owner for ref in accounts if ref.kind is AccountKind.PLAYER]
    staked = hold_stakes(row.club_id, row.currency, players) if players else {}
    balances = ledger.balances(row.club_id, row.currency, accounts) if accounts else {}
    people = balances_of(row.club_id, row.currency, players)
    balances |= {account_of_player(player): amount for player, amount in people.items()}
    return Holdings(balances=balances, credits=credits_of(row.currency, players), staked=staked, undone=undone)


def at_the_end(row: CashBookRow) -> Holdings:
    """The balances to check the closing of a book: money outside tills, debts beyond credit, pending settlements."""
    desk = account_at("desk")
    balances = ledger.balances(row.club_id, row.currency, [desk])
    balance_by_player = balances_of_club(row.club_id, row.currency)
    owed = {player: -balance for player, balance in balance_by_player.items() if balance < 0}
    granted = credits_of(row.currency, owed)
    return Holdings(
        balances=balances,
        in_debt={player: owes for player, owes in owed.items() if owes > granted.get(player, 0)},
        unsettled=tuple(_unsettled(row.club_id, row.currency)),
    )


class Tills(NamedTuple):
    """The tills of the open cash book of a currency: how many there are, and how many were counted or closed.

    `is_cashed_up`: the last book was closed at or after the time asked for.
    """

    is_open: bool = False
    opened: int = 0
    counted: int = 0
    closed: int = 0
    is_cashed_up: bool = False


NO_TILLS = Tills()


def tills_of(club_id: UUID, currency: str, *, since: datetime | None) -> Tills:
    """The tills of the latest book, and whether it was closed since a given time, in one query."""
    books = CashBookRow.objects.filter(club_id=club_id, currency=currency).order_by("-number")
    row = books.only("state", "closed_at").first()
    if row is None:
        return NO_TILLS
    if row.closed_at is not None:
        return Tills(is_cashed_up=since is not None and row.closed_at >= since)
    tills = load_book(row.state).tills.values()
    closed = sum(not till.is_open for till in tills)
    counted = sum(till.is_open and till.pieces is not None for till in tills)
    return Tills(is_open=True, opened=len(tills), counted=counted + closed, closed=closed)


def _accounts(book: CashBook, event: Event) -> Iterator[AccountRef]:
    entry = entry_of(book, event)
    if entry is not None:
        yield from (posting.account for posting in entry.postings)
    if isinstance(event, events.TillClosed | events.TillDifferenceBooked):
        yield account_at(TILL + event.till)
    if isinstance(event, events.DebtWrittenOff | events.CreditGranted):
        yield account_of_player(event.player)


def _line(row: CashBookRow, line: int) -> Event | None:
    stored_event = next((event for event in log.read(row.club_id, row.id) if event.version == line), None)
    return read_stored(stored_event.kind, stored_event.schema, stored_event.body) if stored_event else None


def _unsettled(club_id: UUID, currency: str) -> Iterator[str]:
    """Tables and tournaments with money in this currency that a worker has still to settle."""
    tables = Scoresheet.objects.filter(
        club_id=club_id, table__tournament__currency=currency, due_version__gt=F("settled_version")
    ).exclude(table__tournament__evening_sheet__is_rehearsal=True)
    for sheet in tables.select_related("table__tournament").defer("state"):
        yield f"{sheet.table.tournament.name}, {sheet.table}"
    states = EveningSheet.objects.filter(club_id=club_id, due_position__gt=F("settled_position"), is_rehearsal=False)
    for state in states.filter(tournament__currency=currency).select_related("tournament").defer("state"):
        yield state.tournament.name


def _refuse_strangers(club_id: UUID, event: Event) -> None:
    """Refuse players of another club, and rows that were merged into another."""
    named = {name: getattr(event, name, None) for name in ("player", "to", "payer")}
    id_by_field = {name: value for name, value in named.items() if value is not None}
    ids = [player_id for player_id in map(uuid_of, id_by_field.values()) if player_id]
    here = Player.objects.filter(club_id=club_id, id__in=ids, merged_into__isnull=True)
    known_ids = set(map(str, here.values_list("id", flat=True)))
    problems = [
        Problem("unknown_player", say("{what}: the club has no such player", what=name), field=name)
        for name, value in id_by_field.items()
        if value not in known_ids
    ]
    refuse_if(problems, EventNotAllowed)


class Line(NamedTuple):
    """One line of a book: the event, its stored event, and the book before it."""

    event: Event
    stored: StoredEvent
    before: CashBook


def lines_of(stored: Iterable[StoredEvent]) -> Iterator[Line]:
    """The lines of a book in order."""
    book = CashBook()
    for stored_event in stored:
        event = read_stored(stored_event.kind, stored_event.schema, stored_event.body)
        try:
            after = fold_book(book, [(stored_event.version, event)])
        except UNREADABLE as error:
            event = as_unreadable(event, error)
            after = fold_book(book, [(stored_event.version, event)])
        yield Line(event, stored_event, book)
        book = after


def book_from_log(stored: Iterable[StoredEvent]) -> CashBook:
    """The book folded from its stored events."""
    events = ((event.version, read_stored(event.kind, event.schema, event.body)) for event in stored)
    return fold_stored(fold_book, CashBook(), events)


def entries_of(stored: Sequence[StoredEvent]) -> dict[int, tuple[PlannedEntry, ...]]:
    """The journal entries due for each line; none for a line that was undone."""
    planned: dict[int, tuple[PlannedEntry, ...]] = {}
    for line in lines_of(stored):
        if isinstance(line.event, events.CashEntryUndone | EventLeftOut):
            planned[line.event.version] = ()
        elif (entry := entry_of(line.before, line.event)) is not None:
            planned[line.stored.version] = (entry,)
    # Lines that depend on a skipped line are void as well: a closing without its count.
    return {event.version: () for event in stored} | planned


def cause_of(book_id: UUID, line: int | Literal[""]) -> str:
    """The cause under which a line is posted; without a line the prefix of all causes of the book."""
    return f"cash:{book_id}:{line}"
