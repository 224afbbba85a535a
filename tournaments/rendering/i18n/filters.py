"""Template loader and filters of our own: names, dates and times in the language of the page.

Templates are indented for their authors, pages are sent without it. A browser treats a line break and the blanks after
it as one space, and the break at the end of a file is not part of the sentence that includes the file. Why here and not
in every response: docs/decisions/0039-templates-laid-out-by-a-tool.md.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import template
from django.template.loaders import filesystem

from tournaments.rendering.i18n.formatting import clock, day, in_digits, number
from tournaments.rendering.i18n.formatting import listed as listed_texts
from tournaments.rendering.i18n.formatting import short_day as short_day_of
from tournaments.rendering.i18n.translating import account_title, sentence, spoken, translate

INDENTATION = re.compile(r"\n[ \t]+")
register = template.Library()
register.filter("translated", translate)
register.filter("translated_sentence", sentence)
register.filter("number", number)
register.filter("account_title", account_title)


class Loader(filesystem.Loader):
    """Removes indentation once, when a template is loaded, without changing line numbers."""

    def get_contents(self, origin: template.Origin) -> str:
        return INDENTATION.sub("\n", super().get_contents(origin)).rstrip("\n")


@register.filter
def called(thing: Any) -> str:
    """Return the name of a table, or its title, else its number in the language of the page."""
    return spoken(getattr(thing, "called", thing))


@register.filter
def listed(things: Iterable[Any]) -> str:
    """Join names or numbers in a sentence: Asha, Bo and Cy."""
    return listed_texts([in_digits(str(thing)) for thing in things])


@register.filter(expects_localtime=True)
def short_day(when: datetime | None) -> str:
    """Format a day without its year, on the page's clock; empty where there is no moment."""
    return short_day_of(when.date()) if when else ""


@register.filter(expects_localtime=True)
def moment(when: datetime | None) -> str:
    """Format a day with hour and minute, on the page's clock; empty where there is no moment."""
    return f"{day(when)}, {clock(when)}" if when else ""


@register.filter(expects_localtime=True)
def short_moment(when: datetime | None) -> str:
    """The same without the year, where there is little room."""
    return f"{short_day_of(when.date())}, {clock(when)}" if when else ""


@register.filter(name="clock", expects_localtime=True)
def clock_of(when: datetime | None, pattern: str = "%H:%M") -> str:
    """Format hour and minute on the page's clock, or as the pattern says; empty where there is no moment."""
    return clock(when, pattern) if when else ""
