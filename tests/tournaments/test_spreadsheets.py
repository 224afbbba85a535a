"""What is read of a spreadsheet that somebody hands in, and what is refused before it is read."""

import io
import zipfile
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import openpyxl
import pytest

from tournaments.spreadsheets import (
    MOST_ROWS,
    SpreadsheetRejected,
    Worksheet,
    column_letter,
    day_of,
    loaded,
    lost_digits,
    read_pasted_cells,
    read_spreadsheet,
    text_of,
)

LIST = "Name;Nummer\nJürgen Groß;007\nZoë;“8”\n"


def workbook(fill: Callable[[Any], object]) -> bytes:
    """The bytes of a workbook whose first worksheet was filled."""
    book = openpyxl.Workbook()
    fill(book.active)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def rewritten(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """The same workbook with some of its parts changed."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as after:
        for part in before.infolist():
            after.writestr(part.filename, change(part.filename, before.read(part)))
    return file.getvalue()


def ods(rows: str) -> bytes:
    """An ODS with these rows as XML."""
    spaces = " ".join(
        f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for prefix, name in (("office", "office"), ("table", "table"), ("text", "text"))
    )
    content = (
        f'<?xml version="1.0"?><office:document-content {spaces}><office:body><office:spreadsheet>'
        f'<table:table table:name="Liste">{rows}</table:table></office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
    return file.getvalue()


def text_cell(text: str, more: str = "") -> str:
    return f'<table:table-cell office:value-type="string" {more}><text:p>{text}</text:p></table:table-cell>'


def refused(data: bytes) -> set[str]:
    """The codes with which a file is refused."""
    with pytest.raises(SpreadsheetRejected) as rejected:
        read_spreadsheet(data)
    return {problem.code for problem in rejected.value.problems}


def texts(worksheet: Worksheet) -> list[tuple[int, list[str]]]:
    return [(row.number, [text_of(cell) for cell in row.cells]) for row in worksheet.rows]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_a_list_is_read_in_every_usual_encoding(encoding: str) -> None:
    worksheet = read_spreadsheet(LIST.encode(encoding))
    assert texts(worksheet)[1:] == [(2, ["Jürgen Groß", "007"]), (3, ["Zoë", "“8”"])]


@pytest.mark.parametrize("encoding", ["cp850", "cp437", "mac_roman", "cp1251", "koi8-r"])
def test_letters_of_another_encoding_are_never_read_as_something_else(encoding: str) -> None:
    text = "Имя\nИван Грозный\n" if encoding in ("cp1251", "koi8-r") else "Name\nJörg Müller\nBjörn Ähre\n"
    assert refused(text.encode(encoding)) == {"not_utf8"}


def test_utf8_with_one_broken_byte_is_refused_with_its_row_and_not_read_as_another_encoding() -> None:
    with pytest.raises(SpreadsheetRejected, match="row 3"):
        read_spreadsheet("Name\nJürgen\n".encode() + b"Zo\xeb\n")


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_the_one_that_divides_the_rows_alike(separator: str) -> None:
    rows = ['"Rao, Asha"' if separator == "," else "Rao, Asha", "1,5" if separator != "," else "1.5"]
    text = separator.join(["Name", "Punkte"]) + "\n" + separator.join(rows) + "\n"
    assert texts(read_pasted_cells(text))[1][1][0] == "Rao, Asha"


def test_quotes_hold_separators_and_line_breaks_and_rows_are_counted_as_spreadsheets_do() -> None:
    worksheet = read_pasted_cells('sep=;\nName;Note\n\n"Bo;Bo";"one\ntwo"\nCy;\n')
    assert texts(worksheet) == [(2, ["Name", "Note"]), (4, ["Bo;Bo", "one two"]), (5, ["Cy"])]
    with pytest.raises(SpreadsheetRejected, match="row 2"):
        read_pasted_cells('Name;Note\n"Bo";"one"two\n')


def test_a_cell_that_an_export_made_inert_is_read_without_its_apostrophe() -> None:
    assert texts(read_pasted_cells("Name,Note\n'=Asha,'tis\n"))[1][1] == ["=Asha", "'tis"]


def test_a_workbook_keeps_numbers_texts_and_days_apart() -> None:
    def fill(page: Any) -> None:
        page.append(["Name", "Number", "Points", "Day", "Member"])
        page.append(["Asha", "00042", 12.5, date(2025, 3, 1), True])
        page.append(["Bo", 1e15, 7, 45_717, False])

    (_, asha, bo) = read_spreadsheet(workbook(fill)).rows
    assert asha.cells[:3] == ("Asha", "00042", Decimal("12.5"))
    assert day_of(asha.cells[3]) == day_of(bo.cells[3]) == date(2025, 3, 1)
    assert (asha.cells[4], bo.cells[4]) == ("yes", "no")
    assert lost_digits(bo.cells[1])
    assert lost_digits("1.0E+15")
    assert not lost_digits("00042")


def test_a_merged_cell_has_its_value_in_the_first() -> None:
    def fill(page: Any) -> None:
        page["A1"] = "Season 2025"
        page.merge_cells("A1:C1")
        page.append(["Name", "", "Points"])

    assert texts(read_spreadsheet(workbook(fill))) == [(1, ["Season 2025"]), (2, ["Name", "", "Points"])]


def test_a_formula_without_a_value_and_an_error_are_named_by_row_and_column() -> None:
    def fill(page: Any) -> None:
        page.append(["Name", "Points"])
        page.append(["Asha", "=1+1"])
        page.append(["Bo", "#REF!"])

    problems = read_spreadsheet(workbook(fill)).problems
    assert {place: problem.field for place, problem in problems.items()} == {
        (2, 1): "row 2, column B",
        (3, 1): "row 3, column B",
    }


def test_one_of_several_worksheets_is_chosen_and_hidden_ones_are_none() -> None:
    book = openpyxl.Workbook()
    book.active.title = "Hidden"
    book.active.sheet_state = "hidden"
    book.create_sheet("March").append(["Name", "Asha"])
    book.create_sheet("April").append(["Name", "Bo"])
    file = io.BytesIO()
    book.save(file)
    assert read_spreadsheet(file.getvalue()).names == ("March", "April")
    assert texts(read_spreadsheet(file.getvalue(), name="April")) == [(1, ["Name", "Bo"])]
    with pytest.raises(SpreadsheetRejected, match="March, April"):
        read_spreadsheet(file.getvalue(), name="Hidden")


def test_an_ods_is_read_with_its_empty_rows_left_out() -> None:
    empty = '<table:table-row table:number-rows-repeated="1048570"><table:table-cell/></table:table-row>'
    row = f"<table:table-row>{text_cell('Asha')}{text_cell('00042')}</table:table-row>"
    assert texts(read_spreadsheet(ods(row + empty))) == [(1, ["Asha", "00042"])]
    assert refused(ods(row + empty + row)) == {"too_many_rows"}
    assert refused(ods(row.replace("<table:table-row>", '<table:table-row table:number-rows-repeated="900000">')))


def test_a_formula_without_a_value_in_an_ods_is_named() -> None:
    cell = '<table:table-cell table:formula="of:=1+1"/>'
    worksheet = read_spreadsheet(ods(f"<table:table-row>{text_cell('Asha')}{cell}</table:table-row>"))
    assert [problem.field for problem in worksheet.problems.values()] == ["row 1, column B"]


def test_a_million_empty_rows_are_nothing_and_one_cell_below_them_is_refused() -> None:
    def fill(page: Any) -> None:
        page["A1"] = "Asha"

    below = b'<row r="1048576" ht="20"><c r="A1048576" s="0"/></row></sheetData>'
    far = b'<row r="1048576"><c r="XFD1048576" t="n"><v>1</v></c></row></sheetData>'

    def with_rows(more: bytes) -> bytes:
        return rewritten(
            workbook(fill),
            lambda name, part: part.replace(b"</sheetData>", more) if "worksheets" in name else part,
        )

    assert texts(read_spreadsheet(with_rows(below))) == [(1, ["Asha"])]
    assert refused(with_rows(far)) == {"too_many_rows", "too_many_columns"}


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    data = workbook(lambda page: page.append(["Asha"]))

    def with_part(name: str, content: bytes) -> bytes:
        file = io.BytesIO(data)
        with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, content)
        return file.getvalue()

    assert refused(with_part("xl/worksheets/sheet2.xml", b" " * 5_000_000)) == {"unpacks_too_big"}
    assert refused(with_part("xl/embeddings/inner.zip", b"PK")) == {"unpacks_too_big"}
    file = io.BytesIO(data)
    with zipfile.ZipFile(file, "a") as archive:
        for number in range(600):
            archive.writestr(f"xl/media/{number}.png", b"")
    assert refused(file.getvalue()) == {"unpacks_too_big"}


def test_a_part_that_is_larger_than_the_directory_says_is_refused() -> None:
    data = workbook(lambda page: page.append(["Asha"]))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = archive.getinfo("xl/workbook.xml").file_size
    assert refused(data.replace(size.to_bytes(4, "little"), (size // 2).to_bytes(4, "little"))) == {"not_a_list"}


def test_entities_in_a_workbook_are_never_unfolded() -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">]><worksheet>&lol;</worksheet>'
    data = rewritten(
        workbook(lambda page: page.append(["Asha"])), lambda name, part: bomb if "worksheets" in name else part
    )
    assert refused(data) == {"not_a_list"}


@pytest.mark.parametrize("data", [b"PK\x03\x04 nothing", b"%PDF-1.7", b"\xd0\xcf\x11\xe0old"])
def test_a_file_that_is_no_spreadsheet_is_refused_in_a_sentence(data: bytes) -> None:
    assert refused(data) == {"not_a_list"}


def test_too_many_rows_and_too_long_cells_are_refused() -> None:
    assert refused(b"Asha\n" * (MOST_ROWS + 1)) == {"too_many_rows"}
    assert refused(b"Name;Note\nAsha;" + b"x" * 3_000 + b"\n" + b";" * 80 + b"x") == {
        "cell_too_long",
        "too_many_columns",
    }


def test_columns_are_lettered_as_in_spreadsheets() -> None:
    assert [column_letter(number) for number in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]


def test_a_text_that_is_written_once_counts_for_every_cell_that_has_it() -> None:
    text = "x" * 1_900
    row = f'<table:table-row table:number-rows-repeated="20000">{text_cell(text)}</table:table-row>'
    assert refused(ods(row)) == {"unpacks_too_big"}
    blanks = (
        f'<table:table-cell office:value-type="string"><text:p><text:s text:c="{10**9}"/></text:p></table:table-cell>'
    )
    assert refused(ods(f"<table:table-row>{blanks}</table:table-row>")) == {"unpacks_too_big"}
    back = '<table:table-row table:number-rows-repeated="-20000">'
    assert refused(ods(row + back + text_cell(text) + "</table:table-row>")) == {"not_a_list"}

    # openpyxl writes each text once, as spreadsheets do.
    def fill(page: Any) -> None:
        for _ in range(11_000):
            page.append([text])

    assert refused(workbook(fill)) == {"unpacks_too_big"}


def test_formulas_without_a_value_are_named_of_each_column() -> None:
    def fill(page: Any) -> None:
        for _ in range(60):
            page.append(["Asha", "=1+1"])
        page["A61"] = "=1+1"

    assert (61, 0) in read_spreadsheet(workbook(fill)).problems
    cell = '<table:table-cell table:formula="of:=1+1" table:number-columns-repeated="2"/>'
    row = f'<table:table-row table:number-rows-repeated="60">{text_cell("Asha")}{cell}</table:table-row>'
    assert {column for _, column in read_spreadsheet(ods(row)).problems} == {1, 2}
    assert len(read_spreadsheet(ods(row)).problems) == 100


@pytest.mark.parametrize("number", ["NaN", "1e400"])
def test_a_number_that_nobody_calculates_with_is_text(number: str) -> None:
    data = rewritten(
        workbook(lambda page: page.append(["Asha", 7])),
        lambda name, part: part.replace(b"<v>7</v>", f"<v>{number}</v>".encode()) if "worksheets" in name else part,
    )
    (row,) = read_spreadsheet(data).rows
    assert isinstance(row.cell(1), str)
    with pytest.raises(SpreadsheetRejected):
        loaded(f'{{"rows": [[1, "Asha", {{"n": "{number}"}}]], "without_value": []}}')
