"""One more deal of a large evening through the API, and the boards made again from the log.

200 players at 40 tables of 5, 6 deals each. Processor time of this process, the whole way through the site's
middleware, on a fresh SQLite database; the median of many requests, and for the rebuild the best of three runs.

    python -m benchmarks.bench_evening [--json]
"""

import random
import statistics
import time
import uuid
from collections.abc import Callable
from typing import Any

from benchmarks.figures import sized, tell, throwaway_site

TABLES, SEATS, DEALS = sized((40, 5, 6), smallest=(2, 5, 2))
REQUESTS = sized(40, smallest=1)
SEED = 20_260_131
AT_MOST = {
    "record_and_see_ms": 60.0,
    "board_ms": 25.0,
    "board_kb": 40.0,
    "board_queries": 6,
    "unchanged_ms": 3.0,
    "unchanged_queries": 2,
}
AT_LEAST = {"rebuild_events_per_s": 10_000.0}


def main() -> None:
    """Print the figures beside what was promised."""
    tell(__doc__, figures, at_most=AT_MOST, at_least=AT_LEAST)


def figures() -> dict[str, float]:
    """Every figure, in a database of its own that is thrown away."""
    with throwaway_site(LOG_LEVEL="ERROR", API_WRITER_PER_MINUTE="1000000", API_ADDRESS_PER_MINUTE="1000000"):
        state = Evening()
        return {**state.recording(), **state.reading(), **rebuilding()}


class Evening:
    """The large evening, played through the commands, and a scorer's device at its API."""

    def __init__(self) -> None:
        from tests.builders.api_clients import Device  # noqa: PLC0415
        from tests.builders.playing import new_club, new_table, new_tournament  # noqa: PLC0415

        self.chance = random.Random(SEED)
        self.club = new_club("Large", is_published=True)
        self.tournament = new_tournament(self.club, preset="points", point_value_minor=100)
        self.device = Device(self.club)
        self.tables = []
        for number in range(1, TABLES + 1):
            names = tuple(f"Player {number:02d} {place} of 200" for place in range(1, SEATS + 1))
            table = new_table(self.tournament, names, number)
            for played in range(1, DEALS + 1):
                table.record(self.deal(played))
            self.tables.append(table)

    def deal(self, number: int) -> dict[str, Any]:
        """A deal with a winner and four losers."""
        winner = self.chance.randrange(SEATS)
        hands = {str(seat + 1): {"how": "loss", "count": self.chance.randrange(2, 81)} for seat in range(SEATS)}
        hands[str(winner + 1)] = {"how": "show"}
        return {"kind": "deal_recorded", "deal": number, "outcomes": hands}

    def recording(self) -> dict[str, float]:
        """Send one more deal to each table, and ask for the board until it shows."""
        tag = ""
        times = []
        for table in self.tables[:REQUESTS]:
            body = {"expected_version": DEALS + 1, "event": self.deal(DEALS + 1)}
            start = time.process_time()
            answer = self.device.send(f"/api/v1/tables/{table.row.id}/events/", body, key=uuid.uuid4().hex)
            board = self.device.get(self.board, headers={"If-None-Match": tag})
            times.append(time.process_time() - start)
            if (answer.status_code, board.status_code) != (201, 200) or board.json()["position"] != answer.json()[
                "position"
            ]:
                raise AssertionError(f"{answer.status_code} {answer.content!r}, {board.status_code}")
            tag = board.headers["ETag"]
        return {"record_and_see_ms": statistics.median(times) * 1000}

    @property
    def board(self) -> str:
        return f"/api/v1/tournaments/{self.tournament.id}/leaderboard/"

    def reading(self) -> dict[str, float]:
        """The board as everybody asks for it, and as nobody needs it again."""
        from django.test import Client  # noqa: PLC0415

        client = Client()
        answer = client.get(self.board)
        known = {"If-None-Match": answer.headers["ETag"]}
        if client.get(self.board, headers=known).status_code != 304:
            raise AssertionError("an unchanged board should be 304")
        return {
            "board_ms": _cpu_ms(lambda: client.get(self.board)),
            "board_kb": len(answer.content) / 1000,
            "board_queries": _queries(lambda: client.get(self.board)),
            "unchanged_ms": _cpu_ms(lambda: client.get(self.board, headers=known)),
            "unchanged_queries": _queries(lambda: client.get(self.board, headers=known)),
        }


def rebuilding() -> dict[str, float]:
    """The boards from the log, and the proof that they equal it."""
    from tournaments.integrity.rebuild import rebuild, rebuild_differences  # noqa: PLC0415

    count = rebuild()
    if rebuild_differences():
        raise AssertionError("the boards do not equal the log")
    return {
        "rebuild_events_per_s": count / min(_cpu_seconds(rebuild) for _ in range(3)),
        "compare_events_per_s": count / min(_cpu_seconds(rebuild_differences) for _ in range(3)),
    }


def _cpu_seconds(deed: Callable[[], object]) -> float:
    start = time.process_time()
    deed()
    return time.process_time() - start


def _cpu_ms(deed: Callable[[], object]) -> float:
    deed()
    return statistics.median(_cpu_seconds(deed) for _ in range(REQUESTS)) * 1000


def _queries(deed: Callable[[], object]) -> int:
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    with CaptureQueriesContext(connection) as seen:
        deed()
    return len(seen)


if __name__ == "__main__":
    main()
