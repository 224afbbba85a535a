"""Which column of a list means what: guessed from headings in our languages, remembered by the club, or set by hand.

Rules: docs/how-to/importing.md, "Columns".
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.messages import Message, say, words
from scoring.problems import Problem
from tournaments.entries.commands.lists import HEADS
from tournaments.importing import ImportDraft, ListRow
from tournaments.models import ImportColumns, ImportKind
from tournaments.models.people import folded
from tournaments.spreadsheets import NO_TEXT, Row, column_letter, text_of

# How far down the row of headings may be: above it stand a title, and when the list was made.
LAST_HEADING_ROW = 15
MOST_HEADING = 60
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
}
WHO = ("name", "given", "family", "number")
FIELDS: Mapping[ImportKind, Sequence[str]] = {
    ImportKind.PLAYERS: (*WHO, "email", "phone", "member", "note"),
    ImportKind.ENTRIES: (*WHO, "rate", "paid", "standby", "pots", "reason"),
    ImportKind.BALANCES: (*WHO, "amount", "currency", "date"),
}
# Fields without which a list says nothing; names and numbers are asked for of each row.
NEEDED: Mapping[ImportKind, Sequence[str]] = {
    ImportKind.PLAYERS: (),
    ImportKind.ENTRIES: (),
    ImportKind.BALANCES: ("amount",),
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
}


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
            if (key := _heading(heading)) and self.has_heading and not NO_TEXT.search(key)
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
    place = _heading_place(rows, known)
    if draft.has_heading is not None:
        place = (place or 0) if draft.has_heading else None
    headings = tuple(map(text_of, rows[place].cells)) if place is not None and rows else ()
    width = max(draft.worksheet.width, len(headings))
    headings += ("",) * (width - len(headings))
    if draft.columns is not None:
        by_column = {column: name for column, name in draft.columns.items() if name and column < width}
    elif place is not None:
        by_column = _guessed([known.get(_heading(heading), "") for heading in headings])
    else:
        by_column = {0: "name"} if width == 1 else {}
    body = rows[place + 1 :] if place is not None else rows
    read_rows = [_list_row(row, by_column) for row in body]
    list_rows = tuple(map(_without_controls, read_rows))
    numbers = {row.number for row in list_rows}
    problems = [
        *_column_problems(draft.kind, by_column),
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


def _heading_place(rows: Sequence[Row], known: Mapping[str, str]) -> int | None:
    """The place of the first row with headings: two that are known, or the only one of a list of names."""
    for place, row in enumerate(rows[:LAST_HEADING_ROW]):
        cells = [_heading(text_of(cell)) for cell in row.cells if text_of(cell)]
        if sum(cell in known for cell in cells) >= min(2, len(cells)):
            return place
    return None


def _guessed(fields: Sequence[str]) -> dict[int, str]:
    """The fields by column. `Name` beside a column for one half of the name is the other half."""
    by_column = {column: name for column, name in enumerate(fields) if name}
    halves = {"given", "family"} - set(by_column.values())
    if len(halves) == 1:
        by_column = {column: next(iter(halves)) if name == "name" else name for column, name in by_column.items()}
    return by_column


def _column_problems(kind: ImportKind, by_column: Mapping[int, str]) -> list[Problem]:
    """Fields that two columns mean, and those that none does."""
    problems = []
    for name, times in Counter(by_column.values()).items():
        if times > 1:
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
    return problems


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
