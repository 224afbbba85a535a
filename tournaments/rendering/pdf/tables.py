"""Tables on paper: column widths, headings repeated on every page, rows that wrap without losing a word.

Rules: docs/how-to/paper.md. Amounts and short words stay on one line as long as the paper is wide enough for them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.rendering.pdf import Kind, Row, Table
from tournaments.rendering.pdf.lettering import Lettering, Line
from tournaments.rendering.pdf.sheets import LEADING, Sheets

SMALL, SIZE, LARGE = 7.5, 9.0, 14.0
TITLE = 11.5
GAP = 12.0
PAD, SMALL_PAD = 3.0, 1.5
# Room for a name written by hand.
BLANK_HEIGHT = 27.0
NARROWEST = {Kind.TEXT: 80.0, Kind.BLANK: 150.0}
LOOSE = frozenset(NARROWEST)


@dataclass(frozen=True, slots=True)
class _Set:
    """A laid-out row: the lines of each cell."""

    cells: tuple[list[Line], ...]
    height: float


def set_table(sheets: Sheets, table: Table) -> None:
    """Set a table with its title; the first row is kept with its headings."""
    widths = column_widths(table, sheets.lettering, sheets.width)
    titles = Row(cells=tuple(column.title for column in table.columns), is_sum=True)
    size = _size(table)
    head = _set(sheets.lettering, titles, widths, size)
    rows = [_set(sheets.lettering, row, widths, size, least=_least(table, row)) for row in table.rows]
    title = TITLE * LEADING + PAD if table.title else 0.0
    sheets.need(title + head.height + (rows[0].height if rows else size * LEADING))
    if table.title:
        sheets.paragraph(table.title, size=TITLE, is_bold=True)
        sheets.skip(PAD)
    if not rows:
        sheets.paragraph(table.empty, size=size)
        return
    _head(sheets, table, head, widths)
    for row, laid_out_row in zip(table.rows, rows, strict=True):
        _row(sheets, table, row, laid_out_row, (head, widths))


def column_widths(table: Table, lettering: Lettering, total: float) -> tuple[float, ...]:
    """Return the widths: numbers get what they need, then firm text; the others share the rest by preference."""
    inner = total - GAP * (len(table.columns) - 1)
    likes = _likes(table, lettering, inner)
    reserved_width = sum(NARROWEST[column.kind] for column in table.columns if column.kind in LOOSE)
    room = inner - min(reserved_width, inner / 2)
    firm, numbers = _of(table, likes, Kind.FIRM), _of(table, likes, Kind.NUMBER)
    for_numbers = _squeezed(numbers, room - min(sum(firm), room / 4))
    # The widest text is broken first, at its spaces.
    text_room = room - sum(for_numbers)
    for_firm = firm if sum(firm) <= text_room else _shared(firm, text_room)
    for_loose = _shared(_of(table, likes, *LOOSE), inner - sum(for_numbers) - sum(for_firm))
    widths_by_kind = {Kind.NUMBER: iter(for_numbers), Kind.FIRM: iter(for_firm)}
    rest = iter(for_loose)
    return tuple(next(widths_by_kind.get(column.kind, rest)) for column in table.columns)


def _likes(table: Table, lettering: Lettering, inner: float) -> list[float]:
    """Return the preferred width of each column, with its title on one line or, if too wide, broken at its spaces."""
    columns = range(len(table.columns))
    whole = [_like(table, at, lettering, lettering.line(table.columns[at].title, is_bold=True).width) for at in columns]
    if sum(whole) <= inner:
        return whole
    return [_like(table, at, lettering, lettering.widest_word(table.columns[at].title, is_bold=True)) for at in columns]


def _like(table: Table, at: int, lettering: Lettering, title: float) -> float:
    """Return the preferred width of one column, whose title needs so many ems."""
    # A little more, so that rounding errors break no line.
    least = title * _size(table) + 0.01
    if table.columns[at].kind is Kind.BLANK:
        return max(least, NARROWEST[Kind.BLANK])
    cells = (lettering.line(row.cells[at], is_bold=row.is_sum).width for row in table.rows)
    return max(least, max(cells, default=0.0) * _size(table) + 0.01)


def _of(table: Table, likes: Sequence[float], *kinds: Kind) -> list[float]:
    return [like for like, column in zip(likes, table.columns, strict=True) if column.kind in kinds]


def _squeezed(wanted: Sequence[float], rest: float) -> list[float]:
    """Divide what there is by what each wants: no number is broken before all are."""
    squeeze = min(1.0, rest / sum(wanted)) if wanted else 1.0
    return [want * squeeze for want in wanted]


def _shared(wanted: Sequence[float], rest: float) -> list[float]:
    """Divide what there is: each gets an equal part, or what it wants if that is less; the rest is shared equally."""
    if sum(wanted) <= rest:
        return [want + (rest - sum(wanted)) / len(wanted) for want in wanted]
    shares = [0.0] * len(wanted)
    for done, at in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        shares[at] = min(wanted[at], (rest - sum(shares)) / (len(wanted) - done))
    return shares


def _least(table: Table, row: Row) -> float:
    """Return the least height of a row: rows to be signed are high, except a sum."""
    has_blank = any(column.kind is Kind.BLANK for column in table.columns)
    return BLANK_HEIGHT if has_blank and not row.is_sum else 0.0


def _size(table: Table) -> float:
    return LARGE if table.is_large else SMALL if table.is_small else SIZE


def _pad(size: float) -> float:
    """The white space above and below the letters of a row."""
    return SMALL_PAD if size == SMALL else PAD


def _set(lettering: Lettering, row: Row, widths: Sequence[float], size: float, *, least: float = 0.0) -> _Set:
    lines = tuple(
        lettering.wrap(cell, width / size, is_bold=row.is_sum) for cell, width in zip(row.cells, widths, strict=True)
    )
    return _Set(lines, max(least, max(map(len, lines)) * size * LEADING + 2 * _pad(size)))


def _head(sheets: Sheets, table: Table, head: _Set, widths: Sequence[float]) -> None:
    _print(sheets, table, head, widths)
    sheets.rule(thickness=1.0)


def _row(sheets: Sheets, table: Table, row: Row, found: _Set, again: tuple[_Set, Sequence[float]]) -> None:
    """Set one row; a row too high for any page continues on the next."""
    head, widths = again
    rest, size = found, _size(table)
    while True:
        if sheets.room < min(rest.height, sheets.height - head.height):
            sheets.turn()
            _head(sheets, table, head, widths)
        if row.is_sum:
            sheets.rule(thickness=1.0)
        fit = int((sheets.room - 2 * _pad(size)) / (size * LEADING))
        if rest.height <= sheets.room or max(map(len, rest.cells)) <= fit:
            break
        _print(sheets, table, _Set(tuple(lines[:fit] for lines in rest.cells), sheets.room), widths)
        rest_cells = tuple(lines[fit:] for lines in rest.cells)
        rest = _Set(rest_cells, max(map(len, rest_cells)) * size * LEADING + 2 * _pad(size))
    _print(sheets, table, rest, widths)
    sheets.rule(thickness=0.25)


def _print(sheets: Sheets, table: Table, found: _Set, widths: Sequence[float]) -> None:
    at, size = 0.0, _size(table)
    for column, lines, width in zip(table.columns, found.cells, widths, strict=True):
        for number, line in enumerate(lines):
            right = width - line.width * size if column.kind is Kind.NUMBER else 0.0
            down = _pad(size) + size * (1.05 + number * LEADING)
            sheets.letters(line, x=at + right, size=size, down=down)
        at += width + GAP
    sheets.skip(found.height)
