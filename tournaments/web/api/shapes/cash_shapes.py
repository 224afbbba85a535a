"""The answers and bodies of a club's cash desk: the night's book, its tills and lines, and what players have.

Rules: docs/api.md, "The cash desk". A field that is left out of an answer has the default given here.
"""

from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import Meta

from tournaments.models.bounds import MOST_COUNT
from tournaments.web.api.shapes.tables import EventAnswer

SeenLine = Annotated[int, Meta(ge=0, le=MOST_COUNT)]


class TillAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody's till. What it should hold is told to whoever directs, and to everybody once it was counted."""

    till: str
    name: str
    float_minor: int
    is_open: bool
    counted_minor: int | None = None
    held_minor: int | None = None


class CashAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The book that is open now, with its lines after a version. `book` is null before the first line."""

    club: UUID
    currency: str
    book: UUID | None
    version: int
    tills: list[TillAnswer]
    lines: list[EventAnswer]
    next_after: int | None


class CashLineBody(msgspec.Struct, kw_only=True):
    """A line to write in the open book. What its fields mean: docs/events.md, "Cash books"."""

    event: dict[str, Any]
    expected_version: SeenLine = 0
    book: UUID | None = None


class CashLineAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The line that was written; a deed that was done already names the book as it stands."""

    book: UUID
    line: int
    version: int
    is_closed: bool


class BalanceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a player has in the club; below nought they owe it. `credit_minor` is how far they may."""

    player: str
    name: str
    balance_minor: int
    credit_minor: int


class BalancesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody who has or owes something, or was granted credit, A to Z."""

    club: UUID
    currency: str
    items: list[BalanceAnswer]
