"""A club's nights at the cash desk: what is where tonight, who owes, what waits, and what stands in closed books.

Rules: docs/books.md, "The cash desk". A closed night is read as it was written; nothing about it can change.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import F, Q

from scoring import ledger
from scoring.cash import Holdings, load_book, problems_with
from scoring.cash.entries import account_at
from scoring.exports import BookedEntry
from scoring.facts.cash import CashBookClosed
from scoring.ledger.journal import Scope, booked_entries
from scoring.money import AccountKind
from scoring.problems import Problem
from tournaments.books.player_balances import credits_of
from tournaments.cash.cash_desk_of_queries import CashDesk, PlayerMoney
from tournaments.cash.cash_holdings import at_the_end
from tournaments.cash.state import cause_of
from tournaments.models import CashBook, Club, EveningSheet, Player, PlayerCredit, Scoresheet, Tournament

PLACES = ("desk", "bank", "owner", "levy")
NIGHTS_SHOWN = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class NightNow:
    """What there is besides the tills. `places` is how much money is where, the levy what is owed for it."""

    places: Mapping[str, int]
    obstacles: tuple[Problem, ...]
    waiting: tuple[Tournament, ...]
    debtors: tuple[PlayerMoney, ...]


def night_now(desk: CashDesk) -> NightNow:
    """Everything that whoever closes the night has to look at."""
    accounts = {place: account_at(place) for place in PLACES}
    held = ledger.balances(desk.club.pk, desk.currency, accounts.values())
    places = {place: -held[account] for place, account in accounts.items()}
    end = at_the_end(desk.row) if desk.row else Holdings()
    return NightNow(
        places=places | {"levy": -places["levy"]},
        obstacles=tuple(problems_with(desk.book, CashBookClosed(), end)) if desk.row else (),
        waiting=tuple(waiting(desk.club, desk.currency)) if end.unsettled else (),
        debtors=tuple(each for each in club_balances(desk.club, desk.currency) if each.balance_minor < 0),
    )


def waiting(club: Club, currency: str) -> list[Tournament]:
    """Tournaments in a currency of which money waits for a worker, their own or that of a table."""
    tables = Scoresheet.objects.filter(club=club, due_version__gt=F("settled_version"))
    evenings = EveningSheet.objects.filter(club=club, due_position__gt=F("settled_position"), is_rehearsal=False)
    is_waiting = Q(pk__in=tables.values("table__tournament")) | Q(pk__in=evenings.values("tournament"))
    found = Tournament.objects.filter(is_waiting, club=club, currency=currency)
    return list(found.exclude(evening_sheet__is_rehearsal=True))


def club_balances(club: Club, currency: str) -> list[PlayerMoney]:
    """Every player who has or owes something, or was granted credit, A to Z."""
    held = ledger.balances_of_kind(club.pk, currency, AccountKind.PLAYER)
    granted = PlayerCredit.objects.filter(player__club=club, currency=currency).values_list("player_id", flat=True)
    wanted = {*held, *map(str, granted)}
    rows = Player.objects.filter(club=club, pk__in=[UUID(player) for player in wanted]).values_list("id", "name")
    credit = credits_of(currency, wanted)
    return [
        PlayerMoney(
            player=str(player),
            name=name,
            balance_minor=held.get(str(player), 0),
            credit_minor=credit.get(str(player), 0),
        )
        for player, name in rows
    ]


def closed_nights(club: Club, currency: str) -> list[CashBook]:
    """The books that were closed, newest first."""
    return list(CashBook.objects.filter(club=club, currency=currency, is_closed=True)[:NIGHTS_SHOWN])


def night_entries(desk: CashDesk, zone: ZoneInfo) -> list[BookedEntry]:
    """What the journal has of a book's lines, in the order in which it was booked."""
    if desk.row is None:
        return []
    causes = tuple(cause_of(desk.row.pk, line.version) for line in desk.lines)
    return list(booked_entries(Scope(club=desk.club.pk, causes=causes), zone))


def differences_of(row: CashBook) -> int:
    """What the tills of a night held more, or less, than they should."""
    return sum(till.difference_minor for till in load_book(row.state).tills.values())
