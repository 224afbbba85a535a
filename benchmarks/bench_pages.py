"""What a large evening costs at the public doors: 200 players at 40 tables of 5, 6 deals each.

Processor time of this process, the whole way through the site's middleware, on a fresh SQLite database; the median
of many requests. The evening is played through the commands, so that the pages show what a club's would. A page is
asked for where nothing is kept of it; `again` where it is.

    python -m benchmarks.bench_pages [--json]
"""

import io
import statistics
import time
from collections.abc import Callable
from typing import Any

from benchmarks.evenings import LargeTournament, large_tournament
from benchmarks.figures import sized, tell, throwaway_site

REQUESTS = sized(60, smallest=1)
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
        return measured(large_tournament())


def measured(state: LargeTournament) -> dict[str, float]:
    """Ask for the page, its part, the JSON, and for what has not changed."""
    ask, board, file = door(), state.board, f"{state.bare}board.json"
    tag = ask(f"{board}board/", {})[1]["ETag"]
    unchanged = {"HTTP_IF_NONE_MATCH": tag}
    status, headers, _ = ask(f"{board}board/", unchanged)
    if not status.startswith("304") or headers["ETag"] != tag:
        raise AssertionError(f"the part should be unchanged, but the answer is {status}")
    return {
        "board_page_ms": cpu_ms(_forgetting(lambda: ask(board, {}))),
        "board_page_again_ms": cpu_ms(lambda: ask(board, {})),
        "board_page_kb": len(ask(board, {})[2]) / 1000,
        "board_page_queries": _queries(lambda: ask(board, {})),
        "board_page_gzip_kb": len(ask(board, {"HTTP_ACCEPT_ENCODING": "gzip"})[2]) / 1000,
        "board_part_ms": cpu_ms(_forgetting(lambda: ask(f"{board}board/", {}))),
        "board_json_ms": cpu_ms(_forgetting(lambda: ask(file, {}))),
        "board_json_again_ms": cpu_ms(lambda: ask(file, {})),
        "board_json_kb": len(ask(file, {})[2]) / 1000,
        "board_json_queries": _queries(lambda: ask(file, {})),
        "unchanged_ms": cpu_ms(lambda: ask(f"{board}board/", unchanged)),
        "unchanged_queries": _queries(lambda: ask(f"{board}board/", unchanged)),
        "sheet_page_ms": cpu_ms(_forgetting(lambda: ask(f"{board}r1/table-1/", {}))),
        "sheet_page_kb": len(ask(f"{board}r1/table-1/", {})[2]) / 1000,
    }


def door() -> Callable[[str, dict[str, str]], Answer]:
    """The site as a web server calls it."""
    from django.core.wsgi import get_wsgi_application  # noqa: PLC0415

    site = get_wsgi_application()

    def ask(path: str, headers: dict[str, str]) -> Answer:
        got: list[Any] = []
        environ = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": path.partition("?")[0],
            "SCRIPT_NAME": "",
            "QUERY_STRING": path.partition("?")[2],
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

        def begin(status: str, head: list[tuple[str, str]], _: Any = None) -> Any:
            got.extend((status, dict(head)))
            return io.BytesIO().write

        answer: Any = site(environ, begin)
        body = b"".join(answer)
        answer.close()  # a Django answer, which ends its request here
        return got[0], got[1], body

    return ask


def _forgetting(deed: Callable[[], object]) -> Callable[[], object]:
    """The same where nothing has been made since the last change."""
    from django.core.cache import caches  # noqa: PLC0415

    def anew() -> object:
        caches["answers"].clear()
        return deed()

    return anew


def cpu_ms(deed: Callable[[], object]) -> float:
    """The median of many times, after some that are not counted."""
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
