"""Filters for templates: what the lower floors say in the language of the page, and numbers in its digits."""

from datetime import datetime

from django import template

from tournaments.rendering.i18n import translating
from tournaments.rendering.i18n.places import day, in_digits, number
from tournaments.rendering.i18n.places import short_day as short_day_of
from tournaments.rendering.i18n.translating import sentence, told

register = template.Library()
register.filter("told", told)
register.filter("told_sentence", sentence)
register.filter("number", number)


@register.filter
def called(thing: object) -> str:
    """A table, or its title, by the name it was given, else by its number in the language of the page."""
    return translating.called(str(thing))


@register.filter(expects_localtime=True)
def short_day(when: datetime | None) -> str:
    """A day without its year, by the clock of the page; nothing where nothing happened yet."""
    return short_day_of(when.date()) if when else ""


@register.filter(expects_localtime=True)
def moment(when: datetime | None) -> str:
    """A day and the hour and minute, by the clock of the page; nothing where nothing happened yet."""
    return f"{day(when)}, {_clock(when)}" if when else ""


@register.filter(expects_localtime=True)
def short_moment(when: datetime | None) -> str:
    """The same without the year, where there is little room."""
    return f"{short_day_of(when.date())}, {_clock(when)}" if when else ""


def _clock(when: datetime) -> str:
    return in_digits(f"{when:%H:%M}")
