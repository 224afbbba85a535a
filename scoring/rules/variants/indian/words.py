"""How players say the options of a deal of Indian rummy, and what is asked for at its tables.

Rules: docs/rules/indian.md, "House options". Knows nothing of where it is printed.
"""

from collections.abc import Iterator

from scoring.messages import Message, say, say_many
from scoring.options import Wording
from scoring.rules.variants.indian.outcomes import DealOptions

WORDINGS: dict[str, Wording] = {
    "ace": Wording("Aces in sequences", choices={"both": "low or high", "low": "low only"}),
    "joker_rule": Wording(
        choices={
            "one_natural": "at least one card stands for itself",
            "any": "any number",
            "half": "no more jokers than other cards",
            "two_natural": "at least two cards stand for themselves",
        }
    ),
    "printed_as_wild": Wording(choices={"aces": "the aces too", "printed_only": "printed jokers alone"}),
    "leave_after_draw": Wording(choices={"middle_drop": "a middle drop", "full": "a full count"}),
    "wrong_show_continues": Wording("After a wrong show the others play on"),
    "stock_exhausted": Wording(
        "When the stock runs out",
        choices={
            "reshuffle": "the discards are shuffled and play goes on",
            "void": "the deal is cancelled",
            "count_now": "hands are counted, the lowest wins",
        },
    ),
    "count_mode": Wording(
        "Hands that are entered as cards count",
        choices={"declared": "as the player laid them down", "optimal": "at their best arrangement"},
    ),
    "packs": Wording("Packs of 52 in play"),
}


def deal_reminders(options: DealOptions) -> Iterator[Message]:
    """What is asked for at a table of whichever form."""
    if options.wrong_show_continues:
        yield say("After a wrong show the others play on.")
    else:
        yield say("A wrong show ends the deal: the others score nothing.")
    misses = options.misses_limit
    yield say_many(
        "{number} missed turn is a middle drop.",
        "{number} missed turns in a row are a middle drop.",
        count=misses,
        number=misses,
    )
    yield say("When the stock runs out: {how}.", how=WORDINGS["stock_exhausted"].said(options.stock_exhausted))


def prices_in_short(options: DealOptions) -> Iterator[Message]:
    """What drops, wrong shows and hands cost."""
    if options.drop_allowed:
        first, middle = options.first_drop, options.middle_drop
        yield say("A first drop costs {first} points, a middle drop {middle}.", first=first, middle=middle)
    else:
        yield say("No drops.")
    wrong, cap = options.wrong_show, options.cap
    yield say("A wrong show costs {wrong} points, and no hand more than {cap}.", wrong=wrong, cap=cap)
