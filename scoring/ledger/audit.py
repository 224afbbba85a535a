"""Looks through the books for what must not be there: entries that do not add up, or were tampered with.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. The database refuses all of this while its guards
stand; an audit finds what was done while they did not. Knows nothing of what a table should have paid.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import CharField, Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Cast, Coalesce, Concat

from scoring.ledger import triggers
from scoring.ledger.unchanged import changed_causes, changed_entries
from scoring.models import JournalEntry, Posting, SettledCause
from scoring.money import PlannedEntry, Purpose
from scoring.money.entries import slot_today

Entries = QuerySet[JournalEntry, JournalEntry]


def ledger_problems(club: UUID | None = None) -> list[str]:
    """Everything that is wrong with the books of one club, or of all. Empty when they are in order."""
    entries = JournalEntry.objects.all() if club is None else JournalEntry.objects.filter(club=club)
    postings = Posting.objects.all() if club is None else Posting.objects.filter(account__club=club)
    return [
        *triggers.faults(connection),
        *_entries_that_do_not_add_up(entries),
        *_reversals_that_are_no_mirror(entries),
        *_reversals_of_something_else(entries),
        *_slots_that_stand_twice(entries),
        *_references_that_say_something_else(entries),
        *_causes_settled_beyond_what_is_noted(entries),
        *_postings_without_an_entry(postings),
        *changed_entries(club),
        *changed_causes(club),
    ]


def _entries_that_do_not_add_up(entries: Entries) -> Iterator[str]:
    at_home = Q(postings__account__club=F("club"), postings__account__currency=F("currency"))
    counted = entries.annotate(
        held=Count("postings"),
        balance=Coalesce(Sum("postings__amount_minor"), 0),
        at_home=Count("postings", filter=at_home),
    )
    right = Q(held=F("posting_count"), balance=0, at_home=F("held"), held__gte=2)
    for entry in counted.exclude(right).order_by("reference"):
        yield from _what_does_not_add_up(entry)


def _what_does_not_add_up(entry: Any) -> Iterator[str]:
    if entry.held != entry.posting_count or entry.held < 2:
        yield f"{entry.reference} has {entry.held} postings and should have {entry.posting_count}"
    if entry.balance:
        yield f"{entry.reference} does not balance: its postings sum to {entry.balance}"
    if entry.at_home != entry.held:
        yield f"{entry.reference} posts to an account of another club or currency"


def _reversals_that_are_no_mirror(entries: Entries) -> Iterator[str]:
    """A reversal and what it takes back leave nothing on any account, for any purpose."""
    pairs = (
        Posting.objects.filter(entry__in=entries)
        .filter(Q(entry__reverses__isnull=False) | Q(entry__reversal__isnull=False))
        .annotate(pair=Coalesce("entry__reverses_id", "entry_id"))
        .values("pair", "account", "purpose")
        .annotate(left=Sum("amount_minor"))
        .exclude(left=0)
        .values("pair")
    )
    for entry in entries.filter(id__in=pairs).order_by("reference"):
        yield f"{entry.reference} and its reversal do not cancel out"


def _reversals_of_something_else(entries: Entries) -> Iterator[str]:
    same = Q(
        reverses__club=F("club"),
        reverses__cause=F("cause"),
        reverses__slot=F("slot"),
        reverses__currency=F("currency"),
        reverses__reverses__isnull=True,
    )
    for entry in entries.filter(reverses__isnull=False).exclude(same).order_by("reference"):
        yield f"{entry.reference} reverses an entry of another cause, or another reversal"


def _slots_that_stand_twice(entries: Entries) -> Iterator[str]:
    standing = entries.filter(reverses__isnull=True, reversal__isnull=True)
    doubles = standing.values_list("cause", "slot").annotate(times=Count("id")).filter(times__gt=1)
    for cause, slot, times in doubles.order_by("cause", "slot"):
        yield f"{cause}/{slot} is settled {times} times over"


def _references_that_say_something_else(entries: Entries) -> Iterator[str]:
    version = Cast("version", CharField())
    posted = Concat("cause", Value("@"), version, Value("/"), "slot")
    taken_back = Concat("reverses__reference", Value("~reversed@"), version)
    right = Q(reverses__isnull=True, reference=posted) | Q(reverses__isnull=False, reference=taken_back)
    for entry in entries.exclude(right).order_by("reference"):
        yield f"{entry.reference} is not what an entry of {entry.cause} at {entry.version} is called"


def _causes_settled_beyond_what_is_noted(entries: Entries) -> Iterator[str]:
    noted = SettledCause.objects.filter(club=OuterRef("club"), cause=OuterRef("cause"))
    newest = entries.values("club", "cause").annotate(
        newest=Max("version"), noted=Coalesce(Subquery(noted.values("version")[:1]), 0)
    )
    for row in newest.filter(newest__gt=F("noted")).order_by("cause"):
        yield f"{row['cause']} has entries of version {row['newest']} but is noted as settled to {row['noted']}"


def _postings_without_an_entry(postings: QuerySet[Posting, Posting]) -> Iterator[str]:
    entry = JournalEntry.objects.filter(id=OuterRef("entry_id"))
    for posting in postings.exclude(Exists(entry)).order_by("id"):
        yield f"posting {posting.pk} of {posting.amount_minor} belongs to no entry"


# What stands in the books for every cause at once: for an audit that holds them against the facts.


class Line(NamedTuple):
    """Where an amount stands: for which slot of a cause, on whose account, and what for."""

    slot: str
    currency: str
    kind: str
    owner: str
    purpose: str


class Cause(NamedTuple):
    """A club and the text that names why money moved there."""

    club: UUID
    name: str


Sums = dict[Line, int]


def standing_sums(club: UUID | None = None) -> dict[Cause, Sums]:
    """What was posted and not taken back, cause by cause, in one query."""
    standing = Posting.objects.filter(entry__reverses__isnull=True, entry__reversal__isnull=True)
    if club is not None:
        standing = standing.filter(entry__club=club)
    rows = standing.values_list(
        "entry__club", "entry__cause", "entry__slot", "entry__currency", "account__kind", "account__owner", "purpose"
    ).annotate(amount=Sum("amount_minor"))
    found: dict[Cause, Sums] = {}
    for owner_club, name, *line, amount in rows.order_by().iterator():
        sums = found.setdefault(Cause(owner_club, name), {})
        posted = Line(*line)
        today = posted._replace(slot=slot_today(posted.slot, Purpose(posted.purpose)))
        sums[today] = sums.get(today, 0) + int(amount)
    return found


def settled_versions(club: UUID | None = None) -> dict[Cause, int]:
    """The newest version of every cause that the books have entries of, in one query."""
    entries = JournalEntry.objects.all() if club is None else JournalEntry.objects.filter(club=club)
    rows = entries.values_list("club", "cause").annotate(newest=Max("version")).order_by()
    return {Cause(owner_club, name): newest for owner_club, name, newest in rows.iterator()}


def causes_of(club: UUID, prefix: str) -> list[str]:
    """Every cause of a club that was ever settled and whose name begins so."""
    found = SettledCause.objects.filter(club=club, cause__startswith=prefix)
    return list(found.order_by("cause").values_list("cause", flat=True))


def noted_versions(club: UUID | None = None) -> dict[Cause, int]:
    """How far every cause is noted as settled, in one query."""
    noted = SettledCause.objects.all() if club is None else SettledCause.objects.filter(club=club)
    rows = noted.order_by().values_list("club", "cause", "version")
    return {Cause(owner_club, name): version for owner_club, name, version in rows.iterator()}


def planned_sums(entries: Iterable[PlannedEntry]) -> Sums:
    """What would stand if exactly these entries had been posted."""
    sums: Sums = {}
    for entry in entries:
        for posting in entry.postings:
            kind, owner = posting.account.kind.value, posting.account.owner
            line = Line(entry.slot, entry.currency, kind, owner, posting.purpose.value)
            sums[line] = sums.get(line, 0) + posting.amount_minor
    return sums
