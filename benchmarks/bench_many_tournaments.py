"""Whether many tournaments slow one board: a board of 200 players alone, and beside 99 more of its club.

The other evenings are copies of the first, row by row, with identities and positions of their own; only what a board
is read from is copied. Processor time of this process through the site's middleware, on SQLite.

    python -m benchmarks.bench_many_tournaments [--json]
"""

from typing import Any

from benchmarks.bench_pages import cpu_ms, door
from benchmarks.evenings import large_tournament
from benchmarks.figures import sized, tell, throwaway_site

TOURNAMENTS = sized(100, smallest=3)
AT_MOST = {"board_ratio": 1.10, "unchanged_ratio": 1.10}
# Further apart than the events of one evening.
APART = 1_000_000
SHIFTED = frozenset(("position", "last_position", "board_position"))


def main() -> None:
    """Print the figures beside what was promised."""
    tell(__doc__, figures, at_most=AT_MOST)


def figures() -> dict[str, float]:
    """The same board before and after the others are there."""
    with throwaway_site(LOG_LEVEL="ERROR"):
        state = large_tournament()
        alone = _measured(state.board)
        copied = _copy(state.tournament)
        among = _measured(state.board)
        return {
            "tournaments": float(1 + copied),
            "board_alone_ms": alone[0],
            "board_ms": among[0],
            "board_ratio": among[0] / alone[0],
            "unchanged_alone_ms": alone[1],
            "unchanged_ms": among[1],
            "unchanged_ratio": among[1] / alone[1],
        }


def _measured(board: str) -> tuple[float, float]:
    """The board read and drawn anew as JSON and as a part, and a poll to which nothing is new."""
    from django.core.cache import caches  # noqa: PLC0415 - the site comes first

    ask = door()
    tag = ask(f"{board}board/", {})[1]["ETag"]

    def anew() -> None:
        caches["answers"].clear()
        ask(f"{board}board/", {})

    return cpu_ms(anew), cpu_ms(lambda: ask(f"{board}board/", {"HTTP_IF_NONE_MATCH": tag}))


def _copy(tournament: Any) -> int:
    """The evening again and again. Returns how many there are of it more."""
    from django.db import connection, transaction  # noqa: PLC0415

    from tournaments.models import Scoresheet, Standing, Table, Tournament  # noqa: PLC0415
    from tournaments.models.log import Event, Stream  # noqa: PLC0415

    fitting = {
        Tournament: f"id = x'{tournament.id.hex}'",
        Table: f"tournament_id = x'{tournament.id.hex}'",
        Standing: f"tournament_id = x'{tournament.id.hex}'",
    }
    tables = f"SELECT id FROM tournaments_table WHERE {fitting[Table]}"  # noqa: S608 - our own words
    fitting |= {Stream: f"id IN ({tables})", Event: f"stream_id IN ({tables})", Scoresheet: f"table_id IN ({tables})"}
    with transaction.atomic(), connection.cursor() as cursor:
        selects = [_select(model, where) for model, where in fitting.items()]
        for number in range(1, TOURNAMENTS):
            for select in selects:
                cursor.execute(select.replace(":n", str(number)))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return TOURNAMENTS - 1


def _select(model: Any, where: str) -> str:
    """Rows of a model copied: other identities, positions further on, the same club and players."""
    fields = [field for field in model._meta.concrete_fields if field.get_internal_type() != "BigAutoField"]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(_value(field) for field in fields)
    table = model._meta.db_table
    return f'INSERT INTO "{table}" ({columns}) SELECT {values} FROM "{table}" WHERE {where}'  # noqa: S608 - as above


def _value(field: Any) -> str:
    column = f'"{field.column}"'
    if field.name in SHIFTED:
        return f"{column} + :n * {APART}"
    if field.name == "slug":
        return f"{column} || '-:n'"
    is_ours = field.primary_key or field.name in {"tournament", "table", "stream", "key"}
    return f"CAST(substr('000' || :n, -4) || substr({column}, 5) AS BLOB)" if is_ours else column


if __name__ == "__main__":
    main()
