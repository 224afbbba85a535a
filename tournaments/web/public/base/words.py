"""Short words and numbers as pages print them: endings of a deal, places, times of the club's own clock."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import NamedTuple

from django.utils.translation import gettext, gettext_noop

from scoring.rules.table.fields import SeatMark
from scoring.rules.table.standing import COLUMNS
from scoring.sheets.scoresheet import Cell
from scoring.sheets.telling import KIND_TITLES, isolated
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.translating import mark_text, translate

MINUS = formatting.MINUS

# What fits under a number on a score sheet, of acts between deals; the full word stands beside it for those who listen.
ACTS_SHORT = {
    "rejoined": gettext_noop("rejoin"),
    "penalty_given": gettext_noop("penalty"),
    "seat_left": gettext_noop("left"),
    "bought_in": gettext_noop("buy-in"),
}
HELD = gettext_noop("held")


class Moment(NamedTuple):
    """One moment: for machines, and as the club's clock, with and without its seconds, and calendar say it."""

    iso: str
    clock: str
    short: str
    day: str

    @property
    def said(self) -> str:
        return f"{self.day}, {self.clock}"


def ending_text(cell: Cell, change: int | None = None) -> str:
    """The full word for a seat's part in a line, with its number where the change says another one."""
    if cell.mark is not None:
        return translate(cell.mark.title) if _shows_number(cell.mark, change) else mark_text(cell.mark)
    return translate(KIND_TITLES.get(cell.how) or cell.how.replace("_", " ").capitalize())


def how_short(cell: Cell, change: int | None = None) -> str:
    """The short word for it; empty for a plain loss, whose number says it all."""
    if cell.mark is not None:
        short = translate(cell.mark.short)
        return short if _shows_number(cell.mark, change) else f"{short or gettext(HELD)} {plain(cell.mark.count or 0)}"
    return gettext(ACTS_SHORT.get(cell.how, cell.how.replace("_", " "))) if cell.how else ""


def _shows_number(mark: SeatMark, change: int | None) -> bool:
    """Whether the number of a mark needs no word of its own: there is none, or the change is that number."""
    return mark.count is None or change is None or abs(change) == mark.count


def line_title(kind: str, deal: int | None) -> str:
    """What a line of the sheet is: a deal by its number, or the act."""
    if deal is None or kind == "tiebreak_recorded":
        return translate(KIND_TITLES.get(kind, kind.replace("_", " ").capitalize()))
    return gettext("Deal {deal}").format(deal=plain(deal))


def number_title(name: str) -> str:
    """What a running number is called."""
    return gettext(COLUMNS[name].title)


def number_text(name: str, number: int | None) -> str:
    """A field of a standing as it is printed: with its sign where it tells by how much somebody is ahead."""
    if number is None:
        return ""
    return signed(number) if COLUMNS[name].is_signed else plain(number)


def started(text: str) -> str:
    """A sentence with a capital letter."""
    return text[:1].upper() + text[1:]


def signed(number: int) -> str:
    """A number with its sign, with a real minus."""
    return f"+{formatting.number(number)}" if number > 0 else formatting.number(number)


def plain(number: int) -> str:
    """A number with a real minus where it is negative."""
    return formatting.number(number)


def place_text(place: int, *, is_tied: bool) -> str:
    """A place as it is printed: a shared one carries an equals sign."""
    return f"={formatting.number(place)}" if is_tied else formatting.number(place)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: Asha, Bo and Cy."""
    return formatting.listed([isolated(name) for name in names])


def moment(when: datetime, zone: tzinfo) -> Moment:
    """A moment on the club's clock."""
    local = when.astimezone(zone)
    return Moment(
        local.isoformat(timespec="seconds"),
        formatting.clock(local, "%H:%M:%S"),
        formatting.clock(local),
        formatting.day(local.date()),
    )
