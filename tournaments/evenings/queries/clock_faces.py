"""How the clock of a round is drawn: what is left now, and when it will be over.

A page carries the server's time beside the end, so that a device with a wrong clock counts down rightly.
"""

from dataclasses import dataclass
from datetime import datetime, tzinfo

from scoring.evening.state.clock import ShownClock, TableTime, time_said


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFace:
    """A table with extra time."""

    table: int
    left: int
    ends_at: int | None
    said: str
    extra: str
    ends: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFace:
    """A clock with its words. `ends` is when it will be over on the club's clock; empty while it stands still."""

    clock: ShownClock
    said: str
    ends: str
    last_deal: str
    tables: tuple[TableFace, ...]


def clock_face(clock: ShownClock | None, zone: tzinfo) -> ClockFace | None:
    """The face of a clock; None where none was started."""
    if clock is None:
        return None
    return ClockFace(
        clock=clock,
        said=time_said(clock.left) if clock.is_timed else "",
        ends=_hour(clock.ends_at, zone),
        last_deal=_hour(clock.last_deal_at, zone),
        tables=tuple(
            TableFace(
                table=one.table,
                left=one.left,
                ends_at=_table_end(clock, one),
                said=time_said(one.left),
                extra=time_said(one.extra),
                ends=_hour(_table_end(clock, one), zone),
            )
            for one in clock.tables
        ),
    )


def _table_end(clock: ShownClock, table: TableTime) -> int | None:
    return None if clock.ends_at is None else clock.ends_at + table.extra


def _hour(moment: int | None, zone: tzinfo) -> str:
    return "" if moment is None else f"{datetime.fromtimestamp(moment, zone):%H:%M}"
