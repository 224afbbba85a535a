"""The body of a score sheet: a column for each player, a line for each deal and each action between deals.

Rules: docs/how-to/importing.md, "The lines". A line becomes events in the format of the API, so that the same rules
apply to paper and tablet. Knows nothing of the database: the game, where the sheet does not name it, is a parameter.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from scoring.messages import Seat, say, say_many
from scoring.problems import OptionsRejected, Problem, refuse_if
from tournaments.sheet_import import CellUnread, Row, SheetRejected, at_row, named, read_rows
from tournaments.sheet_import.columns import Columns, Head, read_amount, read_head
from tournaments.sheet_import.deals import DealReader
from tournaments.sheet_import.forms import DealForm, Played, deal_forms
from tournaments.sheet_import.heading import LINES, Heading, read_heading

# Actions between deals: a player rejoins, leaves, buys chips or gets a penalty; and the end of a table.

NUMBER = re.compile(r"[-−]?\d{1,5}")
# A total, and in brackets when the seat was eliminated.
RESULT = re.compile(r"(?P<total>[-−+]?[0-9]{1,6})(?: ?\((?P<out>[0-9]{1,2})\))?")
Event = dict[str, object]
Act = Callable[[Row, Columns, Heading, list[Problem]], Iterator[Event]]


def read_totals(row: Row, columns: Columns, problems: list[Problem]) -> dict[str, int]:
    """Read the totals written under the columns, to be compared with the computed ones."""
    totals: dict[str, int] = {}
    for seat, text in columns.marked(row).items():
        if NUMBER.fullmatch(text.lstrip("+")):
            totals[seat] = int(text.lstrip("+").replace("−", "-"))
        else:
            detail = say("{name}: {typed} is not a total", name=Seat(seat), typed=repr(text))
            problems.append(Problem(code="wrong_value", seat=seat, field="total", detail=detail))
    return totals


def _of_each_seat(kind: str) -> Act:
    """Read an action of every seat with a mark on the line."""

    def act(row: Row, columns: Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
        seats = list(columns.marked(row))
        if not seats:
            problems.append(Problem(code="missing_seat", field="seat", detail=say("put a mark in the player's column")))
        for seat in seats:
            yield {"kind": kind, "seat": seat}

    return act


def _penalties(row: Row, columns: Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
    for seat, text in columns.marked(row).items():
        if not text.isdecimal() or len(text) > 5:
            detail = say("{name}: a penalty is a number of points, not {typed}", name=Seat(seat), typed=repr(text))
            problems.append(Problem(code="wrong_value", seat=seat, field="points", detail=detail))
        else:
            yield {"kind": "penalty_given", "seat": seat, "points": int(text), "reason": columns.note(row)}


def _buy_ins(row: Row, columns: Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
    for seat, text in columns.marked(row).items():
        try:
            yield {"kind": "bought_in", "seat": seat, "amount_minor": read_amount(text, heading.currency or "INR")}
        except CellUnread as unread:
            detail = say("{seat}: {why}", seat=Seat(seat), why=unread.message)
            problems.append(Problem("wrong_value", detail, seat=seat, field="amount_minor"))


def _result(row: Row, columns: Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
    """Read the totals of a sheet without deals, with the order of elimination in brackets behind them."""
    totals: dict[str, int] = {}
    out: dict[str, int] = {}
    for seat, text in columns.marked(row).items():
        found = RESULT.fullmatch(text)
        if found is None:
            detail = say("{name}: {typed} is not a total", name=Seat(seat), typed=repr(text))
            problems.append(Problem(code="wrong_value", seat=seat, field="totals", detail=detail))
            continue
        totals[seat] = int(found["total"].replace("−", "-"))
        if found["out"]:
            out[seat] = int(found["out"])
    yield {"kind": "totals_recorded", "totals": totals, **({"out": out} if out else {})}


def _of_the_table(kind: str, **fields: bool) -> Act:
    """Read an action of the whole table."""

    def act(row: Row, columns: Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
        yield {"kind": kind, **fields}

    return act


def _given_up(row: Row, columns: Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
    yield {"kind": "table_cancelled", "reason": columns.note(row)}


ACTS: dict[str, Act] = {
    **dict.fromkeys(("rejoin", "rejoined", "rejoins"), _of_each_seat("rejoined")),
    **dict.fromkeys(("left", "leaves"), _of_each_seat("seat_left")),
    "penalty": _penalties,
    "result": _result,
    **dict.fromkeys(("buy-in", "buy in", "bought in"), _buy_ins),
    **dict.fromkeys(("split", "split agreed"), _of_the_table("split_agreed")),
    **dict.fromkeys(("close", "closed", "table closed"), _of_the_table("table_closed")),
    **dict.fromkeys(("time called", "time"), _of_the_table("table_closed", time_called=True)),
    **dict.fromkeys(("cancelled", "cancel", "table cancelled"), _given_up),
}

NUMBERED = {
    "deal": "deal_recorded",
    "correction": "deal_corrected",
    "correct": "deal_corrected",
    "corrected": "deal_corrected",
    "void": "deal_voided",
    "tiebreak": "tiebreak_recorded",
    "tie-break": "tiebreak_recorded",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine:
    """One line of the sheet: the events it stands for, or the totals added up on paper."""

    row: int
    events: tuple[Event, ...] = ()
    totals: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperDraft:
    """A sheet of which only the heading has been read: the format of its deals depends on the game."""

    heading: Heading
    body: tuple[Row, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSheet:
    """A whole sheet. `players` are names in seat order; seats are called 1, 2, 3, …"""

    heading: Heading
    players: tuple[str, ...]
    lines: tuple[SheetLine, ...]

    @property
    def names(self) -> dict[str, str]:
        """The players' names by seat."""
        return _names(self.players)


def open_paper(data: bytes) -> PaperDraft:
    """Read the heading of the sheet in a file. Raises SheetRejected where the file cannot be read at all."""
    rows = read_rows(data)
    top = next((index for index, row in enumerate(rows) if row.word == "deal"), len(rows))
    heading, problems = read_heading(rows[:top])
    return PaperDraft(heading=heading, body=tuple(rows[top:]), problems=tuple(problems))


def read_paper(draft: PaperDraft, played: Played | None) -> PaperSheet:
    """Read the whole sheet. Raises SheetRejected with all problems of its form.

    Where the game is unknown the deals are not read: such a sheet cannot be imported.
    """
    problems = list(draft.problems)
    if not draft.body:
        problems.append(Problem("missing_line", say("the sheet has no line “Deal, player, …”"), field="deal"))
        raise SheetRejected(problems)
    head = read_head(draft.body[0], _forms(played, problems))
    problems += head.problems
    lines = []
    for row in draft.body[1:]:
        line, line_problems = _read_line(row, head, draft.heading)
        lines.append(line)
        problems += line_problems
    sheet = PaperSheet(heading=draft.heading, players=head.players, lines=tuple(lines))
    refuse_if(named(problems, sheet.names), SheetRejected)
    return sheet


def _forms(played: Played | None, problems: list[Problem]) -> dict[int, DealForm]:
    """Return the form of a deal for each number of seats; problems with the house options are added to the others."""
    if played is None:
        return {}
    try:
        return deal_forms(played)
    except OptionsRejected as refused:
        problems += refused.problems
        return {}


def _names(players: tuple[str, ...]) -> dict[str, str]:
    return {str(number): name for number, name in enumerate(players, start=1)}


def _read_line(row: Row, head: Head, heading: Heading) -> tuple[SheetLine, list[Problem]]:
    """Read one line of the body, and return all problems of its form."""
    problems: list[Problem] = []
    columns = head.columns
    if len(row.cells) > columns.width:
        detail = say_many(
            "there are {of} cells, but the sheet has {count} column",
            "there are {of} cells, but the sheet has {count} columns",
            count=columns.width,
            of=len(row.cells),
        )
        problems.append(Problem(code="too_many_cells", detail=detail))
    word, _, number = row.word.partition(" ") if row.word not in ACTS else (row.word, "", "")
    if word.isdecimal() and not number:
        word, number = "deal", word
    if word in {"total", "totals"}:
        line = SheetLine(row=row.number, totals=read_totals(row, columns, problems))
    elif word in NUMBERED and (number.isdecimal() or not number) and len(number) < 5:
        line = SheetLine(row=row.number, events=_numbered(word, number, row, head, problems))
    elif row.word in ACTS:
        line = SheetLine(row=row.number, events=tuple(ACTS[row.word](row, columns, heading, problems)))
    else:
        name = repr(row.cells[0])
        detail = (
            say("{name} is a heading line: put it above the line with the players", name=name)
            if row.word in LINES
            else say("{name} is not a line of a sheet: begin with a deal number or a word such as rejoin", name=name)
        )
        problems.append(Problem(code="unknown_line", detail=detail))
        line = SheetLine(row=row.number)
    return line, [at_row(row.number, problem) for problem in problems]


def _numbered(word: str, number: str, row: Row, head: Head, problems: list[Problem]) -> tuple[Event, ...]:
    """Read a deal, a correction or a void: lines with a deal's number."""
    kind = NUMBERED[word]
    if not number and kind != "tiebreak_recorded":
        problems.append(Problem("missing_field", say("which deal? Write {typed} 3", typed=word), field="deal"))
    event: Event = {"kind": kind, "deal": int(number or 1)}
    if kind in ("deal_corrected", "deal_voided"):
        event["reason"] = head.columns.note(row)
        if not event["reason"]:
            problems.append(Problem("missing_field", say("enter a reason in the column Note"), field="reason"))
    if kind != "deal_voided" and head.form is not None:
        reader = DealReader(head.form, _names(head.players))
        beside = {head.columns.beside[at]: text for at, text in head.columns.other_cells(row).items()}
        event |= reader.read(head.columns.marked(row), beside)
        problems += reader.problems
    return (event,)
