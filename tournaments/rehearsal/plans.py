"""The plan of a rehearsal: a format that suits the number of players and the game, and tables it can be played at.

Rules: docs/rehearsal.md, section 6 (the night). Knows nothing of who enters.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.evening import Stage
from scoring.evening.plans.formats import format_for
from scoring.problems import OptionsRejected, Problem
from scoring.rules.variants import PRESETS, VARIANTS, play_problems
from tournaments.draw import Sizes, size_problems, table_sizes
from tournaments.draw.plans import LARGEST_TABLE, SMALLEST_TABLE
from tournaments.evenings.commands.planning import plan_of_format

USUAL_LARGEST = 6


def playable_sizes(variant: str, options: Mapping[str, Any], stakes: Mapping[str, Any]) -> tuple[int, ...]:
    """Numbers of seats at which the game can be played with these options."""
    return tuple(
        seats
        for seats in VARIANTS[variant].seats_allowed
        if SMALLEST_TABLE <= seats <= LARGEST_TABLE
        and not play_problems(variant, options=options, stakes=stakes, seats=[str(n) for n in range(seats)])
    )


def night_plan(preset: str, players: int, playable: Sequence[int], wanted: str = "") -> dict[str, Any]:
    """The plan of the format wanted, or of the first that suits. Raises OptionsRejected where none can be played."""
    game = PRESETS[preset][0].name
    names = [wanted] if wanted else [known.name for known in format_for(players, game)]
    plans = [plan_of_format(name, players) for name in names]
    for plan in plans:
        if all(_can_be_played(stage, playable) for stage in plan["stages"]):
            return plan
    if wanted:
        detail = f"{wanted} has tables at which {preset} cannot be played: it is for {_listed(playable)} seats"
        raise OptionsRejected([Problem(code="not_a_choice", field="format", detail=detail)])
    return _small_tables(playable)


def formats_that_fit(preset: str, players: int, playable: Sequence[int]) -> tuple[str, ...]:
    """The names of all formats that a game can be played in."""
    fitting = format_for(players, PRESETS[preset][0].name)
    plans = {known.name: plan_of_format(known.name, players) for known in fitting}
    return tuple(name for name, plan in plans.items() if all(_can_be_played(s, playable) for s in plan["stages"]))


def sizes_for(stage: Stage, players: int, playable: Sequence[int]) -> Sizes:
    """The table sizes for a round; smaller tables where somebody would sit out a stage of one round."""
    allowed = tuple(size for size in stage.sizes if size in playable)
    wider = tuple(size for size in playable if size <= max(stage.largest_table, min(playable)))
    sizes = _sizes(allowed or wider, stage)
    if size_problems(players, sizes) or (stage.rounds == 1 and table_sizes(players, sizes).sit_outs):
        return _sizes(wider, stage)
    return sizes


def _sizes(allowed: Sequence[int], stage: Stage) -> Sizes:
    preferred = min(allowed, key=lambda size: abs(size - stage.preferred_table))
    return Sizes(allowed=tuple(allowed), preferred=preferred)


def _can_be_played(stage: Mapping[str, Any], playable: Sequence[int]) -> bool:
    return all(size in playable for size in range(stage["smallest_table"], stage["largest_table"] + 1))


def _small_tables(playable: Sequence[int]) -> dict[str, Any]:
    """For games that want a certain number of seats: three rounds, and a final of one table."""
    seats = min(playable)
    size = {"smallest_table": seats, "largest_table": seats, "preferred_table": seats}
    return {
        "stages": [{"name": "Rounds", "rounds": 3, **size, "advancing": seats}, {"name": "Final", **size}],
        "prizes_bp": [7000, 3000],
    }


def _listed(playable: Sequence[int]) -> str:
    return ", ".join(str(size) for size in playable if size <= USUAL_LARGEST)
