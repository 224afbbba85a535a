"""What a form for a deal asks: its fields, what each takes, and what it means that nobody is named."""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form

FIELDS = (
    gettext_noop("Dealer"),
    gettext_noop("Whoever holds no card any more"),
    gettext_noop("Cards in hand"),
    gettext_noop("Instead of a number, as in 7H QS AD: the house's values are then added up"),
    gettext_noop("Count"),
    gettext_noop("How it ended"),
    gettext_noop("How the deal ended"),
    gettext_noop("Wild card"),
    gettext_noop("A rank or the card turned up"),
    gettext_noop("Played out"),
    gettext_noop("Stock ran out, hands counted"),
    gettext_noop("Stopped by a wrong show"),
    gettext_noop("Nobody: the stock ran out"),
    gettext_noop("Nobody: the deal is blocked"),
    gettext_noop("Nobody: play stuck"),
)
RUM = (
    gettext_noop("All cards still held: {values}"),
    gettext_noop("All cards still held, melds among them too: {values}"),
    gettext_noop("The whole hand in one turn, after no earlier meld: the deal counts {number} times"),
    gettext_noop("Melded"),
    gettext_noop("Value of the cards laid down, those laid off on other melds too; 0 for nothing"),
    gettext_noop("In hand"),
    gettext_noop("Value of the cards left, melds not laid down too: {values}"),
)
ROMME = (
    gettext_noop("Each of them pays {points} and needs no count"),
    gettext_noop("Needed where somebody went out; the winner gets it besides"),
    gettext_noop("Value of the cards the winner laid"),
    gettext_noop("All cards laid down in one turn: the round counts {number} times"),
    gettext_noop("All cards laid down in one turn: worth {points} match points"),
    gettext_noop("All cards laid down in one turn while nobody else had melded: the round counts {number} times"),
    gettext_noop("All cards laid down in one turn while nobody else had melded: worth {points} match points"),
)
GIN = (
    gettext_noop("Card turned up"),
    gettext_noop("It sets the knock limit; the card with its suit: a spade doubles"),
    gettext_noop("It sets the knock limit; the card, or its rank"),
    gettext_noop("Knocked over the limit"),
    gettext_noop("Play went on with that hand face up; it is kept, and scores nothing"),
    gettext_noop("Hand {number}"),
    gettext_noop("Knocked"),
    gettext_noop("Whoever laid the hand down first"),
    gettext_noop("Against"),
    gettext_noop("Not a partner"),
    gettext_noop("How"),
    gettext_noop("Left open: a knock, or gin where the knocker has 0"),
    gettext_noop("Deadwood of the knocker"),
    gettext_noop("Deadwood of the opponent"),
    gettext_noop("What is left after laying off; after gin nothing is laid off"),
    gettext_noop("Further boxes"),
    gettext_noop("Only boxes that were agreed on besides those of the house"),
    gettext_noop("No more than the card turned up, {most} at most; an ace means gin alone"),
    gettext_noop("No more than the card turned up, {most} at most; an ace means {points}"),
    gettext_noop("{most} at most; 0 for gin"),
)
ROYAL = (
    gettext_noop("Boxes won"),
    gettext_noop("With the queen also king and queen together: {number} chips"),
    gettext_noop("All three cards of one suit"),
    gettext_noop("Last deal of the evening: who was dealt"),
    gettext_noop("All five, and nothing else on the sheet"),
    gettext_noop("Kitty {first}, pot {last} chips: the dealer who goes out takes both"),
    gettext_noop("Cards left"),
    gettext_noop("One chip each"),
    gettext_noop("Extra hand"),
    gettext_noop("Not sold"),
    gettext_noop("Taken by the dealer"),
    gettext_noop("Sold"),
    gettext_noop("Bought by"),
    gettext_noop("Not the dealer"),
    gettext_noop("Price in chips"),
    gettext_noop("Before this deal, beyond those of the start"),
    gettext_noop("Chips a box"),
    gettext_noop("Where a seat laid more or fewer than the house's ante"),
)
SAID: tuple[Form, ...] = (*FIELDS, *RUM, *ROMME, *GIN, *ROYAL)
