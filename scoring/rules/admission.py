"""What may be recorded at a table now: a new fact is let in, or refused with everything that speaks against it.

Rules: docs/events.md, "Refusals". Knows nothing of who asks or where the answer goes.
"""

from typing import Any

from scoring.rules import events
from scoring.rules.events import Fact
from scoring.rules.problems import FactRejected, Problem, refuse_if
from scoring.rules.table import Status, Table, steps


def admit(table: Table, fact: Fact) -> None:
    """Let a new fact in, or raise FactRejected with everything that speaks against it."""
    refuse_if(problems_with(table, fact), FactRejected)


def problems_with(table: Table, fact: Fact) -> list[Problem]:
    """Everything that speaks against recording this fact now."""
    match fact:
        case events.DealCorrected() | events.DealVoided():
            return _change_problems(table, fact)
        case events.FactWithdrawn():
            return _withdrawal_problems(table, fact)
    if table.status is not Status.OPEN:
        return [Problem(code="table_closed", detail=f"the table is {table.status.value}; only corrections can follow")]
    if isinstance(fact, events.TableCancelled):
        return []
    if isinstance(fact, events.TableClosed):
        return _closing_problems(table)
    number = _number_problems(table, fact) if isinstance(fact, events.DealRecorded) else []
    return number + table.rules.check(table.setup, table.game, fact)


def _number_problems(table: Table, fact: events.DealRecorded[Any]) -> list[Problem]:
    """A deal takes the next number, or that of a voided deal which is played again."""
    wanted = table.next_deal
    earlier = table.deal_entry(fact.deal)
    if fact.deal == wanted or (earlier is not None and earlier.is_void):
        return []
    if earlier is not None:
        detail = f"deal {fact.deal} is already recorded; correct it, or record deal {wanted}"
        return [Problem(code="deal_exists", field="deal", detail=detail)]
    detail = f"deal {fact.deal} cannot follow: the next deal is {wanted}"
    return [Problem(code="deal_number_jumps", field="deal", detail=detail)]


def _change_problems(table: Table, fact: Any) -> list[Problem]:
    """A change needs a deal to change, a reason, and a sheet that fits where it stands."""
    problems = _reason_problems(fact)
    entry = table.deal_entry(fact.deal)
    if entry is None:
        detail = f"deal {fact.deal} was never recorded"
        return [*problems, Problem(code="no_such_deal", field="deal", detail=detail)]
    if isinstance(fact, events.DealVoided):
        if entry.is_void:
            detail = f"deal {fact.deal} is void already"
            problems.append(Problem(code="deal_is_void", field="deal", detail=detail))
        return problems
    before = next(game for step, game, _ in steps(table) if step.version == entry.version)
    corrected = events.DealRecorded(deal=fact.deal, sheet=fact.sheet)
    return problems + table.rules.check(table.setup, before, corrected)


def _withdrawal_problems(table: Table, fact: events.FactWithdrawn) -> list[Problem]:
    """Only an act can be withdrawn: deals are corrected or voided."""
    problems = _reason_problems(fact)
    entry = next((entry for entry in table.timeline if entry.version == fact.version), None)
    if entry is None or isinstance(entry.fact, events.DealRecorded):
        detail = f"there is no act at version {fact.version} to withdraw; deals are corrected or voided"
        problems.append(Problem(code="nothing_to_withdraw", field="version", detail=detail))
    return problems


def _reason_problems(fact: Any) -> list[Problem]:
    if fact.reason.strip():
        return []
    return [Problem(code="missing_field", field="reason", detail="say why: a change needs a reason")]


def _closing_problems(table: Table) -> list[Problem]:
    """A table closes when nothing contradicts and, where the game has an end, that end is reached."""
    problems = [
        Problem(code="open_conflict", seat=conflict.seat, detail=f"settle first: {conflict.detail}")
        for conflict in table.conflicts
    ]
    return problems + table.rules.check(table.setup, table.game, events.TableClosed())
