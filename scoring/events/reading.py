"""Reads events from untrusted JSON, reporting every mistake; and from the log, including those that cannot be read.

Rules: docs/events.md, "Refusals", and docs/decisions/0026-events-that-read-back.md. Knows nothing of where events are
stored.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar, get_args

import msgspec
from msgspec.structs import FieldInfo, replace

from scoring.events.cash import CASH_EVENTS
from scoring.events.table import (
    DEAL_KINDS,
    TOTALS_KINDS,
    TiebreakRecorded,
    TournamentCancelled,
    TournamentClosed,
    TournamentReopened,
)
from scoring.events.tournament import TOURNAMENT_EVENTS
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
from scoring.structs import converted, fields_of, read_fields, unknown_names

MOST_REASON = 500
# The sheet of a deal is read by the form of its variant; in a dispute it is a deal as entered by a second seat.
SHEET = "sheet"
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
    seat = values.get("seat")
    if seat is not None and seat not in seats:
        problems.append(unknown_seat(seat, "seat", seats))
    refuse_if(problems, EventRejected)
    return EVENTS[kind](**values)


def read_tournament_event(raw: object) -> Event:
    """An event of a tournament from untrusted JSON. Raises EventRejected with every problem."""
    return _read_one_of((*TOURNAMENT_EVENTS, TournamentClosed, TournamentCancelled, TournamentReopened), raw)


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
    """The fields of one kind but its sheet, converted one by one; any other field is a problem."""
    fields = {name: field for name, field in fields_of(event).items() if name != SHEET}
    needed = {"reason"} if event.kind in NEEDS_REASON else ()
    values, unread = read_fields(fields.values(), rest, convert=_converted, needed=needed)
    problems = [_unread_field(event, *field) for field in unread]
    return values, problems + [_unknown_field(name) for name in unknown_names(rest, fields)]


def _read_deal_event(kind: str, rest: dict[str, Any], form: SheetForm, seats: Sequence[str]) -> Event:
    """Deals have their variant's sheet besides the fields that every variant has."""
    own: dict[str, Any] = {name: rest.pop(name) for name in ("deal", "reason") if name in rest}
    if kind == TiebreakRecorded.kind:
        own.setdefault("deal", 1)
    values, problems = _read_all_fields(EVENTS[kind], own)
    sheet, sheet_problems = form.read_sheet(rest, seats)
    event = EVENTS[kind](sheet=sheet, **values) if sheet is not None and "deal" in values else None
    if problems or sheet_problems or event is None:
        raise EventRejected([*problems, *sheet_problems], readable=event)
    return event


def _read_totals_event(kind: str, rest: dict[str, Any], seats: Sequence[str]) -> Event:
    """Totals are read seat by seat, so that every mistyped one is reported at its seat."""
    by_seat: list[Problem] = []
    for name, field in fields_of(EVENTS[kind]).items():
        given = rest.get(name)
        if name == "reason" or not isinstance(given, Mapping):
            continue
        of_seat = [replace(field, name=seat, type=get_args(field.type)[1]) for seat in seats if seat in given]
        rest[name], unread = read_fields(of_seat, given)
        by_seat += [unknown_seat(seat, name, seats) for seat in unknown_names(given, seats)]
        by_seat += [_unread_field(EVENTS[kind], name, *why).of_seat(seat, name) for seat, *why in unread]
    values, problems = _read_all_fields(EVENTS[kind], rest)
    event = EVENTS[kind](**values) if "totals" in values else None
    if problems or by_seat or event is None:
        raise EventRejected([*problems, *by_seat], readable=event)
    return event


def _converted(field: FieldInfo, value: object) -> object:
    """One field's value; a reason must not be empty, and fit the column beside the log."""
    if field.name != "reason":
        return converted(field, value)
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


def _unread_field(event: type[Event], name: str, value: object, error: Exception | None) -> Problem:
    """A missing value, one out of range and one of the wrong type are different mistakes."""
    if error is None:
        detail = say("{name} needs the field {typed}", name=event.kind, typed=repr(name))
        return Problem("missing_field", detail, field=name)
    is_number = isinstance(value, int) and not isinstance(value, bool)
    code = "out_of_range" if is_number and name not in ("reason", "seat") else "wrong_type"
    detail = say("{name} cannot be {value}: {why}", name=name, value=shown(value), why=reason_of(error))
    if name == "reason" and value == "":
        detail = say("enter a reason")
    return Problem(code, detail, field=name)


def reason_of(error: Exception) -> Message | str:
    """The message of our own error, or of msgspec's about a type."""
    reason = error.args[0] if error.args else ""
    return reason if isinstance(reason, Message) else str(error)


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
        refuse_if(_beyond_their_bounds(event, form), EventRejected)
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


def _beyond_their_bounds(event: Event, form: StoredForm) -> list[Problem]:
    """Each field whose value its own type does not accept, as a problem that names the limit."""
    body = msgspec.json.decode(form.body)
    fields = [
        replace(field, type=type(getattr(event, name))) if name == SHEET else field
        for name, field in fields_of(EVENTS[form.kind]).items()
        if name in body
    ]
    _, unread = read_fields(fields, body)
    return [
        Problem(
            "out_of_range",
            say("{name} cannot be {value}: {why}", name=name, value=shown(value), why=str(error)),
            field=name,
        )
        for name, value, error in unread
    ]
