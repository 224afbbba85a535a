"""Bring the books of one or many causes to the state they should have, exactly once, however often it is called.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. Correct entries stay; wrong ones are reversed and posted
again, and of an entry fee what is missing is posted. Knows nothing of how a plan was made.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Sum

from scoring import storage
from scoring.ledger.readings import balances
from scoring.models import Account, Posting
from scoring.money import AccountKind, AccountRef, Difference, PlannedEntry, PlannedPosting, Purpose, difference
from scoring.money.payouts import MOST_SUM, beyond_limit
from scoring.problems import Defect, EventNotAllowed, refuse_if
from scoring.storage.writes import Accounts, Batch, Draft, account_keys

# Causes are claimed, entries and postings written here and nowhere else, in few statements however many there are.


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """An entry that was posted and not reversed."""

    id: UUID
    reference: str
    plan: PlannedEntry


def standing_entries(club: UUID, causes: Collection[str]) -> dict[str, list[Standing]]:
    """The entries of some causes that are not reversed, oldest first, in one query."""
    rows = (
        Posting.objects.filter(
            club=club,
            entry__club=club,
            entry__cause__in=causes,
            entry__reverses__isnull=True,
            entry__reversal__isnull=True,
        )
        .select_related("entry", "account")
        .order_by("id")
    )
    postings_by_entry: dict[UUID, list[Posting]] = {}
    for row in rows:
        postings_by_entry.setdefault(row.entry_id, []).append(row)
    standing: dict[str, list[Standing]] = {cause: [] for cause in causes}
    for postings in postings_by_entry.values():
        standing[postings[0].entry.cause].append(_standing(postings))
    return standing


def post(club: UUID, drafts: Sequence[Draft], *, now: datetime) -> None:
    """Write the entries with their postings, opening accounts as needed. Runs inside a transaction."""
    if drafts:
        storage.of(connection).insert_entries(
            Batch(club=club, drafts=drafts, accounts=_accounts(club, drafts), now=now)
        )


def _accounts(club: UUID, drafts: Sequence[Draft]) -> Accounts:
    """Ids of every account the drafts touch; new ones are opened."""
    database = storage.of(connection)
    keys = account_keys(drafts)
    account_ids: Accounts = database.find_accounts(club, keys)
    absent = [key for key in keys if key not in account_ids]
    if not absent:
        return account_ids
    database.open_accounts(club, absent)
    # Read again: another writer may have opened some of them in the meantime, under other ids.
    return {**account_ids, **database.find_accounts(club, absent)}


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


LARGE = MOST_SUM // 10**6


@dataclass(frozen=True, slots=True, kw_only=True)
class Obligation:
    """The entries that the books should have for one cause, as of one version of it.

    With `undoes_payments` a payment that is not among them is reversed: its record was left out, and nothing refunded.
    """

    cause: str
    version: int
    entries: Sequence[PlannedEntry]
    undoes_payments: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleResult:
    """References of the entries posted, and slots of those reversed and of those found correct.

    `is_news` is false where this version, or a newer one, was settled already: then nothing was done.
    """

    is_news: bool
    posted: tuple[str, ...] = ()
    reversed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()


def settle(club: UUID, cause: str, *, version: int, entries: Sequence[PlannedEntry], now: datetime) -> SettleResult:
    """Make `entries` what the books hold for this cause, as of this version of it.

    Safe to run twice, at once, or late: a version that is not newer than the one settled changes nothing. Joins the
    caller's transaction where there is one. Raises Defect for a plan that cannot be posted.
    """
    return settle_many(club, [Obligation(cause=cause, version=version, entries=entries)], now=now)[cause]


def settle_many(club: UUID, obligations: Sequence[Obligation], *, now: datetime) -> dict[str, SettleResult]:
    """The same for many causes of a club at once, by cause, in as few statements as for one.

    All or none. Raises Defect where a cause occurs twice, or for a plan that cannot be posted.
    """
    causes = [obligation.cause for obligation in obligations]
    if len(set(causes)) < len(causes):
        raise Defect(f"a cause to settle comes twice among {len(causes)}")
    for obligation in obligations:
        _refuse_a_plan_that_cannot_be(obligation)
    with transaction.atomic(savepoint=False):
        done = _at_once(club, obligations, now) or _one_after_the_other(club, obligations, now)
        _refuse_balances_beyond_limit(club, obligations)
    return {cause: done.get(cause, SettleResult(is_news=False)) for cause in causes}


def held_beside(club: UUID, currency: str, kind: AccountKind, *, cause: str) -> dict[str, int]:
    """The balances of the accounts of a kind without one cause, by owner, in two queries. Runs inside a transaction.

    Another caller waits until this transaction ends, so that two cannot spend the same money.
    """
    accounts = Account.objects.select_for_update(no_key=True).filter(club=club, currency=currency, kind=kind)
    owners = dict(accounts.order_by("id").values_list("id", "owner"))
    others = Posting.objects.filter(club=club, account__in=owners).exclude(entry__cause=cause)
    balance_by_account = dict(others.values_list("account").annotate(Sum("amount_minor")).order_by()) if owners else {}
    return {owner: int(balance_by_account.get(account, 0)) for account, owner in owners.items()}


def _refuse_a_plan_that_cannot_be(wanted: Obligation) -> None:
    if not wanted.cause or wanted.version < 1:
        raise Defect(f"nothing to settle for {wanted.cause!r} at version {wanted.version}")
    slots = [entry.slot for entry in wanted.entries]
    if len(set(slots)) < len(slots):
        raise Defect(f"{wanted.cause}@{wanted.version} plans a slot twice: {', '.join(slots)}")
    for entry in wanted.entries:
        if not entry.is_balanced:
            raise Defect(f"{wanted.cause}@{wanted.version}/{entry.slot} does not balance")
        amounts = (posting.amount_minor for posting in entry.postings)
        refuse_if(beyond_limit({"amount_minor": max(amounts, key=abs)}, currency=entry.currency), EventNotAllowed)


def _refuse_balances_beyond_limit(club: UUID, obligations: Sequence[Obligation]) -> None:
    """Raise EventNotAllowed where a balance exceeds the limit; the caller rolls back.

    Checked for large postings only: it takes a million of the others on one account to get there. Two transactions that
    post at once may each see a balance within the limit and exceed it together, by so little that every sum still is a
    bigint.
    """
    for currency, accounts in _with_large_postings(obligations).items():
        for account, balance_minor in balances(club, currency, accounts).items():
            name = f"{account.kind.value} {currency}"
            seat = account.owner if account.kind is AccountKind.PLAYER else None
            refuse_if(beyond_limit({name: balance_minor}, currency=currency, seat=seat), EventNotAllowed)


def _with_large_postings(obligations: Sequence[Obligation]) -> dict[str, set[AccountRef]]:
    accounts_by_currency: dict[str, set[AccountRef]] = {}
    for entry in (entry for obligation in obligations for entry in obligation.entries):
        for posting in entry.postings:
            if abs(posting.amount_minor) > LARGE:
                accounts_by_currency.setdefault(entry.currency, set()).add(posting.account)
    return accounts_by_currency


def _at_once(club: UUID, obligations: Sequence[Obligation], now: datetime) -> dict[str, SettleResult]:
    """The usual case, a cause that was never settled between accounts that are all open. Otherwise nothing."""
    if len(obligations) != 1:
        return {}
    [obligation] = obligations
    drafts = list(_drafts(obligation, [], _todo(obligation, [])))
    places = {key: place for place, key in enumerate(account_keys(drafts), start=1)}
    batch = Batch(club=club, drafts=drafts, accounts=places, now=now)
    if not storage.of(connection).claim_and_post(obligation.cause, obligation.version, batch):
        return {}
    return {obligation.cause: SettleResult(is_news=True, posted=tuple(draft.reference for draft in drafts))}


def _one_after_the_other(club: UUID, obligations: Sequence[Obligation], now: datetime) -> dict[str, SettleResult]:
    # Claiming is what locks: a second transaction waits for the first to commit, then finds a version that is not older
    # and has nothing left to do. So there is no moment between looking and locking.
    versions = {obligation.cause: obligation.version for obligation in obligations}
    claimed = storage.of(connection).claim(club, versions, now)
    news = [
        obligation
        for obligation in obligations
        if obligation.cause in claimed.fresh or obligation.cause in claimed.older
    ]
    # A cause that was never settled has no entries, so they are not queried.
    standing = standing_entries(club, claimed.older) if claimed.older else {}
    todo = {obligation.cause: _todo(obligation, standing.get(obligation.cause, [])) for obligation in news}
    drafts = [
        draft
        for obligation in news
        for draft in _drafts(obligation, standing.get(obligation.cause, []), todo[obligation.cause])
    ]
    post(club, drafts, now=now)
    return {
        obligation.cause: SettleResult(
            is_news=True,
            posted=tuple(_reference(obligation, plan) for plan in todo[obligation.cause].post),
            reversed=tuple(standing[obligation.cause][place].plan.slot for place in todo[obligation.cause].reverse),
            unchanged=todo[obligation.cause].unchanged,
        )
        for obligation in news
    }


def _todo(wanted: Obligation, standing: Sequence[Standing]) -> Difference:
    return difference([entry.plan for entry in standing], wanted.entries, undoes_payments=wanted.undoes_payments)


def _drafts(wanted: Obligation, standing: Sequence[Standing], todo: Difference) -> Iterator[Draft]:
    """Reversals first, then the entries that replace them."""
    for entry in (standing[place] for place in todo.reverse):
        yield Draft(
            cause=wanted.cause,
            version=wanted.version,
            reference=f"{entry.reference}~reversed@{wanted.version}",
            plan=mirrored(entry.plan),
            reverses=entry.id,
        )
    for plan in todo.post:
        yield Draft(cause=wanted.cause, version=wanted.version, reference=_reference(wanted, plan), plan=plan)


def _reference(wanted: Obligation, plan: PlannedEntry) -> str:
    return f"{wanted.cause}@{wanted.version}/{plan.slot}"


def mirrored(plan: PlannedEntry) -> PlannedEntry:
    """The reversal of an entry: the same accounts and purposes, every amount negated."""
    return PlannedEntry(
        slot=plan.slot,
        currency=plan.currency,
        postings=tuple(
            PlannedPosting(account=posting.account, amount_minor=-posting.amount_minor, purpose=posting.purpose)
            for posting in plan.postings
        ),
    )
