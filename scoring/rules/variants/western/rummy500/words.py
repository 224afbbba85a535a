"""How players say the options of Rummy 500, and what is asked for at its tables.

Rules: docs/rules/rummy500.md, "House options". Knows nothing of where it is printed.
"""

from collections.abc import Iterator

from scoring.messages import Message, words
from scoring.options import Wording
from scoring.rules.variants.western.rummy500.options import Rummy500Options
from scoring.rules.variants.western.words import deals_played, played_to, stock_runs_out

WORDINGS: dict[str, Wording] = {
    "end": Wording(
        words("The game is played"),
        choices={"target": words("to a target"), "rounds": words("a fixed number of deals")},
    ),
    "tie": Wording(
        words("Seats level at the top"),
        choices={"play_on": words("they play another deal"), "share": words("they share")},
    ),
    "stock_exhausted": Wording(
        words("When the stock runs out"),
        choices={"normal": words("scored as usual"), "no_hand_deduction": words("cards in hand are not deducted")},
    ),
    "settlement": Wording(
        words("Each seat pays at the end"),
        choices={"none": words("nothing is paid"), "pay_difference": words("the difference, to the winner")},
    ),
    "packs": Wording(words("Packs of 52 in play")),
    "joker_melded": Wording(
        words("A melded joker counts"),
        choices={"own_value": words("its own value"), "replaced_card": words("that of the card it stands for")},
    ),
    "values": Wording(
        words("Values of cards"),
        choices={"face": words("two to nine count their face"), "5/10/15": words("two to nine count 5")},
    ),
    "ace_low": Wording(words("What an ace melded below the two counts")),
    "rummy_in_pile": Wording(
        words("Players may call rummy for a card that fits"),
        choices={"off": words("no"), "any": words("in the whole pile"), "top_only": words("on top only")},
    ),
}


def reminders(options: Rummy500Options) -> Iterator[Message]:
    """When the game is over, and what follows when the stock runs out."""
    yield played_to(options.target) if options.end == "target" else deals_played(options.rounds)
    yield stock_runs_out(WORDINGS["stock_exhausted"].said(options.stock_exhausted))
