"""What was remarkable at the tables of a tournament: the biggest hand, and who won the most deals.

Rules: docs/paper.md, "Night report". Read from the tables as they stand, in one query; what was voided or given up
does not count.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from scoring.rules.table.table import Table
from scoring.sheets.scoresheet import Cell, SheetLine, sheet_lines
from scoring.sheets.snapshots import load_table
from tournaments.boards.boards import TableLine, tables_of
from tournaments.models import Scoresheet, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """One seat's part in one deal."""

    player: str
    table: TableLine
    deal: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlights:
    """The most points of a hand with everybody who had as many; the most deals won, and by whom."""

    biggest: int = 0
    hands: tuple[Hand, ...] = ()
    deals_won: int = 0
    winners: tuple[str, ...] = ()


def highlights_of(tournament: Tournament) -> Highlights:
    """All tables of a tournament, in two queries."""
    lines = {line.id: line for line in tables_of(tournament.pk) if not line.is_cancelled}
    states = Scoresheet.objects.filter(table__in=lines).order_by("table__round", "table__number")
    hands: list[Hand] = []
    won: Counter[str] = Counter()
    for table_id, state in states.values_list("table_id", "state"):
        table = load_table(state)
        hands += _hands(table, lines[table_id])
        won.update({table.players[seat]: view.deals_won for seat, view in table.seats().items()})
    biggest, most = max((hand.points for hand in hands), default=0), max(won.values(), default=0)
    return Highlights(
        biggest=biggest,
        hands=tuple(hand for hand in hands if biggest and hand.points == biggest),
        deals_won=most,
        winners=tuple(player for player, deals in won.items() if most and deals == most),
    )


def _hands(table: Table, line: TableLine) -> Iterator[Hand]:
    """Every seat's part in every deal that counts, by what it changed."""
    before = table.rules.seats(table.setup, table.rules.start(table.setup))
    standing = {seat: getattr(view, table.rules.race) or 0 for seat, view in before.items()}
    for sheet in sheet_lines(table):
        for seat, cell in sheet.cells.items():
            now = getattr(cell, table.rules.race) or 0
            if _counts(sheet, cell) and sheet.deal is not None:
                yield Hand(player=table.players[seat], table=line, deal=sheet.deal, points=abs(now - standing[seat]))
            standing[seat] = now


def _counts(sheet: SheetLine, cell: Cell) -> bool:
    return not sheet.is_void and cell.mark is not None
