"""Tables of the Western games in the words of scorers, and the worked cases of published rules for them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scoring.lines import replay_line
from tests.builders.rules import Evening, Wire
from tests.builders.rules_pages import golden

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "golden_cases.json").read_text())


def cases(variant: str, *ops: str) -> Any:
    """The published cases of a variant, one test each."""
    found = [case for case in CASES if case["variant"] == variant and case["op"] in ops]
    assert found, f"no case of {variant} {ops}"
    return pytest.mark.parametrize("case", found, ids=lambda case: case["id"])


def examples(name: str) -> Any:
    """The worked examples of a page, one test each."""
    return pytest.mark.parametrize("row", golden(name), ids=lambda row: row["why"])


def words(written: str) -> dict[str, str]:
    """`A out, B 40, C KS 7D` as a mapping from seat to text."""
    parts = [part.strip().partition(" ") for part in written.split(",") if part.strip()]
    return {seat: said for seat, _, said in parts}


def amounts(written: str) -> dict[str, int]:
    """`A 400, B -35` as numbers by seat."""
    return {seat: int(number) for seat, number in words(written).items()}


def house(written: str) -> dict[str, Any]:
    """`mode=cash rounds=1 oklahoma=true` as options."""
    pairs = (part.split("=") for part in written.split())
    return {
        name: json.loads(value) if value.isdigit() or value in ("true", "false") else value for name, value in pairs
    }


def counted(written: str) -> dict[str, Any]:
    """`A out, B 40, C KS 7D` as a sheet: one went out (or has `rummy` or `hand`), the others are counted."""
    said = words(written)
    winner = next((seat for seat, word in said.items() if word in ("out", "rummy", "hand")), None)
    flag = {"rummy": {"went_rummy": True}, "hand": {"hand_romme": True}}.get(said.pop(winner or "", ""), {})
    counts = {seat: int(word) for seat, word in said.items() if word.isdigit()}
    hands = {seat: word for seat, word in said.items() if not word.isdigit()}
    return {"out": winner, "counts": counts, **({"hands": hands} if hands else {}), **flag}


def sheet(number: int, **fields: Any) -> Wire:
    """A recorded deal as it is sent."""
    return {"kind": "deal_recorded", "deal": number, **fields}


def fixed(number: int, **fields: Any) -> Wire:
    return {"kind": "deal_corrected", "deal": number, "reason": "misread", **fields}


def extra(**fields: Any) -> Wire:
    return {"kind": "tiebreak_recorded", **fields}


def played(table: Evening, *sheets: Mapping[str, Any]) -> Evening:
    """The table after these deals."""
    for fields in sheets:
        table = table.told(sheet(table.table.next_deal, **fields))
    return table


def told_twice(start: Evening, sheets: Sequence[Mapping[str, Any]]) -> list[Evening]:
    """The game as it was, and once for each number on each sheet misread at first and corrected at the end."""
    right = [sheet(number, **fields) for number, fields in enumerate(sheets, start=1)]
    evenings = [start.told(*right)]
    for number, fields in enumerate(sheets, start=1):
        for misread in _misread(fields):
            wrong = [*right[: number - 1], sheet(number, **misread), *right[number:]]
            evenings.append(start.told(*wrong, fixed(number, **fields)))
    assert len(evenings) > 1
    return evenings


def _misread(fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The sheet with one number wrong, for each number that it has."""
    found: list[dict[str, Any]] = []
    for name, value in fields.items():
        if isinstance(value, dict):
            found += [
                {**fields, name: {**value, seat: number - 1}}
                for seat, number in value.items()
                if isinstance(number, int) and number > 1
            ]
        elif isinstance(value, int) and not isinstance(value, bool):
            found.append({**fields, name: value - 1 if value > 1 else value + 1})
    return found


def codes(table: Evening, raw: Wire) -> list[tuple[str, str | None, str | None]]:
    """All problems with an event: code, seat and field."""
    return [(problem.code, problem.seat, problem.field) for problem in table.considered(raw)[1]]


def replayed(table: Evening, variant: str) -> dict[str, Any]:
    """The command line's answers for the same evening."""
    setup = table.start.setup
    line = {
        "variant": variant,
        "seats": list(setup.seats),
        "options": msgspec.to_builtins(setup.options),
        "stakes": {name: getattr(setup.stakes, name) for name in setup.stakes.__struct_fields__},
        "events": list(table.events),
    }
    return replay_line(json.loads(json.dumps(line)))
