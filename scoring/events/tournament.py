"""The events of a running tournament: entries, check-ins, seatings, cuts, and the clock.

Rules: docs/events.md, "Tournaments" lists every kind. A kind is never renamed. Players are UUIDs as text; moments are
whole seconds since 1970. Knows nothing of what follows from an event.
"""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from scoring.events.table import Event, Reason, events_of
from scoring.money.payouts import MOST_SUM

Round = Annotated[int, Meta(ge=1, le=999)]
StageNumber = Annotated[int, Meta(ge=1, le=50)]
Moment = Annotated[int, Meta(ge=0, le=2**40)]
Seconds = Annotated[int, Meta(ge=1, le=86_400)]
# Calculated at the desk: an entry, re-entries and side pots together.
Amount = Annotated[int, Meta(ge=1, le=MOST_SUM)]
PlayerId = Annotated[str, Meta(min_length=1, max_length=64)]
# Where entry money went or came from: the desk, a cashier's till, the bank, or the player's own balance in the club.
# The pattern ends in a way that allows no line break at the end.
MoneyPlace = Annotated[str, Meta(pattern=r"^(|bank|account|till:\S{1,59})(?![\s\S])", max_length=64)]
PotName = Annotated[str, Meta(min_length=1, max_length=40)]
# A table of a round: its number, and who sits there in seat order.
SeatedTable = tuple[int, tuple[PlayerId, ...]]


class PlanMade(Event, frozen=True, kw_only=True):
    """The tournament's plan: stages, policies, tie-breaks, confirmation, clock. After the start it needs a reason."""

    kind: ClassVar[str] = "plan_made"
    plan: dict[str, Any]
    reason: str = ""


class PlayerEntered(Event, frozen=True, kw_only=True):
    """A player entered, or is on the standby list; `round` is set if they get a seat in the round being played.

    `at_end`: somebody who was in the tournament before goes to the end of the standby list, as every new entry does.
    Without it they have the place that they had, which is what an undo of a withdrawal or of a move from the list does.
    Left out is the old place, so that lists of tournaments recorded before the field existed stay as they were.
    """

    kind: ClassVar[str] = "player_entered"
    player: PlayerId
    is_standby: bool = False
    at_end: bool = False
    round: Round | None = None


class EntryWithdrawn(Event, frozen=True, kw_only=True):
    """A player who had entered withdrew before getting a seat."""

    kind: ClassVar[str] = "entry_withdrawn"
    player: PlayerId
    reason: str = ""


class CheckedIn(Event, frozen=True, kw_only=True):
    """A player is in the room."""

    kind: ClassVar[str] = "checked_in"
    player: PlayerId


class CheckInUndone(Event, frozen=True, kw_only=True):
    """A check-in was made for the wrong player."""

    kind: ClassVar[str] = "check_in_undone"
    player: PlayerId


class EntryPaid(Event, frozen=True, kw_only=True):
    """An entry fee, or a re-entry fee, was taken: at the desk, or at `place`."""

    kind: ClassVar[str] = "entry_paid"
    player: PlayerId
    amount_minor: Amount
    place: MoneyPlace = ""


class EntryRefunded(Event, frozen=True, kw_only=True):
    """An amount that had been taken was refunded: at the desk, or from `place`."""

    kind: ClassVar[str] = "entry_refunded"
    player: PlayerId
    amount_minor: Amount
    place: MoneyPlace = ""
    reason: Reason = ""


class EntryTermsSet(Event, frozen=True, kw_only=True):
    """A player's fee type (full, member or free) and the side pots they join. A lower fee needs a reason."""

    kind: ClassVar[str] = "entry_terms_set"
    player: PlayerId
    rate: Literal["full", "member", "free"] = "full"
    pots: tuple[PotName, ...] = ()
    reason: str = ""


class SidePotWon(Event, frozen=True, kw_only=True):
    """A side pot was won by one player, or by several who split it in this order."""

    kind: ClassVar[str] = "side_pot_won"
    pot: PotName
    players: tuple[PlayerId, ...]
    reason: Reason = ""


class SidePotWinUndone(Event, frozen=True, kw_only=True):
    """The win of a side pot was undone."""

    kind: ClassVar[str] = "side_pot_win_undone"
    pot: PotName
    reason: Reason = ""


class MarkedAbsent(Event, frozen=True, kw_only=True):
    """A player who had entered is a no-show."""

    kind: ClassVar[str] = "marked_absent"
    player: PlayerId


class PlayerLeft(Event, frozen=True, kw_only=True):
    """A player goes home during the tournament; the plan says what that costs."""

    kind: ClassVar[str] = "player_left"
    player: PlayerId
    reason: str = ""


class PlayerReturned(Event, frozen=True, kw_only=True):
    """A player who had left, or was marked absent, plays again from the next round."""

    kind: ClassVar[str] = "player_returned"
    player: PlayerId


class PlayerHidden(Event, frozen=True, kw_only=True):
    """The public no longer sees a player who has left or is a no-show. Scores, places and money stay as they are."""

    kind: ClassVar[str] = "player_hidden"
    player: PlayerId
    reason: str = ""


class PlayerShown(Event, frozen=True, kw_only=True):
    """The public sees a player again who had been hidden."""

    kind: ClassVar[str] = "player_shown"
    player: PlayerId


class PlayerSubstituted(Event, frozen=True, kw_only=True):
    """A substitute plays for a player; the plan says who gets the points.

    `round` is the one in which the player had a seat at a table that was still being played.
    """

    kind: ClassVar[str] = "player_substituted"
    player: PlayerId
    by: PlayerId
    round: Round | None = None
    reason: Reason = ""


class SubstitutionUndone(Event, frozen=True, kw_only=True):
    """A substitution was undone: before a deal was recorded with the substitute."""

    kind: ClassVar[str] = "substitution_undone"
    player: PlayerId
    reason: Reason = ""


class PlayerReentered(Event, frozen=True, kw_only=True):
    """A player who was cut, or is short of chips, re-enters the stage, if the plan allows it."""

    kind: ClassVar[str] = "player_reentered"
    player: PlayerId
    stage: StageNumber


class ReentryUndone(Event, frozen=True, kw_only=True):
    """A re-entry was undone before the player had a seat again."""

    kind: ClassVar[str] = "reentry_undone"
    player: PlayerId
    stage: StageNumber


class RoundSeated(Event, frozen=True, kw_only=True):
    """A round's seating as it was published. `seed` repeats the draw; `sitting_out` have no table in this round.

    `reason` says why it breaks a seating restriction, where it does.
    """

    kind: ClassVar[str] = "round_seated"
    stage: StageNumber
    round: Round
    tables: tuple[SeatedTable, ...]
    method: Literal["draw", "standing", "snake", "prepared", "by_hand"]
    seed: str = ""
    sitting_out: tuple[PlayerId, ...] = ()
    reason: str = ""


class SeatingWithdrawn(Event, frozen=True, kw_only=True):
    """A published seating was undone before a deal was played."""

    kind: ClassVar[str] = "seating_withdrawn"
    round: Round
    reason: Reason = ""


class SeatsChanged(Event, frozen=True, kw_only=True):
    """Tables of the round being played were opened again with other players, before a deal was played at them.

    They keep their numbers; one without players is not played. Players who lost their seat sit out.
    """

    kind: ClassVar[str] = "seats_changed"
    round: Round
    tables: tuple[SeatedTable, ...]
    reason: str = ""


class PlayersMoved(Event, frozen=True, kw_only=True):
    """Tables continued with other players: `tables` replaced those in `instead_of`, scores carried over."""

    kind: ClassVar[str] = "players_moved"
    round: Round
    instead_of: tuple[int, ...]
    tables: tuple[SeatedTable, ...]
    reason: str = ""


class MoveUndone(Event, frozen=True, kw_only=True):
    """The move at `version` was undone before a deal was played: its tables continue with their earlier players."""

    kind: ClassVar[str] = "move_undone"
    version: Annotated[int, Meta(ge=2)]
    reason: Reason = ""


class CutMade(Event, frozen=True, kw_only=True):
    """A stage is over: who qualifies, in the order in which they are seeded, and what they start with.

    `left` are the final scores of all other players, if the next stage adds to the scores of this one.
    """

    kind: ClassVar[str] = "cut_made"
    stage: StageNumber
    advancing: tuple[PlayerId, ...]
    carried: dict[str, int] = {}
    left: dict[str, int] = {}


class CutWithdrawn(Event, frozen=True, kw_only=True):
    """A cut was undone before the next stage was seated."""

    kind: ClassVar[str] = "cut_withdrawn"
    stage: StageNumber
    reason: Reason = ""


class TieSettled(Event, frozen=True, kw_only=True):
    """The order of players tied at a cut or for a prize, by an extra deal, a high card or lots."""

    kind: ClassVar[str] = "tie_settled"
    stage: StageNumber
    order: tuple[PlayerId, ...]
    method: Literal["extra_deal", "high_card", "lots"]
    seed: str = ""
    cards: dict[str, str] = {}


class ClockStarted(Event, frozen=True, kw_only=True):
    """The clock of a round runs from `at`, for the first time or after a pause."""

    kind: ClassVar[str] = "clock_started"
    round: Round
    at: Moment
    seconds: Seconds | None = None


class ClockPaused(Event, frozen=True, kw_only=True):
    """The clock of a round is paused."""

    kind: ClassVar[str] = "clock_paused"
    round: Round
    at: Moment


class LastDealCalled(Event, frozen=True, kw_only=True):
    """No further deal begins in this round."""

    kind: ClassVar[str] = "last_deal_called"
    round: Round
    at: Moment


class LastCallUndone(Event, frozen=True, kw_only=True):
    """The last deal had been called by mistake: the round continues."""

    kind: ClassVar[str] = "last_call_undone"
    round: Round
    reason: Reason = ""


class TimeAdded(Event, frozen=True, kw_only=True):
    """A table, or the whole round, gets more time."""

    kind: ClassVar[str] = "time_added"
    round: Round
    seconds: Seconds
    table: int | None = None
    reason: Reason = ""


TOURNAMENT_EVENTS = events_of(globals())
