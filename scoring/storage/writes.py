"""What is written into log and books, the result of a claim, and a line of a statement: shared by both databases.

Rules: docs/decisions/0004-append-in-one-statement.md and 0005-a-ledger-the-database-keeps.md. Knows nothing of SQL.
"""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

from scoring.money import AccountRef, PlannedEntry

# How an entry and a settled cause are digested, so that no column of them can change unnoticed.

# Separates two fields. No field contains it, and the number of fields is fixed, so different rows never give the same
# bytes.
BETWEEN = "\x00"
ENTRY, CAUSE = b"rummy entry", b"rummy cause"


def moment_text(moment: datetime) -> str:
    """A time as it is digested: UTC, always with microseconds."""
    return moment.astimezone(UTC).isoformat(sep=" ", timespec="microseconds")[:26]


def entry_fields(row: Sequence[object], *, club: UUID, posted: str) -> list[str]:
    """The fields of an entry that are digested.

    Its row is id, reference, cause, slot, version, currency, memo, number of postings and what it reverses; `posted` is
    its time as text. The memo is digested as it was stored, and never compared with a newly generated one: wording
    changes.
    """
    *fields, reverses = (column.hex if isinstance(column, UUID) else str(column) for column in row)
    return [club.hex, *fields, "" if row[-1] is None else reverses, posted]


def moved(kind: str, owner: str, amount_minor: int, purpose: str) -> str:
    """A posting as it is digested, with its account."""
    return f"{kind}{BETWEEN}{owner}{BETWEEN}{amount_minor}{BETWEEN}{purpose}"


def entry_digest(before: bytes, fields: Iterable[str], postings: Iterable[str]) -> bytes:
    """SHA-256 over an entry and its postings in their order, and over the entry before it in the same settlement.

    `before` is empty for the first entry of a cause at a version.
    """
    return sha256(ENTRY + before + BETWEEN.join((*fields, *postings)).encode()).digest()


def cause_digest(club: UUID, cause: str, version: int, settled_at: datetime) -> bytes:
    """SHA-256 over the record of a settled cause."""
    return sha256(CAUSE + BETWEEN.join((club.hex, cause, str(version), moment_text(settled_at))).encode()).digest()


def stored_digest(word: bytes, before: bytes, fields: Sequence[bytes]) -> bytes:
    """The same from fields as they are in the database; empty for a row that cannot have been written by us."""
    between = BETWEEN.encode()
    return b"" if any(between in field for field in fields) else sha256(word + before + between.join(fields)).digest()


class EventRow(NamedTuple):
    """An event to be appended to the version `expected` of its stream; `content` is the digest of all its fields."""

    club: UUID
    stream: UUID
    expected: int
    content: bytes
    kind: str
    schema: int
    recipe: int
    body: str
    actor: str
    device: str
    recorded_at: datetime
    occurred_at: datetime
    key: UUID
    request_digest: bytes
    note_digest: bytes
    salt: bytes
    note: str


class AccountKey(NamedTuple):
    """The fields that identify an account of a club."""

    kind: str
    owner: str
    currency: str


# Ids in the form of the current database: only the database reads them.
Accounts = Mapping[AccountKey, Any]


class StatementLine(NamedTuple):
    """One posting on an account, and its balance after it. A tuple: a statement may have thousands.

    `posting` is its number among the postings of the club, which it never loses.
    """

    posted_at: datetime
    reference: str
    cause: str
    slot: str
    purpose: str
    currency: str
    amount_minor: int
    balance_minor: int
    memo: str
    is_reversal: bool
    posting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """Causes claimed for a newer version: those never settled before, and those settled at an older one."""

    fresh: frozenset[str]
    older: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry about to be posted for a version of its cause; `reverses` is the entry it reverses, if any."""

    cause: str
    version: int
    reference: str
    plan: PlannedEntry
    reverses: UUID | None = None
    id: UUID = field(default_factory=uuid.uuid4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Drafts of one club that are posted together, and the accounts they touch."""

    club: UUID
    drafts: Sequence[Draft]
    accounts: Accounts
    now: datetime

    def entry_rows(self) -> Iterator[tuple[Any, ...]]:
        """The columns of each entry and its digest, without the club and the time, which are the same for all."""
        before, run, posted = b"", ("", 0), moment_text(self.now)
        for draft in self.drafts:
            plan = draft.plan
            row = (
                *(draft.id, draft.reference, draft.cause, plan.slot, draft.version, plan.currency),
                *("\n".join(plan.because), len(plan.postings), draft.reverses),
            )
            if run != (draft.cause, draft.version):
                before, run = b"", (draft.cause, draft.version)
            before = entry_digest(before, entry_fields(row, club=self.club, posted=posted), _moved_by(plan))
            yield *row, before

    def posting_rows(self) -> Iterator[tuple[Any, ...]]:
        """Entry, account, amount and purpose, in the order of the plans."""
        for draft in self.drafts:
            for posting in draft.plan.postings:
                account = self.accounts[account_key(draft.plan, posting.account)]
                yield draft.id, account, posting.amount_minor, posting.purpose.value


def account_keys(drafts: Sequence[Draft]) -> list[AccountKey]:
    """Every account the drafts touch, once, in the same order for all transactions.

    In the order of the sheets two settlements that opened the same accounts at once waited for each other.
    """
    return sorted({account_key(draft.plan, posting.account) for draft in drafts for posting in draft.plan.postings})


def account_key(plan: PlannedEntry, account: AccountRef) -> AccountKey:
    """The account of this owner in the currency of the entry."""
    return AccountKey(account.kind.value, account.owner, plan.currency)


def _moved_by(plan: PlannedEntry) -> list[str]:
    """The postings of an entry as they are digested."""
    return [
        moved(posting.account.kind.value, posting.account.owner, posting.amount_minor, posting.purpose.value)
        for posting in plan.postings
    ]
