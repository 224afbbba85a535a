"""Bring the books of one cause, or of many, to the state they should have, exactly once, however often it is asked.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. What stands and is right stays; what stands and is
wrong is reversed and posted anew. Knows nothing of how a plan was made.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from scoring.ledger.posting import Draft, Standing, post, standing_entries
from scoring.models import SettledCause
from scoring.rules.problems import Defect
from scoring.settlement import Difference, PlannedEntry, PlannedPosting, difference


@dataclass(frozen=True, slots=True, kw_only=True)
class Obligation:
    """What should stand in the books for one cause, as of one version of it."""

    cause: str
    version: int
    entries: Sequence[PlannedEntry]


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
    return settle_many(club, [Obligation(cause=cause, version=version, entries=entries)], now=now)[cause]


def settle_many(club: UUID, obligations: Sequence[Obligation], *, now: datetime) -> dict[str, SettleResult]:
    """The same for many causes of a club at once, by cause, in as few statements as for one.

    All or none. Raises Defect where a cause comes twice, or for a plan that cannot be posted.
    """
    causes = [each.cause for each in obligations]
    if len(set(causes)) < len(causes):
        raise Defect(f"a cause to settle comes twice among {len(causes)}")
    for each in obligations:
        _refuse_a_plan_that_cannot_be(each)
    with transaction.atomic(savepoint=False):
        claimed = _claimed(club, obligations, now)
        done = _bring_to(club, [each for each in obligations if each.cause in claimed], now)
    return {cause: done.get(cause, SettleResult(is_news=False)) for cause in causes}


def _refuse_a_plan_that_cannot_be(wanted: Obligation) -> None:
    if not wanted.cause or wanted.version < 1:
        raise Defect(f"nothing to settle for {wanted.cause!r} at version {wanted.version}")
    slots = [entry.slot for entry in wanted.entries]
    if len(set(slots)) < len(slots):
        raise Defect(f"{wanted.cause}@{wanted.version} plans a slot twice: {', '.join(slots)}")
    for entry in wanted.entries:
        if not entry.is_balanced:
            raise Defect(f"{wanted.cause}@{wanted.version}/{entry.slot} does not balance")


def _claimed(club: UUID, obligations: Sequence[Obligation], now: datetime) -> set[str]:
    """The causes of which this version is news, each with its row's lock until the transaction ends."""
    if len(obligations) == 1:
        return {each.cause for each in obligations if _claim(club, each, now)}
    return _claim_many(club, obligations, now)


def _claim(club: UUID, wanted: Obligation, now: datetime) -> bool:
    """Take the cause for this version, and its row's lock with it until the transaction ends.

    The update is the lock: whoever comes second waits for the first to commit, then finds a version that is
    not older and has nothing left to do. So there is no moment between looking and locking.
    """
    first = SettledCause(club=club, cause=wanted.cause, version=0, settled_at=now)
    SettledCause.objects.bulk_create([first], ignore_conflicts=True)
    older = SettledCause.objects.filter(club=club, cause=wanted.cause, version__lt=wanted.version)
    return older.update(version=wanted.version, settled_at=now) == 1


def _claim_many(club: UUID, obligations: Sequence[Obligation], now: datetime) -> set[str]:
    """The same for many, in as few statements.

    Looking is the lock: it waits for whoever holds a row, and then reads what they left. Rows are made and locked in
    the order of their names, so that two who want the same ones cannot wait for each other.
    """
    wanted = {each.cause: each.version for each in obligations}
    firsts = [SettledCause(club=club, cause=cause, version=0, settled_at=now) for cause in sorted(wanted)]
    SettledCause.objects.bulk_create(firsts, ignore_conflicts=True)
    rows = SettledCause.objects.select_for_update().filter(club=club, cause__in=sorted(wanted)).order_by("cause")
    news = [row for row in rows if row.version < wanted[row.cause]]
    for version in sorted({wanted[row.cause] for row in news}):
        of_version = [row.pk for row in news if wanted[row.cause] == version]
        SettledCause.objects.filter(pk__in=of_version).update(version=version, settled_at=now)
    return {row.cause for row in news}


def _bring_to(club: UUID, obligations: Sequence[Obligation], now: datetime) -> dict[str, SettleResult]:
    standing = standing_entries(club, [each.cause for each in obligations])
    todo = {
        each.cause: difference([entry.plan for entry in standing[each.cause].values()], each.entries)
        for each in obligations
    }
    drafts = [draft for each in obligations for draft in _drafts(each, standing[each.cause], todo[each.cause])]
    post(club, drafts, now=now)
    return {
        each.cause: SettleResult(
            is_news=True,
            posted=tuple(_reference(each, plan) for plan in todo[each.cause].post),
            reversed=todo[each.cause].reverse,
            unchanged=todo[each.cause].unchanged,
        )
        for each in obligations
    }


def _drafts(wanted: Obligation, standing: Mapping[str, Standing], todo: Difference) -> Iterator[Draft]:
    """What is taken back, then what takes its place."""
    for slot in todo.reverse:
        yield Draft(
            cause=wanted.cause,
            version=wanted.version,
            reference=f"{standing[slot].reference}~reversed@{wanted.version}",
            plan=mirrored(standing[slot].plan),
            reverses=standing[slot].id,
        )
    for plan in todo.post:
        yield Draft(cause=wanted.cause, version=wanted.version, reference=_reference(wanted, plan), plan=plan)


def _reference(wanted: Obligation, plan: PlannedEntry) -> str:
    return f"{wanted.cause}@{wanted.version}/{plan.slot}"


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
