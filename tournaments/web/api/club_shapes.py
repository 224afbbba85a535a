"""The answers and bodies about a club as a whole: who one is there, its people, settings, device links and log.

Rules: docs/reference/api.md, "Authentication", "The log" and "Players, people and the club". A field that is left out
of an answer has the default given here.
"""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tournaments.models.access import MOST_INVITED_NAME, MOST_INVITED_NOTE
from tournaments.models.people import MOST_BOX_DAYS, MOST_TOKEN_DAYS, MOST_YEARS_OF_NAMES
from tournaments.web.api.table_shapes import Moment, Page, Text

RoleName = Literal["owner", "director", "scorer", "cashier", "checkin", "auditor", "display"]


class TokenAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A device link. It stands for the club: `made_by` is who made it, and may have left since.

    `ends_soon`: it works now, and ends within 14 days. `ended_with_password`: revoked because its maker has a new
    password.
    """

    id: UUID
    club: UUID
    name: str
    role: RoleName
    prefix: str
    created_at: datetime
    made_by: str = ""
    last_used_at: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    ends_soon: bool = False
    ended_with_password: bool = False


class TokenPage(Page[TokenAnswer], frozen=True, kw_only=True):
    """A page of device links."""


class TokenBody(msgspec.Struct, kw_only=True):
    """A new device link. Its role is not above one's own."""

    name: Annotated[str, Meta(min_length=1, max_length=100, description="The device or program that uses it")]
    role: RoleName
    expires_at: Annotated[
        Moment | None, Meta(description="Not later than the club's links end, which is when it ends if left out")
    ] = None


class IssuedToken(TokenAnswer, frozen=True, kw_only=True, omit_defaults=True):
    """The new device link. `secret` is the bearer token, shown in the first answer alone."""

    secret: str | None = None


class RevokeBody(msgspec.Struct, kw_only=True):
    """Nothing needs to be given."""


class RoleAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A club that one works for, and as what."""

    club: UUID
    name: str
    role: RoleName


class OwnTill(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One's own open till in the open cash book of a currency."""

    club: UUID
    currency: str
    book: UUID
    till: str
    float_minor: int
    counted_minor: int | None = None


class MeAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who sent this request. `actor` is the name under which the log has what they do.

    `token` is the device link that was sent, `table` the table of the seat's card that was. `left_out` counts the
    tills whose cash book cannot be read.
    """

    actor: str
    name: str
    roles: list[RoleAnswer] = []
    tills: list[OwnTill] = []
    token: TokenAnswer | None = None
    table: UUID | None = None
    is_site_admin: bool = False
    left_out: int = 0


class LogEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event of the club. `stream` is the id of its table, tournament or cash book, or the club's own.

    `event` is what it says, and `id` and `hash` prove it. All three are left out of an event about money for those who
    may not see the books.
    """

    position: int
    kind: str
    stream: UUID
    stream_kind: Literal["table", "tournament", "cash", "club"]
    version: int
    schema: int
    recorded_at: datetime
    occurred_at: datetime
    actor: str
    device: str
    event: dict[str, Any] | None = None
    id: UUID | None = None
    hash: str | None = None


class LogAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Events behind a position, none left out. `position` is the last one now; `next_after` is null at the end."""

    club: UUID
    position: int
    events: list[LogEntry]
    next_after: int | None


# What the club says about itself, and how it keeps things.

CashRoundingWord = Literal["nearest", "player"]
ClubNaming = Literal["full", "first", "initials"]
NameSuffixWord = Literal["letters", "number", "initial", "year"]
SmallestCash = Annotated[
    dict[str, Annotated[int, Meta(ge=1, le=1_000_000)]],
    Meta(description="By currency, in minor units; a currency that is left out is exact"),
]
TokenDays = Annotated[int, Meta(ge=1, le=MOST_TOKEN_DAYS, description="Null: device links never end")]


class SettingsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a club, as on its page."""

    club: UUID
    name: str
    slug: str
    currency: str
    timezone: str
    locale: str
    keeps_limits: bool
    smallest_cash: dict[str, int]
    cash_rounding: CashRoundingWord
    naming: ClubNaming
    telling: NameSuffixWord
    is_published: bool
    shows_money: bool
    about: str
    venue: str
    website: str
    token_days: int | None
    tokens_end_with_password: bool
    requires_second_factor: bool
    keep_names_years: int
    keeps_boxes_days: int
    has_player_links: bool


class SettingsFields(msgspec.Struct, kw_only=True):
    """Settings of a club; those that are left out do not matter.

    `keeps_limits`: players need balance or credit to play. `naming`: how public pages show players. `telling`: what
    stands behind the name of the second player of a name.
    """

    name: Text | UnsetType = UNSET
    slug: Annotated[str, Meta(min_length=1, max_length=60, pattern="^[-a-zA-Z0-9_]+$")] | UnsetType = UNSET
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")] | UnsetType = UNSET
    timezone: Annotated[str, Meta(min_length=1, max_length=60)] | UnsetType = UNSET
    locale: Annotated[str, Meta(min_length=1, max_length=20)] | UnsetType = UNSET
    keeps_limits: bool | UnsetType = UNSET
    smallest_cash: SmallestCash | UnsetType = UNSET
    cash_rounding: CashRoundingWord | UnsetType = UNSET
    naming: ClubNaming | UnsetType = UNSET
    telling: NameSuffixWord | UnsetType = UNSET
    is_published: bool | UnsetType = UNSET
    shows_money: bool | UnsetType = UNSET
    about: Annotated[str, Meta(max_length=2_000)] | UnsetType = UNSET
    venue: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    website: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    token_days: TokenDays | UnsetType | None = UNSET
    tokens_end_with_password: bool | UnsetType = UNSET
    requires_second_factor: bool | UnsetType = UNSET
    keep_names_years: Annotated[int, Meta(ge=0, le=MOST_YEARS_OF_NAMES)] | UnsetType = UNSET
    keeps_boxes_days: Annotated[int, Meta(ge=0, le=MOST_BOX_DAYS)] | UnsetType = UNSET
    has_player_links: bool | UnsetType = UNSET


class SettingsBody(SettingsFields, kw_only=True):
    """What is to change; what is left out stays. `expected`: values you saw; nothing is saved if one has changed."""

    expected: SettingsFields | UnsetType = UNSET


# Who works for the club, and who is invited.


class ClubPerson(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who works for the club. `actor` is the name under which the log has what they do.

    `last_seen` is exact to about ten minutes, null for somebody who never signed in. `devices`: how many device links
    that they made work now.
    """

    id: UUID
    actor: str
    login: str
    name: str
    role: RoleName
    last_seen: datetime | None
    has_second_factor: bool
    devices: int


class ClubPersonPage(Page[ClubPerson], frozen=True, kw_only=True):
    """A page of people."""


class RoleBody(msgspec.Struct, kw_only=True):
    """Another role, and the one that you saw."""

    role: RoleName
    expected_role: RoleName
    revokes_devices: bool = False


class RemovePersonBody(msgspec.Struct, kw_only=True):
    """`revokes_devices`: the device links that they made end too."""

    revokes_devices: bool = False


class PasswordLinkBody(msgspec.Struct, kw_only=True):
    """`forgets_second_factor`: for a phone or key that is lost."""

    forgets_second_factor: bool = False


class InvitationBody(msgspec.Struct, kw_only=True):
    """Whom to invite. `name` tells open invitations apart; the invited person reads `note`."""

    role: RoleName
    name: Annotated[str, Meta(max_length=MOST_INVITED_NAME)] = ""
    note: Annotated[str, Meta(max_length=MOST_INVITED_NOTE)] = ""


class InvitationAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A link that works once: an invitation to a role, or for the `login` a choice of a new password."""

    id: UUID
    kind: Literal["invite", "password"]
    role: RoleName | None
    login: str | None
    name: str
    note: str
    made_by: str
    made_at: datetime
    expires_at: datetime
    used_at: datetime | None
    revoked_at: datetime | None


class InvitationPage(Page[InvitationAnswer], frozen=True, kw_only=True):
    """A page of links."""


class IssuedInvitation(InvitationAnswer, frozen=True, kw_only=True):
    """The new link. `code` and `address` are in the first answer alone."""

    code: str | None
    address: str | None


class RevokeInvitationBody(msgspec.Struct, kw_only=True):
    """Ends a link that nobody has used."""
