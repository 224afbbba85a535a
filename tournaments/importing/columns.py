"""Which column of a list means what: guessed from headings in our languages, remembered by the club, or set by hand.

Rules: docs/how-to/importing.md, "Columns".
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from scoring.messages import Message, say, words
from scoring.problems import Problem
from tournaments.entries.commands.lists import HEADS
from tournaments.importing import DAY, ImportDraft, ListRow, day_in
from tournaments.models import ImportColumns, ImportKind
from tournaments.models.people import folded
from tournaments.spreadsheets import MOST_ROWS, NO_TEXT, Row, column_letter, text_of

# How far down the row of headings may be: above it stand a title, and when the list was made.
LAST_HEADING_ROW = 15
MOST_HEADING = 60
SAMPLE = "2026-01-31"
CLOCK = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2})?\b")
TITLES = {
    "name": words("Name"),
    "given": words("First name"),
    "family": words("Last name"),
    "number": words("Number"),
    "email": words("E-mail"),
    "phone": words("Phone"),
    "member": words("Member"),
    "note": words("Note"),
    "rate": words("Fee type"),
    "paid": words("Paid"),
    "standby": words("Standby list"),
    "pots": words("Side pots"),
    "reason": words("Reason"),
    "amount": words("Amount"),
    "currency": words("Currency"),
    "date": words("Date"),
    "tournament": words("Tournament"),
    "place": words("Place"),
    "points": words("Points"),
    "evening": words("Points of one tournament"),
}
WHO = ("name", "given", "family", "number")
FIELDS: Mapping[ImportKind, Sequence[str]] = {
    ImportKind.PLAYERS: (*WHO, "email", "phone", "member", "note"),
    ImportKind.ENTRIES: (*WHO, "rate", "paid", "standby", "pots", "reason"),
    ImportKind.BALANCES: (*WHO, "amount", "currency", "date"),
    ImportKind.STANDINGS: (*WHO, "date", "tournament", "place", "points", "evening"),
}
# A column for each tournament, under a heading with its day, and the fields that it stands for.
POINTS_OF_TOURNAMENT = "evening"
OF_A_TOURNAMENT = ("date", "tournament", "place", "points")
# Fields without which a list says nothing; names and numbers are asked for of each row.
NEEDED: Mapping[ImportKind, Sequence[str]] = {
    ImportKind.PLAYERS: (),
    ImportKind.ENTRIES: (),
    ImportKind.BALANCES: ("amount",),
    ImportKind.STANDINGS: (),
}
HEADINGS: Mapping[str, str] = {
    **{heading: "name" if field == "player" else field for heading, field in HEADS.items()},
    **dict.fromkeys(("number", "no", "no.", "nr", "nr.", "nummer", "id", "player id", "player number"), "number"),
    **dict.fromkeys(("member number", "member no", "member no.", "membership number", "membership no"), "number"),
    **dict.fromkeys(("mitgliedsnummer", "mitgliedsnr", "mitgliedsnr.", "mitglieds-nr.", "spielernummer"), "number"),
    **dict.fromkeys(("mitglieds-nr", "member id", "licence", "license", "lizenz", "lizenznummer"), "number"),
    **dict.fromkeys(("नंबर", "संख्या", "सदस्य संख्या", "सदस्यता संख्या", "सदस्य नंबर"), "number"),
    **dict.fromkeys(("email", "e-mail", "mail", "email address", "e-mail address", "e-mail-adresse"), "email"),
    **dict.fromkeys(("mailadresse", "emailadresse", "ईमेल", "ई-मेल"), "email"),
    **dict.fromkeys(("phone", "mobile", "telephone", "tel", "cell", "phone number", "mobile number"), "phone"),
    **dict.fromkeys(("telefon", "telefonnummer", "handy", "handynummer", "mobil", "mobilnummer"), "phone"),
    **dict.fromkeys(("फ़ोन", "फोन", "मोबाइल", "मोबाइल नंबर", "फ़ोन नंबर"), "phone"),
    **dict.fromkeys(("member", "is member", "club member", "mitglied", "vereinsmitglied", "सदस्य"), "member"),
    **dict.fromkeys(("note", "notes", "remark", "remarks", "comment", "notiz", "bemerkung"), "note"),
    **dict.fromkeys(("bemerkungen", "kommentar", "नोट", "टिप्पणी"), "note"),
    **dict.fromkeys(("amount", "balance", "opening balance", "betrag", "guthaben", "saldo"), "amount"),
    **dict.fromkeys(("anfangsbestand", "eröffnungssaldo", "राशि", "बैलेंस", "शुरुआती बैलेंस"), "amount"),
    **dict.fromkeys(("currency", "währung", "waehrung", "मुद्रा"), "currency"),
    **dict.fromkeys(("date", "day", "datum", "tag", "stichtag", "तारीख", "दिनांक"), "date"),
    **dict.fromkeys(("fee type", "startgeldart"), "rate"),
    **dict.fromkeys(("tournament", "event", "evening", "turnier", "abend", "spielabend", "टूर्नामेंट"), "tournament"),
    **dict.fromkeys(("veranstaltung", "tournament name", "turniername", "title", "titel"), "tournament"),
    **dict.fromkeys(("place", "rank", "position", "pos", "pos.", "platz", "rang", "platzierung", "स्थान"), "place"),
    **dict.fromkeys(("points", "pts", "pts.", "score", "punkte", "pkt", "pkt.", "पॉइंट", "अंक"), "points"),
}
# A cell of a player who was not there.
NOT_THERE = frozenset({"", "-", "–", "—"})
# Around the day in a heading such as `Cup, 2025-03-01` or `3 (01.03.2025)`.
AROUND_A_DAY = " ,;:-–—()[]#"


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The columns of a list: their headings, the fields they mean, and the rows below the headings.

    `fields` is by column, empty for one that is left out.
    """

    headings: tuple[str, ...]
    fields: Mapping[int, str]
    rows: tuple[ListRow, ...]
    problems: tuple[Problem, ...] = ()
    has_heading: bool = False
    is_by_hand: bool = False

    @property
    def by_heading(self) -> dict[str, str]:
        """What is remembered: the field of each heading, and those that somebody left out."""
        return {
            key: self.fields.get(column, "")
            for column, heading in enumerate(self.headings)
            if (key := _heading(heading)) and self.has_heading and not NO_TEXT.search(key) and not DAY.search(key)
            if self.is_by_hand or column in self.fields
        }


def columns_of(draft: ImportDraft) -> Columns:
    """The columns of a list, with every problem of them and of cells without a value."""
    remembered = ImportColumns.objects.filter(club=draft.club, kind=draft.kind).values_list("headings", flat=True)
    fields = FIELDS[draft.kind]
    known = {
        **{heading: name for heading, name in HEADINGS.items() if name in fields},
        **{heading: name for heading, name in (remembered.first() or {}).items() if name in ("", *fields)},
    }
    rows = draft.worksheet.rows
    has_points_by_day = POINTS_OF_TOURNAMENT in fields
    place = _heading_place(rows, known, has_points_by_day=has_points_by_day)
    if draft.has_heading is not None:
        place = (place or 0) if draft.has_heading else None
    headings = tuple(map(text_of, rows[place].cells)) if place is not None and rows else ()
    width = max(draft.worksheet.width, len(headings))
    headings += ("",) * (width - len(headings))
    if draft.columns is not None:
        by_column = {column: name for column, name in draft.columns.items() if name and column < width}
    elif place is not None:
        days = {
            _heading(heading): POINTS_OF_TOURNAMENT for heading in headings if has_points_by_day and DAY.search(heading)
        }
        by_column = _guessed([(days | known).get(_heading(heading), "") for heading in headings])
    else:
        by_column = {0: "name"} if width == 1 else {}
    body = rows[place + 1 :] if place is not None else rows
    column_problems = _column_problems(draft.kind, by_column, headings)
    if POINTS_OF_TOURNAMENT in by_column.values() and not column_problems:
        read_rows = list(islice(_rows_by_tournament(body, by_column, headings), MOST_ROWS + 1))
        if len(read_rows) > MOST_ROWS:
            detail = say("more than {most} results: import the list in parts", most=MOST_ROWS)
            column_problems.append(Problem("too_many_rows", detail, field="file"))
    else:
        read_rows = [_list_row(row, by_column) for row in body]
    list_rows = tuple(map(_without_controls, read_rows))
    numbers = {row.number for row in list_rows}
    problems = [
        *column_problems,
        *(
            problem
            for (number, column), problem in draft.worksheet.problems.items()
            if column in by_column and number in numbers
        ),
        *(problem for row in read_rows for problem in _control_problems(row)),
    ]
    if not list_rows:
        problems.append(Problem("empty_sheet", say("the file is empty"), field="file"))
    return Columns(
        headings=headings,
        fields=by_column,
        rows=list_rows,
        problems=tuple(problems),
        has_heading=place is not None,
        is_by_hand=draft.columns is not None,
    )


def _heading(text: str) -> str:
    return folded(text).strip(' "*:?')[:MOST_HEADING]


def _heading_place(rows: Sequence[Row], known: Mapping[str, str], *, has_points_by_day: bool) -> int | None:
    """The place of the first row with headings: two that are known, or the only one of a list of names.

    Where a column may be a tournament, a day is a heading beside one that is known.
    """
    for place, row in enumerate(rows[:LAST_HEADING_ROW]):
        cells = [_heading(text_of(cell)) for cell in row.cells if text_of(cell)]
        number = sum(cell in known for cell in cells)
        if number and has_points_by_day:
            number += sum(bool(DAY.search(cell)) for cell in cells)
        if number >= min(2, len(cells)):
            return place
    return None


def _guessed(fields: Sequence[str]) -> dict[int, str]:
    """The fields by column. `Name` beside a column for one half of the name is the other half."""
    by_column = {column: name for column, name in enumerate(fields) if name}
    if POINTS_OF_TOURNAMENT in fields:
        # Beside columns for tournaments, points and places are those of the season.
        by_column = {column: name for column, name in by_column.items() if name not in OF_A_TOURNAMENT}
    halves = {"given", "family"} - set(by_column.values())
    if len(halves) == 1:
        by_column = {column: next(iter(halves)) if name == "name" else name for column, name in by_column.items()}
    return by_column


def _column_problems(kind: ImportKind, by_column: Mapping[int, str], headings: Sequence[str]) -> list[Problem]:
    """Fields that two columns mean, and those that none does."""
    problems = []
    for name, times in Counter(by_column.values()).items():
        if times > 1 and name != POINTS_OF_TOURNAMENT:
            letters = ", ".join(column_letter(column) for column, field in by_column.items() if field == name)
            detail = say("columns {list} are all {field}: choose one", list=letters, field=Message(TITLES[name]))
            problems.append(Problem("column_twice", detail, field=name))
    if not {"name", "given", "family", "number"} & set(by_column.values()):
        detail = say("choose the column of {field}", field=Message(TITLES["name"]))
        problems.append(Problem("missing_column", detail, field="name"))
    problems += [
        Problem("missing_column", say("choose the column of {field}", field=Message(TITLES[name])), field=name)
        for name in NEEDED[kind]
        if name not in by_column.values()
    ]
    return problems + (_standings_problems(by_column, headings) if kind is ImportKind.STANDINGS else [])


def _standings_problems(by_column: Mapping[int, str], headings: Sequence[str]) -> list[Problem]:
    """A list of standings has a row for each player and tournament, or a column for each tournament, under its day."""
    names = set(by_column.values())
    if POINTS_OF_TOURNAMENT not in names:
        problems = []
        if "date" not in names:
            detail = say("choose the column of {field}", field=Message(TITLES["date"]))
            problems.append(Problem("missing_column", detail, field="date"))
        if not names & {"place", "points"}:
            detail = say("choose the column of {field}", field=Message(TITLES["points"]))
            problems.append(Problem("missing_column", detail, field="points"))
        return problems
    problems = [
        Problem(
            "column_twice",
            say("each column is a tournament: leave out {field}", field=Message(TITLES[name])),
            field=name,
        )
        for name in OF_A_TOURNAMENT
        if name in names
    ]
    for column, name in by_column.items():
        if name == POINTS_OF_TOURNAMENT and not ((match := DAY.search(headings[column])) and day_in(match)):
            letter = column_letter(column)
            detail = say("column {letter}: its heading has no day such as {sample}", letter=letter, sample=SAMPLE)
            problems.append(Problem("missing_column", detail, field=f"column {letter}"))
    return problems


def _rows_by_tournament(
    body: Sequence[Row], by_column: Mapping[int, str], headings: Sequence[str]
) -> Iterator[ListRow]:
    """A row for each tournament to which the player of a row came."""
    who = {column: name for column, name in by_column.items() if name != POINTS_OF_TOURNAMENT}
    point_columns = []
    for column, name in by_column.items():
        if name == POINTS_OF_TOURNAMENT and (match := DAY.search(headings[column])) and (day := day_in(match)):
            rest = f"{headings[column][: match.start()]} {headings[column][match.end() :]}"
            # Date cells of a workbook may have a time; numbers alone are no names.
            called = CLOCK.sub("", rest).strip(AROUND_A_DAY)
            point_columns.append((column, day, "" if called.isdecimal() else called))
    for row in body:
        player = _list_row(row, who)
        for column, day, called in point_columns:
            cell = row.cell(column)
            if text_of(cell).strip() in NOT_THERE:
                continue
            values = {**player.values, "date": day, "points": cell, **({"tournament": called} if called else {})}
            columns = {**player.columns, "date": column, "points": column, "tournament": column}
            yield ListRow(number=row.number, values=values, columns=columns)


def _list_row(row: Row, by_column: Mapping[int, str]) -> ListRow:
    cells = {name: row.cell(column) for column, name in by_column.items()}
    return ListRow(
        number=row.number,
        values={name: cell for name, cell in cells.items() if cell != ""},
        columns={name: column for column, name in by_column.items()},
    )


def _control_problems(row: ListRow) -> Iterator[Problem]:
    """Cells with signs that no text has: a spreadsheet writes them as `_x0000_`, JSON as an escape."""
    for name in row.values:
        if NO_TEXT.search(row.text(name)):
            yield row.problem(name, "not_text", say("a cell cannot hold control characters"))


def _without_controls(row: ListRow) -> ListRow:
    """The row as it is looked up while its problems are collected: a database refuses to search for a NUL."""
    values = {name: NO_TEXT.sub("", cell) if isinstance(cell, str) else cell for name, cell in row.values.items()}
    return replace(row, values={name: cell for name, cell in values.items() if cell != ""})
