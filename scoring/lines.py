"""Questions to the rules as JSON, one a line, and their answers: hands, shows, whole tables, and what can be played.

Rules: docs/events.md, "Replay" and "Refusals". Knows nothing of streams or exit codes.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from scoring.events.reading import read_event
from scoring.hands import count, judge
from scoring.json_text import without_repeats
from scoring.messages import Message
from scoring.options import describe_options
from scoring.problems import EventRejected, OptionsRejected, Problem, RuleError, refuse_if, shown
from scoring.rules.table.admission import considered
from scoring.rules.table.dealing import announce
from scoring.rules.table.opening import seat_name_problems
from scoring.rules.table.table import Conflict, Table
from scoring.rules.variants import VARIANTS, opening, play_problems, table_from

MOST_BYTES = 10_000_000
MOST_EVENTS = 5_000
MOST_PROBLEMS = 100
FIRST_VERSION = 2

Answer = dict[str, Any]
Line = str | bytes | Mapping[str, Any]


class LineRejected(RuleError):
    """A line without a JSON value that we can read."""

    code = "line_rejected"


def replay(lines: Iterable[Line]) -> Iterator[Answer]:
    """The table that follows from each line, in order: what `python -m scoring replay` answers.

    A line is JSON text, or its value: `variant`, `options`, `seats`, `stakes` and `events`. A refused one is answered
    with `problems` alone, and blank ones are skipped. Amounts are in minor units. Rules: docs/events.md, "Replay".
    """
    return (answered(replay_line, line) for line in lines if not isinstance(line, str | bytes) or line.strip())


def answered(command: Callable[[Any], Answer], line: Line) -> Answer:
    """The answer to one line, JSON text or its value: a result, or nothing but its problems."""
    try:
        return command(_value(line) if isinstance(line, str | bytes) else line)
    except RuleError as refused:
        return {"problems": [problem.as_json() for problem in refused.problems]}
    except RecursionError:
        return {"problems": [_line_problem("too_deep", "the JSON is nested too deeply").as_json()]}


def _value(line: str | bytes) -> Any:
    """The JSON value of a line. Raises LineRejected."""
    if len(line) > MOST_BYTES:
        raise LineRejected([_line_problem("line_too_long", f"a line has at most {MOST_BYTES} bytes")])
    try:
        return READER.decode(line if isinstance(line, str) else line.decode())
    except UnicodeDecodeError as error:
        raise LineRejected([_line_problem("not_utf8", f"the line is not UTF-8: {error.reason}")]) from error
    except ValueError as error:
        raise LineRejected([_line_problem("not_json", f"the line is not JSON: {error}")]) from error


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _line_problem(code: str, detail: str) -> Problem:
    return Problem(code, Message(detail))


# Made once: a reader for each line would cost more than the line.
READER = json.JSONDecoder(object_pairs_hook=without_repeats, parse_constant=_no_number)


def described_variants() -> list[dict[str, Any]]:
    """Every variant: its name, title, seats, presets and options, each with type, default, range or choices, help."""
    return [
        {
            "name": rules.name,
            "title": rules.title,
            "summary": rules.summary,
            "seats": [rules.seats_allowed[0], rules.seats_allowed[-1]],
            "options": [
                _with_range(option)
                for option in describe_options(rules.options_type, rules.defaults({}, rules.seats_allowed[0]))
            ],
            "presets": [
                {"name": preset.name, "title": preset.title, "options": preset.options, "note": preset.note}
                for preset in rules.presets
            ],
        }
        for rules in VARIANTS.values()
    ]


def _with_range(option: dict[str, Any]) -> dict[str, Any]:
    """An option always lists its allowed values; the range of a text is its length."""
    if option["type"] == "boolean":
        return {**option, "choices": [False, True]}
    if "longest" in option:
        return {**option, "range": [1, option["longest"]]}
    return {**option, "range": [option["min"], option["max"]]} if "min" in option else option


def hand_line(case: object) -> Answer:
    """The count of a hand of 13 cards, and its cheapest arrangement. Raises RuleError with every problem."""
    case_fields = _case(case)
    cards: Any = case_fields.get("cards")
    counted = count(cards, case_fields.get("options"), wild=case_fields.get("wild"))
    best = counted.arrangement
    return {
        "count": counted.count,
        "uncapped": best.points,
        "declarable": best.is_declarable,
        "groups": [{"kind": group.kind.value, "cards": [card.text for card in group.cards]} for group in best.groups],
        "loose": [card.text for card in best.loose],
    }


def show_line(case: object) -> Answer:
    """Whether a show is valid, what each group is, and every problem. Raises RuleError where it cannot be read."""
    case_fields = _case(case)
    groups: Any = case_fields.get("groups")
    hand, rules, wild = case_fields.get("hand"), case_fields.get("options"), case_fields.get("wild")
    ruling = judge(groups, case_fields.get("loose"), hand=hand, rules=rules, wild=wild)
    return {
        "valid_show": ruling.valid_show,
        "kinds": [None if kind is None else kind.value for kind in ruling.kinds],
        "count_if_loser": ruling.count_if_loser,
        "problems": [problem.as_json() for problem in ruling.problems],
    }


def _case(case: object) -> Mapping[str, Any]:
    if not isinstance(case, Mapping):
        raise RuleError([Problem("not_an_object", Message(f"a case is an object, not {shown(case)}"))])
    return case


def replay_line(raw: Any) -> Answer:
    """The table that follows from one line of `replay`. Raises RuleError with every problem of the line."""
    table = _opened(raw)
    return _answer(_replayed(table, raw.get("events", [])))


def _opened(raw: Any) -> Table:
    """The table as the line opens it. Unknown fields belong to the caller, and are ignored."""
    if not isinstance(raw, Mapping):
        raise EventRejected([Problem("not_an_object", Message("a line must hold a JSON object"))])
    problems = seat_name_problems(raw.get("seats"))
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
        event, problems = considered(table, raw)
        if event is None or problems:
            refused = [problem.at_event(index) for problem in problems]
            raise EventRejected([*refused, *_later_problems(table, events, index + 1)])
        table = table.apply(event)
    return table


def _later_problems(table: Table, events: Sequence[object], start: int) -> list[Problem]:
    """Problems with the form of the events that will not be folded any more."""
    problems: list[Problem] = []
    for index, raw in enumerate(events[start:], start=start):
        try:
            read_event(raw, table.rules, table.setup.seats)
        except EventRejected as refused:
            problems += [problem.at_event(index) for problem in refused.problems]
        if len(problems) >= MOST_PROBLEMS:
            break
    return problems


def _answer(table: Table) -> Answer:
    """The table as the documented format has it. Contradictions that a correction left are its problems."""
    paid = announce(table)
    amounts = paid.payouts_minor
    if table.rules.announces_changes and table.is_finished:
        amounts = {seat: amounts.get(seat, 0) for seat in table.setup.seats}
    return {
        "finished": table.is_finished,
        "deals": table.deals,
        "seats": {
            seat: {
                "total": standing.total,
                "chips": standing.chips,
                "out_in_deal": standing.out_in_deal,
                "place": standing.place,
                "drops_left": standing.drops_left,
                "may_rejoin": standing.may_rejoin,
            }
            for seat, standing in table.standings().items()
        },
        "winners": list(table.winners()),
        "payouts_minor": amounts,
        "fee_minor": paid.fee_minor,
        "problems": [_conflict(conflict).as_json() for conflict in table.conflicts],
    }


def _conflict(conflict: Conflict) -> Problem:
    event = conflict.version - FIRST_VERSION
    return Problem(conflict.code, conflict.message, seat=conflict.seat, event=event)
