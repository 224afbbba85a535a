"""Tables on paper: how wide each column is, headings again on every page, rows that wrap and never lose a word.

Rules: docs/paper.md. Amounts and short words stay on one line as long as the paper is wide enough for them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.paper.documents import Kind, Row, Table
from tournaments.paper.lettering import Lettering, Line
from tournaments.paper.sheets import LEADING, Sheets

SIZE = 9.0
TITLE = 11.5
GAP = 12.0
PAD = 3.0
# Room for a name written by hand.
BLANK_HEIGHT = 27.0
NARROWEST = {Kind.TEXT: 80.0, Kind.BLANK: 150.0}
LOOSE = frozenset(NARROWEST)


@dataclass(frozen=True, slots=True)
class _Set:
    """A row as it will stand: the lines of each cell."""

    cells: tuple[list[Line], ...]
    height: float


def set_table(sheets: Sheets, table: Table) -> None:
    """A table with its title; the first row stays with its headings."""
    widths = column_widths(table, sheets.lettering, sheets.width)
    titles = Row(cells=tuple(column.title for column in table.columns), is_sum=True)
    head = _set(sheets.lettering, titles, widths)
    rows = [_set(sheets.lettering, row, widths, least=_least(table, row)) for row in table.rows]
    title = TITLE * LEADING + PAD if table.title else 0.0
    sheets.need(title + head.height + (rows[0].height if rows else SIZE * LEADING))
    if table.title:
        sheets.paragraph(table.title, size=TITLE, is_bold=True)
        sheets.skip(PAD)
    if not rows:
        sheets.paragraph(table.empty, size=SIZE)
        return
    _head(sheets, table, head, widths)
    for row, found in zip(table.rows, rows, strict=True):
        _row(sheets, table, row, found, (head, widths))


def column_widths(table: Table, lettering: Lettering, total: float) -> tuple[float, ...]:
    """Firm columns take what they need, the others share the rest by what they would like."""
    likes = [_likes(table, at, lettering) for at in range(len(table.columns))]
    loose = [column.kind in LOOSE for column in table.columns]
    inner = total - GAP * (len(likes) - 1)
    kept = sum(NARROWEST[column.kind] for column in table.columns if column.kind in LOOSE)
    firm = sum(like for like, is_loose in zip(likes, loose, strict=True) if not is_loose)
    squeeze = min(1.0, (inner - min(kept, inner / 2)) / firm) if firm else 1.0
    rest = inner - firm * squeeze
    wanted = [like for like, is_loose in zip(likes, loose, strict=True) if is_loose]
    shares = iter(_shared(wanted, rest))
    return tuple(next(shares) if is_loose else like * squeeze for like, is_loose in zip(likes, loose, strict=True))


def _likes(table: Table, at: int, lettering: Lettering) -> float:
    column = table.columns[at]
    title = lettering.widest_word(column.title, is_bold=True) * SIZE
    if column.kind is Kind.BLANK:
        return max(title, NARROWEST[Kind.BLANK])
    cells = (lettering.line(row.cells[at], is_bold=row.is_sum).width for row in table.rows)
    # A hair more, so that adding up in another order breaks no line.
    return max(title, max(cells, default=0.0) * SIZE) + 0.01


def _shared(wanted: Sequence[float], rest: float) -> list[float]:
    """What is there, divided: nobody gets less than an equal part unless they want less; what is over, equally."""
    if sum(wanted) <= rest:
        return [want + (rest - sum(wanted)) / len(wanted) for want in wanted]
    given = [0.0] * len(wanted)
    for done, at in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        given[at] = min(wanted[at], (rest - sum(given)) / (len(wanted) - done))
    return given


def _least(table: Table, row: Row) -> float:
    """Rows to be signed are high; a sum is not signed."""
    has_blank = any(column.kind is Kind.BLANK for column in table.columns)
    return BLANK_HEIGHT if has_blank and not row.is_sum else 0.0


def _set(lettering: Lettering, row: Row, widths: Sequence[float], *, least: float = 0.0) -> _Set:
    lines = tuple(
        lettering.wrap(cell, width / SIZE, is_bold=row.is_sum) for cell, width in zip(row.cells, widths, strict=True)
    )
    return _Set(lines, max(least, max(map(len, lines)) * SIZE * LEADING + 2 * PAD))


def _head(sheets: Sheets, table: Table, head: _Set, widths: Sequence[float]) -> None:
    _print(sheets, table, head, widths)
    sheets.rule(thickness=1.0)


def _row(sheets: Sheets, table: Table, row: Row, found: _Set, again: tuple[_Set, Sequence[float]]) -> None:
    """One row; one that no page could hold is continued on the next."""
    head, widths = again
    rest = found
    while True:
        if sheets.room < min(rest.height, sheets.height - head.height):
            sheets.turn()
            _head(sheets, table, head, widths)
        if row.is_sum:
            sheets.rule(thickness=1.0)
        fit = int((sheets.room - 2 * PAD) / (SIZE * LEADING))
        if rest.height <= sheets.room or max(map(len, rest.cells)) <= fit:
            break
        _print(sheets, table, _Set(tuple(lines[:fit] for lines in rest.cells), sheets.room), widths)
        left = tuple(lines[fit:] for lines in rest.cells)
        rest = _Set(left, max(map(len, left)) * SIZE * LEADING + 2 * PAD)
    _print(sheets, table, rest, widths)
    sheets.rule(thickness=0.25)


def _print(sheets: Sheets, table: Table, found: _Set, widths: Sequence[float]) -> None:
    at = 0.0
    for column, lines, width in zip(table.columns, found.cells, widths, strict=True):
        for number, line in enumerate(lines):
            right = width - line.width * SIZE if column.kind is Kind.NUMBER else 0.0
            down = PAD + SIZE * (1.05 + number * LEADING)
            sheets.letters(line, x=at + right, size=SIZE, down=down)
        at += width + GAP
    sheets.skip(found.height)
