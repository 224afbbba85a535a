"""Whether everything that an evening takes and promises can still be kept: its sums stay within one limit.

Rules: docs/decisions/0026-facts-that-read-back.md. Knows nothing of accounts: the ledger looks at balances.
"""

from scoring.evening.plans.plan import Plan
from scoring.evening.state.fees import owed_by
from scoring.evening.state.state import Evening
from scoring.messages import say
from scoring.money.payouts import MOST_SUM, beyond_limit
from scoring.problems import Problem


def limit_problems(before: Evening, after: Evening, entry_minor: int) -> list[Problem]:
    """What facts make more than can be kept: paid by one player, or taken and promised altogether.

    What was beyond it before may go on as long as nothing is added: an evening of an earlier version must be closed.
    """
    problems: list[Problem] = []
    for player, entrant in after.entrants.items():
        known = before.entrants.get(player)
        if known is None or entrant.paid_minor > known.paid_minor:
            problems += beyond_limit({"amount_minor": entrant.paid_minor}, seat=player)
    stood, stands = _sums(before, entry_minor), _sums(after, entry_minor)
    return problems or (_total_problems(stands) if sum(stands.values()) > sum(stood.values()) else [])


def _total_problems(sums: dict[str, int]) -> list[Problem]:
    """Whoever wins everything is paid all of it in one posting."""
    total, name = sum(sums.values()), max(sums, key=lambda name: sums[name])
    if total <= MOST_SUM:
        return []
    detail = say(
        "entries, side pots and prizes come to {number}, most of it by {name}: the maximum is {most}",
        number=total,
        name=name,
        most=MOST_SUM,
    )
    return [Problem(code="out_of_range", field=name, detail=detail)]


def _sums(evening: Evening, entry_minor: int) -> dict[str, int]:
    """What comes in and what is promised, by the field that it comes from."""
    plan = evening.plan or Plan()
    entrants = evening.entrants.values()
    return {
        "entry_minor": sum(max(owed_by(evening, each, entry_minor).total, each.paid_minor) for each in entrants),
        "side_pots": sum(pot.carried_minor for pot in plan.side_pots),
        "guaranteed_minor": plan.guaranteed_minor,
        "fixed_minor": sum(plan.fixed_minor),
        "stage_prizes": sum(
            sum(each.amounts_minor) * _times(evening, each.stage, each.of) for each in plan.stage_prizes
        ),
    }


def _times(evening: Evening, stage: int, of: str) -> int:
    """How often the amounts of a stage are paid as far as it is seated."""
    tables = sum(len(seated.tables) for seated in evening.rounds_of(stage))
    return max(1, tables) if of == "each_table" else 1
