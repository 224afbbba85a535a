"""What a table's log refuses, and Indian sheets with it."""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form, ngettext_noop

# Whose sentence it is, or where it stands; the sentence has a form of its own.
PLACED = (
    gettext_noop("{seat}: {why}"),
    gettext_noop("seat {number}: {why}"),
    gettext_noop("table {table}: {why}"),
    gettext_noop("stage {number}: {why}"),
    gettext_noop("row {number}: {why}"),
    gettext_noop("line {number}: {why}"),
)
LOG = (
    gettext_noop("the table is {word}; only corrections can follow"),
    gettext_noop("deal {deal} is already recorded; correct it, or record deal {number}"),
    gettext_noop("deal {deal} cannot follow: the next deal is {number}"),
    gettext_noop("deal {deal} was never recorded"),
    gettext_noop("deal {deal} is void already"),
    gettext_noop("deal {deal} does not stand on the sheet"),
    gettext_noop("nobody disputes deal {deal}"),
    gettext_noop("deal {deal} is disputed: it waits for the director"),
    gettext_noop("deal {deal} needs no further word"),
    gettext_noop("deal {deal} is disputed: the director settles it first"),
    gettext_noop("deal {deal} has not been confirmed by anybody else"),
    gettext_noop("the table has a result: close it instead"),
    gettext_noop("deals of this table are paid one by one: close it, and open another"),
    gettext_noop("there is no act at version {number} to withdraw; deals are corrected or voided"),
    gettext_noop("the split was agreed on other totals than those of the sheet"),
    gettext_noop("the split was agreed on other totals; a director must withdraw it, or correct the deal"),
    gettext_noop("say why: this needs a reason"),
)
# What only a machine sends has the words of its fields, which stay as they are.
READ = (
    gettext_noop("an event must be a JSON object"),
    gettext_noop("an object names the field {typed} twice"),
    gettext_noop("there is no event {typed}; use one of {list}"),
    gettext_noop("this event has no field {name}"),
    gettext_noop("{name} needs the field {typed}"),
    gettext_noop("{name} cannot be {value}: {why}"),
    gettext_noop("{name} cannot be {value}: {error}"),
    gettext_noop("a reason has at most {most} characters"),
    gettext_noop("the event holds half a character, which no text can keep"),
    gettext_noop("there is no seat {seat} at this table"),
    gettext_noop("there is no seat {typed} at this table; the seats are {list}"),
    gettext_noop("a deal needs outcomes: one entry for each seat"),
    gettext_noop("a deal has one outcome for each seat, not {number}"),
    gettext_noop("{seat} needs an outcome object"),
    gettext_noop("{seat} needs to say how the deal ended for them"),
    gettext_noop("{seat}: {typed} is no outcome; use one of {list}"),
    gettext_noop("{seat}: {name} cannot be {value} ({why})"),
    gettext_noop("{seat}: {name} cannot be {value} ({error})"),
    gettext_noop("no hand counts as much"),
    gettext_noop("a list of up to {number} groups is needed"),
    gettext_noop("a deal cannot have ended as {typed}; use one of {list}"),
    gettext_noop("{word} has no field {name}"),
    gettext_noop("a deal"),
    gettext_noop("an outcome"),
    gettext_noop("{word}: {typed} is not a whole number"),
    gettext_noop("{seat}: {typed} is not a whole number"),
    gettext_noop("{seat}, {word}: {typed} is not a whole number"),
    gettext_noop("there is no variant {typed}; this service knows {list}"),
    gettext_noop("there is no option {typed}; the options are {list}"),
    gettext_noop("option {option} cannot be {value}: {error}"),
    gettext_noop("option {option} holds a sign that cannot be stored; type it anew"),
    gettext_noop("{name} has no place in {kind}"),
)
CARDS = (
    gettext_noop("{name} must be cards as text or a list of them, not {typed}"),
    gettext_noop("wild must be a rank ({list}), a card, PJ or null, not {typed}"),
    gettext_noop("wild must be a rank ({list}), a card or PJ, not {typed}"),
    gettext_noop("{typed} in {name} is not a card: write rank then suit, such as 7H or 10S, or PJ for a joker"),
    gettext_noop("{number} cards in {name}; more than {most} are not read"),
    gettext_noop("{card} cannot be there: gin is played with one pack and no jokers"),
    gettext_noop("{card} is there more than once, but gin is played with one pack"),
    ngettext_noop(
        "{card} is laid {count} time, but the hand holds {most}",
        "{card} is laid {count} times, but the hand holds {most}",
    ),
    gettext_noop("an empty group: {why}"),
    gettext_noop("a group needs at least three cards"),
    gettext_noop("a set may have no more than {most} cards, jokers included"),
    gettext_noop("a set may not hold two cards of one suit"),
    gettext_noop("the cards are not consecutive, or one of them is there twice"),
    gettext_noop("the cards are neither of one suit nor of one rank"),
    gettext_noop("no card stands for itself"),
    gettext_noop("the house does not allow so many jokers in one group"),
    gettext_noop("the ace lies below the two only"),
)
OUTCOMES = (
    gettext_noop("{seat} is still in, but has no outcome"),
    gettext_noop("{seat} is already out and cannot score"),
    gettext_noop("{number} of {of} seats took part; a deal needs at least two"),
    gettext_noop("{seat}: “{word}” takes no cards; they are written down for a show or a loss"),
    gettext_noop("{seat}: “{word}” has a fixed price; the sheet says {number}"),
    gettext_noop("{seat} dropped, but this table plays without drops"),
    gettext_noop("{seat} has a half count, but this table does not halve counts"),
    gettext_noop("{seat} has cards and a count of {number}: enter one of the two"),
    gettext_noop("{seat} lost, but no count was entered"),
    gettext_noop("{seat} has {number}; a count cannot be negative"),
    gettext_noop("{seat} has {number}; {of} cards never count more than {most}"),
    gettext_noop("{seat} has {number}, but a hand never costs more than {most}"),
    gettext_noop("{seat} has a wrong show, but these cards make a valid one: leave them out if it was wrong otherwise"),
    gettext_noop("{seat} won the deal, so 0; the sheet says {number}"),
)
ENDINGS = (
    gettext_noop("nobody won this deal: one seat must show or stand last"),
    gettext_noop("{seat} is a second winner; a deal has only one"),
    gettext_noop("{seat} held cards at a show, but the winner is entered as the last one standing"),
    gettext_noop("at this table a wrong show ends the deal: enter it as ended by the wrong show"),
    gettext_noop("{seat} cannot win: the deal ended without a show"),
    gettext_noop("this table does not count hands when the stock runs out"),
    gettext_noop("only a wrong show ends a deal in this way, and nobody has one"),
    gettext_noop("nobody held cards at the end, so the last one standing won"),
)
SET_UP = (
    gettext_noop("{kind} is for {first} to {last} seats, not {number}"),
    gettext_noop("{kind} is for {list} seats, not {number}"),
    gettext_noop("a first drop ({first}) cannot cost more than a middle drop ({last})"),
    gettext_noop("a middle drop ({first}) cannot cost more than a full count ({last})"),
    ngettext_noop(
        "{of} seats need {most} cards; {count} pack holds {total}",
        "{of} seats need {most} cards; {count} packs hold {total}",
    ),
    gettext_noop("the least house fee is more than the most"),
    gettext_noop("seat {place} is given {number} times"),
    gettext_noop("round {round} has a table {table} already"),
    gettext_noop("the tournament is closed"),
    gettext_noop("seat {number}: {name}: {why}"),
)
COURSE = (
    gettext_noop("{seat} has left already"),
    gettext_noop("{seat} is already out"),
    gettext_noop("{seat} is the last one at the table"),
    gettext_noop("only one seat is left at the table: nobody to play with"),
    gettext_noop("the table was decided in deal {deal}"),
    gettext_noop("all deals are played; level seats play a tie-break"),
    gettext_noop("only {number} of {of} deals played: an extra deal comes after the last"),
    gettext_noop("nobody is level at the top, or the house does not break ties by an extra deal"),
    gettext_noop("the pot is split: a penalty cannot follow"),
)
UNREADABLE = (
    gettext_noop("fact {number} cannot be read: a director leaves it out first, which cancels the table"),
    gettext_noop("fact {number} of the tournament cannot be read: the director leaves it out first"),
    gettext_noop("line {number} of the book cannot be read: the director leaves it out first"),
)
CLOSING = (
    gettext_noop("{number} seats are still in: play on, agree on a split, or cancel the table"),
    gettext_noop("{number} seats are still in: play on, say that time was called, or cancel the table"),
    gettext_noop("{number} seats are level at the top: an extra deal decides"),
    gettext_noop("only {number} of {of} deals played"),
    gettext_noop("the table plays for a pot, and time decides none: {why}"),
    gettext_noop("no deal counts at this table: cancel it instead"),
)
STAKES = (
    gettext_noop("{seat} holds {amount}, and a full count costs {other}: buy in or sit out"),
    gettext_noop("{seat} buys in for {amount}; the least is {other}"),
    gettext_noop("{seat} can rejoin only after going out by score, before the next deal"),
    gettext_noop("{seat} cannot rejoin: the highest total is {total}, above {most}"),
    gettext_noop("{seat} cannot rejoin: {number} left in, so the game is over"),
    ngettext_noop(
        "{seat} has rejoined {count} time; this table allows {most}",
        "{seat} has rejoined {count} times; this table allows {most}",
    ),
    gettext_noop("{seat} cannot rejoin: no rejoin from an entry fee of {amount} on"),
    gettext_noop("this table does not split by agreement"),
    ngettext_noop(
        "{count} seat is in; a split is for two or three",
        "{count} seats are in; a split is for two or three",
    ),
    gettext_noop("all {number} seats are still in; a split needs fewer than started"),
    gettext_noop("drops left differ by {number}; this table splits among three up to {most}"),
    gettext_noop("after equalising drops the pot would hold {amount}; a split needs {other}"),
)
MOVES = (ngettext_noop("{count} deal", "{count} deals"),)
SAID: tuple[Form, ...] = (
    *(*PLACED, *LOG, *READ, *CARDS, *OUTCOMES),
    *(*ENDINGS, *SET_UP, *COURSE, *CLOSING, *STAKES, *MOVES, *UNREADABLE),
)
