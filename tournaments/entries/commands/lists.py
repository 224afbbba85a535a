"""Reads pasted or uploaded lists of names into rows: name, paid or not, rate, side pots.

Rules: docs/how-to/evening.md, "Entries and the desk". Every unreadable row is reported with its number. Knows nothing
of the club's players.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from scoring.messages import Message, say
from scoring.problems import Problem, shown
from tournaments.people.pasting import LeftOut, SkipReason, cleaned_name, pasted_lines

# If not given: members pay the members' rate, others the full fee.
Rate = Literal["full", "member", "free"]
MOST_ROWS = 500
MOST_TEXT = 120_000
# Headings, empty columns and remarks are no rows: a list with more lines than this, or a longer line, is not read.
MOST_LINES, MOST_LINE = 2 * MOST_ROWS, 2_000
PAID = frozenset({"paid", "pd", "yes", "y", "x", "1", "true", "✓"})
NOT_PAID = frozenset({"", "unpaid", "no", "n", "0", "false", "-"})
STANDBY = frozenset({"standby", "waiting"})
RATES: dict[str, Rate] = {"full": "full", "member": "member", "members": "member", "free": "free"}
# Words after a comma, in brackets or in a column without a heading that are not part of a name.
MARKS = frozenset({"paid", "pd", "unpaid", *STANDBY, *RATES})
# Words without meaning in front of a mark: `entry paid`, `has paid`.
FILLING = frozenset({"entry", "entries", "fee", "has", "is", "already"})
POT = "+"
HEADS = {
    **dict.fromkeys(("name", "names", "player", "players", "full name", "player name"), "name"),
    **dict.fromkeys(("spieler", "teilnehmer", "नाम", "खिलाड़ी"), "name"),
    **dict.fromkeys(("first last", "first and last name", "first name last name"), "name"),
    **dict.fromkeys(("first name", "given name", "vorname"), "given"),
    **dict.fromkeys(("last name", "family name", "surname", "nachname"), "family"),
    **dict.fromkeys(("paid", "paid?", "entry paid", "entry", "fee paid", "bezahlt"), "paid"),
    "standby": "standby",
    "waiting": "standby",
    "rate": "rate",
    "fee": "rate",
    "pots": "pots",
    "side pots": "pots",
}
SEPARATORS = ",;\t"
# `Rao, Asha` is a name; with two commas it is a table row.
SEVERAL = 2
COLUMNS = ("name", "paid", "standby", "rate", "pots")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRow:
    """One row of a list, with the row number that the user sees. `is_namesake` marks a new player.

    `player` is the id chosen among several; `left_out` is the text of the line that was not used. With `round`, which
    is being played, the player gets a seat in it.
    """

    number: int
    name: str
    player: str = ""
    is_paid: bool = False
    is_standby: bool = False
    rate: Rate | None = None
    pots: tuple[str, ...] = ()
    is_namesake: bool = False
    left_out: tuple[LeftOut, ...] = ()
    round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryList:
    """The rows that were read, the problems, and the lines without a name."""

    rows: tuple[EntryRow, ...] = ()
    problems: tuple[Problem, ...] = ()
    nobody: tuple[EntryRow, ...] = ()


def read_pasted(text: str) -> EntryList:
    """One player per line, as in chats, mails and spreadsheets; after semicolons marks such as `paid`.

    If the first row has a heading for names, the text is read as a table.
    """
    problems = list(_too_much(text))
    if problems:
        return EntryList(problems=tuple(problems))
    if _has_head(text):
        return read_csv(text)
    rows: list[EntryRow] = []
    nobody: list[EntryRow] = []
    for line in pasted_lines(text, MARKS):
        pots = tuple(pot for word in line.marks if word.startswith(POT) for pot in _pots(word))
        marks = [_plain(word) for word in line.marks if not word.startswith(POT)]
        problems += _mark_problems(line.number, marks)
        row = EntryRow(
            number=line.number,
            name=line.name,
            is_paid=bool(PAID & set(marks)),
            is_standby=bool(STANDBY & set(marks)),
            rate=next((RATES[word] for word in marks if word in RATES), None),
            pots=pots,
            left_out=line.left_out,
        )
        (rows if line.name or any(marks) or pots else nobody).append(row)
    return _checked(rows, problems, nobody)


def read_csv(text: str) -> EntryList:
    """A table with the columns name, paid, standby, rate and pots, in this order or as named by its first row."""
    problems = list(_too_much(text))
    if problems:
        return EntryList(problems=tuple(problems))
    try:
        cells = list(_cells(text))
    except csv.Error as unread:
        detail = say("this is not a CSV file: {what}", what=_csv_fault(unread))
        return EntryList(problems=(Problem("not_a_list", detail, field="file"),))
    columns, body = _columns(cells)
    rows = [_table_row(number, row, columns, problems) for number, row in body]
    named = [row for row in rows if row.name or not row.left_out]
    return _checked(named, problems, [row for row in rows if not row.name and row.left_out])


def _table_row(number: int, cells: Sequence[str], columns: dict[int, str], problems: list[Problem]) -> EntryRow:
    """A row of a table by its columns. Cells of other columns are collected in `left_out`."""
    values = {column: cells[place].strip() for place, column in columns.items() if place < len(cells)}
    typed = values.get("name") or " ".join(filter(None, (values.get("given"), values.get("family"))))
    name, left_out = cleaned_name(typed)
    others = [cell.strip() for place, cell in enumerate(cells) if place not in columns and cell.strip()]
    return EntryRow(
        number=number,
        name=name,
        is_paid=_mark(values.get("paid", ""), PAID, number, problems),
        is_standby=_mark(values.get("standby", ""), PAID | STANDBY, number, problems),
        rate=_rate(values.get("rate", ""), number, problems),
        pots=_pots(values.get("pots", "")),
        left_out=(*left_out, *(LeftOut(cell, SkipReason.COLUMN) for cell in others)),
    )


def decoded(raw: bytes) -> str | None:
    """The text of an uploaded file; None if it is not UTF-8."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not empty, with the line they end in, split by the separator of the first line."""
    reader = csv.reader(text.splitlines(keepends=True), delimiter=_separator(text), strict=True)
    for row in reader:
        if any(cell.strip() for cell in row):
            yield reader.line_num, row


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "")


def _separator(text: str) -> str:
    return max(SEPARATORS, key=_first_line(text).count)


def _has_head(text: str) -> bool:
    """Whether the first line has several columns with a heading for names."""
    heads = [_head(cell) for cell in _first_line(text).split(_separator(text))]
    return len(heads) > 1 and bool({"name", "given"} & set(heads))


def _head(cell: str) -> str:
    return HEADS.get(cell.strip(' \t\ufeff"').casefold(), "")


def _csv_fault(error: csv.Error) -> Message:
    """Why strict parsing failed: quotes that are never closed, or text after a closing quote."""
    separator, found, quote = str(error).partition(" expected after ")
    if found:
        return say("{value} expected after {typed}", value=separator, typed=quote)
    return say("unexpected end of data")


def _columns(cells: Sequence[tuple[int, list[str]]]) -> tuple[dict[int, str], Sequence[tuple[int, list[str]]]]:
    """The columns by position, and the rows below the headings."""
    heads = [_head(cell) for cell in cells[0][1]] if cells else []
    if {"name", "given"} & set(heads):
        return {place: head for place, head in enumerate(heads) if head}, cells[1:]
    return dict(enumerate(COLUMNS)), cells


def _plain(word: str) -> str:
    """A mark without filling words."""
    found = word.casefold().split()
    known = " ".join(part for part in found if part not in FILLING)
    return known.replace("not paid", "unpaid") if known else " ".join(found)


def _mark(text: str, ticks: frozenset[str], number: int, problems: list[Problem]) -> bool:
    word = _plain(text)
    if word not in ticks | NOT_PAID:
        problems.append(_unread(number, text, say("a tick is yes, no or nothing")))
    return word in ticks


def _rate(text: str, number: int, problems: list[Problem]) -> Rate | None:
    word = text.casefold()
    if word and word not in RATES:
        problems.append(_unread(number, text, say("a rate is full, member, free or nothing")))
    return RATES.get(word)


def _pots(text: str) -> tuple[str, ...]:
    """Names of side pots, separated or preceded by plus signs."""
    return tuple(name.strip() for name in text.split(POT) if name.strip())


def _mark_problems(number: int, marks: Sequence[str]) -> Iterator[Problem]:
    for word in marks:
        if word not in PAID | NOT_PAID | STANDBY | RATES.keys():
            wanted = say("after the name write paid, standby, member, free, full, a pot such as +High hand, or nothing")
            yield _unread(number, word, wanted)
    rates = [word for word in marks if word in RATES]
    if len({RATES[word] for word in rates}) > 1:
        yield _in_row(number, say("one player enters at one rate, not at {typed}", typed=", ".join(rates)))


def _checked(rows: Sequence[EntryRow], problems: Sequence[Problem], nobody: Sequence[EntryRow] = ()) -> EntryList:
    found = list(problems)
    for row in rows:
        if row.name.count(",") >= SEVERAL:
            message = say("{name} looks like several players: one name a line", name=shown(row.name))
            found.append(_in_row(row.number, message))
    if len(rows) > MOST_ROWS:
        found.append(_too_many(len(rows)))
    if not rows and not found:
        found.append(Problem(code="missing_name", field="names", detail=say("there is no name in the list")))
    return EntryList(rows=tuple(rows[:MOST_ROWS]), problems=tuple(found), nobody=tuple(nobody))


def _too_much(text: str) -> Iterator[Problem]:
    if len(text) > MOST_TEXT:
        detail = say("the list has {number} characters, at most {most} are read", number=len(text), most=MOST_TEXT)
        yield Problem(code="too_many_names", field="names", detail=detail)
        return
    lines = text.splitlines()
    rows = sum(1 for line in lines if line.strip())
    if rows > MOST_LINES:
        yield _too_many(rows)
        return
    for number, line in enumerate(lines, start=1):
        if (of := len(line)) > MOST_LINE:
            most = MOST_LINE
            detail = say(
                "row {number} has a cell of {of} characters; a cell has at most {most}", number=number, of=of, most=most
            )
            yield Problem("too_many_names", detail, field=f"row {number}")


def _too_many(number: int) -> Problem:
    detail = say("{number} rows at once are too many: at most {most}", number=number, most=MOST_ROWS)
    return Problem(code="too_many_names", field="names", detail=detail)


def _unread(number: int, word: str, wanted: Message) -> Problem:
    return _in_row(number, say("{name} cannot be read; {why}", name=shown(word), why=wanted))


def _in_row(number: int, detail: Message) -> Problem:
    return Problem("not_a_choice", say("row {number}: {why}", number=number, why=detail), field=f"row {number}")
