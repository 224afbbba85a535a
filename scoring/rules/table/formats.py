"""A tournament format that clubs know by name: for how many players, and the plan that it makes.

Rules: docs/rules/tournaments.md, "Formats". Knows nothing of any one game, nor of what a plan means.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.messages import Words, english

RawPlan = dict[str, Any]
TABLE_OF_SIX = {"smallest_table": 4, "largest_table": 6, "preferred_table": 6}


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A named format: for how many players, and the plan it makes. Some are only for games in which scores add up."""

    name: str
    title: str
    note: str
    players: range
    make: Callable[[int], RawPlan]
    needs_adding_up: bool = False

    def plan(self, players: int, translate: Callable[[Words], str] = english) -> RawPlan:
        """The plan for so many players, as `plan_made` takes it; its stages are named by the caller."""
        raw_plan = self.make(players)
        return {**raw_plan, "stages": [{**stage, "name": translate(stage["name"])} for stage in raw_plan["stages"]]}


def tables_for(players: int, largest: int) -> int:
    """The fewest tables that so many players need."""
    return -(-players // largest)


def through(places: int, tables: int, most: int) -> RawPlan:
    """The most per table that divide evenly, and extra qualifiers for the rest."""
    per_table = min(most, places // tables)
    return {"per_table": per_table, "wild_cards": places - per_table * tables}


def seatable(stage: RawPlan, players: int) -> RawPlan:
    """Smaller tables where so few players, or such a number, cannot be seated otherwise."""
    if _can_be_seated(players, range(stage["smallest_table"], stage["largest_table"] + 1)):
        return stage
    smallest = next(size for size in (3, 2) if _can_be_seated(players, range(size, stage["largest_table"] + 1)))
    return {**stage, "smallest_table": smallest}


def _can_be_seated(players: int, sizes: Sequence[int]) -> bool:
    """Whether for some number of tables all players have a seat."""
    return any(tables * sizes[0] <= players <= tables * sizes[-1] for tables in range(1, players + 1))
