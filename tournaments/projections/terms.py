"""The terms of a tournament and of each of its stages: game, options and stakes, from its row and its plan.

Rules: docs/rules/tournaments.md, "The plan", and decision 0046.
"""

from typing import Any, Protocol

from scoring.money.payouts import Stakes
from scoring.tournament import TournamentState
from scoring.tournament.state.played import Game
from scoring.tournament.state.terms import Terms
from tournaments.models import Tournament

# The names of the stakes that every table is opened with: entry fee, house fee and its bounds, levy, point value.
STAKES: tuple[str, ...] = Stakes.__struct_fields__


class PlayedFor(Protocol):
    """An object whose attributes for the stakes are named as in the rules."""

    @property
    def currency(self) -> str: ...


def stakes_of(source: PlayedFor) -> dict[str, Any]:
    """Return every stake by its name in the rules."""
    return {name: getattr(source, name) for name in STAKES}


def terms_of(tournament: Tournament) -> Terms:
    """Return the terms of a tournament's tables where their stage has none of its own."""
    return Terms(variant=tournament.variant, options=tournament.options, stakes=stakes_of(tournament))


def stage_terms(tournament: Tournament, state: TournamentState | None, stage: int) -> Terms:
    """Return the terms of a stage; without a plan those of the tournament."""
    return terms_of(tournament).in_plan(state.plan if state is not None else None, stage)


def terms_by_round(tournament: Tournament, state: TournamentState) -> dict[int, Terms]:
    """Return the terms of the tables of each seated round."""
    of_stage = {
        number: stage_terms(tournament, state, number)
        for number in {seated_round.stage for seated_round in state.rounds}
    }
    return {seated.round: of_stage[seated.stage] for seated in state.rounds}


def game_of(tournament: Tournament, state: TournamentState, stage: int) -> Game:
    """Return the game of a stage, which says how it counts."""
    return stage_terms(tournament, state, stage).game
