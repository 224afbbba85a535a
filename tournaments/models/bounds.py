"""The limits of what is stored, each as a named constraint of the database that the commands refuse by as well.

Rules: docs/decisions/0027-every-bound-twice.md. SQLite keeps neither the length of a text nor the width of a number by
itself, and no database keeps the calendar; so each of them is a check that both databases make.
"""

from collections.abc import Mapping
from datetime import date, datetime
from functools import reduce
from operator import and_

from django.db import models
from django.db.models.functions import Cast, Length
from django.db.models.lookups import Exact, LessThanOrEqual

from scoring.ledger.triggers.definitions import FIRST_MOMENT, LAST_MOMENT, MOST_COUNT, MOST_POSITION, MOST_SMALL
from scoring.messages import Day, say
from scoring.problems import Problem

# Bounds that the triggers of the books keep as well, handed on from there.
__all__ = ["FIRST_MOMENT", "LAST_MOMENT", "MOST_COUNT", "MOST_POSITION", "MOST_SMALL"]
FIRST_DAY, LAST_DAY = FIRST_MOMENT.date(), LAST_MOMENT.date()
Range = tuple[int, int]


def checks(name: str, condition: models.Q | None = None, **lookups: object) -> models.CheckConstraint:
    """Every row meets a condition, or these lookups."""
    return models.CheckConstraint(condition=condition or models.Q(**lookups), name=name)


def is_as_long(name: str, column: str, length: int) -> models.CheckConstraint:
    """A text or some bytes are exactly that long."""
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
    """Every moment lies between the first and the last of the calendar, or is not known."""
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
    """Whether a moment, which brings its offset, lies in the calendar."""
    return FIRST_MOMENT <= moment <= LAST_MOMENT


def is_day_in_the_calendar(day: date) -> bool:
    """Whether a day lies in the calendar."""
    return FIRST_DAY <= day <= LAST_DAY


def _check(name: str, conditions: Mapping[str, models.Q]) -> models.CheckConstraint:
    return models.CheckConstraint(condition=reduce(and_, conditions.values()), name=name)


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
