"""What sheets of the other games refuse."""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form, ngettext_noop

# What a sheet may hold is told by the names of its fields, which stay as they are.
READ = (
    gettext_noop("{name} cannot be {what}: {kind} is needed"),
    gettext_noop("true or false"),
    gettext_noop("a whole number"),
    gettext_noop("a list of seats"),
    gettext_noop("an object with one entry for each seat"),
    gettext_noop("an object"),
    gettext_noop("a list"),
    gettext_noop("a number with far too many digits"),
    gettext_noop("{name} cannot be {what}; use one of {list}"),
    gettext_noop("{name} is {what}; it cannot be negative"),
    gettext_noop("{name} of {seat} is {what}; it cannot be negative"),
    gettext_noop("{name} is {what}; no deal is worth as much"),
    gettext_noop("{name} of {seat} is {what}; no deal is worth as much"),
    gettext_noop("{seat}: that is more than a hand of cards"),
    gettext_noop("a deal of this game needs the field {name}"),
    gettext_noop("a deal of this game has no field {name}"),
)
SHEETS = (
    gettext_noop("{seat} is out, or does not play this deal, and cannot score"),
    gettext_noop("nobody is left to play with"),
    gettext_noop("{seat} did not go out, but no count was entered"),
    gettext_noop("{seat} has 0, but only a seat that went out holds no card"),
    gettext_noop("{seat} has {number}; a hand never costs more than {most} here"),
    gettext_noop("{seat} went out, but the sheet has cards left for that seat"),
    gettext_noop("{seat} went out, so 0; the sheet says {number}"),
    gettext_noop("{seat} holds {card}: the hands show it {number} times, and the packs hold {most}"),
    gettext_noop("{seat} holds {number} cards; {of} were dealt, and a hand does not grow"),
    gettext_noop("the counts make {sum}; {of} hands of {number} cards never make more than {most}"),
)
COURSE = (
    gettext_noop("the table was decided in deal {deal}; level seats play a tie-break"),
    gettext_noop(
        "an extra deal is played when enough is played and seats are level at the top, where the house says so"
    ),
    gettext_noop("{seat} has left, or is out"),
    ngettext_noop(
        "{count} deal is played and nobody has won: play on, say that time was called, or cancel",
        "{count} deals are played and nobody has won: play on, say that time was called, or cancel",
    ),
    gettext_noop("{word} needs the value of a point, more than 0"),
    gettext_noop("rum for cash"),
    gettext_noop("paying points"),
    gettext_noop("paying the difference"),
)
RUM = (
    gettext_noop("rum for cash is played for a fixed number of deals, not to a target"),
    gettext_noop("where only winners score, a blocked deal must have one: all_penalty would score nobody"),
    gettext_noop("{name} leaves points that nobody pays or collects: money needs the differences"),
    gettext_noop("nobody went out, but this table reshuffles the stock and plays on"),
    gettext_noop("nobody went out, so nobody went rummy"),
)
RUMMY_500 = (
    ngettext_noop(
        "{of} seats are dealt {most} cards; {count} pack holds {total}",
        "{of} seats are dealt {most} cards; {count} packs hold {total}",
    ),
    gettext_noop("{seat}: what was melded is missing; enter 0 for nothing"),
    gettext_noop("{seat} went out with nothing melded: enter what was laid down, or who else went out"),
    gettext_noop("{seat} went out, so nothing in hand; the sheet says {number}"),
    gettext_noop("{seat} has cards and a number of {number}: enter one of the two"),
    gettext_noop("{seat} did not go out, but what is in hand is missing"),
    gettext_noop("{seat} has 0 in hand, but only a seat that went out, or floats, holds no card"),
    gettext_noop("{number} melded and {of} in hand: the packs in play hold {most}"),
)
ROMME = (
    gettext_noop("match points are no points that a loser owes: they cannot be paid"),
    gettext_noop("a smaller count cannot be worth fewer match points"),
    gettext_noop("nobody went out; when the stock runs out this table plays on"),
    gettext_noop("nobody went out; when the stock runs out this table plays the round again, and records only that"),
    gettext_noop("nobody went out, so nobody laid everything down"),
    gettext_noop("{seat} went out, and so has melded"),
    gettext_noop("casino scoring needs the value of the cards that the winner laid"),
    gettext_noop("{seat} laid {number}; a first meld needs {first}, and all cards are worth {most}"),
    gettext_noop("{seat} has melded, so it was no hand romme at this table"),
)
GIN = (
    gettext_noop("without partners two seats play, with partners four or six, not {number}"),
    gettext_noop("a spade can only double where a card is turned up: that is Oklahoma gin"),
    ngettext_noop(
        "{count} deal is played and no side has reached the target in every game",
        "{count} deals are played and no side has reached the target in every game",
    ),
    gettext_noop("hand {number}: {why}"),
    gettext_noop("hands must be a list of 1 to {most} hands"),
    gettext_noop("hand {number} must be an object, not {what}"),
    gettext_noop("the hand must be an object, not {what}"),
    gettext_noop("upcard must be a card or a rank, not {what}"),
    gettext_noop("hands in a deal of {of} seats: {most}; on this sheet: {number}"),
    gettext_noop("{seat} plays one hand in a deal, not two"),
    gettext_noop("{seat} knocked, but it is not said against whom"),
    gettext_noop("{seat} cannot play against this seat: they are partners"),
    gettext_noop("nobody knocked, so this cannot have been {word}"),
    gettext_noop("a knock"),
    gettext_noop("what {seat} held after laying off is missing"),
    gettext_noop("what the opponent held after laying off is missing"),
    gettext_noop("{seat} has {number}; ten cards never count more than {most}"),
    gettext_noop("the opponent has {number}; ten cards never count more than {most}"),
    gettext_noop("{number} further boxes for one hand are too many"),
    gettext_noop("the hand was dead, so nobody knocked and nothing is counted"),
    gettext_noop("this table does not play big gin: enter it as gin"),
    gettext_noop("{seat} went gin, so no deadwood; the sheet says {number}"),
    gettext_noop("{seat} knocked, but the deadwood is missing"),
    gettext_noop("{seat} knocked with no deadwood: that is gin"),
    gettext_noop("{seat} knocked with {number}; the limit is {most}: play goes on, note an illegal knock"),
    gettext_noop("the card turned up sets the knock limit here"),
    gettext_noop("a spade turned up doubles here, and {card} says no suit"),
)
ROYAL = (
    gettext_noop("a seat needs {number} chips for the first ante, and is out when it cannot pay"),
    ngettext_noop(
        "{seat} is {count} chip short: buy at least that many, and note them as bought",
        "{seat} is {count} chips short: buy at least that many, and note them as bought",
    ),
    ngettext_noop(
        "{seat} holds {count} chip, and the penalty is {points}",
        "{seat} holds {count} chips, and the penalty is {points}",
    ),
    gettext_noop("the board was dealt out in deal {deal}"),
    gettext_noop("chips have no value at this table: note them as bought on the sheet of a deal"),
    gettext_noop("the amount is no whole number of chips: too much for {number}, too little for {most}"),
    ngettext_noop(
        "{count} chip lies on the board: play the last deal to divide the board",
        "{count} chips lie on the board: play the last deal to divide the board",
    ),
    gettext_noop("boxes must be an object: each box that was won, with the seat that won it"),
    gettext_noop("last_hearts must be an object: each of {list}, with the seat it was dealt to"),
    gettext_noop("it is not said who was dealt {card}: the cards go round until all five are out"),
    gettext_noop("{value} is none of {list}; kitty and pot follow from who went out and who dealt"),
    gettext_noop("who dealt is missing: the pot depends on it"),
    gettext_noop("{seat} is out, or does not play this deal"),
    gettext_noop("the sequence box of this table is {name}, not {value}"),
    gettext_noop("{seat}: {name} can only be won by one seat"),
    gettext_noop("{seat} has king and queen together, but not both of their boxes in this deal"),
    gettext_noop("{seat} went out, so no card is left; the sheet says {number}"),
    gettext_noop("{seat} did not go out, but the cards left are missing"),
    gettext_noop("{seat} has no card left, but did not go out"),
    gettext_noop("{seat} has {number} cards left; {most} were dealt at most"),
    gettext_noop("{number} cards are left; with a dead hand of {of} that is more than a pack"),
    gettext_noop("the extra hand was not sold, so it has no buyer and no price"),
    gettext_noop("the extra hand was sold: to whom?"),
    gettext_noop("{seat} dealt, and would have taken the extra hand for nothing"),
    gettext_noop("the extra hand was sold: for how many chips?"),
    gettext_noop("{seat}: {number} chips a box; {most} at most"),
    gettext_noop("{seat} is out, and is dealt no card"),
    gettext_noop("the last deal only divides the board: nobody wins boxes, goes out or pays in it"),
)
SAID: tuple[Form, ...] = (*READ, *SHEETS, *COURSE, *RUM, *RUMMY_500, *ROMME, *GIN, *ROYAL)
