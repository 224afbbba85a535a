"""A tournament's money for its owner: what came in, what went to whom, and what the tills held more or less.

Rules: docs/paper.md, "Night report". All of it is what the books hold of the tournament; only the differences of the
tills belong to the whole night, and are said to.
"""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Max, Min, Q
from django.utils.translation import gettext

from scoring.ledger.journal import kind_balances
from scoring.money import AccountKind
from tournaments.books.extracts import Extract, scope_of
from tournaments.cash.cash_nights import differences_of
from tournaments.models import CashBook, Event, Tournament
from tournaments.printing.payouts import player_shares
from tournaments.printing.words import amount_said

# Whose account says what of a night, and with which sign: what lies in a till is a debit.
SIGNS = {AccountKind.CASH: -1, AccountKind.BANK: -1}


def money_rows(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """What players were charged and won, what each account of the club gained or gave, and the tills."""
    shares = list(player_shares(tournament))
    if not shares:
        return
    yield gettext("Charged to players"), amount_said(sum(each.charged_minor for each in shares), tournament)
    yield gettext("Won by players"), amount_said(sum(each.won_minor for each in shares), tournament)
    titles = _titles()
    for line in kind_balances(scope_of(Extract(club=tournament.club, tournament=tournament))):
        if line.kind in titles and line.closing_minor and line.currency == tournament.currency:
            yield titles[line.kind], amount_said(SIGNS.get(line.kind, 1) * line.closing_minor, tournament)
    for book in _books_of(tournament):
        said = gettext("Difference of the tills, night {number} of the cash desk").format(number=book.number)
        yield said, amount_said(differences_of(book), tournament)


def _titles() -> dict[AccountKind, str]:
    return {
        AccountKind.CLUB_FEE: gettext("House fee"),
        AccountKind.LEVY: gettext("Levy, to be passed on"),
        AccountKind.PRIZE_POOL: gettext("In the prize pool, not given yet"),
        AccountKind.SIDE_POT: gettext("Left in side pots"),
        AccountKind.GUARANTEE: gettext("Added by the club, below nothing, or kept"),
        AccountKind.CASH: gettext("In the tills for it"),
        AccountKind.BANK: gettext("In the bank for it"),
        AccountKind.OWNER: gettext("Put in or taken out by the owners"),
        AccountKind.CASH_DIFFERENCE: gettext("Differences of tills"),
        AccountKind.WRITE_OFF: gettext("Written off"),
    }


def _books_of(tournament: Tournament) -> list[CashBook]:
    """The cash books that were open while the tournament was played."""
    first, last = _span(tournament)
    books = CashBook.objects.filter(club=tournament.club_id, currency=tournament.currency)
    during = Q(opened_at__lte=last) & (Q(closed_at__isnull=True) | Q(closed_at__gte=first))
    return list(books.filter(during).order_by("number"))


def _span(tournament: Tournament) -> tuple[datetime, datetime]:
    """From the first fact of its tables to the last, or until it was closed."""
    tables = tournament.tables.values("pk")
    found = Event.objects.filter(club=tournament.club_id, stream_id__in=tables)
    times = found.aggregate(first=Min("recorded_at"), last=Max("recorded_at"))
    first, last = times["first"] or tournament.starts_at, times["last"] or tournament.starts_at
    return first, max(last, tournament.closed_at or last)
