"""Queries over the books: balances, statements, the trial balance, and the journal of a period. One query each.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md, docs/how-to/books.md. A positive balance is what the club
owes. A journal may be long: its entries are streamed.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Count, Exists, F, Max, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum, Window
from django.db.models.functions import Coalesce

from scoring import storage
from scoring.exports import AccountBalance, BookedEntry, BookedPosting
from scoring.models import Account, JournalEntry, Posting
from scoring.money import AccountKind, AccountRef, Purpose
from scoring.storage.writes import StatementLine

CHUNK = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialLine:
    """The sum over all accounts of one kind, in one currency."""

    currency: str
    kind: AccountKind
    balance_minor: int


def balance(club: UUID, account: UUID) -> int:
    """The balance of an account of a club now, in minor units."""
    balance_minor = Posting.objects.filter(club=club, account=account).aggregate(held=Sum("amount_minor"))["held"]
    return int(balance_minor or 0)


def balances(club: UUID, currency: str, accounts: Iterable[AccountRef], *, beside: str = "") -> dict[AccountRef, int]:
    """Balances of some accounts of a club in one currency, in one query; an account never used has 0.

    What was posted for the cause `beside` is not counted.
    """
    account_refs = set(accounts)
    postings = Posting.objects.filter(
        club=club,
        account__club=club,
        account__currency=currency,
        account__kind__in={ref.kind for ref in account_refs},
        account__owner__in={ref.owner for ref in account_refs},
    )
    if beside:
        postings = postings.exclude(entry__cause=beside)
    named = postings.values_list("account__kind", "account__owner")
    rows = named.annotate(held=Sum("amount_minor")).exclude(held=0).order_by()
    balance_by_account = {
        AccountRef(kind=AccountKind(kind), owner=owner): int(balance_minor) for kind, owner, balance_minor in rows
    }
    return {ref: balance_by_account.get(ref, 0) for ref in account_refs}


def booked_for_players(club: UUID, causes: Collection[str], players: Collection[str]) -> dict[tuple[str, str], int]:
    """The amounts posted for players under each of some causes, reversals included, in minor units; one query."""
    rows = (
        Posting.objects.filter(club=club, entry__club=club, entry__cause__in=list(causes))
        .filter(account__kind=AccountKind.PLAYER, account__owner__in=list(players))
        .values_list("entry__cause", "account__owner")
        .annotate(held=Sum("amount_minor"))
        .order_by()
    )
    return {(cause, owner): int(amount_minor) for cause, owner, amount_minor in rows}


def balances_of_kind(club: UUID, currency: str, kind: AccountKind) -> dict[str, int]:
    """Every account of a kind with a balance, by owner, in one query."""
    rows = (
        Posting.objects.filter(club=club, account__club=club, account__currency=currency, account__kind=kind)
        .values_list("account__owner")
        .annotate(held=Sum("amount_minor"))
        .exclude(held=0)
        .order_by("account__owner")
    )
    return {owner: int(balance_minor) for owner, balance_minor in rows}


def balances_of_owner(club: UUID, account: AccountRef) -> dict[str, int]:
    """The balances of one owner's accounts of one kind, by currency, in one query."""
    own = {"account__club": club, "account__kind": account.kind, "account__owner": account.owner}
    postings = Posting.objects.filter(club=club, **own)
    balance_rows = postings.order_by().values_list("account__currency").annotate(held=Sum("amount_minor"))
    return {currency: int(amount) for currency, amount in balance_rows if amount}


def owners(club: UUID) -> dict[AccountKind, set[str]]:
    """The owners of a club's accounts besides its players, by the kind of account; unowned accounts are left out."""
    owners_by_kind: dict[AccountKind, set[str]] = {}
    rows = Account.objects.filter(club=club).exclude(kind=AccountKind.PLAYER).exclude(owner="")
    for kind, owner in rows.values_list("kind", "owner"):
        owners_by_kind.setdefault(AccountKind(kind), set()).add(owner)
    return owners_by_kind


def accounts_with_balance(club: UUID) -> QuerySet[Account, Account]:
    """The accounts of a club with `balance_minor`, which each has now."""
    posted = Posting.objects.filter(club=OuterRef("club"), account=OuterRef("pk")).order_by().values("account")
    held = Subquery(posted.annotate(sum=Sum("amount_minor")).values("sum"))
    return Account.objects.filter(club=club).annotate(balance_minor=Coalesce(held, 0))


def journal_of(club: UUID) -> QuerySet[JournalEntry, JournalEntry]:
    """The entries of a club with their postings and accounts, and the entry that undoes each or that it undoes."""
    postings = Posting.objects.filter(club=club).select_related("account").order_by("id")
    entries = JournalEntry.objects.filter(club=club).select_related("reversal", "reverses")
    return entries.prefetch_related(Prefetch("postings", postings))


def entries_of_owners(
    entries: QuerySet[JournalEntry, JournalEntry], owners: Collection[str]
) -> QuerySet[JournalEntry, JournalEntry]:
    """Those entries that move anything on the player accounts of these owners."""
    own = Posting.objects.filter(club=OuterRef("club"), entry=OuterRef("pk"))
    return entries.filter(Exists(own.filter(account__kind=AccountKind.PLAYER, account__owner__in=list(owners))))


def player_statement(club: UUID, players: Collection[str], *, last: int | None = None) -> tuple[StatementLine, ...]:
    """The postings of one person in a club, oldest first, each currency with its own running balance.

    `players` are the owners of this person's accounts. `last` keeps only that many of the newest lines; their balances
    include what came before.
    """
    if last is None:
        return tuple(_whole_statement(club, players))
    accounts = Account.objects.filter(club=club, kind=AccountKind.PLAYER, owner__in=players).values("id")
    newest_first = postings_with_balance(club, accounts).order_by("-entry__posted_at", "-id")[:last]
    return tuple(statement_line(posting) for posting in reversed(newest_first))


def _whole_statement(club: UUID, players: Collection[str]) -> Iterator[StatementLine]:
    """Tuples, not model objects: of ten thousand postings most of the time went into objects that were never used."""
    connection.ensure_connection()
    balance_by_currency: defaultdict[str, int] = defaultdict(int)
    rows = storage.of(connection).statement_rows(club, players)
    for posted_at, reference, cause, slot, purpose, currency, amount, memo, number, is_reversal in rows:
        balance_by_currency[currency] = balance_minor = balance_by_currency[currency] + amount
        yield StatementLine(
            posted_at, reference, cause, slot, purpose, currency, amount, balance_minor, memo, is_reversal, number
        )


def trial_balance(club: UUID) -> tuple[TrialLine, ...]:
    """The sum of each kind of account. The lines of a currency sum to zero, or the books are wrong."""
    rows = (
        Posting.objects.filter(club=club, account__club=club)
        .values_list("account__currency", "account__kind")
        .annotate(held=Sum("amount_minor"))
        .order_by("account__currency", "account__kind")
    )
    return tuple(
        TrialLine(currency=currency, kind=AccountKind(kind), balance_minor=int(balance_minor))
        for currency, kind, balance_minor in rows
    )


def postings_with_balance(club: UUID, accounts: Collection[UUID] | QuerySet[Any, Any]) -> QuerySet[Posting, Posting]:
    """Postings on these accounts of one owner with `balance_minor`, the balance in the currency after each.

    Ordered by time: the number of a posting is under no digest, and decides only within a settlement.
    """
    running = Window(
        Sum("amount_minor"),
        partition_by=[F("account__currency")],
        order_by=[F("entry__posted_at").asc(), F("id").asc()],
    )
    postings = Posting.objects.filter(club=club, account__in=accounts).select_related("entry", "account")
    return postings.annotate(balance_minor=running)


def statement_line(posting: Posting) -> StatementLine:
    """A posting read by `postings_with_balance` as a line of a statement."""
    entry = posting.entry
    return StatementLine(
        posted_at=entry.posted_at,
        reference=entry.reference,
        cause=entry.cause,
        slot=entry.slot,
        purpose=posting.purpose,
        currency=posting.account.currency,
        amount_minor=posting.amount_minor,
        balance_minor=int(posting.balance_minor),  # type: ignore[attr-defined]
        memo=entry.memo,
        is_reversal=entry.reverses_id is not None,
        posting=posting.pk,
    )


class Movement(NamedTuple):
    """What one version of a cause moved on one account, in minor units; above 0 the club owes it more than before."""

    account: AccountRef
    cause: str
    version: int
    posted_at: datetime
    amount_minor: int


def movements(
    club: UUID, currency: str, accounts: Collection[AccountRef], causes: Mapping[str, tuple[int, int]]
) -> list[Movement]:
    """What was moved on some accounts, in one query: a reversal and what replaces it are one movement.

    `causes` are the first words of causes, each with its first and last version. Movements of nothing are left out.
    """
    cause_filter = Q(pk__in=())
    for prefix, versions in causes.items():
        cause_filter |= Q(entry__cause__startswith=prefix, entry__version__range=versions)
    owned = Q(pk__in=())
    for kind in {ref.kind for ref in accounts}:
        owners = {ref.owner for ref in accounts if ref.kind is kind}
        owned |= Q(account__kind=kind, account__owner__in=owners)
    rows = (
        Posting.objects.filter(cause_filter, owned, club=club, entry__club=club)
        .filter(account__club=club, account__currency=currency)
        .values_list("account__kind", "account__owner", "entry__cause", "entry__version", "entry__posted_at")
        .annotate(held=Sum("amount_minor"))
        .exclude(held=0)
        .order_by()
    )
    return [
        Movement(AccountRef(kind=AccountKind(kind), owner=owner), cause, version, posted_at, int(amount_minor))
        for kind, owner, cause, version, posted_at, amount_minor in rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which part of a club's books: from a time on, before another, of these causes; all of it where nothing is given.

    Where causes are named, earlier balances are not needed.
    """

    club: UUID
    since: datetime | None = None
    before: datetime | None = None
    causes: tuple[str, ...] | None = None


class _Row(NamedTuple):
    entry: UUID
    reference: str
    cause: str
    slot: str
    version: int
    currency: str
    memo: str
    posted_at: datetime
    reverses: UUID | None
    reversed_reference: str | None
    kind: str
    owner: str
    purpose: str
    amount_minor: int


def booked_entries(scope: Scope, zone: tzinfo) -> Iterator[BookedEntry]:
    """Entries in the order in which they were posted, in one query and few of them in memory at a time."""
    # A cause is settled by one writer at a time, so its postings of one time are never mixed with another entry's.
    rows = (
        _postings(scope)
        .order_by("entry__posted_at", "entry__cause", "id")
        .values_list(
            *("entry_id", "entry__reference", "entry__cause", "entry__slot", "entry__version", "entry__currency"),
            *("entry__memo", "entry__posted_at", "entry__reverses_id", "entry__reverses__reference"),
            *("account__kind", "account__owner", "purpose", "amount_minor"),
        )
        .iterator(chunk_size=CHUNK)
    )
    for _, entry_rows in groupby(map(_Row._make, rows), key=lambda row: row.entry):
        yield _entry(list(entry_rows), zone)


def count_postings(scope: Scope) -> int:
    """The number of postings in the journal."""
    return _postings(scope).count()


def account_balances(scope: Scope) -> list[AccountBalance]:
    """Every account that was ever used before the end of the scope, with its movements in it."""
    return _balances(scope, "account__owner")


def kind_balances(scope: Scope) -> list[AccountBalance]:
    """The same for all accounts of a kind together."""
    return _balances(scope)


def player_amounts(scope: Scope, currency: str) -> dict[str, dict[Purpose, int]]:
    """The amounts posted for each player of a scope, by purpose, in one query."""
    amounts_by_player: dict[str, dict[Purpose, int]] = {}
    rows = _postings(scope).filter(account__kind=AccountKind.PLAYER, account__currency=currency)
    sums = rows.order_by("account__owner").values_list("account__owner", "purpose").annotate(Sum("amount_minor"))
    for owner, purpose, amount in sums:
        amounts_by_player.setdefault(owner, {})[Purpose(purpose)] = int(amount)
    return amounts_by_player


def last_posted_at(club: UUID) -> datetime | None:
    """When the last entry of a club was posted."""
    last: datetime | None = JournalEntry.objects.filter(club=club).aggregate(last=Max("posted_at"))["last"]
    return last


def reversals(clubs: Collection[UUID], causes: Collection[str]) -> dict[str, int]:
    """The number of reversals of each of some causes that anything was ever posted for, in one query."""
    entries = JournalEntry.objects.filter(club__in=clubs, cause__in=causes).order_by()
    return dict(entries.values_list("cause").annotate(Count("reverses")))


def _postings(scope: Scope) -> QuerySet[Posting, Posting]:
    postings = _until(scope)
    return postings if scope.since is None else postings.filter(entry__posted_at__gte=scope.since)


def _until(scope: Scope) -> QuerySet[Posting, Posting]:
    postings = Posting.objects.filter(club=scope.club, entry__club=scope.club)
    if scope.causes is not None:
        postings = postings.filter(entry__cause__in=scope.causes)
    return postings if scope.before is None else postings.filter(entry__posted_at__lt=scope.before)


def _balances(scope: Scope, *by: str) -> list[AccountBalance]:
    rows = (_postings(scope) if scope.causes is not None else _until(scope)).order_by()
    earlier = Q(entry__posted_at__lt=scope.since) if scope.since is not None else Q(pk__in=())
    sums = (
        rows.values("account__currency", "account__kind", *by)
        .annotate(
            opening=Coalesce(Sum("amount_minor", filter=earlier), 0),
            debit=Coalesce(Sum("amount_minor", filter=Q(amount_minor__lt=0) & ~earlier), 0),
            credit=Coalesce(Sum("amount_minor", filter=Q(amount_minor__gt=0) & ~earlier), 0),
        )
        .order_by("account__currency", "account__kind", *by)
    )
    return [
        AccountBalance(
            kind=AccountKind(row["account__kind"]),
            owner=row.get("account__owner", ""),
            currency=row["account__currency"],
            opening_minor=int(row["opening"]),
            debit_minor=-int(row["debit"]),
            credit_minor=int(row["credit"]),
        )
        for row in sums
    ]


def _entry(rows: list[_Row], zone: tzinfo) -> BookedEntry:
    first = rows[0]
    return BookedEntry(
        id=str(first.entry),
        reference=first.reference,
        cause=first.cause,
        slot=first.slot,
        version=first.version,
        currency=first.currency,
        memo=first.memo,
        posted_at=first.posted_at.astimezone(zone),
        reverses=first.reversed_reference or "",
        reverses_id=str(first.reverses or ""),
        postings=tuple(
            BookedPosting(
                kind=AccountKind(row.kind), owner=row.owner, purpose=row.purpose, amount_minor=row.amount_minor
            )
            for row in rows
        ),
    )
