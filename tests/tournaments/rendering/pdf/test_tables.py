"""The position of a table's cells."""

from tournaments.rendering.pdf import Column, Kind, PageSize, Row, Table
from tournaments.rendering.pdf.lettering import Lettering
from tournaments.rendering.pdf.sheets import Letters, Sheets
from tournaments.rendering.pdf.tables import set_table


def test_numbers_stand_under_each_other_by_their_last_digit():
    sheets = Sheets(PageSize.A4, Lettering())
    rows = (Row(cells=("5",)), Row(cells=("12345",)))
    set_table(sheets, Table(columns=(Column(title="Won", kind=Kind.NUMBER),), rows=rows))
    ends = {round(ink.x + ink.line.width * ink.size, 3) for ink in sheets.pages[0] if isinstance(ink, Letters)}
    assert len(ends) == 1


def texts(table: Table) -> list[str]:
    """Every line of letters on the first page of A4."""
    sheets = Sheets(PageSize.A4, Lettering())
    set_table(sheets, table)
    return [
        "".join(run.text or run.letters for run in ink.line.runs) for ink in sheets.pages[0] if isinstance(ink, Letters)
    ]


def test_amounts_stay_whole_where_a_date_and_names_can_break():
    """Planted fault: dates and amounts squeezed alike, so that the last digit of a sum was on a line of its own."""
    kinds = (Kind.FIRM, Kind.TEXT, Kind.TEXT, Kind.FIRM, Kind.NUMBER, Kind.NUMBER)
    amount = "₹12,34,56,789.00"
    cells = (
        "Wed 25 Mar 2026, 01:00",
        "The club's tournament, Table 1",
        "Asha Ramachandran",
        "Difference",
        amount,
        amount,
    )
    columns = tuple(Column(title="For", kind=kind) for kind in kinds)
    said = texts(Table(columns=columns, rows=(Row(cells=cells), Row(cells=cells, is_sum=True))))
    assert said.count(amount) == 4
    assert said.count("Difference") == 2
    assert "01:00" in " ".join(said)


def test_a_title_stands_on_one_line_where_there_is_room():
    """Planted fault: columns of short numbers as narrow as the widest word above them."""
    columns = (Column(title="Player"), Column(title="जीती हुई डील", kind=Kind.NUMBER))
    assert "जीती हुई डील" in texts(Table(columns=columns, rows=(Row(cells=("Asha", "2")),)))


def test_a_title_breaks_at_its_spaces_where_there_is_none():
    columns = (Column(title="Player"), *(Column(title="Deals won so far", kind=Kind.NUMBER) for _ in range(9)))
    said = texts(Table(columns=columns, rows=(Row(cells=("Asha", *("2" for _ in range(9)))),)))
    assert {"Deals", "won", "so", "far"} & set(said)
    assert "Deals won so far" not in said
