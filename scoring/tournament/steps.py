"""A step of a tournament, where it is done, and its inputs: tables, the clock, open ties, prizes and money.

Rules: docs/how-to/evening.md, "The dashboard". Knows nothing of which step comes next, nor of pages.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from scoring.messages import Message, Words, say, say_many
from scoring.tournament.plans import Stage
from scoring.tournament.state import Clock, TournamentState

# The clock of a round as it is shown. The current time comes in as an argument: nothing here reads a clock.


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTime:
    """A table with more time than the round."""

    table: int
    extra: int
    left: int

    @property
    def is_over(self) -> bool:
        return self.left <= 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownClock:
    """A round's time at one moment. `ends_at` is when it will be over; None while it is paused.

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


def shown_clock(state: TournamentState, at: int) -> ShownClock | None:
    """The clock of the round that was seated last; None before it was started."""
    last = state.last_round
    clock = state.clocks.get(str(last.round)) if last else None
    if last is None or clock is None:
        return None
    running = {table.number for table in last.running}
    seconds_left = clock.left(at)
    return ShownClock(
        round=clock.round,
        at=at,
        seconds=clock.seconds,
        left=seconds_left,
        ends_at=at + seconds_left if clock.running_since is not None and clock.seconds else None,
        last_deal_at=clock.last_deal_at,
        tables=tuple(_table_time(clock, number, at) for number in sorted(running) if str(number) in clock.extra),
    )


def clock_text(seconds: int) -> str:
    """Minutes and seconds as a clock shows them; below zero with a real minus."""
    minutes, rest = divmod(abs(seconds), 60)
    return f"{'−' if seconds < 0 else ''}{minutes}:{rest:02d}"


def _table_time(clock: Clock, number: int, at: int) -> TableTime:
    return TableTime(table=number, extra=clock.extra[str(number)], left=clock.left(at, number))


# A step, and its inputs.


class Target(StrEnum):
    """Where a step is done."""

    PLAN = "plan"
    ENTRIES = "entries"
    CHECK_IN = "check_in"
    TAKE_ENTRIES = "take_entries"
    TILL = "till"
    SEATING = "seating"
    ONE_TABLE = "seat"
    CLOCK = "clock"
    SCORE = "score"
    CLOSE_TABLE = "close_table"
    CLOSE_TABLES = "close_tables"
    TIES = "ties"
    CUT = "cut"
    CLOSE = "close"
    LATE_SHEETS = "late"
    MONEY = "money"
    PAY_OUT = "pay_out"
    CASH_UP = "cash_up"
    REPORT = "report"
    BOARD = "board"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSummary:
    """One table as far as the next step needs it. `key` is the caller's id for it.

    `waits_since` is when its last deal, or its totals, were recorded.
    `plays_to_the_end`: its game does not let an undecided table be closed before time is up: tied seats play on after
    the last deal. `has_no_end`: it may be closed after any deal.
    """

    key: str
    round: int
    number: int
    title: str | Message
    deals: int = 0
    has_totals: bool = False
    waits_since: int = 0
    is_finished: bool = False
    is_over: bool = False
    plays_to_the_end: bool = False
    has_no_end: bool = False
    has_conflict: bool = False
    has_dispute: bool = False
    unconfirmed: int = 0
    is_settled: bool = False

    @property
    def has_begun(self) -> bool:
        """Whether a deal counts, or the table was entered by its totals."""
        return self.has_totals or self.deals > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomMoney:
    """A tournament's money: entry fees, what players have to collect, and the tills of the open cash book.

    `unpaid` of `entries` are still to be paid. `counted` tills were counted, also those that are closed.
    `is_cashed_up`: the book was closed after the tournament was. `is_without_till`: a director chose to take money
    without one. `came_into_tills`: entry fees were paid into tills, so that the club pays out of them, too.
    """

    entries: int = 0
    unpaid: int = 0
    to_collect: int = 0
    has_book: bool = False
    tills: int = 0
    counted: int = 0
    closed: int = 0
    is_cashed_up: bool = False
    is_without_till: bool = False
    came_into_tills: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """The inputs of a step besides the tournament: its tables, the clock, ties at the cut, unpaid prizes.

    `late` are the keys of tables with a late sheet that waits for a director. `outdated` says of each stage what no
    longer fits in its cut. `has_draft`: a seating of the next round is drawn and not published. `money` is None where
    no money is played for.
    """

    tables: Sequence[TableSummary] = ()
    clock: ShownClock | None = None
    ties: int = 0
    late: Collection[str] = ()
    outdated: Mapping[int, Message] = field(default_factory=dict)
    has_draft: bool = False
    prizes_open: bool = False
    money: RoomMoney | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step. `button` is the label of its action, with its target; `waits_for` says why it cannot be done yet.

    A plain-text title is a name that a user typed. `is_offered`: another step includes it too, or it is optional, so
    that it is never the next one.
    """

    name: str
    title: str | Message
    target: Target
    button: Words
    is_done: bool = False
    progress: Words = ""
    waits_for: Words = ""
    table: str = ""
    is_next: bool = False
    is_offered: bool = False

    @property
    def is_named(self) -> bool:
        return isinstance(self.title, str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """The tournament step by step, and the suggestion: exactly one."""

    steps: tuple[Step, ...]
    suggested: Step


def is_played(table: TableSummary, stage: Stage | None, seats: int, clock: ShownClock | None) -> bool:
    """No further deal will be played: decided, all deals of the stage played, or one since the last deal was called.

    A round that is not played against time may have a last deal called too, for tables without an end of their own.
    """
    # No deal follows on totals, but tied seats may still play on, or split.
    if table.is_finished or table.is_over or (table.has_totals and not table.plays_to_the_end):
        return True
    if stage is None or (table.plays_to_the_end and stage.length != "minutes"):
        return False
    match stage.length:
        case "deals":
            return table.deals >= stage.deals
        case "deals_as_seats":
            return table.deals >= seats
        case "minutes" | "game" if stage.length == "minutes" or table.has_no_end:
            called_at = clock.last_deal_at if clock is not None else None
            return called_at is not None and (table.has_totals or (table.deals > 0 and table.waits_since >= called_at))
    return False


def step_without_button(
    name: str, title: str | Message, progress: Words, *, is_done: bool = False, waits_for: Words = ""
) -> Step:
    """A step without a button."""
    return Step(
        name=name,
        title=title,
        target=Target.BOARD,
        button="",
        is_done=is_done,
        progress=progress,
        waits_for=waits_for,
    )


def all_over(tables: Sequence[TableSummary]) -> bool:
    """Whether nothing is left to be played at these tables."""
    return all(table.is_over for table in tables)


def record_next(room: Room, table: TableSummary) -> Message:
    """The button for a table that is being played. No deal follows on totals: the table offers how it may end."""
    if table.has_totals:
        return say("End the game at {called}", called=table.title)
    if room.clock is not None and room.clock.is_last_deal_called:
        return say("Record the last deal at {called}", called=table.title)
    return say("Record the next deal at {called}", called=table.title)


# How many of what, and what is still to be done with them.


def players_message(count: int) -> Message:
    return say_many("{count} player", "{count} players", count=count)


def tables_message(count: int) -> Message:
    return say_many("{count} table", "{count} tables", count=count)


def rounds_message(count: int) -> Message:
    return say_many("{count} round", "{count} rounds", count=count)


def seating_message(state: TournamentState) -> Message:
    """What is seated next: after a cut a stage of one round by its name, such as the final; else the round's number."""
    stage = state.current
    if state.stage > 1 and stage is not None and stage.rounds == 1:
        return say("Seat {stage}", stage=stage.called or say("stage {number}", number=state.stage))
    return say("Seat round {round}", round=state.next_round)


def not_closed(count: int) -> Message:
    return say_many("{count} table not closed", "{count} tables not closed", count=count)


def not_settled(count: int) -> Message:
    return say_many("{count} table not settled", "{count} tables not settled", count=count)
