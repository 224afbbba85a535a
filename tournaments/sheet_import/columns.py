"""The line of a sheet that begins with “Deal”: which column belongs to which player, and what the others hold.

Rules: docs/importing.md, "The line with the players". Knows nothing of what stands below it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scoring.problems import Problem
from tournaments.sheet_import.forms import Column, DealForm
from tournaments.sheet_import.rows import Row, at_row, plain

NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which column belongs to whom, and what is said in those beside the players'."""

    seats: dict[str, int]
    note_at: int | None
    width: int
    beside: dict[int, Column] = field(default_factory=dict)

    def note(self, row: Row) -> str:
        return "" if self.note_at is None else row.cell(self.note_at)

    def marked(self, row: Row) -> dict[str, str]:
        """The seats whose cell on this row holds something."""
        return {seat: row.cell(column) for seat, column in self.seats.items() if row.cell(column)}

    def said(self, row: Row) -> dict[int, str]:
        """The columns beside the players' that hold something on this row."""
        return {column: row.cell(column) for column in self.beside if row.cell(column)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The line with the players, read: their names in seat order, the columns, and the form of their deals.

    `form` is None where nobody knows what is played, or where so many cannot play it.
    """

    players: tuple[str, ...]
    columns: Columns
    form: DealForm | None
    problems: tuple[Problem, ...] = ()


def read_head(row: Row, forms: Mapping[int, DealForm]) -> Head:
    """The line with the players. A word is a player's name unless it heads a column in this game."""
    known = {word for form in forms.values() for word in form.columns}
    cells = dict(enumerate(row.cells[1:], start=1))
    note_at = next((at for at, cell in cells.items() if plain(cell) == NOTE), None)
    beside = {at: cell for at, cell in cells.items() if plain(cell) in known and at != note_at}
    names = {at: cell for at, cell in cells.items() if cell and at not in beside and plain(cell) != NOTE}
    form = forms.get(len(names))
    words = form.columns if form is not None else {}
    columns = Columns(
        seats={str(seat): at for seat, at in enumerate(names, start=1)},
        note_at=note_at,
        width=len(row.cells),
        beside={at: words[plain(cell)] for at, cell in beside.items() if plain(cell) in words},
    )
    problems = [*_gap_problems(cells), *_name_problems(names), *_column_problems(cells, columns, names, form)]
    told = tuple(at_row(row.number, problem) for problem in problems)
    return Head(players=tuple(names.values()), columns=columns, form=form, problems=told)


def _gap_problems(cells: Mapping[int, str]) -> Iterator[Problem]:
    for at, cell in cells.items():
        if not cell:
            yield Problem(
                code="missing_name", field=f"column {at + 1}", detail=f"column {at + 1} has no player above it"
            )


def _name_problems(names: Mapping[int, str]) -> Iterator[Problem]:
    for name, times in Counter(plain(name) for name in names.values()).items():
        if times > 1:
            yield Problem(code="player_seated_twice", detail=f"{name!r} has {times} columns")
    if not names:
        yield Problem(code="missing_name", detail="no player has a column")


def _column_problems(
    cells: Mapping[int, str], columns: Columns, names: Mapping[int, str], form: DealForm | None
) -> Iterator[Problem]:
    """Words that look like a column but are none here, and columns that say the same twice."""
    if form is None:
        return
    first = min(columns.beside, default=None)
    offered = ", ".join((*form.column_titles, "Note"))
    for at, cell in names.items():
        if first is not None and min(names) < first < at:
            detail = (
                f"column {at + 1} {cell!r} is none of {offered}; if it is a player, it must stand beside the others"
            )
            yield Problem(code="unknown_column", field=f"column {at + 1}", detail=detail)
    for at, cell in cells.items():
        if cell and at not in columns.beside and at not in names and plain(cell) != NOTE:
            detail = f"column {at + 1} {cell!r} has no place at a table of {len(names)}; the columns are {offered}"
            yield Problem(code="unknown_column", field=f"column {at + 1}", detail=detail)
    for column, times in Counter(columns.beside.values()).items():
        if times > 1:
            yield Problem(code="column_twice", detail=f"{column.title!r} has {times} columns")
