"""Reading the log: all of it, from a place on, and as it was."""

from datetime import timedelta

import pytest

from tests.tournaments.log.writers import START, fact, new_club, nothing, open_table, request
from tournaments import log

pytestmark = pytest.mark.django_db


def test_reading_goes_on_after_a_version():
    table = open_table(new_club())
    for version in (1, 2, 3):
        table.writes(version)
    assert [event.version for event in log.read(table.stream_id, after=2)] == [3, 4]


def test_a_follower_reads_a_club_in_pieces():
    club = new_club()
    table = open_table(club)
    for version in range(1, 6):
        table.writes(version)
    pieces = [[event.position for event in log.read_club(club.id, after, limit=4)] for after in (0, 4, 6)]
    assert pieces == [[1, 2, 3, 4], [5, 6], []]


def test_a_table_as_it_was_at_a_version():
    table = open_table(new_club())
    table.writes(1)
    table.writes(2)
    assert [event.version for event in log.as_of(table.stream_id, 2)] == [1, 2]


def test_a_table_as_it_was_shown_at_a_time():
    table = open_table(new_club())
    for version in (1, 2):
        asked = request(at=START + timedelta(minutes=version))
        log.append(table.place(version), fact(), request=asked, also=nothing)
    assert [event.version for event in log.as_of(table.stream_id, START + timedelta(seconds=90))] == [1, 2]
    assert [event.version for event in log.as_of(table.stream_id, START + timedelta(minutes=1))] == [1, 2]
    assert log.as_of(table.stream_id, START - timedelta(seconds=1)) == []


def test_a_clock_set_back_leaves_no_hole_in_the_past():
    table = open_table(new_club())
    for version, minutes in ((1, 10), (2, 5)):
        asked = request(at=START + timedelta(minutes=minutes))
        log.append(table.place(version), fact(), request=asked, also=nothing)
    assert [event.version for event in log.as_of(table.stream_id, START + timedelta(minutes=7))] == [1]


def test_moments_come_back_as_they_were_given():
    table = open_table(new_club())
    exact = START.replace(microsecond=7)
    stored = log.append(table.place(1), fact(), request=request(at=exact), also=nothing).stored
    assert stored.recorded_at == log.read(table.stream_id)[1].recorded_at == exact


def test_nothing_stands_in_a_stream_that_was_never_opened():
    club = new_club()
    assert log.head_of(club.id) is None
    assert log.read(club.id) == []
    assert log.fingerprint(club.id) == ""
    assert log.club_fingerprint(club.id) == ""
