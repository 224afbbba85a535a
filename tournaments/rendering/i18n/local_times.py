"""A club's clock, and times as it shows them: one that it skips or shows twice is asked about, never guessed.

Rules: docs/decisions/0033. Pure; knows nothing of forms. A moment with its offset from UTC is never in doubt.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

SHOWN = "%Y-%m-%d %H:%M"


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalTime:
    """What a clock's reading may mean. `is_shown`: the clock shows it at all, if perhaps twice."""

    readings: tuple[datetime, ...]
    is_shown: bool

    @property
    def is_clear(self) -> bool:
        return self.is_shown and len(self.readings) == 1


@lru_cache(maxsize=64)
def zone_of(name: str) -> ZoneInfo:
    """A club's time zone; UTC where its name means nothing on this machine: names come and go with its tables."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def local_time(shown: datetime) -> LocalTime:
    """The moments at which the clock of this zone shows this; where it never does, those before and after the gap."""
    moments = sorted({shown.replace(fold=fold).astimezone(UTC) for fold in (0, 1)})
    readings = tuple(moment.astimezone(shown.tzinfo) for moment in moments)
    is_shown = any(one.replace(tzinfo=None, fold=0) == shown.replace(tzinfo=None, fold=0) for one in readings)
    return LocalTime(readings=readings, is_shown=is_shown)


def offset_of(moment: datetime) -> str:
    """How a clock stands to UTC at a moment: UTC+01:00."""
    return f"UTC{written(moment)[-6:]}"


def written(moment: datetime) -> str:
    """A moment with its offset, as it can be typed wherever a moment is: 2026-10-25T02:30+01:00."""
    return moment.isoformat(timespec="minutes")
