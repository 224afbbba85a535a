"""The answers and bodies about a club as a whole: who one is there, its device links, and its log.

Rules: docs/reference/api.md, "Authentication" and "The log". A field that is left out of an answer has the default
given here.
"""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from tournaments.web.api.table_shapes import Moment, Page

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

    `token` is the device link that was sent, `table` the table of the seat's card that was.
    """

    actor: str
    name: str
    roles: list[RoleAnswer] = []
    tills: list[OwnTill] = []
    token: TokenAnswer | None = None
    table: UUID | None = None
    is_site_admin: bool = False


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
