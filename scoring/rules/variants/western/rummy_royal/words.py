"""How players say the options of Rummy Royal, and what is asked for at its tables.

Rules: docs/rules/rummy_royal.md, "House options". Knows nothing of where it is printed.
"""

from collections.abc import Iterator

from scoring.messages import Message, say
from scoring.options import Wording
from scoring.rules.variants.western.rummy_royal.options import RoyalOptions

WORDINGS: dict[str, Wording] = {
    "sequence": Wording(choices={"678": "6 7 8", "789": "7 8 9", "8910": "8 9 10", "none": "no such box"}),
    "board": Wording("Cards with a box"),
    "corner_aces": Wording("Aces in the corners have a box"),
    "pot_goes_to": Wording(
        "The pot goes to",
        choices={
            "dealer": "a dealer who goes out",
            "poker": "the best poker hand",
            "none": "nobody: there is no pot",
        },
    ),
    "has_kitty": Wording("There is a kitty"),
    "max_buy_ins": Wording("How often a seat may buy chips after the start", unset="no limit"),
    "auction_payee": Wording(choices={"dealer": "the dealer", "kitty": "the kitty", "pot": "the pot"}),
    "sequence_claim": Wording(
        "The sequence box goes to",
        choices={"first_to_play": "the first to play it", "shared": "shared"},
    ),
    "end_remainder": Wording(
        "Odd chips of the last deal",
        choices={
            "descending_from_ace": "one each, from the ace down",
            "stay_with_house": "the house keeps them",
            "next_session": "kept for the next time",
        },
    ),
    "cannot_pay": Wording(
        "A seat short of chips",
        choices={
            "buy_more": "it buys more",
            "owe": "it owes them",
            "out": "it pays what it has and is out",
        },
    ),
}


def reminders(options: RoyalOptions) -> Iterator[Message]:
    """With how many chips a seat begins, and what it lays before each deal."""
    yield say("Every seat begins with {chips} chips.", chips=options.start_chips)
    if options.plays_poker:
        yield say("The best poker hand takes the pot.")
    each, dealer = options.ante_each, options.ante_dealer
    yield say("Every box before each deal: {each} from a seat, {dealer} from the dealer.", each=each, dealer=dealer)
