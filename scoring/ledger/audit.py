"""Searches the books for errors: entries that do not balance, or were tampered with.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. The database refuses all of this while its triggers are in
place; an audit finds what was done while they were not. Knows nothing of what a table should have paid.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import CharField, Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Cast, Coalesce, Concat

from scoring import storage
from scoring.ledger import triggers
from scoring.models import JournalEntry, Posting, SettledCause
from scoring.money import RUNNING, PlannedEntry, Purpose, slot_today
from scoring.storage.writes import CAUSE, ENTRY, stored_digest

# Checks every entry and every settled cause against the digest that was stored with it, and names what was changed.

CHUNK = 2_000
_ENTRY = ("club", "id", "reference", "cause", "slot", "version", "currency", "memo", "posting_count", "reverses_id")
_CAUSE = ("club", "cause", "version")
_IDS = {"club", "id", "reverses_id", "entry_id"}
_NUMBERS = {"version", "posting_count", "amount_minor"}
_MOMENTS = {"posted_at", "settled_at"}
_ACCOUNT = ("kind", "owner")
# Where an entry describes its postings: the account, then the amount and purpose.
_FIRST_OF_POSTING = len(_ENTRY) + 2


def changed_entries(club: UUID | None = None) -> Iterator[str]:
    """Every entry that differs from what was written, by its reference: a column of it, of a posting, or of an account.

    The entries of a cause at a version were written at once and in one order, so each digest includes the one before
    it, and entries of other causes with the same time do not come in between.
    """
    for _, batch in groupby(_entry_rows(club), key=lambda row: (row[0], row[len(_ENTRY)])):
        closed: set[tuple[bytes, bytes]] = set()
        for run, rows in groupby(batch, key=lambda row: (row[3], row[5])):
            yield from _changed_in_run(list(rows), is_torn=run in closed)
            closed.add(run)


def changed_causes(club: UUID | None = None) -> Iterator[str]:
    """Every cause whose settled version differs from what was written."""
    columns = [_column("cause", name) for name in _CAUSE]
    question = (
        f"SELECT {', '.join(columns)}, {_column('cause', 'settled_at')}, cause.digest"  # noqa: S608 - constants
        " FROM scoring_settledcause AS cause"
    )
    for *fields, digest in _rows(f"{question}{_of(club, 'cause.club')} ORDER BY cause.cause", club):
        if stored_digest(CAUSE, b"", [_bytes(field) for field in fields]) != bytes(digest):
            yield f"{_shown(fields[1])} is noted as settled at {_shown(fields[2])}, and that was changed since"


def _changed_in_run(rows: list[Any], *, is_torn: bool) -> Iterator[str]:
    before = b""
    for _, group in groupby(rows, key=lambda row: row[1]):
        postings = list(group)
        fields = [_bytes(field) for field in postings[0][: _FIRST_OF_POSTING - 1]]
        moved = [_bytes(field) for row in postings for field in row[_FIRST_OF_POSTING:]]
        digest = bytes(postings[0][_FIRST_OF_POSTING - 1])
        if is_torn or stored_digest(ENTRY, before, [*fields, *moved]) != digest:
            yield f"{_shown(postings[0][2])} is not what was booked: it, a posting or an account of it was changed"
        before = digest


def _entry_rows(club: UUID | None) -> Iterator[tuple[Any, ...]]:
    """Each posting with its entry, in the order in which they were written."""
    entry = [_column("entry", name) for name in _ENTRY]
    posting = [
        *(_column("account", name) for name in _ACCOUNT),
        _column("posting", "amount_minor"),
        _column("posting", "purpose"),
    ]
    columns = [*entry, _column("entry", "posted_at"), "entry.digest", *posting]
    return _rows(
        f"SELECT {', '.join(columns)} FROM scoring_journalentry AS entry"  # noqa: S608 - constants
        " LEFT JOIN scoring_posting AS posting ON posting.club = entry.club AND posting.entry_id = entry.id"
        " LEFT JOIN scoring_account AS account ON account.club = posting.club AND account.id = posting.account_id"
        f"{_of(club, 'entry.club')} ORDER BY entry.club, entry.posted_at, posting.id",
        club,
    )


def _of(club: UUID | None, column: str) -> str:
    return "" if club is None else f" WHERE {column} = %s"


def _rows(question: str, club: UUID | None) -> Iterator[tuple[Any, ...]]:
    parameters = [] if club is None else [club]
    with connection.chunked_cursor() as cursor:
        cursor.execute(question, parameters)
        while rows := cursor.fetchmany(CHUNK):
            yield from rows


def _column(table: str, name: str) -> str:
    """The SQL that returns a column in the form in which it was digested."""
    kind = "id" if name in _IDS else "number" if name in _NUMBERS else "moment" if name in _MOMENTS else "text"
    return str(storage.of(connection).AS_HASHED[kind].format(f"{table}.{name}"))


def _bytes(value: Any) -> bytes:
    if value is None:
        return b""
    return bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()


def _shown(value: Any) -> str:
    return _bytes(value).decode(errors="replace")


Entries = QuerySet[JournalEntry, JournalEntry]


def ledger_problems(club: UUID | None = None) -> list[str]:
    """Every problem with the books of one club, or of all. Empty when they are in order."""
    return [*unguarded_problems(club), *entry_problems(club)]


def unguarded_problems(club: UUID | None = None) -> list[str]:
    """Triggers that are missing or changed, and postings without an entry."""
    postings = Posting.objects.all() if club is None else Posting.objects.filter(club=club)
    return [*triggers.faults(connection), *_postings_without_an_entry(postings)]


def entry_problems(club: UUID | None = None) -> list[str]:
    """Every problem with the entries and settled causes of one club, or of all."""
    entries = JournalEntry.objects.all() if club is None else JournalEntry.objects.filter(club=club)
    return [
        *_entries_that_do_not_add_up(entries),
        *_reversals_that_are_no_mirror(entries),
        *_reversals_of_something_else(entries),
        *_slots_that_stand_twice(entries),
        *_references_that_say_something_else(entries),
        *_causes_settled_beyond_what_is_noted(entries),
        *changed_entries(club),
        *changed_causes(club),
    ]


def clubs_with_books() -> set[UUID]:
    """Every club that any entry or settled cause claims to belong to, existing or not."""
    entries = JournalEntry.objects.order_by().values_list("club", flat=True).distinct()
    return set(entries.union(SettledCause.objects.order_by().values_list("club", flat=True)))


def _entries_that_do_not_add_up(entries: Entries) -> Iterator[str]:
    at_home = Q(postings__account__club=F("club"), postings__account__currency=F("currency"))
    # Not by the id: on PostgreSQL it is not a key by itself, and Django, for which it is, would group by nothing else.
    counted = entries.values("club", "reference", "currency", "posting_count").annotate(
        held=Count("postings"),
        balance=Coalesce(Sum("postings__amount_minor"), 0),
        at_home=Count("postings", filter=at_home),
    )
    right = Q(held=F("posting_count"), balance=0, at_home=F("held"), held__gte=2)
    for entry in counted.exclude(right).order_by("reference"):
        yield from _what_does_not_add_up(entry)


def _what_does_not_add_up(entry: Mapping[str, Any]) -> Iterator[str]:
    reference, actual_count = entry["reference"], entry["held"]
    if actual_count != entry["posting_count"] or actual_count < 2:
        yield f"{reference} has {actual_count} postings and should have {entry['posting_count']}"
    if entry["balance"]:
        yield f"{reference} does not balance: its postings sum to {entry['balance']}"
    if entry["at_home"] != actual_count:
        yield f"{reference} posts to an account of another club or currency"


def _reversals_that_are_no_mirror(entries: Entries) -> Iterator[str]:
    """Reversals that leave an amount on an account, for any purpose, together with the entry they reverse."""
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
    # The entries of a running slot add up; their sum is compared with the log.
    standing = entries.filter(reverses__isnull=True, reversal__isnull=True).exclude(slot__in=RUNNING)
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
    entry = JournalEntry.objects.filter(club=OuterRef("club"), id=OuterRef("entry_id"))
    for posting in postings.exclude(Exists(entry)).order_by("id"):
        yield f"posting {posting.pk} of {posting.amount_minor} belongs to no entry"


# The posted amounts for all causes at once: for an audit that compares them with the events.


class Line(NamedTuple):
    """The key of an amount: slot of a cause, account, and purpose."""

    slot: str
    currency: str
    kind: str
    owner: str
    purpose: str


class Cause(NamedTuple):
    """A club and the text that names the reason of a posting."""

    club: UUID
    name: str


Sums = dict[Line, int]


def standing_sums(club: UUID | None = None) -> dict[Cause, Sums]:
    """The amounts posted and not reversed, cause by cause, in one query."""
    standing = Posting.objects.filter(entry__reverses__isnull=True, entry__reversal__isnull=True)
    if club is not None:
        standing = standing.filter(club=club, entry__club=club)
    rows = standing.values_list(
        "entry__club", "entry__cause", "entry__slot", "entry__currency", "account__kind", "account__owner", "purpose"
    ).annotate(amount=Sum("amount_minor"))
    sums_by_cause: dict[Cause, Sums] = {}
    for owner_club, name, *line, amount in rows.order_by().iterator():
        sums = sums_by_cause.setdefault(Cause(owner_club, name), {})
        posted = Line(*line)
        today = posted._replace(slot=slot_today(posted.slot, Purpose(posted.purpose)))
        sums[today] = sums.get(today, 0) + int(amount)
    return sums_by_cause


def settled_versions(club: UUID | None = None) -> dict[Cause, int]:
    """The newest version of every cause that has entries, in one query."""
    entries = JournalEntry.objects.all() if club is None else JournalEntry.objects.filter(club=club)
    rows = entries.values_list("club", "cause").annotate(newest=Max("version")).order_by()
    return {Cause(owner_club, name): newest for owner_club, name, newest in rows.iterator()}


def causes_of(club: UUID, prefix: str) -> list[str]:
    """Every settled cause of a club whose name begins with a prefix."""
    settled_causes = SettledCause.objects.filter(club=club, cause__startswith=prefix)
    return list(settled_causes.order_by("cause").values_list("cause", flat=True))


def noted_versions(club: UUID | None = None) -> dict[Cause, int]:
    """The version to which every cause is recorded as settled, in one query."""
    noted = SettledCause.objects.all() if club is None else SettledCause.objects.filter(club=club)
    rows = noted.order_by().values_list("club", "cause", "version")
    return {Cause(owner_club, name): version for owner_club, name, version in rows.iterator()}


def planned_sums(entries: Iterable[PlannedEntry]) -> Sums:
    """The sums if exactly these entries had been posted."""
    sums: Sums = {}
    for entry in entries:
        for posting in entry.postings:
            kind, owner = posting.account.kind.value, posting.account.owner
            line = Line(entry.slot, entry.currency, kind, owner, posting.purpose.value)
            sums[line] = sums.get(line, 0) + posting.amount_minor
    return sums
