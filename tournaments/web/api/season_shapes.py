"""The answers and bodies about a club's seasons and ratings.

Rules: docs/reference/api.md, "Seasons and ratings". A field that is left out of an answer has the default given here.
Points that need not be whole numbers are exact fractions as text, such as `62/3`.
"""

from datetime import date, datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from scoring.seasons.formula import Formula
from tournaments.web.api.table_shapes import Page, Text
from tournaments.web.api.tournament_shapes import ProblemPart


class SeasonAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A season, both of its days included."""

    id: UUID
    club: UUID
    name: str
    slug: str
    starts_on: date
    ends_on: date
    is_published: bool
    closed_at: datetime | None = None


class SeasonDetails(SeasonAnswer, frozen=True, kw_only=True, omit_defaults=True):
    """A season with its formula. `has_begun`: it has been played by, so that the formula and the first day are fixed.

    `tables` are the names of its standings, the season's own first, which has none. `is_behind`: the standings are
    being calculated.
    """

    formula: Formula
    has_begun: bool
    tables: list[str]
    computed_at: datetime | None = None
    is_behind: bool = False


class SeasonPage(Page[SeasonAnswer], frozen=True, kw_only=True):
    """A page of seasons."""


class SeasonBody(msgspec.Struct, kw_only=True):
    """A new season, both of its days included. Its formula cannot change once it has been played by."""

    name: Text
    starts_on: date
    ends_on: date
    is_published: bool = False
    formula: Formula = Formula()


class SeasonChange(msgspec.Struct, kw_only=True):
    """What is to change of a season; what is left out stays. A formula is given whole."""

    name: Text | None = None
    starts_on: date | None = None
    ends_on: date | None = None
    is_published: bool | None = None
    formula: Formula | None = None


class SeasonAct(msgspec.Struct, kw_only=True):
    """Nothing needs to be given."""


class SeasonNight(msgspec.Struct, frozen=True, kw_only=True):
    """A player's result in a tournament. `tournament` and `name` are null where it is no longer published.

    In a preview a tournament has neither name nor day.
    """

    tournament: UUID | None
    name: str | None
    day: date | None
    place: int
    sharing: int
    points: str
    counts: bool


class SeasonLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player of a season. Without a `place` while tournaments are `missing` for one.

    `decided_by` is the tie-break that put the player behind or before others of the same `total`.
    """

    player: str
    name: str
    total: str
    nights: list[SeasonNight]
    place: int | None = None
    is_tied: bool = False
    attendance: int = 0
    missing: int = 0
    decided_by: str = ""


class StandingsPage(Page[SeasonLine], frozen=True, kw_only=True):
    """A page of standings, best first; those without a place are last."""


class PreviewedTable(msgspec.Struct, frozen=True, kw_only=True):
    """The standings of one table, best first; `table` is empty for that of all tournaments."""

    table: str
    tournaments: int
    lines: list[SeasonLine]


class SeasonPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What a formula makes of the tournaments that were closed so far."""

    tables: list[PreviewedTable]


class SeasonClosing(msgspec.Struct, frozen=True, kw_only=True):
    """What prevents a season from being closed; it is `ready` if nothing does."""

    season: UUID
    is_closed: bool
    ready: bool
    problems: list[ProblemPart]


Thousandths = Annotated[int, Meta(description="In thousandths")]


class RatingAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player's rating, in thousandths. `rating` orders the list: the estimate less three deviations.

    `trail` is the rating after each tournament, the oldest first.
    """

    player: str
    name: str
    place: int
    rating: Thousandths
    estimate: Thousandths
    deviation: Thousandths
    nights: int
    tables: int
    trail: list[Thousandths]
    is_tied: bool = False


class RatingPage(Page[RatingAnswer], frozen=True, kw_only=True):
    """A page of ratings, the strongest first."""
