"""Checks balances before a seat or a rejoin in a club with credit limits, and settles tables.

Rules: docs/how-to/books.md, "Limits". The price of a seat is its entry fee, its chips or a full count of points; a
player can spend the balance in the club and the credit limit, less what is at stake at open tables. In a planned
tournament the entry fee is taken at the desk before seating; its tables only need what can still be lost there.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from scoring import ledger
from scoring.events import wire
from scoring.events.table import Event
from scoring.messages import Amount, Message, Seat, say, stored
from scoring.money import plan_entries
from scoring.problems import Problem, RummyError
from scoring.rules.table.table import Status, Table
from scoring.rules.variants import seat_price
from scoring.sheets.snapshots import load_table
from scoring.tournament import TournamentState
from scoring.tournament.state.fees import due_minor, is_booked
from scoring.tournament.state.refusals import of_player
from scoring.tournament.state.terms import Terms
from tournaments.books.player_balances import PlayerBalance, lock_balances
from tournaments.models import EveningSheet, Scoresheet, Tournament

# Settling: post the difference between a table and the club's books, exactly once, even if called often or by several
# workers.

CONFLICT = say("this table has conflicting records: a director must resolve that first")
OWED = Q(due_version__gt=F("settled_version"))
REHEARSAL = say("this is a practice table: nothing was paid, and nothing is settled")
REHEARSED = Q(table__tournament__evening_sheet__is_rehearsal=True)
_REHEARSAL = EveningSheet.objects.filter(tournament__tables=OuterRef("table"), is_rehearsal=True)
IS_PLAYED_FOR_REAL = ~Exists(_REHEARSAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The result of a settlement: entries posted and reversed, or why it failed."""

    posted: int = 0
    reversed: int = 0
    problem: Message | None = None


def settle_table(table_id: UUID, *, now: datetime) -> Settled:
    """Post what the table owes now. Posts nothing if the books agree already."""
    try:
        with transaction.atomic():
            return _settle(table_id, now)
    except RummyError as error:
        note_failure(table_id, error.message)
        return Settled(problem=error.message)


def is_rehearsal(table_id: UUID) -> bool:
    """Whether a table is played for practice only."""
    return EveningSheet.objects.filter(tournament__tables=table_id, is_rehearsal=True).exists()


def note_failure(table_id: UUID, reason: Message) -> None:
    """Store why a settlement failed, for the director; unless another worker has settled it since."""
    behind = Scoresheet.objects.filter(OWED, table_id=table_id)
    behind.update(settle_problem=stored(reason), settle_attempts=F("settle_attempts") + 1)


def tables_to_settle(limit: int = 200) -> list[UUID]:
    """Tables whose books are behind, the longest waiting first; those with many attempts come last."""
    owed = Scoresheet.objects.filter(OWED, has_conflict=False).exclude(REHEARSED)
    return list(owed.order_by("settle_attempts", "last_recorded_at").values_list("table_id", flat=True)[:limit])


def _settle(table_id: UUID, now: datetime) -> Settled:
    """Settle while holding a lock on the score sheet: of two workers, the second waits and finds nothing to do."""
    sheets = Scoresheet.objects.select_for_update(of=("self",)).annotate(is_rehearsal=Exists(_REHEARSAL))
    sheet = sheets.get(table_id=table_id)
    if sheet.settled_version >= sheet.due_version:
        return Settled()
    if sheet.is_rehearsal:
        return Settled(problem=REHEARSAL)
    table = load_table(sheet.state)
    if table.conflicts:
        Scoresheet.objects.filter(pk=sheet.pk).update(settle_problem=stored(CONFLICT))
        return Settled(problem=CONFLICT)
    entries = plan_entries(table.dues(), players=table.players, currency=table.setup.stakes.currency)
    result = ledger.settle(sheet.club_id, f"table:{table_id}", version=sheet.version, entries=entries, now=now)
    Scoresheet.objects.filter(pk=sheet.pk).update(
        settled_version=sheet.version, settled_at=now, settle_problem="", settle_attempts=F("settle_attempts") + 1
    )
    return Settled(posted=len(result.posted), reversed=len(result.reversed))


# In a club with credit limits, no player sits down or rejoins without the money for it.


def price_of_seat(tournament: Tournament, terms: Terms, *, has_paid: bool) -> int:
    """The price of a seat at a table of these terms, in minor units.

    With `has_paid` the entry fee was taken at the desk. 0 if the club keeps no limits.
    """
    if not tournament.club.keeps_limits:
        return 0
    stakes = {**terms.stakes, "entry_minor": 0} if has_paid else terms.stakes
    return seat_price(terms.variant, options=terms.options, stakes=stakes)


def uncovered(tournament: Tournament, needed: Mapping[UUID, int]) -> dict[UUID, Message]:
    """Players who have too little money for the amounts given, each with the reason as a message."""
    return _short(tournament.club_id, tournament.currency, needed)


def unpaid(tournament: Tournament, state: TournamentState, players: Collection[str]) -> Iterator[Problem]:
    """Problems with players of a planned round who have not paid: they would owe the entry fee without any action.

    A substitute plays on the entry of the player replaced. Nothing if the club keeps no limits.
    """
    if not (is_booked(state) and tournament.club.keeps_limits):
        return
    for player in players:
        holders = [state.entrants[person] for person in state.before(player) if person in state.entrants]
        due = sum(due_minor(state, holder, tournament.entry_minor) for holder in holders)
        if due:
            detail = say(
                "{seat} must pay {sum} of the entry fee at the desk first",
                sum=Amount(due, tournament.currency),
                seat=Seat(player),
            )
            yield of_player(player, "not_paid", detail, field="tables")


def cover_problems(sheet: Scoresheet, table: Table, event: Event) -> list[Problem]:
    """Problems with a rejoin, a buy-in or the undoing of a table's cancellation: the player has too little money."""
    if not isinstance(event, wire.Rejoined | wire.BoughtIn | wire.EventWithdrawn):
        return []
    if not sheet.table.tournament.club.keeps_limits:
        return []
    before, after = _may_cost(table), table.apply(event)
    if isinstance(event, wire.EventWithdrawn) and not (
        table.status is Status.CANCELLED and after.status is Status.OPEN
    ):
        return []
    more = {UUID(table.players[seat]): cost - before[seat] for seat, cost in _may_cost(after).items()}
    seats = {UUID(player): seat for seat, player in table.players.items()}
    short = _short(sheet.club_id, table.setup.stakes.currency, more)
    return [
        Problem(
            "balance_too_low", say("seat {number}: {why}", number=int(seat), why=short[player]), seat=seat, field="seat"
        )
        for player, seat in seats.items()
        if player in short
    ]


def _may_cost(table: Table) -> dict[str, int]:
    """What each seat may still lose, and has lost so far."""
    won = table.won_so_far()
    return {seat: staked + max(0, -won[seat]) for seat, staked in table.at_stake().items()}


def _short(club: UUID, currency: str, needed: Mapping[UUID, int]) -> dict[UUID, Message]:
    """Players with less than they need and why, in a few queries. Money already at stake does not count."""
    prices_by_player = {str(player): price for player, price in needed.items() if price > 0}
    if not prices_by_player:
        return {}
    means = lock_balances(club, currency, prices_by_player)
    return {
        UUID(player): _short_by(price, means[player], currency)
        for player, price in prices_by_player.items()
        if means[player].room_minor < price
    }


def _short_by(price: int, means: PlayerBalance, currency: str) -> Message:
    amounts = (price, max(0, means.room_minor), means.staked_minor)
    needed, there, staked = (Amount(amount, currency) for amount in amounts)
    if not means.staked_minor:
        return say(
            "{amount} needed, {left} available: take a payment or allow credit",
            amount=needed,
            left=there,
        )
    return say(
        "{amount} needed, {left} available, {held} held for open tables: take a payment or allow credit",
        amount=needed,
        left=there,
        held=staked,
    )
