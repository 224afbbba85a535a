"""The journal as it was booked and what accounts held around a period, for files that leave the house.

Rules: docs/how-to/books.md. One query each, however long the journal: entries come one after the other.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from scoring.exports import AccountBalance, BookedEntry, BookedPosting
from scoring.models import JournalEntry, Posting
from scoring.money import AccountKind, Purpose

CHUNK = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which part of a club's books: from a moment on, before another, of these causes; all of it where nothing is said.

    Where causes are named, what accounts held before is nobody's question.
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
    """Entries in the order in which they were booked, in one query and few of them in memory at a time."""
    # A cause is settled by one writer at a time, so its postings of a moment are never mixed with another entry's.
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
    for _, found in groupby(map(_Row._make, rows), key=lambda row: row.entry):
        yield _entry(list(found), zone)


def count_postings(scope: Scope) -> int:
    """How long the journal is."""
    return _postings(scope).count()


def account_balances(scope: Scope) -> list[AccountBalance]:
    """Every account that was ever used before the end of the scope, with what moved in it."""
    return _balances(scope, "account__owner")


def kind_balances(scope: Scope) -> list[AccountBalance]:
    """The same for all accounts of a kind together."""
    return _balances(scope)


def player_amounts(scope: Scope, currency: str) -> dict[str, dict[Purpose, int]]:
    """What was posted for each player of a scope, by what it was for, in one query."""
    found: dict[str, dict[Purpose, int]] = {}
    rows = _postings(scope).filter(account__kind=AccountKind.PLAYER, account__currency=currency)
    sums = rows.order_by("account__owner").values_list("account__owner", "purpose").annotate(Sum("amount_minor"))
    for owner, purpose, amount in sums:
        found.setdefault(owner, {})[Purpose(purpose)] = int(amount)
    return found


def last_posted_at(club: UUID) -> datetime | None:
    """When the last entry of a club was booked."""
    last: datetime | None = JournalEntry.objects.filter(club=club).aggregate(last=Max("posted_at"))["last"]
    return last


def reversals(clubs: Collection[UUID], causes: Collection[str]) -> dict[str, int]:
    """How many entries were taken back of each of some causes that anything was ever posted for, in one query."""
    entries = JournalEntry.objects.filter(club__in=clubs, cause__in=causes).order_by()
    return dict(entries.values_list("cause").annotate(Count("reverses")))


def _postings(scope: Scope) -> QuerySet[Posting, Posting]:
    found = _until(scope)
    return found if scope.since is None else found.filter(entry__posted_at__gte=scope.since)


def _until(scope: Scope) -> QuerySet[Posting, Posting]:
    found = Posting.objects.filter(entry__club=scope.club)
    if scope.causes is not None:
        found = found.filter(entry__cause__in=scope.causes)
    return found if scope.before is None else found.filter(entry__posted_at__lt=scope.before)


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
