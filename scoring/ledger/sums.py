"""What stands in the books for every cause at once: for an audit that holds them against the facts.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. Knows nothing of what a cause is.
"""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from django.db.models import Max, Sum

from scoring.models import JournalEntry, Posting, SettledCause
from scoring.money import PlannedEntry, Purpose
from scoring.money.entries import slot_today


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
