"""In a club that keeps limits, nobody sits down or buys back in without the money for it.

Rules: docs/books.md, "Limits". What a seat may cost at once is its entry fee, its chips or a full count of points; what
a player has is the balance in the club and the credit that was granted, less what is at stake at tables under way. A
planned tournament takes its entries at the desk before anybody is seated; its tables ask for what is left to lose at
them.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any
from uuid import UUID

from scoring.evening import Evening
from scoring.evening.state.charges import is_booked
from scoring.evening.state.fees import due_minor
from scoring.evening.state.refusals import of_player
from scoring.facts import wire
from scoring.facts.table import Fact
from scoring.money import format_minor
from scoring.problems import Problem
from scoring.rules.table.table import Status, Table, fold
from scoring.rules.variants import seat_price
from tournaments.books.player_balances import Means, hold_means
from tournaments.books.stakes import stakes_of
from tournaments.models import Scoresheet, Tournament


def price_of_seat(tournament: Tournament, options: Mapping[str, Any], *, has_paid: bool) -> int:
    """What a seat may cost at once at a table with these options over the tournament's, in minor units.

    With `has_paid` the entry was taken at the desk. 0 where the club keeps no limits.
    """
    if not tournament.club.keeps_limits:
        return 0
    stakes = stakes_of(tournament)
    terms = {**stakes, "entry_minor": 0} if has_paid else stakes
    return seat_price(tournament.variant, options={**tournament.options, **options}, stakes=terms)


def uncovered(tournament: Tournament, needed: Mapping[UUID, int]) -> dict[UUID, str]:
    """Players without the money that is needed of them, and why in words."""
    return _short(tournament.club_id, tournament.currency, needed)


def unpaid(tournament: Tournament, evening: Evening, players: Collection[str]) -> Iterator[Problem]:
    """Players of a planned round whose entry is not paid: at the end they would owe it without a deed of anybody's.

    A substitute plays on the entry of whoever had the place. Nothing where the club keeps no limits.
    """
    if not (is_booked(evening) and tournament.club.keeps_limits):
        return
    for player in players:
        holders = [evening.entrants[one] for one in evening.before(player) if one in evening.entrants]
        due = sum(due_minor(evening, holder, tournament.entry_minor) for holder in holders)
        if due:
            said = format_minor(due, tournament.currency)
            detail = f"{said} {tournament.currency} of the entry of {{seat}} are to be paid at the desk first"
            yield of_player(player, "not_paid", detail, field="tables")


def cover_problems(sheet: Scoresheet, table: Table, fact: Fact) -> list[Problem]:
    """What speaks against buying in, or back in, or playing on at a table that was given up: the money is not there."""
    if not isinstance(fact, wire.Rejoined | wire.BoughtIn | wire.FactWithdrawn):
        return []
    if not sheet.table.tournament.club.keeps_limits:
        return []
    before, after = _may_cost(table), fold(table, [(table.version + 1, fact)])
    if isinstance(fact, wire.FactWithdrawn) and not (table.status is Status.CANCELLED and after.status is Status.OPEN):
        return []
    more = {UUID(table.players[seat]): cost - before[seat] for seat, cost in _may_cost(after).items()}
    seats = {UUID(player): seat for seat, player in table.players.items()}
    short = _short(sheet.club_id, table.setup.stakes.currency, more)
    return [
        Problem(code="balance_too_low", seat=seats[player], field="seat", detail=f"seat {seats[player]}: {why}")
        for player, why in short.items()
    ]


def _may_cost(table: Table) -> dict[str, int]:
    """What each seat may still lose, and has lost."""
    won = table.won_so_far()
    return {seat: staked + max(0, -won[seat]) for seat, staked in table.at_stake().items()}


def _short(club: UUID, currency: str, needed: Mapping[UUID, int]) -> dict[UUID, str]:
    """Who has less than is needed of them, in a few queries. What is at stake already is not there a second time."""
    asked = {str(player): price for player, price in needed.items() if price > 0}
    if not asked:
        return {}
    means = hold_means(club, currency, asked)
    return {
        UUID(player): _short_by(price, means[player], currency)
        for player, price in asked.items()
        if means[player].room_minor < price
    }


def _short_by(price: int, means: Means, currency: str) -> str:
    amounts = (price, max(0, means.room_minor), means.staked_minor)
    needed, there, held = (format_minor(amount, currency) for amount in amounts)
    if not means.staked_minor:
        return f"{needed} {currency} are needed, and {there} are there: take money at the cash desk, or grant credit"
    return (
        f"{needed} {currency} are needed, and {there} are there beside {held} at stake at open tables: "
        "take money at the cash desk, or grant credit"
    )
