"""What a scorer typed into the fields of a deal, kept exactly as typed, and the event that it says.

Rules: docs/evening.md, "Scoring". Which fields there are, the game's own form says. Knows nothing of storing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from django.http import QueryDict

from scoring.projections.entering import WHOLE_NUMBER, event_from, keys_of
from scoring.projections.entering import typed_from as stored_as_typed
from scoring.projections.previews import Preview, fact_problems, preview
from scoring.rules.problems import Problem, shown
from scoring.rules.sheet_fields import SheetField, WrittenSheet
from scoring.rules.table import Table

MOST_TYPED = 600
PREVIEWED_REASON = "…"
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
class FieldEntry:
    """The event that typed fields say, and what could not even be read."""

    raw: dict[str, Any]
    unread: tuple[Problem, ...]

    def problems(self, table: Table) -> tuple[Problem, ...]:
        """Everything wrong with the sheet at this table, all at once."""
        return self.unread + self._without_echo(fact_problems(table, self.raw))

    def preview(self, table: Table) -> Preview:
        """What the sheet would do. A reason that is still to be written does not stand in the way."""
        raw = self.raw
        if "reason" in raw and not raw["reason"]:
            raw = {**raw, "reason": PREVIEWED_REASON}
        seen = preview(table, raw)
        return msgspec.structs.replace(seen, problems=self.unread + self._without_echo(seen.problems))

    def _without_echo(self, problems: Sequence[Problem]) -> tuple[Problem, ...]:
        """What cannot be read is one problem, not also a missing one."""
        unread = {(problem.seat, problem.field) for problem in self.unread}
        return tuple(
            problem
            for problem in problems
            if problem.code not in MISSING or not unread & {(problem.seat, problem.field), (None, problem.field)}
        )


def typed_in(post: QueryDict, fields: Fields, seats: Sequence[str]) -> FieldsTyped:
    """What came back from the form. What was not filled in is left out."""
    values: dict[str, str | tuple[str, ...]] = {}
    for one in fields:
        for key in keys_of(one, seats):
            words = tuple(word for word in map(_clean, post.getlist(key)) if word)
            if words:
                values[key] = words if one.kind == "seats" else words[-1]
    text = {name: _clean(post.get(name, "")) for name in ("kind", "deal", "reason")}
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
    raw = {"kind": typed.kind, "deal": 0, **kept, **found}
    if WHOLE_NUMBER.fullmatch(typed.deal):
        raw["deal"] = int(typed.deal)
    else:
        detail = f"deal: {shown(typed.deal)} is not a whole number"
        problems = (*problems, Problem(code="not_a_number", field="deal", detail=detail))
    if typed.kind == "deal_corrected":
        raw["reason"] = typed.reason
    return FieldEntry(raw=raw, unread=problems)


def dealt_by(typed: FieldsTyped, fields: Fields, seat: str | None) -> FieldsTyped:
    """The form with the dealer that the page proposes, where the game has a field for that."""
    if seat is None or not any(one.name == DEALER for one in fields):
        return typed
    return replace(typed, values={**typed.values, DEALER: seat})


def _clean(text: str) -> str:
    """A field as typed, without what no field of ours can hold."""
    return text.replace("\x00", "").strip()[:MOST_TYPED]
