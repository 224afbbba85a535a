"""Conversion of a deal form, field by field, to an event; and back, for a correction.

Rules: docs/decisions/0012-a-game-describes-its-form.md. Input is text; what cannot be read is reported at its field and
seat. The rules check the rest. Knows nothing of pages.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from scoring.messages import Message, Seat, say
from scoring.problems import Problem, shown
from scoring.rules.cards import parted, tidy
from scoring.rules.table.fields import SheetField, WrittenSheet

NOBODY = "-"
YES = "1"

# Separates groups that are written in one line.
BETWEEN_GROUPS = "|"
WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")
Typed = Mapping[str, str | Sequence[str]]


def whole_number(text: str) -> int | Message:
    """The whole number that was typed, of either sign, or why it is none."""
    if WHOLE_NUMBER.fullmatch(text):
        return int(text)
    return say("{text} is not a whole number of at most 6 digits", text=shown(text))


def key_of(field: SheetField, seat: str | None = None) -> str:
    """The name of one input: `melded-2` for a seat, `boxes.AH` for the deal."""
    return field.name if seat is None else f"{field.name}-{seat}"


def keys_of(field: SheetField, seats: Sequence[str]) -> dict[str, str | None]:
    """Every input of a field, with the seat that it is for."""
    return {key_of(field, seat): seat for seat in seats} if field.per_seat else {key_of(field): None}


def event_from(
    fields: Sequence[SheetField], typed: Typed, seats: Sequence[str]
) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """The fields of a deal event that were filled in, and what could not be read. Empty inputs are omitted."""
    raw: dict[str, Any] = {}
    problems: list[Problem] = []
    for field in fields:
        for key, seat in keys_of(field, seats).items():
            typed_text = typed.get(key, "")
            if not typed_text:
                continue
            field_value = _value(field, typed_text, seat)
            if isinstance(field_value, Problem):
                problems.append(field_value)
            else:
                put_at(raw, (*field.path, seat) if seat is not None else field.path, field_value)
    return raw, tuple(problems)


def typed_from(fields: Sequence[SheetField], sheet: WrittenSheet, seats: Sequence[str]) -> dict[str, str | list[str]]:
    """A stored sheet as the form shows it."""
    sheet_fields = msgspec.to_builtins(sheet)
    text_by_key: dict[str, str | list[str]] = {}
    for field in fields:
        for key, seat in keys_of(field, seats).items():
            has_value, value = found_at(sheet_fields, (*field.path, seat) if seat is not None else field.path)
            if not has_value and field.kind == "choice":
                has_value, value = _usual(sheet, field.path)
            if has_value or field.nobody:
                text_by_key[key] = _text(field, value)
    return text_by_key


def put_at(raw: dict[str, Any], path: Sequence[str | int], value: Any) -> None:
    """Put a value at its path, creating the objects and lists on the way."""
    at: Any = raw
    for step, following in pairwise(path):
        fresh: Any = [] if isinstance(following, int) else {}
        if isinstance(step, int):
            at.extend({} for _ in range(step + 1 - len(at)))
            at = at[step]
        else:
            at = at.setdefault(step, fresh)
    at[path[-1]] = value


def found_at(stored: Any, path: Sequence[str | int]) -> tuple[bool, Any]:
    """Whether there is a value at a path, and which."""
    for step in path:
        if isinstance(step, int):
            if not isinstance(stored, Sequence) or step >= len(stored):
                return False, None
        elif not isinstance(stored, Mapping) or step not in stored:
            return False, None
        stored = stored[step]
    return True, stored


def _value(field: SheetField, written: str | Sequence[str], seat: str | None) -> Any:
    """The value of an input, as the event has it; the problem where it cannot be read."""
    if field.kind == "seats":
        return [written] if isinstance(written, str) else list(written)
    if field.kind == "groups":
        groups = written.split(BETWEEN_GROUPS) if isinstance(written, str) else written
        return [parted(tidy(group)) for group in groups]
    text = written.strip() if isinstance(written, str) else " ".join(written)
    match field.kind:
        case "number":
            number = whole_number(text)
            if isinstance(number, int):
                return number
            return Problem("not_a_number", _no_number(field, number, seat), seat=seat, field=str(field.path[-1]))
        case "flag":
            return True
        case "cards":
            return parted(tidy(text))
        case "seat" if text == NOBODY and field.nobody:
            return None
    return text


def _no_number(field: SheetField, why: Message, seat: str | None) -> Message:
    word = Message(field.title)
    if seat is None:
        return say("{what}: {why}", what=word, why=why)
    return say("{seat}, {word}: {why}", seat=Seat(seat), word=word, why=why)


def _usual(sheet: Any, path: Sequence[str | int]) -> tuple[bool, Any]:
    """A choice that is not stored because it is the default."""
    for step in path:
        if isinstance(step, int):
            if step >= len(sheet):
                return False, None
            sheet = sheet[step]
        else:
            sheet = getattr(sheet, step)
    return True, sheet


def _text(field: SheetField, value: Any) -> str | list[str]:
    if isinstance(value, list | tuple):
        is_list = field.kind in ("seats", "groups")
        return [str(item) for item in value] if is_list else str(value[0]) if value else ""
    if value is None:
        return NOBODY if field.nobody else ""
    if field.kind == "flag":
        return YES if value else ""
    return str(value)


# A deal sheet with two seats swapped: what was entered for one belongs to the other.


def exchanged(fields: Sequence[SheetField], sheet: WrittenSheet, one: str, other: str) -> dict[str, Any]:
    """The fields of a deal event with everything of two seats swapped."""
    raw: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(sheet))
    turned = {one: other, other: one}
    for field in fields:
        is_written, value = found_at(raw, field.path)
        if is_written:
            put_at(raw, field.path, _turned(field, value, turned))
    _turn_what_follows(raw, fields, turned)
    return raw


def _turned(field: SheetField, value: Any, turned: Mapping[str, str]) -> Any:
    if field.per_seat and isinstance(value, Mapping):
        return {turned.get(seat, seat): seat_value for seat, seat_value in value.items()}
    if field.kind in ("seat", "seats"):
        if isinstance(value, list | tuple):
            return [turned.get(seat, seat) for seat in value]
        return turned.get(value, value)
    return value


def _turn_what_follows(raw: dict[str, Any], fields: Sequence[SheetField], turned: Mapping[str, str]) -> None:
    """Swap a seat that is not asked for, because it is the only other one."""
    field_paths = {field.path for field in fields}
    for way in {field.path[:-1] for field in fields if field.kind == "seat" and len(field.path) > 1}:
        is_written, beside = found_at(raw, way)
        for name, value in list(beside.items()) if is_written else []:
            if (*way, name) not in field_paths and isinstance(value, str):
                beside[name] = turned.get(value, value)
