"""Replaying a table from its events: what `python -m scoring replay` answers to one line.

Rules: docs/events.md, "Replay". Knows nothing of streams or exit codes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.facts.reading import read_fact
from scoring.messages import Message
from scoring.problems import EventRejected, OptionsRejected, Problem, refuse_if, shown
from scoring.rules.table.admission import considered
from scoring.rules.table.dealing import announce
from scoring.rules.table.table import Conflict, Table, fold, places
from scoring.rules.variants import VARIANTS, opening, play_problems, table_from

MOST_EVENTS = 5_000
MOST_PROBLEMS = 100
MOST_SEATS = 50
MOST_SEAT_NAME = 60
FIRST_VERSION = 2


def replay_line(raw: Any) -> dict[str, Any]:
    """The table that follows from one line. Raises RuleError with every problem of the line."""
    table = _opened(raw)
    return _answer(_replayed(table, raw.get("events", [])))


def _opened(raw: Any) -> Table:
    """The table as the line opens it. Unknown fields belong to the caller, and are ignored."""
    if not isinstance(raw, Mapping):
        raise EventRejected([Problem("not_an_object", Message("a line must hold a JSON object"))])
    problems = _seat_name_problems(raw.get("seats"))
    problems += [_not_an_object(name) for name in ("options", "stakes") if not _is_object(raw.get(name))]
    if not isinstance(raw.get("variant"), str):
        detail = Message(f"variant must be the name of a variant, not {shown(raw.get('variant'))}")
        problems.append(Problem("missing_field", detail, field="variant"))
    if not isinstance(raw.get("events", []), list):
        problems.append(Problem("wrong_type", Message("events must be a list"), field="events"))
    options, stakes = (raw.get(name) if _is_object(raw.get(name)) else None for name in ("options", "stakes"))
    if problems:
        refuse_if([*problems, *_play_problems(raw.get("variant"), options or {}, stakes or {})], OptionsRejected)
    opened = opening(raw["variant"], options=options or {}, stakes=stakes or {}, seats=dict.fromkeys(raw["seats"], ""))
    return table_from(opened)


def _play_problems(name: object, options: Mapping[str, Any], stakes: Mapping[str, Any]) -> list[Problem]:
    """Further problems where the seats cannot be read, so that all are reported in one answer."""
    return play_problems(name, options=options, stakes=stakes) if isinstance(name, str) and name in VARIANTS else []


def _seat_name_problems(seats: object) -> list[Problem]:
    """Problems with the seats as a list of different names. The variant itself checks their number."""
    if not isinstance(seats, list) or not seats:
        return [Problem("missing_field", Message("a table needs seats: a list of different names"), field="seats")]
    if len(seats) > MOST_SEATS:
        return [Problem("wrong_number_of_seats", Message(f"no table has {len(seats)} seats"), field="seats")]
    problems = []
    for place, seat in enumerate(seats, start=1):
        if not isinstance(seat, str) or not seat.strip() or len(seat) > MOST_SEAT_NAME:
            detail = Message(f"seat {place} must be a text of 1 to {MOST_SEAT_NAME} characters, not {shown(seat)}")
            problems.append(Problem("wrong_type", detail, field="seats"))
        elif seat in seats[: place - 1]:
            detail = Message(f"seat {place} has the name of an earlier seat: {shown(seat)}")
            problems.append(Problem("duplicate_seat", detail, seat=seat, field="seats"))
    return problems


def _is_object(value: object) -> bool:
    return value is None or isinstance(value, Mapping)


def _not_an_object(name: str) -> Problem:
    return Problem("wrong_type", Message(f"{name} must be a JSON object"), field=name)


def _replayed(table: Table, events: Sequence[object]) -> Table:
    """The table after all events. After a refusal, the form of later events is still checked."""
    if len(events) > MOST_EVENTS:
        detail = Message(f"{len(events)} events; a line holds at most {MOST_EVENTS}")
        raise EventRejected([Problem("too_many_events", detail, field="events")])
    for index, raw in enumerate(events):
        fact, problems = considered(table, raw)
        if fact is None or problems:
            refused = [problem.at_event(index) for problem in problems]
            raise EventRejected([*refused, *_later_problems(table, events, index + 1)])
        table = fold(table, [(index + FIRST_VERSION, fact)])
    return table


def _later_problems(table: Table, events: Sequence[object], start: int) -> list[Problem]:
    """Problems with the form of the events that will not be folded any more."""
    problems: list[Problem] = []
    for index, raw in enumerate(events[start:], start=start):
        try:
            read_fact(raw, table.rules, table.setup.seats)
        except EventRejected as refused:
            problems += [problem.at_event(index) for problem in refused.problems]
        if len(problems) >= MOST_PROBLEMS:
            break
    return problems


def _answer(table: Table) -> dict[str, Any]:
    """The table as the documented format has it. Contradictions that a correction left are its problems."""
    views = table.seats()
    place, paid = places(views), announce(table)
    amounts = paid.payouts_minor
    if table.rules.announces_changes and table.is_finished:
        amounts = {seat: amounts.get(seat, 0) for seat in table.setup.seats}
    return {
        "finished": table.is_finished,
        "deals": table.deals,
        "seats": {
            seat: {
                "total": view.total,
                "chips": view.chips,
                "out_in_deal": view.out_in_deal,
                "place": place[seat],
                "drops_left": view.drops_left,
                "may_rejoin": view.may_rejoin,
            }
            for seat, view in views.items()
        },
        "winners": list(table.winners()),
        "payouts_minor": amounts,
        "fee_minor": paid.fee_minor,
        "problems": [_conflict(conflict).as_json() for conflict in table.conflicts],
    }


def _conflict(conflict: Conflict) -> Problem:
    event = conflict.version - FIRST_VERSION
    return Problem(conflict.code, conflict.message, seat=conflict.seat, event=event)
