"""Counting failed attempts, to the attempt and to the second: by name, by address, and until when."""

from datetime import UTC, datetime, timedelta

import pytest

from tournaments.models import FailedAttempts
from tournaments.people import access
from tournaments.people.access import (
    ANY_NAME,
    LOGIN,
    TOKEN,
    Attempt,
    begin,
    digest_of_name,
    pause_after,
    succeed,
    unlock,
)

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
SECOND, QUARTER = timedelta(seconds=1), timedelta(minutes=15)
NOTHING = timedelta(0)


def sam(place: str = "10.0.0.1", **more: bool) -> Attempt:
    return Attempt(kind=LOGIN, subject=digest_of_name("sam"), place=place, **more)


def tries(attempt: Attempt, times: int, now: datetime = NOW) -> list[tuple[bool, timedelta]]:
    verdicts = [begin(attempt, now=now) for _ in range(times)]
    return [(verdict.is_admitted, verdict.pause) for verdict in verdicts]


def counted() -> dict[str, int]:
    """Failures by name and address."""
    return {row.subject and "name": row.failures for row in FailedAttempts.objects.all()}


def test_the_fifth_attempt_is_heard_and_locks_the_name_for_a_quarter_of_an_hour() -> None:
    assert tries(sam(), 6) == [*[(True, NOTHING)] * 4, (True, QUARTER), (False, QUARTER)]
    assert counted() == {"name": 5, "": 5}
    assert tries(sam(), 1, NOW + QUARTER - SECOND) == [(False, SECOND)]
    # Then everything is forgotten: the next failure is the first one.
    assert tries(sam(), 1, NOW + QUARTER) == [(True, NOTHING)]
    assert counted() == {"name": 1, "": 1}


def test_what_is_not_yet_forgotten_counts_on() -> None:
    tries(sam(), 1)
    tries(sam(), 1, NOW + QUARTER - SECOND)
    assert counted() == {"name": 2, "": 2}
    row = FailedAttempts.objects.get(subject=ANY_NAME)
    assert (row.free_at, row.lapses_at) == (NOW + QUARTER - SECOND, NOW + 2 * QUARTER - SECOND)


def test_a_success_forgets_the_name_and_gives_back_one_attempt_of_the_place() -> None:
    tries(sam(), 3)
    succeed(sam(), now=NOW)
    assert counted() == {"": 2}
    succeed(sam(), now=NOW)
    succeed(sam(), now=NOW)
    succeed(sam(), now=NOW)
    assert counted() == {"": 0}


def test_an_attempt_that_is_not_the_place_s_leaves_its_count_alone() -> None:
    own = sam(counts_for_place=False)
    tries(own, 2)
    assert counted() == {"name": 2}
    tries(sam(), 1)
    succeed(own, now=NOW)
    assert counted() == {"": 1}


def test_a_place_without_names_is_slowed_down_and_never_forgotten_by_a_success() -> None:
    token = Attempt(kind=TOKEN, subject=ANY_NAME, place="10.0.0.1")
    assert tries(token, 22) == [*[(True, NOTHING)] * 20, (True, SECOND), (False, SECOND)]
    succeed(token, now=NOW)
    assert counted() == {"": 20}
    assert tries(sam(), 1) == [(True, NOTHING)]


def test_unlocking_a_name_says_where_it_was_locked() -> None:
    for place in ("10.0.0.3", "10.0.0.2"):
        tries(sam(place), 5)
    tries(sam("10.0.0.4"), 4)
    assert unlock("  SAM ", now=NOW + SECOND) == ["10.0.0.2", "10.0.0.3"]
    assert set(counted()) == {""}
    assert unlock("sam", now=NOW) == []


def test_pauses_double_from_a_second_to_half_a_minute() -> None:
    seconds = [pause_after(failures, is_name=False).total_seconds() for failures in (20, 21, 22, 23, 25, 26, 99)]
    assert seconds == [0, 1, 2, 4, 16, 30, 30]
    assert [pause_after(failures, is_name=True) for failures in (4, 5, 6)] == [NOTHING, QUARTER, QUARTER]


def test_forgotten_rows_of_their_own_kind_go_with_the_next_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    tries(sam("10.0.0.2"), 1)
    tries(Attempt(kind=TOKEN, subject=ANY_NAME, place="10.0.0.2"), 1)
    tries(sam("10.0.0.3"), 1, NOW + SECOND)
    tries(sam("10.0.0.4"), 1, NOW + QUARTER + SECOND)
    kept = {(row.kind, row.place) for row in FailedAttempts.objects.all()}
    assert kept == {(TOKEN, "10.0.0.2"), (LOGIN, "10.0.0.3"), (LOGIN, "10.0.0.4")}
    # Above the maximum number of rows the oldest are deleted, forgotten or not, this many at once.
    monkeypatch.setattr(access, "MOST_ROWS", 3)
    monkeypatch.setattr(access, "SWEPT_AT_ONCE", 2)
    tries(sam("10.0.0.5"), 1, NOW + QUARTER + SECOND)
    assert {row.place for row in FailedAttempts.objects.filter(kind=LOGIN)} == {"10.0.0.4", "10.0.0.5"}
