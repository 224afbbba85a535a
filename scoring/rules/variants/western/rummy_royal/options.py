"""House options of Rummy Royal, and the boxes of its board.

Rules: docs/rules/rummy_royal.md, sections 2 (the board) and 7 (options). Knows nothing of sheets.
"""

from typing import Annotated, Literal

from msgspec import Meta

from scoring.options import Options

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
