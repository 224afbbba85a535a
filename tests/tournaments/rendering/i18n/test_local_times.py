"""Local times and the moments they may mean, in zones that skip and repeat hours, half hours and whole days."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.exports.spreadsheets import time_of_day
from tournaments.rendering.i18n.formatting import clock, local_time, written

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
    """Planted fault: the first of both taken without asking."""
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


@pytest.mark.parametrize(
    ("zone", "at", "shown", "written_down"),
    [
        ("Europe/Berlin", "2026-10-25T00:30", "02:30 (UTC+02:00)", "02:30:00+02:00"),
        ("Europe/Berlin", "2026-10-25T01:30", "02:30 (UTC+01:00)", "02:30:00+01:00"),
        ("Europe/Berlin", "2026-10-25T02:00", "03:00", "03:00:00"),
        ("Europe/Berlin", "2026-03-29T01:30", "03:30", "03:30:00"),
        ("Australia/Lord_Howe", "2026-04-04T14:45", "01:45 (UTC+11:00)", "01:45:00+11:00"),
        ("Asia/Kolkata", "2026-10-25T00:30", "06:00", "06:00:00"),
    ],
)
def test_two_moments_that_a_clock_shows_alike_are_told_apart(zone: str, at: str, shown: str, written_down: str):
    """Planted fault: the time alone; 02:10 was then shown after 02:50, and an entry of the books before its cause."""
    there = datetime.fromisoformat(f"{at}+00:00").astimezone(ZoneInfo(zone))
    assert (clock(there), time_of_day(there)) == (shown, written_down)


def test_no_page_or_paper_writes_a_clubs_time_by_itself():
    """Only times with their zone, and those that a form reads back, are written without `clock`."""
    by_itself = re.compile(r"""[a-z]:%H:%M|\.strftime\(["']|date:["'][^"']*H|\|time:""")
    files = [*Path("tournaments").rglob("*.py"), *Path("templates").rglob("*.html"), *Path("scoring").rglob("*.html")]
    assert len(files) > 100
    assert [str(file) for file in files if by_itself.search(file.read_text())] == []
