"""What a large evening costs at the public doors: 200 players at 40 tables of 5, 6 deals each.

Processor time of this process, the whole way through the site's middleware, on a fresh SQLite database; the median
of many requests. The evening is played through the commands, so that the pages show what a club's would.

    python -m benchmarks.bench_pages [--json]
"""

import io
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from benchmarks.figures import tell, throwaway_site

TABLES, SEATS, DEALS = 40, 5, 6
REQUESTS = 60
SEED = 20_260_131
TARGETS = {
    "board_page_ms": 60.0,
    "board_page_kb": 120.0,
    "board_json_ms": 25.0,
    "board_json_kb": 40.0,
    "board_json_queries": 6,
    "unchanged_ms": 3.0,
    "unchanged_queries": 2,
}
Answer = tuple[str, dict[str, str], bytes]


def main() -> None:
    """Print the figures beside what was promised."""
    tell(__doc__, figures, at_most=TARGETS)


def figures() -> dict[str, float]:
    """Every figure, in a database of its own that is thrown away."""
    with throwaway_site():
        return measured(large_evening())


def large_evening() -> str:
    """Play the evening; the address of its board."""
    from tests.doors.pages.evening import a_club, a_tournament, address, seat  # noqa: PLC0415

    chance = random.Random(SEED)
    tournament = a_tournament(a_club(slug="large"), "pool_201")
    for number in range(TABLES):
        names = [f"Player {number * SEATS + place:03d}" for place in range(1, SEATS + 1)]
        table = seat(tournament, *names, number=number + 1)
        for _ in range(DEALS):
            if table.game is not None and table.game.is_finished:
                break
            seats = len(table.game.in_play) if table.game else SEATS
            winner = chance.randrange(seats)
            table.deal(*("show" if place == winner else chance.randrange(2, 60) for place in range(seats)))
    return address(tournament)


def measured(board: str) -> dict[str, float]:
    """Ask for the page, its part, the JSON, and for what has not changed."""
    ask = _door()
    tag = ask(f"{board}board/", {})[1]["ETag"]
    unchanged = {"HTTP_IF_NONE_MATCH": tag}
    status, headers, _ = ask(f"{board}board/", unchanged)
    if not status.startswith("304") or headers["ETag"] != tag:
        raise AssertionError(f"the part should be unchanged, but the answer is {status}")
    return {
        "board_page_ms": _cpu_ms(lambda: ask(board, {})),
        "board_page_kb": len(ask(board, {})[2]) / 1000,
        "board_page_queries": _queries(lambda: ask(board, {})),
        "board_part_ms": _cpu_ms(lambda: ask(f"{board}board/", {})),
        "board_json_ms": _cpu_ms(lambda: ask(f"{board}board.json", {})),
        "board_json_kb": len(ask(f"{board}board.json", {})[2]) / 1000,
        "board_json_queries": _queries(lambda: ask(f"{board}board.json", {})),
        "unchanged_ms": _cpu_ms(lambda: ask(f"{board}board/", unchanged)),
        "unchanged_queries": _queries(lambda: ask(f"{board}board/", unchanged)),
        "sheet_page_ms": _cpu_ms(lambda: ask(f"{board}r1/table-1/", {})),
        "sheet_page_kb": len(ask(f"{board}r1/table-1/", {})[2]) / 1000,
    }


def _door() -> Callable[[str, dict[str, str]], Answer]:
    """The site as a web server calls it."""
    from django.core.wsgi import get_wsgi_application  # noqa: PLC0415

    site = get_wsgi_application()

    def ask(path: str, headers: dict[str, str]) -> Answer:
        got: list[Any] = []
        environ = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": path,
            "SCRIPT_NAME": "",
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "HTTP_HOST": "localhost",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": io.StringIO(),
            "wsgi.version": (1, 0),
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
            **headers,
        }
        answer = site(environ, lambda status, head, _=None: got.extend((status, dict(head))) or io.BytesIO().write)
        body = b"".join(answer)
        answer.close()  # type: ignore[attr-defined]  # a Django answer, which ends its request here
        return got[0], got[1], body

    return ask


def _cpu_ms(deed: Callable[[], object]) -> float:
    for _ in range(5):
        deed()
    times = []
    for _ in range(REQUESTS):
        start = time.process_time()
        deed()
        times.append(time.process_time() - start)
    return statistics.median(times) * 1000


def _queries(deed: Callable[[], object]) -> int:
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    with CaptureQueriesContext(connection) as caught:
        deed()
    return len(caught)


if __name__ == "__main__":
    main()
