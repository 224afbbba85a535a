"""Refuses moments and days outside the calendar, in which every page, feed and file can tell them.

The window: `tournaments.models.bounds`, where the database keeps to it too.
"""

from datetime import date, datetime

from scoring.messages import Day, say
from scoring.problems import Problem
from tournaments.models.bounds import FIRST_DAY, LAST_DAY, is_day_in_the_calendar, is_moment_in_the_calendar


def moment_problems(moment: datetime, field: str) -> list[Problem]:
    """A moment, which brings its offset, that is too early or too late."""
    return [] if is_moment_in_the_calendar(moment) else [_outside(moment, field)]


def day_problems(day: date, field: str) -> list[Problem]:
    """The same of a day."""
    return [] if is_day_in_the_calendar(day) else [_outside(day, field)]


def _outside(when: date, field: str) -> Problem:
    detail = say(
        "{field} is {value}, outside the calendar; enter a date from {start} to {end}",
        field=field,
        value=when.isoformat(),
        start=Day(FIRST_DAY.isoformat()),
        end=Day(LAST_DAY.isoformat()),
    )
    return Problem(code="out_of_range", field=field, detail=detail)
