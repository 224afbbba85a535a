"""The answers and bodies of what a director does with a tournament while it runs.

Rules: docs/reference/api.md, "A tournament from plan to prizes". A field that is left out of an answer has the default
given here. `version` is the tournament's; a body may send it as `expected_version`.
"""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from tournaments.models.bounds import MOST_COUNT
from tournaments.web.api.table_shapes import (
    EventAnswer,
    Minor,
    Moment,
    TableEventJson,
    TableRow,
    Text,
    TournamentAnswer,
    TournamentBody,
    TournamentEventJson,
    Version,
)
from tournaments.web.api.tournament_shapes import ClockAnswer, PersonAnswer, ProblemPart, Reason

OptionalReason = Annotated[str, Meta(max_length=500)]


class TournamentEventsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Events of a tournament after a version. `next_after` is `after` for the next page, null at the end.

    What an event about money says is null for roles that do not see the books.
    """

    tournament: UUID
    version: int
    events: list[EventAnswer]
    next_after: int | None


class TournamentEventBody(msgspec.Struct, kw_only=True):
    """An event to store as the version after `expected_version`. Its fields: docs/events.md, "Tournaments"."""

    expected_version: Version
    event: TournamentEventJson
    anyway: Annotated[
        bool, Meta(description="Seat players who are not here for a final, and drop what players lose with their seat")
    ] = False
    players: Annotated[
        int | None, Meta(description="For a plan: with how many players it is tried; null: those who entered")
    ] = None


class VersionBody(msgspec.Struct, kw_only=True):
    """Nothing but the version that was seen."""

    expected_version: Version | None = None


class ReasonBody(msgspec.Struct, kw_only=True):
    """Why it is done."""

    reason: Reason
    expected_version: Version | None = None


class TournamentStateAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament after it was closed, abandoned, reopened, deleted or changed."""

    tournament: UUID
    version: int
    name: str
    is_published: bool
    is_closed: bool
    is_cancelled: bool


class RestoreBody(msgspec.Struct, kw_only=True):
    """Whether the tournament is published again; a practice tournament never is."""

    is_published: bool = False
    expected_version: Version | None = None


class ClosingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be done before a tournament can be closed, and what to look at: unpaid fees, ties, refunds."""

    tournament: UUID
    version: int
    problems: list[ProblemPart]
    matters: list[ProblemPart]


class SettledAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """How many entries were posted to the books; `problems` are results that could not be settled."""

    tournament: UUID
    posted: int
    problems: list[str]


# A new tournament, and its terms.


class SetUpBody(TournamentBody, kw_only=True):
    """A tournament with its plan and its players in one step, all or nothing.

    The plan is that of `format` for `expected` players, or `plan`; a name that the club does not have is a new player.
    """

    plan: dict[str, Any] | None = None
    format: Text | None = None
    expected: Annotated[int, Meta(ge=2, le=500, description="With how many players the plan is tried")] | None = None
    players: Annotated[list[UUID], Meta(max_length=500)] = []
    names: Annotated[list[Text], Meta(max_length=500)] = []


class SetUpAnswer(TournamentAnswer, frozen=True, kw_only=True):
    """The tournament, and how many entered. `gone` were erased since the tournament that is repeated."""

    version: int
    entered: int
    gone: int = 0


class RepeatBody(msgspec.Struct, kw_only=True):
    """The name of the copy; left out: the same."""

    name: Text | None = None


class ChangeBody(msgspec.Struct, kw_only=True):
    """What is to change; what is left out stays. Options and stakes are fixed once a table is open."""

    name: Text | None = None
    starts_at: Moment | None = None
    is_published: bool | None = None
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")] | None = None
    entry_minor: Minor | None = None
    fee_bp: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    point_value_minor: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    options: dict[str, Any] = {}
    expected_version: Version | None = None


# The plan.


class FormatAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A usual format, and the plan that it makes for the number of players asked for."""

    name: str
    title: str
    note: str
    plan: dict[str, Any]


class FormatsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The formats for a number of players that can be played with the tournament's game."""

    players: int
    items: list[FormatAnswer]


class PlanAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The stored plan with every value, or null. Fields: docs/rules/tournaments.md."""

    tournament: UUID
    version: int
    plan: dict[str, Any] | None
    is_started: bool


class PlanBody(msgspec.Struct, kw_only=True):
    """A plan. After the first seating it needs a reason."""

    plan: dict[str, Any]
    reason: OptionalReason = ""
    players: Annotated[int | None, Meta(description="With how many players it is tried; null: those who entered")] = (
        None
    )
    expected_version: Version | None = None


class PlanCheckBody(msgspec.Struct, kw_only=True):
    """A plan to try, and with how many players; `margin` tries so many fewer and more too."""

    plan: dict[str, Any]
    players: Annotated[int, Meta(ge=2, le=500)]
    margin: Annotated[int, Meta(ge=0, le=10)] = 0


class PlanChange(msgspec.Struct, frozen=True, kw_only=True):
    """Another value for a field of a stage; null clears it."""

    stage: int
    field: str
    value: Any


class PlanCheckAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What stops the plan, and up to three ways to mend it. `is_tried` is false for what is too large to be tried."""

    is_tried: bool
    problems: list[ProblemPart]
    notes: list[str]
    suggestions: list[list[PlanChange]]


# Who qualifies, and the clock.


class QualifierAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A player of the stage in order, with the score, and why they qualify; empty where they do not."""

    player: str
    name: str
    score: str
    reason: str = ""


class TieAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Tied players of whom `places` qualify, or who share prizes, and how the plan lets the tie be broken."""

    stage: int
    where: str
    players: list[PersonAnswer]
    places: int
    methods: list[str]


class CutAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The cut of the current stage if it were made now. `problems` stand before it; `ties` are all that are open."""

    tournament: UUID
    version: int
    stage: int
    cuts: bool
    players: list[QualifierAnswer]
    problems: list[ProblemPart]
    ties: list[TieAnswer]


class CutMadeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The stages that are cut now, and who qualified from the last one, in seeding order."""

    tournament: UUID
    version: int
    cut_stages: int
    advancing: list[PersonAnswer]


class TieBody(msgspec.Struct, kw_only=True):
    """How a tie was broken: an extra deal gives the order of `players`; cards and lots give it themselves."""

    players: Annotated[list[UUID], Meta(min_length=2, max_length=500)]
    method: Literal["extra_deal", "high_card", "lots"]
    cards: Annotated[dict[str, str], Meta(description="By player, such as KH; for high_card")] = {}
    seed: Annotated[str, Meta(max_length=80, description="Draw code; for lots")] = ""
    expected_version: Version | None = None


class ClockBody(msgspec.Struct, kw_only=True):
    """One button of the clock. `seconds` are those of the round, or the time to add; `table`: for one table alone."""

    act: Literal["start", "pause", "call_last_deal", "undo_last_deal", "add_time"]
    seconds: Annotated[int, Meta(ge=1, le=86_400)] | None = None
    table: Annotated[int, Meta(ge=1, le=9_999)] | None = None
    reason: OptionalReason = ""
    expected_version: Version | None = None


class ClockState(msgspec.Struct, frozen=True, kw_only=True):
    """The clock of the last seated round."""

    tournament: UUID
    version: int
    clock: ClockAnswer | None


# Prizes.


class PrizeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A prize of a player. `title` names the stage or table of a prize that is not one of the tournament."""

    player: str
    name: str
    first: int
    last: int
    title: str
    amount_minor: int
    things: list[str]
    because: list[str]


class PotAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A side pot, and what each winner gets of it."""

    name: str
    total_minor: int
    awards: dict[str, int]
    because: list[str]


class PrizesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The prizes by the current standings, with the account of the pool. `prizes` is empty where none are paid."""

    tournament: UUID
    version: int
    currency: str
    is_closed: bool
    gross_minor: int = 0
    fee_minor: int = 0
    levy_minor: int = 0
    pool_minor: int = 0
    top_up_minor: int = 0
    kept_minor: int = 0
    prizes: list[PrizeAnswer] = []
    pots: list[PotAnswer] = []
    because: list[str] = []


class PrizesBody(msgspec.Struct, kw_only=True):
    """Fields of the plan that say what is won, such as `prizes_bp` or `guaranteed_minor`; the rest of it stays."""

    prizes: dict[str, Any]
    reason: OptionalReason = ""
    expected_version: Version | None = None


# Screens.

ScreenName = Literal["seating", "standings", "tables", "clock", "winners", "address", "message"]
ScreenText = Annotated[str, Meta(max_length=200)]


class ScreensAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What the projectors show. `skips` counts how often a director moved them on."""

    tournament: UUID
    is_automatic: bool
    chosen: list[str]
    seconds: dict[str, int]
    pinned: str | None
    message: str
    lines: int
    skips: int


class ScreensBody(msgspec.Struct, kw_only=True):
    """The whole programme; the last one that is sent counts. `lines` of 0: as many as can be read."""

    is_automatic: bool = True
    chosen: list[ScreenName] = []
    seconds: Annotated[dict[str, int], Meta(description="By screen; the usual time where left out")] = {}
    message: ScreenText = ""
    lines: Annotated[int, Meta(ge=0, le=1_000)] = 0


class PinBody(msgspec.Struct, kw_only=True):
    """The screen to pin on every projector; null returns to the programme."""

    screen: ScreenName | None = None


class SkipBody(msgspec.Struct, kw_only=True):
    """The `skips` that were seen: a resend moves nothing."""

    skips: Annotated[int, Meta(ge=0, le=2_147_483_647)]


# Seating a round.


class SizesBody(msgspec.Struct, kw_only=True):
    """Table sizes allowed, and the preferred one. `most_tables`: how many tables there are."""

    allowed: Annotated[list[Annotated[int, Meta(ge=2, le=10)]], Meta(min_length=1, max_length=9)]
    preferred: Annotated[int, Meta(ge=2, le=10)]
    most_tables: Annotated[int, Meta(ge=1, le=999)] | None = None
    may_sit_out: bool = True


class ApartBody(msgspec.Struct, kw_only=True):
    """Two players who never share a table."""

    one: UUID
    other: UUID


class FixedBody(msgspec.Struct, kw_only=True):
    """A player who is locked to one table."""

    player: UUID
    table: Annotated[int, Meta(ge=1, le=999)]


class RestrictionsBody(msgspec.Struct, kw_only=True):
    """Seating restrictions. They stay for the next draft. `groups` names clubs or families, kept apart if possible."""

    sizes: SizesBody
    apart: Annotated[list[ApartBody], Meta(max_length=500)] = []
    fixed: Annotated[list[FixedBody], Meta(max_length=500)] = []
    groups: dict[str, Annotated[str, Meta(max_length=60)]] = {}
    groups_apart: bool = False


class SeatedTableBody(msgspec.Struct, kw_only=True):
    """A table of a prepared seating: its number, and its players in seat order."""

    number: Annotated[int, Meta(ge=1, le=999)]
    players: Annotated[list[UUID], Meta(min_length=1, max_length=10)]


DraftVersion = Annotated[int, Meta(ge=0, le=2_147_483_647, description="Of the draft; 0 where there is none")]


class DraftBody(msgspec.Struct, kw_only=True):
    """How the next round is seated; left out: as the plan says. `rounds` are drawn at once; `seed`: a draw code.

    With `tables` it is the seating that is given, and `sits_out` are those without a seat. `restrictions` left out:
    those of the draft, or of the last one, or the plan's.
    """

    expected_version: DraftVersion = 0
    method: Literal["draw", "standing", "snake"] | None = None
    rounds: Annotated[int, Meta(ge=1, le=12)] = 1
    seed: Annotated[str, Meta(max_length=80)] = ""
    tables: Annotated[list[SeatedTableBody], Meta(max_length=500)] | None = None
    sits_out: Annotated[list[UUID], Meta(max_length=500)] = []
    restrictions: RestrictionsBody | None = None


class DraftTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the draft, its players in seat order."""

    number: int
    seats: list[PersonAnswer]


class DraftAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The draft of the next round, at its own `version`; 0 without one. With `errors` it cannot be published.

    `broken` are restrictions that are not kept: publishing needs a reason. `questions` are players to be asked about.
    """

    tournament: UUID
    round: int
    version: int
    method: str = ""
    seed: str = ""
    tables: list[DraftTable] = []
    sits_out: list[PersonAnswer] = []
    errors: list[ProblemPart] = []
    broken: list[ProblemPart] = []
    warnings: list[ProblemPart] = []
    questions: dict[str, list[str]] = {}
    restrictions: RestrictionsBody
    later_rounds: list[int] = []
    may_undo: bool = False
    may_redo: bool = False


class DraftChangeBody(msgspec.Struct, kw_only=True):
    """One change: `move` to a `table`, `swap` with `other`, `sit_out`, `fit` to those who play now, `undo`, `redo`."""

    expected_version: DraftVersion
    act: Literal["move", "swap", "sit_out", "fit", "undo", "redo"]
    player: UUID | None = None
    other: UUID | None = None
    table: Annotated[int, Meta(ge=1, le=999)] | None = None


class DiscardBody(msgspec.Struct, kw_only=True):
    """The draft's version that was seen."""

    expected_version: DraftVersion


class PublishBody(msgspec.Struct, kw_only=True):
    """Publish the draft. `seats_absent` answers the questions; `reason`: why a restriction is not kept."""

    expected_version: DraftVersion
    seats_absent: bool = False
    reason: OptionalReason = ""


class PublishedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The round that was seated, and its tables."""

    tournament: UUID
    version: int
    round: int
    tables: list[TableRow]
    warnings: list[ProblemPart] = []


class RoundBody(msgspec.Struct, kw_only=True):
    """The last seated round, and why its seating is undone."""

    round: Annotated[int, Meta(ge=1, le=999)]
    reason: Reason
    expected_version: Version | None = None


class SeatingUndone(msgspec.Struct, frozen=True, kw_only=True):
    """The tournament without the seating; its draft is kept."""

    tournament: UUID
    version: int


# Moving players during a round, and changing seats before the first deal.


class MoveStep(msgspec.Struct, frozen=True, kw_only=True):
    """A player who moves from one table to another; `after`: the neighbour behind whom they sit down."""

    player: str
    name: str
    from_table: int
    to_table: int
    after: str


class MoveProposal(msgspec.Struct, frozen=True, kw_only=True):
    """A way to even out the tables. Its `id` changes with every deal that changes it."""

    id: str
    closes: list[int]
    moves: list[MoveStep]


class RunningTableAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A table in play: who is still in, who deals next, and the id of breaking it up, if that is possible."""

    number: int
    table: UUID
    seats: list[PersonAnswer]
    next_dealer: str
    is_short: bool
    break_up: str | None


class MovesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The tables in play, and ways to even them out. `last_move` can be undone."""

    tournament: UUID
    version: int
    round: int
    tables: list[RunningTableAnswer]
    proposals: list[MoveProposal]
    problems: list[ProblemPart]
    last_move: int | None


class MoveBody(msgspec.Struct, kw_only=True):
    """A proposal by its id, a table to `break_up` by the id it has for that, or one player to a table."""

    expected_version: Version
    proposal: Text | None = None
    break_up: Annotated[int, Meta(ge=1, le=9_999)] | None = None
    player: UUID | None = None
    table: Annotated[int, Meta(ge=1, le=9_999)] | None = None


class MoveUndoBody(msgspec.Struct, kw_only=True):
    """The version of the last move, and why it is undone."""

    move: Version
    reason: Reason
    expected_version: Version | None = None


class LateSeatBody(msgspec.Struct, kw_only=True):
    """A late player by name, at a table of the round; without one they wait for the next.

    `extends` takes an entry later than the plan does, and changes the plan.
    """

    name: Text
    table: Annotated[int, Meta(ge=1, le=9_999)] | None = None
    is_paid: bool = False
    adds_new: bool = False
    ask_first: bool = False
    extends: bool = False
    expected_version: Version | None = None


class LeaveBody(msgspec.Struct, kw_only=True):
    """A player who leaves the table. `drops_recorded`: a penalty or buy-in from before the first deal is lost."""

    player: UUID
    why: Literal["absent", "left", "sits_out"]
    drops_recorded: bool = False
    expected_version: Version | None = None


class SwapBody(msgspec.Struct, kw_only=True):
    """Two players who sat in each other's seats."""

    one: UUID
    other: UUID
    reason: OptionalReason = ""
    expected_version: Version | None = None


class UndoSeatsBody(msgspec.Struct, kw_only=True):
    """The Idempotency-Key of the request to undo."""

    key: Text
    expected_version: Version | None = None


class SeatsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The tables of the round after a change. `player` and `table`: whom it was about, where known."""

    tournament: UUID
    version: int
    round: int
    tables: list[DraftTable]
    player: str = ""
    table: int | None = None


# Late sheets, several events at one table, and confused seats.


class LateSheetAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A deal that came after its table was closed, and waits for a director. `by_card`: sent with a table card."""

    id: UUID
    table: UUID
    round: int
    number: int
    event: dict[str, Any]
    actor: str
    by_card: bool
    sent_at: datetime


class LateSheetsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The late sheets that wait, by table."""

    tournament: UUID
    items: list[LateSheetAnswer]


class LateSheetBody(msgspec.Struct, kw_only=True):
    """A deal or tie-break deal that its table no longer takes, as it was sent there."""

    expected_version: Version
    event: TableEventJson


class LateSheetKept(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the deal.

    `waiting` for a director, or `accepted` or `refused` by one, with the id of the late `sheet`; or `stored`: the table
    had it before it ended, as this `version`.
    """

    table: UUID
    state: Literal["stored", "waiting", "accepted", "refused"]
    sheet: UUID | None = None
    version: int | None = None


class LateSheetsBody(msgspec.Struct, kw_only=True):
    """Sheets of one table: `accept` records them and reopens the table, `refuse` needs a `reason`.

    `revoke_cards` ends the table cards that sent them; the sheets keep waiting.
    """

    sheets: Annotated[list[UUID], Meta(min_length=1, max_length=500)]
    answer: Literal["accept", "refuse", "revoke_cards"]
    reason: Annotated[str, Meta(max_length=200)] = ""


class LateSheetsDone(msgspec.Struct, frozen=True, kw_only=True):
    """The table after its late sheets were answered. `revoked`: how many cards ended."""

    table: UUID
    version: int
    is_closed: bool
    revoked: int = 0


class EventsBody(msgspec.Struct, kw_only=True):
    """Events of one table in order, all or none. `redraws`: also undo the seating and the cut that they change."""

    expected_version: Version
    events: Annotated[list[TableEventJson], Meta(min_length=1, max_length=50)]
    redraws: bool = False


class EventsRecorded(msgspec.Struct, frozen=True, kw_only=True):
    """The stored events. With `redraws`: the round to seat again, the stage that was cut again, and what waits."""

    table: UUID
    version: int
    events: list[EventAnswer]
    unseated_round: int | None = None
    recut_stage: int | None = None
    problems: list[ProblemPart] = []


class ExchangeBody(msgspec.Struct, kw_only=True):
    """Two seats that were confused in some deals."""

    expected_version: Version
    seats: Annotated[list[Text], Meta(min_length=2, max_length=2)]
    deals: Annotated[list[Annotated[int, Meta(ge=1, le=1_000)]], Meta(min_length=1, max_length=1_000)]
    reason: Reason


class TableVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A table, and its version now."""

    table: UUID
    version: int


# Table cards.


class CardAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A table card that is valid. `seat` is 0 for a card of the whole table."""

    id: UUID
    table: UUID
    seat: int
    expires_at: datetime


class CardsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The valid cards of a tournament's tables."""

    tournament: UUID
    items: list[CardAnswer]


class NewCard(CardAnswer, frozen=True, kw_only=True):
    """A card. Its secret, its address for a QR code and its code to type are given once; a resend has null."""

    secret: str | None
    address: str | None
    code: str | None


class NewCardsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The cards that were made."""

    tournament: UUID
    items: list[NewCard]


class CardsBody(msgspec.Struct, kw_only=True):
    """For which tables; null: every open one. A card for each seat where two seats enter each deal."""

    tables: Annotated[list[UUID], Meta(min_length=1, max_length=500)] | None = None


class RevokeCardsBody(msgspec.Struct, kw_only=True):
    """Every card of these tables, and these cards."""

    tables: Annotated[list[UUID], Meta(max_length=500)] = []
    cards: Annotated[list[UUID], Meta(max_length=500)] = []


# The cash desk, for many at once.


class PayoutsBody(msgspec.Struct, kw_only=True):
    """What each player is paid, in minor units, out of one `place`: your own till where it is left out."""

    amounts: Annotated[dict[str, Minor], Meta(min_length=1, max_length=500)]
    place: Annotated[str, Meta(max_length=64)] = ""
    book: UUID | None = None
    expected_version: Annotated[int, Meta(ge=0, le=MOST_COUNT)] = 0


class CreditBody(msgspec.Struct, kw_only=True):
    """How much each player may owe, in minor units, and why."""

    limits: Annotated[dict[str, Minor], Meta(min_length=1, max_length=500)]
    reason: Reason
    book: UUID | None = None
    expected_version: Annotated[int, Meta(ge=0, le=MOST_COUNT)] = 0


class CashLinesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The cash book after its lines were written."""

    book: UUID
    version: int
