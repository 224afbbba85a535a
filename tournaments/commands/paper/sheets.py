"""The body of a score sheet: a column for each player, a line for each deal and each thing that happened between.

Rules: docs/importing.md, "The lines". A line becomes events as the API takes them, so that the rules judge paper
and tablet alike. Knows nothing of the database.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.rules.problems import Problem, refuse_if
from tournaments.commands.paper.heading import LINES, Heading, read_heading
from tournaments.commands.paper.marks import read_mark
from tournaments.commands.paper.rows import Row, SheetRejected, at_row, named, plain, read_rows
from tournaments.commands.paper.values import read_amount

EXTRA_COLUMNS = ("note", "wild", "ended")
ENDINGS = {"stock": "count_now", "count now": "count_now", "wrong show": "void_others", "void others": "void_others"}
NUMBER = re.compile(r"[-−]?\d{1,5}")

Event = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine:
    """One line of the sheet: the events it stands for, or the totals somebody added up on paper."""

    row: int
    events: tuple[Event, ...] = ()
    totals: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSheet:
    """A whole sheet. `players` are names in seat order; seats are called 1, 2, 3, …"""

    heading: Heading
    players: tuple[str, ...]
    lines: tuple[SheetLine, ...]

    @property
    def names(self) -> dict[str, str]:
        """The players' names by seat."""
        return {str(number): name for number, name in enumerate(self.players, start=1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Columns:
    """Which column belongs to whom; `extra` are the columns beside the players'."""

    seats: dict[str, int]
    extra: dict[str, int]

    def note(self, row: Row) -> str:
        return row.cell(self.extra["note"]) if "note" in self.extra else ""

    def marked(self, row: Row) -> dict[str, str]:
        """The seats whose cell on this row holds something."""
        return {seat: row.cell(column) for seat, column in self.seats.items() if row.cell(column)}

    @property
    def width(self) -> int:
        return 1 + max((*self.seats.values(), *self.extra.values()))


def read_paper(data: bytes) -> PaperSheet:
    """The sheet in a file. Raises SheetRejected with everything that is wrong with its form."""
    rows = read_rows(data)
    top = next((index for index, row in enumerate(rows) if row.word == "deal"), None)
    heading, problems = read_heading(rows if top is None else rows[:top])
    if top is None:
        problems.append(Problem(code="missing_line", field="deal", detail="the sheet has no line “Deal, player, …”"))
        raise SheetRejected(problems)
    players, columns, wrong = _read_columns(rows[top])
    lines: list[SheetLine] = []
    for row in rows[top + 1 :]:
        line, found = _read_line(row, columns, heading)
        lines += [line] if line else []
        wrong += found
    sheet = PaperSheet(heading=heading, players=players, lines=tuple(lines))
    refuse_if(named([*problems, *wrong], sheet.names), SheetRejected)
    return sheet


def _read_columns(row: Row) -> tuple[tuple[str, ...], _Columns, list[Problem]]:
    """The players' columns, and those for notes, from the line that begins with “Deal”."""
    seats: dict[str, int] = {}
    extra: dict[str, int] = {}
    names: list[str] = []
    problems: list[Problem] = []
    for column, cell in enumerate(row.cells[1:], start=1):
        if plain(cell) in EXTRA_COLUMNS:
            extra[plain(cell)] = column
        elif cell:
            names.append(cell)
            seats[str(len(names))] = column
        else:
            detail = f"column {column + 1} has no player above it"
            problems.append(Problem(code="missing_name", field=f"column {column + 1}", detail=detail))
    for name, times in Counter(plain(name) for name in names).items():
        if times > 1:
            problems.append(Problem(code="player_seated_twice", detail=f"{name!r} has {times} columns"))
    if not names:
        problems.append(Problem(code="missing_name", detail="no player has a column"))
    return tuple(names), _Columns(seats=seats, extra=extra), [at_row(row.number, problem) for problem in problems]


def _read_line(row: Row, columns: _Columns, heading: Heading) -> tuple[SheetLine | None, list[Problem]]:
    """One line of the body, and everything wrong with its form."""
    problems: list[Problem] = []
    if len(row.cells) > columns.width:
        detail = f"there are {len(row.cells)} cells, but the sheet has {columns.width} columns"
        problems.append(Problem(code="too_many_cells", detail=detail))
    word, _, number = row.word.partition(" ") if row.word not in _ACTS else (row.word, "", "")
    if word.isdecimal() and not number:
        word, number = "deal", word
    if word in {"total", "totals"}:
        line = SheetLine(row=row.number, totals=_totals(row, columns, problems))
    elif word in _NUMBERED and (number.isdecimal() or not number) and len(number) < 5:
        line = SheetLine(row=row.number, events=_numbered(word, number, row, columns, problems))
    elif row.word in _ACTS:
        line = SheetLine(row=row.number, events=tuple(_ACTS[row.word](row, columns, heading, problems)))
    else:
        where = "above the line with the players" if row.word in LINES else "and means nothing here"
        detail = f"{row.cells[0]!r} is no line of a sheet: a line begins with a deal's number or a word, {where}"
        problems.append(Problem(code="unknown_line", detail=detail))
        line = SheetLine(row=row.number)
    return line, [at_row(row.number, problem) for problem in problems]


def _numbered(word: str, number: str, row: Row, columns: _Columns, problems: list[Problem]) -> tuple[Event, ...]:
    """A deal, a correction or a void: lines that carry a deal's number."""
    kind = _NUMBERED[word]
    if not number and kind != "tiebreak_recorded":
        problems.append(Problem(code="missing_field", field="deal", detail=f"which deal? Write {word} 3"))
    event: Event = {"kind": kind, "deal": int(number or 1)}
    if kind in ("deal_corrected", "deal_voided"):
        event["reason"] = columns.note(row)
        if not event["reason"]:
            problems.append(Problem(code="missing_field", field="reason", detail="say why, in the column Note"))
    if kind != "deal_voided":
        event |= _sheet(row, columns, problems)
    return (event,)


def _sheet(row: Row, columns: _Columns, problems: list[Problem]) -> Event:
    """The outcomes on a line, and what stands in the columns beside them."""
    outcomes: dict[str, Any] = {}
    for seat, text in columns.marked(row).items():
        read = read_mark(text, seat)
        if isinstance(read, Problem):
            problems.append(read)
        else:
            outcomes[seat] = read
    event: Event = {"outcomes": outcomes}
    wild, ended = (row.cell(columns.extra[name]) if name in columns.extra else "" for name in ("wild", "ended"))
    if wild:
        event["wild"] = wild
    if ended and plain(ended) not in ENDINGS:
        detail = f"a deal cannot have ended as {ended!r}; write {' or '.join(ENDINGS)}, or nothing"
        problems.append(Problem(code="wrong_value", field="ended", detail=detail))
    elif ended:
        event["ended"] = ENDINGS[plain(ended)]
    return event


def _totals(row: Row, columns: _Columns, problems: list[Problem]) -> dict[str, int]:
    """The totals somebody wrote under the columns, to be compared with ours."""
    totals: dict[str, int] = {}
    for seat, text in columns.marked(row).items():
        if NUMBER.fullmatch(text.lstrip("+")):
            totals[seat] = int(text.lstrip("+").replace("−", "-"))
        else:
            detail = f"{{seat}}: {text!r} is no total"
            problems.append(Problem(code="wrong_value", seat=seat, field="total", detail=detail))
    return totals


Act = Callable[[Row, _Columns, Heading, list[Problem]], Iterator[Event]]


def _of_each_seat(kind: str) -> Act:
    """An act of every seat with a mark on the line."""

    def act(row: Row, columns: _Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
        seats: Sequence[str] = list(columns.marked(row))
        if not seats:
            problems.append(Problem(code="missing_seat", field="seat", detail="put a mark in the player's column"))
        for seat in seats:
            yield {"kind": kind, "seat": seat}

    return act


def _penalties(row: Row, columns: _Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
    for seat, text in columns.marked(row).items():
        if not text.isdecimal() or len(text) > 5:
            detail = f"{{seat}}: a penalty is a number of points, not {text!r}"
            problems.append(Problem(code="wrong_value", seat=seat, field="points", detail=detail))
        else:
            yield {"kind": "penalty_given", "seat": seat, "points": int(text), "reason": columns.note(row)}


def _buy_ins(row: Row, columns: _Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
    for seat, text in columns.marked(row).items():
        try:
            yield {"kind": "bought_in", "seat": seat, "amount_minor": read_amount(text, heading.currency or "INR")}
        except ValueError as error:
            problems.append(Problem(code="wrong_value", seat=seat, field="amount_minor", detail=f"{{seat}}: {error}"))


def _of_the_table(kind: str, *, says_why: bool = False) -> Act:
    """An act of the whole table."""

    def act(row: Row, columns: _Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
        yield {"kind": kind, "reason": columns.note(row)} if says_why else {"kind": kind}

    return act


_NUMBERED = {
    "deal": "deal_recorded",
    "correction": "deal_corrected",
    "correct": "deal_corrected",
    "corrected": "deal_corrected",
    "void": "deal_voided",
    "tiebreak": "tiebreak_recorded",
    "tie-break": "tiebreak_recorded",
}
_ACTS: dict[str, Act] = {
    **dict.fromkeys(("rejoin", "rejoined", "rejoins"), _of_each_seat("rejoined")),
    **dict.fromkeys(("left", "leaves"), _of_each_seat("seat_left")),
    "penalty": _penalties,
    **dict.fromkeys(("buy-in", "buy in", "bought in"), _buy_ins),
    **dict.fromkeys(("split", "split agreed"), _of_the_table("split_agreed")),
    **dict.fromkeys(("close", "closed", "table closed"), _of_the_table("table_closed")),
    **dict.fromkeys(("cancelled", "cancel", "table cancelled"), _of_the_table("table_cancelled", says_why=True)),
}
