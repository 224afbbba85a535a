"""The settlement of a tournament's money (settled, pending or failed, and why), and players' balances in the club.

Rules: docs/how-to/evening.md, "Closing and money". A few queries, however many tables and players there are.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Case, Count, F, Min, OuterRef, Q, QuerySet, When

from scoring import ledger
from scoring.exports import AccountBalance
from scoring.ledger.readings import Scope, reversals
from scoring.messages import Message, say, words
from scoring.money import AccountKind
from scoring.tournament import load_tournament_state
from tournaments import log
from tournaments.books import entry_causes, prize_cause
from tournaments.books.player_balances import balances_of
from tournaments.models import HAS_BEGUN, Club, EveningSheet, Player, Scoresheet, Seat, Table, Tournament
from tournaments.models.people import names_with, search_key
from tournaments.people.players import actor_names
from tournaments.rendering.i18n.formatting import zone_of

# The part of a club's books to export: days in the club's time zone, or one tournament.

# The name of a signed-in user, or of a device, in the log.
ACTOR = re.compile(r"user:[0-9]{1,18}|token:[0-9a-f-]{36}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BookScope:
    """The part of a club's books to export: days in the club's time zone, both included, or one tournament."""

    club: Club
    first: date | None = None
    last: date | None = None
    tournament: Tournament | None = None

    @property
    def zone(self) -> ZoneInfo:
        return zone_of(self.club.timezone)

    @property
    def name(self) -> str:
        """The file name, without its extension."""
        if self.tournament is not None:
            return f"{self.club.slug}-{self.tournament.slug}"
        days = [f"{day}" for day in (self.first, self.last) if day is not None]
        return "-".join([self.club.slug, *days])

    @property
    def title(self) -> str:
        """The title of the export."""
        return self.club.name if self.tournament is None else f"{self.club.name}: {self.tournament.name}"


def scope_of(extract: BookScope) -> Scope:
    """The same part as a `Scope` of the ledger."""
    causes = None if extract.tournament is None else tuple(_causes(extract.tournament))
    return Scope(
        club=extract.club.pk,
        since=_midnight(extract.first, extract.zone),
        before=_midnight(extract.last + timedelta(days=1) if extract.last else None, extract.zone),
        causes=causes,
    )


# A trial balance: each kind of account on both sides of the books.

# The columns of a line: before the period, moved in it, and after it, each as debit and credit.
Sides = tuple[int, int, int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialLine:
    """All accounts of a kind in one currency; players who owe the club at the end are a line of their own.

    Amounts are minor units, never below 0: a debit is held by the club or owed to it, a credit is owed by it.
    """

    currency: str
    kind: AccountKind
    is_owing: bool
    sides: Sides


def sides_of(balance: AccountBalance) -> Sides:
    """One account on both sides of the books."""
    before, after = balance.opening_minor, balance.closing_minor
    return (
        *(max(0, -before), max(0, before)),
        *(balance.debit_minor, balance.credit_minor),
        *(max(0, -after), max(0, after)),
    )


def sum_of_sides(lines: Iterable[Sides]) -> Sides:
    """Column by column."""
    a, b, c, d, e, f = (sum(column) for column in zip((0, 0, 0, 0, 0, 0), *lines, strict=True))
    return a, b, c, d, e, f


def trial_lines(balances: Iterable[AccountBalance]) -> list[TrialLine]:
    """The lines of a trial balance, by currency and kind, from the balances of all accounts."""
    sides_by_line: dict[tuple[str, AccountKind, bool], list[Sides]] = {}
    for balance in balances:
        is_owing = balance.kind is AccountKind.PLAYER and balance.closing_minor < 0
        sides_by_line.setdefault((balance.currency, balance.kind, is_owing), []).append(sides_of(balance))
    return [
        TrialLine(
            currency=currency, kind=kind, is_owing=is_owing, sides=sum_of_sides(sides_by_line[currency, kind, is_owing])
        )
        for currency, kind, is_owing in sorted(sides_by_line)
    ]


def names_of(club: Club) -> dict[str, str]:
    """Names of the owners of the club's accounts: players, tournaments with a prize pool, side pots, and cashiers.

    In a few queries, however many there are.
    """
    owners_by_kind = ledger.owners(club.pk)
    pots, tills = owners_by_kind.get(AccountKind.SIDE_POT, set()), owners_by_kind.get(AccountKind.CASH, set())
    pools = Tournament.objects.filter(club=club, pk__in=owners_by_kind.get(AccountKind.PRIZE_POOL, set()))
    players = Player.objects.filter(club=club).names_in_books()
    return {
        **{pot: pot for pot in pots},
        **holders_of(tills, club.pk),
        **{str(row): name for row, name in (*pools.values_list("id", "name"), *players.items())},
    }


def holders_of(tills: Collection[str], club_id: UUID | None = None) -> dict[str, str]:
    """The cashier or device of each till by the till's name; the till's name itself if neither is known."""
    people = {till for till in tills if ACTOR.fullmatch(till)}
    return {till: till for till in tills} | (actor_names(people, club_id) if people else {})


def _causes(tournament: Tournament) -> Iterator[str]:
    """Every cause under which money of a tournament is posted."""
    yield prize_cause(tournament.pk)
    yield from ledger.causes_of(tournament.club_id, entry_causes(tournament.pk))
    for table in Table.objects.filter(tournament=tournament).values_list("pk", flat=True):
        yield f"table:{table}"


def _midnight(day: date | None, zone: ZoneInfo) -> datetime | None:
    return None if day is None else datetime.combine(day, time.min, zone)


# The settlement of a tournament's money (settled, pending or failed, and why), and players' balances in the club.

CONTRADICTION = say("this table has conflicting records: nothing is paid until the director has resolved them")


class Settlement(StrEnum):
    """The status of a settlement. `closed` ended without money, `corrected` was settled before and reversed."""

    OPEN = words("open")
    CLOSED = "closed"
    SETTLING = words("settling")
    SETTLED = words("settled")
    CORRECTED = "corrected"
    FAILED = words("failed")
    CANCELLED = "cancelled"
    CONFLICT = words("conflict")


_SHEET = (
    *("club_id", "has_conflict", "settle_problem", "settle_attempts", "settled_at", "due_version", "settled_version"),
    *("is_cancelled", "is_closed"),
)
RETRYABLE = frozenset({Settlement.SETTLING, Settlement.FAILED})
# Nothing is left to do.
DONE = frozenset({Settlement.CLOSED, Settlement.SETTLED, Settlement.CORRECTED, Settlement.CANCELLED})


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementState:
    """One table's settlement, with the reason where it failed."""

    table_id: UUID
    table: str | Message
    round: int
    state: Settlement
    problem: Message | None
    attempts: int
    settled_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSettlement:
    """The settlement of a planned tournament's entry fees and prizes."""

    state: Settlement
    problem: Message | None
    settled_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBalance:
    """A player's balance in the club; below 0 the player owes."""

    player: UUID
    name: str
    balance_minor: int

    @property
    def is_owing(self) -> bool:
        return self.balance_minor < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsettled:
    """The money of all clubs that is not in the books yet: how many tables and tournaments it is of."""

    tables: int
    tournaments: int
    failed: int
    # When the event was recorded that made the oldest of it due.
    since: datetime | None


# Counting goes no further.
MOST_UNSETTLED = 1_000


def unsettled() -> Unsettled:
    """What waits for its settlement, of all clubs together, in two queries. Practice is never settled.

    Tables are counted up to 1,000, those with fewest tries first.
    """
    # In the order of the index: to count all, PostgreSQL would read every table that was ever played.
    due = Scoresheet.objects.filter(due_version__gt=F("settled_version"))
    tables = due.order_by("settle_attempts", "last_recorded_at")[:MOST_UNSETTLED]
    prizes = EveningSheet.objects.filter(due_position__gt=F("settled_position"), is_rehearsal=False).annotate(
        due_at=log.recorded_at(OuterRef("club"), OuterRef("due_position"))
    )
    failed = Count("pk", filter=~Q(settle_problem=""))
    of_tables = tables.aggregate(waiting=Count("pk"), failed=failed, since=Min("last_recorded_at"))
    of_prizes = prizes.aggregate(waiting=Count("pk"), failed=failed, since=Min("due_at"))
    return Unsettled(
        tables=of_tables["waiting"],
        tournaments=of_prizes["waiting"],
        failed=of_tables["failed"] + of_prizes["failed"],
        since=min(filter(None, (of_tables["since"], of_prizes["since"])), default=None),
    )


def settlement_state(tournament_id: UUID) -> tuple[SettlementState, ...]:
    """The settlement of every table of a tournament, in two queries."""
    return settlement_of(_sheets(tournament_id).order_by("table__round", "table__number"))


def sheets_to_settle(tournament_id: UUID) -> QuerySet[Scoresheet, Scoresheet]:
    """The sheets of a tournament's tables for a paginated list: failed ones first, then pending ones.

    A table that was cancelled before a deal is left out, unless it waits.
    """
    has_failed, is_behind = Q(has_conflict=True) | ~Q(settle_problem=""), Q(due_version__gt=F("settled_version"))
    waits = Case(When(has_failed, then=0), When(is_behind, then=1), default=2)
    is_listed = HAS_BEGUN | Q(is_cancelled=False) | has_failed | is_behind
    return _sheets(tournament_id).filter(is_listed).order_by(waits, "table__round", "table__number")


def _sheets(tournament_id: UUID) -> QuerySet[Scoresheet, Scoresheet]:
    """The sheets with only the columns that `settlement_of` needs: a long tournament has hundreds."""
    sheets = Scoresheet.objects.filter(table__tournament_id=tournament_id).select_related("table")
    return sheets.only(*_SHEET, *(f"table__{column}" for column in ("name", "number", "round")))


def settlement_of(found: Iterable[Scoresheet]) -> tuple[SettlementState, ...]:
    """The settlement of some tables of one club, in one query besides theirs."""
    sheets = list(found)
    taken_back = reversals({sheet.club_id for sheet in sheets}, [f"table:{sheet.table_id}" for sheet in sheets])
    return tuple(
        SettlementState(
            table_id=sheet.table_id,
            table=sheet.table.called,
            round=sheet.table.round,
            state=_or_corrected(state_of(sheet), is_corrected=taken_back.get(f"table:{sheet.table_id}", 0) > 0),
            problem=CONTRADICTION if sheet.has_conflict else sheet.why_not_settled,
            attempts=sheet.settle_attempts,
            settled_at=sheet.settled_at,
        )
        for sheet in sheets
    )


def state_of(sheet: Scoresheet) -> Settlement:
    """The status of one table's settlement, as far as its row shows it."""
    if sheet.has_conflict:
        return Settlement.CONFLICT
    if sheet.settle_problem:
        return Settlement.FAILED
    if sheet.due_version > sheet.settled_version:
        return Settlement.SETTLING
    if sheet.is_cancelled:
        return Settlement.CANCELLED
    if not sheet.is_closed:
        return Settlement.OPEN
    return Settlement.SETTLED if sheet.due_version else Settlement.CLOSED


def tournament_settlement(tournament: Tournament) -> TournamentSettlement | None:
    """The settlement of a planned tournament's entry fees and prizes, in two queries; None if it never has any."""
    sheet = EveningSheet.objects.defer("state").filter(tournament=tournament).first()
    if sheet is None or not sheet.has_plan or sheet.is_rehearsal:
        return None
    is_behind = sheet.due_position > sheet.settled_position
    problem = sheet.why_not_settled if is_behind else None
    return TournamentSettlement(
        state=_settlement_state(tournament, is_behind=is_behind, has_failed=problem is not None),
        problem=problem,
        settled_at=sheet.settled_at,
    )


def player_balances(tournament: Tournament, players: Collection[tuple[UUID, str]]) -> tuple[PlayerBalance, ...]:
    """Balances other than 0 of some players, the largest debt first, in two queries."""
    amounts_by_player = balances_of(tournament.club_id, tournament.currency, [str(player) for player, _ in players])
    balances = [
        PlayerBalance(player=player, name=name, balance_minor=amount)
        for player, name in players
        if (amount := amounts_by_player[str(player)])
    ]
    return tuple(sorted(balances, key=lambda one: (one.balance_minor, search_key(one.name))))


def tournament_players(tournament: Tournament, find: str = "") -> tuple[tuple[UUID, str], ...]:
    """Everyone who entered a tournament or sat at its tables, A to Z as in the books, in two queries.

    With `find` in the name; an erased player is not found by the name that the books keep.
    """
    state = EveningSheet.objects.filter(tournament=tournament).values_list("state", flat=True).first()
    entered = [UUID(player) for player in load_tournament_state(state).entrants] if state else []
    seated = Seat.objects.filter(table__tournament=tournament).values("player_id")
    players = Player.objects.filter(Q(id__in=entered) | Q(id__in=seated), club=tournament.club_id)
    return tuple(players.filter(names_with(find)).names_in_books().items())


def _settlement_state(tournament: Tournament, *, is_behind: bool, has_failed: bool) -> Settlement:
    if has_failed:
        return Settlement.FAILED
    if is_behind:
        return Settlement.SETTLING
    if tournament.is_cancelled:
        return Settlement.CANCELLED
    if tournament.closed_at is None:
        return Settlement.OPEN
    taken_back = reversals([tournament.club_id], [prize_cause(tournament.pk)])
    settled = Settlement.SETTLED if taken_back else Settlement.CLOSED
    return _or_corrected(settled, is_corrected=any(taken_back.values()))


def _or_corrected(state: Settlement, *, is_corrected: bool) -> Settlement:
    return Settlement.CORRECTED if is_corrected and state is Settlement.SETTLED else state
