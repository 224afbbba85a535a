"""The events of a table, and those that open and close a tournament: one frozen class for each kind.

Rules: docs/events.md lists every kind with an example. `kind` is an explicit stored name that is never changed;
`schema` counts the versions of a class's fields. Knows nothing of storage, nor of what follows from an event.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta

from scoring.money.payouts import MOST_MINOR

MOST_DEALS = 1_000
MOST_VERSION = 10**9

DealNumber = Annotated[int, Meta(ge=1, le=MOST_DEALS)]
MOST_TOTAL = 999_999
Total = Annotated[int, Meta(ge=-MOST_TOTAL, le=MOST_TOTAL)]
OutNumber = Annotated[int, Meta(ge=1, le=50)]
SheetT = TypeVar("SheetT")
# Without a reason such an event is refused.
Reason = Annotated[str, Meta(extra={"is_needed": True})]
Confirmation = Literal["at_once", "second_seat", "second_official", "two_seats"]


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event at a table. `kind` is its stored name, `schema` the version of its fields."""

    kind: ClassVar[str] = ""
    schema: ClassVar[int] = 1


def events_of(names: Mapping[str, object]) -> tuple[type[Event], ...]:
    """The events that a module declares, in the order of the module: refusals list them in it."""
    return tuple(
        member for member in names.values() if isinstance(member, type) and issubclass(member, Event) and member.kind
    )


def needing_reason(events: Iterable[type[Event]]) -> frozenset[str]:
    """The kinds of events that are refused without a reason."""
    return frozenset(event.kind for event in events if event.__annotations__.get("reason") is Reason)


class TableOpened(Event, frozen=True, kw_only=True):
    """The table's first event: game, house options, stakes, and seats.

    `carried` is what a seat brings from an earlier table: its running total, its chips or its net points.
    `confirmation` says who else must confirm a deal before the table can be closed. `tournament`, `round` and `table`
    say which table it is; events of earlier releases do not.
    """

    kind: ClassVar[str] = "table_opened"
    variant: str
    options: dict[str, Any]
    stakes: dict[str, Any]
    seats: tuple[tuple[str, str], ...]
    carried: dict[str, int] = {}
    confirmation: Confirmation = "at_once"
    tournament: str = ""
    round: int = 0
    table: int = 0


class DealEvent(Event, Generic[SheetT], frozen=True, kw_only=True):
    """A deal's number and its sheet, of the variant's own type."""

    deal: DealNumber
    sheet: SheetT


class DealRecorded(DealEvent[SheetT], Generic[SheetT], frozen=True, kw_only=True):
    """A deal was played to its end."""

    kind: ClassVar[str] = "deal_recorded"


class DealCorrected(DealEvent[SheetT], Generic[SheetT], frozen=True, kw_only=True):
    """The sheet of a deal was wrong: this one replaces it. It also restores a cancelled deal."""

    kind: ClassVar[str] = "deal_corrected"
    reason: Reason = ""


class DealVoided(Event, frozen=True, kw_only=True):
    """A deal was cancelled and does not count: a misdeal, a wrong pack, an impossible number of cards."""

    kind: ClassVar[str] = "deal_voided"
    deal: DealNumber
    reason: Reason = ""


class TiebreakRecorded(DealEvent[SheetT], Generic[SheetT], frozen=True, kw_only=True):
    """An extra deal among seats that were tied at the end of the game."""

    kind: ClassVar[str] = "tiebreak_recorded"


class TotalsRecorded(Event, frozen=True, kw_only=True):
    """A table was entered by its totals instead of its deals.

    `totals` are what the sheet ends with, seat by seat, everything included: points, net points or chips, as the game
    counts. `out` says when a seat was eliminated: 1 for the first, and one number for seats that went out together.
    """

    kind: ClassVar[str] = "totals_recorded"
    totals: dict[str, Total]
    out: dict[str, OutNumber] = {}
    reason: str = ""


class TotalsCorrected(Event, frozen=True, kw_only=True):
    """The totals were wrong: these replace them."""

    kind: ClassVar[str] = "totals_corrected"
    totals: dict[str, Total]
    out: dict[str, OutNumber] = {}
    reason: Reason = ""


class Rejoined(Event, frozen=True, kw_only=True):
    """An eliminated seat rejoined the game."""

    kind: ClassVar[str] = "rejoined"
    seat: str


class SplitAgreed(Event, frozen=True, kw_only=True):
    """All seats still in play agreed to split the pot. `totals` are the totals on which they agreed."""

    kind: ClassVar[str] = "split_agreed"
    totals: dict[str, int] | None = None


class SeatLeft(Event, frozen=True, kw_only=True):
    """A player left the table between two deals."""

    kind: ClassVar[str] = "seat_left"
    seat: str


class PenaltyGiven(Event, frozen=True, kw_only=True):
    """The director added points to a seat."""

    kind: ClassVar[str] = "penalty_given"
    seat: str
    points: Annotated[int, Meta(ge=1, le=10_000)]
    reason: Reason = ""


class BoughtIn(Event, frozen=True, kw_only=True):
    """A seat bought in: it put money on the table to play with."""

    kind: ClassVar[str] = "bought_in"
    seat: str
    amount_minor: Annotated[int, Meta(ge=1, le=MOST_MINOR)]


class EventWithdrawn(Event, frozen=True, kw_only=True):
    """The event at `version` was undone: an action (such as a rejoin or a penalty), an extra deal or an ending."""

    kind: ClassVar[str] = "fact_withdrawn"
    version: Annotated[int, Meta(ge=2, le=MOST_VERSION)]
    reason: Reason = ""


class TableClosed(Event, frozen=True, kw_only=True):
    """The table was closed: its result may be settled. `time_called`: the game was stopped before its end."""

    kind: ClassVar[str] = "table_closed"
    time_called: bool = False


class TableCancelled(Event, frozen=True, kw_only=True):
    """The table was cancelled: no player wins, and no money moves."""

    kind: ClassVar[str] = "table_cancelled"
    reason: Reason = ""


class TableMovedOn(Event, frozen=True, kw_only=True):
    """The table was broken up: its players continue at other tables with their scores, and nothing is paid here."""

    kind: ClassVar[str] = "table_moved_on"


class DealConfirmed(Event, frozen=True, kw_only=True):
    """A seat of the table or an official, but not the person who recorded the deal, confirmed it."""

    kind: ClassVar[str] = "deal_confirmed"
    deal: DealNumber
    seat: str | None = None


class DealDisputed(Event, frozen=True, kw_only=True):
    """A deal is said to be recorded wrongly: only a director may change it until the dispute is resolved.

    `sheet` is what a second seat entered, if two seats enter each deal; it cannot be sent. Such a dispute also ends
    when both entries agree.
    """

    kind: ClassVar[str] = "deal_disputed"
    deal: DealNumber
    seat: str | None = None
    sheet: dict[str, Any] | None = None
    reason: Reason = ""


class DisputeSettled(Event, frozen=True, kw_only=True):
    """The director resolved the dispute about a deal: it counts as it is recorded now."""

    kind: ClassVar[str] = "dispute_settled"
    deal: DealNumber
    reason: Reason = ""


class EventLeftOut(Event, frozen=True, kw_only=True):
    """An unreadable event of this stream was left out and does not count; a table with such an event is cancelled.

    `version` is that of the event. For tables, tournaments and cash books alike.
    """

    kind: ClassVar[str] = "fact_left_out"
    version: Annotated[int, Meta(ge=1, le=MOST_VERSION)]
    reason: Reason = ""


class TournamentOpened(Event, frozen=True, kw_only=True):
    """A tournament's first event: the game, options and stakes of its tables."""

    kind: ClassVar[str] = "tournament_opened"
    preset: str
    variant: str
    options: dict[str, Any]
    stakes: dict[str, Any]


class TournamentChanged(Event, frozen=True, kw_only=True):
    """The options or stakes were changed before the first table opened."""

    kind: ClassVar[str] = "tournament_changed"
    options: dict[str, Any]
    stakes: dict[str, Any]


class TournamentClosed(Event, frozen=True, kw_only=True):
    """Every table is over: the results are final and the club's log is sealed."""

    kind: ClassVar[str] = "tournament_closed"


class TournamentCancelled(Event, frozen=True, kw_only=True):
    """A planned tournament was abandoned: no one owes anything, and payments go back to the players."""

    kind: ClassVar[str] = "tournament_cancelled"
    reason: Reason = ""


class TournamentReopened(Event, frozen=True, kw_only=True):
    """A tournament was reopened: it was closed, or abandoned, too early."""

    kind: ClassVar[str] = "tournament_reopened"
    reason: Reason = ""


TABLE_EVENTS = events_of(globals())
TABLE_NEEDS_REASON = needing_reason(TABLE_EVENTS)
# Events of a table's frame and of a tournament: not recorded by a scorer.
FRAME = frozenset(
    {"table_opened", "fact_left_out", *(event.kind for event in TABLE_EVENTS if "tournament_" in event.kind)}
)
DEAL_KINDS = frozenset({"deal_recorded", "deal_corrected", "tiebreak_recorded"})
TOTALS_KINDS = frozenset({"totals_recorded", "totals_corrected"})
# Something was played at the table, and since when it waits for more.
PLAYED_KINDS = ("deal_recorded", "totals_recorded")
CHECKS = frozenset({"deal_confirmed", "deal_disputed", "dispute_settled"})
