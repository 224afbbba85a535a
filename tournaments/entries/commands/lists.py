"""Reads pasted or uploaded lists of names into rows: name, paid or not, rate, side pots.

Rules: docs/how-to/evening.md, "Entries and the desk". Every unreadable row is reported with its number. Knows nothing
of the club's players.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scoring.messages import Message, say
from scoring.problems import Problem, shown
from tournaments.models.people import folded, name_words
from tournaments.people.pasting import LeftOut, SkipReason, cleaned_name, pasted_lines

# If not given: members pay the members' rate, others the full fee.
Rate = Literal["full", "member", "free"]
MOST_ROWS = 500
MOST_REASON = 200
MOST_TEXT = 120_000
# Headings, empty columns and remarks are no rows: a list with more lines than this, or a longer line, is not read.
MOST_LINES, MOST_LINE = 2 * MOST_ROWS, 2_000
PAID = frozenset(
    [
        *("paid", "pd", "yes", "y", "x", "1", "true", "✓", "✔", "✅"),
        *("bezahlt", "ja", "j", "wahr"),
        *("हाँ", "हां", "जी हाँ", "पैसे दिए", "भुगतान किया", "भुगतान हुआ"),
    ]
)
NOT_PAID = frozenset(
    [
        *("", "unpaid", "no", "n", "0", "false", "-"),
        *("unbezahlt", "nicht bezahlt", "offen", "nein", "falsch"),
        *("नहीं", "पैसे नहीं दिए", "बाकी"),
    ]
)
STANDBY = frozenset(["standby", "standby list", "waiting", "waiting list", "warteliste", "वेटिंग लिस्ट"])
RATES: dict[str, Rate] = {
    **dict.fromkeys(("full", "full fee", "voll", "volles startgeld", "पूरी फ़ीस"), "full"),
    **dict.fromkeys(("member", "members", "mitglied", "mitglieder", "सदस्य"), "member"),
    **dict.fromkeys(("free", "free entry", "frei", "ohne startgeld", "मुफ़्त", "मुफ़्त एंट्री"), "free"),
}
# Words after a comma, in brackets or in a column without a heading that are not part of a name. `Frei` and `Voll` are
# family names.
MARKS = frozenset(
    {"paid", "pd", "unpaid", "bezahlt", "unbezahlt", "nicht bezahlt", *STANDBY, *RATES.keys() - {"frei", "voll"}}
)
# Words without meaning in front of a mark: `entry paid`, `has paid`, `hat schon bezahlt`.
FILLING = frozenset({"entry", "entries", "fee", "has", "is", "already", "hat", "ist", "schon", "bereits"})
POT = "+"
HEADS = {
    **dict.fromkeys(("name", "names", "full name", "player name"), "name"),
    **dict.fromkeys(("first last", "first and last name", "first name last name"), "name"),
    **dict.fromkeys(("vollständiger name", "vor- und nachname", "vorname nachname", "vorname und nachname"), "name"),
    **dict.fromkeys(("नाम", "पूरा नाम", "खिलाड़ी का नाम"), "name"),
    **dict.fromkeys(("player", "players", "participant", "participants"), "player"),
    **dict.fromkeys(("spieler", "spielerin", "spieler/in", "teilnehmer", "teilnehmerin", "teilnehmer/in"), "player"),
    **dict.fromkeys(("खिलाड़ी", "प्रतिभागी"), "player"),
    **dict.fromkeys(("first name", "firstname", "given name", "given names", "forename", "first", "given"), "given"),
    **dict.fromkeys(("vorname", "vornamen", "rufname", "पहला नाम", "प्रथम नाम"), "given"),
    **dict.fromkeys(("last name", "lastname", "family name", "surname", "last", "family"), "family"),
    **dict.fromkeys(("nachname", "familienname", "zuname"), "family"),
    **dict.fromkeys(("उपनाम", "कुलनाम", "सरनेम", "अंतिम नाम"), "family"),
    **dict.fromkeys(("paid", "entry paid", "entry", "fee paid"), "paid"),
    **dict.fromkeys(("bezahlt", "startgeld bezahlt", "पैसे दिए", "भुगतान किया", "भुगतान"), "paid"),
    **dict.fromkeys(STANDBY, "standby"),
    **dict.fromkeys(("rate", "fee"), "rate"),
    **dict.fromkeys(("pots", "side pots", "side-pots", "साइड पॉट"), "pots"),
    **dict.fromkeys(("reason", "grund", "कारण"), "reason"),
}
# Headings of which one is enough for a table.
NAMING = frozenset({"name", "player", "given", "family"})
# How spreadsheets are told the separator in a first line of its own.
SEPARATOR_LINE = re.compile(r'\A\s*"?sep=([^\n])"?[ \t]*(?=\r?\n|\Z)', re.IGNORECASE)
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
    reason: str = ""
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
    text, nobody = _without_separator_line(text)
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
    """A table with the columns name, paid, standby, rate and pots, in this order or as named by its first row.

    A column of reasons, for free and reduced fees, has to be named.
    """
    problems = list(_too_much(text))
    if problems:
        return EntryList(problems=tuple(problems))
    separator = _separator(text)
    text, nobody = _without_separator_line(text)
    try:
        cells = list(_cells(text, separator))
    except csv.Error as unread:
        detail = say("this is not a CSV file: {what}", what=_csv_fault(unread))
        return EntryList(problems=(Problem("not_a_list", detail, field="file"),))
    columns, body = _columns(cells)
    rows = [table_row(number, row, columns, problems) for number, row in body]
    named = [row for row in rows if row.name or not row.left_out]
    return _checked(named, problems, [*nobody, *(row for row in rows if not row.name and row.left_out)])


def table_row(number: int, cells: Sequence[str], columns: dict[int, str], problems: list[Problem]) -> EntryRow:
    """A row of a table by its columns. Cells of other columns are collected in `left_out`."""
    values = {column: cells[place].strip() for place, column in columns.items() if place < len(cells)}
    typed_name, unused = _typed_name(values)
    name, left_out = cleaned_name(typed_name)
    others = [cell.strip() for place, cell in enumerate(cells) if place not in columns and cell.strip()]
    others += unused
    return EntryRow(
        number=number,
        name=name,
        is_paid=_mark(values.get("paid", ""), PAID, number, problems),
        is_standby=_mark(values.get("standby", ""), PAID | STANDBY, number, problems),
        rate=_rate(values.get("rate", ""), number, problems),
        reason=values.get("reason", "")[:MOST_REASON],
        pots=_pots(values.get("pots", "")),
        left_out=(*left_out, *(LeftOut(cell, SkipReason.COLUMN) for cell in others)),
    )


def _typed_name(values: Mapping[str, str]) -> tuple[str, list[str]]:
    """The name in a row, and the cells of names that are no part of it."""
    parts = [values[column] for column in ("given", "family") if values.get(column)]
    if name := values.get("name"):
        words = set(name_words(name))
        return name, [part for part in parts if not words.issuperset(name_words(part))]
    # Whoever heads the whole name and a half of it, as `Name;Vorname`, may have typed that half in both.
    whole = max(parts, key=len, default="")
    is_whole = all(part is whole or set(name_words(part)) < set(name_words(whole)) for part in parts)
    return (whole if is_whole else " ".join(parts)), []


def _cells(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not empty, with the line they end in."""
    reader = csv.reader(text.splitlines(keepends=True), delimiter=separator, strict=True)
    for row in reader:
        if any(cell.strip() for cell in row):
            yield reader.line_num, row


def _without_separator_line(text: str) -> tuple[str, list[EntryRow]]:
    """The text with its line `sep=;`, if it begins with one, left empty; and that line as a row without a name."""
    match = SEPARATOR_LINE.match(text)
    if match is None:
        return text, []
    number = match[0].count("\n") + 1
    row = EntryRow(number=number, name="", left_out=(LeftOut(match[0].strip(), SkipReason.HEADING),))
    return "\n" * (number - 1) + text[match.end() :], [row]


def _first_line(text: str) -> str:
    lines = SEPARATOR_LINE.sub("", text).splitlines()
    return next((line for line in lines if line.strip()), "")


def _separator(text: str) -> str:
    match = SEPARATOR_LINE.match(text)
    return match[1] if match else max(SEPARATORS, key=_first_line(text).count)


def _has_head(text: str) -> bool:
    """Whether the first line has several columns with a heading for names."""
    heads = [_head(cell) for cell in _first_line(text).split(_separator(text))]
    return len(heads) > 1 and not NAMING.isdisjoint(heads)


def _head(cell: str) -> str:
    text = folded(cell).strip(' "*:?')
    return HEADS.get(text) or HEADS.get(_plain(text), "")


def _csv_fault(error: csv.Error) -> Message:
    """Why strict parsing failed: quotes that are never closed, or text after a closing quote."""
    separator, phrase, quote = str(error).partition(" expected after ")
    if phrase:
        return say("{value} expected after {typed}", value=separator, typed=quote)
    return say("unexpected end of data")


def _columns(cells: Sequence[tuple[int, list[str]]]) -> tuple[dict[int, str], Sequence[tuple[int, list[str]]]]:
    """The columns by position, and the rows below the headings. Of two with one meaning the first is read.

    `Name` beside a column for one half of the name is the other half, as in `Name;Vorname` and `Name,Surname`. `Player`
    is a name only where no other column is: elsewhere it may be a number.
    """
    heads = [_head(cell) for cell in cells[0][1]] if cells else []
    if NAMING.isdisjoint(heads):
        return dict(enumerate(COLUMNS)), cells
    places = {head: heads.index(head) for head in dict.fromkeys(heads) if head}
    halves = {"given", "family"}
    player = places.pop("player", None)
    if player is not None and "name" not in places and not halves <= places.keys():
        places["name"] = player
    if "name" in places and len(missing := halves - places.keys()) == 1:
        places[missing.pop()] = places.pop("name")
    return {place: head for head, place in places.items()}, cells[1:]


def _plain(word: str) -> str:
    """A mark without filling words."""
    words = folded(word).split()
    mark = " ".join(part for part in words if part not in FILLING)
    return mark.replace("not paid", "unpaid") if mark else " ".join(words)


def _mark(text: str, ticks: frozenset[str], number: int, problems: list[Problem]) -> bool:
    word = _plain(text)
    if word not in ticks | NOT_PAID:
        problems.append(_unread(number, text, say("a tick is yes, no or nothing")))
    return word in ticks


def _rate(text: str, number: int, problems: list[Problem]) -> Rate | None:
    word = folded(text)
    if word and word not in RATES:
        problems.append(_unread(number, text, say("a rate is full, member, free or nothing")))
    return RATES.get(word)


def _pots(text: str) -> tuple[str, ...]:
    """Names of side pots, separated or preceded by plus signs."""
    return tuple(name.strip() for name in text.split(POT) if name.strip())


def _mark_problems(number: int, marks: Sequence[str]) -> Iterator[Problem]:
    for word in marks:
        if word not in PAID | NOT_PAID | STANDBY | RATES.keys():
            allowed_marks = say(
                "after the name write paid, standby, member, free, full, a pot such as +High hand, or nothing"
            )
            yield _unread(number, word, allowed_marks)
    rates = [word for word in marks if word in RATES]
    if len({RATES[word] for word in rates}) > 1:
        yield _in_row(number, say("one player enters at one rate, not at {typed}", typed=tuple(rates)))


def _checked(rows: Sequence[EntryRow], problems: Sequence[Problem], nobody: Sequence[EntryRow] = ()) -> EntryList:
    all_problems = list(problems)
    for row in rows:
        if row.name.count(",") >= SEVERAL:
            message = say("{name} looks like several players: one name a line", name=shown(row.name))
            all_problems.append(_in_row(row.number, message))
    if len(rows) > MOST_ROWS:
        all_problems.append(_too_many(len(rows)))
    if not rows and not all_problems:
        all_problems.append(Problem(code="missing_name", field="names", detail=say("there is no name in the list")))
    return EntryList(rows=tuple(rows[:MOST_ROWS]), problems=tuple(all_problems), nobody=tuple(nobody))


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
