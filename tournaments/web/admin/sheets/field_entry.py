"""What a scorer typed into the fields of a deal, kept exactly as typed, and the event that it says.

Rules: docs/how-to/evening.md, "Scoring". Which fields there are, the game's own form says. Knows nothing of storing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
from django import forms

from scoring.problems import Problem
from scoring.rules.table.entering import event_from, keys_of, typed_from
from scoring.rules.table.fields import FieldKind, SheetField, WrittenSheet
from tournaments.web.admin.base.command_fields import TicksField
from tournaments.web.admin.base.typed_events import MOST_TYPED, Inputs, SheetForm, TypedEvent, read_number
from tournaments.web.admin.sheets.sheet_entry import CardsField

DEALER = "dealer"
MISSING = frozenset({"missing_count", "missing_field", "missing_seat"})

Fields = tuple[SheetField, ...]


class InputField(TicksField):
    """One input of a field: its last word, or every word where it takes several."""

    def __init__(self, *, is_list: bool) -> None:
        super().__init__(max_length=MOST_TYPED)
        self.is_list = is_list

    def to_python(self, value: Any) -> Any:
        words = [word for word in super().to_python(value) if word]
        return words if self.is_list else "".join(words[-1:])


class FieldsForm(SheetForm):
    """The fields of a deal as the game names them."""

    @property
    def is_blank(self) -> bool:
        """Nothing was said but who deals, which the page knows by itself."""
        return not self.filled.keys() - {DEALER}

    def text(self, key: str) -> str:
        """One input as text."""
        return " ".join(self.named(key))

    def named(self, key: str) -> tuple[str, ...]:
        """One input as the words that it holds."""
        found = self.filled.get(key, ())
        return (found,) if isinstance(found, str) else tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldEntry(TypedEvent):
    """The event that typed fields say."""

    def is_echo(self, problem: Problem) -> bool:
        if problem.code not in MISSING:
            return False
        places = {(problem.seat, problem.field), (None, problem.field)}
        return any((unread.seat, unread.field) in places for unread in self.unread)


def fields_form(data: Inputs, fields: Fields, seats: Sequence[str]) -> FieldsForm:
    """The form with these texts."""
    return FieldsForm(data, _inputs(tuple((key, one.kind) for one in fields for key in keys_of(one, seats))))


# Fields keep nothing of what they read, and to make them anew costs more than all the rest of the form.
@lru_cache(maxsize=64)
def _inputs(keys: tuple[tuple[str, FieldKind], ...]) -> Mapping[str, forms.Field]:
    return {
        key: CardsField(max_length=MOST_TYPED) if kind == "groups" else InputField(is_list=kind == "seats")
        for key, kind in keys
    }


def stored_fields(sheet: WrittenSheet, fields: Fields, seats: Sequence[str], *, kind: str, deal: int) -> FieldsForm:
    """A stored sheet in the form."""
    return fields_form({**typed_from(fields, sheet, seats), "kind": kind, "deal": str(deal)}, fields, seats)


def entry_of(typed: FieldsForm, fields: Fields, seats: Sequence[str], before: WrittenSheet | None = None) -> FieldEntry:
    """The event of typed fields. What the sheet `before` says beyond the form is kept."""
    found, problems = event_from(fields, typed.filled, seats)
    shown_by_form = {str(one.path[0]) for one in fields}
    stored = msgspec.to_builtins(before) if before is not None else {}
    kept = {name: value for name, value in stored.items() if name not in shown_by_form}
    sent = typed.read
    deal, not_a_number = read_number(sent["deal"], "deal")
    raw = {"kind": sent["kind"], "deal": deal, **kept, **found}
    if sent["kind"] == "deal_corrected":
        raw["reason"] = sent["reason"]
    return FieldEntry(raw=raw, unread=(*problems, *not_a_number))
