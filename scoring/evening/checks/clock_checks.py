"""What speaks against starting, stopping or lengthening the time of a round.

Rules: docs/events.md, "Tournaments". Moments come with the facts; nothing here reads a clock.
"""

from scoring.evening.state.refusals import ALREADY
from scoring.evening.state.state import Clock, Evening, RoundSeating
from scoring.facts import wire
from scoring.problems import Problem


def started(evening: Evening, fact: wire.ClockStarted) -> list[Problem]:
    problems = _seated_round(evening, fact.round)
    clock = evening.clocks.get(str(fact.round))
    if clock is not None and clock.running_since is not None:
        problems.append(Problem(code=ALREADY, field="round", detail=f"the clock of round {fact.round} is running"))
    if (clock is None or not clock.seconds) and fact.seconds is None:
        problems.append(Problem(code="missing_field", field="seconds", detail="say how long the round takes"))
    return problems


def paused(evening: Evening, fact: wire.ClockPaused) -> list[Problem]:
    clock = evening.clocks.get(str(fact.round))
    if clock is not None and clock.running_since is not None:
        return []
    return [Problem(code=ALREADY, field="round", detail=f"the clock of round {fact.round} is not running")]


def last_deal(evening: Evening, fact: wire.LastDealCalled) -> list[Problem]:
    clock: Clock | None = evening.clocks.get(str(fact.round))
    if clock is not None and clock.last_deal_at is not None:
        return [Problem(code=ALREADY, field="round", detail=f"the last deal of round {fact.round} was called")]
    return _seated_round(evening, fact.round)


def last_call_undone(evening: Evening, fact: wire.LastCallUndone) -> list[Problem]:
    """In the round being played only: what was dealt after the call stands either way."""
    clock, last = evening.clocks.get(str(fact.round)), evening.last_round
    if clock is None or clock.last_deal_at is None:
        return [Problem(code=ALREADY, field="round", detail=f"the last deal of round {fact.round} was not called")]
    if last is None or last.round != fact.round or last.stage != evening.stage:
        return [Problem(code="wrong_round", field="round", detail=f"round {fact.round} is not being played")]
    return []


def time_added(evening: Evening, fact: wire.TimeAdded) -> list[Problem]:
    problems = _seated_round(evening, fact.round)
    if not problems and str(fact.round) not in evening.clocks:
        detail = f"round {fact.round} is not played against time"
        problems.append(Problem(code="no_clock", field="round", detail=detail))
    seated: RoundSeating | None = evening.round_of(fact.round)
    if seated is not None and fact.table is not None and fact.table not in {t.number for t in seated.running}:
        detail = f"table {fact.table} is not running in round {fact.round}"
        problems.append(Problem(code="unknown_table", field="table", detail=detail))
    return problems


def _seated_round(evening: Evening, number: int) -> list[Problem]:
    if evening.round_of(number) is not None:
        return []
    return [Problem(code="wrong_round", field="round", detail=f"round {number} was not seated")]
