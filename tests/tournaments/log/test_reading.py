"""Reading the log: all of it, from a position on, and as it was."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import OuterRef

from tests.builders.log_writers import START, an_event, new_club, nothing, open_table, request
from tournaments import log
from tournaments.log import seals
from tournaments.models import Club

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_a_follower_reads_a_club_in_pieces_and_a_table_after_a_version_or_up_to_it():
    club = new_club()
    table = open_table(club)
    for version in range(1, 6):
        table.writes(version)
    pieces = [[event.position for event in log.read_club(club.id, after, limit=4)] for after in (0, 4, 6)]
    assert pieces == [[1, 2, 3, 4], [5, 6], []]
    assert [event.version for event in log.read(club.id, table.stream_id, after=4)] == [5, 6]
    assert [event.version for event in log.as_of(club.id, table.stream_id, 2)] == [1, 2]


@pytest.mark.parametrize(
    ("recorded", "shown"),
    [
        ((60, 120), {90: [1, 2], 60: [1, 2], -1: []}),
        # The clock was set back: the second event is not shown before the first.
        ((600, 300), {420: [1]}),
    ],
)
def test_a_table_as_it_was_shown_at_a_time(recorded: tuple[int, int], shown: dict[int, list[int]]):
    table = open_table(new_club())
    for version, seconds in enumerate(recorded, 1):
        asked = request(at=START + timedelta(seconds=seconds))
        log.append(table.place(version), an_event(), request=asked, on_append=nothing)
    for seconds, versions in shown.items():
        then = log.as_of(table.club.id, table.stream_id, START + timedelta(seconds=seconds))
        assert [stored_event.version for stored_event in then] == versions, seconds


def test_nothing_stands_in_a_stream_that_was_never_opened():
    club = new_club()
    assert log.head_of(club.id, club.id) is None
    assert log.read(club.id, club.id) == []
    assert log.fingerprint(club.id, club.id) == ""
    assert log.club_fingerprint(club.id) == ""


def test_a_stream_is_read_in_its_own_club_alone():
    table, other = open_table(new_club()), new_club()
    own, there = (table.club.id, table.stream_id), (other.id, table.stream_id)
    assert log.read_many(other.id, [table.stream_id]) == {table.stream_id: []}
    assert (
        log.read_kinds(other.id, [table.stream_id], [an_event().kind]) == log.read(*there) == log.as_of(*there, 1) == []
    )
    assert log.actors_of(*own, [1]) == {1: "user:sam"}
    assert log.actors_of(*there, [1]) == {}
    assert log.head_of(*there) is None
    assert not log.find(club=other.id, streams=[table.stream_id]).exists()
    assert log.spans(club=other.id, streams=[table.stream_id]) == []
    assert seals.table_fingerprint(*there, 1) == ""


READINGS: dict[str, Callable[[log.StreamVersion], object]] = {
    "read": lambda at: log.read(at.club_id, at.stream_id, 1),
    "read_many": lambda at: log.read_many(at.club_id, [at.stream_id, at.club_id]),
    "read_kinds": lambda at: log.read_kinds(at.club_id, [at.stream_id, at.club_id], ["a", "b"]),
    "as_of": lambda at: log.as_of(at.club_id, at.stream_id, 1),
    "actors_of": lambda at: log.actors_of(at.club_id, at.stream_id, [1, 2]),
    "find": lambda at: log.find(club=at.club_id, streams=[at.stream_id], kinds=["a"]).last(),
    "spans": lambda at: log.spans(club=at.club_id, streams=[at.stream_id, at.club_id]),
    "happened": lambda _: list(Club.objects.filter(log.happened(OuterRef("pk"), club=OuterRef("pk"), kinds=["a"]))),
    "changes_of": lambda at: seals.changes_of(at.club_id, [at.stream_id], 9),
    "changes_at": lambda at: seals.changes_at(at.club_id, at.stream_id, 9),
    "table_fingerprints": lambda at: seals.table_fingerprints(at.club_id, {at.stream_id: 1}),
}


def test_what_is_asked_of_a_stream_is_looked_for_in_that_stream():
    """Planted fault it catches: a plan of SQLite's that searches the club first, and reads all of it, in order."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has an index of a club's streams")
    table = open_table(new_club())
    asked: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, many, context)

    for name, reading in READINGS.items():
        with connection.execute_wrapper(note):
            reading(table.place(1))
        sql, params = asked[-1]
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
            steps = [step for *_, step in cursor.fetchall()]
        assert any("(stream_id=?" in step for step in steps), (name, steps)
        assert not any("event" in step and "(club_id=?" in step for step in steps), (name, steps)
