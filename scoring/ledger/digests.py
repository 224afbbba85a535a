"""How an entry and a settled cause are digested, so that no column of them changes unseen.

Rules: docs/decisions/0028-what-is-proven-how.md. A recipe never changes; another would begin with another word. Pure.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from uuid import UUID

# Between two fields. None holds it: the number of fields is fixed, so no two different rows are the same bytes.
BETWEEN = "\x00"
ENTRY, CAUSE = b"rummy entry", b"rummy cause"


def moment_text(moment: datetime) -> str:
    """A moment as it is digested: UTC, always with microseconds."""
    return moment.astimezone(UTC).isoformat(sep=" ", timespec="microseconds")[:26]


def entry_fields(row: Sequence[object], *, club: UUID, posted: str) -> list[str]:
    """What an entry says, field by field.

    Its row is id, reference, cause, slot, version, currency, memo, number of postings and what it reverses; `posted` is
    its moment as text. The memo is digested as it was stored, and never compared with words made anew: words change.
    """
    *said, reverses = (each.hex if isinstance(each, UUID) else str(each) for each in row)
    return [club.hex, *said, "" if row[-1] is None else reverses, posted]


def moved(kind: str, owner: str, amount_minor: int, purpose: str) -> str:
    """A posting as it is digested, with the account it is on."""
    return f"{kind}{BETWEEN}{owner}{BETWEEN}{amount_minor}{BETWEEN}{purpose}"


def entry_digest(before: bytes, fields: Iterable[str], postings: Iterable[str]) -> bytes:
    """SHA-256 over an entry and its postings in their order, and over the entry before it in the same settlement.

    `before` is empty for the first entry of a cause at a version.
    """
    return sha256(ENTRY + before + BETWEEN.join((*fields, *postings)).encode()).digest()


def cause_digest(club: UUID, cause: str, version: int, settled_at: datetime) -> bytes:
    """SHA-256 over what is noted of a cause."""
    return sha256(CAUSE + BETWEEN.join((club.hex, cause, str(version), moment_text(settled_at))).encode()).digest()


def stored_digest(word: bytes, before: bytes, fields: Sequence[bytes]) -> bytes:
    """The same from fields as they stand in the database; of a row that nobody can have written, nothing."""
    between = BETWEEN.encode()
    return b"" if any(between in field for field in fields) else sha256(word + before + between.join(fields)).digest()
