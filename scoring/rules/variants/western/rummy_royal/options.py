"""House options of Rummy Royal, and the boxes of its board.

Rules: docs/rules/rummy_royal.md, sections 2 (the board) and 7 (options). Knows nothing of sheets.
"""

from typing import Annotated, Literal

from msgspec import Meta

from scoring.options import Options
from scoring.rules.table.variant import Preset

HEARTS = ("10H", "JH", "QH", "KH", "AH")


KING_AND_QUEEN, KITTY, POT = "KQ", "kitty", "pot"


SEQUENCES = ("678", "789", "8910")


BOXES_ON_BOARD = 9


BOX_NAMES = {
    **{heart: f"{heart[:-1]}\u2665" for heart in HEARTS},
    KING_AND_QUEEN: "K\u2011Q\u2665",
    **{sequence: "\u2011".join((*sequence[:2], sequence[2:])) for sequence in SEQUENCES},
    KITTY: "Kitty",
    POT: "Pot",
}


PACK = 52


class RoyalOptions(Options, frozen=True, kw_only=True):
    """House options of a Rummy Royal table."""

    sequence: Annotated[
        Literal["678", "789", "8910"], Meta(description="The three cards of one suit that have a box of their own")
    ] = "678"
    start_chips: Annotated[int, Meta(ge=0, le=100_000, description="Chips that every seat buys at the start")] = 100
    ante_each: Annotated[int, Meta(ge=0, le=10, description="Chips that a seat lays into every box before a deal")] = 1
    ante_dealer: Annotated[int, Meta(ge=0, le=10, description="Chips that the dealer lays into every box")] = 1
    auction_payee: Annotated[
        Literal["dealer", "kitty", "pot"], Meta(description="Who gets the price of the extra hand")
    ] = "dealer"
    sequence_claim: Annotated[
        Literal["first_to_play", "shared"],
        Meta(description="The sequence box goes to the first who plays it, or is shared, odd chips staying in it"),
    ] = "first_to_play"
    end_remainder: Annotated[
        Literal["descending_from_ace", "stay_with_house", "next_session"],
        Meta(description="Odd chips of the last deal: one each from the ace down, the house's, or kept for next time"),
    ] = "descending_from_ace"
    cannot_pay: Annotated[
        Literal["buy_more", "owe", "out"],
        Meta(description="A seat short of chips buys more, owes them, or pays what it has and is out"),
    ] = "buy_more"

    @property
    def boxes(self) -> tuple[str, ...]:
        """The nine boxes in the order in which they stand on the board."""
        return (*HEARTS, KING_AND_QUEEN, self.sequence, KITTY, POT)

    def ante(self, *, deals: bool) -> int:
        """What a seat lays into one box."""
        return self.ante_dealer if deals else self.ante_each


def hand_sizes(seats: int) -> tuple[int, ...]:
    """The cards of each hand: one hand more than seats, the first ones dealt having one card more."""
    part, left = divmod(PACK, seats + 1)
    return tuple(part + (1 if place < left else 0) for place in range(seats + 1))


# Rummy Royal as people play it: on its own board, on boards of the Tripoley family, and with other antes.


RUMMY_ROYAL = (
    Preset(
        name="rummy_royal",
        title="Rummy Royal, board 6-7-8",
        options={"sequence": "678", "sequence_claim": "first_to_play"},
        note="As its page prints it. The page is silent on who gets the price of the extra hand (here the dealer), on "
        "odd chips at the end, and on how many chips a seat starts with.",
    ),
    Preset(
        name="rummy_royal_8910",
        title="Rummy Royal on a Tripoley board 8-9-10",
        options={"sequence": "8910", "sequence_claim": "first_to_play"},
        note="The page of Rummy Royal lets any board be used. Poker and the four aces in the corners are not played.",
    ),
    Preset(
        name="tripoley_8910",
        title="Tripoley family, 8-9-10 is shared",
        options={"sequence": "8910", "sequence_claim": "shared"},
        note="Published for Tripoley: all who hold the sequence share its box, odd chips stay. Not verified: all else "
        "as in Rummy Royal, without poker.",
    ),
    Preset(
        name="michigan_789",
        title="Michigan rummy board 7-8-9",
        options={"sequence": "789", "ante_each": 1, "ante_dealer": 2, "auction_payee": "dealer"},
        note="Published by livestrongbay.blogspot.com: 7-8-9 of one suit, the dealer lays two chips a box and keeps "
        "the price of the extra hand. Not set here: its board pays other jacks and kings, ours hearts.",
    ),
    Preset(
        name="rummy_royal_dealer_double",
        title="Rummy Royal, the dealer lays two chips a box",
        options={"sequence": "678", "ante_each": 1, "ante_dealer": 2},
        note="The ante as michigan-rummy-rules.com prints it. All else as in Rummy Royal.",
    ),
)
