"""An interrupted rebuild leaves whole parts, and continues with the next one.

Planted faults: a part that is written again; a row between two ranges, or behind the last, that is not written.
"""

import io
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.builders.playing import loses, new_table, new_tournament, show
from tournaments import log
from tournaments.integrity import ranges, rebuild
from tournaments.integrity.rebuild_tables import write_tables
from tournaments.models import Standing

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def tables(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Five tables whose standings differ from the log, in the order of their ids; two are a part."""
    monkeypatch.setattr(ranges, "MOST_STREAMS", 2)
    tournament = new_tournament()
    made = [new_table(tournament, number=number) for number in range(1, 6)]
    for table in made:
        table.deal(1, show, loses(3), loses(4), loses(5))
    Standing.objects.update(total=99)
    return sorted((table.row for table in made), key=lambda row: row.pk)


def is_mended(row: Any) -> bool:
    return not Standing.objects.filter(table=row, total=99).exists()


def done(*words: str) -> str:
    out = io.StringIO()
    call_command("rebuild", *words, stdout=out)
    return out.getvalue()


def test_a_rebuild_that_was_stopped_goes_on_with_the_next_part(tables: list[Any], monkeypatch: pytest.MonkeyPatch):
    parts: list[Any] = []

    def stopped(part: Any, tell: Any) -> Any:
        parts.append(part)
        if len(parts) == 2:
            raise KeyboardInterrupt
        return write_tables(part, tell)

    monkeypatch.setattr(rebuild, "write_tables", stopped)
    with pytest.raises(CommandError, match="stopped; the same command goes on from there"):
        done("--resume")
    assert [is_mended(row) for row in tables] == [True, True, False, False, False]
    assert "events read, every board written again" in done("--resume")
    assert all(is_mended(row) for row in tables)
    assert [part.size for part in parts] == [2, 2, 2, 1]
    assert done("--check", "--resume") == "The boards equal the log.\n"


@pytest.mark.postgres
def test_ranges_hold_every_stream_once_and_whatever_lies_between(tables: list[Any], monkeypatch: pytest.MonkeyPatch):
    found = ranges.ranges(log.StreamKind.TABLE)
    assert [(part.after, part.last, part.size) for part in found] == [
        (None, tables[1].pk, 2),
        (tables[1].pk, tables[3].pk, 2),
        (tables[3].pk, None, 1),
    ]
    monkeypatch.setattr(ranges, "MOST_STREAMS", 100)
    monkeypatch.setattr(ranges, "MOST_EVENTS", 3)
    assert [part.size for part in ranges.ranges(log.StreamKind.TABLE)] == [1] * 5


def test_a_site_without_a_table_has_one_part():
    assert [part.size for part in ranges.ranges(log.StreamKind.CASH)] == [0]
