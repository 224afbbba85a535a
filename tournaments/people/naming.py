"""Refusals that name players: a pure check knows a player by number, and whoever is refused by name."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from scoring.problems import Problem
from tournaments.models import Player
from tournaments.people.ids import uuid_of


def named(club_id: UUID, problems: Sequence[Problem]) -> list[Problem]:
    """The same problems with the players' names in their sentences, in one query."""
    ids = [player for problem in problems if (player := uuid_of(problem.seat or ""))]
    names: Mapping[str, str] = {
        str(player): name
        for player, name in Player.objects.filter(club_id=club_id, id__in=ids).values_list("id", "name")
    }
    return [replace(problem, detail=problem.said(names)) for problem in problems]
