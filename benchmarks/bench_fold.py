"""How fast stored events become a table again: decoding and folding, and json.loads alone beside it.

Tables of six seats and twenty deals, as the log keeps them; processor time of this process, the best of several rounds.
The reference only parses the same bytes with the standard library and works nothing out.

    python -m benchmarks.bench_fold [--json]
"""

import gc
import json
import time
from collections.abc import Callable
from typing import Any

from benchmarks.figures import sized, tell
from scoring.events.reading import read_event
from scoring.events.wire import decode, encode
from scoring.rules.table.table import fold
from scoring.rules.variants import opening, table_from

SEATS, DEALS, TABLES, ROUNDS = sized((6, 20, 300, 7), smallest=(6, 20, 3, 1))
TARGETS = {"pool_events_a_second": 100_000.0}
Row = tuple[int, str, int, str]


def main() -> None:
    """Print the figures beside what was promised."""
    tell(__doc__, figures, at_least=TARGETS)


def figures() -> dict[str, float]:
    """Events a second by variant, and how that compares with parsing the same bytes."""
    found = {f"{name}_events_a_second": _rate(name) for name in ("pool", "deals", "points")}
    return found | {"pool_to_json_loads": found["pool_events_a_second"] / _parsing_rate("pool")}


def stored_table(name: str) -> tuple[Any, list[Row]]:
    """A table's opening and its rows, each with version, kind, schema and body."""
    seats = [str(number) for number in range(1, SEATS + 1)]
    options = {"pool": {"limit": 1_001}, "deals": {"deals": DEALS, "drop_allowed": True}}.get(name, {})
    opened = opening(name, options=options, stakes={"point_value_minor": 100}, seats=dict.fromkeys(seats, "x"))
    start = table_from(opened)
    rows = []
    for deal in range(1, DEALS + 1):
        form = encode(read_event(_deal(deal, seats), start.rules, start.setup.seats))
        rows.append((deal + 1, form.kind, form.schema, form.body))
    return opened, rows


def _deal(deal: int, seats: list[str]) -> dict[str, Any]:
    outcomes: dict[str, Any] = {}
    for place, seat in enumerate(seats):
        outcomes[seat] = {"how": "first_drop"} if place % 3 == 2 else {"how": "loss", "count": (deal * 7 + place) % 30}
    outcomes[seats[deal % len(seats)]] = {"how": "show"}
    return {"kind": "deal_recorded", "deal": deal, "outcomes": outcomes}


def _rate(name: str) -> float:
    opened, rows = stored_table(name)

    def once() -> None:
        start = table_from(opened)
        rules = start.rules
        fold(start, [(version, decode(kind, schema, body, rules)) for version, kind, schema, body in rows])

    return _events_a_second(once)


def _parsing_rate(name: str) -> float:
    bodies = [body for *_, body in stored_table(name)[1]]
    return _events_a_second(lambda: [json.loads(body) for body in bodies])


def _events_a_second(once: Callable[[], object]) -> float:
    """The best round: other load on the machine only ever makes a round slower."""
    once()
    gc.collect()
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(TABLES):
            once()
        best = min(best, time.process_time() - began)
    return TABLES * DEALS / best


if __name__ == "__main__":
    main()
