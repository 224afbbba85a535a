"""In a club that keeps limits, nobody sits down or buys back in without the money for it.

Rules: docs/how-to/books.md, "Limits". What a seat may cost at once is its entry fee, its chips or a full count of
points; what a player has is the balance in the club and the credit that was granted, less what is at stake at tables
under way. A planned tournament takes its entries at the desk before anybody is seated; its tables ask for what is left
to lose at them.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from scoring import ledger
from scoring.evening import Evening
from scoring.evening.state.fees import due_minor, is_booked
from scoring.evening.state.refusals import of_player
from scoring.evening.state.terms import Terms
from scoring.facts import wire
from scoring.facts.table import Fact
from scoring.messages import Message, Seat, format_minor, say, stored
from scoring.money import plan_entries
from scoring.problems import Problem, RummyError
from scoring.rules.table.table import Status, Table, fold
from scoring.rules.variants import seat_price
from scoring.sheets.snapshots import load_table
from tournaments.books.player_balances import Means, lock_balances
from tournaments.models import EveningSheet, Scoresheet, Tournament

# Settling: bring the club's books to what a table owes, once, however often and by however many it is asked.

CONFLICT = say("this table has conflicting records: a director must resolve that first")
OWED = Q(due_version__gt=F("settled_version"))
REHEARSAL = say("this is a practice table: nothing was paid, and nothing is settled")
REHEARSED = Q(table__tournament__evening_sheet__is_rehearsal=True)
_REHEARSAL = EveningSheet.objects.filter(tournament__tables=OuterRef("table"), is_rehearsal=True)
IS_PLAYED_FOR_REAL = ~Exists(_REHEARSAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What a settlement did: entries posted and reversed, or why it could not."""

    posted: int = 0
    reversed: int = 0
    problem: Message | None = None


def settle_table(table_id: UUID, *, now: datetime) -> Settled:
    """Post what the table owes now. Posting nothing is the right answer where the books agree already."""
    try:
        with transaction.atomic():
            return _settle(table_id, now)
    except RummyError as error:
        note_failure(table_id, error.message)
        return Settled(problem=error.message)


def is_rehearsal(table_id: UUID) -> bool:
    """Whether a table is played for training only."""
    return EveningSheet.objects.filter(tournament__tables=table_id, is_rehearsal=True).exists()


def note_failure(table_id: UUID, reason: Message) -> None:
    """Keep why a settlement failed, where the director sees it; unless another worker has settled it meanwhile."""
    behind = Scoresheet.objects.filter(OWED, table_id=table_id)
    behind.update(settle_problem=stored(reason), settle_attempts=F("settle_attempts") + 1)


def tables_to_settle(limit: int = 200) -> list[UUID]:
    """Tables whose books are behind, the longest waiting first; those that fail again and again come last."""
    owed = Scoresheet.objects.filter(OWED, has_conflict=False).exclude(REHEARSED)
    return list(owed.order_by("settle_attempts", "last_recorded_at").values_list("table_id", flat=True)[:limit])


def _settle(table_id: UUID, now: datetime) -> Settled:
    """Under a lock on the score sheet: two workers take turns, and the second finds nothing to do."""
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


# In a club that keeps limits, nobody sits down or buys back in without the money for it.


def price_of_seat(tournament: Tournament, terms: Terms, *, has_paid: bool) -> int:
    """What a seat may cost at once at a table of these terms, in minor units.

    With `has_paid` the entry was taken at the desk. 0 where the club keeps no limits.
    """
    if not tournament.club.keeps_limits:
        return 0
    stakes = {**terms.stakes, "entry_minor": 0} if has_paid else terms.stakes
    return seat_price(terms.variant, options=terms.options, stakes=stakes)


def uncovered(tournament: Tournament, needed: Mapping[UUID, int]) -> dict[UUID, Message]:
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
            detail = say(
                "{seat} must pay {sum} {currency} of the entry fee at the desk first",
                sum=said,
                currency=tournament.currency,
                seat=Seat(player),
            )
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
        Problem(
            "balance_too_low", say("seat {number}: {why}", number=int(seat), why=short[player]), seat=seat, field="seat"
        )
        for player, seat in seats.items()
        if player in short
    ]


def _may_cost(table: Table) -> dict[str, int]:
    """What each seat may still lose, and has lost."""
    won = table.won_so_far()
    return {seat: staked + max(0, -won[seat]) for seat, staked in table.at_stake().items()}


def _short(club: UUID, currency: str, needed: Mapping[UUID, int]) -> dict[UUID, Message]:
    """Who has less than is needed of them, in a few queries. What is at stake already is not there a second time."""
    asked = {str(player): price for player, price in needed.items() if price > 0}
    if not asked:
        return {}
    means = lock_balances(club, currency, asked)
    return {
        UUID(player): _short_by(price, means[player], currency)
        for player, price in asked.items()
        if means[player].room_minor < price
    }


def _short_by(price: int, means: Means, currency: str) -> Message:
    amounts = (price, max(0, means.room_minor), means.staked_minor)
    needed, there, held = (format_minor(amount, currency) for amount in amounts)
    if not means.staked_minor:
        return say(
            "{amount} {currency} needed, {left} available: take a payment or allow credit",
            amount=needed,
            currency=currency,
            left=there,
        )
    return say(
        "{amount} {currency} needed, {left} available, {held} held for open tables: take a payment or allow credit",
        amount=needed,
        currency=currency,
        left=there,
        held=held,
    )
