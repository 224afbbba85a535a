"""A deal sheet with two seats exchanged: what was written for one belongs to the other.

Rules: docs/evening.md, "Corrections". Which parts of a sheet name seats is asked of the game's own entry form.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scoring.rules.table.entering import found_at, put_at
from scoring.rules.table.fields import SheetField, WrittenSheet


def exchanged(fields: Sequence[SheetField], sheet: WrittenSheet, one: str, other: str) -> dict[str, Any]:
    """The fields of a deal event with everything of two seats exchanged."""
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
        return {turned.get(seat, seat): held for seat, held in value.items()}
    if field.kind in ("seat", "seats"):
        if isinstance(value, list | tuple):
            return [turned.get(seat, seat) for seat in value]
        return turned.get(value, value)
    return value


def _turn_what_follows(raw: dict[str, Any], fields: Sequence[SheetField], turned: Mapping[str, str]) -> None:
    """A seat that stands beside another and is not asked for: in gin for two, whoever did not knock."""
    asked = {field.path for field in fields}
    for way in {field.path[:-1] for field in fields if field.kind == "seat" and len(field.path) > 1}:
        is_written, beside = found_at(raw, way)
        for name, value in list(beside.items()) if is_written else []:
            if (*way, name) not in asked and isinstance(value, str):
                beside[name] = turned.get(value, value)
