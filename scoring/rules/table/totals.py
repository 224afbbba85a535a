"""A table that is entered by its totals: what refuses them, before the game itself is asked.

Rules: docs/events.md, "Totals". What follows from totals is the game's own: it counts them like the end of its deals.
"""

from __future__ import annotations  # a table asks here whether totals may be recorded at it

from typing import TYPE_CHECKING, Any

from scoring.events import wire
from scoring.messages import Seat, Signed, say, say_many
from scoring.problems import Problem
from scoring.rules.table.timeline import counted_steps

if TYPE_CHECKING:
    from scoring.rules.table.table import Table

Totals = wire.TotalsRecorded | wire.TotalsCorrected


def why_not_now(table: Table) -> list[Problem]:
    """What keeps this table from being entered by any totals now."""
    rules, setup = table.rules, table.setup
    if table.has_totals:
        return [Problem("has_totals", say("the totals are recorded already: correct them instead"))]
    if table.deals:
        detail = say_many(
            "{count} deal is recorded: enter the others as deals too",
            "{count} deals are recorded: enter the others as deals too",
            count=table.deals,
        )
        return [Problem("has_deals", detail)]
    if (why := rules.why_no_totals(setup)) is not None:
        return [Problem("totals_not_allowed", why)]
    if setup.confirmation != "at_once":
        detail = say("each deal is confirmed by a second person here: enter it deal by deal")
        return [Problem("totals_not_allowed", detail)]
    # A seat that left, or a penalty: whether the totals contain it is not guessed.
    if rules.seats(setup, table.game) != rules.seats(setup, rules.start(setup)):
        detail = say("undo the actions at this table first: penalties are given after the totals")
        return [Problem("totals_not_allowed", detail)]
    return []


def deal_problems() -> list[Problem]:
    """A table has deals or totals, and never both."""
    return [Problem("has_totals", say("this table is entered by its totals: undo them to enter deals"))]


def recording_problems(table: Table, event: wire.TotalsRecorded) -> list[Problem]:
    """All problems with recording these totals now."""
    return why_not_now(table) or _problems_at(table, table.game, event)


def correction_problems(table: Table, event: wire.TotalsCorrected) -> list[Problem]:
    """All problems with totals in the place of those that are recorded."""
    recorded = table.totals_entry
    if recorded is None:
        return [Problem("no_totals", say("no totals are recorded at this table"))]
    steps = counted_steps(table.rules, table.setup, table.timeline)
    before = next(game for step, game, _ in steps if step.version == recorded.version)
    return _problems_at(table, before, event)


def _problems_at(table: Table, before: Any, event: Totals) -> list[Problem]:
    """Seats that are missing, totals that cannot be, a sum that does not come out, and what the game refuses."""
    rules, setup = table.rules, table.setup
    form, totals = rules.totals_form(setup), event.totals
    problems = [
        Problem("missing_seat", say("{seat} has no total", seat=Seat(seat)), field="totals")
        for seat in setup.seats
        if seat not in totals
    ]
    for seat, total in totals.items():
        least = None if form.least is None else max(form.least, setup.carried.get(seat, form.least))
        if least is not None and total < least:
            detail = say("{seat} has {points} points: {number} at least", seat=Seat(seat), points=total, number=least)
            problems.append(Problem("negative_total", detail, field="totals"))
    if event.out and not form.has_order:
        problems.append(Problem("out_of_order", say("nobody is eliminated in this game"), field="out"))
    total = sum(totals.values())
    # A sum says nothing while a total is missing.
    if not problems and form.adds_up_to not in (None, total):
        if form.adds_up_to == 0:
            detail = say("the totals add up to {number}, not to 0: check each of them", number=Signed(total))
            problems.append(Problem("sum_not_zero", detail, field="totals"))
        else:
            detail = say("the totals add up to {number}, not to {total}", number=total, total=form.adds_up_to)
            problems.append(Problem("wrong_sum", detail, field="totals"))
    return problems + rules.totals_problems(setup, before, wire.TotalsRecorded(totals=totals, out=event.out))
