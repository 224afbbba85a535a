"""How players say the options of deals rummy, and what is asked for at its tables.

Rules: docs/rules/deals.md, "House options". Knows nothing of where it is printed.
"""

from collections.abc import Iterator

from scoring.messages import Message, say, say_many
from scoring.options import Wording
from scoring.rules.variants.indian.deals.options import DealsOptions

WORDINGS: dict[str, Wording] = {
    "deals": Wording("Deals to play"),
    "tiebreak": Wording(
        "Equal chips at the top",
        choices={
            "extra_deal": "an extra deal",
            "most_deals_won": "most deals won",
            "share": "they share",
        },
    ),
    "second_prize_bp": Wording("Second prize, of the pot less the fee"),
}


def reminders(options: DealsOptions) -> Iterator[Message]:
    """How many deals are played, with how many chips, and what follows where seats are level."""
    deals = options.deals
    played = say_many("{number} deal is played", "{number} deals are played", count=deals, number=deals)
    chips = say("with {chips} chips each to begin with.", chips=deals * options.chips_per_deal)
    yield Message("{deals} {chips}", {"deals": played, "chips": chips})
    yield say("Level at the top: {how}.", how=WORDINGS["tiebreak"].said(options.tiebreak))
