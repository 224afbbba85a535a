"""Correcting a deal of the first round after the sixth, with everything that it would move told before.

200 players at 50 tables of 4, six rounds of a planned tournament, a cut to 40 after the third. Processor time of this
process on a fresh SQLite database, the whole way through the desk's pages: the page that tells the consequences, and
the storing after it; the median of several corrections.

    python -m benchmarks.bench_corrections [--json]
"""

import statistics
import time
import uuid
from typing import Any

from benchmarks.figures import sized, tell, throwaway_site

TABLES, SEATS, ROUNDS = sized((50, 4, 6), smallest=(4, 4, 6))
CORRECTIONS = sized(9, smallest=1)
AT_MOST = {"preview_ms": 300.0, "correct_ms": 300.0, "both_ms": 300.0, "preview_queries": 16}
PLAN = {
    "stages": [
        {"smallest_table": SEATS, "preferred_table": SEATS, "largest_table": SEATS, "rounds": 3, "advancing": 40},
        {"smallest_table": SEATS, "preferred_table": SEATS, "largest_table": SEATS, "rounds": 3},
    ],
    "tie_breaks": ["lots"],
}


def main() -> None:
    """Print the figures beside what was promised."""
    tell(__doc__, figures, at_most=AT_MOST)


def figures() -> dict[str, float]:
    """Every figure, in a database of its own that is thrown away."""
    with throwaway_site(LOG_LEVEL="ERROR"):
        return Night().corrected()


class Night:
    """The tournament, played through the commands, and a director at its desk."""

    def __init__(self) -> None:
        from scoring.events import wire  # noqa: PLC0415
        from tests.builders.admin_tables import club_called, person  # noqa: PLC0415
        from tests.builders.playing import context, new_tournament  # noqa: PLC0415
        from tournaments.models import Role  # noqa: PLC0415
        from tournaments.people.players import add_players  # noqa: PLC0415
        from tournaments.running.commands.record import record_all_in_tournament  # noqa: PLC0415

        self.club = club_called("Large", "large")
        self.tournament = new_tournament(self.club, preset="points", point_value_minor=100)
        self.director = person("dita", Role.DIRECTOR, self.club)
        field = [str(p.id) for p in add_players(self.club, [f"Player {n}" for n in range(TABLES * SEATS)])]
        entries = [wire.PlayerEntered(player=player) for player in field]
        record_all_in_tournament(self.tournament.id, [wire.PlanMade(plan=PLAN), *entries], context=context())
        self.first = self._rounds(field, 1, 1)
        self._cut(field)
        self._rounds(self._going_on(), 2, 4)

    def corrected(self) -> dict[str, float]:
        """Look at a correction and store it, table after table of the first round."""
        from django.db import connection  # noqa: PLC0415
        from django.test import Client  # noqa: PLC0415
        from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

        client = Client()
        client.force_login(self.director)
        looked, stored, queries = [], [], 0
        for number, table in enumerate(self.first[:CORRECTIONS]):
            address = f"/admin/tournaments/table/{table.row.pk}/correct/1/"
            typed = self._typed(table, number)
            with CaptureQueriesContext(connection) as seen:
                looked.append(self._cpu_ms(client, address, typed | {"do": "check"}, status=200))
                queries = max(queries, len(seen))
            stored.append(self._cpu_ms(client, address, typed | {"do": "save"}, status=302))
        both = [one + other for one, other in zip(looked, stored, strict=True)]
        return {
            "preview_ms": statistics.median(looked),
            "correct_ms": statistics.median(stored),
            "both_ms": statistics.median(both),
            "preview_queries": float(queries),
        }

    def _cpu_ms(self, client: Any, address: str, typed: dict[str, str], *, status: int) -> float:
        began = time.process_time()
        answer = client.post(address, typed)
        took = (time.process_time() - began) * 1000
        if answer.status_code != status:
            raise SystemExit(f"{address} answered {answer.status_code}")
        if status == 200 and b"In the tournament" not in answer.content:
            raise SystemExit("the page tells no consequences")
        return took

    def _typed(self, table: Any, number: int) -> dict[str, str]:
        counts = {f"count-{seat}": str(40 + number + seat) for seat in range(1, SEATS)}
        envelope = {"version": str(table.seen), "key": str(uuid.uuid4()), "deal": "1", "reason": "read wrongly"}
        return {**envelope, f"how-{SEATS}": "show", **counts}

    def _rounds(self, field: list[str], stage: int, first: int) -> list[Any]:
        """Three rounds among these players; the tables of the first of them."""
        from scoring.events import wire  # noqa: PLC0415
        from tests.builders.playing import Playing, context, loses, show  # noqa: PLC0415
        from tournaments.seating.commands.seat import seat_round  # noqa: PLC0415

        opened: list[list[Any]] = []
        for number in range(first, first + 3):
            places = range(0, len(field), SEATS)
            tables = tuple((n, tuple(field[at : at + SEATS])) for n, at in enumerate(places, 1))
            seated = wire.RoundSeated(stage=stage, round=number, tables=tables, method="draw", seed="s")
            opened.append(
                [Playing(row=row) for row in seat_round(self.tournament.id, seated, context=context()).tables]
            )
            for n, table in enumerate(opened[-1]):
                table.deal(1, show, *(loses(2 + (n * 7 + seat * 11) % 70) for seat in range(1, SEATS)), actor="user:0")
                table.record({"kind": "table_closed"}, actor="user:0")
        return opened[0]

    def _cut(self, field: list[str]) -> None:
        from scoring.events import wire  # noqa: PLC0415
        from tests.builders.playing import context  # noqa: PLC0415
        from tournaments.running.commands.record import record_in_tournament  # noqa: PLC0415

        cut = wire.CutMade(stage=1, advancing=tuple(field[::5]))
        record_in_tournament(self.tournament.id, cut, context=context())

    def _going_on(self) -> list[str]:
        from tournaments.running.commands.record import tournament_state  # noqa: PLC0415

        return list(tournament_state(self.tournament).cuts[-1].advancing)


if __name__ == "__main__":
    main()
