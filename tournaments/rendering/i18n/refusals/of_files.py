"""What cannot be read of pasted lists and score sheets from paper.

What people are to type there is English in every language, as nothing else is read: names of columns and lines, marks.
"""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form, ngettext_noop

LISTS = (
    gettext_noop("{name} cannot be read; {why}"),
    gettext_noop("{name} stands in row {first} already"),
    gettext_noop("after the name stands paid, standby, member, free, full, a pot such as +High hand, or nothing"),
    gettext_noop("a tick is yes, no or nothing"),
    gettext_noop("a rate is full, member, free or nothing"),
    gettext_noop("one player enters at one rate, not at {typed}"),
    gettext_noop("{number} rows at once are too many: at most {most}"),
    gettext_noop("there is no name in the list"),
    gettext_noop("the list has {number} characters, at most {most} are read"),
    gettext_noop("this is no CSV file: {what}"),
)
# As Python's reader of CSV words them.
CSV = (
    gettext_noop("unexpected end of data"),
    gettext_noop("{value} expected after {typed}"),
    gettext_noop("field larger than field limit ({most})"),
    gettext_noop("new-line character seen in unquoted field - do you need to open the file with newline=''?"),
)
FILES = (
    gettext_noop("the file has {number} bytes; a sheet has at most {most}"),
    gettext_noop("the file has more than {most} rows"),
    gettext_noop("the file holds nothing"),
    gettext_noop("byte {number} is not {name} text; save the sheet as “CSV UTF-8”"),
    gettext_noop("the file holds NUL characters: it is not a CSV file"),
    gettext_noop("row {number} has {of} columns; a sheet has at most {most}"),
    gettext_noop("row {number} has a cell of {of} characters; a cell has at most {most}"),
)
HEADINGS = (
    gettext_noop("{name} is no line of a heading; the lines are Club, Tournament, Date, Round, Table, …"),
    gettext_noop("{name} stands on row {number} already"),
    gettext_noop("the sheet has no line “Deal, player, …”"),
    gettext_noop("the sheet has no line “{name}”"),
    gettext_noop("{name} is not {game}: one of the two lines must go"),
    gettext_noop("there is no game {typed}; this service knows {list}"),
    gettext_noop("{name} is nothing a levy is taken of; write gross or fee"),
    gettext_noop("{name} is no amount; write for example 1000.00"),
    gettext_noop("{name} may be two amounts; write {start} or {end}"),
    gettext_noop("{name} is no share; write for example 12 %"),
    gettext_noop("{name} is no share: basis points are whole"),
    gettext_noop("{name} is no date; write for example 2026-01-17 19:30 or 17/01/2026"),
    gettext_noop("{name} is outside the calendar; enter a date from {start} to {end}"),
    gettext_noop("the clock shows {name} twice that night; write {start} or {end}"),
    gettext_noop("the clock skips {name} that night; write {start} or {end}"),
    gettext_noop("{name} is no whole number"),
    gettext_noop("{name} is no house option; write for example max rejoins = 1"),
)
COLUMNS = (
    gettext_noop("column {number} has no player above it"),
    gettext_noop("{name} has {number} columns"),
    gettext_noop("no player has a column"),
    gettext_noop("column {number} {typed} is none of {list}; if it is a player, it must stand beside the others"),
    gettext_noop("column {number} {typed} has no place at a table of {of}; the columns are {list}"),
    ngettext_noop(
        "there are {of} cells, but the sheet has {count} column",
        "there are {of} cells, but the sheet has {count} columns",
    ),
)
LINES = (
    gettext_noop("{name} is a line of the heading: it stands above the line with the players"),
    gettext_noop("{name} is no line of a sheet: a line begins with a deal's number or a word such as rejoin"),
    gettext_noop("which deal? Write {typed} 3"),
    gettext_noop("say why, in the column Note"),
    gettext_noop("put a mark in the player's column"),
    gettext_noop("{name}: {typed} is no total"),
    gettext_noop("{name}: a penalty is a number of points, not {typed}"),
    gettext_noop("{seat} has {total} on paper; the deals above add up to {points}"),
)
CELLS = (
    gettext_noop("{name}: {typed} is no mark; write {what}"),
    gettext_noop("{name}: {typed} cannot be read; write {what}"),
    gettext_noop("a number, or show, last, D, MD, 3M, LB, LA, W, F, A, -"),
    gettext_noop("count or cards or out"),
    gettext_noop("cards left or out"),
    gettext_noop("melded/in hand or cards or out"),
    gettext_noop("nothing here, but in the columns {list}"),
    gettext_noop("{name}: {typed} is none of {list}"),
    gettext_noop("{name}: {typed} is none of {list} or “nobody”"),
    gettext_noop("{name}: {typed} is none of {list} with a name behind it"),
    gettext_noop("{name}: {typed} is none of {list}; leave it empty otherwise"),
    gettext_noop("{name}: {typed} is no player's name with a value behind it"),
    gettext_noop("{name}: {typed} is neither yes nor no"),
    gettext_noop("{seat} is a second answer to “{column}”; the first is {name}"),
    gettext_noop("{seat} is a second answer to “{column}”; the first is nobody"),
    gettext_noop("nobody is a second answer to “{column}”; the first is {name}"),
    gettext_noop("nobody is marked “{mark}”: mark the player"),
    gettext_noop("nobody is marked “{mark}”: mark the player, or write “nobody” in the column {column}"),
)
CLUBS = (
    gettext_noop("there is no club {name}"),
    gettext_noop("the club has {number} tournaments called {name}"),
    gettext_noop("{name} is a new tournament, so the sheet must say what is played"),
    gettext_noop("{name} has “{column}” {value}; the sheet says {typed}"),
    gettext_noop("the club has {number} players called {name}; write {list}"),
    gettext_noop("seat {number} of table {table} is {seat} in this club; the sheet says {name}"),
    gettext_noop("seat {number} of table {table} is {seat} in this club; the sheet says nobody"),
    gettext_noop("seat {number} of table {table} is empty in this club; the sheet says {name}"),
    gettext_noop("this line was taken over with other content: enter a correction, or restore the line"),
    gettext_noop("the table has moved on to version {number} by another door; enter the rest there"),
)
SAID: tuple[Form, ...] = (*LISTS, *CSV, *FILES, *HEADINGS, *COLUMNS, *LINES, *CELLS, *CLUBS)
