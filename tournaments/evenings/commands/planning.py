"""Making a tournament's plan, from a format that clubs know or from a form, and changing it with a reason.

Rules: docs/rules/tournaments.md, "The plan". The whole plan is stored, so that no later default moves a place.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import Max

from scoring.evening import Plan, as_stored, read_plan
from scoring.evening.checks.playable import Terms, playable_problems
from scoring.evening.plans.formats import format_named
from scoring.facts import wire
from scoring.money.payouts import MOST_SUM
from scoring.problems import OptionsRejected, Problem, StaleTable, refuse_if
from tournaments.books.stakes import stakes_of
from tournaments.evenings.commands.record import EveningRecorded, record_in_evening
from tournaments.evenings.commands.stream import evening_of, was_stored
from tournaments.evenings.prize_money import carried_in_pots
from tournaments.log.context import Order
from tournaments.log.turns import tournament_turn
from tournaments.models import Event, Tournament


def make_plan(
    tournament_id: UUID, raw: Mapping[str, Any], *, order: Order, reason: str = "", expected: int | None = None
) -> EveningRecorded:
    """Store how the evening is run. After the start it needs a reason.

    `expected` is the version that whoever plans has seen: other things may have happened since, another plan not.
    Raises OptionsRejected with every problem of the plan, and with everything that would stop the evening, played with
    this tournament's game; FactRejected where it may not change so, StaleTable.
    """
    plan = read_plan(raw)
    with tournament_turn(tournament_id) as tournament:
        evening = evening_of(tournament)
        kept = as_stored(_with_what_is_carried(tournament, plan), evening.plan)
        fact = wire.PlanMade(plan=whole_plan(kept), reason=reason.strip())
        if expected is not None and not was_stored(tournament, fact, order):
            _refuse_another_plan(tournament, expected)
        if not was_stored(tournament, fact, order):
            refuse_if(playable_problems(kept, terms_of(tournament), since=len(evening.cuts) + 1), OptionsRejected)
        return record_in_evening(tournament_id, fact, order=order)


def terms_of(tournament: Tournament) -> Terms:
    """What the tables of a tournament play."""
    return Terms(variant=tournament.variant, options=tournament.options, stakes=stakes_of(tournament))


def _with_what_is_carried(tournament: Tournament, plan: Plan) -> Plan:
    """Side pots with what other nights left in them: as it was first told, or less where one of them took it since."""
    if not plan.side_pots:
        return plan
    before = evening_of(tournament).plan
    known = {pot.name: pot.carried_minor for pot in before.side_pots} if before else {}
    found = {} if plan.is_rehearsal else carried_in_pots(tournament, [pot.name for pot in plan.side_pots])
    carried = {pot.name: found.get(pot.name, 0) for pot in plan.side_pots}
    pots = tuple(
        msgspec.structs.replace(pot, carried_minor=min(carried[pot.name], known.get(pot.name, MOST_SUM)))
        for pot in plan.side_pots
    )
    return msgspec.structs.replace(plan, side_pots=pots)


def _refuse_another_plan(tournament: Tournament, seen: int) -> None:
    plans = Event.objects.filter(stream_id=tournament.id, kind=wire.PlanMade.kind, version__gt=seen)
    current = plans.aggregate(last=Max("version"))["last"]
    if current is not None:
        raise StaleTable(expected=seen, current=current)


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
