"""How players say the options of Rummy 500, and what is asked for at its tables.

Rules: docs/rules/rummy500.md, "House options". Knows nothing of where it is printed.
"""

from collections.abc import Iterator

from scoring.messages import Message
from scoring.options import Wording
from scoring.rules.variants.western.rummy500.options import Rummy500Options
from scoring.rules.variants.western.words import deals_played, played_to, stock_runs_out

WORDINGS: dict[str, Wording] = {
    "end": Wording(
        "The game is played",
        choices={"target": "to a target", "rounds": "a fixed number of deals"},
    ),
    "tie": Wording(
        "Seats tied for first",
        choices={"play_on": "they play another deal", "share": "they share"},
    ),
    "stock_exhausted": Wording(
        "When the stock runs out",
        choices={"normal": "scored as usual", "no_hand_deduction": "cards in hand are not deducted"},
    ),
    "settlement": Wording(
        "Each seat pays at the end",
        choices={"none": "nothing is paid", "pay_difference": "the difference, to the winner"},
    ),
    "packs": Wording("Packs of 52 in play"),
    "joker_melded": Wording(
        "A melded joker counts",
        choices={"own_value": "its own value", "replaced_card": "that of the card it stands for"},
    ),
    "values": Wording(
        "Values of cards",
        choices={"face": "two to nine count their face", "5/10/15": "two to nine count 5"},
    ),
    "ace_low": Wording("What an ace melded below the two counts"),
    "rummy_in_pile": Wording(
        "Players may call rummy for a card that fits",
        choices={"off": "no", "any": "in the whole pile", "top_only": "on top only"},
    ),
}


def reminders(options: Rummy500Options) -> Iterator[Message]:
    """When the game is over, and what follows when the stock runs out."""
    yield played_to(options.target) if options.end == "target" else deals_played(options.rounds)
    yield stock_runs_out(WORDINGS["stock_exhausted"].said(options.stock_exhausted))
