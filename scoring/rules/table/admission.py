"""What may be recorded at a table now: a new event is accepted, or refused with all problems.

Rules: docs/events.md, "Refusals". Knows nothing of who asks or where the answer goes.
"""

from __future__ import annotations  # a table asks here what may be recorded at it

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from scoring.events import reading, wire
from scoring.events.wire import Event
from scoring.messages import Message, say
from scoring.money.payouts import MOST_SCORE, beyond_limit
from scoring.problems import EventNotAllowed, EventRejected, Problem, refuse_if
from scoring.rules.table import totals
from scoring.rules.table.timeline import Status, counted_steps, totals_now, unreadable_problem

if TYPE_CHECKING:
    from scoring.rules.table.table import Table


def admitted(table: Table, raw: object) -> Event:
    """The event as it may be stored now: what was sent, or an event that was read before.

    Raises EventRejected where it cannot be read; EventNotAllowed with all problems of the rules, and of what was most
    likely mistyped, together.
    """
    event, problems = (raw, problems_with(table, raw)) if isinstance(raw, Event) else considered(table, raw)
    if event is None:
        raise EventRejected(problems)
    refuse_if([*problems, *table.rules.typing_problems(table.setup, event)], EventNotAllowed)
    return event


def considered(table: Table, raw: object) -> tuple[Event | None, list[Problem]]:
    """An event from outside, as far as it can be read, and all problems with it.

    Form and rules are checked together: a scorer who mistyped a seat also learns that the deal has no winner.
    """
    try:
        event = reading.read_event(raw, table.rules, table.setup.seats)
    except EventRejected as refused:
        readable = refused.readable if isinstance(refused.readable, Event) else None
        problems = problems_with(table, readable) if readable is not None else []
        return readable, [*refused.problems, *_not_yet_problems(problems, refused.problems)]
    return event, problems_with(table, event)


def problems_with(table: Table, event: Event) -> list[Problem]:
    """All problems with recording this event now."""
    if table.unreadable:
        return [*_reason_problems(event), *(unreadable_problem(version) for version in table.unreadable)]
    return _problems_at(table, event)


def _problems_at(table: Table, event: Event) -> list[Problem]:
    problems = _reason_problems(event) + _card_problems(table, event)
    match event:
        case wire.DealCorrected() | wire.DealVoided():
            return problems + _change_problems(table, event)
        case wire.TotalsCorrected():
            return problems + totals.correction_problems(table, event)
        case wire.EventWithdrawn():
            return problems + _withdrawal_problems(table, event)
        case wire.DealConfirmed() | wire.DealDisputed() | wire.DisputeSettled():
            return problems + _check_problems(table, event)
    return problems + _next_problems(table, event) if table.status is Status.OPEN else _closed_problems(table)


def _next_problems(table: Table, event: Event) -> list[Problem]:
    """Problems with what follows at an open table."""
    problems: list[Problem] = []
    match event:
        case wire.TableCancelled():
            return []
        case wire.TableMovedOn():
            return _moving_problems(table)
        case wire.TotalsRecorded():
            return totals.recording_problems(table, event)
        case wire.TableClosed():
            problems = _conflict_problems(table) + _unread_problems(table)
        case wire.DealRecorded():
            if table.has_totals:
                return totals.deal_problems()
            problems = _number_problems(table, event)
        case wire.SplitAgreed():
            problems = _split_problems(table, event)
    rules, setup, game = table.rules, table.setup, table.game
    return problems + rules.check(setup, game, event) + rules.entry_problems(setup, game, event)


def _closed_problems(table: Table) -> list[Problem]:
    detail = say("the table is {word}; only corrections can follow", word=Message(table.status.value))
    return [Problem("table_closed", detail)]


def disputed_deal(deal: int) -> Problem:
    """No act may follow on a deal that waits for the director."""
    detail = say("deal {deal} is disputed: the director must resolve it first", deal=deal)
    return Problem("deal_disputed", detail, field="deal")


def opening_problems(table: Table) -> list[Problem]:
    """What keeps a table from being opened: amounts above the limit, and seats that could not play."""
    return [*limit_problems(table), *_out_at_once(table)]


def limit_problems(table: Table) -> list[Problem]:
    """Scores and money above the limit: to be checked on the table as an event would leave it."""
    problems: list[Problem] = []
    for seat, view in table.seats().items():
        numbers = {"total": view.total, "chips": view.chips, "net_points": view.net_points}
        known = {name: number for name, number in numbers.items() if number is not None}
        problems += beyond_limit(known, seat=seat, most=MOST_SCORE)
    # Payments deal by deal stay within it: a count and the value of a point have limits of their own.
    payouts = () if table.rules.pays_while_open(table.setup) else table.payouts()
    moved = [sum(payout.charges.values()) for payout in payouts]
    staked = max((sum(table.at_stake().values()), *moved))
    return problems + beyond_limit({"stakes": staked}, currency=table.setup.stakes.currency)


def new_limit_problems(before: Table, after: Table) -> list[Problem]:
    """Limits that an event newly exceeds; a table already beyond them can still be corrected and closed."""
    problems = limit_problems(after)
    return problems if problems and not limit_problems(before) else []


def _out_at_once(table: Table) -> list[Problem]:
    """Seats that are over the limit with what they carry over: they would sit at a table that plays without them."""
    problems: list[Problem] = []
    for seat, view in table.seats().items():
        if not view.is_in:
            detail = say(
                "seat {seat} brings {points}, and is out before the first deal",
                seat=seat,
                points=table.setup.carried.get(seat, 0),
            )
            problems.append(Problem("seat_is_out", detail, seat=seat, field="carried"))
    return problems


def _not_yet_problems(found: Iterable[Problem], reported: Sequence[Problem]) -> list[Problem]:
    """Problems that do not merely follow from an outcome that could not be read."""
    seats = {problem.seat for problem in reported if problem.seat is not None}
    fields = {problem.field for problem in reported if problem.seat is None}
    consequences = {"no_winner", "too_few_seats"} if seats else set()
    return [
        problem
        for problem in found
        if problem.seat not in seats and problem.field not in fields and problem.code not in consequences
    ]


def _number_problems(table: Table, event: wire.DealRecorded[object]) -> list[Problem]:
    """A deal takes the next number, or that of a voided deal which is played again."""
    next_deal = table.next_deal
    earlier = table.deal_entry(event.deal)
    if event.deal == next_deal or (earlier is not None and earlier.is_void):
        return []
    if earlier is not None:
        detail = say(
            "deal {deal} is already recorded; correct it, or record deal {number}", deal=event.deal, number=next_deal
        )
        return [Problem("deal_exists", detail, field="deal")]
    detail = say("deal {deal} cannot follow: the next deal is {number}", deal=event.deal, number=next_deal)
    return [Problem("deal_number_jumps", detail, field="deal")]


def _change_problems(table: Table, event: wire.DealCorrected[object] | wire.DealVoided) -> list[Problem]:
    """A change needs a deal to change, and a sheet that fits at that point. On a voided deal it restores it."""
    entry = table.deal_entry(event.deal)
    if entry is None:
        return [Problem("no_such_deal", say("deal {deal} was never recorded", deal=event.deal), field="deal")]
    if isinstance(event, wire.DealVoided):
        detail = say("deal {deal} is already cancelled", deal=event.deal)
        return [Problem("deal_is_void", detail, field="deal")] if entry.is_void else []
    if entry.is_void and table.has_totals:
        return totals.deal_problems()
    steps = counted_steps(table.rules, table.setup, table.timeline)
    before = next(game for step, game, _ in steps if step.version == entry.version)
    return table.rules.check(table.setup, before, wire.DealRecorded(deal=event.deal, sheet=event.sheet))


def _check_problems(table: Table, event: wire.DealConfirmed | wire.DealDisputed | wire.DisputeSettled) -> list[Problem]:
    """Problems with confirming or disputing a deal: it must exist, and not be confirmed or disputed already."""
    entry = table.deal_entry(event.deal)
    if entry is None or entry.is_void:
        return [Problem("no_such_deal", say("deal {deal} is not on the sheet", deal=event.deal), field="deal")]
    # A deal that was corrected after closing needs confirmation again; at a closed table no deal can be disputed.
    may_follow = table.status is Status.CLOSED and isinstance(event, wire.DealConfirmed)
    if table.status is not Status.OPEN and not may_follow:
        return _closed_problems(table)
    is_disputed = event.deal in table.disputed
    if isinstance(event, wire.DisputeSettled):
        detail = say("deal {deal} is not disputed", deal=event.deal)
        return [] if is_disputed else [Problem("not_disputed", detail, field="deal")]
    if is_disputed and not _enters_again(table, event):
        return [disputed_deal(event.deal)]
    if isinstance(event, wire.DealConfirmed) and is_disputed:
        return []
    if isinstance(event, wire.DealConfirmed) and event.deal not in table.unconfirmed:
        return [Problem("deal_confirmed", say("deal {deal} is already confirmed", deal=event.deal), field="deal")]
    return []


def _enters_again(table: Table, event: wire.DealConfirmed | wire.DealDisputed) -> bool:
    """Whether the seat whose entry differs changes its own: it now agrees, or enters something else."""
    second = table.second_entry(event.deal)
    is_entry = isinstance(event, wire.DealConfirmed) or event.sheet is not None
    return is_entry and second is not None and second[0] == event.seat


def _unread_problems(table: Table) -> list[Problem]:
    """No result is final while a deal is unconfirmed or disputed."""
    problems = [disputed_deal(deal) for deal in table.disputed]
    return problems + [
        Problem("deal_unconfirmed", say("deal {deal} has not been confirmed by anybody else", deal=deal), field="deal")
        for deal in table.unconfirmed
        if deal not in table.disputed
    ]


def _moving_problems(table: Table) -> list[Problem]:
    """A table is broken up between two deals, and before any money has moved at it."""
    problems = _conflict_problems(table) + _unread_problems(table)
    if table.is_finished:
        problems.append(Problem("table_finished", say("the table has a result: close it instead")))
    if table.payouts():
        detail = say("deals of this table are paid one by one: close it, and open another")
        problems.append(Problem("money_has_moved", detail))
    return problems


def _withdrawal_problems(table: Table, event: wire.EventWithdrawn) -> list[Problem]:
    """Only an act can be undone: deals are corrected or voided."""
    entry = next((entry for entry in table.timeline if entry.version == event.version), None)
    if entry is None or isinstance(entry.event, wire.DealRecorded):
        detail = say(
            "there is no action at version {number} to undo; correct or cancel deals instead", number=event.version
        )
        return [Problem("nothing_to_withdraw", detail, field="version")]
    return []


def _split_problems(table: Table, event: wire.SplitAgreed) -> list[Problem]:
    """Given totals must be the current ones: the user may have been looking at an older sheet."""
    if event.totals in (None, totals_now(table.rules, table.setup, table.game)):
        return []
    detail = say("the split was agreed on other totals than those of the sheet")
    return [Problem("split_on_other_totals", detail, field="totals")]


def _conflict_problems(table: Table) -> list[Problem]:
    """No table is closed while events contradict each other."""
    return [
        Problem("open_conflict", say("resolve first: {why}", why=conflict.message), seat=conflict.seat)
        for conflict in table.conflicts
    ]


def _card_problems(table: Table, event: Event) -> list[Problem]:
    """Cards that are not in the packs. A sheet that was stored before is not checked again: it would be a conflict."""
    return table.rules.card_problems(table.setup, event.sheet) if isinstance(event, wire.DealEvent) else []


def _reason_problems(event: Event) -> list[Problem]:
    # What a second seat entered is the reason of its dispute.
    has_sheet = isinstance(event, wire.DealDisputed) and event.sheet is not None
    if has_sheet or event.kind not in wire.NEEDS_REASON or getattr(event, "reason", "").strip():
        return []
    return [Problem("missing_field", say("enter a reason"), field="reason")]
