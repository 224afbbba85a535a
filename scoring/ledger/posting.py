"""Entries and postings are written here and nowhere else, in few statements however many there are.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. Knows nothing of why something is posted.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import connection

from scoring.models import Account, JournalEntry, Posting
from scoring.settlement import AccountKind, AccountRef, PlannedEntry, PlannedPosting, Purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry about to be posted for a version of its cause; `reverses` is the entry it takes back, if any."""

    cause: str
    version: int
    reference: str
    plan: PlannedEntry
    reverses: UUID | None = None
    id: UUID = field(default_factory=uuid.uuid4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """An entry that was posted and not taken back."""

    id: UUID
    reference: str
    plan: PlannedEntry


def standing_entries(club: UUID, causes: Sequence[str]) -> dict[str, dict[str, Standing]]:
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
    if not drafts:
        return
    accounts = _accounts(club, drafts)
    entries = [
        JournalEntry(
            id=draft.id,
            club=club,
            reference=draft.reference,
            cause=draft.cause,
            slot=draft.plan.slot,
            version=draft.version,
            currency=draft.plan.currency,
            memo="\n".join(draft.plan.because),
            posting_count=len(draft.plan.postings),
            reverses_id=draft.reverses,
            posted_at=now,
        )
        for draft in drafts
    ]
    postings = [posting for draft in drafts for posting in _postings(draft, accounts)]
    _insert(entries, postings)


def _insert(entries: list[JournalEntry], postings: list[Posting]) -> None:
    # SQLite's guard seals an entry when it is written, PostgreSQL's when its postings are: scoring/guards.
    if connection.vendor == "sqlite":
        Posting.objects.bulk_create(postings)
        JournalEntry.objects.bulk_create(entries)
    else:
        JournalEntry.objects.bulk_create(entries)
        Posting.objects.bulk_create(postings)


def _postings(draft: Draft, accounts: Mapping[tuple[AccountRef, str], UUID]) -> Iterable[Posting]:
    for each in draft.plan.postings:
        yield Posting(
            entry_id=draft.id,
            account_id=accounts[each.account, draft.plan.currency],
            amount_minor=each.amount_minor,
            purpose=each.purpose,
        )


def _accounts(club: UUID, drafts: Sequence[Draft]) -> dict[tuple[AccountRef, str], UUID]:
    """Ids of every account the drafts touch; those that are new are opened."""
    # Sorted, so that two settlements that open the same accounts at once cannot wait for each other.
    wanted = sorted({(each.account, draft.plan.currency) for draft in drafts for each in draft.plan.postings})
    found = _find_accounts(club, wanted)
    absent = [key for key in wanted if key not in found]
    if not absent:
        return found
    Account.objects.bulk_create(
        [Account(club=club, kind=ref.kind, owner=ref.owner, currency=currency) for ref, currency in absent],
        ignore_conflicts=True,
    )
    # Read again: somebody else may have opened some of them in the meantime, under other ids.
    return found | _find_accounts(club, absent)


def _find_accounts(club: UUID, wanted: Sequence[tuple[AccountRef, str]]) -> dict[tuple[AccountRef, str], UUID]:
    rows = Account.objects.filter(
        club=club,
        owner__in={ref.owner for ref, _currency in wanted},
        kind__in={ref.kind for ref, _currency in wanted},
        currency__in={currency for _ref, currency in wanted},
    ).values_list("kind", "owner", "currency", "id")
    return {
        (AccountRef(kind=AccountKind(kind), owner=owner), currency): account_id
        for kind, owner, currency, account_id in rows
    }


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
