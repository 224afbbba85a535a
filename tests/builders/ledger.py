"""Helpers for ledger tests: who pays whom, settled at which version, and the balances after it."""

import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db.models import Sum

from scoring.ledger import SettleResult, settle
from scoring.models import JournalEntry, Posting
from scoring.money import AccountKind, AccountRef, PlannedEntry, PlannedPosting, Purpose

CLUB = uuid.UUID("00000000-0000-4000-8000-00000000c1b0")
NEIGHBOUR = uuid.UUID("00000000-0000-4000-8000-00000000c1b1")
TABLE = "table:7d5c3a52-3f6a-4a86-9f0c-0c3b0f6c9a10"
NOW = datetime(2026, 11, 20, 21, 30, tzinfo=UTC)
HOUSE = "house"


def deal(number: int, /, *, currency: str = "INR", **amounts: int) -> PlannedEntry:
    """What one deal of a points table moves: `deal(3, asha=-600, bo=540, house=60)`."""
    return moved(f"deal:{number}", currency=currency, **amounts)


def moved(slot: str, /, *, currency: str = "INR", **amounts: Any) -> PlannedEntry:
    postings = tuple(
        PlannedPosting(account=_account(owner), amount_minor=amount, purpose=_purpose(owner, amount))
        for owner, amount in amounts.items()
    )
    return PlannedEntry(slot=slot, currency=currency, postings=postings, because=("as the sheet says",))


def settled(
    version: int, *entries: PlannedEntry, cause: str = TABLE, club: uuid.UUID = CLUB, at: datetime = NOW
) -> SettleResult:
    return settle(club, cause, version=version, entries=entries, now=at)


def holdings(club: uuid.UUID = CLUB) -> dict[str, int]:
    """The balance of every account of a club, zero balances left out."""
    rows = Posting.objects.filter(account__club=club).values_list("account__kind", "account__owner")
    held = rows.annotate(held=Sum("amount_minor"))
    return {owner or _short(kind): int(amount) for kind, owner, amount in held if amount}


def references(club: uuid.UUID = CLUB) -> set[str]:
    """What has been posted, without the table's own name."""
    found: Iterable[str] = JournalEntry.objects.filter(club=club).values_list("reference", flat=True)
    return {reference.replace(TABLE, "") for reference in found}


def _account(owner: str) -> AccountRef:
    if owner == HOUSE:
        return AccountRef(kind=AccountKind.CLUB_FEE)
    if owner == "cash":
        return AccountRef(kind=AccountKind.CASH)
    return AccountRef(kind=AccountKind.PLAYER, owner=owner)


def _purpose(owner: str, amount: int) -> Purpose:
    if owner == HOUSE:
        return Purpose.FEE
    if owner == "cash":
        return Purpose.CASH
    return Purpose.AWARD if amount > 0 else Purpose.CHARGE


def _short(kind: str) -> str:
    return HOUSE if kind == AccountKind.CLUB_FEE else kind
