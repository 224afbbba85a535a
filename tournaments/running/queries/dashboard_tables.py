"""The tables of a tournament for the dashboard: what they wait for and since when, and their problems.

A table whose row has not changed costs only its row: long tournaments have hundreds of them, large ones a thousand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.core.cache import caches
from django.db.models import Count, Q

from scoring.events import wire
from scoring.storage import uuid_from
from scoring.tournament import TournamentState
from scoring.tournament.steps import TableSummary
from tournaments import log
from tournaments.books.queries import DONE, Settlement, state_of
from tournaments.models import Scoresheet, Standing, Table, Tournament
from tournaments.people.players import actor_names
from tournaments.projections.boards import read_rows
from tournaments.projections.shown import version_shown
from tournaments.projections.terms import terms_by_round, terms_of
from tournaments.rendering.left_out import pairs_of
from tournaments.running import summary_of


@dataclass(frozen=True, slots=True, kw_only=True)
class DashboardTable:
    """A table on the dashboard: since when it waits, and the actor who scored last."""

    sheet: Scoresheet
    summary: TableSummary
    settlement: Settlement
    scorer: str = ""
    still_in: int = 0

    @property
    def is_waiting(self) -> bool:
        """Whether it is in play without a result."""
        return not (self.summary.is_over or self.summary.is_finished)

    @property
    def is_in_trouble(self) -> bool:
        """Whether it has conflicting records, a dispute, unconfirmed deals, or money that could not be settled."""
        summary = self.summary
        return (
            summary.has_conflict
            or summary.has_dispute
            or summary.unconfirmed > 0
            or self.settlement is Settlement.FAILED
        )


class SheetRow(NamedTuple):
    """The columns read of a table and its score sheet, as the database returns them."""

    id: UUID | bytes
    round: int
    number: int
    name: str
    deals: int
    has_totals: bool
    is_finished: bool
    is_closed: bool
    is_cancelled: bool
    has_moved_on: bool
    has_conflict: bool
    has_dispute: bool
    unconfirmed: int
    settle_problem: str
    due_version: int
    settled_version: int
    version: int
    last_recorded_at: datetime | str

    @property
    def is_over(self) -> bool:
        return bool(self.is_closed or self.is_cancelled or self.has_moved_on)


_TABLE = ("table_id", "table__round", "table__number", "table__name")
_STATE = SheetRow._fields[len(_TABLE) :]


class _Shown(NamedTuple):
    """Everything that a table on the dashboard follows from: its row, its game, and a number that a rebuild raises."""

    row: SheetRow
    game: str
    version: str


def tables_of(tournament: Tournament, state: TournamentState) -> tuple[DashboardTable, ...]:
    """All tables of a tournament in the order of rounds and numbers, in at most four queries.

    Since when a table waits, who scored last and how many are still in is read only for tables that are not over and
    have changed since the process read them last. The time in a row tells apart two events of one version, of which the
    first was rolled back.
    """
    rounds, otherwise, version = (
        terms_by_round(tournament, state),
        terms_of(tournament),
        version_shown(tournament.club),
    )
    sheets = Scoresheet.objects.filter(table__tournament=tournament).order_by("table__round", "table__number")
    rows = (SheetRow(*row) for row in read_rows(sheets.values_list(*_TABLE, *_STATE)))
    shown_tables = [_Shown(row, rounds.get(row.round, otherwise).variant, version) for row in rows]
    objects, key = caches["objects"], f"tables/{tournament.pk}"
    kept: Mapping[UUID | bytes, tuple[_Shown, DashboardTable]] = objects.get(key, {})
    known = {each.row.id: kept[each.row.id][1] for each in shown_tables if kept.get(each.row.id, (None,))[0] == each}
    changed = [uuid_from(row.id) for row, *_ in shown_tables if row.id not in known and not row.is_over]
    deals, seated = (_last_deals(tournament.club_id, changed), _seated(changed)) if changed else ({}, {})

    def line(shown: _Shown) -> DashboardTable:
        row = shown.row
        if (table := known.get(row.id)) is not None:
            return table
        opened_at, still_in = (None, 0) if row.is_over else seated[uuid_from(row.id)]
        when, actor = deals.get(uuid_from(row.id), (opened_at, ""))
        return replace(_table(row, shown.game, int(when.timestamp()) if when else 0), scorer=actor, still_in=still_in)

    # Without tables that cannot be read: the command behind the next step reads the log itself.
    tables = list(pairs_of(shown_tables, line))
    objects.set(key, {shown.row.id: (shown, table) for shown, table in tables})
    return tuple(table for _, table in tables)


def with_scorers(tables: Sequence[DashboardTable], club_id: UUID) -> list[DashboardTable]:
    """The same tables with the names of who scored last, in at most two queries."""
    who = actor_names({table.scorer for table in tables if table.scorer}, club_id)
    return [replace(table, scorer=who.get(table.scorer, table.scorer)) for table in tables]


def _table(row: SheetRow, game: str, waits_since: int) -> DashboardTable:
    table = Table(pk=uuid_from(row.id), round=row.round, number=row.number, name=row.name)
    sheet = Scoresheet(table=table, **dict(zip(_STATE, row[len(_TABLE) :], strict=True)))
    settlement = state_of(sheet)
    summary = summary_of(sheet, waits_since, game, is_settled=settlement in DONE)
    return DashboardTable(sheet=sheet, summary=summary, settlement=settlement)


def _seated(tables: Sequence[UUID]) -> dict[UUID, tuple[datetime, int]]:
    """When each table was opened, and how many of its players are still in, in one query."""
    seats = Standing.objects.filter(table_id__in=tables).values_list("table_id", "table__created_at")
    counted = seats.annotate(still_in=Count("id", filter=Q(is_in=True)))
    return {table: (opened_at, still_in) for table, opened_at, still_in in counted}


def _last_deals(club_id: UUID, tables: Sequence[UUID]) -> dict[UUID, tuple[datetime, str]]:
    """When and by whom the last deal of each table, or its totals, was recorded, in two queries."""
    lasts = [span.last for span in log.spans(club=club_id, streams=tables, kinds=wire.PLAYED_KINDS)]
    return {deal.stream_id: (deal.recorded_at, deal.actor) for deal in log.find(club=club_id, positions=lasts)}
