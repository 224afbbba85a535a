"""Reads events from untrusted JSON, reporting every mistake; and from the log, including those that cannot be read.

Rules: docs/events.md, "Refusals", and docs/decisions/0026-events-that-read-back.md. Knows nothing of where events are
stored.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar, get_args

import msgspec

from scoring.events.cash import CASH_EVENTS
from scoring.events.evening import EVENING_EVENTS
from scoring.events.table import DEAL_KINDS, TOTALS_KINDS, TiebreakRecorded
from scoring.events.wire import (
    EVENTS,
    NEEDS_REASON,
    NOT_FOR_TABLES,
    Event,
    SheetForm,
    SheetTyped,
    StoredForm,
    decode,
    encode,
)
from scoring.messages import Message, say
from scoring.problems import MOST_SHOWN, Defect, EventRejected, Problem, RummyError, refuse_if, shown

MOST_REASON = 500
MOST_STRANGERS = 20
# A deal as entered by a second seat: recorded in a dispute where it differs.
ENTERED = {"sheet"}
# Control characters and halves of surrogate pairs: no reason needs them, and not every database stores them.
NEVER_KEPT = frozenset({"Cc", "Cs"})


def read_event(raw: object, form: SheetForm, seats: Sequence[str]) -> Event:
    """An event from untrusted JSON in the documented form. Raises EventRejected with every problem."""
    if not isinstance(raw, Mapping):
        raise EventRejected([Problem("not_an_object", say("an event must be a JSON object"))])
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in EVENTS or kind in NOT_FOR_TABLES:
        raise _unknown_kind(kind, (name for name in EVENTS if name not in NOT_FOR_TABLES))
    rest = {str(name): value for name, value in raw.items() if name != "kind"}
    if kind in DEAL_KINDS:
        return _read_deal_event(kind, rest, form, seats)
    if kind in TOTALS_KINDS:
        return _read_totals_event(kind, rest, seats)
    values, problems = _read_all_fields(EVENTS[kind], rest)
    refuse_if(problems + _seat_problems(values.get("seat"), seats), EventRejected)
    return EVENTS[kind](**values)


def read_tournament_event(raw: object) -> Event:
    """An event of a tournament from untrusted JSON. Raises EventRejected with every problem."""
    return _read_one_of(EVENING_EVENTS, raw)


def read_cash_event(raw: object) -> Event:
    """An event of a cash book from untrusted JSON. Raises EventRejected with every problem."""
    return _read_one_of(CASH_EVENTS, raw)


def _read_one_of(events: Sequence[type[Event]], raw: object) -> Event:
    kinds = {event.kind: event for event in events}
    kind = raw.get("kind") if isinstance(raw, Mapping) else None
    if not isinstance(raw, Mapping) or not isinstance(kind, str) or kind not in kinds:
        raise _unknown_kind(kind, kinds)
    values, problems = _read_all_fields(kinds[kind], {str(n): value for n, value in raw.items() if n != "kind"})
    refuse_if(problems, EventRejected)
    return kinds[kind](**values)


def _unknown_kind(kind: object, known: Iterable[str]) -> EventRejected:
    detail = say("there is no event {typed}; use one of {list}", typed=shown(kind), list=", ".join(known))
    return EventRejected([Problem("unknown_kind", detail, field="kind")])


def _read_all_fields(event: type[Event], rest: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """The fields of one kind; any other field is a problem."""
    values, problems = _read_fields(event, rest, skip=ENTERED)
    strangers = [name for name in rest if name not in event.__struct_fields__ or name in ENTERED]
    return values, problems + [_unknown_field(name) for name in strangers[:MOST_STRANGERS]]


def _read_deal_event(kind: str, rest: dict[str, Any], form: SheetForm, seats: Sequence[str]) -> Event:
    """Deals have their variant's sheet besides the fields that every variant has."""
    own: dict[str, Any] = {name: rest.pop(name) for name in ("deal", "reason") if name in rest}
    if kind == TiebreakRecorded.kind:
        own.setdefault("deal", 1)
    values, problems = _read_fields(EVENTS[kind], own, skip={"sheet"})
    if "reason" in own and "reason" not in EVENTS[kind].__struct_fields__:
        problems.append(_unknown_field("reason"))
    sheet, sheet_problems = form.read_sheet(rest, seats)
    event = EVENTS[kind](sheet=sheet, **values) if sheet is not None and "deal" in values else None
    if problems or sheet_problems or event is None:
        raise EventRejected([*problems, *sheet_problems], readable=event)
    return event


def _read_totals_event(kind: str, rest: dict[str, Any], seats: Sequence[str]) -> Event:
    """Totals are read seat by seat, so that every mistyped one is reported at its seat."""
    by_seat: list[Problem] = []
    for field in msgspec.structs.fields(EVENTS[kind]):
        given = rest.get(field.name)
        if field.name == "reason" or not isinstance(given, Mapping):
            continue
        of_seat = msgspec.structs.replace(field, type=get_args(field.type)[1])
        strangers = [seat for seat in given if seat not in seats]
        by_seat += [unknown_seat(seat, field.name, seats) for seat in strangers[:MOST_STRANGERS]]
        read: dict[str, object] = {}
        for seat in (seat for seat in seats if seat in given):
            try:
                read[seat] = _converted(of_seat, given[seat])
            except msgspec.ValidationError as error:
                by_seat.append(_bad_field(field.name, given[seat], error).of_seat(seat, field.name))
        rest[field.name] = read
    values, problems = _read_all_fields(EVENTS[kind], rest)
    event = EVENTS[kind](**values) if "totals" in values else None
    if problems or by_seat or event is None:
        raise EventRejected([*problems, *by_seat], readable=event)
    return event


def _read_fields(
    event: type[Event], raw: Mapping[str, Any], skip: set[str] | None = None
) -> tuple[dict[str, Any], list[Problem]]:
    """The fields of one kind, converted one by one so that every mistake is reported."""
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for field in msgspec.structs.fields(event):
        if field.name in (skip or ()):
            continue
        if field.name not in raw:
            if field.required or (field.name == "reason" and event.kind in NEEDS_REASON):
                detail = say("{name} needs the field {typed}", name=event.kind, typed=repr(field.name))
                problems.append(Problem("missing_field", detail, field=field.name))
            continue
        try:
            values[field.name] = _converted(field, raw[field.name])
        except (msgspec.ValidationError, ValueError) as error:
            problems.append(_bad_field(field.name, raw[field.name], error))
    return values, problems


def _converted(field: msgspec.structs.FieldInfo, value: object) -> object:
    """One field's value; a reason must not be empty, and fit the column beside the log."""
    if field.name != "reason":
        return msgspec.convert(value, field.type)
    text = _clean(msgspec.convert(value, str))
    if not text:
        raise ValueError(say("enter a reason"))
    if len(text) > MOST_REASON:
        raise ValueError(say("a reason has at most {most} characters", most=MOST_REASON))
    return text


def _clean(text: str) -> str:
    """Free text as it is stored: composed, on one line, without control characters."""
    spaced = " ".join(text.split())
    printable_text = "".join(letter for letter in spaced if unicodedata.category(letter) not in NEVER_KEPT)
    return unicodedata.normalize("NFC", printable_text).strip()


def _bad_field(name: str, value: object, error: Exception) -> Problem:
    """A value out of range and a value of the wrong type are different mistakes."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    code = "out_of_range" if is_number and name not in ("reason", "seat") else "wrong_type"
    return Problem(code, _not_this(name, value, error), field=name)


def _not_this(name: str, value: object, error: Exception) -> Message:
    if name == "reason" and value == "":
        return say("enter a reason")
    return say("{name} cannot be {value}: {why}", name=name, value=shown(value), why=reason_of(error))


def reason_of(error: Exception) -> Message | str:
    """The message of our own error, or of msgspec's about a type."""
    reason = error.args[0] if error.args else ""
    return reason if isinstance(reason, Message) else str(error)


def _seat_problems(seat: object, seats: Sequence[str]) -> list[Problem]:
    """A named seat must be one of the table's."""
    return [] if seat is None or seat in seats else [unknown_seat(seat, "seat", seats)]


def unknown_seat(seat: object, field: str, seats: Sequence[str]) -> Problem:
    """A name that is no seat of the table."""
    detail = say(
        "there is no seat {typed} at this table; the seats are {list}", typed=shown(seat), list=", ".join(seats)
    )
    return Problem("unknown_seat", detail, seat=str(seat)[:MOST_SHOWN], field=field)


def _unknown_field(name: str) -> Problem:
    name = name[:MOST_SHOWN]
    return Problem("unknown_field", say("this event has no field {name}", name=repr(name)), field=name)


# Encoding events for the log and decoding them.

S = TypeVar("S")
# Exceptions that an event stored by another version may raise, when it is decoded or folded after events it
# contradicts.
UNREADABLE = (
    *(RummyError, LookupError, TypeError, ValueError, AttributeError),
    *(ArithmeticError, AssertionError, msgspec.MsgspecError),
)


class Unreadable(Event, frozen=True, kw_only=True):
    """A stored event that cannot be read, or not be folded: it changes nothing until a director leaves it out.

    Never stored under this kind; a snapshot stores it with what the log contains.
    """

    kind: ClassVar[str] = "unreadable"
    stored_kind: str
    stored_schema: int
    body: str
    why: str


class _SheetAsWritten(NamedTuple):
    """The form of the given deal sheet: its own type reads it back."""

    sheet_type: type[Any]


def refuse_what_does_not_read_back(event: Event, form: StoredForm) -> None:
    """Decode what was encoded and compare, before it is stored for ever.

    Raises EventRejected with each field that is beyond its limit, and the limit; Defect for any other difference.
    """
    sheet = getattr(event, "sheet", None)
    try:
        again = decode(form.kind, form.schema, form.body, None if sheet is None else _SheetAsWritten(type(sheet)))
    except Defect:
        refuse_if(list(_beyond_their_bounds(event, form)), EventRejected)
        raise
    # As text: a list in place of a tuple is the same event.
    if encode(again).body != form.body:
        raise Defect(f"a {form.kind} does not read back as it was told")


def read_stored(kind: str, schema: int, body: str | bytes, form: SheetTyped | None = None) -> Event:
    """An event from its stored row; where it cannot be decoded, an Unreadable with the reason."""
    if kind == Unreadable.kind:
        return msgspec.json.decode(body, type=Unreadable)
    try:
        return decode(kind, schema, body, form)
    except UNREADABLE as error:
        text = body if isinstance(body, str) else bytes(body).decode(errors="replace")
        return Unreadable(stored_kind=kind, stored_schema=schema, body=text, why=str(error))


def fold_stored(
    fold: Callable[[S, Sequence[tuple[int, Event]]], S], start: S, events: Iterable[tuple[int, Event]]
) -> S:
    """The state after stored events, each with its version. One that cannot be folded is left in its place, unread.

    All at once; only when that fails, one by one, to find it.
    """
    numbered = list(events)
    try:
        return fold(start, numbered)
    except UNREADABLE:
        return _fold_one_by_one(fold, start, numbered)


def _fold_one_by_one(
    fold: Callable[[S, Sequence[tuple[int, Event]]], S], state: S, events: Sequence[tuple[int, Event]]
) -> S:
    for version, event in events:
        try:
            state = fold(state, [(version, event)])
        except UNREADABLE as error:
            state = fold(state, [(version, as_unreadable(event, error))])
    return state


def as_unreadable(event: Event, error: Exception) -> Unreadable:
    """An event that can be decoded but not be folded."""
    form = encode(event)
    why = f"it does not follow from what stands before it ({type(error).__name__}: {error})"
    return Unreadable(stored_kind=form.kind, stored_schema=form.schema, body=form.body, why=why)


def _beyond_their_bounds(event: Event, form: StoredForm) -> Iterator[Problem]:
    """Each field whose value its own type does not accept, as a problem that names the limit."""
    body = msgspec.json.decode(form.body)
    for field in msgspec.structs.fields(EVENTS[form.kind]):
        if field.name not in body:
            continue
        field_type = type(getattr(event, field.name)) if field.name == "sheet" else field.type
        try:
            msgspec.convert(body[field.name], field_type)
        except msgspec.ValidationError as error:
            detail = say(
                "{name} cannot be {value}: {why}", name=field.name, value=shown(body[field.name]), why=str(error)
            )
            yield Problem("out_of_range", detail, field=field.name)
