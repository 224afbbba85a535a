"""A deal sheet with two seats exchanged: what was written for one belongs to the other.

Rules: docs/evening.md, "Corrections". Which parts of a sheet name seats is asked of the game's own entry form.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scoring.rules.sheet_fields import SheetField, WrittenSheet


def exchanged(fields: Sequence[SheetField], sheet: WrittenSheet, one: str, other: str) -> dict[str, Any]:
    """The fields of a deal event with everything of two seats exchanged."""
    raw: dict[str, Any] = msgspec.to_builtins(sheet)
    turned = {one: other, other: one}
    for field in fields:
        place = _place(raw, field.path[:-1])
        name = field.path[-1]
        if place is not None and isinstance(name, str) and name in place:
            place[name] = _turned(field, place[name], turned)
    return raw


def _turned(field: SheetField, value: Any, turned: Mapping[str, str]) -> Any:
    if field.per_seat and isinstance(value, Mapping):
        return {turned.get(seat, seat): held for seat, held in value.items()}
    if field.kind in ("seat", "seats"):
        if isinstance(value, list | tuple):
            return [turned.get(seat, seat) for seat in value]
        return turned.get(value, value)
    return value


def _place(raw: Any, path: Sequence[str | int]) -> Any:
    """The object in which a path's last step stands; None where the sheet has none."""
    for step in path:
        if isinstance(step, int):
            if not isinstance(raw, list) or step >= len(raw):
                return None
        elif not isinstance(raw, Mapping) or step not in raw:
            return None
        raw = raw[step]
    return raw
