"""Random histories of any game, by its name."""

from hypothesis.strategies import SearchStrategy

from tests.builders import histories as indian
from tests.builders import western_histories as western
from tests.builders.histories import History

GAMES = [*indian.OPTIONS, *western.NAMES]


def of(name: str, *, changes: bool = False) -> SearchStrategy[History]:
    """Evenings of one game that could have happened."""
    family = indian.histories if name in indian.OPTIONS else western.western_histories
    return family((name,), changes=changes)
