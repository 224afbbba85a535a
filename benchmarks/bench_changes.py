"""What news of a large evening costs: bytes that travel and processor time, for a deal, corrections, a whole round.

200 players at 40 tables. A page that shows the board asks for what changed of it. `again` is what it costs for every
spectator after the first. The last figures are all that the board page loads the first time, plain and compressed.

    python -m benchmarks.bench_changes [--json]
"""

import gzip
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.bench_pages import Answer, door
from benchmarks.evenings import SEATS, LargeTournament, large_tournament
from benchmarks.figures import tell, throwaway_site

AT_MOST = {
    "deal_kb": 20.0,
    "correction_kb": 20.0,
    "all_places_kb": 20.0,
    "every_table_gzip_kb": 20.0,
    "unknown_base_gzip_kb": 20.0,
    "first_visit_kb": 250.0,
}
LOADED = re.compile(r'<(?:link rel="(?:stylesheet|icon)"|script)[^>]*? (?:href|src)="/static/([^"]+)"')
PACKED = {"HTTP_ACCEPT_ENCODING": "gzip"}
Ask = Callable[[str, dict[str, str]], Answer]


def main() -> None:
    """Print the figures beside what was promised."""
    tell(__doc__, figures, at_most=AT_MOST)


def figures() -> dict[str, float]:
    """Every figure, in a database of its own that is thrown away."""
    with throwaway_site(LOG_LEVEL="ERROR"):
        state = large_tournament()
        ask = door()
        return {**_news(ask, state), **_first_visit(ask, state.board)}


def _news(ask: Ask, state: LargeTournament) -> dict[str, float]:
    leader, seat = _leader(state)
    last = [79 if place == seat else "show" if place == seat % SEATS + 1 else 2 for place in range(1, SEATS + 1)]
    return {
        **_change(ask, state, "deal", lambda: state.deal(state.playing[0])),
        **_change(ask, state, "correction", lambda: state.tables[-1].correct(2, "show", 2, 3, 4, 5)),
        # The first of the board goes out, so that every other place changes.
        **_change(ask, state, "all_places", lambda: [leader.correct(deal, *last) for deal in (1, 2, 3)]),
        **_change(ask, state, "every_table", lambda: _deal_everywhere(state)),
        "unknown_base_kb": len(ask(f"{state.board}board/?since={'0' * 18}", {})[2]) / 1000,
        "unknown_base_gzip_kb": len(ask(f"{state.board}board/?since={'0' * 18}", PACKED)[2]) / 1000,
    }


def _deal_everywhere(state: LargeTournament) -> None:
    for table in state.playing:
        state.deal(table)


def _leader(state: LargeTournament) -> tuple[Any, int]:
    """The table at which the first of the board sits, and the seat."""
    from tournaments.boards import board  # noqa: PLC0415 - the site comes first

    first = board(state.tournament).rows[0].line
    table = state.tables[first.table - 1]
    return table, int(table.row.seats.get(player_id=first.player).number)


def _change(ask: Ask, state: LargeTournament, name: str, deed: Callable[[], object]) -> dict[str, float]:
    """What a page gets that showed the board before the deed, and has asked once whether it changed."""
    part = f"{state.board}board/"
    _, headers, shown = ask(part, {})
    base = re.search(r'data-base="(\w+)"', shown.decode())
    assert base is not None
    news = f"{part}?since={base[1]}"
    ask(news, {"HTTP_IF_NONE_MATCH": headers["ETag"]})
    deed()
    start = time.process_time()
    _, headers, body = ask(news, {})
    first, start = time.process_time() - start, time.process_time()
    packed = ask(news, PACKED)[2]
    again = time.process_time() - start
    if headers["Content-Type"] != "application/json":
        raise AssertionError(f"the change came as {headers['Content-Type']}")
    return {
        f"{name}_kb": len(body) / 1000,
        f"{name}_gzip_kb": len(packed) / 1000,
        f"{name}_ms": first * 1000,
        f"{name}_again_ms": again * 1000,
    }


def _first_visit(ask: Ask, board: str) -> dict[str, float]:
    """The page with every file that it names, as they lie on the disk and as they travel compressed."""
    from django.contrib.staticfiles import finders  # noqa: PLC0415 - the site comes first

    page = ask(board, {})[2]
    files = [Path(str(finders.find(name))).read_bytes() for name in LOADED.findall(page.decode())]
    return {
        "first_visit_files": len(files),
        "first_visit_kb": sum(map(len, [page, *files])) / 1000,
        "first_visit_gzip_kb": sum(len(gzip.compress(one)) for one in [page, *files]) / 1000,
    }


if __name__ == "__main__":
    main()
