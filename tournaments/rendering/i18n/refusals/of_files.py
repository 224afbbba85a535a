"""What cannot be read of pasted lists and score sheets from paper.

What people are to type there is English in every language, as nothing else is read: names of columns and lines, marks.
"""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form

LISTS = (
    gettext_noop("{name} cannot be read; {why}"),
    gettext_noop("{name} stands in row {first} already"),
)
# As Python's reader of CSV words them.
CSV = (gettext_noop("{value} expected after {typed}"),)
FILES = ()
HEADINGS = (
    gettext_noop("there is no game {typed}; this service knows {list}"),
    gettext_noop("{name} is no whole number"),
)
COLUMNS = (gettext_noop("{name} has {number} columns"),)
LINES = ()
CELLS = (
    gettext_noop("{name}: {typed} is none of {list}"),
    gettext_noop("{name}: {typed} is none of {list} or “nobody”"),
)
CLUBS = (
    gettext_noop("there is no club {name}"),
    gettext_noop("{name} has “{column}” {value}; the sheet says {typed}"),
)
SAID: tuple[Form, ...] = (*LISTS, *CSV, *FILES, *HEADINGS, *COLUMNS, *LINES, *CELLS, *CLUBS)
