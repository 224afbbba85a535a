"""The tournaments of today: what each table waits for, and their problems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from enum import StrEnum
from uuid import UUID

from django.db.models import Case, Count, Exists, F, OuterRef, Q, When, Window
from django.db.models.functions import RowNumber

from scoring.messages import words
from scoring.tournament.steps import ShownClock, TableTime, clock_text
from tournaments.books.queries import Settlement, state_of
from tournaments.models import HAS_BEGUN, Club, Scoresheet, Standing, Tournament
from tournaments.rendering.i18n.formatting import clock as clock_time

# The display of a round's clock: the time left now, and when it ends.


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFace:
    """A table with extra time."""

    table: int
    left: int
    ends_at: int | None
    text: str
    extra: str
    ends: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFace:
    """A clock as text. `ends` is the time in the club's time zone when it ends; empty while it is paused."""

    clock: ShownClock
    text: str
    ends: str
    last_deal: str
    tables: tuple[TableFace, ...]


def clock_face(clock: ShownClock | None, zone: tzinfo) -> ClockFace | None:
    """The display of a clock; None if none was started."""
    if clock is None:
        return None
    return ClockFace(
        clock=clock,
        text=clock_text(clock.left) if clock.is_timed else "",
        ends=_hour(clock.ends_at, zone),
        last_deal=_hour(clock.last_deal_at, zone),
        tables=tuple(
            TableFace(
                table=table_clock.table,
                left=table_clock.left,
                ends_at=_table_end(clock, table_clock),
                text=clock_text(table_clock.left),
                extra=clock_text(table_clock.extra),
                ends=_hour(_table_end(clock, table_clock), zone),
            )
            for table_clock in clock.tables
        ),
    )


def _table_end(clock: ShownClock, table: TableTime) -> int | None:
    return None if clock.ends_at is None else clock.ends_at + table.extra


def _hour(moment: int | None, zone: tzinfo) -> str:
    return "" if moment is None else clock_time(datetime.fromtimestamp(moment, zone))


RECENT = timedelta(hours=18)
MOST_TOURNAMENTS = 12
MOST_LINKS = 3
# In a tournament with more tables, those that are over are counted but not listed, and the others only up to this
# number: first those that need a director, of which the second is the most, then the others in order.
MOST_TABLES = 60
MOST_IN_NEED = 60
IS_OPEN = Q(is_closed=False, is_cancelled=False)
IN_NEED = Q(has_conflict=True) | ~Q(settle_problem="") | IS_OPEN & (Q(has_dispute=True) | Q(is_finished=True))
# Without those cancelled before a deal, which another draw or seating replaced.
IS_LISTED = HAS_BEGUN | Q(is_cancelled=False) | IN_NEED


class NextStep(StrEnum):
    """What a table waits for."""

    CONFLICT = words("resolve the conflict")
    DEAL = words("record the next deal")
    END = words("call time, or split the pot")
    CLOSE = words("close the table")
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class TodaysTable:
    """One table in the overview of a director."""

    tournament: Tournament
    sheet: Scoresheet
    step: NextStep
    settlement: Settlement
    may_rejoin: tuple[str, ...] = ()

    @property
    def is_over(self) -> bool:
        return self.sheet.is_closed or self.sheet.is_cancelled

    @property
    def needs_somebody(self) -> bool:
        """Whether it needs a director: conflicting records, a dispute, failed settlement, or a table to close.

        `IN_NEED` asks the same of the database.
        """
        is_in_trouble = self.sheet.has_conflict or self.settlement is Settlement.FAILED
        is_disputed = self.sheet.has_dispute and not self.is_over
        return is_in_trouble or is_disputed or self.step is NextStep.CLOSE


@dataclass(slots=True, kw_only=True)
class TodaysTournament:
    """One tournament with its number of tables, and the listed ones in the order of rounds and numbers."""

    tournament: Tournament
    all_tables: int = 0
    open_tables: int = 0
    tables: list[TodaysTable] = field(default_factory=list)
    has_plan: bool = False

    @property
    def more_tables(self) -> int:
        """The number of tables that are not listed."""
        return self.all_tables - len(self.tables)

    def needs_somebody(self, now: datetime) -> bool:
        """Whether a director has something to do: at a table, or because a tournament that is due has no open table."""
        is_idle = not self.open_tables and self.tournament.closed_at is None
        is_due = self.tournament.starts_at <= now + RECENT
        return (is_idle and is_due) or any(table.needs_somebody for table in self.tables)


def todays_tournaments(clubs: Sequence[UUID] | None, *, now: datetime) -> list[TodaysTournament]:
    """Tournaments that are open, or closed a few hours ago, with their tables, in four queries.

    None means every club. A tournament with an open table is included however long ago it began. If there are too many,
    future ones are dropped, the latest first.
    """
    tournaments = Tournament.objects.select_related("club")
    if clubs is not None:
        tournaments = tournaments.filter(club_id__in=clubs)
    open_sheets = Scoresheet.objects.filter(IS_OPEN, table__tournament=OuterRef("pk"))
    has_plan = F("evening_sheet__has_plan")
    listed_tournaments = tournaments.annotate(is_played=Exists(open_sheets), has_plan=has_plan).filter(
        Q(closed_at__isnull=True) | Q(closed_at__gte=now - RECENT) | Q(is_played=True),
    )
    to_come = Case(When(starts_at__gt=now, then=F("starts_at")))
    nearest = listed_tournaments.order_by("-is_played", to_come.asc(nulls_first=True), "-starts_at")[:MOST_TOURNAMENTS]
    latest = sorted(nearest, key=lambda row: row.starts_at, reverse=True)
    by_id = {row.id: TodaysTournament(tournament=row, has_plan=bool(row.has_plan)) for row in latest}
    rows = Scoresheet.objects.filter(IS_LISTED, table__tournament__in=by_id)
    counted = rows.values_list("table__tournament_id")
    for key, tables, still_open in counted.annotate(tables=Count("pk"), still_open=Count("pk", filter=IS_OPEN)):
        by_id[key].all_tables, by_id[key].open_tables = tables, still_open
    sheets = _listed(by_id)
    waiting = _may_rejoin([sheet.table_id for sheet in sheets]) if sheets else {}
    for sheet in sheets:
        entry = by_id[sheet.table.tournament_id]
        may_rejoin = tuple(waiting.get(sheet.table_id, ()))
        entry.tables.append(_todays_table(entry.tournament, sheet, may_rejoin))
    return list(by_id.values())


def due_tournaments(club: Club, currency: str, *, now: datetime) -> list[Tournament]:
    """The tournaments of a club that may use its cash desk today: the latest that are open and due."""
    due = Tournament.objects.filter(club=club, currency=currency, closed_at=None, starts_at__lte=now + RECENT)
    return list(due.order_by("-starts_at", "-pk")[:MOST_LINKS])


def _todays_table(tournament: Tournament, sheet: Scoresheet, may_rejoin: tuple[str, ...]) -> TodaysTable:
    return TodaysTable(
        tournament=tournament,
        sheet=sheet,
        step=next_step(sheet),
        settlement=state_of(sheet),
        may_rejoin=may_rejoin,
    )


def next_step(sheet: Scoresheet) -> NextStep:
    """What a table waits for, read from its row alone."""
    if sheet.has_conflict:
        return NextStep.CONFLICT
    if sheet.is_closed or sheet.is_cancelled:
        return NextStep.NOTHING
    if sheet.is_finished:
        return NextStep.CLOSE
    return NextStep.END if sheet.has_totals else NextStep.DEAL


def _listed(found: Mapping[UUID, TodaysTournament]) -> list[Scoresheet]:
    """The sheets of all tables of a tournament with few; of one with many those in need, then those that are open."""
    few = [key for key, entry in found.items() if entry.all_tables <= MOST_TABLES]
    first = Case(When(IN_NEED, then=0), default=1)
    by_need = Window(
        RowNumber(), partition_by=F("table__tournament"), order_by=(first.asc(), "table__round", "table__number")
    )
    sheets = (
        Scoresheet.objects.filter(IS_LISTED, table__tournament__in=found)
        .filter(Q(table__tournament__in=few) | IS_OPEN | IN_NEED)
        .annotate(by_need=by_need, is_other=first)
        .filter(Q(by_need__lte=MOST_TABLES) | Q(is_other=0, by_need__lte=MOST_IN_NEED))
    )
    return list(sheets.select_related("table").order_by("table__round", "table__number").defer("state"))


def _may_rejoin(tables: Sequence[UUID]) -> dict[UUID, list[str]]:
    """Names of players who may rejoin now, by table."""
    names_by_table: dict[UUID, list[str]] = {}
    rows = Standing.objects.filter(table_id__in=tables, may_rejoin=True)
    for table_id, name in rows.order_by("seat_number").values_list("table_id", "player__name"):
        names_by_table.setdefault(table_id, []).append(name)
    return names_by_table
