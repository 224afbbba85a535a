"""Short texts and numbers for pages: endings of a deal, places, times on the club's own clock."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import NamedTuple

from django.utils.translation import gettext, gettext_noop

from scoring.rules.table.fields import SeatMark
from scoring.rules.table.standing import COLUMNS
from scoring.sheets.event_messages import KIND_TITLES, isolated
from scoring.sheets.scoresheet import Cell
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.translating import mark_text, translate

MINUS = formatting.MINUS

# Abbreviations of actions between deals under a number on a score sheet; screen readers get the full word.
ACTS_SHORT = {
    "rejoined": gettext_noop("rejoin"),
    "penalty_given": gettext_noop("penalty"),
    "seat_left": gettext_noop("left"),
    "bought_in": gettext_noop("buy-in"),
}
HELD = gettext_noop("held")


class Moment(NamedTuple):
    """One moment: for programs, and on the club's clock and calendar, with and without seconds."""

    iso: str
    clock: str
    short: str
    day: str

    @property
    def text(self) -> str:
        return f"{self.day}, {self.clock}"


def ending_text(cell: Cell, change: int | None = None) -> str:
    """Return the full word for a seat's part in a line, with its number where it differs from the change."""
    if cell.mark is not None:
        return translate(cell.mark.title) if _shows_number(cell.mark, change) else mark_text(cell.mark)
    return translate(KIND_TITLES.get(cell.how) or cell.how.replace("_", " ").capitalize())


def how_short(cell: Cell, change: int | None = None) -> str:
    """Return the short word for it; empty for a plain loss, for which the number is enough."""
    if cell.mark is not None:
        short = translate(cell.mark.short)
        return short if _shows_number(cell.mark, change) else f"{short or gettext(HELD)} {plain(cell.mark.count or 0)}"
    return gettext(ACTS_SHORT.get(cell.how, cell.how.replace("_", " "))) if cell.how else ""


def _shows_number(mark: SeatMark, change: int | None) -> bool:
    """Whether the number of a mark needs no word of its own: there is none, or the change is that number."""
    return mark.count is None or change is None or abs(change) == mark.count


def line_title(kind: str, deal: int | None) -> str:
    """Return the title of a line of the sheet: a deal by its number, or the action."""
    if deal is None or kind == "tiebreak_recorded":
        return translate(KIND_TITLES.get(kind, kind.replace("_", " ").capitalize()))
    return gettext("Deal {deal}").format(deal=plain(deal))


def number_title(name: str) -> str:
    """Return the title of a running number."""
    return gettext(COLUMNS[name].title)


def number_text(name: str, number: int | None) -> str:
    """Format a field of a standing: with its sign where it is a lead."""
    if number is None:
        return ""
    return signed(number) if COLUMNS[name].is_signed else plain(number)


def started(text: str) -> str:
    """Return a sentence with a capital letter."""
    return text[:1].upper() + text[1:]


def signed(number: int) -> str:
    """Format a number with its sign, with a real minus sign."""
    return f"+{formatting.number(number)}" if number > 0 else formatting.number(number)


def plain(number: int) -> str:
    """Format a number, with a real minus sign where it is negative."""
    return formatting.number(number)


def listed(names: Sequence[str]) -> str:
    """Join names in a sentence: Asha, Bo and Cy."""
    return formatting.listed([isolated(name) for name in names])


def moment(when: datetime, zone: tzinfo) -> Moment:
    """Return a moment on the club's clock."""
    local = when.astimezone(zone)
    return Moment(
        local.isoformat(timespec="seconds"),
        formatting.clock(local, "%H:%M:%S"),
        formatting.clock(local),
        formatting.day(local.date()),
    )
