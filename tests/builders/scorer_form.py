"""A scorer's form, filled in input by input: `form_of(table)`, `filled(table, {"out": "asha", "counts-bo": "23"})`."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.problems import Problem
from scoring.rules.table.entering import event_from, typed_from
from scoring.rules.table.fields import SheetField, WrittenSheet
from tests.builders.rules import CAST, Evening, Wire, sit

Typed = Mapping[str, str | Sequence[str]]
STAKES = {"point_value_minor": 100}


def at(variant: str, *, seats: int = 3, **options: Any) -> Evening:
    """A fresh table of a Western game."""
    return sit(variant, CAST[:seats], STAKES, options)


def form_of(table: Evening) -> tuple[SheetField, ...]:
    """The scorer's form for the next deal."""
    return table.table.rules.entry_form(table.table.setup, table.table.game, is_extra=False)


def filled(table: Evening, typed: Typed) -> tuple[Wire, tuple[Problem, ...]]:
    """The fields of the typed event, and the inputs that could not be read."""
    return event_from(form_of(table), typed, table.table.setup.seats)


def read(table: Evening, raw: Mapping[str, Any]) -> tuple[Any, list[Problem]]:
    """The sheet of an event."""
    return table.table.rules.read_sheet(raw, table.table.setup.seats)


def typed_again(table: Evening, sheet: WrittenSheet) -> Typed:
    """A stored sheet as the form shows it for a correction."""
    return typed_from(form_of(table), sheet, table.table.setup.seats)


def scored(table: Evening, *deals: Typed) -> Evening:
    """The table after deals that were entered on the form."""
    for typed in deals:
        raw, problems = filled(table, typed)
        assert not problems
        table = table.told({"kind": "deal_recorded", "deal": table.table.next_deal, **raw})
    return table


def sheet_of(table: Evening, typed: Typed) -> Any:
    """The sheet of a deal as it is stored after it was accepted."""
    return scored(table, typed).table.timeline[-1].event.sheet
