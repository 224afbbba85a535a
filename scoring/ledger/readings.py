"""What the books say: balances, statements with a running balance, the trial balance. One query each.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. A positive balance is what the club owes.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import F, QuerySet, Sum, Window

from scoring.ledger import on_postgresql, on_sqlite
from scoring.ledger.writes import StatementLine
from scoring.models import Account, Posting
from scoring.money import AccountKind, AccountRef


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialLine:
    """What all accounts of one kind hold together, in one currency."""

    currency: str
    kind: AccountKind
    balance_minor: int


def balance(account: UUID) -> int:
    """What an account holds now, in minor units."""
    held = Posting.objects.filter(account=account).aggregate(held=Sum("amount_minor"))["held"]
    return int(held or 0)


def balances(club: UUID, currency: str, accounts: Iterable[AccountRef], *, beside: str = "") -> dict[AccountRef, int]:
    """What some accounts of a club hold in one currency, in one query; one that was never used holds nothing.

    What was posted for the cause `beside` is not counted.
    """
    wanted = set(accounts)
    postings = Posting.objects.filter(
        account__club=club,
        account__currency=currency,
        account__kind__in={ref.kind for ref in wanted},
        account__owner__in={ref.owner for ref in wanted},
    )
    if beside:
        postings = postings.exclude(entry__cause=beside)
    rows = postings.values_list("account__kind", "account__owner").annotate(held=Sum("amount_minor")).order_by()
    found = {AccountRef(kind=AccountKind(kind), owner=owner): int(held) for kind, owner, held in rows}
    return {ref: found.get(ref, 0) for ref in wanted}


def booked_for_players(club: UUID, causes: Collection[str], players: Collection[str]) -> dict[tuple[str, str], int]:
    """What stands for players under each of some causes, reversals counted, in minor units; one query."""
    rows = (
        Posting.objects.filter(entry__club=club, entry__cause__in=list(causes))
        .filter(account__kind=AccountKind.PLAYER, account__owner__in=list(players))
        .values_list("entry__cause", "account__owner")
        .annotate(held=Sum("amount_minor"))
        .order_by()
    )
    return {(cause, owner): int(held) for cause, owner, held in rows}


def balances_of_kind(club: UUID, currency: str, kind: AccountKind) -> dict[str, int]:
    """Every account of a kind that holds something or owes something, by owner, in one query."""
    rows = (
        Posting.objects.filter(account__club=club, account__currency=currency, account__kind=kind)
        .values_list("account__owner")
        .annotate(held=Sum("amount_minor"))
        .exclude(held=0)
        .order_by("account__owner")
    )
    return {owner: int(held) for owner, held in rows}


def owners(club: UUID) -> dict[AccountKind, set[str]]:
    """Who has accounts with a club beside its players, by the kind of account; those of nobody left out."""
    found: dict[AccountKind, set[str]] = {}
    rows = Account.objects.filter(club=club).exclude(kind=AccountKind.PLAYER).exclude(owner="")
    for kind, owner in rows.values_list("kind", "owner"):
        found.setdefault(AccountKind(kind), set()).add(owner)
    return found


def player_statement(club: UUID, player: str, *, last: int | None = None) -> tuple[StatementLine, ...]:
    """A player's postings in a club, oldest first, each currency with its own running balance.

    `last` keeps only that many of the newest; their balances count what came before.
    """
    if last is None:
        return tuple(_whole_statement(club, player))
    accounts = Account.objects.filter(club=club, kind=AccountKind.PLAYER, owner=player).values("id")
    newest_first = postings_with_balance(accounts).order_by("-entry__posted_at", "-id")[:last]
    return tuple(statement_line(posting) for posting in reversed(newest_first))


def _whole_statement(club: UUID, player: str) -> Iterator[StatementLine]:
    """Columns, not objects: of ten thousand postings most of the time went into objects nobody looked at."""
    database = on_postgresql if connection.vendor == "postgresql" else on_sqlite
    connection.ensure_connection()
    held: defaultdict[str, int] = defaultdict(int)
    rows = database.statement_rows(club, player)
    for posted_at, reference, cause, slot, purpose, currency, amount, memo, is_reversal in rows:
        held[currency] = balance_minor = held[currency] + amount
        yield StatementLine(
            posted_at, reference, cause, slot, purpose, currency, amount, balance_minor, memo, is_reversal
        )


def trial_balance(club: UUID) -> tuple[TrialLine, ...]:
    """What each kind of account holds. The lines of a currency sum to zero, or the books are wrong."""
    rows = (
        Posting.objects.filter(account__club=club)
        .values_list("account__currency", "account__kind")
        .annotate(held=Sum("amount_minor"))
        .order_by("account__currency", "account__kind")
    )
    return tuple(
        TrialLine(currency=currency, kind=AccountKind(kind), balance_minor=int(held)) for currency, kind, held in rows
    )


def postings_with_balance(accounts: Collection[UUID] | QuerySet[Any, Any]) -> QuerySet[Posting, Posting]:
    """Postings on these accounts with `balance_minor`, what the account held after each.

    In the order of their moments: the number of a posting is under no digest, and decides only within a settlement.
    """
    running = Window(
        Sum("amount_minor"), partition_by=[F("account_id")], order_by=[F("entry__posted_at").asc(), F("id").asc()]
    )
    return (
        Posting.objects.filter(account__in=accounts).select_related("entry", "account").annotate(balance_minor=running)
    )


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
    )
