"""What the judge says of cards: their names, groups and what breaks them, why a hand counts, what cannot be read."""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form, ngettext_noop

CARDS = (
    gettext_noop("spades"),
    gettext_noop("hearts"),
    gettext_noop("diamonds"),
    gettext_noop("clubs"),
    gettext_noop("ace"),
    gettext_noop("jack"),
    gettext_noop("queen"),
    gettext_noop("king"),
    gettext_noop("printed joker"),
    gettext_noop("the printed joker"),
    gettext_noop("a printed joker"),
    gettext_noop("Joker"),
    gettext_noop("{word} of {kind}"),
    gettext_noop("{word} of {kind}, wild"),
)
WILD = (
    gettext_noop("A printed joker was turned up: every ace is wild."),
    gettext_noop("A printed joker was turned up: only printed jokers are wild."),
    gettext_noop("No rank is wild; printed jokers are jokers."),
    gettext_noop("Every {word} is wild."),
    gettext_noop("{card} was turned up: every {word} is wild."),
)
GROUPS = (
    gettext_noop("Pure sequence"),
    gettext_noop("Sequence with a joker"),
    gettext_noop("Set"),
    gettext_noop("No group"),
    gettext_noop("Group {number}"),
    gettext_noop("Group {number}: {why}"),
    gettext_noop("group {number}"),
    gettext_noop("the hand"),
    gettext_noop("the loose cards"),
)
FAULTS = (
    ngettext_noop(
        "a group needs at least three cards, and here is {count}",
        "a group needs at least three cards, and here are {count}",
    ),
    ngettext_noop(
        "{count} card, but a set may have {most}, jokers included",
        "{count} cards, but a set may have {most}, jokers included",
    ),
    gettext_noop("{cards} is there twice, and a set needs different suits"),
    gettext_noop("{cards} is there twice, and a sequence has each card once"),
    gettext_noop("{card} and {other} is there twice, and a set needs different suits"),
    gettext_noop("{card} and {other} is there twice, and a sequence has each card once"),
    gettext_noop("a sequence does not go round from the king over the ace to the two"),
    gettext_noop("the ace lies before the two only, by the rules of this house"),
    gettext_noop("{card} and {other} share neither suit nor rank"),
    gettext_noop("the cards share neither suit nor rank"),
    gettext_noop("only jokers: no card stands for itself"),
    gettext_noop("{what} in {where}: {why}"),
    ngettext_noop("{count} joker", "{count} jokers"),
    ngettext_noop("{count} card", "{count} cards"),
    gettext_noop("at least one card must stand for itself"),
    gettext_noop("at least two cards must stand for themselves"),
    gettext_noop("jokers may not outnumber the other cards"),
    gettext_noop("no group holds so many"),
    gettext_noop("something is missing between {card} and {other}"),
    ngettext_noop(
        "something is missing between {card} and {other}, and {count} joker cannot fill it",
        "something is missing between {card} and {other}, and {count} jokers cannot fill it",
    ),
)
SHOWS = (
    gettext_noop("Every card lies in a group, two groups are sequences, and one of these is pure."),
    gettext_noop("Laid down like this in a losing hand, it would count {number}."),
    gettext_noop("{cards} in no group: a show uses all {number} cards"),
    gettext_noop("no sequence is without jokers; a show needs a pure one"),
    gettext_noop("one sequence; a show needs two, one of them pure"),
    gettext_noop("no sequence; a show needs two, one of them pure"),
)
REFUSED = (
    ngettext_noop("{count} card, but a hand has {most}", "{count} cards, but a hand has {most}"),
    ngettext_noop(
        "{card} is there {count} time, but the packs hold {most}",
        "{card} is there {count} times, but the packs hold {most}",
    ),
    gettext_noop("Too much text for {where}: thirteen cards fit in {number} characters."),
    gettext_noop("{cards} in {where} is no card: write rank then suit, such as 7H or 10♠, or PJ for a printed joker."),
    gettext_noop(
        "{cards} in {where} are no cards: write rank then suit, such as 7H or 10♠, or PJ for a printed joker."
    ),
    gettext_noop(
        "{cards} and more in {where} are no cards: write rank then suit, such as 7H or 10♠, or PJ for a printed joker."
    ),
    gettext_noop("{number} cards in {where}; more than {most} are not read"),
    gettext_noop("option {option} cannot be {value}: use one of {choices}"),
    gettext_noop("option {option} cannot be {value}: a whole number from {first} to {last}"),
)
HOUSE = (
    gettext_noop("Most points a losing hand can cost; none: no maximum"),
    gettext_noop("Most copies of one card"),
)
SAID: tuple[Form, ...] = (*CARDS, *WILD, *GROUPS, *FAULTS, *SHOWS, *REFUSED, *HOUSE)
