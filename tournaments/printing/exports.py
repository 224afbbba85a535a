"""Leaderboards and score sheets for programs and spreadsheets: JSON with whole numbers, CSV whose cells cannot run.

docs/how-to/publishing.md lists every field. An empty field (null, false, zero of a rare number) is omitted from JSON,
so that a board of two hundred stays small; CSV keeps every column.
"""

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any, TypeVar

import msgspec

from scoring.exports.spreadsheets import Cell as SheetCell
from scoring.exports.spreadsheets import Money, Sheet, write_workbook
from scoring.messages import english
from scoring.rules.table.dealing import announce
from scoring.rules.table.standing import COLUMNS, Kind, SeatLine, told
from scoring.sheets.leaderboard import BoardRow
from scoring.sheets.scoresheet import Cell, SheetLine
from tournaments.boards import Board, StageGame
from tournaments.boards.seats import TableLine
from tournaments.printing.files import Value, csv_text
from tournaments.projections.boards import seat_lines
from tournaments.tables.queries.sheets import SheetPage

T = TypeVar("T")
# Columns of amounts; in the workbook each is one cell with its currency.
AMOUNTS = ("payout_minor", "prize_minor", "net_minor")
# The columns of CSV and workbook that are not fields of a standing; the others are in the order given by their fields.
# The columns that decide the places of a planned tournament were added later; none is ever inserted between others,
# because programs may count columns.
_OWN = dict(enumerate(("place", "tied", "name", "player", "round", "table"), 1))
_OWN |= dict(enumerate(("currency", "stage", "score", "decided", "prize_minor", "net_minor"), 17))


def board_json(board: Board) -> dict[str, Any]:
    """Return a leaderboard as data."""
    tournament, corrected, games = board.tournament, board.corrected, board.games
    return {
        "club": tournament.club.slug,
        "tournament": tournament.slug,
        "name": tournament.name,
        "variant": tournament.variant,
        "currency": tournament.currency,
        "position": board.position,
        "fingerprint": board.fingerprint,
        "recorded_at": board.recorded_at,
        "is_finished": board.is_finished,
        "is_closed": tournament.closed_at is not None,
        "is_cancelled": tournament.is_cancelled,
        "ranked_by": board.terms.rules.race,
        "standings": [_board_entry(row, board.names, games[row.stage]) for row in board.rows],
        "tables": [_table_entry(table, is_corrected=table.id in corrected) for table in board.tables],
        **({"unlisted": len(board.unlisted)} if board.unlisted else {}),
    }


def board_csv(board: Board) -> str:
    """Return a leaderboard for a spreadsheet."""
    return csv_text([board_heading(), *board_cells(board)])


def board_workbook(board: Board) -> bytes:
    """Return a leaderboard as XLSX."""
    file = BytesIO()
    sheet = Sheet(title="Leaderboard", heading=_workbook_heading(), rows=_workbook_rows(board))
    write_workbook(file, [sheet], made_at=board.recorded_at or board.tournament.created_at)
    return file.getvalue()


def _workbook_heading() -> tuple[str, ...]:
    """Return the heading as in CSV; an amount is one cell with its currency."""
    return tuple(title.removesuffix("_minor") for title in board_heading())


def _workbook_rows(board: Board) -> Iterator[list[SheetCell]]:
    are_amounts = [title in AMOUNTS for title in board_heading()]
    currency = board.tournament.currency
    for cells in board_cells(board):
        yield [
            Money(cell, currency) if is_amount and isinstance(cell, int) else cell
            for cell, is_amount in zip(cells, are_amounts, strict=True)
        ]


def board_heading() -> tuple[str, ...]:
    """Return the column headings of a board."""
    fields = {column.file: name.removeprefix("is_") for name, column in COLUMNS.items() if column.file}
    return tuple(_in_order(_OWN | fields))


def board_cells(board: Board) -> Iterator[list[Value]]:
    """Yield the rows of a board, each in the order of its heading."""
    # Evaluated once: it goes through every row.
    has_net = board.has_net_points
    for row in board.rows:
        yield list(_in_order(_row_cells(row, board, has_net_points=has_net)))


def sheet_json(page: SheetPage) -> dict[str, Any]:
    """Return one table's sheet as data; seats are numbered as at the table."""
    table, row = page.table, page.row
    result = announce(table)
    return {
        "club": row.tournament.club.slug,
        "tournament": row.tournament.slug,
        "round": row.round,
        "table": row.number,
        "name": row.name,
        "variant": table.rules.name,
        "options": table.setup.options,
        "stakes": table.setup.stakes,
        "version": table.version,
        "fingerprint": page.fingerprint,
        "recorded_at": page.recorded_at,
        "status": table.status,
        "is_finished": table.is_finished,
        "conflicts": [{"version": c.version, "code": c.code, "seat": c.seat} for c in table.conflicts],
        "seats": [
            _seat_entry(seat, line, page) for seat, line in seat_lines(row, table, with_money=page.shows_money).items()
        ],
        "lines": [_line_entry(line) for line in page.lines],
        "panels": table.rules.panels(table.setup, table.game),
        "winners": list(table.winners()),
        "payouts_minor": result.payouts_minor if page.shows_money else {},
        "fee_minor": result.fee_minor,
    }


def sheet_csv(page: SheetPage) -> str:
    """Return one table's sheet for a spreadsheet: a row for each line, three columns for each seat, the totals last."""
    heading: list[Value] = ["version", "line", "deal", "status"]
    for seat, name in page.names.items():
        heading += [f"{seat} {name}", f"{seat} points", f"{seat} after"]
    return csv_text([heading, *(_line_cells(line, page) for line in page.lines)])


def _board_entry(row: BoardRow, names: Mapping[str, str], game: StageGame) -> dict[str, Any]:
    line, main = row.line, game.race
    entry: dict[str, Any] = {"place": row.place}
    if row.is_tied:
        entry["is_tied"] = True
    entry |= {"name": names[line.player], "player": line.player, "table": line.table}
    if line.round > 1:
        entry["round"] = line.round
    entry[main] = getattr(line, main)
    if main != "total" and line.total is not None:
        entry["total"] = line.total
    planned = {"stage": row.stage, "score": row.score, "decided": english(row.decided), "variant": game.other}
    amounts = {"prize_minor": row.prize_minor, "net_minor": row.net_minor}
    entry |= _numbers(line) | {name: value for name, value in planned.items() if value}
    return entry | {name: amount for name, amount in amounts.items() if amount is not None}


def _numbers(line: SeatLine) -> dict[str, Any]:
    """Return the numbers that are always included, and the others where they are not empty."""
    numbers: dict[str, Any] = {name: told(line, name) for name, column in COLUMNS.items() if column.json == "always"}
    for name, column in COLUMNS.items():
        value = told(line, name)
        tells_nought = column.tells_nought and (line.is_in or column.kind is Kind.AMOUNT)
        if column.json == "rare" and (value or (value == 0 and tells_nought)):
            numbers[name] = value
    return numbers


def _table_entry(table: TableLine, *, is_corrected: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {"round": table.round, "table": table.number, "version": table.version}
    entry |= {"deals": table.deals, "is_finished": table.is_finished}
    flags = {
        "is_closed": table.is_closed,
        "is_cancelled": table.is_cancelled,
        "has_conflict": table.has_conflict,
        "has_corrections": is_corrected,
        "has_totals": table.has_totals,
    }
    return entry | {name: True for name, holds in flags.items() if holds}


def _row_cells(row: BoardRow, board: Board, *, has_net_points: bool) -> dict[int, Value]:
    line = row.line
    own: tuple[Value, ...] = (row.place, _cell(row.is_tied), board.names[line.player], line.player)
    stage = (row.stage or None, _score(row.score), english(row.decided))
    later: tuple[Value, ...] = (board.tournament.currency, *stage, row.prize_minor, row.net_minor)
    fields = {
        column.file: None if name == "net_points" and not has_net_points else _cell(told(line, name))
        for name, column in COLUMNS.items()
        if column.file
    }
    return dict(zip(_OWN, (*own, line.round, line.table, *later), strict=True)) | fields


def _in_order(numbered: Mapping[int, T]) -> Iterator[T]:
    return (numbered[number] for number in sorted(numbered))


def _cell(value: int | bool | None) -> Value:  # noqa: FBT001 - a claim is a value here
    return value if value is None or not isinstance(value, bool) else "yes" if value else "no"


def _score(text: str) -> Value:
    """Return a whole score as a number, a fraction as its exact text."""
    return int(text) if text.removeprefix("-").isdecimal() else text


def _seat_entry(seat: str, line: SeatLine, page: SheetPage) -> dict[str, Any]:
    main = page.table.rules.race
    entry = {"seat": int(seat), "player": line.player, "name": page.names[seat], "place": page.standings[seat].place}
    entry |= {"total": line.total, main: getattr(line, main)}
    return entry | _numbers(line)


def _line_entry(line: SheetLine) -> dict[str, Any]:
    entry: dict[str, Any] = {"version": line.version, "kind": line.kind, "deal": line.deal}
    if line.is_void:
        entry["is_void"] = True
    if line.corrected_at:
        entry["corrected_at"] = line.corrected_at
    if line.remarks:
        entry["remarks"] = tuple(map(english, line.remarks))
    return entry | {"cells": {seat: _with_words(cell) for seat, cell in line.cells.items()}}


def _with_words(cell: Cell) -> Cell:
    """Return a cell with its words in English, as in files."""
    if cell.mark is None:
        return cell
    mark = msgspec.structs.replace(cell.mark, title=english(cell.mark.title), short=english(cell.mark.short))
    return msgspec.structs.replace(cell, mark=mark)


def _line_cells(line: SheetLine, page: SheetPage) -> list[Value]:
    status = "void" if line.is_void else "corrected" if line.corrected_at else ""
    cells: list[Value] = [line.version, line.kind, line.deal, status]
    for seat in page.names:
        cell = line.cells[seat]
        cells += [cell.how, cell.points, getattr(cell, page.table.rules.race)]
    return cells
