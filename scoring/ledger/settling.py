"""Bring the books of one cause to the state they should have, exactly once, whoever asks and how often.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. What stands and is right stays; what stands and is
wrong is reversed and posted anew. Knows nothing of how a plan was made.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from scoring.ledger.posting import Draft, post, standing_entries
from scoring.models import SettledCause
from scoring.rules.problems import Defect
from scoring.settlement import PlannedEntry, PlannedPosting, difference


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleResult:
    """References of the entries posted, and slots of those reversed and of those found right.

    `is_news` is false where this version, or a newer one, was settled already: then nothing was done.
    """

    is_news: bool
    posted: tuple[str, ...] = ()
    reversed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()


def settle(club: UUID, cause: str, *, version: int, entries: Sequence[PlannedEntry], now: datetime) -> SettleResult:
    """Make `entries` what stands in the books for this cause, as of this version of it.

    Safe to run twice, at once, or late: a version that is not newer than the one settled changes nothing.
    Joins the caller's transaction where there is one. Raises Defect for a plan that cannot be posted.
    """
    _refuse_a_plan_that_cannot_be(cause, version, entries)
    with transaction.atomic(savepoint=False):
        if not _claim(club, cause, version, now):
            return SettleResult(is_news=False)
        return _bring_to(club, cause, version=version, entries=entries, now=now)


def _refuse_a_plan_that_cannot_be(cause: str, version: int, entries: Sequence[PlannedEntry]) -> None:
    if not cause or version < 1:
        raise Defect(f"nothing to settle for {cause!r} at version {version}")
    slots = [entry.slot for entry in entries]
    if len(set(slots)) < len(slots):
        raise Defect(f"{cause}@{version} plans a slot twice: {', '.join(slots)}")
    for entry in entries:
        if not entry.is_balanced:
            raise Defect(f"{cause}@{version}/{entry.slot} does not balance")


def _claim(club: UUID, cause: str, version: int, now: datetime) -> bool:
    """Take the cause for this version, and its row's lock with it until the transaction ends.

    The update is the lock: whoever comes second waits for the first to commit, then finds a version that is
    not older and has nothing left to do. So there is no moment between looking and locking.
    """
    first = SettledCause(club=club, cause=cause, version=0, settled_at=now)
    SettledCause.objects.bulk_create([first], ignore_conflicts=True)
    older = SettledCause.objects.filter(club=club, cause=cause, version__lt=version)
    return older.update(version=version, settled_at=now) == 1


def _bring_to(club: UUID, cause: str, *, version: int, entries: Sequence[PlannedEntry], now: datetime) -> SettleResult:
    standing = standing_entries(club, cause)
    todo = difference([each.plan for each in standing.values()], entries)
    drafts = [
        Draft(
            reference=f"{standing[slot].reference}~reversed@{version}",
            plan=mirrored(standing[slot].plan),
            reverses=standing[slot].id,
        )
        for slot in todo.reverse
    ]
    drafts += [Draft(reference=f"{cause}@{version}/{plan.slot}", plan=plan) for plan in todo.post]
    post(club, cause, version=version, drafts=drafts, now=now)
    return SettleResult(
        is_news=True,
        posted=tuple(draft.reference for draft in drafts if draft.reverses is None),
        reversed=todo.reverse,
        unchanged=todo.unchanged,
    )


def mirrored(plan: PlannedEntry) -> PlannedEntry:
    """The entry that takes another back: the same accounts and purposes, every amount turned round."""
    return PlannedEntry(
        slot=plan.slot,
        currency=plan.currency,
        postings=tuple(
            PlannedPosting(account=each.account, amount_minor=-each.amount_minor, purpose=each.purpose)
            for each in plan.postings
        ),
    )
