"""How players say the options of Rummy Royal, and what is asked for at its tables.

Rules: docs/rules/rummy_royal.md, "House options". Knows nothing of where it is printed.
"""

from collections.abc import Iterator

from scoring.messages import Message, say, words
from scoring.options import Wording
from scoring.rules.variants.western.rummy_royal.options import RoyalOptions

WORDINGS: dict[str, Wording] = {
    "sequence": Wording(choices={"678": "6 7 8", "789": "7 8 9", "8910": "8 9 10"}),
    "auction_payee": Wording(
        choices={"dealer": words("the dealer"), "kitty": words("the kitty"), "pot": words("the pot")}
    ),
    "sequence_claim": Wording(
        words("The sequence box goes to"),
        choices={"first_to_play": words("whoever plays it first"), "shared": words("shared")},
    ),
    "end_remainder": Wording(
        words("Odd chips of the last deal"),
        choices={
            "descending_from_ace": words("one each, from the ace down"),
            "stay_with_house": words("the house keeps them"),
            "next_session": words("kept for the next time"),
        },
    ),
    "cannot_pay": Wording(
        words("A seat short of chips"),
        choices={
            "buy_more": words("it buys more"),
            "owe": words("it owes them"),
            "out": words("it pays what it has and is out"),
        },
    ),
}


def reminders(options: RoyalOptions) -> Iterator[Message]:
    """With how many chips a seat begins, and what it lays before each deal."""
    yield say("Every seat begins with {chips} chips.", chips=options.start_chips)
    ante = {"each": options.ante_each, "dealer": options.ante_dealer}
    yield say("Every box before each deal: {each} from a seat, {dealer} from the dealer.", **ante)
