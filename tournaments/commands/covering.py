"""In a club that keeps limits, nobody sits down or buys back in without the money for it.

Rules: docs/books.md, "Limits". What a seat may cost at once is its entry fee or a full count of points; what a player
has is the balance in the club and the credit that was granted. A planned tournament takes its entries at the desk.
"""

from collections.abc import Collection, Mapping
from uuid import UUID

from scoring import ledger
from scoring.cash.entries import account_of_player
from scoring.rules import events
from scoring.rules.facts import Fact
from scoring.rules.money import Stakes
from scoring.rules.problems import Problem
from scoring.rules.table import Table
from scoring.settlement import format_minor
from tournaments.cash_holdings import credits_of
from tournaments.models import Scoresheet, Tournament

# The most that one deal costs a seat in the games whose points are worth money.
FULL_COUNT = 80


def uncovered(tournament: Tournament, players: Collection[UUID]) -> dict[UUID, str]:
    """Players without the money for a seat, and why in words. Empty where the club keeps no limits."""
    if not tournament.club.keeps_limits:
        return {}
    needed = max(tournament.entry_minor, FULL_COUNT * tournament.point_value_minor)
    return _short(tournament.club_id, tournament.currency, dict.fromkeys(players, needed))


def cover_problems(sheet: Scoresheet, table: Table, fact: Fact) -> list[Problem]:
    """What speaks against buying in, or back in: the money is not there."""
    if not isinstance(fact, events.Rejoined | events.BoughtIn):
        return []
    stakes = table.setup.stakes
    if not sheet.table.tournament.club.keeps_limits:
        return []
    player = UUID(table.players[fact.seat])
    short = _short(sheet.club_id, stakes.currency, {player: _price(fact, stakes)})
    return [
        Problem(code="balance_too_low", seat=fact.seat, field="seat", detail=f"seat {fact.seat}: {why}")
        for why in short.values()
    ]


def _price(fact: events.Rejoined | events.BoughtIn, stakes: Stakes) -> int:
    return fact.amount_minor if isinstance(fact, events.BoughtIn) else stakes.entry_minor


def _short(club: UUID, currency: str, needed: Mapping[UUID, int]) -> dict[UUID, str]:
    """Who has less than is needed of them, in two queries."""
    if not any(needed.values()):
        return {}
    accounts = {player: account_of_player(str(player)) for player in needed}
    held = ledger.balances(club, currency, accounts.values())
    granted = credits_of(currency, [str(player) for player in needed])
    room = {player: held[account] + granted.get(str(player), 0) for player, account in accounts.items()}
    return {
        player: f"{format_minor(price, currency)} {currency} are needed, and "
        f"{format_minor(max(0, room[player]), currency)} are there: take money at the cash desk, or grant credit"
        for player, price in needed.items()
        if room[player] < price
    }
