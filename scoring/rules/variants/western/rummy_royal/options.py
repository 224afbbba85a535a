"""House options of Rummy Royal, how players say them, and boards as people play them.

Rules: docs/rules/rummy_royal.md, sections 2 (the board) and 7 (options). Knows nothing of sheets.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from scoring.messages import Message, say
from scoring.options import Options, Wording, about
from scoring.rules.table.variant import Preset
from scoring.rules.variants.western.rummy_royal.boards import (
    KITTY,
    POT,
    ROYAL_BOARD,
    boxes_of,
    corner_aces,
    is_card,
)

PACK = 52


class RoyalOptions(Options, frozen=True, kw_only=True):
    """House options of a Rummy Royal table."""

    sequence: Annotated[
        Literal["678", "789", "8910", "none"],
        about("The three cards of one suit that have a box of their own", "Sequence box"),
        Wording(choices={"678": "6 7 8", "789": "7 8 9", "8910": "8 9 10", "none": "no such box"}),
    ] = "678"
    board: Annotated[
        Annotated[str, Meta(max_length=80)] | UnsetType,
        about(
            "Cards with a box of their own, and cards that have one together, as in QH-KH", extra={"unset": ROYAL_BOARD}
        ),
        Wording("Cards with a box"),
    ] = UNSET
    corner_aces: Annotated[
        bool | UnsetType,
        about("Aces in the corners have a box as well", extra={"unset": False}),
        Wording("Aces in the corners have a box"),
    ] = UNSET
    pot_goes_to: Annotated[
        Literal["dealer", "poker", "none"] | UnsetType,
        about(
            "The pot goes to a dealer who goes out, or to the best poker hand; none: the board has no pot",
            extra={"unset": "dealer"},
        ),
        Wording(
            "The pot goes to",
            choices={
                "dealer": "a dealer who goes out",
                "poker": "the best poker hand",
                "none": "nobody: there is no pot",
            },
        ),
    ] = UNSET
    has_kitty: Annotated[
        bool | UnsetType, about("The board has a kitty", extra={"unset": True}), Wording("There is a kitty")
    ] = UNSET
    start_chips: Annotated[
        int, about("Chips that every seat buys at the start", "Chips at the start", ge=0, le=100_000)
    ] = 100
    ante_each: Annotated[
        int, about("Chips that a seat lays into every box before a deal", "Ante of each seat", ge=0, le=10)
    ] = 1
    ante_dealer: Annotated[
        int, about("Chips that the dealer lays into every box", "Ante of the dealer", ge=0, le=10)
    ] = 1
    auction_payee: Annotated[
        Literal["dealer", "kitty", "pot"],
        about("Who gets the price of the extra hand", "Auction price goes to"),
        Wording(choices={"dealer": "the dealer", "kitty": "the kitty", "pot": "the pot"}),
    ] = "dealer"
    sequence_claim: Annotated[
        Literal["first_to_play", "shared"],
        about("Sequence box: to the first to play it, or shared (odd chips stay in it)", "Sequence box goes to"),
        Wording("The sequence box goes to", choices={"first_to_play": "the first to play it", "shared": "shared"}),
    ] = "first_to_play"
    end_remainder: Annotated[
        Literal["descending_from_ace", "stay_with_house", "next_session"],
        about("Odd chips of the last deal: from the ace down, to the house, or kept", "Odd chips at the end"),
        Wording(
            "Odd chips of the last deal",
            choices={
                "descending_from_ace": "one each, from the ace down",
                "stay_with_house": "the house keeps them",
                "next_session": "kept for the next time",
            },
        ),
    ] = "descending_from_ace"
    cannot_pay: Annotated[
        Literal["buy_more", "owe", "out"],
        about("A seat short of chips buys more, owes them, or pays what it has and is out", "If a seat cannot pay"),
        Wording(
            "A seat short of chips",
            choices={"buy_more": "it buys more", "owe": "it owes them", "out": "it pays what it has and is out"},
        ),
    ] = "buy_more"

    max_buy_ins: Annotated[
        Annotated[int, Meta(ge=1, le=50)] | UnsetType | None,
        about(
            "How often a seat may buy chips after the start; not set: no limit",
            "Most buy-ins per seat",
            extra={"unset": None},
        ),
        Wording("How often a seat may buy chips after the start", unset="no limit"),
    ] = UNSET

    @property
    def on_board(self) -> tuple[str, ...]:
        """The boxes of cards, and of cards together."""
        return boxes_of(self.board if isinstance(self.board, str) else ROYAL_BOARD)

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards over which the last deal divides the board."""
        return tuple(box for box in self.on_board if is_card(box))

    @property
    def boxes(self) -> tuple[str, ...]:
        """All boxes in the order in which they stand on the board."""
        corners = corner_aces(self.on_board) if self.corner_aces is True else ()
        sequence = () if self.sequence == "none" else (self.sequence,)
        kitty = () if self.has_kitty is False else (KITTY,)
        return (*self.on_board, *corners, *sequence, *kitty, *(() if self.pot_goes_to == "none" else (POT,)))

    @property
    def collecting(self) -> str:
        """The box into which cards left of a blocked deal, and penalties, are paid."""
        return next((box for box in (KITTY, POT) if box in self.boxes), self.boxes[0])

    @property
    def plays_poker(self) -> bool:
        return self.pot_goes_to == "poker"

    def ante(self, *, deals: bool) -> int:
        """What a seat lays into one box."""
        return self.ante_dealer if deals else self.ante_each

    def reminders(self) -> Iterator[Message]:
        """With how many chips a seat begins, and what it lays before each deal."""
        yield say("Every seat begins with {chips} chips.", chips=self.start_chips)
        if self.plays_poker:
            yield say("The best poker hand takes the pot.")
        each, dealer = self.ante_each, self.ante_dealer
        yield say("Every box before each deal: {each} from a seat, {dealer} from the dealer.", each=each, dealer=dealer)


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
        name="tripoley_board",
        title="Tripoley with poker, 8-9-10 is shared",
        options={"sequence": "8910", "sequence_claim": "shared", "pot_goes_to": "poker"},
        note="Published by ourpastimes.com: ten to ace of hearts, king and queen, 8-9-10 of one suit, kitty, and a pot "
        "for the best poker hand. Not verified: the game's end, as in Rummy Royal.",
    ),
    Preset(
        name="michigan_rummy_board",
        title="Michigan rummy board with poker",
        options={
            "board": "10H QH AH JS KC QH-KH",
            "sequence": "789",
            "pot_goes_to": "poker",
            "ante_each": 1,
            "ante_dealer": 2,
            "auction_payee": "dealer",
        },
        note="Published by livestrongbay.blogspot.com: ten, queen and ace of hearts, jack of spades, king of clubs, "
        "queen and king of hearts together, 7-8-9 of one suit, and the poker pool. The dealer lays two chips a box. "
        "Its bonus compartment is the kitty here.",
    ),
    Preset(
        name="michigan_board",
        title="Michigan, four pay cards",
        options={
            "board": "AH KC QD JS",
            "sequence": "none",
            "pot_goes_to": "none",
            "has_kitty": False,
            "ante_each": 1,
            "ante_dealer": 2,
            "auction_payee": "dealer",
        },
        note="The board of Michigan (Boodle, Newmarket) in most books: ace of hearts, king of clubs, queen of diamonds "
        "and jack of spades. The dealer lays two chips a card. Not verified: what is left at the end, as in Rummy "
        "Royal.",
    ),
    Preset(
        name="rummy_royal_dealer_double",
        title="Rummy Royal, the dealer lays two chips a box",
        options={"sequence": "678", "ante_each": 1, "ante_dealer": 2},
        note="The ante as michigan-rummy-rules.com prints it. All else as in Rummy Royal.",
    ),
)
