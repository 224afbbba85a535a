"""Making a tournament's plan, from a format that clubs know or from a form, and changing it with a reason.

Rules: docs/rules/tournaments.md, "The plan". The whole plan is stored, so that no later default moves a place.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec

from scoring.evening import Plan, read_plan
from scoring.evening.formats import format_named
from scoring.rules import events
from scoring.rules.problems import OptionsRejected, Problem
from tournaments.commands.evening import EveningRecorded, record_in_evening
from tournaments.commands.orders import Order


def make_plan(
    tournament_id: UUID, raw: Mapping[str, Any], *, order: Order, reason: str = "", expected: int | None = None
) -> EveningRecorded:
    """Store how the evening is run. After the start it needs a reason.

    Raises OptionsRejected with every problem of the plan, FactRejected where it may not change so, StaleTable.
    """
    fact = events.PlanMade(plan=whole_plan(read_plan(raw)), reason=reason.strip())
    return record_in_evening(tournament_id, fact, order=order, expected=expected)


def plan_of_format(name: str, players: int) -> dict[str, Any]:
    """The plan that a format makes for so many players. Raises OptionsRejected where there is no such format."""
    known = format_named(name)
    if known is None:
        raise OptionsRejected([Problem(code="not_a_choice", field="format", detail=f"there is no format {name!r}")])
    if players not in known.players:
        detail = f"{known.title} is for {known.players.start} to {known.players.stop - 1} players, not {players}"
        raise OptionsRejected([Problem(code="out_of_range", field="players", detail=detail)])
    return whole_plan(read_plan(known.plan(players)))


def whole_plan(plan: Plan) -> dict[str, Any]:
    """A plan with every value written out, as the log keeps it."""
    built: dict[str, Any] = msgspec.to_builtins(plan)
    return built
