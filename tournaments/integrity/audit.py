"""Audits the books against the log: every closed table settled once, and nothing else in them.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. Folds every table, tournament and cash book; whether entries
balance is checked by `scoring.ledger`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

import msgspec
from django.db.models import Exists, F, OuterRef, QuerySet

from scoring.events import wire
from scoring.events.reading import UNREADABLE, read_stored
from scoring.ledger.audit import (
    Cause,
    Sums,
    noted_versions,
    planned_sums,
    settled_versions,
    standing_sums,
)
from scoring.merging import MERGE, OPENING, entries_by_cause
from scoring.messages import format_minor
from scoring.money import AccountKind, plan_entries
from scoring.money.payouts import read_stakes
from scoring.rules.table.table import Table
from tournaments import log
from tournaments.books import entry_causes, prize_cause
from tournaments.cash import book_from_log, cause_of
from tournaments.cash import entries_of as entries_of_book
from tournaments.integrity import BATCH, TOURNAMENTS, Row, in_batches
from tournaments.log.auditing import as_far_as_it_goes, not_judged
from tournaments.log.reading import table_from_log, tournament_state_from
from tournaments.merging import merges_from
from tournaments.models import EveningSheet, Scoresheet, Tournament
from tournaments.projections.boards import lines_by_tournament, played_by_tournament
from tournaments.running.prize_money import TournamentMoney


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """The result: faults, the number of tables checked, and how many wait for a worker."""

    faults: tuple[str, ...]
    tables: int
    waiting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """The sums of one cause: what they should be, and what is posted."""

    name: str
    wanted: Sums
    stands: Sums


@dataclass(frozen=True, slots=True, kw_only=True)
class _Booked:
    """The posted sums by cause. Checked causes are removed: those that are left have no event in the log."""

    posted: dict[Cause, Sums]
    versions: dict[Cause, int]
    noted: dict[Cause, int]

    def take(self, cause: Cause) -> Sums:
        """Remove a cause and return its posted sums."""
        self.versions.pop(cause, 0)
        return self.posted.pop(cause, {})


def compare_books(club: UUID | None = None) -> Books:
    """Compare the books of one club, or of all, with the log."""
    booked = _Booked(posted=standing_sums(club), versions=settled_versions(club), noted=noted_versions(club))
    faults: list[str] = []
    tables = waiting = 0
    rehearsed = Exists(EveningSheet.objects.filter(tournament__tables=OuterRef("table_id"), is_rehearsal=True))
    for sheets in in_batches(_in_club(club, Scoresheet.objects.defer("state").annotate(is_rehearsed=rehearsed))):
        events_by_table = log.read_clubs({sheet.table_id: sheet.club_id for sheet in sheets})
        for sheet in sheets:
            tables += 1
            waiting += sheet.due_version > sheet.settled_version
            cause = Cause(sheet.club_id, f"table:{sheet.table_id}")
            faults += as_far_as_it_goes(
                cause.name, partial(_table_faults, sheet, events_by_table[sheet.table_id], cause, booked)
            )
            faults += _note_faults(sheet, booked.noted.get(cause, 0))
    states = _in_club(club, EveningSheet.objects.filter(has_plan=True))
    waiting += states.filter(is_rehearsal=False, due_position__gt=F("settled_position")).count()
    faults += as_far_as_it_goes("the entries of evenings", partial(_all_tournament_faults, states, booked))
    faults += as_far_as_it_goes("the entries of cash books", partial(_cash_faults, club, booked))
    faults += as_far_as_it_goes("the entries of merged players", partial(_merge_faults, club, booked))
    faults += [
        f"{cause.name} has entries, but the log of that club knows no such {cause.name.partition(':')[0]}"
        for cause in booked.versions
    ]
    return Books(faults=tuple(faults), tables=tables, waiting=waiting)


def _in_club(club: UUID | None, rows: QuerySet[Row]) -> QuerySet[Row]:
    return rows if club is None else rows.filter(club_id=club)


def _table_faults(sheet: Scoresheet, stored: Sequence[log.StoredEvent], cause: Cause, booked: _Booked) -> Iterator[str]:
    """Faults in one table's entries.

    With conflicting records, or before a worker settles it, the entries are rightly those of the last settlement, and
    are compared with the log up to there. A row that claims to wait hides nothing.
    """
    newest, posted = booked.versions.get(cause, 0), booked.take(cause)
    if not stored:
        yield f"{cause.name} has no events, so nothing can be owed"
        return
    table = table_from_log(stored)
    if table.unreadable:
        yield from not_judged(cause.name, stored, table.unreadable)
        return
    if newest > table.version:
        yield f"{cause.name} is settled at version {newest}, but its log ends at {table.version}"
    if table.conflicts or sheet.due_version > sheet.settled_version:
        yield from _stand_faults(sheet, stored, posted, booked.noted.get(cause, 0))
        return
    yield from _unequal(cause.name, _wanted(sheet, table), posted)


def _stand_faults(sheet: Scoresheet, stored: Sequence[log.StoredEvent], posted: Sums, noted: int) -> Iterator[str]:
    """Faults in entries that are not settled yet, or must not be: they should be those of the last settlement."""
    before = [event for event in stored if event.version <= noted]
    table = table_from_log(before) if before else None
    if table is None or not (table.conflicts or table.unreadable):
        expected_sums = _wanted(sheet, table) if table else {}
        yield from _unequal(f"table:{sheet.table_id}", expected_sums, posted)


def _wanted(sheet: Scoresheet, table: Table) -> Sums:
    dues = () if getattr(sheet, "is_rehearsed", False) else table.dues()
    return planned_sums(plan_entries(dues, players=table.players, currency=table.setup.stakes.currency))


def _note_faults(sheet: Scoresheet, noted: int) -> Iterator[str]:
    """Faults in the settled and due versions of a score sheet; a rebuilt row has 0 until it is settled again."""
    if sheet.settled_version not in (0, noted):
        yield f"table:{sheet.table_id} says that it is settled at {sheet.settled_version}, the books at {noted}"
    if sheet.due_version > sheet.version:
        yield f"table:{sheet.table_id} owes money since version {sheet.due_version}, and stands at {sheet.version}"


# Planned tournaments: every entry, every prize, and no money left in a pool.


def _all_tournament_faults(states: QuerySet[EveningSheet], booked: _Booked) -> Iterator[str]:
    """Includes practice tournaments: they must have no entries, and reversed ones are not of unknown cause."""
    pools = _pools(booked)
    for sheets in in_batches(states.defer("state").select_related("tournament"), size=TOURNAMENTS):
        events_by_tournament = log.read_clubs({sheet.tournament_id: sheet.club_id for sheet in sheets})
        folded = {
            sheet.tournament_id: tournament_state_from(events_by_tournament[sheet.tournament_id]) for sheet in sheets
        }
        closed = [(s.tournament, folded[s.tournament_id]) for s in sheets if folded[s.tournament_id].is_closed]
        lines = lines_by_tournament([tournament.id for tournament, _ in closed])
        played = played_by_tournament(closed, lines)
        for sheet in sheets:
            which = sheet.tournament_id
            money = TournamentMoney(tournament=sheet.tournament, state=folded[which], played=played.get(which, ()))
            try:
                yield from _tournament_faults(
                    sheet, money, events_by_tournament[which], booked, pools.get(which, Counter())
                )
            except UNREADABLE as error:
                _taken(sheet, booked)
                yield f"tournament {which} cannot be judged ({type(error).__name__}: {error})"


def _tournament_faults(
    sheet: EveningSheet, money: TournamentMoney, stored: Sequence[log.StoredEvent], booked: _Booked, pool: Counter[str]
) -> Iterator[str]:
    """Faults of one tournament. With an unreadable event only that is reported, and none of its causes is checked."""
    if money.state.unreadable:
        _taken(sheet, booked)
        yield from not_judged(f"tournament {sheet.tournament_id}", stored, money.state.unreadable)
        return
    causes: Iterable[_Compared] = _compared(sheet, money, booked)
    is_waiting = not sheet.is_rehearsal and sheet.due_position > sheet.settled_position
    if is_waiting:
        causes = _SettledMoney(sheet=sheet, stored=stored, noted=booked.noted).compared(causes)
    for cause in causes:
        yield from _unequal(cause.name, cause.wanted, cause.stands)
    if money.state.is_closed and not is_waiting:
        for currency, amount in pool.items():
            if amount:
                pool_text = f"{format_minor(amount, currency)} {currency}"
                yield f"the prize pool of tournament:{sheet.tournament_id} holds {pool_text} after everything was paid"


def _compared(sheet: EveningSheet, money: TournamentMoney, booked: _Booked) -> list[_Compared]:
    """Every cause of a tournament. Entries of players whose entry cannot be read were reversed when it was left out."""
    causes = {prize_cause(sheet.tournament_id): money.prizes(), **money.entries()}
    compared_causes = [
        _Compared(name=name, wanted=planned_sums(entries), stands=booked.take(Cause(sheet.club_id, name)))
        for name, entries in causes.items()
    ]
    if money.state.left_out:
        compared_causes += [
            _Compared(name=cause.name, wanted={}, stands=stands) for cause, stands in _taken(sheet, booked)
        ]
    return compared_causes


@dataclass(frozen=True, slots=True, kw_only=True)
class _SettledMoney:
    """The money of one tournament as it was at each position up to which one of its causes was settled.

    Before a worker settles it, the books rightly have these sums: docs/decisions/0017-entries-in-the-books.md.
    """

    sheet: EveningSheet
    stored: Sequence[log.StoredEvent]
    noted: Mapping[Cause, int]
    # By position; None if it cannot be calculated any more.
    known: dict[int, dict[str, Sums] | None] = field(default_factory=dict)

    def compared(self, causes: Iterable[_Compared]) -> Iterator[_Compared]:
        """Each cause compared with the sums at its settlement. Those that cannot be calculated are skipped."""
        for cause in () if self._is_of_an_earlier_release() else causes:
            expected_sums = self._at(self.noted.get(Cause(self.sheet.club_id, cause.name), 0))
            if expected_sums is not None:
                yield _Compared(name=cause.name, wanted=expected_sums.get(cause.name, {}), stands=cause.stands)

    def _is_of_an_earlier_release(self) -> bool:
        """Whether prizes and entries are still one cause, as in an earlier release.

        An upgrade leaves such a tournament to be settled again.
        """
        club, prefix = self.sheet.club_id, entry_causes(self.sheet.tournament_id)
        has_prizes = Cause(club, prize_cause(self.sheet.tournament_id)) in self.noted
        return has_prizes and not any(cause.club == club and cause.name.startswith(prefix) for cause in self.noted)

    def _at(self, position: int) -> dict[str, Sums] | None:
        if position not in self.known:
            before = [event for event in self.stored if event.position <= position]
            self.known[position] = self._folded(before, position) if before else {}
        return self.known[position]

    def _folded(self, before: Sequence[log.StoredEvent], position: int) -> dict[str, Sums] | None:
        """The sums of every cause as of a position. None if an event, readable at the time, cannot be read now.

        The prizes of a closed tournament follow from its tables: from the present ones; None if one has changed since.
        """
        state = tournament_state_from(before)
        if state.unreadable or (state.is_closed and self._has_gone_on(position)):
            return None
        money = TournamentMoney(tournament=_under_its_terms(self.sheet.tournament, before), state=state)
        causes = {prize_cause(self.sheet.tournament_id): money.prizes(), **money.entries()}
        return {name: planned_sums(entries) for name, entries in causes.items()}

    def _has_gone_on(self, position: int) -> bool:
        tables = Scoresheet.objects.filter(table__tournament_id=self.sheet.tournament_id)
        return tables.filter(last_position__gt=position).exists()


def _under_its_terms(tournament: Tournament, before: Iterable[log.StoredEvent]) -> Tournament:
    """The tournament with the latest options and stakes of these events."""
    as_it_was = copy(tournament)
    for stored_event in before:
        if stored_event.kind in (wire.TournamentOpened.kind, wire.TournamentChanged.kind):
            event = read_stored(stored_event.kind, stored_event.schema, stored_event.body)
            if isinstance(event, wire.TournamentOpened | wire.TournamentChanged):
                as_it_was.options = event.options
                for name, value in msgspec.to_builtins(read_stakes(event.stakes)).items():
                    setattr(as_it_was, name, value)
    return as_it_was


def _taken(sheet: EveningSheet, booked: _Booked) -> list[tuple[Cause, Sums]]:
    """Remove and return every cause of a tournament that was not checked yet."""
    names = (prize_cause(sheet.tournament_id), entry_causes(sheet.tournament_id))
    everything = booked.versions.keys() | booked.posted.keys()
    own = [cause for cause in everything if cause.club == sheet.club_id and cause.name.startswith(names)]
    return [(cause, booked.take(cause)) for cause in own]


def _pools(booked: _Booked) -> dict[UUID, Counter[str]]:
    """The balance of every prize pool, from all causes, by tournament and currency."""
    pools: dict[UUID, Counter[str]] = {}
    for sums in booked.posted.values():
        for line, amount in sums.items():
            if line.kind == AccountKind.PRIZE_POOL:
                pools.setdefault(UUID(line.owner), Counter())[line.currency] += amount
    return pools


def _cash_faults(club: UUID | None, booked: _Booked) -> Iterator[str]:
    """Faults in the entries of cash book lines. Of a book with an unreadable line only that is reported."""
    clubs = log.streams(log.StreamKind.CASH, club)
    ids = list(clubs)
    for start in range(0, len(ids), BATCH):
        for book_id, stored_events in log.read_clubs(
            {stream_id: clubs[stream_id] for stream_id in ids[start : start + BATCH]}
        ).items():
            if unread := book_from_log(stored_events).unreadable:
                for event in stored_events:
                    booked.take(Cause(clubs[book_id], cause_of(book_id, event.version)))
                yield from not_judged(f"cash book {book_id}", stored_events, unread)
                continue
            for line, entries in entries_of_book(stored_events).items():
                cause = Cause(clubs[book_id], cause_of(book_id, line))
                yield from _unequal(cause.name, planned_sums(entries), booked.take(cause))


def _merge_faults(club: UUID | None, booked: _Booked) -> Iterator[str]:
    """Faults in the entries of merges: each merge in force posted once, and none that was undone."""
    clubs = list(log.streams(log.StreamKind.CLUB, club))
    for start in range(0, len(clubs), BATCH):
        for club_id, stored_events in log.read_clubs(
            {stream_id: stream_id for stream_id in clubs[start : start + BATCH]}
        ).items():
            merges = merges_from(stored_events)
            yield from not_judged(f"club {club_id}", stored_events, merges.unreadable)
            in_force = entries_by_cause(merges)
            undone = {
                cause.name: ()
                for cause in booked.versions
                if cause.club == club_id and cause.name.startswith((MERGE, OPENING))
            }
            for name, entries in (undone | in_force).items():
                yield from _unequal(name, planned_sums(entries), booked.take(Cause(club_id, name)))


def _unequal(cause: str, wanted: Sums, posted: Sums) -> Iterator[str]:
    """Each amount that differs from the log."""
    for line in sorted(wanted.keys() | posted.keys()):
        owed, stands = wanted.get(line, 0), posted.get(line, 0)
        if owed != stands:
            ours, theirs = (f"{format_minor(amount, line.currency)} {line.currency}" for amount in (owed, stands))
            text = f"the log says {ours}, the books {theirs}"
            account = f"{line.purpose} of {line.kind.replace('_', ' ')} {line.owner}".rstrip()
            yield f"{cause}/{line.slot}, {account}: {text}"
