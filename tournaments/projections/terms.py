"""What a tournament plays, and each of its stages, from its row and its plan.

Rules: docs/rules/tournaments.md, "The plan", and decision 0046.
"""

from typing import Any, Protocol

from scoring.evening import Evening
from scoring.evening.state.played import Game
from scoring.evening.state.terms import Terms
from scoring.money.payouts import Stakes
from tournaments.models import Tournament

# What a tournament's tables are played for, as every table is opened with it: the entry, the fee, its bounds, a levy.
STAKES: tuple[str, ...] = Stakes.__struct_fields__


class PlayedFor(Protocol):
    """Whatever names its stakes as the rules do."""

    @property
    def currency(self) -> str: ...


def stakes_of(source: PlayedFor) -> dict[str, Any]:
    """Every term by its name in the rules."""
    return {name: getattr(source, name) for name in STAKES}


def terms_of(tournament: Tournament) -> Terms:
    """What the tables of a tournament play where their stage says nothing else."""
    return Terms(variant=tournament.variant, options=tournament.options, stakes=stakes_of(tournament))


def stage_terms(tournament: Tournament, evening: Evening | None, stage: int) -> Terms:
    """What a stage plays; without a plan what the tournament does."""
    return terms_of(tournament).in_plan(evening.plan if evening is not None else None, stage)


def terms_by_round(tournament: Tournament, evening: Evening) -> dict[int, Terms]:
    """What the tables of each seated round play."""
    of_stage = {number: stage_terms(tournament, evening, number) for number in {each.stage for each in evening.rounds}}
    return {seated.round: of_stage[seated.stage] for seated in evening.rounds}


def game_of(tournament: Tournament, evening: Evening, stage: int) -> Game:
    """How the game of a stage counts."""
    return stage_terms(tournament, evening, stage).game
