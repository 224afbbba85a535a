"""What a seating refuses, or warns of."""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form

HOW_OFTEN = (
    gettext_noop("never"),
    gettext_noop("once"),
    gettext_noop("twice"),
    gettext_noop("{number} times"),
)
SEATS = (
    gettext_noop("{seat} has no seat and does not sit out"),
    gettext_noop("{seat} has {number} seats"),
)
WARNINGS = (
    gettext_noop("table {table} has only {number} players"),
    gettext_noop("{seat} has sat {word} at table {table} before"),
    gettext_noop("{seat} has sat out {word}, somebody else {kind}"),
)
WISHES = (
    # The wishes of that sentence, each followed by the rest of them.
    gettext_noop("to keep {seat} apart from {mate}; and {why}"),
    gettext_noop("to seat {seat} at table {table}; and {why}"),
    gettext_noop("to keep {seat} apart from {mate}"),
    gettext_noop("to seat {seat} at table {table}"),
)
SIZES = ()
DRAWING = ()
MOVES = ()
SAID: tuple[Form, ...] = (*HOW_OFTEN, *SEATS, *WARNINGS, *WISHES, *SIZES, *DRAWING, *MOVES)
