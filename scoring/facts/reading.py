"""Facts from untrusted JSON, as the contract writes them: every mistake is told, and free text is kept composed.

Rules: docs/events.md, "Refusals". Knows nothing of how a fact is stored.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scoring.facts.cash import CASH_FACTS
from scoring.facts.evening import EVENING_FACTS
from scoring.facts.table import DEAL_KINDS, Fact, TiebreakRecorded
from scoring.facts.wire import FACTS, NEEDS_REASON, NOT_FOR_TABLES, SheetForm
from scoring.messages import Message, say
from scoring.problems import MOST_SHOWN, EventRejected, Problem, refuse_if, shown

MOST_REASON = 500
MOST_STRANGERS = 20
# Control characters and halves of surrogate pairs: no reason needs them, and not every store takes them.
NEVER_KEPT = frozenset({"Cc", "Cs"})


def read_fact(raw: object, form: SheetForm, seats: Sequence[str]) -> Fact:
    """A fact from untrusted JSON, as the contract writes it. Raises EventRejected with every problem."""
    if not isinstance(raw, Mapping):
        raise EventRejected([Problem(code="not_an_object", detail=say("an event must be a JSON object"))])
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in FACTS or kind in NOT_FOR_TABLES:
        known = ", ".join(name for name in FACTS if name not in NOT_FOR_TABLES)
        detail = say("there is no event {typed}; use one of {list}", typed=shown(kind), list=known)
        raise EventRejected([Problem(code="unknown_kind", field="kind", detail=detail)])
    rest = {str(name): value for name, value in raw.items() if name != "kind"}
    if kind in DEAL_KINDS:
        return _read_deal_fact(kind, rest, form, seats)
    values, problems = _read_fields(FACTS[kind], rest)
    strangers = [name for name in rest if name not in FACTS[kind].__struct_fields__]
    problems += [_unknown_field(name) for name in strangers[:MOST_STRANGERS]]
    problems += _seat_problems(values.get("seat"), seats)
    refuse_if(problems, EventRejected)
    return FACTS[kind](**values)


def read_tournament_fact(raw: object) -> Fact:
    """A fact of a tournament from untrusted JSON. Raises EventRejected with every problem."""
    return _read_one_of(EVENING_FACTS, raw)


def read_cash_fact(raw: object) -> Fact:
    """A fact of a cash book from untrusted JSON. Raises EventRejected with every problem."""
    return _read_one_of(CASH_FACTS, raw)


def _read_one_of(facts: Sequence[type[Fact]], raw: object) -> Fact:
    kinds = {fact.kind: fact for fact in facts}
    kind = raw.get("kind") if isinstance(raw, Mapping) else None
    if not isinstance(raw, Mapping) or not isinstance(kind, str) or kind not in kinds:
        detail = say("there is no event {typed}; use one of {list}", typed=shown(kind), list=", ".join(kinds))
        raise EventRejected([Problem(code="unknown_kind", field="kind", detail=detail)])
    rest = {str(name): value for name, value in raw.items() if name != "kind"}
    values, problems = _read_fields(FACTS[kind], rest)
    strangers = [name for name in rest if name not in FACTS[kind].__struct_fields__]
    refuse_if([*problems, *(_unknown_field(name) for name in strangers[:MOST_STRANGERS])], EventRejected)
    return FACTS[kind](**values)


def _read_deal_fact(kind: str, rest: dict[str, Any], form: SheetForm, seats: Sequence[str]) -> Fact:
    """Deals carry their variant's sheet beside the fields that every variant has."""
    own: dict[str, Any] = {name: rest.pop(name) for name in ("deal", "reason") if name in rest}
    if kind == TiebreakRecorded.kind:
        own.setdefault("deal", 1)
    values, problems = _read_fields(FACTS[kind], own, skip={"sheet"})
    if "reason" in own and "reason" not in FACTS[kind].__struct_fields__:
        problems.append(_unknown_field("reason"))
    sheet, sheet_problems = form.read_sheet(rest, seats)
    fact = FACTS[kind](sheet=sheet, **values) if sheet is not None and "deal" in values else None
    if problems or sheet_problems or fact is None:
        raise EventRejected([*problems, *sheet_problems], readable=fact)
    return fact


def _read_fields(
    fact: type[Fact], raw: Mapping[str, Any], skip: set[str] | None = None
) -> tuple[dict[str, Any], list[Problem]]:
    """The fields of one kind, converted one by one so that every mistake is told."""
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for field in msgspec.structs.fields(fact):
        if field.name in (skip or ()):
            continue
        if field.name not in raw:
            if field.required or (field.name == "reason" and fact.kind in NEEDS_REASON):
                detail = say("{name} needs the field {typed}", name=fact.kind, typed=repr(field.name))
                problems.append(Problem(code="missing_field", field=field.name, detail=detail))
            continue
        try:
            values[field.name] = _converted(field, raw[field.name])
        except (msgspec.ValidationError, ValueError) as error:
            problems.append(_bad_field(field.name, raw[field.name], error))
    return values, problems


def _converted(field: msgspec.structs.FieldInfo, value: object) -> object:
    """One field's value; a reason must say something, and fit beside the log."""
    if field.name != "reason":
        return msgspec.convert(value, field.type)
    text = _clean(msgspec.convert(value, str))
    if not text:
        raise ValueError(say("enter a reason"))
    if len(text) > MOST_REASON:
        raise ValueError(say("a reason has at most {most} characters", most=MOST_REASON))
    return text


def _clean(text: str) -> str:
    """Free text as it is kept: composed, on one line, without characters that only machines use."""
    spaced = " ".join(text.split())
    kept = "".join(letter for letter in spaced if unicodedata.category(letter) not in NEVER_KEPT)
    return unicodedata.normalize("NFC", kept).strip()


def _bad_field(name: str, value: object, error: Exception) -> Problem:
    """A number of the wrong size and a value of the wrong type are different mistakes."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    code = "out_of_range" if is_number and name not in ("reason", "seat") else "wrong_type"
    return Problem(code=code, field=name, detail=_not_this(name, value, error))


def _not_this(name: str, value: object, error: Exception) -> Message:
    if name == "reason" and value == "":
        return say("enter a reason")
    return say("{name} cannot be {value}: {why}", name=name, value=shown(value), why=reason_of(error))


def reason_of(error: Exception) -> Message | str:
    """What an error of ours says, and what msgspec says of a type."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, Message) else str(error)


def _seat_problems(seat: object, seats: Sequence[str]) -> list[Problem]:
    """A named seat must be one of the table's."""
    if seat is None or seat in seats:
        return []
    detail = say(
        "there is no seat {typed} at this table; the seats are {list}", typed=shown(seat), list=", ".join(seats)
    )
    return [Problem(code="unknown_seat", seat=str(seat)[:MOST_SHOWN], field="seat", detail=detail)]


def _unknown_field(name: str) -> Problem:
    name = name[:MOST_SHOWN]
    return Problem(code="unknown_field", field=name, detail=say("this event has no field {name}", name=repr(name)))
