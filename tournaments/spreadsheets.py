"""Reads a spreadsheet that somebody hands in: XLSX, ODS, CSV in any usual encoding, or pasted cells, into rows.

Rules: docs/how-to/importing.md, "The file". What cannot be read is refused with everything that prevents it, by row and
column. A workbook is looked through before it is read: a small file can unpack to more than a machine holds. Knows
nothing of what the cells mean.
"""

import csv
import io
import json
import math
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import zip_longest
from typing import Any
from xml.parsers import expat

from scoring.messages import Message, say
from scoring.problems import Problem, RuleError, refuse_if

MOST_BYTES = 10_000_000
MOST_ROWS, MOST_COLUMNS, MOST_CELL = 20_000, 60, 2_000
MOST_CELLS = 400_000
# A workbook of so many rows and columns unpacks to some 40 MB in a few dozen parts; its XML shrinks twenty times.
MOST_UNPACKED, MOST_PARTS, MOST_RATIO, SMALL_PART = 80_000_000, 500, 150, 1_000_000
# Letters that a reader holds: repeated cells and shared texts are written once, and held once for each cell.
MOST_LETTERS = 20_000_000
# Of each column: one that is not used must not hide another.
MOST_NAMED = 50
# What a spreadsheet calculates with has fewer digits before or behind its point.
MOST_DIGITS = 400
ARCHIVES = (".zip", ".xlsx", ".xlsm", ".ods", ".gz", ".7z", ".rar", ".jar")
# A number of this length and more has lost its last digits: spreadsheets calculate with fifteen.
ROUNDED = 10**15
SHORTENED = re.compile(r"\d(?:[.,]\d+)?E\+?\d+", re.IGNORECASE)
EPOCH = date(1899, 12, 30)
SERIALS = range(15_000, 75_000)
SEPARATOR_LINE = re.compile(r'\A\s*"?sep=([^\n])"?[ \t]*(?:\r?\n|\Z)', re.IGNORECASE)
# In the order in which one is preferred where two divide the rows alike.
SEPARATORS = "\t;|,"
SAMPLE = 60
# An export puts an apostrophe before a cell that a spreadsheet would calculate; it is not part of the text.
MADE_INERT = re.compile(r"'(?=[=+\-@\t\r＝＋－＠])")
MULTIBYTE = re.compile(rb"[\xc3-\xf4][\x80-\xbf]+")
# What Western European text has beside letters. A file of another encoding has other signs, or has these inside words.
WESTERN_SIGNS = frozenset("€£¥§°²³½¼¾·«»„“”‚‘’´…–—•©®™ªº¿¡\u00a0×")
INSIDE_WORDS = frozenset("’´·–—\u00ad")
# No Western word has an accented capital between or before small letters, three accents in a row, or begins with €.
FOREIGN = re.compile(r"[A-Za-zß-ÿšœž][À-ÖØ-ÞŠŒŽŸ][a-zß-ÿšœž]|[À-ÖØ-öø-ÿŠŒŽŸšœžƒ]{3}|[€§°]\b[a-z]")
CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
# What no text of a list has, and no database stores all of.
NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")

Cell = str | int | Decimal | date


class SpreadsheetRejected(RuleError):
    """A file that cannot be read: every reason, with row and column where it has one."""

    code = "spreadsheet_rejected"


@dataclass(frozen=True, slots=True)
class Row:
    """A row with something in it; `number` is its row number in a spreadsheet."""

    number: int
    cells: tuple[Cell, ...]

    def cell(self, column: int) -> Cell:
        """Return a cell; empty where the row is shorter."""
        return self.cells[column] if column < len(self.cells) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worksheet:
    """The rows of one worksheet, or of a text. `names` are all visible worksheets, of which `name` was read.

    `encoding` says how a text was decoded. `problems` are cells without a value: of a column that is not used they do
    no harm.
    """

    rows: tuple[Row, ...]
    name: str = ""
    names: tuple[str, ...] = ()
    encoding: str = ""
    problems: Mapping[tuple[int, int], Problem] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """How many columns it has."""
        return max((len(row.cells) for row in self.rows), default=0)


def read_spreadsheet(data: bytes, *, name: str = "") -> Worksheet:
    """Read a file: the worksheet of that name, or the first visible one. Raises SpreadsheetRejected."""
    if len(data) > MOST_BYTES:
        detail = say("the file has {number} bytes; at most {most} are read", number=len(data), most=MOST_BYTES)
        raise SpreadsheetRejected([Problem("file_too_big", detail, field="file")])
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _read_workbook(data, name)
    if data.startswith((b"\xd0\xcf\x11\xe0", b"%PDF")):
        _refuse("not_a_list", say("this file cannot be read: save it as XLSX, ODS or CSV"))
    text, encoding = decoded(data)
    return _read_text(text, encoding)


def read_pasted_cells(text: str) -> Worksheet:
    """Read cells copied from a spreadsheet, or any text with separators. Raises SpreadsheetRejected."""
    if len(text) > MOST_BYTES:
        detail = say("the file has {number} bytes; at most {most} are read", number=len(text), most=MOST_BYTES)
        raise SpreadsheetRejected([Problem("file_too_big", detail, field="names")])
    return _read_text(text, "")


def csv_text(worksheet: Worksheet) -> str:
    """The rows as CSV with semicolons, each in the line of its row number, for readers of text."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=";", lineterminator="\n")
    line = 1
    for row in worksheet.rows:
        file.write("\n" * (row.number - line))
        writer.writerow([text_of(cell) for cell in row.cells])
        line = row.number + 1
    return file.getvalue()


def dumped(worksheet: Worksheet) -> str:
    """The rows as JSON for `loaded`: a form carries them from the preview to the save."""
    rows = [[row.number, *map(_dumped_cell, row.cells)] for row in worksheet.rows]
    return json.dumps({"rows": rows, "without_value": list(worksheet.problems)}, ensure_ascii=False)


def loaded(text: str) -> Worksheet:
    """The worksheet of a text from `dumped`. Raises SpreadsheetRejected for any other text."""
    try:
        content = json.loads(text)
        rows = tuple(Row(int(number), tuple(map(_loaded_cell, cells))) for number, *cells in content["rows"])
        places = [(int(row), int(column)) for row, column in content["without_value"]]
    except (ValueError, TypeError, KeyError, ArithmeticError) as error:
        detail = say("choose the file again")
        raise SpreadsheetRejected([Problem("not_a_list", detail, field="file")]) from error
    return Worksheet(rows=rows, problems={(row, column): _without_value(row, column) for row, column in places})


def _dumped_cell(cell: Cell) -> object:
    if isinstance(cell, date):
        return {"d": cell.isoformat()[:10]}
    return {"n": str(cell)} if isinstance(cell, Decimal) else cell


def _loaded_cell(cell: object) -> Cell:
    match cell:
        case {"n": str(number)}:
            return _number_within(Decimal(number))
        case {"d": str(day)}:
            return date.fromisoformat(day)
        case int() | str() if not isinstance(cell, bool):
            return cell
    raise ValueError(cell)


def _number_within(number: Decimal) -> Decimal:
    """A number as a spreadsheet has it. Raises ValueError for any other."""
    if not number.is_finite() or abs(number.adjusted()) >= MOST_DIGITS:
        raise ValueError(number)
    return number


def _without_value(row: int, column: int) -> Problem:
    return _at(row, column, "no_value", say("this formula has no value: open the file, save it again"))


def column_letter(column: int) -> str:
    """The letters above a column, counted from 0: A, B, … Z, AA."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def text_of(cell: Cell) -> str:
    """A cell as text: a whole number without decimals, a day as ISO 8601."""
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ", timespec="minutes")
    return cell.isoformat() if isinstance(cell, date) else str(cell)


def lost_digits(cell: Cell) -> bool:
    """Whether a number that stands for a name, such as a member's, was shortened by the spreadsheet: `1.0E+15`."""
    if isinstance(cell, str):
        return bool(SHORTENED.fullmatch(cell))
    return isinstance(cell, int | Decimal) and not -ROUNDED < cell < ROUNDED


def day_of(cell: Cell) -> date | None:
    """The day of a date cell, or of the number that a spreadsheet has for it; None for anything else."""
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, date):
        return cell
    serial = int(cell) if isinstance(cell, int | Decimal) else 0
    return EPOCH + timedelta(days=serial) if serial in SERIALS else None


# Text.


def decoded(data: bytes) -> tuple[str, str]:
    """The text of a file, and the encoding it has. Raises SpreadsheetRejected where no reading is certain.

    UTF-8 with and without its mark, UTF-16 with and without it, then Windows-1252. UTF-8 refuses nearly every text of
    another encoding, Windows-1252 hardly any: it is believed only where the signs that come out are those of a list.
    """
    marks = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
    encoding = next((encoding for mark, encoding in marks.items() if data.startswith(mark)), "") or _unmarked(data)
    try:
        return _plain_text(data.decode(encoding or "utf-8")), (encoding or "utf-8").removesuffix("-sig").upper()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        is_western = not encoding and not any(_is_utf8(match[0]) for match in MULTIBYTE.finditer(data))
    try:
        text = data.decode("cp1252") if is_western else ""
    except UnicodeDecodeError:
        text = ""
    if not text or not _looks_western(text):
        _refuse("not_utf8", say("row {number}: unreadable letters: save the file as CSV UTF-8", number=line))
    return _plain_text(text), "Windows-1252"


def _unmarked(data: bytes) -> str:
    """UTF-16 without a mark: in a list with any Latin letters or separators, half of the bytes are zero."""
    sample = data[:4_000]
    zeros = sample[0::2].count(0), sample[1::2].count(0)
    if max(zeros) * 5 < len(sample) // 2 or min(zeros) * 10 > max(zeros):
        return ""
    return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"


def _is_utf8(piece: bytes) -> bool:
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _looks_western(text: str) -> bool:
    if FOREIGN.search(text) or CONTROLS.search(text):
        return False
    for match in re.finditer(r"[^\x00-\x7f]", text):
        sign, place = match[0], match.start()
        around = text[place - 1 : place] + text[place + 1 : place + 2]
        is_inside = len(around) == 2 and all(map(str.isalpha, around))
        if not (sign.isalpha() or sign in WESTERN_SIGNS) or (
            is_inside and not sign.isalpha() and sign not in INSIDE_WORDS
        ):
            return False
    return True


def _plain_text(text: str) -> str:
    if "\x00" in text:
        _refuse("not_a_list", say("this file cannot be read: save it as XLSX, ODS or CSV"))
    return text


def _read_text(text: str, encoding: str) -> Worksheet:
    separator_match = SEPARATOR_LINE.match(text)
    above = 1 if separator_match else 0
    text = text[separator_match.end() :] if separator_match else text
    separator = separator_match[1] if separator_match else _separator(text)
    records: list[list[str]] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for record in reader:
            records.append(record)
            if len(records) > MOST_ROWS:
                break
    except csv.Error as error:
        _refuse("not_a_list", say("row {number}: {why}", number=len(records) + above + 1, why=_csv_fault(error)))
    return Worksheet(rows=_rows(iter(records), first=above + 1), encoding=encoding)


def _separator(text: str) -> str:
    """The separator that divides most of the first rows into as many cells as the longest of them has."""
    lines = text[: SAMPLE * MOST_CELL].splitlines()[:SAMPLE]

    def regularity(separator: str) -> tuple[int, int]:
        try:
            widths = [len(row) for row in csv.reader(lines, delimiter=separator) if any(row)]
        except csv.Error:
            return 0, 0
        usual = max(set(widths), key=lambda width: (widths.count(width), width), default=0)
        return (widths.count(usual), usual) if usual > 1 else (0, 0)

    return max(SEPARATORS, key=regularity)


def _csv_fault(error: csv.Error) -> Message:
    """Why strict parsing failed: quotes that are never closed, or text after a closing quote."""
    separator, phrase, quote = str(error).partition(" expected after ")
    if phrase:
        return say("{value} expected after {typed}", value=separator, typed=quote)
    return say("unexpected end of data")


def _rows(records: Iterator[Sequence[Any]], *, first: int) -> tuple[Row, ...]:
    """Rows with something in them. Raises SpreadsheetRejected for too many rows, columns or letters, all at once."""
    rows: list[Row] = []
    problems: list[Problem] = []
    number = first - 1
    for number, record in enumerate(records, start=first):
        cells = [_cell(value) for value in record]
        while cells and cells[-1] == "":
            cells.pop()
        if not cells:
            continue
        if len(cells) > MOST_COLUMNS:
            detail = say(
                "row {number} has {of} columns; at most {most} are read",
                number=number,
                of=len(cells),
                most=MOST_COLUMNS,
            )
            problems.append(Problem("too_many_columns", detail, field=f"row {number}"))
        for column, cell in enumerate(cells):
            if isinstance(cell, str) and len(cell) > MOST_CELL:
                problems.append(_at(number, column, "cell_too_long", _too_long(len(cell))))
        rows.append(Row(number, tuple(cells)))
        if len(problems) >= MOST_NAMED:
            break
    if rows and rows[-1].number > MOST_ROWS:
        problems.append(_too_many_rows(rows[-1].number))
    refuse_if(problems, SpreadsheetRejected)
    return tuple(rows)


def _cell(value: object) -> Cell:
    match value:
        case bool():
            return "yes" if value else "no"
        case int() | date():
            return value
        # NaN and an infinity are no numbers to calculate with.
        case float() if math.isfinite(value):
            return int(value) if value.is_integer() else Decimal(repr(value))
        case time() | timedelta():
            return str(value)
    text = unicodedata.normalize("NFC", " ".join(str(value).split()))
    return MADE_INERT.sub("", text, count=1) if text.startswith("'") else text


def _at(row: int, column: int, code: str, why: Message) -> Problem:
    letter = column_letter(column)
    detail = say("row {number}, column {column}: {why}", number=row, column=letter, why=why)
    return Problem(code, detail, field=f"row {row}, column {letter}")


def _too_long(length: int) -> Message:
    return say("{number} characters: at most {most}", number=length, most=MOST_CELL)


def _too_many_rows(number: int) -> Problem:
    detail = say("{number} rows at once are too many: at most {most}", number=number, most=MOST_ROWS)
    return Problem("too_many_rows", detail, field="file")


def _refuse(code: str, detail: Message) -> None:
    raise SpreadsheetRejected([Problem(code, detail, field="file")])


# Workbooks.


def _read_workbook(data: bytes, name: str) -> Worksheet:
    # Most processes read no workbook.
    from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum  # noqa: PLC0415

    unreadable = say("this file cannot be read: save it as XLSX, ODS or CSV")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = _checked_parts(archive)
            scans = _scanned(archive, parts)
            path_by_name = _worksheet_paths(archive, parts)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise SpreadsheetRejected([Problem("not_a_list", unreadable, field="file")]) from error
    try:
        with CalamineWorkbook.from_object(io.BytesIO(data)) as workbook:
            names = tuple(sheet.name for sheet in workbook.sheets_metadata if sheet.visible is SheetVisibleEnum.Visible)
            if not names or (name and name not in names):
                detail = say(
                    "there is no worksheet {typed}; choose one of {list}", typed=name or "-", list=", ".join(names)
                )
                _refuse("no_worksheet", detail)
            chosen = name or names[0]
            values = workbook.get_sheet_by_name(chosen).to_python(skip_empty_area=False)
    except (CalamineError, ValueError, OSError) as error:
        raise SpreadsheetRejected([Problem("not_a_list", unreadable, field="file")]) from error
    scan = scans.get(path_by_name.get(chosen, chosen))
    problems = {place: _without_value(*place) for place in (scan.without_value if scan else ())}
    return Worksheet(rows=_rows(iter(values), first=1), name=chosen, names=names, problems=problems)


def _checked_parts(archive: zipfile.ZipFile) -> list[str]:
    """The parts of a workbook. Raises SpreadsheetRejected for one that unpacks to too much, or holds other archives."""
    parts = archive.infolist()
    names = [part.filename for part in parts]
    if "xl/workbook.xml" not in names and "content.xml" not in names:
        _refuse("not_a_list", say("this file cannot be read: save it as XLSX, ODS or CSV"))
    if any(part.flag_bits & 1 for part in parts):
        _refuse("has_password", say("the file has a password: save it without one"))
    is_bomb = (
        len(parts) > MOST_PARTS
        or len(set(names)) < len(names)
        or sum(part.file_size for part in parts) > MOST_UNPACKED
        or any(
            part.file_size > SMALL_PART and part.file_size > MOST_RATIO * max(part.compress_size, 1) for part in parts
        )
    )
    if is_bomb or any(name.lower().endswith(ARCHIVES) for name in names):
        _refuse_size()
    # Reads every part to its end: one that is larger than the directory says fails its checksum.
    if archive.testzip() is not None:
        raise zipfile.BadZipFile
    return names


def _refuse_size() -> None:
    _refuse("unpacks_too_big", say("the file unpacks to more than is read: save the list alone in a new file"))


@dataclass(slots=True)
class _Scan:
    """Where the cells of a worksheet are that have a value, and formulas that have none. Rows count from 1."""

    row: int = 0
    column: int = -1
    repeated_rows: int = 1
    last_row: int = 0
    last_column: int = 0
    cells: int = 0
    longest: int = 0
    length: int = 0
    letters: int = 0
    has_formula: bool = False
    has_value: bool = False
    in_value: bool = False
    is_error: bool = False
    without_value: list[tuple[int, int]] = field(default_factory=list)
    named: Counter[int] = field(default_factory=Counter)

    def fill(self, *, columns: int = 1) -> None:
        """Take a cell with a value, repeated as ODS does."""
        self.last_row = max(self.last_row, self.row + self.repeated_rows - 1)
        self.last_column = max(self.last_column, self.column + columns)
        self.cells += columns * self.repeated_rows

    def name(self, *, columns: int = 1) -> None:
        """Note a cell without a value, repeated as ODS does: so many of each column that is read."""
        for column in range(self.column, min(self.column + columns, MOST_COLUMNS)):
            rows = min(self.repeated_rows, MOST_NAMED - self.named[column])
            self.named[column] += rows
            self.without_value += ((self.row + below, column) for below in range(rows))


def _scanned(archive: zipfile.ZipFile, names: Sequence[str]) -> dict[str, _Scan]:
    """Look through every part before the reader does: a single cell in the last row makes it hold all above."""
    scans = _scans_of_parts(archive, names)
    # Of an ODS the reader takes all worksheets at once.
    if sum(scan.letters for scan in scans.values()) > MOST_LETTERS:
        _refuse_size()
    problems: list[Problem] = []
    for scan in scans.values():
        if scan.last_row > MOST_ROWS:
            problems.append(_too_many_rows(scan.last_row))
        if scan.last_column > MOST_COLUMNS or scan.cells > MOST_CELLS:
            detail = say(
                "{number} columns and {cells} cells are too many: at most {most} and {limit}",
                number=scan.last_column,
                cells=scan.cells,
                most=MOST_COLUMNS,
                limit=MOST_CELLS,
            )
            problems.append(Problem("too_many_columns", detail, field="file"))
        if scan.longest > MOST_CELL:
            problems.append(Problem("cell_too_long", _too_long(scan.longest), field="file"))
    refuse_if(problems, SpreadsheetRejected)
    return scans


def _scans_of_parts(archive: zipfile.ZipFile, names: Sequence[str]) -> dict[str, _Scan]:
    scans: dict[str, _Scan] = {}
    uses: dict[str, Counter[int]] = {}
    lengths: list[int] = []
    is_ods = "xl/workbook.xml" not in names
    for name in names:
        if name.endswith("/") or (is_ods and name != "content.xml"):
            continue
        data = archive.read(name)
        # A part that is no XML is no worksheet.
        if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"<", b"\xff", b"\xfe"):
            continue
        if is_ods:
            return _scan_ods(data)
        part = _scan_xlsx(data)
        scans[name], uses[name] = part.scan, part.uses
        # Which part has the shared texts is written in another: of two, each text counts as the longer one.
        lengths = [max(pair) for pair in zip_longest(lengths, part.lengths, fillvalue=0)]
    for name, shared in uses.items():
        scans[name].letters += sum(lengths[index] * times for index, times in shared.items() if index < len(lengths))
    return scans


Started = Callable[[str, Mapping[str, str]], None]


def _parse(data: bytes, start: Started, end: Callable[[str], None], text: Callable[[str], None]) -> None:
    """Parse XML by events. Raises ValueError for what is none, and for entities of its own: no workbook has any."""

    def refuse_entities(*_: object) -> None:
        raise ValueError("a workbook with a document type")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse_entities
    parser.StartElementHandler = lambda name, attributes: start(name.rpartition(":")[2], attributes)
    parser.EndElementHandler = lambda name: end(name.rpartition(":")[2])
    parser.CharacterDataHandler = text
    try:
        parser.Parse(data, True)  # noqa: FBT003 (it has no name for it)
    except expat.ExpatError as error:
        raise ValueError(str(error)) from error


@dataclass(slots=True)
class _XlsxPart:
    """A part of an XLSX while it is looked through: the lengths of its shared texts, and the uses of each."""

    scan: _Scan = field(default_factory=_Scan)
    lengths: list[int] = field(default_factory=list)
    uses: Counter[int] = field(default_factory=Counter)
    is_shared: bool = False
    index: str = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        scan = self.scan
        match name:
            case "row":
                scan.row, scan.column = int(attributes.get("r", scan.row + 1)), -1
            case "c":
                scan.row, scan.column = _place(attributes["r"]) if "r" in attributes else (scan.row, scan.column + 1)
                scan.has_formula, scan.has_value, scan.is_error = False, False, attributes.get("t") == "e"
                self.is_shared, self.index = attributes.get("t") == "s", ""
            case "f":
                scan.has_formula = True
            case "v" | "t":
                scan.in_value = True
            case "si":
                scan.length = 0

    def end(self, name: str) -> None:
        scan = self.scan
        if name == "c" and self.is_shared and self.index.strip():
            self.uses[int(self.index)] += 1
        match name:
            case "c" if scan.has_value and not scan.is_error:
                scan.fill()
            case "c" if scan.has_formula or scan.is_error:
                scan.name()
                scan.fill()
            case "v" | "t":
                scan.in_value = False
            case "si":
                scan.longest = max(scan.longest, scan.length)
                self.lengths.append(scan.length)

    def text(self, piece: str) -> None:
        if self.scan.in_value:
            self.scan.has_value = self.scan.has_value or bool(piece.strip())
            self.scan.length += len(piece)
            self.scan.letters += len(piece)
            self.index += piece if self.is_shared else ""


FORMULA = "table:formula"


@dataclass(slots=True)
class _OdsContent:
    """The content of an ODS while it is looked through: rows and cells of a kind are written once, with a number."""

    scans: dict[str, _Scan] = field(default_factory=dict)
    scan: _Scan = field(default_factory=_Scan)
    columns: int = 1
    in_attributes: int = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        match name:
            case "table":
                self.scan = self.scans.setdefault(attributes.get("table:name", ""), _Scan(row=1))
            case "table-row":
                self.scan.column = 0
                self.scan.repeated_rows = _times(attributes, "table:number-rows-repeated")
            case "table-cell" | "covered-table-cell":
                self.columns = _times(attributes, "table:number-columns-repeated")
                self.scan.has_formula = FORMULA in attributes
                self.scan.has_value, self.scan.length = "office:value-type" in attributes, 0
                self.scan.is_error = attributes.get("calcext:value-type") == "error"
                self.in_attributes = sum(len(attributes.get(name, "")) for name in ("office:string-value", FORMULA))
            case "s":
                # So many blanks.
                self.scan.length += _times(attributes, "text:c")

    def end(self, name: str) -> None:
        scan = self.scan
        match name:
            case "table-cell" | "covered-table-cell":
                if scan.has_value or scan.has_formula:
                    scan.fill(columns=self.columns)
                if (scan.has_formula and not scan.has_value) or scan.is_error:
                    scan.name(columns=self.columns)
                scan.longest = max(scan.longest, scan.length)
                scan.letters += (scan.length + self.in_attributes) * self.columns * scan.repeated_rows
                scan.column += self.columns
            case "table-row":
                scan.row += scan.repeated_rows

    def text(self, piece: str) -> None:
        self.scan.length += len(piece)


def _times(attributes: Mapping[str, str], name: str) -> int:
    """How often something is repeated. Raises ValueError for less than never: it would hide what is above it."""
    times = int(attributes.get(name, 1))
    if times < 0:
        raise ValueError(name)
    return times


def _scan_xlsx(data: bytes) -> _XlsxPart:
    part = _XlsxPart()
    _parse(data, part.start, part.end, part.text)
    return part


def _scan_ods(data: bytes) -> dict[str, _Scan]:
    content = _OdsContent()
    _parse(data, content.start, content.end, content.text)
    return content.scans


def _place(reference: str) -> tuple[int, int]:
    """The row, counted from 1, and the column, counted from 0, of `B7`."""
    letters = reference.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return int(reference[len(letters) :]), column - 1


def _worksheet_paths(archive: zipfile.ZipFile, names: Sequence[str]) -> dict[str, str]:
    """Which part each worksheet of an XLSX is in. In ODS all are in one."""
    relations = "xl/_rels/workbook.xml.rels"
    if relations not in names or "xl/workbook.xml" not in names:
        return {}
    targets: dict[str, str] = {}
    paths: dict[str, str] = {}

    def relation(name: str, attributes: Mapping[str, str]) -> None:
        if name == "Relationship":
            target = attributes.get("Target", "")
            targets[attributes.get("Id", "")] = target.lstrip("/") if target.startswith("/") else f"xl/{target}"

    def sheet(name: str, attributes: Mapping[str, str]) -> None:
        if name == "sheet":
            key = next((value for attribute, value in attributes.items() if attribute.endswith(":id")), "")
            paths[attributes.get("name", "")] = targets.get(key, "")

    def ignore(_: str) -> None:
        """Nothing else is of interest."""

    _parse(archive.read(relations), relation, ignore, ignore)
    _parse(archive.read("xl/workbook.xml"), sheet, ignore, ignore)
    return paths
