"""Lists of names as people paste or upload them, read into rows: who, paid or not, at which rate, for which pots.

Rules: docs/how-to/evening.md, "Entries and the desk". Every row that cannot be read is told with its number. Knows
nothing of who is in the club.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from scoring.messages import Message, say
from scoring.problems import Problem, shown

# Without a word the club knows: members pay theirs, everybody else the full fee.
Rate = Literal["full", "member", "free"]
MOST_ROWS = 500
MOST_TEXT = 120_000
PAID = frozenset({"paid", "yes", "y", "x", "1", "true", "✓"})
NOT_PAID = frozenset({"", "unpaid", "no", "n", "0", "false", "-"})
STANDBY = frozenset({"standby", "waiting"})
RATES: dict[str, Rate] = {"full": "full", "member": "member", "members": "member", "free": "free"}
POT = "+"
HEADS = {
    "name": "name",
    "player": "name",
    "paid": "paid",
    "standby": "standby",
    "waiting": "standby",
    "rate": "rate",
    "fee": "rate",
    "pots": "pots",
    "side pots": "pots",
}
SEPARATORS = ",;\t"
COLUMNS = ("name", "paid", "standby", "rate", "pots")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRow:
    """One row of a list, under the number that people see beside it. A namesake is somebody whom the club lacks."""

    number: int
    name: str
    is_paid: bool = False
    is_standby: bool = False
    rate: Rate | None = None
    pots: tuple[str, ...] = ()
    is_namesake: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryList:
    """What was read, and what could not be."""

    rows: tuple[EntryRow, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_pasted(text: str) -> EntryList:
    """One player a line: `Asha`, `Asha; paid; member` or `Asha; +High hand`. Empty lines are passed over."""
    rows, problems = [], list(_too_long(text))
    for number, line in enumerate(text.splitlines() if not problems else [], 1):
        name, *words = (part.strip() for part in line.split(";"))
        pots = tuple(pot for word in words if word.startswith(POT) for pot in _pots(word))
        marks = [word.casefold() for word in words if not word.startswith(POT)]
        problems += _mark_problems(number, marks)
        if name or any(marks) or pots:
            rows.append(
                EntryRow(
                    number=number,
                    name=name,
                    is_paid=bool(PAID & set(marks)),
                    is_standby=bool(STANDBY & set(marks)),
                    rate=next((RATES[word] for word in marks if word in RATES), None),
                    pots=pots,
                )
            )
    return _checked(rows, problems)


def read_csv(text: str) -> EntryList:
    """A table with the columns name, paid, standby, rate and pots, in this order or as its first row calls them."""
    problems = list(_too_long(text))
    if problems:
        return EntryList(problems=tuple(problems))
    try:
        cells = list(_cells(text))
    except csv.Error as unread:
        return EntryList(
            problems=(
                Problem(
                    code="not_a_list",
                    field="file",
                    detail=say("this is not a CSV file: {what}", what=_csv_fault(unread)),
                ),
            )
        )
    columns, body = _columns(cells)
    rows = []
    for number, row in body:
        values = {column: row[place].strip() for place, column in columns.items() if place < len(row)}
        paid = _mark(values.get("paid", ""), PAID, number, problems)
        standby = _mark(values.get("standby", ""), PAID | STANDBY, number, problems)
        rate = _rate(values.get("rate", ""), number, problems)
        rows.append(
            EntryRow(
                number=number,
                name=values.get("name", ""),
                is_paid=paid,
                is_standby=standby,
                rate=rate,
                pots=_pots(values.get("pots", "")),
            )
        )
    return _checked(rows, problems)


def decoded(raw: bytes) -> str | None:
    """The text of an uploaded file; None where it is no UTF-8."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that hold something, with the line they end in, taken apart by whatever the first one is."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(SEPARATORS, key=first.count)
    reader = csv.reader(text.splitlines(keepends=True), delimiter=separator, strict=True)
    for row in reader:
        if any(cell.strip() for cell in row):
            yield reader.line_num, row


def _csv_fault(error: csv.Error) -> Message:
    """Why a strict reader gave up: quotes that are never closed, or something behind those that are."""
    separator, found, quote = str(error).partition(" expected after ")
    if found:
        return say("{value} expected after {typed}", value=separator, typed=quote)
    return say("unexpected end of data")


def _columns(cells: Sequence[tuple[int, list[str]]]) -> tuple[dict[int, str], Sequence[tuple[int, list[str]]]]:
    """Which column is which, and the rows below the headings."""
    heads = [HEADS.get(cell.strip().casefold(), "") for cell in cells[0][1]] if cells else []
    if "name" in heads:
        return {place: head for place, head in enumerate(heads) if head}, cells[1:]
    return dict(enumerate(COLUMNS)), cells


def _mark(text: str, ticks: frozenset[str], number: int, problems: list[Problem]) -> bool:
    word = text.casefold()
    if word not in ticks | NOT_PAID:
        problems.append(_unread(number, text, say("a tick is yes, no or nothing")))
    return word in ticks


def _rate(text: str, number: int, problems: list[Problem]) -> Rate | None:
    word = text.casefold()
    if word and word not in RATES:
        problems.append(_unread(number, text, say("a rate is full, member, free or nothing")))
    return RATES.get(word)


def _pots(text: str) -> tuple[str, ...]:
    """Names of side pots, each behind or between plus signs."""
    return tuple(name.strip() for name in text.split(POT) if name.strip())


def _mark_problems(number: int, marks: Sequence[str]) -> Iterator[Problem]:
    for word in marks:
        if word not in PAID | NOT_PAID | STANDBY | RATES.keys():
            wanted = say("after the name write paid, standby, member, free, full, a pot such as +High hand, or nothing")
            yield _unread(number, word, wanted)
    rates = [word for word in marks if word in RATES]
    if len({RATES[word] for word in rates}) > 1:
        yield _in_row(number, say("one player enters at one rate, not at {typed}", typed=", ".join(rates)))


def _checked(rows: Sequence[EntryRow], problems: Sequence[Problem]) -> EntryList:
    found = list(problems)
    if len(rows) > MOST_ROWS:
        detail = say("{number} rows at once are too many: at most {most}", number=len(rows), most=MOST_ROWS)
        found.append(Problem(code="too_many_names", field="names", detail=detail))
    if not rows and not found:
        found.append(Problem(code="missing_name", field="names", detail=say("there is no name in the list")))
    return EntryList(rows=tuple(rows[:MOST_ROWS]), problems=tuple(found))


def _too_long(text: str) -> Iterator[Problem]:
    if len(text) > MOST_TEXT:
        detail = say("the list has {number} characters, at most {most} are read", number=len(text), most=MOST_TEXT)
        yield Problem(code="too_many_names", field="names", detail=detail)


def _unread(number: int, word: str, wanted: Message) -> Problem:
    return _in_row(number, say("{name} cannot be read; {why}", name=shown(word), why=wanted))


def _in_row(number: int, detail: Message) -> Problem:
    return Problem(
        code="not_a_choice", field=f"row {number}", detail=say("row {number}: {why}", number=number, why=detail)
    )
