"""Random histories of any game, by its name."""

from typing import Any

from hypothesis.strategies import SearchStrategy

from scoring.rules.table.table import Table
from tests.builders import histories as indian
from tests.builders import western_histories as western
from tests.builders.histories import History
from tests.builders.rules import Wire

GAMES = [*indian.OPTIONS, *western.NAMES]


def of(name: str, *, changes: bool = False) -> SearchStrategy[History]:
    """Evenings of one game that could have happened."""
    family = indian.histories if name in indian.OPTIONS else western.western_histories
    return family((name,), changes=changes)


def another_sheet(draw: Any, table: Table) -> Wire:
    """A sheet for the seats that play next."""
    if table.rules.name in indian.OPTIONS:
        return indian.draw_sheet(draw, table.in_play or table.setup.seats, table.setup.options)
    return western.draw_sheet(draw, table)
