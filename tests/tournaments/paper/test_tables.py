"""Where the cells of a table stand."""

from tournaments.paper import Column, Kind, PageSize, Row, Table
from tournaments.paper.lettering import Lettering
from tournaments.paper.sheets import Letters, Sheets
from tournaments.paper.tables import set_table


def test_numbers_stand_under_each_other_by_their_last_digit():
    sheets = Sheets(PageSize.A4, Lettering())
    rows = (Row(cells=("5",)), Row(cells=("12345",)))
    set_table(sheets, Table(columns=(Column(title="Won", kind=Kind.NUMBER),), rows=rows))
    ends = {round(ink.x + ink.line.width * ink.size, 3) for ink in sheets.pages[0] if isinstance(ink, Letters)}
    assert len(ends) == 1
