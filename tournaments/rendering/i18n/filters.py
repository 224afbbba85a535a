"""What templates have of ours: how their files are read, and filters for words and numbers in the language of the page.

Templates are laid out for whoever reads them: what a visitor is sent is not indented. A line break and what follows it
is one space to a browser, and the break that ends a file is part of no sentence that the file is put into. Why here and
not in every answer: docs/decisions/0039-templates-laid-out-by-a-tool.md.
"""

import re
from datetime import datetime
from typing import Any

from django import template
from django.template.loaders import filesystem

from tournaments.rendering.i18n.formatting import clock, day, number
from tournaments.rendering.i18n.formatting import short_day as short_day_of
from tournaments.rendering.i18n.translating import account_title, sentence, spoken, translate

INDENTATION = re.compile(r"\n[ \t]+")
register = template.Library()
register.filter("translated", translate)
register.filter("translated_sentence", sentence)
register.filter("number", number)
register.filter("account_title", account_title)


class Loader(filesystem.Loader):
    """Takes indentation away once, where a template is read, and leaves every line its number."""

    def get_contents(self, origin: template.Origin) -> str:
        return INDENTATION.sub("\n", super().get_contents(origin)).rstrip("\n")


@register.filter
def called(thing: Any) -> str:
    """A table, or its title, by the name it was given, else by its number in the language of the page."""
    return spoken(getattr(thing, "called", thing))


@register.filter(expects_localtime=True)
def short_day(when: datetime | None) -> str:
    """A day without its year, by the clock of the page; nothing where nothing happened yet."""
    return short_day_of(when.date()) if when else ""


@register.filter(expects_localtime=True)
def moment(when: datetime | None) -> str:
    """A day and the hour and minute, by the clock of the page; nothing where nothing happened yet."""
    return f"{day(when)}, {clock(when)}" if when else ""


@register.filter(expects_localtime=True)
def short_moment(when: datetime | None) -> str:
    """The same without the year, where there is little room."""
    return f"{short_day_of(when.date())}, {clock(when)}" if when else ""


@register.filter(name="clock", expects_localtime=True)
def clock_of(when: datetime | None, pattern: str = "%H:%M") -> str:
    """The hour and minute by the clock of the page, or as the pattern says; nothing where nothing happened yet."""
    return clock(when, pattern) if when else ""
