"""Causes are claimed, entries and postings written here and nowhere else, in few statements however many there are.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. Knows nothing of why something is posted.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import ModuleType
from uuid import UUID

from django.db import connection

from scoring.ledger import on_postgresql, on_sqlite
from scoring.ledger.writes import Accounts, Batch, Claimed, Draft, account_keys
from scoring.models import Posting
from scoring.money import AccountKind, AccountRef, PlannedEntry, PlannedPosting, Purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """An entry that was posted and not taken back."""

    id: UUID
    reference: str
    plan: PlannedEntry


def claim(club: UUID, versions: Mapping[str, int], now: datetime) -> Claimed:
    """Take causes for a version each, where it is news. Runs inside a transaction.

    Whoever comes second waits for the first to commit, then finds a version that is not older and has nothing left
    to do. So there is no moment between looking and locking.
    """
    claimed: Claimed = _database().claim(club, versions, now)
    return claimed


def claim_and_post(club: UUID, cause: str, version: int, drafts: Sequence[Draft], *, now: datetime) -> bool:
    """Claim a new cause and post what it owes in one statement, where the database can and every account is open.

    False: nothing was done, and the long way is to be gone. Runs inside a transaction.
    """
    if connection.vendor != "postgresql":
        return False
    places = {key: place for place, key in enumerate(account_keys(drafts), start=1)}
    return on_postgresql.claim_and_post(cause, version, Batch(club=club, drafts=drafts, accounts=places, now=now))


def standing_entries(club: UUID, causes: Collection[str]) -> dict[str, dict[str, Standing]]:
    """What stands in the books for some causes, by slot, in one query."""
    rows = (
        Posting.objects.filter(
            entry__club=club,
            entry__cause__in=causes,
            entry__reverses__isnull=True,
            entry__reversal__isnull=True,
        )
        .select_related("entry", "account")
        .order_by("id")
    )
    found: dict[UUID, list[Posting]] = {}
    for row in rows:
        found.setdefault(row.entry_id, []).append(row)
    standing: dict[str, dict[str, Standing]] = {cause: {} for cause in causes}
    for postings in found.values():
        entry = postings[0].entry
        standing[entry.cause][entry.slot] = _standing(postings)
    return standing


def post(club: UUID, drafts: Sequence[Draft], *, now: datetime) -> None:
    """Write the entries with their postings, opening accounts as needed. Runs inside a transaction."""
    if drafts:
        _insert(Batch(club=club, drafts=drafts, accounts=_accounts(club, drafts), now=now))


def _insert(batch: Batch) -> None:
    _database().insert(batch)


def _accounts(club: UUID, drafts: Sequence[Draft]) -> Accounts:
    """Ids of every account the drafts touch; those that are new are opened."""
    database = _database()
    wanted = account_keys(drafts)
    found: Accounts = database.find_accounts(club, wanted)
    absent = [key for key in wanted if key not in found]
    if not absent:
        return found
    database.open_accounts(club, absent)
    # Read again: somebody else may have opened some of them in the meantime, under other ids.
    return {**found, **database.find_accounts(club, absent)}


def _database() -> ModuleType:
    return on_postgresql if connection.vendor == "postgresql" else on_sqlite


def _standing(postings: Sequence[Posting]) -> Standing:
    entry = postings[0].entry
    plan = PlannedEntry(
        slot=entry.slot,
        currency=entry.currency,
        postings=tuple(_as_planned(posting) for posting in postings),
        because=tuple(entry.memo.splitlines()),
    )
    return Standing(id=entry.id, reference=entry.reference, plan=plan)


def _as_planned(posting: Posting) -> PlannedPosting:
    ref = AccountRef(kind=AccountKind(posting.account.kind), owner=posting.account.owner)
    return PlannedPosting(account=ref, amount_minor=posting.amount_minor, purpose=Purpose(posting.purpose))
