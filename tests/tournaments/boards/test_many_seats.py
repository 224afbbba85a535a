"""The seats of a large tournament: after a deal only those that it changed are decoded again."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest

from tests.builders.playing import loses, new_table, show
from tournaments.projections import boards

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_the_lines_of_5_000_players_are_decoded_once(monkeypatch: Any):
    """Planted fault: room for 4,096 seats. Of 5,000 read in order each pushed out the one that was needed next."""
    table = new_table()
    table.deal(1, show, loses(20), loses(30), loses(10))
    read_rows = boards.read_rows

    def of_thousands(wanted: Any) -> Sequence[Sequence[Any]]:
        row = tuple(read_rows(wanted)[0])
        return [(row[0], UUID(int=number).bytes, *row[2:]) for number in range(5_000)]

    monkeypatch.setattr(boards, "read_rows", of_thousands)
    tournament = table.row.tournament_id
    assert len(boards.lines_by_tournament([tournament])[tournament]) == 5_000
    decoded = boards._named.cache_info().misses
    boards.lines_by_tournament([tournament])
    assert boards._named.cache_info().misses == decoded
