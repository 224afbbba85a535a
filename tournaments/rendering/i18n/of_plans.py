"""What the form of a plan asks, the evenings that clubs know by name, and where money can be."""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form

TITLES = (
    gettext_noop("Name"),
    gettext_noop("Smallest table"),
    gettext_noop("Largest table"),
    gettext_noop("Preferred table"),
    gettext_noop("Seating"),
    gettext_noop("Keeps mates apart"),
    gettext_noop("Length"),
    gettext_noop("Minutes"),
    gettext_noop("Last deal"),
    gettext_noop("Carries"),
    gettext_noop("Compares"),
    gettext_noop("Rank points"),
    gettext_noop("Per table"),
    gettext_noop("Wild cards"),
    gettext_noop("Advancing"),
    gettext_noop("At least"),
    gettext_noop("Reentry until round"),
    gettext_noop("Options"),
    gettext_noop("Late"),
    gettext_noop("Late plus"),
    gettext_noop("Late until round"),
    gettext_noop("Leaving"),
    gettext_noop("Substitute"),
    gettext_noop("Tie breaks"),
    gettext_noop("Confirmation"),
    gettext_noop("Is rehearsal"),
)
CHOICES = (
    gettext_noop("draw"),
    gettext_noop("standing"),
    gettext_noop("snake"),
    gettext_noop("prepared"),
    gettext_noop("game"),
    gettext_noop("deals"),
    gettext_noop("deals as seats"),
    gettext_noop("minutes"),
    gettext_noop("finish"),
    gettext_noop("one more"),
    gettext_noop("score"),
    gettext_noop("average"),
    gettext_noop("rank points"),
    gettext_noop("chips"),
    gettext_noop("score and chips"),
    gettext_noop("least score"),
    gettext_noop("zero"),
    gettext_noop("highest plus"),
    gettext_noop("forfeit"),
    gettext_noop("seat"),
    gettext_noop("person"),
    gettext_noop("split"),
    gettext_noop("at once"),
    gettext_noop("second seat"),
    gettext_noop("second official"),
    gettext_noop("deals won"),
    gettext_noop("fewest wrong shows"),
    gettext_noop("fewest drops"),
    gettext_noop("head to head"),
    gettext_noop("last deal"),
    gettext_noop("high card"),
    gettext_noop("lots"),
)
HELP = (
    gettext_noop("What the stage is called"),
    gettext_noop("Rounds that are seated in this stage"),
    gettext_noop("Fewest players at a table"),
    gettext_noop("Most players at a table"),
    gettext_noop("Players at a table where it can be chosen"),
    gettext_noop("By draw, by standing (top players together), dealt out by standing (snake), or as prepared"),
    gettext_noop("Players of one group (club, family) sit apart if possible"),
    gettext_noop("Each table plays its game out, a number of deals, as many deals as seats, or against time"),
    gettext_noop("Deals of each table where their number is fixed"),
    gettext_noop("Minutes of each round where time is fixed"),
    gettext_noop("When time is up the deal in play is finished, or one more is played after it"),
    gettext_noop("What players bring from the stage before: nothing, or their score"),
    gettext_noop(
        "How players of different tables are compared: by score, by average per deal (for unequal tables), "
        "or by points for the place at each table"
    ),
    gettext_noop("Points for the places of a table, the winner's first"),
    gettext_noop("The best so many of each table go on"),
    gettext_noop("So many more go on: the best over all tables that have not yet"),
    gettext_noop("So many go on altogether, by standing over all tables; 0: as above"),
    gettext_noop("Whoever has this score or a better one goes on; none: not asked for"),
    gettext_noop("Re-entry is open up to this round"),
    gettext_noop(
        "What a re-entry starts with: nothing (never better than the average), so many points or chips, its own "
        "score and so many more, or the score that the stage before asked for"
    ),
    gettext_noop("Points or chips of a re-entry"),
    gettext_noop("A re-entry has to start with this score or a better one; none: not asked for"),
    gettext_noop("House options of this stage over those of the tournament"),
    gettext_noop("What a late entry starts with: nothing, the average score, or the worst score and so many"),
    gettext_noop("Points over the worst score for a late entry"),
    gettext_noop("Late entries are taken up to this round"),
    gettext_noop(
        "Who leaves keeps what was played, and for the rest forfeits, gets the own average, or everything "
        "played is void"
    ),
    gettext_noop("A substitute plays for the seat's score, for the own, or the score is split at the change"),
    gettext_noop("What decides between level players, in this order"),
    gettext_noop("A deal counts at once, or when another seat or a second official has confirmed it"),
    gettext_noop("Played for training: never published, never settled"),
    gettext_noop("Where fixed amounts are more than the pool: they are scaled down, or the club adds the rest"),
    gettext_noop("What fixed amounts leave of the pool goes by the shares, or to the club's fund for guarantees"),
    gettext_noop(
        "Units that cannot be divided go to the largest remainders, and among level players by the order of "
        "seats; or all of them to the first place"
    ),
    gettext_noop("What the levy is called"),
    gettext_noop("The levy is taken on all that is paid in, or on the house fee"),
)
# What a format calls its stages, before anybody has named them otherwise.
STAGES = (
    gettext_noop("First round"),
    gettext_noop("Semi-final"),
    gettext_noop("Final"),
    gettext_noop("Table"),
    gettext_noop("Tables"),
    gettext_noop("Seven rounds"),
    gettext_noop("Round {number}"),
    gettext_noop("Level {number}"),
    gettext_noop("Final level"),
    gettext_noop("Session"),
)
FORMATS = (
    gettext_noop("One table"),
    gettext_noop("Everybody at one table until its game is over."),
    gettext_noop("48 to 24 to 6"),
    gettext_noop("Half of the field goes on, then a final table of six: the best of each table, then wild cards."),
    gettext_noop("Seven rounds of four"),
    gettext_noop("Everybody plays every round; points for the place at each table, so that tables of three are fair."),
    gettext_noop("Timed rounds"),
    gettext_noop("Four rounds of 45 minutes; the deal in play is finished, and the average per deal is compared."),
    gettext_noop("Winners go on"),
    gettext_noop("A straight tree: the winner of each table goes on until one table is left."),
    gettext_noop("Two of each table go on"),
    gettext_noop("A straight tree: the first two of each table go on until one table is left."),
    gettext_noop("As many deals as seats"),
    gettext_noop("Each table plays one deal for every seat, as big card rooms do; then a final of six."),
    gettext_noop("Levels with re-entry"),
    gettext_noop(
        "Points won and lost run on like chips; the lowest are out at each level, and may buy back in until "
        "the final level."
    ),
    gettext_noop("Points rummy session"),
    gettext_noop("Three hours at changing tables; every point counts."),
)
CASH = (
    gettext_noop("the till of {name}"),
    gettext_noop("the desk"),
    gettext_noop("the bank"),
    gettext_noop("the owner"),
    gettext_noop("the levy"),
    gettext_noop("counted"),
)
ACCOUNTS = (
    gettext_noop("player"),
    gettext_noop("prize pool"),
    gettext_noop("side pot"),
    gettext_noop("club fee"),
    gettext_noop("levy"),
    gettext_noop("guarantee"),
    gettext_noop("bank"),
    gettext_noop("owner"),
    gettext_noop("cash difference"),
    gettext_noop("write off"),
    gettext_noop("charge"),
    gettext_noop("award"),
    gettext_noop("fee"),
    gettext_noop("top up"),
    gettext_noop("transfer"),
    gettext_noop("difference"),
)
SETTLED = (
    gettext_noop("Total"),
    gettext_noop("open"),
    gettext_noop("closed"),
    gettext_noop("settling"),
    gettext_noop("settled"),
    gettext_noop("corrected"),
    gettext_noop("failed"),
    gettext_noop("cancelled"),
    gettext_noop("conflict"),
    gettext_noop("disputed"),
    gettext_noop("unconfirmed"),
    gettext_noop("yes"),
    gettext_noop("no"),
)
SAID: tuple[Form, ...] = (*TITLES, *CHOICES, *HELP, *STAGES, *FORMATS, *CASH, *ACCOUNTS, *SETTLED)
