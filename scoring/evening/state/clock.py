"""The clock of a round as it is shown: how long is left, for whom it is longer, and whether the last deal was called.

Rules: docs/how-to/evening.md, "The clock and the room page". The moment comes in as an argument: nothing here reads a
clock.
"""

from dataclasses import dataclass

from scoring.evening.state.state import Clock, Evening


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTime:
    """A table that has longer than the round."""

    table: int
    extra: int
    left: int

    @property
    def is_over(self) -> bool:
        return self.left <= 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownClock:
    """A round's time at one moment. `ends_at` is when it will be over; None while it stands still.

    `seconds` of 0: the round is not played against time, and only its last deal was called.
    """

    round: int
    at: int
    seconds: int
    left: int
    ends_at: int | None
    last_deal_at: int | None
    tables: tuple[TableTime, ...] = ()

    @property
    def is_running(self) -> bool:
        return self.ends_at is not None

    @property
    def is_timed(self) -> bool:
        return self.seconds > 0

    @property
    def is_over(self) -> bool:
        """The time of the round is up; tables with extra time may have some left."""
        return self.is_timed and self.left <= 0

    @property
    def is_last_deal_called(self) -> bool:
        return self.last_deal_at is not None


def shown_clock(evening: Evening, at: int) -> ShownClock | None:
    """The clock of the round that was seated last; None before it was started."""
    last = evening.last_round
    clock = evening.clocks.get(str(last.round)) if last else None
    if last is None or clock is None:
        return None
    running = {table.number for table in last.running}
    left = clock.left(at)
    return ShownClock(
        round=clock.round,
        at=at,
        seconds=clock.seconds,
        left=left,
        ends_at=at + left if clock.running_since is not None and clock.seconds else None,
        last_deal_at=clock.last_deal_at,
        tables=tuple(_table_time(clock, number, at) for number in sorted(running) if str(number) in clock.extra),
    )


def time_said(seconds: int) -> str:
    """Minutes and seconds as a clock shows them; below zero with a real minus."""
    minutes, rest = divmod(abs(seconds), 60)
    return f"{'−' if seconds < 0 else ''}{minutes}:{rest:02d}"


def _table_time(clock: Clock, number: int, at: int) -> TableTime:
    return TableTime(table=number, extra=clock.extra[str(number)], left=clock.left(at, number))
