"""A season's standings from the nights that are kept: which of them are in it, and what its formula makes of them.

Rules: docs/seasons.md, "Nights". A night belongs to the day on which it began by the club's own clock.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from scoring.ledger.digests import moment_text
from scoring.seasons import Formula, SeasonNight, dump_standings, load_formula, load_night, season_standings
from tournaments.models import NightResult, Season
from tournaments.rendering.i18n.local_times import zone_of

_COLUMNS = (
    "tournament_id",
    "tournament__name",
    "tournament__slug",
    "tournament__variant",
    "tournament__preset",
    "tournament__starts_at",
    "club__timezone",
    "position",
    "closed_position",
    "corrected_at",
)


def publication_digest(season: Any) -> bytes:
    """SHA-256 over all that a closed season was published with: its standings follow from nothing else."""
    said = (
        *(season.id.hex, season.club_id.hex, season.name, season.starts_on.isoformat(), season.ends_on.isoformat()),
        *(season.formula, moment_text(season.closed_at), season.final, str(season.final_position)),
    )
    return sha256("\x00".join(said).encode()).digest()


class KeptNight(NamedTuple):
    """A closed night with what was read of it; `state` is left empty where nobody counts it."""

    tournament: UUID
    name: str
    slug: str
    variant: str
    preset: str
    starts_at: datetime
    timezone: str
    position: int
    closed_position: int
    corrected_at: datetime | None
    state: str = ""

    @property
    def day(self) -> date:
        """The day on which it began, where the club is."""
        return self.starts_at.astimezone(zone_of(self.timezone)).date()


def kept_nights(club_id: UUID) -> list[KeptNight]:
    """Every night of a club that counts, the oldest first, in one query."""
    return [KeptNight(*row) for row in _rows_of(club_id).values_list(*_COLUMNS, "state")]


def told_nights(club_id: UUID) -> list[KeptNight]:
    """The nights that pages may name, in one query. One that was taken back is not, before any worker has read that."""
    rows = _rows_of(club_id).filter(tournament__is_published=True)
    return [KeptNight(*row) for row in rows.values_list(*_COLUMNS)]


def _rows_of(club_id: UUID) -> QuerySet[NightResult]:
    return NightResult.objects.filter(club_id=club_id).order_by("tournament__starts_at", "tournament_id")


def nights_between(kept: Iterable[KeptNight], first: date, last: date) -> list[KeptNight]:
    """The nights between two days, both included."""
    return [night for night in kept if first <= night.day <= last]


def season_nights(nights: Iterable[KeptNight]) -> list[SeasonNight]:
    """The nights as a formula counts them. One at which no deal counted was none, and nobody has missed it."""
    read = ((night, load_night(night.state).came) for night in nights)
    return [
        SeasonNight(id=str(night.tournament), variant=night.variant, preset=night.preset, came=came)
        for night, came in read
        if came
    ]


def standings_of(season: Season, kept: Sequence[KeptNight]) -> dict[str, Any]:
    """The columns of a season's table as they follow from the nights."""
    nights = nights_between(kept, season.starts_on, season.ends_on)
    return {
        "state": counted(load_formula(season.formula), nights),
        "position": max((night.position for night in nights), default=0),
    }


def counted(formula: Formula, nights: Sequence[KeptNight]) -> str:
    """The standings over some nights, as they are kept."""
    return dump_standings(season_standings(formula, season_nights(nights)))
