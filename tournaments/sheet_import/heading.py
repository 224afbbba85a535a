"""The heading of a score sheet: the club, the tournament, the table, the game, and the stakes.

Rules: docs/how-to/importing.md, "The heading". Knows nothing of the database: `run` checks what exists already.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from scoring.messages import Message, say
from scoring.problems import Problem
from scoring.rules.variants import PRESETS, VARIANTS
from tournaments.sheet_import import CellUnread, Row, at_row, plain
from tournaments.sheet_import.columns import read_amount, read_moment, read_number, read_options, read_share
from tournaments.sheet_import.forms import Played

# The first cell of a heading line -> the field's name here.
LINES = {
    "rummy score sheet": "",
    "score sheet": "",
    "club": "club",
    "tournament": "tournament",
    "event": "tournament",
    "date": "date",
    "round": "round",
    "table": "table",
    "game": "game",
    "preset": "game",
    "variant": "variant",
    "option": "options",
    "options": "options",
    "house rules": "options",
    "currency": "currency",
    "entry": "entry",
    "entry fee": "entry",
    "fee": "fee",
    "house fee": "fee",
    "fee at least": "fee at least",
    "fee at most": "fee at most",
    "levy": "levy",
    "tax": "levy",
    "point value": "point value",
    "scorer": "scorer",
    "director": "scorer",
    "remarks": "",
}
LEVIED_ON = {"gross": "gross", "of gross": "gross", "fee": "fee", "of fee": "fee", "of the fee": "fee"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The content of the heading. Missing lines are None, and taken from the tournament."""

    club: str = ""
    tournament: str = ""
    date: str = ""
    round: int = 1
    table: int = 0
    preset: str | None = None
    variant: str | None = None
    options: dict[str, Any] | None = None
    currency: str | None = None
    entry: str | None = None
    fee_bp: int | None = None
    fee_floor: str | None = None
    fee_cap: str | None = None
    levy: dict[str, Any] | None = None
    point_value: str | None = None
    scorer: str = ""
    rows: dict[str, int] = field(default_factory=dict)

    @property
    def played(self) -> Played | None:
        """The game, if the sheet names it. A preset takes precedence over the bare name of a game."""
        own = self.options or {}
        if self.preset is not None:
            rules, preset = PRESETS[self.preset]
            return Played(variant=rules.name, options={**preset.options, **own})
        return None if self.variant is None else Played(variant=self.variant, options=own)

    def problem(self, line: str, code: str, detail: Message) -> Problem:
        """Return a problem at one of the heading's lines."""
        problem = Problem(code=code, field=line, detail=detail)
        return at_row(self.rows[line], problem) if line in self.rows else problem

    def starts_at(self, zone: ZoneInfo) -> datetime | None:
        """Return the date on the club's clock; None where the sheet has none. Raises CellUnread."""
        return read_moment(self.date, zone) if self.date else None

    def amounts(self, currency: str) -> dict[str, Any]:
        """Return the stakes that the sheet names, amounts in minor units. Raises CellUnread."""
        named = {
            "entry_minor": self.entry,
            "point_value_minor": self.point_value,
            "fee_floor_minor": self.fee_floor,
            "fee_cap_minor": self.fee_cap,
        }
        amounts = {name: read_amount(text, currency) for name, text in named.items() if text is not None}
        share = {} if self.fee_bp is None else {"fee_bp": self.fee_bp}
        return {**amounts, **share, **(self.levy or {})}


def read_heading(rows: Sequence[Row]) -> tuple[Heading, list[Problem]]:
    """Parse the heading, and return it with all of its problems."""
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    places: dict[str, int] = {}
    for row in rows:
        line = _line_of(row)
        if line is None:
            detail = say(
                "{name} is not a heading line; the lines are Club, Tournament, Date, Round, Table, …",
                name=repr(row.cells[0]),
            )
            problems.append(at_row(row.number, Problem(code="unknown_line", detail=detail)))
        elif line in places and line != "options":
            detail = say("{name} is on row {number} already", name=row.cells[0], number=places[line])
            problems.append(at_row(row.number, Problem(code="line_twice", field=line, detail=detail)))
        elif line and len(row.cells) > 1:
            places[line] = row.number
            _take(line, row, values, problems)
    heading = Heading(**values, rows=places)
    return heading, problems + _gaps(heading)


def _line_of(row: Row) -> str | None:
    """Find the line's field in the heading. The game may be a preset or the bare name of a game, on either line."""
    line, value = LINES.get(row.word), plain(row.cell(1))
    if line == "game" and value not in _presets() and value in _games():
        return "variant"
    return "game" if line == "variant" and value not in _games() and value in _presets() else line


def _take(line: str, row: Row, values: dict[str, Any], problems: list[Problem]) -> None:
    """Store one line's value, or the problem with it."""
    name, reader = _READERS[line]
    try:
        value = reader(row)
    except CellUnread as unread:
        problems.append(at_row(row.number, Problem(code="wrong_value", field=line, detail=unread.message)))
        return
    values[name] = {**values.get(name, {}), **value} if line == "options" else value


def _gaps(heading: Heading) -> list[Problem]:
    """Report missing lines: without these three the table is unknown; and two different games."""
    absent = [name for name in ("club", "tournament", "table") if name not in heading.rows]
    problems = [
        Problem(code="missing_line", field=name, detail=say("the sheet has no line “{name}”", name=name.title()))
        for name in absent
    ]
    rules, preset = PRESETS[heading.preset] if heading.preset is not None else (None, None)
    if rules is not None and preset is not None and heading.variant not in (None, rules.name):
        detail = say("{name} is not {game}: remove one of the two lines", name=preset.title, game=heading.variant)
        problems.append(heading.problem("variant", "wrong_value", detail))
    return problems


def _presets() -> dict[str, str]:
    """Return presets by every word that names one."""
    return {plain(word): preset.name for _, preset in PRESETS.values() for word in (preset.name, preset.title)}


def _games() -> dict[str, str]:
    """Return games by every word that names one."""
    return {plain(word): rules.name for rules in VARIANTS.values() for word in (rules.name, rules.title)}


def _game(row: Row) -> str:
    typed_game = row.cells[1]
    if preset_name := _presets().get(plain(typed_game)):
        return preset_name
    known = tuple(preset.title for _, preset in PRESETS.values())
    raise CellUnread(say("there is no game {typed}; this service knows {list}", typed=repr(typed_game), list=known))


def _variant(row: Row) -> str:
    """Parse the bare name of a game, and return it with its own default options."""
    typed_variant = row.cells[1]
    if variant_name := _games().get(plain(typed_variant)):
        return variant_name
    known = tuple(rules.title for rules in VARIANTS.values())
    raise CellUnread(
        say("there is no variant {typed}; this service knows {list}", typed=repr(typed_variant), list=known)
    )


def _levy(row: Row) -> dict[str, Any]:
    """Parse a levy: a share, then its name, then what it is taken of: all that is paid in, or the fee."""
    levy: dict[str, Any] = {"levy_bp": read_share(row.cells[1])}
    if row.cell(2):
        levy["levy_name"] = row.cell(2)
    if row.cell(3):
        if plain(row.cell(3)) not in LEVIED_ON:
            raise CellUnread(say("no levy is charged on {name}; write gross or fee", name=repr(row.cell(3))))
        levy["levy_on"] = LEVIED_ON[plain(row.cell(3))]
    return levy


_READERS: dict[str, tuple[str, Callable[[Row], Any]]] = {
    "club": ("club", lambda row: row.cells[1]),
    "tournament": ("tournament", lambda row: row.cells[1]),
    "date": ("date", lambda row: " ".join(row.cells[1:3]).strip()),
    "round": ("round", lambda row: read_number(row.cells[1])),
    "table": ("table", lambda row: read_number(row.cells[1])),
    "game": ("preset", _game),
    "variant": ("variant", _variant),
    "options": ("options", lambda row: read_options(row.cells[1:])),
    "currency": ("currency", lambda row: row.cells[1].upper()),
    "entry": ("entry", lambda row: row.cells[1]),
    "fee": ("fee_bp", lambda row: read_share(row.cells[1])),
    "fee at least": ("fee_floor", lambda row: row.cells[1]),
    "fee at most": ("fee_cap", lambda row: row.cells[1]),
    "levy": ("levy", _levy),
    "point value": ("point_value", lambda row: row.cells[1]),
    "scorer": ("scorer", lambda row: row.cells[1]),
}
