"""The answers and bodies of the API as structs: encoded as they are, and described in the schema from the same.

Rules: docs/reference/api.md. A field that is left out of an answer has the default given here.
"""

from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeVar
from uuid import UUID

import msgspec
from msgspec import Meta

from scoring.money.payouts import MOST_MINOR
from scoring.rules.table import fields
from scoring.rules.table.standing import FIELDS, OF_A_SEAT, holding
from tournaments.models.bounds import MOST_COUNT

Text = Annotated[str, Meta(min_length=1, max_length=200)]
Minor = Annotated[int, Meta(ge=0, le=MOST_MINOR, description="Whole minor units of the currency")]
Version = Annotated[int, Meta(ge=1, le=MOST_COUNT)]
Moment = Annotated[datetime, Meta(tz=True)]
Item = TypeVar("Item")
# An event as it is sent: the log's readers check it, and the description names every kind (`schema.add_components`).
REFERENCE = "#/components/schemas/{name}"
EVENT, CASH_EVENT, TOURNAMENT_EVENT = "Event", "CashEvent", "TournamentEvent"
TableEventJson = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": REFERENCE.format(name=EVENT)})]
CashEventJson = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": REFERENCE.format(name=CASH_EVENT)})]
TournamentEventJson = Annotated[
    dict[str, Any], Meta(extra_json_schema={"$ref": REFERENCE.format(name=TOURNAMENT_EVENT)})
]


class ClubAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A club."""

    id: UUID
    name: str
    slug: str
    currency: str
    timezone: str
    locale: str
    is_published: bool


class TournamentAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament, with the house options and stakes with which its tables are opened."""

    id: UUID
    club: UUID
    name: str
    slug: str
    preset: str
    variant: str
    options: dict[str, Any]
    currency: str
    entry_minor: int
    fee_bp: int
    point_value_minor: int
    starts_at: datetime
    is_published: bool
    is_closed: bool
    is_cancelled: bool = False
    fee_floor_minor: int = 0
    fee_cap_minor: int | None = None
    levy_bp: int = 0
    levy_name: str = "levy"
    levy_on: str = "gross"


class TournamentBody(msgspec.Struct, kw_only=True):
    """A new tournament, from a preset. `options` override house options of the preset."""

    name: Text
    preset: Text
    starts_at: Moment
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$", description="Left out: the club's currency")] | None = None
    entry_minor: Minor = 0
    fee_bp: Annotated[int, Meta(ge=0, le=10_000)] = 0
    fee_floor_minor: Minor = 0
    fee_cap_minor: Minor | None = None
    levy_bp: Annotated[int, Meta(ge=0, le=10_000)] = 0
    levy_name: Annotated[str, Meta(min_length=1, max_length=40)] = "levy"
    levy_on: Literal["gross", "fee"] = "gross"
    point_value_minor: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    is_published: bool = True
    options: dict[str, Any] = {}


class PlayerAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A player of the club."""

    id: UUID
    name: str
    is_erased: bool
    is_member: bool = False
    member_number: str = ""
    # The row that this player is merged into; the player's id stays in the tournaments it was in.
    merged_into: UUID | None = None


class PlayersBody(msgspec.Struct, kw_only=True):
    """Players to add, all or none. Without an Idempotency-Key, known names are refused unless `are_namesakes`."""

    names: Annotated[list[Text], Meta(min_length=1, max_length=500)]
    are_namesakes: bool = False


class PlayersAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The players that were added, in the order given."""

    items: list[PlayerAnswer]


class SeatBody(msgspec.Struct, kw_only=True):
    """A player in a seat of the table."""

    number: Annotated[int, Meta(ge=1, le=10)]
    player: UUID


class TableBody(msgspec.Struct, kw_only=True):
    """A table to open."""

    number: Annotated[int, Meta(ge=1, le=9_999)]
    seats: Annotated[list[SeatBody], Meta(min_length=1, max_length=10)]
    round: Annotated[int, Meta(ge=1, le=999)] = 1
    name: Annotated[str, Meta(max_length=100)] = ""
    ask_first: bool = False


class TableRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One table in a list of tables."""

    id: UUID
    round: int
    number: int
    version: int
    deals: int
    name: str = ""
    is_finished: bool = False
    is_closed: bool = False
    is_cancelled: bool = False
    has_conflict: bool = False
    has_totals: bool = False


@holding(FIELDS, after="is_tied")
class BoardLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One player on the leaderboard. Shared places are marked as tied; numbers a variant does not have are left out.

    In a planned tournament `stage` is the last one reached, `score` the number by which its standings are ordered, and
    `decided` the tie-break that separated tied players. `variant` is set if the stage plays another game.

    Numbers and counts are added over the tables that count: of the stage in a planned tournament, else all, or the
    latest if the game does not add up. Amounts, in minor units, are those of the whole tournament: `payout_minor` is
    what its tables paid; once a planned tournament is closed, `prize_minor` what its prize pool and side pots paid, and
    `net_minor` both less what was paid in.

    Counts of deals are null where no deal is known: before the first, and at tables entered by their totals.
    """

    place: int
    player: str
    name: str
    table: int
    round: int = 1
    is_tied: bool = False
    stage: int = 0
    score: str = ""
    decided: str = ""
    variant: str = ""
    prize_minor: int | None = None
    net_minor: int | None = None
    is_hidden: bool = False


class BoardAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A leaderboard as of a position of the club's log.

    `unlisted` is how many players who left are hidden from the public; all others keep their places. Logins of the
    club get their rows too, with `is_hidden`.
    """

    tournament: UUID
    name: str
    club: UUID
    variant: str
    currency: str
    position: int
    is_finished: bool
    recorded_at: datetime | None
    fingerprint: str
    rows: list[BoardLine]
    tables: list[TableRow]
    unlisted: int = 0


@holding(OF_A_SEAT, after="place")
class SeatAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One seat of a table. Counts of deals are null where no deal is known."""

    player: str
    name: str
    place: int


class CellAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One seat on one line of the sheet: its outcome, its points, and the total after the line.

    `how` is the outcome of a deal, or the kind of an action of the seat. `said` is the outcome in English, `count` the
    number on the sheet, `points` the change of the total.
    """

    how: str = ""
    said: str = ""
    count: int | None = None
    is_win: bool = False
    points: int | None = None
    total: int | None = None
    chips: int | None = None
    net_points: int | None = None
    is_out: bool = False
    went_out: bool = False


class LineAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the sheet. `corrected_at` is the version of the event that corrected or cancelled the deal.

    `remarks` are about the whole deal; `notes` are its consequences, such as eliminations.
    """

    version: int
    kind: str
    cells: dict[str, CellAnswer]
    deal: int | None = None
    remarks: list[str] = []
    notes: list[str] = []
    is_void: bool = False
    corrected_at: int | None = None


class PanelAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A small table shown beside the standings: the games of a gin table, or the boxes of a Rummy Royal board."""

    title: str
    heading: list[str]
    rows: list[list[str]]


class TableAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A table as of one version: its setup, its seats, and its sheet line by line."""

    id: UUID
    tournament: UUID
    club: UUID
    round: int
    number: int
    name: str
    version: int
    variant: str
    options: Any
    stakes: Any
    status: Literal["open", "closed", "cancelled"]
    is_finished: bool
    has_totals: bool
    next_deal: int
    in_play: list[str]
    seats: dict[str, SeatAnswer]
    winners: list[str]
    payouts_minor: dict[str, int]
    fee_minor: int
    ranked_by: Literal["total", "chips", "net_points"]
    low_is_good: bool
    finish_line: int | None
    conflicts: list[str]
    panels: list[PanelAnswer]
    lines: list[LineAnswer]
    recorded_at: datetime
    fingerprint: str


class SheetField(fields.SheetField, frozen=True, kw_only=True):
    """One field to enter. `path` is its place in the event: ["counts"], ["boxes", "AH"], ["hands", 0, "ending"].

    `per_seat`: one value for each seat, with the seat as the last step of the path. `group` is the heading under which
    fields are grouped, `note` the current content (chips in a box), `seats` those that may be chosen (null: all who
    take part). `nobody`: the meaning of choosing no seat, if that is possible; the value is then null. `mark`: on paper
    a seat field may be this text in the player's own cell. `is_rare`: collapsed on a page.
    """

    group: str = ""
    help: str = ""
    note: str = ""


class EntryFormAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The form of the next deal at a table. `due` is the kind of event to send, `seats` the players who take part.

    Put a value at the `path` of its field in the event; if the field is `per_seat`, the seat is one more step. Leave
    out empty values. `deals_to_replay` are the numbers of cancelled deals that may be played again.
    """

    table: UUID
    version: int
    variant: str
    due: Literal["deal_recorded", "tiebreak_recorded", "nothing"]
    deal: int
    deals_to_replay: list[int]
    dealer: str | None
    seats: dict[str, str]
    fields: list[SheetField]


class EventBody(msgspec.Struct, kw_only=True):
    """An event to store as the version after `expected_version`. Its fields: docs/events.md."""

    expected_version: Version
    event: TableEventJson
    occurred_at: Moment | None = None


class EventAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stored event and its version. `actor`, `device` and the reason are only for people with a role in the club.

    `event`, `id` and `hash` are null of an event about money for those who may not see the books.
    """

    version: int
    event: dict[str, Any] | None
    id: UUID | None
    position: int
    schema: int
    recorded_at: datetime
    occurred_at: datetime
    hash: str | None
    actor: str | None = None
    device: str | None = None


class EventsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Events of a table after a version. `next_after` is the value of `after` for the next page, null at the end."""

    table: UUID
    version: int
    events: list[EventAnswer]
    next_after: int | None


class Page(msgspec.Struct, Generic[Item], frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Item]
    next_offset: Annotated[int | None, Meta(description="`offset` of the next page; null at the end, or with `cursor`")]
    next: Annotated[str | None, Meta(description="Address of the next page, with its `cursor`; null at the end")] = None
    left_out: Annotated[int, Meta(ge=0, description="Rows of this page that cannot be shown")] = 0


class ClubPage(Page[ClubAnswer], frozen=True, kw_only=True):
    """A page of clubs."""


class TournamentPage(Page[TournamentAnswer], frozen=True, kw_only=True):
    """A page of tournaments."""


class PlayerPage(Page[PlayerAnswer], frozen=True, kw_only=True):
    """A page of players."""


class TablePage(Page[TableRow], frozen=True, kw_only=True):
    """A tournament's tables, in the order of rounds and numbers."""


class VariantsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """All variants of the game, with their presets and house options."""

    items: list[dict[str, Any]]
