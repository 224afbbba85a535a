"""Reads a paper score sheet, as clubs keep it in a spreadsheet, into numbered rows of cells.

Rules: docs/how-to/importing.md. Nothing here looks anything up or stores anything; `run` does. The bytes of a file
become numbered rows of clean cells, whatever spreadsheet wrote them: with commas, semicolons or tabs; a byte order
mark, empty lines and trailing separators do not matter; files beyond the limits are refused before they are parsed.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from scoring.messages import Message, say
from scoring.problems import Problem, RuleError, refuse_if
from tournaments.spreadsheets import SpreadsheetRejected, decoded

MOST_BYTES = 1_000_000
MOST_ROWS = 2_000
MOST_COLUMNS = 40
MOST_CELL = 500
SEPARATORS = ",;\t"
# An export puts an apostrophe before a cell that a spreadsheet would calculate; it is not part of the text.
MADE_INERT = re.compile(r"(?:^|(?<=[,;\t]))'(?=[=+\-@\t\r＝＋－＠])")


class SheetRejected(RuleError):
    """A paper sheet that cannot be imported: each problem names its row."""

    code = "sheet_rejected"


class CellUnread(ValueError):
    """A cell that cannot be read, and why."""

    def __init__(self, message: Message) -> None:
        self.message = message
        super().__init__(str(message))


class Row(NamedTuple):
    """A non-empty line of the sheet; `number` is its row number in a spreadsheet."""

    number: int
    cells: tuple[str, ...]

    @property
    def word(self) -> str:
        """The first cell, without case, colon or doubled blanks."""
        return plain(self.cells[0])

    def cell(self, column: int) -> str:
        """Return a cell; empty where the row is shorter."""
        return self.cells[column] if column < len(self.cells) else ""


def plain(text: str) -> str:
    """Normalise a text for comparison: width, case, a closing colon and runs of blanks do not matter."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().rstrip(" :.").split())


def at_row(number: int, problem: Problem) -> Problem:
    """Return the problem with the row on which it was found."""
    field = f"row {number}" if problem.field is None else f"row {number}, {problem.field}"
    return replace(problem, field=field, detail=say("row {number}: {why}", number=number, why=problem.message))


def named(problems: Iterable[Problem], names: Mapping[str, str]) -> list[Problem]:
    """Return the problems with the players' names in their messages."""
    return [problem.named(names) for problem in problems]


def read_rows(data: bytes) -> list[Row]:
    """Return the non-empty rows. Raises SheetRejected with everything that prevents reading the file."""
    if len(data) > MOST_BYTES:
        detail = say("the file has {number} bytes; a sheet has at most {most}", number=len(data), most=MOST_BYTES)
        raise _refused("file_too_big", detail)
    text = _decoded(data)
    rows: list[Row] = []
    problems: list[Problem] = []
    for number, cells in _cells_of(text):
        if number > MOST_ROWS:
            problems.append(Problem("too_many_rows", say("the file has more than {most} rows", most=MOST_ROWS)))
            break
        problems += _size_problems(number, cells)
        if cells and not cells[0].startswith("#"):
            rows.append(Row(number, cells))
    if not rows:
        problems.append(Problem(code="empty_sheet", detail=say("the file is empty")))
    refuse_if(problems, SheetRejected)
    return rows


def _decoded(data: bytes) -> str:
    """Decode the file in the encoding that it has."""
    try:
        return decoded(data)[0]
    except SpreadsheetRejected as rejected:
        raise _refused("not_text", rejected.problems[0].message) from rejected


def _cells_of(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Return every row with its number, cells trimmed and trailing empty ones dropped."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text))
    try:
        for number, raw in enumerate(reader, start=1):
            cells = [_clean(cell) for cell in raw]
            while cells and not cells[-1]:
                cells.pop()
            yield number, tuple(cells)
    except csv.Error as error:
        raise _refused("not_csv", say("line {number}: {why}", number=reader.line_num, why=_csv_fault(error))) from error


def _csv_fault(error: csv.Error) -> Message:
    """Explain why the CSV reader failed: a cell without an end, or else an invalid line break."""
    limit = csv.field_size_limit()
    if str(limit) in str(error):
        return say("field larger than field limit ({most})", most=limit)
    return say("new-line character seen in unquoted field - do you need to open the file with newline=''?")


def _separator(text: str) -> str:
    """Return the separator of the line that begins with “Deal”; a comma where there is no such line."""
    for line in io.StringIO(text):
        for separator in SEPARATORS:
            first, delimiter, _ = line.partition(separator)
            if delimiter and plain(first.strip('" ')) == "deal":
                return separator
    return ","


def _clean(cell: str) -> str:
    """Return a cell as text: normal form, no control characters, one blank between words."""
    text = unicodedata.normalize("NFC", MADE_INERT.sub("", cell))
    return " ".join("".join(c if unicodedata.category(c) != "Cc" else " " for c in text).split())


def _size_problems(number: int, cells: tuple[str, ...]) -> list[Problem]:
    problems, place = [], f"row {number}"
    of, most = len(cells), MOST_COLUMNS
    if of > most:
        detail = say("row {number} has {of} columns; a sheet has at most {most}", number=number, of=of, most=most)
        problems.append(Problem("too_many_columns", detail, field=place))
    of, most = max(map(len, cells), default=0), MOST_CELL
    if of > most:
        detail = say(
            "row {number} has a cell of {of} characters; a cell has at most {most}", number=number, of=of, most=most
        )
        problems.append(Problem("cell_too_long", detail, field=place))
    return problems


def _refused(code: str, detail: Message) -> SheetRejected:
    return SheetRejected([Problem(code=code, detail=detail)])
