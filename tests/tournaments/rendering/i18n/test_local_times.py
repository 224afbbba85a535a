"""A clock's reading and what it may mean, in zones that skip and repeat hours, half hours and whole days."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rendering.i18n.formatting import local_time, written

ZONES = [ZoneInfo(name) for name in ("Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "America/New_York", "UTC")]


@pytest.mark.parametrize(
    ("zone", "shown", "readings", "is_shown"),
    [
        ("Europe/Berlin", "2026-10-25T02:30", ["2026-10-25T02:30+02:00", "2026-10-25T02:30+01:00"], True),
        ("Europe/Berlin", "2026-03-29T02:30", ["2026-03-29T01:30+01:00", "2026-03-29T03:30+02:00"], False),
        ("Europe/Berlin", "2026-10-25T03:00", ["2026-10-25T03:00+01:00"], True),
        ("Australia/Lord_Howe", "2026-04-05T01:45", ["2026-04-05T01:45+11:00", "2026-04-05T01:45+10:30"], True),
        ("Pacific/Apia", "2011-12-30T12:00", ["2011-12-29T12:00-10:00", "2011-12-31T12:00+14:00"], False),
        ("Asia/Kolkata", "2026-03-29T02:30", ["2026-03-29T02:30+05:30"], True),
    ],
)
def test_a_reading_in_doubt_has_two_moments(zone: str, shown: str, readings: list[str], is_shown: bool):
    """Planted fault: the first of both taken without a word."""
    found = local_time(datetime.fromisoformat(shown).replace(tzinfo=ZoneInfo(zone)))
    assert [written(moment) for moment in found.readings] == readings
    assert found.is_shown is is_shown
    assert found.is_clear is (len(readings) == 1)


@given(hours=st.integers(0, 35 * 366 * 24), minutes=st.integers(0, 59), zone=st.sampled_from(ZONES))
def test_every_moment_is_among_the_readings_of_what_the_clock_shows_then(hours: int, minutes: int, zone: ZoneInfo):
    there = (datetime(2000, 1, 1, tzinfo=UTC) + timedelta(hours=hours, minutes=minutes)).astimezone(zone)
    found = local_time(there.replace(fold=0))
    assert found.is_shown
    assert there.astimezone(UTC) in {moment.astimezone(UTC) for moment in found.readings}
