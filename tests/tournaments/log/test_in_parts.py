"""A log verified in parts gives the same report as one verified at once.

Planted faults: a part that trusts a stream which an earlier one found broken; a gap across the end of a part reported
twice or never; a seal cut in two; a stream that begins in two parts; events left out later reported as unreadable.
"""

import random
from datetime import timedelta
from uuid import UUID

import pytest

from tests.builders import tampering
from tests.builders.log_writers import START, an_event, new_club, play_night
from tests.builders.tampering import run, undone
from tournaments.log import seals, verifying
from tournaments.log.auditing import Finding, verify_log

pytestmark = pytest.mark.django_db
AT_ONCE = 4


@pytest.fixture
def club():
    """Two nights of a club, a seal that is longer than a part, and an unsealed rest; without guards."""
    club = new_club()
    play_night(club, tables=3, deals=3)
    seals.seal_club(club.id, START)
    play_night(club, tables=2, deals=1)
    seals.seal_club(club.id, START + timedelta(hours=1))
    play_night(club, tables=3, deals=2)
    with tampering.unguarded():
        yield club


def said_in(most: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Finding, ...]:
    monkeypatch.setattr(verifying, "MOST_AT_ONCE", most)
    return verify_log(is_full=True).findings


def is_the_same(monkeypatch: pytest.MonkeyPatch) -> bool:
    whole = said_in(1000, monkeypatch)
    assert said_in(AT_ONCE, monkeypatch) == whole
    return bool(whole)


@pytest.mark.postgres
def test_no_seal_lies_in_two_parts(club, monkeypatch):
    monkeypatch.setattr(verifying, "MOST_AT_ONCE", AT_ONCE)
    parts = verifying.stretches(club.id.hex, is_full=True)
    assert [(part.start, part.end) for part in parts] == [(0, 15), (15, 21), (21, 25), (25, 29), (29, None)]
    assert sum(part.size for part in parts) == 33
    assert verify_log(is_full=True).events == 33


def test_any_change_is_told_by_the_parts_as_by_the_whole(club, monkeypatch):
    chance, found = random.Random(15), 0
    for cell in chance.sample(tampering.cells(), 60):
        choices = list(tampering.flips(cell))
        for value in chance.sample(choices, min(1, len(choices))):
            with undone():
                if tampering.write(cell, value):
                    found += is_the_same(monkeypatch)
    assert found > 30


def test_a_gap_is_reported_once_wherever_a_part_ends(club, monkeypatch):
    gaps = ((1, 1), (1, 15), (14, 16), (15, 15), (16, 16), (15, 33), (20, 30), (25, 25), (26, 29), (33, 33))
    for first, last in gaps:
        with undone():
            tampering.remove_events(first, last)
            assert is_the_same(monkeypatch), (first, last)


def test_events_that_changed_places_are_told_by_the_parts(club, monkeypatch):
    for one, other in ((2, 5), (4, 24), (23, 27), (22, 33)):
        with undone():
            for before, after in ((one, 90), (other, one), (90, other)):
                run("UPDATE tournaments_event SET position = %s WHERE position = %s", after, before)
            assert is_the_same(monkeypatch), (one, other)


def test_what_stands_behind_a_change_is_judged_by_no_part(club, monkeypatch):
    """The stream of the changed event continues in other parts, and has an event that cannot be read."""
    table, _ = play_night(club, tables=2, deals=3)
    table.writes(5, an_event('{"deal":"seven"}'))
    run("UPDATE tournaments_event SET actor = 'user:dev' WHERE stream_id = %s AND version = 1", table.stream_id)
    assert is_the_same(monkeypatch)
    assert [finding.position for finding in said_in(AT_ONCE, monkeypatch)] == [34]


@pytest.mark.postgres
def test_what_a_later_part_leaves_out_is_told_as_left_out(club, monkeypatch):
    table, other = play_night(club, tables=2, deals=1)
    unread = table.writes(3, an_event('{"deal":"seven"}')).stored
    for version in range(3, 9):
        other.writes(version, an_event('{"deal":"seven"}'))
    table.writes(4, an_event('{"version":4}', kind="fact_left_out"))
    assert is_the_same(monkeypatch)
    [left] = verify_log(is_full=True).left_out
    assert left.event.position == unread.position
    assert left.event.stream == UUID(str(table.stream_id))
