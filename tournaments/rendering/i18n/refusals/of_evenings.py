"""What plans, rounds, entries, clocks, seasons and the setting up of a club refuse."""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form, ngettext_noop

# What keeps a player from playing; what to do about it follows it in some sentences.
AWAY = (
    gettext_noop("{seat} has withdrawn"),
    gettext_noop("{seat} was marked absent"),
    gettext_noop("{seat} has left"),
    gettext_noop("{seat} was replaced by a substitute"),
    gettext_noop("{seat} is on the standby list"),
    gettext_noop("{seat} has not entered"),
    gettext_noop("{seat} did not come through the last cut"),
    gettext_noop("{why}: let them return instead"),
    gettext_noop("{why}: withdraw the substitute first"),
    gettext_noop("{why}: let them return first"),
)
ENTRIES = (
    gettext_noop("{seat} has entered already"),
    gettext_noop("{seat} has withdrawn already"),
    gettext_noop("{seat} is checked in already"),
    gettext_noop("{seat} is not checked in"),
    gettext_noop("{seat} is marked absent already"),
    gettext_noop("{seat} is in already"),
    gettext_noop("{seat} has not entered this tournament"),
    gettext_noop("{seat} is too late: entries were taken up to round {last}, and round {round} is next"),
    gettext_noop("{seat} has been seated already: say that they left"),
    gettext_noop("{seat} cannot be their own substitute"),
    gettext_noop("{seat} plays, or has played, for themselves"),
    gettext_noop("nobody plays in the place of {seat}"),
    gettext_noop("{seat} has played in round {round}: the place cannot be given back"),
    gettext_noop("{seat} was moved in round {round}: take the move back first"),
    gettext_noop("stage {number} takes no re-entries"),
    gettext_noop("{seat} has bought back into stage {number} already"),
    gettext_noop("re-entries were taken up to round {last}, and round {round} is next"),
    gettext_noop("{seat} has no re-entry in stage {number}"),
    gettext_noop("round {round} was seated after {seat} had bought back in"),
    gettext_noop("{seat} plays in stage {number} already: only players who were cut re-enter"),
    gettext_noop("{seat} has no score from before stage {number} that a re-entry could start with"),
    gettext_noop("{seat} would start with {score}, and a re-entry needs {least} or more"),
    gettext_noop("{seat} would start with {score}, and a re-entry needs {least} or fewer"),
)
# A list of names, and one name.
LISTS = (
    gettext_noop("row {number}: {total} players are called {name}; write {list}"),
    gettext_noop("{total} players are called {name}; write {list}"),
    gettext_noop("name"),
    gettext_noop("row {number}"),
    gettext_noop("line {number}"),
    gettext_noop("{name}: {text} is not a whole number"),
)
CLOCKS = (
    gettext_noop("the clock of round {round} is running"),
    gettext_noop("the clock of round {round} is not running"),
    gettext_noop("say how long the round takes"),
    gettext_noop("the last deal of round {round} was called"),
    gettext_noop("the last deal of round {round} was not called"),
    gettext_noop("round {round} is not being played"),
    gettext_noop("round {round} is not played against time"),
    gettext_noop("round {round} was not seated"),
    gettext_noop("table {table} is not running in round {round}"),
)
ROUNDS = (
    gettext_noop("round {round} is next, not round {number}"),
    gettext_noop("stage {number} is being played, not stage {of}"),
    gettext_noop("the last stage of the plan is over"),
    gettext_noop("the only round of stage {number} is seated"),
    gettext_noop("all {total} rounds of stage {number} are seated"),
    gettext_noop("round {round} is not the last one that was seated"),
    gettext_noop("players were moved in round {round}: take the moves back first"),
    gettext_noop("only the last move can be taken back"),
    gettext_noop("{seat} stands there {number} times"),
    gettext_noop("{seat} sits at none of these tables"),
    gettext_noop("table {table} stands there {number} times"),
    ngettext_noop("table {table} has {count} player; 2 to 10 sit", "table {table} has {count} players; 2 to 10 sit"),
    gettext_noop("table {table} has been used in this round"),
)
CUTS = (
    gettext_noop("nobody goes on"),
    gettext_noop("stage {number} was not played"),
    gettext_noop("stage {number} is the last one: close the tournament instead"),
    gettext_noop("stage {number} is not the last one that was cut"),
    gettext_noop("stage {number} is seated already: take its seating back first"),
    gettext_noop("{seat} has not played in this stage"),
    gettext_noop("a tie has two players or more"),
    gettext_noop("lots are drawn with a seed, so that anybody can repeat it"),
    ngettext_noop(
        "{first} of {count} round of stage {of} are seated", "{first} of {count} rounds of stage {of} are seated"
    ),
    gettext_noop("{word} or by {kind}"),
    gettext_noop("best {number} of table {table}"),
    gettext_noop("best {number} over all tables"),
    gettext_noop("wild card"),
    gettext_noop("{score}, and {number} or fewer were asked for"),
    gettext_noop("{score}, and {number} or more were asked for"),
)
# What is still to be done at a table; it may have a name of the club's.
TABLES = ()
PLANS = (
    gettext_noop("the tournament has begun: say why the plan changes"),
    gettext_noop("the first stage is played, and stays as it was"),
    gettext_noop("the first {number} stages are played, and stay as they were"),
    gettext_noop("a plan has 1 to {most} stages, not {number}"),
    gettext_noop("stage {number} counts on from stage {of}, but one has points for places and one has not"),
    gettext_noop("a tie-break stands there twice"),
    gettext_noop("{where}: tables of {number} are preferred, but {first} to {last} are allowed"),
    gettext_noop("{where} is the last one: its players do not go on anywhere"),
    gettext_noop("{where} does not say who goes on to the next stage"),
    ngettext_noop(
        "{where}: either {count} goes on altogether, or so many of each table and wild cards",
        "{where}: either {count} go on altogether, or so many of each table and wild cards",
    ),
    gettext_noop("{where} is the first one: there is no score to bring"),
    gettext_noop("{where} takes no re-entries: enter their fee first"),
    gettext_noop("{where} does not count on from the stage before: a re-entry starts with nothing, like everybody"),
    gettext_noop("{where} compares averages per deal: a re-entry cannot start with points or chips"),
    gettext_noop("{where}: the stage before asks for no score that a re-entry could start with"),
    gettext_noop("{where}: {chips} is given, but a re-entry does not start with points or chips"),
    gettext_noop("{where}: {score} is asked for, but every re-entry starts with the same"),
)
TOURNAMENTS = (
    gettext_noop("the tournament is closed: reopen it first"),
    gettext_noop("{name} is closed already"),
    gettext_noop("{name} is not closed"),
    gettext_noop("there is no preset {typed}; this service knows {list}"),
)
PLAYABLE = (
    gettext_noop(
        "{seat} is not checked in, and this stage is played for the prizes: check them in, let them sit out, "
        "or confirm that they are seated"
    ),
    gettext_noop("tables of {number}: {why}"),
    gettext_noop("{kind} has no fixed number of deals: play each table out, or against time"),
    gettext_noop("a re-entry with its own score may be out at {limit}: enter the score that it has to reach"),
    gettext_noop("a re-entry that starts with {score} is out at {limit}"),
    ngettext_noop(
        "{count} goes on, and a table of stage {last} needs {most}",
        "{count} go on, and a table of stage {last} needs {most}",
    ),
    gettext_noop(
        "tables of stage {number} are played until one seat is under {total}: "
        "the others would bring as much or more, and are out at {most}"
    ),
)
REHEARSALS = (
    ngettext_noop("{count} player of its own", "{count} players of its own"),
    gettext_noop("a rehearsal does not become an evening that counts, nor the other way round"),
)
SEASONS = (
    gettext_noop("a later place cannot be worth more than an earlier one"),
    gettext_noop("the size of the field changes points for places; here the score counts"),
    gettext_noop("more nights and fewer nights cannot both be better"),
    gettext_noop("each category needs a name of its own"),
    gettext_noop("{name}: say which games count here"),
)
SCREENS = (
    gettext_noop("seating"),
    gettext_noop("standings"),
    gettext_noop("tables"),
    gettext_noop("clock"),
    gettext_noop("winners"),
    gettext_noop("address"),
    gettext_noop("message"),
)
SAID: tuple[Form, ...] = (
    *AWAY,
    *ENTRIES,
    *LISTS,
    *CLOCKS,
    *ROUNDS,
    *CUTS,
    *TABLES,
    *PLANS,
    *PLAYABLE,
    *TOURNAMENTS,
    *REHEARSALS,
    *SEASONS,
    *SCREENS,
)
