"""What a scorer typed into the fields of a deal, kept exactly as typed, and the event that it says.

Rules: docs/how-to/evening.md, "Scoring". Which fields there are, the game's own form says. Knows nothing of storing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec
from django.http import QueryDict

from scoring.problems import Problem
from scoring.rules.table.entering import event_from, keys_of
from scoring.rules.table.entering import typed_from as stored_as_typed
from scoring.rules.table.fields import SheetField, WrittenSheet
from tournaments.web.admin.base.typed_events import TypedEvent, clean, read_number

DEALER = "dealer"
MISSING = frozenset({"missing_count", "missing_field", "missing_seat"})

Fields = tuple[SheetField, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldsTyped:
    """The fields of a deal as they stand in the form, right or wrong."""

    kind: str
    deal: str
    values: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    reason: str = ""

    @property
    def is_blank(self) -> bool:
        """Nothing was said but who deals, which the page knows by itself."""
        return not any(value for name, value in self.values.items() if name != DEALER)

    @property
    def dealer(self) -> str:
        """Who deals, where that can be said."""
        return self.text(DEALER)

    def text(self, key: str) -> str:
        """One input as text."""
        value = self.values.get(key, "")
        return value if isinstance(value, str) else " ".join(value)

    def named(self, key: str) -> tuple[str, ...]:
        """One input as the words that it holds."""
        value = self.values.get(key, "")
        return value if isinstance(value, tuple) else (value,) if value else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldEntry(TypedEvent):
    """The event that typed fields say."""

    def is_echo(self, problem: Problem) -> bool:
        if problem.code not in MISSING:
            return False
        places = {(problem.seat, problem.field), (None, problem.field)}
        return any((unread.seat, unread.field) in places for unread in self.unread)


def typed_in(post: QueryDict, fields: Fields, seats: Sequence[str]) -> FieldsTyped:
    """What came back from the form. What was not filled in is left out."""
    values: dict[str, str | tuple[str, ...]] = {}
    for one in fields:
        for key in keys_of(one, seats):
            words = tuple(word for word in map(clean, post.getlist(key)) if word)
            if words:
                values[key] = words if one.kind == "seats" else words[-1]
    text = {name: clean(post.get(name, "")) for name in ("kind", "deal", "reason")}
    return FieldsTyped(values=values, **text)


def typed_from(sheet: WrittenSheet, fields: Fields, seats: Sequence[str], *, kind: str, deal: int) -> FieldsTyped:
    """A stored sheet as the form shows it."""
    found = stored_as_typed(fields, sheet, seats)
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in found.items() if value}
    return FieldsTyped(kind=kind, deal=str(deal), values=values)


def entry_of(
    typed: FieldsTyped, fields: Fields, seats: Sequence[str], before: WrittenSheet | None = None
) -> FieldEntry:
    """The event of typed fields. What the sheet `before` says beyond the form is kept."""
    found, problems = event_from(fields, typed.values, seats)
    shown_by_form = {str(one.path[0]) for one in fields}
    stored = msgspec.to_builtins(before) if before is not None else {}
    kept = {name: value for name, value in stored.items() if name not in shown_by_form}
    deal, not_a_number = read_number(typed.deal, "deal")
    raw = {"kind": typed.kind, "deal": deal, **kept, **found}
    if typed.kind == "deal_corrected":
        raw["reason"] = typed.reason
    return FieldEntry(raw=raw, unread=(*problems, *not_a_number))


def dealt_by(typed: FieldsTyped, fields: Fields, seat: str | None) -> FieldsTyped:
    """The form with the dealer that the page proposes, where the game has a field for that."""
    if seat is None or not any(one.name == DEALER for one in fields):
        return typed
    return replace(typed, values={**typed.values, DEALER: seat})
