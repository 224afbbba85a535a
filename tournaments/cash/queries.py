"""A club's cash books: where money is now, who owes, what is pending, and closed books.

Rules: docs/how-to/books.md, "The cash desk". A closed book never changes.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cached_property
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import F, Q

from scoring import ledger
from scoring.cash import ROUNDING, CashBook, Till, account_at, counted, load_book
from scoring.cash.admission import UNDOABLE, Holdings, problems_with
from scoring.events import cash as events
from scoring.events.cash import CashBookClosed
from scoring.events.table import MOST_VERSION, Event
from scoring.exports import BookedEntry
from scoring.ledger.readings import Scope, booked_entries, movements
from scoring.messages import Message, say
from scoring.money import TILL
from scoring.problems import Problem
from tournaments import log
from tournaments.books.player_balances import balances_of_club, credits_of, means_of
from tournaments.cash import Line, at_the_end, cause_of, lines_of
from tournaments.models import CashBook as CashBookRow
from tournaments.models import Club, EveningSheet, Player, PlayerCredit, Scoresheet, Tournament
from tournaments.models.people import is_named, names_with, search_key, searched_words
from tournaments.models.public_names import telling_name
from tournaments.people.players import actor_names
from tournaments.rendering.left_out import pairs_of

# The open cash book as the desk shows it: its lines as text, its tills, and players' balances.

MOST_FOUND = 12

PLACES = {
    "desk": say("check-in desk"),
    "bank": say("the bank"),
    "owner": say("the owner"),
    "levy": say("the levy"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CashLine:
    """One line of a book. `amount_minor` is the amount that the line names, below 0 for a payout; None without one.

    `position` is its place in the club's log. `is_reached`: the tills that it went through are open.
    """

    version: int
    position: int
    event: Event
    actor: str
    who: str
    at: datetime
    amount_minor: int | None
    reason: str
    is_undone: bool
    is_reached: bool

    @property
    def is_movement(self) -> bool:
        """Whether it is a movement of money that has not been undone."""
        return isinstance(self.event, UNDOABLE) and not self.is_undone

    @property
    def may_be_undone(self) -> bool:
        return self.is_movement and self.is_reached


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskTill:
    """One person's till: what it holds by the books, saved differences included, and what was counted."""

    name: str
    who: str
    till: Till
    held_minor: int

    @property
    def expected_minor(self) -> int:
        """What should be in it, or should have been when it was closed: without the differences that were saved."""
        till_minor = self.held_minor if self.till.closed_with_minor is None else self.till.closed_with_minor
        return till_minor - self.till.difference_minor

    @property
    def difference_minor(self) -> int | None:
        """What is counted beyond what it holds, above 0 if there is too much; None before the count and once closed."""
        counted = self.till.counted_minor
        return None if counted is None or not self.till.is_open else counted - self.held_minor


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerMoney:
    """A player's balance in the club, below 0 if they owe; their credit limit, and what is at stake at tables."""

    player: str
    name: str
    balance_minor: int
    credit_minor: int
    staked_minor: int = 0

    @property
    def room_minor(self) -> int:
        """The most that may be paid out, or paid with."""
        return max(0, self.balance_minor + self.credit_minor - self.staked_minor)

    @property
    def is_beyond(self) -> bool:
        """Whether they owe more than their credit limit."""
        return self.balance_minor + self.credit_minor < 0


@dataclass(frozen=True, kw_only=True)
class CashDesk:
    """A book with everything the desk shows; `row` is None before its first line."""

    club: Club
    currency: str
    row: CashBookRow | None
    book: CashBook
    lines: tuple[CashLine, ...]
    people: Mapping[str, str]
    players: Mapping[str, str]

    @cached_property
    def tills(self) -> tuple[DeskTill, ...]:
        """Every till of the book, in the order in which they were opened."""
        accounts = {name: account_at(TILL + name) for name in self.book.tills}
        balances = ledger.balances(self.club.pk, self.currency, accounts.values()) if accounts else {}
        return tuple(
            DeskTill(name=name, who=self.people.get(name, name), till=till, held_minor=-balances[accounts[name]])
            for name, till in self.book.tills.items()
        )

    def till(self, name: str) -> DeskTill | None:
        """A till by name, open or closed; None if there is none."""
        return next((till for till in self.tills if till.name == name), None)

    @property
    def rounding_minor(self) -> int:
        """What the cash of the book was rounded by: above 0 the club has gained it."""
        receipts = [
            line.event for line in self.lines if isinstance(line.event, events.MoneyReceived) and not line.is_undone
        ]
        payouts = [
            line.event for line in self.lines if isinstance(line.event, events.MoneyPaidOut) and not line.is_undone
        ]
        return sum(event.rounding_minor for event in receipts) - sum(event.rounding_minor for event in payouts)

    def line(self, version: int) -> CashLine | None:
        """One line of the book."""
        return next((line for line in self.lines if line.version == version), None)

    def place(self, place: str) -> Message:
        """The name of a place as text."""
        return place_called(place, self.people)


def place_called(place: str, people: Mapping[str, str]) -> Message:
    """The name of a place as text, where `people` has the names of cashiers by their tills."""
    name = place.removeprefix(TILL)
    return say("the till of {name}", name=people.get(name, name)) if place.startswith(TILL) else PLACES[place]


def currencies_of(club: Club) -> list[str]:
    """The currencies in which the club has money: its own first, then those of its books and tournaments."""
    books = CashBookRow.objects.filter(club=club).order_by().values_list("currency", flat=True)
    played = Tournament.objects.filter(club=club).order_by().values_list("currency", flat=True)
    return [club.currency, *sorted(set(books.union(played)) - {club.currency})]


def open_desk(club: Club, currency: str) -> CashDesk:
    """The book that is open now, or an empty one."""
    row = CashBookRow.objects.filter(club=club, currency=currency, is_closed=False).first()
    return desk_of(club, row) if row else _desk(club, currency, None, ())


def open_tills_of(cashier: str, clubs: Iterable[UUID]) -> list[tuple[CashBookRow, Till]]:
    """One cashier's open tills in the open books of some clubs, each with its book."""
    rows = CashBookRow.objects.filter(club__in=list(clubs), is_closed=False).order_by("club", "currency")
    tills = pairs_of(rows, lambda row: load_book(row.state).tills.get(cashier))
    return [(row, till) for row, till in tills if till is not None and till.is_open]


def desk_of(club: Club, row: CashBookRow) -> CashDesk:
    """Any book of the club, with its lines oldest first."""
    return _desk(club, row.currency, row, log.read(club.pk, row.id))


def money_of(club: Club, currency: str, players: Mapping[str, str]) -> list[PlayerMoney]:
    """The balances of some players, in the order given, in four queries."""
    means = means_of(club.pk, currency, list(players))
    return [PlayerMoney(player=player, name=name, **asdict(means[player])) for player, name in players.items()]


def player_money(player: Player) -> PlayerMoney:
    """A player's money in their club, in the club's own currency."""
    return money_of(player.club, player.club.currency, {str(player.pk): player.name_in_books})[0]


def players_called(club: Club, wanted: str) -> dict[str, str]:
    """Players whose name contains all words of a text, in any order, A to Z; accents and punctuation do not matter.

    Letters of the id that tell two players of one name apart are found as a word.
    """
    words = searched_words(wanted)
    if not words:
        return {}
    players = Player.objects.filter(names_with(wanted), club=club, erased_at__isnull=True)
    ids = {str(merged_into or player) for player, merged_into in players.values_list("id", "merged_into")}
    labels = labels_of(club)
    return {player: label for player, label in labels.items() if player in ids or is_named(search_key(label), words)}


def found_at_desk(club: Club, wanted: str) -> dict[str, str]:
    """The players of a search at the cash desk: `players_called`, and erased ones by the name that the books keep.

    Only for users who may see money. Whom the club has under the same name too is told apart by letters of the id.
    """
    words, found = searched_words(wanted), players_called(club, wanted)
    erased = Player.objects.filter(club=club, erased_at__isnull=False, merged_into__isnull=True)
    kept = erased.exclude(books_name="").names_in_books() if words else {}
    named = {player: name for player, name in kept.items() if is_named(search_key(name), words)}
    times = Counter([*found.values(), *named.values()])
    labels = {str(player): telling_name(name, player) if times[name] > 1 else name for player, name in named.items()}
    return dict(sorted({**found, **labels}.items(), key=lambda one: search_key(one[1]))) if labels else found


def labels_of(club: Club) -> dict[str, str]:
    """All players who can be chosen, A to Z, with labels that are unique."""
    rows = list(Player.objects.present().filter(club=club).values_list("id", "name"))
    times = Counter(name for _, name in rows)
    return {str(player): telling_name(name, player) if times[name] > 1 else name for player, name in rows}


def _desk(club: Club, currency: str, row: CashBookRow | None, stored: Sequence[log.StoredEvent]) -> CashDesk:
    book = load_book(row.state) if row else CashBook(currency=currency)
    lines = list(lines_of(stored))
    people = actor_names({event.actor for event in stored} | book.tills.keys(), club.pk)
    named = {player for line in lines for player in _players_in(line.event)}
    return CashDesk(
        club=club,
        currency=currency,
        row=row,
        book=book,
        lines=tuple(_lines(lines, people, book)),
        people=people,
        players=_names(club, named),
    )


def _players_in(event: Event) -> Iterator[str]:
    for name in ("player", "to", "payer"):
        if player := getattr(event, name, None):
            yield player


def _names(club: Club, ids: Collection[str]) -> dict[str, str]:
    if not ids:
        return {}
    players = Player.objects.filter(club=club, id__in=[UUID(player) for player in ids])
    return {str(player): name for player, name in players.names_in_books().items()}


def _lines(read: Sequence[Line], people: Mapping[str, str], book: CashBook) -> Iterator[CashLine]:
    undone = {line.event.version for line in read if isinstance(line.event, events.CashEntryUndone)}
    for line in read:
        event = line.stored
        yield CashLine(
            version=event.version,
            position=event.position,
            event=line.event,
            actor=event.actor,
            who=people.get(event.actor, event.actor),
            at=event.recorded_at,
            amount_minor=_amount(line),
            reason=event.note or "",
            is_undone=event.version in undone,
            is_reached=book.reaches(line.event),
        )


def _amount(line: Line) -> int | None:
    match line.event:
        case events.TillOpened() as event:
            return event.float_minor
        case events.MoneyPaidOut() as event:
            return -event.amount_minor
        case events.CreditGranted() as event:
            return event.limit_minor
        case events.TillCounted() as event:
            return counted(event.pieces)
        case events.TillClosed() as event:
            return line.before.tills[event.till].counted_minor
        case event:
            return getattr(event, "amount_minor", None)


# A club's cash books: where money is now, who owes, what is pending, and closed books.

MOST_PLACES = ("desk", "bank", "owner", "levy")
BOOKS_SHOWN = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class CashUp:
    """What there is besides the tills. `places` is the money at each place; for the levy what is owed."""

    places: Mapping[str, int]
    obstacles: tuple[Problem, ...]
    waiting: tuple[Tournament, ...]
    debtors: tuple[PlayerMoney, ...]


def cash_up(desk: CashDesk) -> CashUp:
    """Everything to check before closing the book."""
    accounts = {place: account_at(place) for place in MOST_PLACES}
    balances = ledger.balances(desk.club.pk, desk.currency, accounts.values())
    places = {place: -balances[account] for place, account in accounts.items()}
    end = at_the_end(desk.row) if desk.row else Holdings()
    return CashUp(
        places=places | {"levy": -places["levy"]},
        obstacles=tuple(problems_with(desk.book, CashBookClosed(), end)) if desk.row else (),
        waiting=tuple(waiting(desk.club, desk.currency)) if end.unsettled else (),
        debtors=tuple(debtor for debtor in club_balances(desk.club, desk.currency) if debtor.balance_minor < 0),
    )


def waiting(club: Club, currency: str) -> list[Tournament]:
    """Tournaments in a currency with money that a worker has still to settle, their own or a table's."""
    tables = Scoresheet.objects.filter(club=club, due_version__gt=F("settled_version"))
    states = EveningSheet.objects.filter(club=club, due_position__gt=F("settled_position"), is_rehearsal=False)
    is_waiting = Q(pk__in=tables.values("table__tournament")) | Q(pk__in=states.values("tournament"))
    tournaments = Tournament.objects.filter(is_waiting, club=club, currency=currency)
    return list(tournaments.exclude(evening_sheet__is_rehearsal=True))


def club_balances(club: Club, currency: str) -> list[PlayerMoney]:
    """Every player with a balance or a credit limit, A to Z."""
    balances = balances_of_club(club.pk, currency)
    granted = PlayerCredit.objects.filter(club=club, player__merged_into__isnull=True, currency=currency)
    player_ids = {*balances, *map(str, granted.values_list("player_id", flat=True))}
    names, credit = _names(club, player_ids), credits_of(currency, player_ids)
    return [
        PlayerMoney(player=player, name=name, balance_minor=balances.get(player, 0), credit_minor=credit.get(player, 0))
        for player, name in names.items()
    ]


def closed_books(club: Club, currency: str) -> list[CashBookRow]:
    """The books that were closed, newest first."""
    return list(CashBookRow.objects.filter(club=club, currency=currency, is_closed=True)[:BOOKS_SHOWN])


def entries_of_book(desk: CashDesk, zone: ZoneInfo) -> list[BookedEntry]:
    """The journal entries of a book's lines, in the order in which they were posted."""
    if desk.row is None:
        return []
    causes = tuple(cause_of(desk.row.pk, line.version) for line in desk.lines)
    return list(booked_entries(Scope(club=desk.club.pk, causes=causes), zone))


def differences_of(row: CashBookRow) -> int:
    """The sum of the differences between counted and expected in the tills of a book."""
    return sum(till.difference_minor for till in load_book(row.state).tills.values())


def roundings_of(rows: Sequence[CashBookRow]) -> dict[int, int]:
    """What the cash of some books of one club and currency was rounded by, by the book's number, in one query."""
    numbers = {cause_of(row.pk, ""): row.number for row in rows}
    if not numbers:
        return {}
    every = dict.fromkeys(numbers, (1, MOST_VERSION))
    rounding_by_number: Counter[int] = Counter()
    for movement in movements(rows[0].club_id, rows[0].currency, [ROUNDING], every):
        rounding_by_number[numbers[movement.cause.rpartition(":")[0] + ":"]] += movement.amount_minor
    return dict(rounding_by_number)
