"""Are the books what the log says they should be? Every closed table settled once, and nothing else in them.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. Folds every table; whether entries balance is
`scoring.ledger`'s to check.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.db.models import Exists, F, OuterRef

from scoring.evening import Evening
from scoring.facts.stored import UNREADABLE
from scoring.ledger.audit import Cause, Line, Sums, noted_versions, planned_sums, settled_versions, standing_sums
from scoring.money import AccountKind, format_minor, plan_entries
from scoring.rules.table.table import Table
from tournaments import log
from tournaments.books import entry_causes, prize_cause
from tournaments.cash.state import book_from_log, cause_of, entries_of
from tournaments.evenings.prize_money import EveningMoney
from tournaments.integrity.evening_settled import Compared, SettledMoney
from tournaments.log.evidence.unreadable import as_far_as_it_goes, not_judged
from tournaments.log.folding import evening_from, table_from_log
from tournaments.models import EveningSheet, Scoresheet
from tournaments.projections.boards import played_by_tournament

# Is the journal what the cash books say it should be? Every line booked once, and nothing without a line.

CASH_BATCH = 50


def cash_faults(
    club: UUID | None, posted: MutableMapping[Cause, Sums], versions: MutableMapping[Cause, int]
) -> Iterator[tuple[str, Sums, Sums] | str]:
    """Causes whose entries stand otherwise than the books say: the cause, what should stand and what does.

    Of a book with a line that cannot be read only that is told, and none of its causes is judged.

    What was looked at is taken out of `posted` and `versions`: what is left there has no cause in the cash books.
    """
    ids = list(log.streams(log.StreamKind.CASH, club).items())
    for start in range(0, len(ids), CASH_BATCH):
        batch = dict(ids[start : start + CASH_BATCH])
        for book_id, stored in log.read_many(list(batch)).items():
            unread = book_from_log(stored).unreadable
            if unread:
                for event in stored:
                    cause = Cause(batch[book_id], cause_of(book_id, event.version))
                    versions.pop(cause, 0)
                    posted.pop(cause, {})
                yield from not_judged(f"cash book {book_id}", stored, unread)
                continue
            for line, entries in entries_of(stored).items():
                cause = Cause(batch[book_id], cause_of(book_id, line))
                versions.pop(cause, 0)
                wanted, stands = planned_sums(entries), posted.pop(cause, {})
                if wanted != stands:
                    yield cause.name, wanted, stands


# Are the books of planned evenings what their log says? Every entry, every prize, and no pool with money left in it.

BATCH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A prize pool that should be empty and is not."""

    tournament: UUID
    currency: str
    held_minor: int


def count_waiting(club: UUID | None) -> int:
    """Evenings whose money waits for a worker, in one query."""
    waiting = EveningSheet.objects.filter(has_plan=True, is_rehearsal=False, due_position__gt=F("settled_position"))
    return (waiting if club is None else waiting.filter(club_id=club)).count()


def compare_evenings(
    club: UUID | None, posted: dict[Cause, Sums], versions: dict[Cause, int], noted: Mapping[Cause, int]
) -> Iterator[Compared | Pool | str]:
    """Every cause of every evening; they are taken out of `posted` and `versions`, so that strangers are left.

    Of an evening with a fact that cannot be read only that is told, and none of its causes is judged.
    """
    pools = _pools(posted)
    for sheets in _evening_batches(club):
        stored = log.read_many([sheet.tournament_id for sheet in sheets])
        evenings = {sheet.tournament_id: _folded(stored[sheet.tournament_id]) for sheet in sheets}
        closed = [(s.tournament, evenings[s.tournament_id]) for s in sheets if evenings[s.tournament_id].is_closed]
        played = played_by_tournament(closed)
        for sheet in sheets:
            evening, what = evenings[sheet.tournament_id], f"tournament {sheet.tournament_id}"
            if evening.unreadable:
                _taken(sheet, posted, versions)
                yield from not_judged(what, stored[sheet.tournament_id], evening.unreadable)
                continue
            money = EveningMoney(
                tournament=sheet.tournament, evening=evening, played=played.get(sheet.tournament_id, ())
            )
            try:
                judged = _judged(sheet, money, posted, versions, pools)
                settled = SettledMoney(sheet=sheet, stored=stored[sheet.tournament_id], noted=noted)
                yield from settled.compared(judged) if _waits(sheet) else judged
            except UNREADABLE as error:
                _taken(sheet, posted, versions)
                yield f"{what} cannot be judged ({type(error).__name__}: {error})"


def _judged(
    sheet: EveningSheet,
    money: EveningMoney,
    posted: dict[Cause, Sums],
    versions: dict[Cause, int],
    pools: Mapping[UUID, Counter[str]],
) -> list[Compared | Pool]:
    found: list[Compared | Pool] = list(_compared(sheet, money, posted, versions))
    if money.evening.left_out:
        # Entries of players whom nobody can read any more were taken back with the fact.
        found += [
            Compared(name=cause.name, wanted={}, stands=stands) for cause, stands in _taken(sheet, posted, versions)
        ]
    if _waits(sheet):
        return found
    return [*found, *_full_pools(money, pools.get(sheet.tournament_id, Counter()))]


def _waits(sheet: EveningSheet) -> bool:
    return not sheet.is_rehearsal and sheet.due_position > sheet.settled_position


def _taken(sheet: EveningSheet, posted: dict[Cause, Sums], versions: dict[Cause, int]) -> list[tuple[Cause, Sums]]:
    """Every cause of an evening that is still among the strangers, taken from there."""
    names = (prize_cause(sheet.tournament_id), entry_causes(sheet.tournament_id))
    own = [
        cause
        for cause in versions.keys() | posted.keys()
        if cause.club == sheet.club_id and cause.name.startswith(names)
    ]
    for cause in own:
        versions.pop(cause, 0)
    return [(cause, posted.pop(cause, {})) for cause in own]


def _evening_batches(club: UUID | None) -> Iterator[Sequence[EveningSheet]]:
    """Rehearsals among them: nothing may stand for those, and what was given back before is no stranger's."""
    sheets = (
        EveningSheet.objects.filter(has_plan=True).defer("state").select_related("tournament").order_by("tournament_id")
    )
    if club is not None:
        sheets = sheets.filter(club_id=club)
    batch = list(sheets[:BATCH])
    while batch:
        yield batch
        batch = list(sheets.filter(tournament_id__gt=batch[-1].tournament_id)[:BATCH])


def _folded(stored: Sequence[log.StoredEvent]) -> Evening:
    return evening_from(stored)


def _compared(
    sheet: EveningSheet, money: EveningMoney, posted: dict[Cause, Sums], versions: dict[Cause, int]
) -> Iterator[Compared]:
    for name, entries in {prize_cause(sheet.tournament_id): money.prizes(), **money.entries()}.items():
        cause = Cause(sheet.club_id, name)
        versions.pop(cause, 0)
        yield Compared(name=name, wanted=planned_sums(entries), stands=posted.pop(cause, {}))


def _pools(posted: dict[Cause, Sums]) -> dict[UUID, Counter[str]]:
    """What every prize pool holds, whatever put it there, by tournament and currency."""
    pools: dict[UUID, Counter[str]] = {}
    for sums in posted.values():
        for line, amount in sums.items():
            if line.kind == AccountKind.PRIZE_POOL:
                pools.setdefault(UUID(line.owner), Counter())[line.currency] += amount
    return pools


def _full_pools(money: EveningMoney, held: Counter[str]) -> Iterator[Pool]:
    if money.evening.is_closed:
        for currency, amount in held.items():
            if amount:
                yield Pool(tournament=money.tournament.pk, currency=currency, held_minor=amount)


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
