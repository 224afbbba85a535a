"""Rows of boxes that are filled in by hand: how wide each is, headings on every page, as many rows as a page holds.

Rules: docs/how-to/paper.md, "Score sheets". A heading that is too long is cut: the full text is elsewhere on the sheet.
Knows nothing of what is written into a box.
"""

from collections.abc import Sequence
from itertools import accumulate

from tournaments.rendering.pdf import Box, Grid
from tournaments.rendering.pdf.lettering import Lettering, Line
from tournaments.rendering.pdf.sheets import Sheets

GROUP, TITLE, LEAST_TITLE, PRINTED, LETTER = 8.5, 6.5, 5.0, 9.5, 6.5
PAD = 2.0
# The row height that a pen needs, and the height of other rows.
LOWEST, HIGHEST = 21.0, 30.0
EMPTY, A_LETTER = 8.0, 8.5
# The width of a letter that is to be circled.
CIRCLED = 12.5
MOST_GROUP_LINES, MOST_TITLE_LINES, LETTERS_A_LINE = 2, 3, 3
THICK, THIN = 1.0, 0.35


def set_grid(sheets: Sheets, grid: Grid, *, below: float) -> None:
    """Set a grid that leaves the given height of its first page for what follows."""
    widths = _widths(sheets.lettering, grid, sheets.width)
    head = _head_height(sheets.lettering, grid, widths)
    sheets.need(head + LOWEST * min(grid.least, 4))
    room = sheets.room - head - below
    before = (grid.before,) if grid.before else ()
    rows = (*before, *grid.rows)[: max(grid.least + len(before), int(room / LOWEST))]
    height = min(HIGHEST, max(LOWEST, room / len(rows) if rows else LOWEST))
    while rows:
        fit = max(1, int((sheets.room - head + 0.01) / height))
        _page(sheets, grid, rows[:fit], widths, height)
        rows = rows[fit:]
        if rows:
            sheets.turn()


def _page(sheets: Sheets, grid: Grid, rows: Sequence[tuple[str, ...]], widths: Sequence[float], height: float) -> None:
    """Set the headings and the rows that fit on this page."""
    top = sheets.y
    sheets.rule(thickness=THICK)
    titles_at = _group_titles(sheets, grid, widths)
    _box_titles(sheets, grid, widths)
    sheets.rule(thickness=THICK)
    for row in rows:
        _row(sheets, grid, row, widths, height)
        sheets.rule(thickness=THIN)
    bottom = sheets.y
    _uprights(sheets, grid, widths, (top, titles_at, bottom))
    sheets.y = bottom
    sheets.rule(thickness=THICK)


def _group_titles(sheets: Sheets, grid: Grid, widths: Sequence[float]) -> float:
    """Set the headings of the groups; returns the height down to which the page is filled."""
    lines = _group_lines(sheets.lettering, grid, widths)
    lefts, first = _lefts(widths), 0
    for group, group_lines in zip(grid.groups, lines, strict=True):
        left = lefts[first]
        first += len(group.boxes)
        for number, line in enumerate(group_lines):
            sheets.letters(line, x=left + PAD, size=GROUP, down=PAD + GROUP * (1.0 + number * 1.2))
    sheets.skip(_lines_height(lines, GROUP))
    return sheets.y


def _box_titles(sheets: Sheets, grid: Grid, widths: Sequence[float]) -> None:
    titles = _title_lines(sheets.lettering, grid, widths)
    for left, (title_lines, size) in zip(_lefts(widths), titles, strict=True):
        for number, line in enumerate(title_lines):
            sheets.letters(line, x=left + PAD, size=size, down=PAD + TITLE * (1.0 + number * 1.2))
    sheets.skip(_lines_height([title_lines for title_lines, _ in titles], TITLE))


def _row(sheets: Sheets, grid: Grid, row: Sequence[str], widths: Sequence[float], height: float) -> None:
    """Set a row: its text in the middle of the box, or the letters to circle."""
    for box, text, left, width in zip(_boxes(grid), row, _lefts(widths), widths, strict=True):
        if text:
            line = sheets.lettering.line(text, is_bold=True)
            size = min(PRINTED, (width - PAD) / (line.width or 1.0))
            sheets.letters(line, x=left + (width - line.width * size) / 2, size=size, down=height / 2 + size * 0.36)
        elif box.letters and row is not grid.before:
            _letters(sheets, box, (left, width), height)
    sheets.skip(height)


def _letters(sheets: Sheets, box: Box, across: tuple[float, float], height: float) -> None:
    """Set the letters of a box in lines of three, spread over it."""
    left, width = across
    lines = [box.letters[at : at + LETTERS_A_LINE] for at in range(0, len(box.letters), LETTERS_A_LINE)]
    for number, letters in enumerate(lines):
        down = height * (number + 0.5) / len(lines) + LETTER * 0.36
        for place, letter in enumerate(letters):
            line = sheets.lettering.line(letter)
            middle = left + width * (place + 0.5) / LETTERS_A_LINE
            sheets.letters(line, x=middle - line.width * LETTER / 2, size=LETTER, down=down)


def _uprights(sheets: Sheets, grid: Grid, widths: Sequence[float], marks: tuple[float, float, float]) -> None:
    """Draw lines between the boxes below the groups' headings; thick ones between the groups from the top."""
    top, titles_at, bottom = marks
    edges = {0}
    for group in grid.groups:
        edges.add(max(edges) + len(group.boxes))
    for at, left in enumerate((*_lefts(widths), sheets.width)):
        sheets.y = top if at in edges else titles_at
        sheets.upright(x=left, height=sheets.y - bottom, thickness=THICK if at in edges else THIN)


def _boxes(grid: Grid) -> list[Box]:
    return [box for group in grid.groups for box in group.boxes]


def _widths(lettering: Lettering, grid: Grid, total: float) -> list[float]:
    """Return the width of each box, stretched to the paper, or squeezed as far as the words of its heading allow."""
    boxes = _boxes(grid)
    preferred = [_preferred_width(lettering, box) for box in boxes]
    least = [
        min(lettering.widest_word(box.title) * LEAST_TITLE + 2 * PAD, width)
        for box, width in zip(boxes, preferred, strict=True)
    ]
    if not sum(least) < total < sum(preferred):
        return [width * total / sum(preferred) for width in preferred]
    share = (total - sum(least)) / (sum(preferred) - sum(least))
    return [low + (width - low) * share for low, width in zip(least, preferred, strict=True)]


def _preferred_width(lettering: Lettering, box: Box) -> float:
    """Return the preferred width, for the entry, the longest word of the heading, and a ring round each letter."""
    circled = CIRCLED * min(LETTERS_A_LINE, len(box.letters))
    return max(EMPTY + A_LETTER * box.room, lettering.widest_word(box.title) * TITLE + 2 * PAD, circled)


def _lefts(widths: Sequence[float]) -> list[float]:
    return list(accumulate(widths[:-1], initial=0.0))


def _group_lines(lettering: Lettering, grid: Grid, widths: Sequence[float]) -> list[list[Line]]:
    lines, start = [], 0
    for group in grid.groups:
        width = (sum(widths[start : start + len(group.boxes)]) - 2 * PAD) / GROUP
        start += len(group.boxes)
        title = lettering.wrap(group.title, width)[:MOST_GROUP_LINES] if group.title else []
        name = lettering.wrap(group.name, width, is_bold=True)[:MOST_GROUP_LINES] if group.name else []
        lines.append([*title, *name])
    return lines


def _title_lines(lettering: Lettering, grid: Grid, widths: Sequence[float]) -> list[tuple[list[Line], float]]:
    """Return the lines of each heading and its size: a little smaller where its longest word is wider than the box."""
    titles = []
    for box, width in zip(_boxes(grid), widths, strict=True):
        room = width - 1.5 * PAD
        size = max(LEAST_TITLE, min(TITLE, room / (lettering.widest_word(box.title) or 1.0)))
        titles.append((lettering.wrap(box.title, room / size + 0.001)[:MOST_TITLE_LINES], size))
    return titles


def _lines_height(lines: Sequence[Sequence[Line]], size: float) -> float:
    most = max(map(len, lines), default=0)
    return most * size * 1.2 + 2 * PAD + 1 if most else 0.0


def _head_height(lettering: Lettering, grid: Grid, widths: Sequence[float]) -> float:
    titles = [title_lines for title_lines, _ in _title_lines(lettering, grid, widths)]
    return _lines_height(_group_lines(lettering, grid, widths), GROUP) + _lines_height(titles, TITLE)
