"""The games of a gin table as they stand: points and boxes of each side, and what they come to.

Rules: docs/rules/gin.md, sections 4 (games and boxes) and 5 (Hollywood). Knows nothing of penalties or money.
"""

from collections.abc import Iterator, Sequence

from scoring.rules.table.variant import Panel
from scoring.rules.variants.western.gin.game import GinColumn, column_difference, final_scores
from scoring.rules.variants.western.gin.options import GinOptions

HEADING = ("Side", "Game", "Points", "Boxes", "In all", "Ahead by")


def games_panel(options: GinOptions, seats: Sequence[str], columns: Sequence[GinColumn]) -> Panel:
    """Two rows a game, one for each side."""
    sides = [" and ".join(f"{{{seat}}}" for seat in seats[side::2]) for side in (0, 1)]
    games = enumerate(columns, start=1)
    rows = tuple(row for number, column in games for row in _rows(options, sides, number, column))
    return Panel(title="Games side by side" if len(columns) > 1 else "The game", heading=HEADING, rows=rows)


def _rows(options: GinOptions, sides: Sequence[str], number: int, column: GinColumn) -> Iterator[tuple[str, ...]]:
    """The difference stands with the side that is ahead; a shutout may have doubled it."""
    final, difference = final_scores(options, column), column_difference(options, column)
    won = "won, " if column.winner is not None else ""
    for side, name in enumerate(sides):
        ahead = difference if side == 0 else -difference
        numbers = (column.points[side], column.boxes[side], final[side])
        yield (name, str(number), *map(str, numbers), f"{won}{ahead}" if ahead > 0 else "")
