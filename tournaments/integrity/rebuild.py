"""Rebuilding: the boards made again from the log alone, or compared with it.

Whatever cannot be made again from the log is not true; this is the proof. Tables are taken in batches, each under
the locks that an append takes, so a club may go on playing meanwhile.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Max, OuterRef, Subquery
from django.db.models.functions import Coalesce, Greatest
from django.utils.timezone import now

from scoring.evening import Evening
from scoring.rules.table.table import Table
from tournaments import log
from tournaments.boards.kept import digest_of
from tournaments.books.commands import REHEARSED
from tournaments.evenings.commands.record import evening_from_log
from tournaments.evenings.commands.record import sheet_values as evening_values
from tournaments.integrity import in_batches, unequal
from tournaments.integrity.rebuild_readings import cash_differences, reading_differences, rebuild_cash, rebuild_readings
from tournaments.integrity.rebuild_rows import (
    Opened,
    Seats,
    frame_differences,
    merge_differences,
    name_differences,
    rebuild_merges,
    seat_differences,
    seats_of,
    stray_rows,
)
from tournaments.log.auditing import as_far_as_it_goes, not_judged
from tournaments.log.reading import table_from_log
from tournaments.models import EveningSheet, KeptAnswer, Scoresheet, Standing, Tournament
from tournaments.models import Table as TableRow
from tournaments.projections.boards import COLUMNS, sheet_values, standings_of, write_standings
from tournaments.projections.shown import show_anew
from tournaments.projections.upserts import upsert

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Folded:
    """One table as the log has it."""

    row: TableRow
    table: Table
    stored: Sequence[log.StoredEvent]

    @property
    def first(self) -> log.StoredEvent:
        return self.stored[0]

    @property
    def last(self) -> log.StoredEvent:
        return self.stored[-1]

    @property
    def not_judged(self) -> list[str]:
        """What cannot be read of it, as a proof says it."""
        return not_judged(f"table {self.row.id}", self.stored, self.table.unreadable)


@dataclass(frozen=True, kw_only=True)
class _Evening:
    """One tournament with its own stream, and the row that was kept of it."""

    row: Tournament
    stored: list[log.StoredEvent]
    kept: EveningSheet | None

    @cached_property
    def evening(self) -> Evening:
        return evening_from_log(self.stored)

    def values(self) -> dict[str, Any]:
        return evening_values(self.row, self.evening, self.stored[-1].position)

    @property
    def not_judged(self) -> list[str]:
        """What cannot be read of it, as a proof says it."""
        return not_judged(f"tournament {self.row.id}", self.stored, self.evening.unreadable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """How many events were read, and what of them could not be."""

    events: int
    problems: tuple[str, ...]


def rebuild(*, progress: Progress | None = None) -> int:
    """Write every board again from the log. Returns how many events were read."""
    return rebuild_all(progress=progress).events


def rebuild_all(*, progress: Progress | None = None) -> Rebuilt:
    """The same, to the end whatever cannot be read: boards of such a stream show the rest and say so."""
    count, problems = 0, []
    for rows in _batches(progress):
        with transaction.atomic():
            folded = [found for row, found in _folded(rows) if found]
            _write([each for each in folded if not each.table.is_lost])
        count += sum(len(each.stored) for each in folded)
        problems += [line for each in folded for line in each.not_judged]
    for evenings in _evenings():
        found = [each for each in evenings if each.stored]
        EveningSheet.objects.bulk_create(
            [EveningSheet(tournament=each.row, **each.values()) for each in found],
            update_conflicts=True,
            unique_fields=["tournament"],
            update_fields=["version", "state", "has_plan", "is_rehearsal", "last_position"],
        )
        count += sum(len(each.stored) for each in found)
        problems += [line for each in found for line in each.not_judged]
    _raise_board_positions()
    rebuild_merges(now())
    show_anew(connection)
    problems += rebuild_readings()
    cash = rebuild_cash()
    return Rebuilt(events=count + cash.events, problems=(*problems, *cash.problems))


def rebuild_differences(*, progress: Progress | None = None) -> list[str]:
    """Every way in which a board says something else than the log."""
    differences: list[str] = []
    for rows in _batches(progress):
        with transaction.atomic():
            differences += _batch_differences(rows)
    parts = {
        "the evenings": _evening_differences,
        "streams without a row": _stray_streams,
        "the positions of boards": _boards_astray,
        "what is kept of boards": _damaged_answers,
        "rows without an owner": stray_rows,
        "merged players": merge_differences,
        "the names of players": name_differences,
        "seasons and ratings": reading_differences,
        "the cash books": cash_differences,
    }
    return [*differences, *(said for part, judge in parts.items() for said in as_far_as_it_goes(part, judge))]


def _batches(progress: Progress | None) -> Iterator[list[TableRow]]:
    """Every table with its tournament, a hundred at a time."""
    tables = TableRow.objects.select_related("tournament").only("tournament__club", "round", "number", "name")
    total, done = tables.count(), 0
    for rows in in_batches(tables):
        yield rows
        done += len(rows)
        if progress:
            progress(done, max(done, total))


def _folded(rows: Sequence[TableRow]) -> list[tuple[TableRow, _Folded | None]]:
    """Each table folded from the log; None where the log holds nothing of it.

    The score sheets are locked first: a fact that is being stored is either read here or waits until we are done.
    """
    ids = [row.id for row in rows]
    list(Scoresheet.objects.select_for_update().filter(table_id__in=ids).order_by("table_id").values_list("table_id"))
    stored = log.read_clubs({row.id: row.tournament.club_id for row in rows})
    return [
        (row, _Folded(row=row, table=table_from_log(its), stored=its) if (its := stored[row.id]) else None)
        for row in rows
    ]


# --- Writing ----------------------------------------------------------------------------------------------


def _write(folded: Sequence[_Folded]) -> None:
    """A batch of score sheets and standings, in few statements however many there are."""
    sheets = [tuple(map(_sheet(each).__getitem__, ALL_COLUMNS)) for each in folded]
    upsert("tournaments_scoresheet", ALL_COLUMNS, sheets, key=("table_id",), keeps=SETTLEMENT)
    standings = [row for each in folded for row in standings_of(each.row, each.table, position=each.last.position)]
    write_standings(standings)
    _drop_strays(folded, {(table, seat) for table, seat, *_ in standings})
    owing = [each.row.id for each in folded if each.table.dues()]
    due = Scoresheet.objects.filter(table_id__in=owing, due_version=0).exclude(REHEARSED)
    due.update(due_version=F("version"))


def _sheet(each: _Folded) -> dict[str, Any]:
    """The score sheet's row. What of its money is settled is kept where the row stands; a lost one is settled anew."""
    return {
        "table_id": each.row.id,
        "club_id": each.row.tournament.club_id,
        "last_position": each.last.position,
        "last_recorded_at": each.last.recorded_at,
        "due_version": each.table.version,
        **SETTLED_NEVER,
        **sheet_values(each.table),
    }


def _drop_strays(folded: Sequence[_Folded], wanted: set[tuple[UUID, int]]) -> None:
    """Standings of seats that no log knows."""
    kept = Standing.objects.filter(table_id__in=[each.row.id for each in folded])
    strays = [key for key, *place in kept.values_list("id", "table_id", "seat_number") if tuple(place) not in wanted]
    if strays:
        Standing.objects.filter(id__in=strays).delete()


def _evenings() -> Iterator[list[_Evening]]:
    """Every tournament with its own stream and its row, a hundred at a time, under the lock of an append."""
    for rows in in_batches(Tournament.objects.all()):
        with transaction.atomic():
            ids = [row.id for row in rows]
            sheets = EveningSheet.objects.select_for_update().filter(tournament_id__in=ids)
            kept = {sheet.tournament_id: sheet for sheet in sheets}
            stored = log.read_clubs({row.id: row.club_id for row in rows})
            yield [_Evening(row=row, stored=stored[row.id], kept=kept.get(row.id)) for row in rows]


def _raise_board_positions() -> None:
    """Never lower: an old tag must not hold again."""
    newest = Scoresheet.objects.filter(table__tournament=OuterRef("id")).values("table__tournament")
    position = Subquery(newest.annotate(newest=Max("last_position")).values("newest")[:1])
    Tournament.objects.update(board_position=Greatest("board_position", Coalesce(position, 0)))


# --- Comparing --------------------------------------------------------------------------------------------


def _batch_differences(rows: Sequence[TableRow]) -> list[str]:
    folded = _folded(rows)
    ids = [row.id for row in rows]
    sheets = {sheet.table_id: sheet for sheet in Scoresheet.objects.filter(table_id__in=ids)}
    standings: dict[UUID, dict[int, Standing]] = {}
    for standing in Standing.objects.filter(table_id__in=ids):
        standings.setdefault(standing.table_id, {})[standing.seat_number] = standing
    seats, opened = seats_of(ids), Opened()
    differences: list[str] = []
    for row, each in folded:
        if each is None:
            differences.append(f"table {row.id} has no events")
        else:
            judge = partial(_table_differences, each, opened, sheets.get(row.id), seats.get(row.id, {}))
            found = partial(judge, standings.get(row.id, {}))
            differences += each.not_judged or as_far_as_it_goes(f"table {row.id}", found)
    return differences


def _table_differences(
    each: _Folded, opened: Opened, sheet: Scoresheet | None, seats: Seats, standings: Mapping[int, Standing]
) -> Iterator[str]:
    """Of a table whose opening cannot be read, and which was given up for it, nobody knows who sat there."""
    yield from _sheet_differences(each, sheet)
    if each.table.is_lost:
        return
    yield from opened.differences(each.row, each.table, each.first)
    yield from seat_differences(each.row, each.table, seats)
    yield from _standing_differences(each, standings)


def _sheet_differences(each: _Folded, sheet: Scoresheet | None) -> Iterator[str]:
    said = _sheet(each)
    wanted = {column: said[column] for column in (*SHEET_COLUMNS, "club_id")}
    yield from unequal(f"score sheet of table {each.row.id}", sheet, wanted)


def _standing_differences(each: _Folded, kept: Mapping[int, Standing]) -> Iterator[str]:
    rows = standings_of(each.row, each.table, position=each.last.position)
    wanted = {row["seat_number"]: row for row in (dict(zip(COLUMNS, row, strict=True)) for row in rows)}
    for number, row in wanted.items():
        yield from unequal(f"standing of seat {number} at table {each.row.id}", kept.get(number), row)
    for number in kept.keys() - wanted.keys():
        yield f"standing of seat {number} at table {each.row.id} belongs to nobody"


def _evening_differences() -> Iterator[str]:
    """Every evening that says something else than its tournament's stream."""
    for evenings in _evenings():
        for found in evenings:
            if not found.stored:
                yield f"tournament {found.row.id} has no events"
            elif found.not_judged:
                yield from found.not_judged
            else:
                what = f"evening of tournament {found.row.id}"
                yield from as_far_as_it_goes(what, partial(_unequal_evening, what, found))


def _unequal_evening(what: str, found: _Evening) -> Iterator[str]:
    yield from unequal(what, found.kept, found.values())
    yield from frame_differences(found.row, found.stored)


def _stray_streams() -> Iterator[str]:
    rows = set(TableRow.objects.values_list("id", flat=True))
    for stream_id in log.streams(log.StreamKind.TABLE).keys() - rows:
        yield f"the log has a table {stream_id} that has no row"


def _boards_astray() -> Iterator[str]:
    """Boards that name another position than that of the latest fact of theirs."""
    newest: dict[UUID, int] = {}
    tournament_of = dict(TableRow.objects.values_list("id", "tournament_id"))
    for span in log.all_spans():
        tournament = tournament_of.get(span.stream_id, span.stream_id)
        newest[tournament] = max(newest.get(tournament, 0), span.last)
    for tournament_id, position in Tournament.objects.order_by("id").values_list("id", "board_position"):
        if position != newest.get(tournament_id, 0):
            yield f"board of tournament {tournament_id} names position {position}, not {newest.get(tournament_id, 0)}"


def _damaged_answers() -> Iterator[str]:
    """Kept answers that are not as they were written. Whether they say what boards do is asked where they are made."""
    for kept in KeptAnswer.objects.exclude(tag="").iterator(chunk_size=50):
        if bytes(kept.digest) != digest_of(bytes(kept.packed)):
            yield f"the answer {kept.view} of tournament {kept.tournament_id} is damaged"


# How far the money of a table is settled follows from no fact; a row that was lost has to be settled anew.
SETTLED_NEVER = {"settled_version": 0, "settle_problem": "", "settle_attempts": 0, "settled_at": None}
SETTLEMENT = {"due_version", *SETTLED_NEVER}
ALL_COLUMNS = [field.attname for field in Scoresheet._meta.concrete_fields]
SHEET_COLUMNS = [name for name in ALL_COLUMNS if name not in SETTLEMENT and name not in ("table_id", "club_id")]
