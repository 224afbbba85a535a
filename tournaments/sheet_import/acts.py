"""What happens between deals: somebody comes back, leaves, buys chips or is punished, and the end of a table.

Rules: docs/importing.md, "The lines". Which of these a game knows is for its rules to say. Knows nothing of deals.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from scoring.problems import Problem
from tournaments.sheet_import.columns import Columns
from tournaments.sheet_import.heading import Heading
from tournaments.sheet_import.rows import Row
from tournaments.sheet_import.values import read_amount

NUMBER = re.compile(r"[-−]?\d{1,5}")

Event = dict[str, Any]
Act = Callable[[Row, Columns, Heading, list[Problem]], Iterator[Event]]


def read_totals(row: Row, columns: Columns, problems: list[Problem]) -> dict[str, int]:
    """The totals somebody wrote under the columns, to be compared with ours."""
    totals: dict[str, int] = {}
    for seat, text in columns.marked(row).items():
        if NUMBER.fullmatch(text.lstrip("+")):
            totals[seat] = int(text.lstrip("+").replace("−", "-"))
        else:
            detail = f"{{seat}}: {text!r} is no total"
            problems.append(Problem(code="wrong_value", seat=seat, field="total", detail=detail))
    return totals


def _of_each_seat(kind: str) -> Act:
    """An act of every seat with a mark on the line."""

    def act(row: Row, columns: Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
        seats = list(columns.marked(row))
        if not seats:
            problems.append(Problem(code="missing_seat", field="seat", detail="put a mark in the player's column"))
        for seat in seats:
            yield {"kind": kind, "seat": seat}

    return act


def _penalties(row: Row, columns: Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
    for seat, text in columns.marked(row).items():
        if not text.isdecimal() or len(text) > 5:
            detail = f"{{seat}}: a penalty is a number of points, not {text!r}"
            problems.append(Problem(code="wrong_value", seat=seat, field="points", detail=detail))
        else:
            yield {"kind": "penalty_given", "seat": seat, "points": int(text), "reason": columns.note(row)}


def _buy_ins(row: Row, columns: Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
    for seat, text in columns.marked(row).items():
        try:
            yield {"kind": "bought_in", "seat": seat, "amount_minor": read_amount(text, heading.currency or "INR")}
        except ValueError as error:
            problems.append(Problem(code="wrong_value", seat=seat, field="amount_minor", detail=f"{{seat}}: {error}"))


def _of_the_table(kind: str, **fields: bool) -> Act:
    """An act of the whole table."""

    def act(row: Row, columns: Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
        yield {"kind": kind, **fields}

    return act


def _given_up(row: Row, columns: Columns, heading: Heading, problems: list[Problem]) -> Iterator[Event]:
    yield {"kind": "table_cancelled", "reason": columns.note(row)}


ACTS: dict[str, Act] = {
    **dict.fromkeys(("rejoin", "rejoined", "rejoins"), _of_each_seat("rejoined")),
    **dict.fromkeys(("left", "leaves"), _of_each_seat("seat_left")),
    "penalty": _penalties,
    **dict.fromkeys(("buy-in", "buy in", "bought in"), _buy_ins),
    **dict.fromkeys(("split", "split agreed"), _of_the_table("split_agreed")),
    **dict.fromkeys(("close", "closed", "table closed"), _of_the_table("table_closed")),
    **dict.fromkeys(("time called", "time"), _of_the_table("table_closed", time_called=True)),
    **dict.fromkeys(("cancelled", "cancel", "table cancelled"), _given_up),
}
