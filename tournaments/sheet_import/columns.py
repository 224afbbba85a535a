"""The line of a sheet that begins with “Deal”: which column belongs to which player, and what the other columns hold.

Rules: docs/how-to/importing.md, "The line with the players". Knows nothing of the lines below it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from scoring.messages import Day, decimals, say
from scoring.money.payouts import FULL_BP
from scoring.problems import Problem
from scoring.rules.table.fields import Choice, SheetField
from tournaments.models.bounds import FIRST_DAY, LAST_DAY, is_moment_in_the_calendar
from tournaments.rendering.i18n.formatting import local_time, written
from tournaments.sheet_import import CellUnread, Row, at_row, plain
from tournaments.sheet_import.forms import Column, DealForm

NOTE = "note"
Meant = TypeVar("Meant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The column of each seat, and the contents of the other columns."""

    seats: dict[str, int]
    note_at: int | None
    width: int
    beside: dict[int, Column] = field(default_factory=dict)

    def note(self, row: Row) -> str:
        return "" if self.note_at is None else row.cell(self.note_at)

    def marked(self, row: Row) -> dict[str, str]:
        """Return the seats whose cell on this row is not empty."""
        return {seat: row.cell(column) for seat, column in self.seats.items() if row.cell(column)}

    def other_cells(self, row: Row) -> dict[int, str]:
        """Return the other columns that are not empty on this row."""
        return {column: row.cell(column) for column in self.beside if row.cell(column)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The line with the players: their names in seat order, the columns, and the form of their deals.

    `form` is None where the game is unknown, or cannot be played by so many.
    """

    players: tuple[str, ...]
    columns: Columns
    form: DealForm | None
    problems: tuple[Problem, ...] = ()


def read_head(row: Row, forms: Mapping[int, DealForm]) -> Head:
    """Parse the line with the players. A word is a player's name unless it is a column heading of this game."""
    column_words = {word for form in forms.values() for word in form.columns}
    cells = dict(enumerate(row.cells[1:], start=1))
    note_at = next((at for at, cell in cells.items() if plain(cell) == NOTE), None)
    beside = {at: cell for at, cell in cells.items() if plain(cell) in column_words and at != note_at}
    names = {at: cell for at, cell in cells.items() if cell and at not in beside and plain(cell) != NOTE}
    form = forms.get(len(names))
    words = form.columns if form is not None else {}
    columns = Columns(
        seats={str(seat): at for seat, at in enumerate(names, start=1)},
        note_at=note_at,
        width=len(row.cells),
        beside={at: words[plain(cell)] for at, cell in beside.items() if plain(cell) in words},
    )
    problems = [*_gap_problems(cells), *_name_problems(names), *_column_problems(cells, columns, names, form)]
    placed = tuple(at_row(row.number, problem) for problem in problems)
    return Head(players=tuple(names.values()), columns=columns, form=form, problems=placed)


def _gap_problems(cells: Mapping[int, str]) -> Iterator[Problem]:
    for at, cell in cells.items():
        if not cell:
            detail = say("column {number} has no player above it", number=at + 1)
            yield Problem("missing_name", detail, field=f"column {at + 1}")


def _name_problems(names: Mapping[int, str]) -> Iterator[Problem]:
    for name, times in Counter(plain(name) for name in names.values()).items():
        if times > 1:
            yield Problem("player_seated_twice", say("{name} has {number} columns", name=repr(name), number=times))
    if not names:
        yield Problem(code="missing_name", detail=say("no player has a column"))


def _column_problems(
    cells: Mapping[int, str], columns: Columns, names: Mapping[int, str], form: DealForm | None
) -> Iterator[Problem]:
    """Report words that look like a column but are none here, and columns that occur twice."""
    if form is None:
        return
    first = min(columns.beside, default=None)
    offered = (*form.column_titles, "Note")
    for at, cell in names.items():
        if first is not None and min(names) < first < at:
            detail = say(
                "column {number} {typed} is not one of {list}; if it is a player, put it beside the others",
                number=at + 1,
                typed=repr(cell),
                list=offered,
            )
            yield Problem(code="unknown_column", field=f"column {at + 1}", detail=detail)
    for at, cell in cells.items():
        if cell and at not in columns.beside and at not in names and plain(cell) != NOTE:
            detail = say(
                "column {number} {typed} has no place at a table of {of}; the columns are {list}",
                number=at + 1,
                typed=repr(cell),
                of=len(names),
                list=offered,
            )
            yield Problem(code="unknown_column", field=f"column {at + 1}", detail=detail)
    for column, times in Counter(columns.beside.values()).items():
        if times > 1:
            yield Problem("column_twice", say("{name} has {number} columns", name=repr(column.title), number=times))


# Which seat a name in a cell means, and the meaning of other words: first names, `x` for yes, `-` for nobody.
YES = frozenset({"yes", "y", "x", "true", "1", "✓", "✔"})
NOTHING = frozenset({"-", "–", "—", "−", "x"})
NO = frozenset({"no", "n", "false", "0", *NOTHING}) - YES
NOBODY = frozenset({"nobody", "none", *NOTHING}) - {"x"}
# Words that people use for the ending of a deal, besides the game's own.
ENDINGS = {"stock": "count_now", "count now": "count_now", "wrong show": "void_others", "void others": "void_others"}
ENTRIES = re.compile(r"\s*[,;]\s*")


def entries(text: str) -> list[str]:
    """Split a cell into its entries."""
    return [entry for entry in ENTRIES.split(text) if entry]


def seat_of(text: str, names: Mapping[str, str]) -> str | None:
    """Find the seat that a cell names: by the player's name, by its unambiguous beginning, or by the seat's number."""
    word = plain(text)
    names_by_seat = {seat: plain(name) for seat, name in names.items()}
    whole = [seat for seat, name in names_by_seat.items() if name == word]
    begun = [seat for seat, name in names_by_seat.items() if name.startswith(f"{word} ")]
    for seats in (whole, begun):
        if len(seats) == 1:
            return seats[0]
    number = word.removeprefix("seat ")
    return number if number in names else None


def seat_and_rest(text: str, names: Mapping[str, str]) -> tuple[str, str] | None:
    """Split off the seat from the text after its name: `Asha Rao 20`."""
    return _longest(text, lambda part: seat_of(part, names))


def field_and_rest(text: str, named: Mapping[str, SheetField]) -> tuple[SheetField, str] | None:
    """Split off the field from the text after its word: `10H Asha`."""
    return _longest(text, lambda part: named.get(plain(part)))


def _longest(text: str, meant: Callable[[str], Meant | None]) -> tuple[Meant, str] | None:
    """Find the longest beginning with a meaning, and return it with the words after it: at least one."""
    words = text.split()
    ways = ((meant(" ".join(words[:size])), " ".join(words[size:])) for size in range(len(words) - 1, 0, -1))
    return next(((meaning, rest) for meaning, rest in ways if meaning is not None), None)


def is_nobody(text: str, field: SheetField) -> bool:
    """Whether a cell says that no seat is meant, in a field that allows it."""
    nobody, word = plain(field.nobody), plain(text)
    return bool(nobody) and (word in NOBODY or word in (nobody, nobody.partition(":")[0]))


def choice_of(text: str, choices: Sequence[Choice]) -> str | None:
    """Return the stored value of a choice, found by that value or by its title."""
    word = plain(text).replace("_", " ")
    for choice in choices:
        if word in (choice.value.replace("_", " "), plain(choice.title)):
            return choice.value
    return ENDINGS.get(word) if not choices or ENDINGS.get(word) in {choice.value for choice in choices} else None


# Amounts, shares, dates and house options as people write them on paper.
SYMBOLS = re.compile(r"^(?:₹|rs\.?|€|\$|£|[a-z]{3})\s*|\s*(?:/-|₹|rs\.?|€|\$|£|[a-z]{3})$")
GROUPED = re.compile(r"\d{1,3}(?:[ ,.'\u00a0\u202f]\d{2,3})*")
PLAIN = re.compile(r"\d{1,15}")
FRACTION = re.compile(r"^(.*?)([.,])(\d+)$")
# As many digits after a decimal mark as a group of thousands has.
A_GROUP = 3
SHARE = re.compile(r"(\d{1,5})(?:[.,](\d{1,2}))? ?(%|bp|basis points)")
DATES = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%d %B %Y", "%d %b %Y")
TIMES = ("", " %H:%M", " %H.%M")
WITH_OFFSET = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})([+-]\d{2}:\d{2})")
WORDS: dict[str, Any] = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False, "none": None}


def read_amount(text: str, currency: str) -> int:
    """Parse an amount into minor units: `1000`, `1,000.00`, `Rs 2`, `12,50`; `1000.500` of dinars."""
    bare = SYMBOLS.sub("", SYMBOLS.sub("", text.casefold().strip())).strip()
    places = decimals(currency)
    whole, fraction = _parted(bare, text, places)
    if not (PLAIN.fullmatch(whole) or GROUPED.fullmatch(whole)):
        raise CellUnread(say("{name} is not an amount; write for example 1000.00", name=repr(text)))
    scale: int = 10**places
    return int(re.sub(r"\D", "", whole)) * scale + int(fraction.ljust(places, "0") or 0)


def _parted(bare: str, text: str, places: int) -> tuple[str, str]:
    """Split an amount at its decimal mark. Raises CellUnread where the mark may group thousands instead."""
    match = FRACTION.match(bare)
    if not match or len(match[3]) > places:
        return bare, ""
    before, mark, digits = match.groups()
    if len(digits) == A_GROUP:
        if mark in before:
            return bare, ""
        # 1,000 is a thousand dinars to one club and one dinar to another; programs write decimals with a point.
        if mark == "," and before.isdecimal():
            start, end = f"{before}.{digits}", f"{before}{digits}"
            raise CellUnread(
                say("{name} may be two amounts; write {start} or {end}", name=repr(text), start=start, end=end)
            )
    return before, digits


def read_share(text: str) -> int:
    """Parse a share into basis points: `12 %`, `12.5%`, `1200 bp`."""
    match = SHARE.fullmatch(plain(text))
    if not match:
        raise CellUnread(say("{name} is not a share; write for example 12 %", name=repr(text)))
    whole, fraction, unit = match.groups()
    if unit != "%" and fraction:
        raise CellUnread(say("{name} is not a share; write for example 12 %", name=repr(text)))
    return int(whole) * (FULL_BP // 100 if unit == "%" else 1) + int((fraction or "").ljust(2, "0"))


def read_moment(text: str, zone: ZoneInfo) -> datetime:
    """Parse a day, with or without the time, on the club's clock; or a moment with its offset from UTC."""
    exact = WITH_OFFSET.fullmatch(text.strip())
    if exact and (moment := _exact(f"{exact[1]}T{exact[2]}{exact[3]}")):
        return _in_the_calendar(moment, text)
    for day in DATES:
        for time in TIMES:
            try:
                moment = datetime.strptime(text.strip(), day + time).replace(tzinfo=zone)
            except ValueError:
                continue
            return _in_the_calendar(_on_the_clock(moment, text) if time else moment, text)
    raise CellUnread(say("{name} is not a date; write for example 2026-01-17 19:30 or 17/01/2026", name=repr(text)))


def _exact(text: str) -> datetime | None:
    """Return a moment with its offset; None for a month 13, or an offset of 99 hours."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _on_the_clock(shown: datetime, text: str) -> datetime:
    """Return the moment of a time on the club's clock. Raises CellUnread where the clock shows it twice, or never."""
    club_time = local_time(shown)
    if club_time.is_clear:
        return club_time.readings[0]
    (start, end), name = map(written, club_time.readings), repr(text)
    raise CellUnread(
        say("{name} comes twice that day (the clocks go back): enter {start} or {end}", name=name, start=start, end=end)
        if club_time.is_shown
        else say(
            "{name} is left out that day (the clocks go forward): enter {start} or {end}",
            name=name,
            start=start,
            end=end,
        )
    )


def _in_the_calendar(moment: datetime, text: str) -> datetime:
    if is_moment_in_the_calendar(moment):
        return moment
    start, end = Day(FIRST_DAY.isoformat()), Day(LAST_DAY.isoformat())
    message = say(
        "{name} is outside the calendar; enter a date from {start} to {end}", name=repr(text), start=start, end=end
    )
    raise CellUnread(message)


def read_number(text: str) -> int:
    """Parse a small whole number."""
    if not re.fullmatch(r"\d{1,4}", text.strip()):
        raise CellUnread(say("{name} is not a whole number of at most 4 digits", name=repr(text)))
    return int(text)


def read_options(cells: tuple[str, ...]) -> dict[str, Any]:
    """Parse house options, one per cell: `max rejoins = 1`, `drop allowed: no`."""
    options: dict[str, Any] = {}
    for cell in cells:
        name, delimiter, value = cell.partition("=" if "=" in cell else ":")
        if not delimiter or not name.strip():
            raise CellUnread(say("{name} is not a house rule; write for example max rejoins = 1", name=repr(cell)))
        options[plain(name).replace(" ", "_")] = _option_value(plain(value))
    return options


def _option_value(text: str) -> Any:
    if text in WORDS:
        return WORDS[text]
    return int(text) if re.fullmatch(r"\d{1,15}", text) else text.replace(" ", "_")
