"""What a seating refuses, or warns of."""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form, ngettext_noop

HOW_OFTEN = (
    gettext_noop("never"),
    gettext_noop("once"),
    gettext_noop("twice"),
    gettext_noop("{number} times"),
)
SEATS = (
    gettext_noop("{seat} has no seat and does not sit out"),
    gettext_noop("{seat} is seated but not on the list of players"),
    gettext_noop("{seat} has {number} places in this round"),
    gettext_noop("{seat} has {number} seats"),
    gettext_noop("{seat} is neither seated nor sitting out in this round"),
    gettext_noop("there are {number} tables with the number {table}"),
    gettext_noop("there is no table {table}: tables count from 1"),
    ngettext_noop(
        "table {table} has {count} player; allowed are {sizes}",
        "table {table} has {count} players; allowed are {sizes}",
    ),
    gettext_noop("{number} tables are laid, but the room has {most}"),
    gettext_noop("{seat} and {mate} are to be kept apart, but both sit at table {table}"),
    gettext_noop("{seat} needs table {table}, but sits at table {number}"),
    gettext_noop("{seat} still plays at table {table} of round {round}: finish that table first, or let them sit out"),
)
WARNINGS = (
    gettext_noop("tables have {first} to {last} players; they should differ by one at most"),
    gettext_noop("table {table} has only {number} players"),
    gettext_noop("{seat} and {mate} meet again at table {table}; they have met {word} before"),
    gettext_noop("{seat} and {mate}, both of {club}, meet at table {table}"),
    gettext_noop("{seat} has sat {word} at table {table} before"),
    gettext_noop("{seat} has sat out {word}, somebody else {kind}"),
    gettext_noop("{seat} would have dealt first {word}, somebody else {kind}"),
    gettext_noop("{seat} would have no table in stage {number}, and goes on as a wild card only"),
    gettext_noop("{seat} would have no table in stage {number}, and would go no further"),
)
WISHES = (
    gettext_noop("{seat} is on the list {number} times"),
    gettext_noop("{seat} has a wish but is not on the list of players"),
    gettext_noop("{seat} cannot be kept apart from themselves"),
    gettext_noop("{seat} and {mate} are to be kept apart, but both are fixed to table {table}"),
    gettext_noop("{seat} is fixed to table {table}, but there is table 1 only"),
    gettext_noop("{seat} is fixed to table {table}, but there are tables 1 to {last} only"),
    gettext_noop("{seat} is fixed to table {table} and to table {number}"),
    gettext_noop("{number} players are fixed to table {table}, which has {of} seats: {names}"),
    ngettext_noop(
        "{total} players are all kept apart from one another, but there is {count} table: {names}",
        "{total} players are all kept apart from one another, but there are {count} tables: {names}",
    ),
    gettext_noop(
        "no seating at {number} tables grants all of these wishes, but without any one of them there is one: {why}"
    ),
    # The wishes of that sentence, each followed by the rest of them.
    gettext_noop("to keep {seat} apart from {mate}; and {why}"),
    gettext_noop("to seat {seat} at table {table}; and {why}"),
    gettext_noop("to keep {seat} apart from {mate}"),
    gettext_noop("to seat {seat} at table {table}"),
    ngettext_noop("{count} more wish", "{count} more wishes"),
)
SIZES = (
    ngettext_noop(
        "{count} player cannot fill a table: the smallest size allowed is {first}",
        "{count} players cannot fill a table: the smallest size allowed is {first}",
    ),
    gettext_noop("no table size is allowed"),
    gettext_noop("tables have {first} to {last} seats; {number} is allowed here"),
    gettext_noop("tables of {number} are preferred, but not among the sizes allowed: {sizes}"),
    gettext_noop("the room has {number} tables; it needs one at least"),
    ngettext_noop(
        "{count} table of at most {most} seats {of} of {total} players, and nobody may sit out",
        "{count} tables of at most {most} seat {of} of {total} players, and nobody may sit out",
    ),
    gettext_noop(
        "{total} players cannot be split into tables of {sizes} that differ by at most one, and nobody may sit out"
    ),
    ngettext_noop(
        "{total} players cannot be split into at most {count} table of {sizes} that differ by at most one, "
        "and nobody may sit out",
        "{total} players cannot be split into at most {count} tables of {sizes} that differ by at most one, "
        "and nobody may sit out",
    ),
)
DRAWING = (
    gettext_noop("{number} rounds are asked for; draw one at least"),
    gettext_noop("a seed needs 5 bytes of chance"),
    gettext_noop("a seed has {number} letters and digits, such as K7QF-2M9X; this one has {of}"),
    gettext_noop("{number} players cannot each draw a card from a pack of {of}: use lots"),
    gettext_noop("{seat} is in the standing {number} times"),
    gettext_noop("{seat} is on the list, but not in the standing"),
    gettext_noop("{seat} is in the standing, but not on the list"),
)
MOVES = (
    gettext_noop("{seat} is in play at no table"),
    gettext_noop("table {table} is not in play"),
    gettext_noop("{seat} sits at table {table} already"),
    ngettext_noop(
        "table {table} would have {count} player left: close it instead",
        "table {table} would have {count} players left: close it instead",
    ),
    gettext_noop("table {table} has {number} players, and no seat for another"),
    gettext_noop("{seat} is to deal next at table {table}, but is not in play there"),
    ngettext_noop(
        "without table {table} there is {count} table of at most {most} for {total} players",
        "without table {table} there are {count} tables of at most {most} for {total} players",
    ),
    ngettext_noop(
        "{total} players still in cannot be split into at most {count} table of {sizes} that differ by at most one",
        "{total} players still in cannot be split into at most {count} tables of {sizes} that differ by at most one",
    ),
)
SAID: tuple[Form, ...] = (*HOW_OFTEN, *SEATS, *WARNINGS, *WISHES, *SIZES, *DRAWING, *MOVES)
