"""Short words and numbers as pages print them: endings of a deal, places, times of the club's own clock."""

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from scoring.projections.scoresheet import Cell
from scoring.projections.telling import KIND_TITLES, isolated
from scoring.rules.sheet_fields import SeatMark

MINUS = "−"

# What fits under a number on a score sheet, of acts between deals; the full word stands beside it for those who listen.
ACTS_SHORT = {"rejoined": "rejoin", "penalty_given": "penalty", "seat_left": "left", "bought_in": "buy-in"}
HELD = "held"
NUMBER_TITLES = {"total": "Total", "chips": "Chips", "net_points": "Net points"}


class Moment(NamedTuple):
    """One moment: for machines, and as the club's clock and calendar say it."""

    iso: str
    clock: str
    day: str

    @property
    def said(self) -> str:
        return f"{self.day}, {self.clock}"


def how_said(cell: Cell, change: int | None = None) -> str:
    """The full word for a seat's part in a line, with its number where the change says another one."""
    if cell.mark is not None:
        return cell.mark.title if _is_told(cell.mark, change) else cell.mark.said
    return KIND_TITLES.get(cell.how) or cell.how.replace("_", " ").capitalize()


def how_short(cell: Cell, change: int | None = None) -> str:
    """The short word for it; empty for a plain loss, whose number says it all."""
    if cell.mark is not None:
        return cell.mark.short if _is_told(cell.mark, change) else f"{cell.mark.short or HELD} {cell.mark.count}"
    return ACTS_SHORT.get(cell.how, cell.how.replace("_", " "))


def _is_told(mark: SeatMark, change: int | None) -> bool:
    """Whether the number of a mark needs no word of its own: there is none, or the change is that number."""
    return mark.count is None or change is None or abs(change) == mark.count


def line_title(kind: str, deal: int | None) -> str:
    """What a line of the sheet is: a deal by its number, or the act."""
    if deal is None or kind == "tiebreak_recorded":
        return KIND_TITLES.get(kind, kind.replace("_", " ").capitalize())
    return f"Deal {deal}"


def signed(number: int) -> str:
    """A number with its sign, with a real minus."""
    return f"+{number}" if number > 0 else f"{MINUS}{-number}" if number < 0 else "0"


def plain(number: int) -> str:
    """A number with a real minus where it is negative."""
    return f"{MINUS}{-number}" if number < 0 else str(number)


def place_said(place: int, *, is_tied: bool) -> str:
    """A place as it is printed: a shared one carries an equals sign."""
    return f"={place}" if is_tied else str(place)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: Asha, Bo and Cy."""
    said = [isolated(name) for name in names]
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}" if said else ""


def moment(when: datetime, zone: tzinfo) -> Moment:
    """A moment on the club's clock."""
    local = when.astimezone(zone)
    return Moment(local.isoformat(timespec="seconds"), f"{local:%H:%M:%S}", f"{local:%a} {local.day} {local:%b %Y}")


@lru_cache(maxsize=64)
def zone_of(name: str) -> tzinfo:
    """The club's time zone; UTC where its name is unknown on this machine."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
