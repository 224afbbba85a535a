"""Are the books what the log says they should be? Every closed table settled once, and nothing else in them.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. Folds every table; whether entries balance is
`scoring.ledger`'s to check.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.db.models import Exists, OuterRef

from scoring.ledger.sums import Cause, Line, Sums, noted_versions, planned_sums, settled_versions, standing_sums
from scoring.money import format_minor, plan_entries
from scoring.rules.table.table import Table
from tournaments import log
from tournaments.integrity.cash_audit import cash_faults
from tournaments.integrity.evening_audit import Pool, compare_evenings, count_waiting
from tournaments.integrity.evening_settled import Compared
from tournaments.log.evidence.unread import as_far_as_it_goes, not_judged
from tournaments.log.folding import table_from_log
from tournaments.models import EveningSheet, Scoresheet

BATCH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """What came out: faults, how many tables were looked at, and how many wait for a worker."""

    faults: tuple[str, ...]
    tables: int
    waiting: int


def compare_books(club: UUID | None = None) -> Books:
    """Hold the books of one club, or of all, against the log."""
    posted, versions, noted = standing_sums(club), settled_versions(club), noted_versions(club)
    faults: list[str] = []
    tables = waiting = 0
    for sheets in _batches(club):
        stored = log.read_many([sheet.table_id for sheet in sheets])
        for sheet in sheets:
            tables += 1
            waiting += sheet.due_version > sheet.settled_version
            cause = Cause(sheet.club_id, f"table:{sheet.table_id}")
            newest, stands = versions.pop(cause, 0), posted.pop(cause, {})
            judge = partial(_table_faults, sheet, stored[sheet.table_id], stands, newest, noted.get(cause, 0))
            faults += as_far_as_it_goes(cause.name, judge)
            faults += _note_faults(sheet, noted.get(cause, 0))
    waiting += count_waiting(club)
    faults += as_far_as_it_goes("the entries of evenings", partial(_all_evening_faults, club, posted, versions, noted))
    faults += as_far_as_it_goes("the entries of cash books", partial(_all_cash_faults, club, posted, versions))
    faults += [
        f"{cause.name} has entries, but the log of that club knows no such {cause.name.partition(':')[0]}"
        for cause in versions
    ]
    return Books(faults=tuple(faults), tables=tables, waiting=waiting)


def _batches(club: UUID | None) -> Iterator[Sequence[Scoresheet]]:
    rehearsed = Exists(EveningSheet.objects.filter(tournament__tables=OuterRef("table_id"), is_rehearsal=True))
    sheets = Scoresheet.objects.defer("state").annotate(is_rehearsed=rehearsed).order_by("table_id")
    if club is not None:
        sheets = sheets.filter(club_id=club)
    batch = list(sheets[:BATCH])
    while batch:
        yield batch
        batch = list(sheets.filter(table_id__gt=batch[-1].table_id)[:BATCH])


def _table_faults(
    sheet: Scoresheet, stored: Sequence[log.StoredEvent], posted: Sums, newest: int, noted: int
) -> Iterator[str]:
    """What is wrong with one table's entries.

    While facts contradict each other, or a worker is waited for, the books rightly stand still: at what the log said
    when they were settled. A row that says it waits hides nothing.
    """
    if not stored:
        yield f"table:{sheet.table_id} has no events, so nothing can be owed"
        return
    table = table_from_log(stored)
    if table.unreadable:
        yield from not_judged(f"table:{sheet.table_id}", stored, table.unreadable)
        return
    if newest > table.version:
        yield f"table:{sheet.table_id} is settled at version {newest}, but its log ends at {table.version}"
    if table.conflicts or sheet.due_version > sheet.settled_version:
        yield from _stand_faults(sheet, stored, posted, noted)
        return
    yield from _unequal(f"table:{sheet.table_id}", _wanted(sheet, table), posted)


def _stand_faults(sheet: Scoresheet, stored: Sequence[log.StoredEvent], posted: Sums, noted: int) -> Iterator[str]:
    """What is wrong with entries that are about to change, or may not: they are those of the last settlement."""
    before = [event for event in stored if event.version <= noted]
    table = table_from_log(before) if before else None
    if table is None or not (table.conflicts or table.unreadable):
        wanted = _wanted(sheet, table) if table else {}
        yield from _unequal(f"table:{sheet.table_id}", wanted, posted)


def _wanted(sheet: Scoresheet, table: Table) -> Sums:
    dues = () if getattr(sheet, "is_rehearsed", False) else table.dues()
    return planned_sums(plan_entries(dues, players=table.players, currency=table.setup.stakes.currency))


def _note_faults(sheet: Scoresheet, noted: int) -> Iterator[str]:
    """A score sheet that lost its row is settled again, and says nothing of it until then."""
    if sheet.settled_version not in (0, noted):
        yield f"table:{sheet.table_id} says that it is settled at {sheet.settled_version}, the books at {noted}"
    if sheet.due_version > sheet.version:
        yield f"table:{sheet.table_id} owes money since version {sheet.due_version}, and stands at {sheet.version}"


def _all_evening_faults(
    club: UUID | None, posted: dict[Cause, Sums], versions: dict[Cause, int], noted: dict[Cause, int]
) -> Iterator[str]:
    for found in compare_evenings(club, posted, versions, noted):
        yield from [found] if isinstance(found, str) else _evening_faults(found)


def _all_cash_faults(club: UUID | None, posted: dict[Cause, Sums], versions: dict[Cause, int]) -> Iterator[str]:
    for line in cash_faults(club, posted, versions):
        yield from [line] if isinstance(line, str) else _unequal(*line)


def _evening_faults(found: Compared | Pool) -> Iterator[str]:
    if isinstance(found, Compared):
        yield from _unequal(found.name, found.wanted, found.stands)
    else:
        held = format_minor(found.held_minor, found.currency)
        yield f"the prize pool of tournament:{found.tournament} holds {held} after everything was paid"


def _unequal(cause: str, wanted: Sums, posted: Sums) -> Iterator[str]:
    """Each amount that stands otherwise than the log says."""
    for line in sorted(wanted.keys() | posted.keys()):
        owed, stands = wanted.get(line, 0), posted.get(line, 0)
        if owed != stands:
            said = f"the log says {format_minor(owed, line.currency)}, the books {format_minor(stands, line.currency)}"
            yield f"{cause}/{line.slot}, {_of(line)}: {said}"


def _of(line: Line) -> str:
    return f"{line.purpose} of {line.kind.replace('_', ' ')} {line.owner}".rstrip()
