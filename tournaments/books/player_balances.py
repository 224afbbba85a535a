"""Players' money in a club: their balance, their credit limit, and what of it is at stake at tables.

Rules: docs/how-to/books.md, "Limits". A caller who acts on it holds the club's lock; the score sheets are locked here,
because a worker settles a table without the club's lock.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Q, QuerySet

from scoring import ledger
from scoring.cash import account_of_player
from scoring.money import AccountKind
from scoring.rules.table.table import Table
from scoring.sheets.snapshots import load_table
from tournaments.models import PlayerCredit, Scoresheet, Seat
from tournaments.people.players import merged_rows, rows_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBalance:
    """A player's money in a club in one currency, in minor units; the balance is below 0 if they owe."""

    balance_minor: int
    credit_minor: int
    staked_minor: int

    @property
    def room_minor(self) -> int:
        """What is left to spend; below 0 for players beyond their limit."""
        return self.balance_minor + self.credit_minor - self.staked_minor


def lock_balances(club_id: UUID, currency: str, players: Collection[str]) -> dict[str, PlayerBalance]:
    """Players' money for a command: the sheets are locked first, then the balances are read."""
    return _means(club_id, currency, players, hold_stakes(club_id, currency, players))


def means_of(club_id: UUID, currency: str, players: Collection[str]) -> dict[str, PlayerBalance]:
    """Players' money for display, without a lock; six queries."""
    return _means(club_id, currency, players, stakes_of(club_id, currency, players))


def _means(
    club_id: UUID, currency: str, players: Collection[str], staked: Mapping[str, int]
) -> dict[str, PlayerBalance]:
    if not players:
        return {}
    balances, granted = balances_of(club_id, currency, players), credits_of(currency, players)
    return {
        player: PlayerBalance(
            balance_minor=balances[player], credit_minor=granted.get(player, 0), staked_minor=staked.get(player, 0)
        )
        for player in players
    }


def balances_of(club_id: UUID, currency: str, players: Collection[str]) -> dict[str, int]:
    """Balances of some players, in two queries. Merged rows are one person, whose accounts are added.

    A merge moves the balance; later changes by a correction of an earlier table are posted to the row that sat there.
    """
    if not players:
        return {}
    people_by_row = rows_of(club_id, players)
    accounts = {row: account_of_player(row) for row in people_by_row}
    balances = ledger.balances(club_id, currency, accounts.values())
    return _of_people(people_by_row, {row: balances[account] for row, account in accounts.items()}, players)


def balances_of_club(club_id: UUID, currency: str) -> dict[str, int]:
    """Every player with a balance other than 0, merged rows added together; in two queries."""
    balances = ledger.balances_of_kind(club_id, currency, AccountKind.PLAYER)
    merged = merged_rows(club_id)
    people_by_row = {row: merged.get(row, row) for row in balances}
    return {
        player: amount
        for player, amount in _of_people(people_by_row, balances, set(people_by_row.values())).items()
        if amount
    }


def _of_people(kept: Mapping[str, str], amounts: Mapping[str, int], players: Iterable[str]) -> dict[str, int]:
    """Amounts per row, summed per person after merges."""
    person: Counter[str] = Counter()
    for row, amount in amounts.items():
        person[kept[row]] += amount
    return {player: person[kept.get(player, player)] for player in players}


def credits_of(currency: str, players: Collection[str]) -> dict[str, int]:
    """The credit limit of each player who has one; a merged row has that of the player it was merged into."""
    if not players:
        return {}
    own = Q(player__in=list(players), player__merged_into=None) | Q(player__merged_rows__in=list(players))
    rows = PlayerCredit.objects.filter(own, currency=currency)
    granted: dict[str, int] = {}
    for kept_row, merged, limit in rows.values_list("player_id", "player__merged_rows", "limit_minor"):
        granted |= dict.fromkeys((str(kept_row), str(merged)), limit)
    return {player: granted[player] for player in players if player in granted}


def hold_stakes(club_id: UUID, currency: str, players: Collection[str]) -> dict[str, int]:
    """What `stakes_of` returns, with the sheets locked: a balance read next matches it until the transaction ends."""
    people_by_row = rows_of(club_id, players)
    sheets = _under_way(club_id, currency, people_by_row).select_for_update(of=("self",))
    return _staked(club_id, list(sheets), people_by_row, players)


def stakes_of(club_id: UUID, currency: str, players: Collection[str]) -> dict[str, int]:
    """What players may lose, or have lost, at tables not yet in the books: minor units, above 0.

    Empty if the club keeps no limits. Three queries, however many tables these players sit at.
    """
    people_by_row = rows_of(club_id, players)
    return _staked(club_id, list(_under_way(club_id, currency, people_by_row)), people_by_row, players)


def _under_way(club_id: UUID, currency: str, players: Collection[str]) -> QuerySet[Scoresheet, Scoresheet]:
    """Sheets of these players that are open or not settled yet. A cancelled one may have been paid in part."""
    is_open = Q(is_closed=False, is_cancelled=False)
    return (
        Scoresheet.objects.filter(is_open | Q(due_version__gt=F("settled_version")))
        .filter(club_id=club_id, club__keeps_limits=True, table__tournament__currency=currency)
        .filter(table__in=Seat.objects.filter(player_id__in=list(players)).values("table"))
        .exclude(table__tournament__evening_sheet__is_rehearsal=True)
        .order_by("pk")
    )


def _staked(
    club_id: UUID, sheets: Collection[Scoresheet], kept: Mapping[str, str], players: Collection[str]
) -> dict[str, int]:
    if not sheets:
        return {}
    causes = {f"table:{sheet.pk}": load_table(sheet.state) for sheet in sheets}
    booked = ledger.booked_for_players(club_id, causes, kept)
    staked: Counter[str] = Counter()
    for cause, table in causes.items():
        for seat, amount in _still_to_lose(table, cause, booked):
            staked[table.players[seat]] += amount
    staked_by_player = _of_people(kept, {row: staked[row] for row in kept}, players)
    return {player: amount for player, amount in staked_by_player.items() if amount}


def _still_to_lose(table: Table, cause: str, booked: Mapping[tuple[str, str], int]) -> Iterator[tuple[str, int]]:
    """What the books would take from each seat if it lost everything it still can.

    First what the worker will reverse, then what is lost and due later, then what may be lost. While the table has
    conflicting records the worker waits.
    """
    won, soon = table.won_so_far(), table.won_in_books()
    for seat, amount in table.at_stake().items():
        now = booked.get((cause, table.players[seat]), 0)
        then = now if table.conflicts else soon[seat]
        yield seat, max(0, amount + now - then + max(0, then - won[seat]))
