"""Limits of stored values, each a named constraint of the database that the commands check as well.

Rules: docs/decisions/0027-every-bound-twice.md. SQLite enforces neither the length of a text nor the width of a number
by itself, and no database enforces the calendar; so each of them is a check constraint on both databases.
"""

from collections.abc import Mapping
from datetime import date, datetime
from functools import reduce
from operator import and_

from django.db import models
from django.db.models.functions import Cast, Length
from django.db.models.lookups import Exact, LessThanOrEqual

from scoring.messages import Day, say
from scoring.problems import Problem
from scoring.storage.bounds import FIRST_MOMENT, LAST_MOMENT, MOST_COUNT, MOST_POSITION, MOST_SMALL

# Limits that the triggers enforce as well, imported from there.
__all__ = ["FIRST_MOMENT", "LAST_MOMENT", "MOST_COUNT", "MOST_POSITION", "MOST_SMALL"]
FIRST_DAY, LAST_DAY = FIRST_MOMENT.date(), LAST_MOMENT.date()
Range = tuple[int, int]


def checks(name: str, condition: models.Q | None = None, **lookups: object) -> models.CheckConstraint:
    """Every row meets a condition, or these lookups."""
    return models.CheckConstraint(condition=condition or models.Q(**lookups), name=name)


def is_as_long(name: str, column: str, length: int) -> models.CheckConstraint:
    """A text or binary value is exactly that long."""
    return models.CheckConstraint(condition=Exact(Length(column), length), name=name)


def texts_fit(model: str, **most: int) -> models.CheckConstraint:
    """No text, and no JSON as text, is longer than this many characters."""
    return _check(
        f"{model}_texts_fit", {name: models.Q(LessThanOrEqual(Length(name), length)) for name, length in most.items()}
    )


def json_fits(model: str, **most: int) -> models.CheckConstraint:
    """No JSON column is longer than this many characters, as the database writes it."""
    return _check(
        f"{model}_json_fits",
        {
            name: models.Q(LessThanOrEqual(Length(Cast(models.F(name), models.TextField())), length))
            for name, length in most.items()
        },
    )


def numbers_fit(model: str, **ranges: Range) -> models.CheckConstraint:
    """Every number lies in its range, both ends included."""
    return _check(f"{model}_numbers_fit", {name: models.Q((f"{name}__range", ends)) for name, ends in ranges.items()})


def within_the_calendar(model: str, *moments: str) -> models.CheckConstraint:
    """Every moment lies between the first and the last of the calendar, or is null."""
    return _check(
        f"{model}_within_the_calendar",
        {name: models.Q((f"{name}__range", (FIRST_MOMENT, LAST_MOMENT))) for name in moments},
    )


def days_within_the_calendar(model: str, *days: str) -> models.CheckConstraint:
    """Every day lies between the first and the last of the calendar."""
    return _check(
        f"{model}_days_within_the_calendar",
        {name: models.Q((f"{name}__range", (FIRST_DAY, LAST_DAY))) for name in days},
    )


def is_moment_in_the_calendar(moment: datetime) -> bool:
    """Whether a moment, with its offset, lies in the calendar."""
    return FIRST_MOMENT <= moment <= LAST_MOMENT


def is_day_in_the_calendar(day: date) -> bool:
    """Whether a day lies in the calendar."""
    return FIRST_DAY <= day <= LAST_DAY


def _check(name: str, conditions: Mapping[str, models.Q]) -> models.CheckConstraint:
    return models.CheckConstraint(condition=reduce(and_, conditions.values()), name=name)


def moment_problems(moment: datetime, field: str) -> list[Problem]:
    """Report a moment, with its offset, that is too early or too late."""
    return [] if is_moment_in_the_calendar(moment) else [_outside(moment, field)]


def day_problems(day: date, field: str) -> list[Problem]:
    """Report a day that is too early or too late."""
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
