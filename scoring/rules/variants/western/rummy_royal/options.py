"""House options of Rummy Royal, and boards of the Tripoley and Michigan family as data.

Rules: docs/rules/rummy_royal.md, sections 2 (the board) and 7 (options). A board defines which cards, and cards
together, have a box of their own. Knows nothing of chips or sheets.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from scoring.messages import Message, say
from scoring.options import Options, Wording, about
from scoring.problems import MOST_SHOWN, Problem, shown
from scoring.rules.cards import RANKS, SPELLINGS, SUIT_SIGNS, SUITS
from scoring.rules.table.variant import Preset, presets

PACK = 52
HEARTS = ("10H", "JH", "QH", "KH", "AH")
KING_AND_QUEEN, KITTY, POT = "KQ", "kitty", "pot"
SEQUENCES = ("678", "789", "8910", "any")
JOKER = "PJ"
ROYAL_BOARD = "10H JH QH KH AH QH-KH"
MOST_TOGETHER, MOST_BOXES, MOST_OF_ONE = 3, 14, 2
TITLES: Mapping[str, str | Message] = {
    KING_AND_QUEEN: "K\u2011Q\u2665",
    KITTY: say("Kitty"),
    POT: say("Pot"),
    JOKER: say("Joker"),
    "any": say("Sequence"),
}


@lru_cache(maxsize=512)
def box_name(written: str) -> str | None:
    """The name of a box: a card (10H), cards together (JS-QS, KQ for the hearts), or a sequence; None: no box."""
    word = written.strip().upper()
    if word.lower() in SEQUENCES:
        return word.lower()
    if word in (KING_AND_QUEEN, "QK"):
        return KING_AND_QUEEN
    cards = [_card_name(part) for part in word.split("-")]
    card_names = sorted({card for card in cards if card is not None}, key=_by_rank)
    if len(card_names) < len(cards) or len(card_names) > MOST_TOGETHER or (JOKER in card_names and len(card_names) > 1):
        return None
    return KING_AND_QUEEN if card_names == ["QH", "KH"] else "-".join(card_names)


def is_card(box: str) -> bool:
    """Whether a box is that of one card."""
    return _card_name(box) == box


def cards_of(box: str) -> tuple[str, ...]:
    """The cards that together have a box."""
    return ("QH", "KH") if box == KING_AND_QUEEN else tuple(box.split("-"))


@lru_cache(maxsize=256)
def boxes_of(board: str) -> tuple[str, ...]:
    """The boxes of cards, and of cards together, in the order in which they are written."""
    names = (box_name(word) for word in board.split())
    return tuple(dict.fromkeys(name for name in names if name is not None and name not in SEQUENCES))


def times_on(board: str) -> dict[str, int]:
    """How often each box is on the board: a card that is written twice has two boxes, which are won together."""
    names = [box_name(word) for word in board.split()]
    return {box: names.count(box) for box in boxes_of(board)}


def corner_aces(boxes: tuple[str, ...]) -> tuple[str, ...]:
    """The aces that have no box yet."""
    return tuple(ace for ace in (f"A{suit}" for suit in SUITS) if ace not in boxes)


def down_from_ace(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Cards from the highest down, an ace first."""
    return tuple(sorted(cards, key=_by_rank, reverse=True))


def box_title(box: str) -> str | Message:
    """The title of a box for players: 10♥, K‑Q♥, 6‑7‑8."""
    if box in TITLES:
        return TITLES[box]
    if box in SEQUENCES:
        return "\u2011".join((*box[:2], box[2:]))
    parts = [f"{card[:-1]}{SUIT_SIGNS[card[-1]]}" for card in cards_of(box)]
    return "\u2011".join(parts)


def board_problems(board: str) -> Iterator[Problem]:
    """Problems with a board: words that are no cards, cards that occur too often, no card at all."""
    words, boxes = board.split(), boxes_of(board)
    strange = [word for word in words if box_name(word) not in boxes]
    if strange:
        detail = say(
            "{word} is not a card: enter cards such as 10H, and QH-KH for two with one box", word=shown(strange[0])
        )
        yield Problem("not_a_choice", detail, field="board")
        return
    times = times_on(board)
    if not any(is_card(box) for box in boxes) or len(words) > MOST_BOXES or max(times.values()) > MOST_OF_ONE:
        detail = say("a board has 1 to {most} cards with a box, each once or twice", most=MOST_BOXES)
        yield Problem("out_of_range", detail, field="board")


def unknown_box(name: object, field: str, boxes: Sequence[str] = ()) -> Problem:
    """A name that is none of these boxes; without boxes, a name that no board has."""
    if not boxes:
        detail = say(
            "{value} is not a box: enter a card such as 10H; kitty and pot follow from who went out",
            value=shown(str(name)[:MOST_SHOWN]),
        )
        return Problem("unknown_box", detail, field=field)
    detail = say(
        "{value} is none of {list}; kitty and pot follow from who went out and who dealt",
        value=shown(str(name)[:MOST_SHOWN]),
        list=", ".join(boxes),
    )
    return Problem("unknown_box", detail, field=field)


def _card_name(word: str) -> str | None:
    card = SPELLINGS.get(word)
    if card is None or card.is_printed_joker:
        return None if card is None else JOKER
    return f"10{card.text[1]}" if card.text[0] == "T" else card.text


def _by_rank(name: str) -> tuple[int, int]:
    """Aces are high, and the joker is below all other cards."""
    if name == JOKER:
        return (-1, 0)
    rank = "T" if name[:-1] == "10" else name[:-1]
    return (len(RANKS) if rank == "A" else RANKS.index(rank), SUITS.index(name[-1]))


class RoyalOptions(Options, frozen=True, kw_only=True):
    """House options of a Rummy Royal table."""

    sequence: Annotated[
        Literal["678", "789", "8910", "any", "none"],
        about("Three cards of one suit with a box; any: the highest three win", "Sequence box"),
        Wording(
            choices={
                "678": "6 7 8",
                "789": "7 8 9",
                "8910": "8 9 10",
                "any": "any three in a row, the highest wins",
                "none": "no such box",
            }
        ),
    ] = "678"
    board: Annotated[
        Annotated[str, Meta(max_length=80)] | UnsetType,
        about(
            "Cards with a box (AH AH: two; PJ: the joker), or one together (QH-KH)",
            extra={"unset": ROYAL_BOARD},
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
            {
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
        Wording("The sequence box goes to", {"first_to_play": "the first to play it", "shared": "shared"}),
    ] = "first_to_play"
    end_remainder: Annotated[
        Literal["descending_from_ace", "stay_with_house", "next_session"],
        about("Odd chips at the end: from the ace down, to the house, or kept", "Odd chips at the end"),
        Wording(
            "Odd chips at the end",
            {
                "descending_from_ace": "one each, from the ace down",
                "stay_with_house": "the house keeps them",
                "next_session": "kept for the next time",
            },
        ),
    ] = "descending_from_ace"
    board_ends: Annotated[
        Literal["last_deal", "equally"] | UnsetType,
        about(
            "Chips left on the board: by a last deal, or equally when the table closes",
            "Chips left at the end",
            extra={"unset": "last_deal"},
        ),
        Wording(
            "Chips left on the board at the end",
            {"last_deal": "divided by a last deal", "equally": "divided equally among the players"},
        ),
    ] = UNSET
    cannot_pay: Annotated[
        Literal["buy_more", "owe", "out"],
        about("A seat short of chips buys more, owes them, or pays what it has and is out", "If a seat cannot pay"),
        Wording(
            "A seat short of chips",
            {"buy_more": "it buys more", "owe": "it owes them", "out": "it pays what it has and is out"},
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
        return boxes_of(self.holding("board"))

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards over which the last deal divides the board."""
        return tuple(box for box in self.on_board if is_card(box))

    @property
    def boxes(self) -> tuple[str, ...]:
        """All boxes in their order on the board."""
        corners = corner_aces(self.on_board) if self.corner_aces is True else ()
        sequence = () if self.sequence == "none" else (self.sequence,)
        kitty = () if self.has_kitty is False else (KITTY,)
        return (*self.on_board, *corners, *sequence, *kitty, *(() if self.pot_goes_to == "none" else (POT,)))

    @property
    def times(self) -> dict[str, int]:
        """All boxes in their order on the board, and how often each is there: a seat pays its ante into each."""
        times = times_on(self.holding("board"))
        return {box: times.get(box, 1) for box in self.boxes}

    @property
    def spaces(self) -> int:
        """Into how many boxes a seat pays its ante."""
        return sum(self.times.values())

    @property
    def pack_cards(self) -> int:
        """How many cards are dealt: a joker only if it has a box."""
        return PACK + int(JOKER in self.on_board)

    @property
    def divides_equally(self) -> bool:
        return self.board_ends == "equally"

    @property
    def collecting(self) -> str:
        """The box into which cards left of a blocked deal, and penalties, are paid."""
        return next((box for box in (KITTY, POT) if box in self.boxes), self.boxes[0])

    @property
    def plays_poker(self) -> bool:
        return self.pot_goes_to == "poker"

    def ante(self, *, deals: bool) -> int:
        """What a seat pays into one box."""
        return self.ante_dealer if deals else self.ante_each

    def reminders(self) -> Iterator[Message]:
        """With how many chips a seat begins, and what it pays before each deal."""
        yield say("Every seat begins with {chips} chips.", chips=self.start_chips)
        if self.plays_poker:
            yield say("The best poker hand takes the pot.")
        seat_ante, dealer = self.ante_each, self.ante_dealer
        yield say(
            "Every box before each deal: {each} from a seat, {dealer} from the dealer.", each=seat_ante, dealer=dealer
        )


def hand_sizes(seats: int, cards: int = PACK) -> tuple[int, ...]:
    """The cards of each hand: one hand more than seats, the first ones dealt having one card more."""
    part, cards_left = divmod(cards, seats + 1)
    return tuple(part + (1 if place < cards_left else 0) for place in range(seats + 1))


# Rummy Royal as people play it: on its own board, on boards of the Tripoley family, and with other antes.


MICHIGAN_RUMMY: dict[str, Any] = {
    "board": "10H QH AH JS KC QH-KH",
    "sequence": "789",
    "pot_goes_to": "poker",
    "ante_each": 1,
    "ante_dealer": 2,
    "auction_payee": "dealer",
}

RUMMY_ROYAL = presets(
    rummy_royal=Preset(
        "Rummy Royal, board 6-7-8",
        {"sequence": "678", "sequence_claim": "first_to_play"},
        "As on its page. The page is silent on who gets the price of the extra hand (here the dealer), on "
        "odd chips at the end, and on how many chips a seat starts with.",
    ),
    rummy_royal_8910=Preset(
        "Rummy Royal on a Tripoley board 8-9-10",
        {"sequence": "8910", "sequence_claim": "first_to_play"},
        "The page of Rummy Royal lets any board be used. Poker and the four aces in the corners are not played.",
    ),
    tripoley_8910=Preset(
        "Tripoley family, 8-9-10 is shared",
        {"sequence": "8910", "sequence_claim": "shared"},
        "Published for Tripoley: all who hold the sequence share its box, odd chips stay. Not verified: all else "
        "as in Rummy Royal, without poker.",
    ),
    michigan_789=Preset(
        "Michigan rummy board 7-8-9",
        {"sequence": "789", "ante_each": 1, "ante_dealer": 2, "auction_payee": "dealer"},
        "Published by livestrongbay.blogspot.com: 7-8-9 of one suit, the dealer lays two chips a box and keeps "
        "the price of the extra hand. Not set here: its board pays other jacks and kings, ours hearts.",
    ),
    tripoley_board=Preset(
        "Tripoley with poker, 8-9-10 is shared",
        {"sequence": "8910", "sequence_claim": "shared", "pot_goes_to": "poker"},
        "Published by ourpastimes.com: ten to ace of hearts, king and queen, 8-9-10 of one suit, kitty, and a pot "
        "for the best poker hand. Not verified: the game's end, as in Rummy Royal.",
    ),
    michigan_rummy_board=Preset(
        "Michigan rummy board with poker",
        MICHIGAN_RUMMY,
        "Published by livestrongbay.blogspot.com: ten, queen and ace of hearts, jack of spades, king of clubs, "
        "queen and king of hearts together, 7-8-9 of one suit, and the poker pool. The dealer lays two chips a box. "
        "Its bonus compartment is the kitty here.",
    ),
    michigan_rummy_pressman=Preset(
        "Michigan rummy, Pressman",
        {**MICHIGAN_RUMMY, "board_ends": "equally"},
        "Published in Pressman's rules for 3 to 8 players: after the last pot the chips left on the board are divided "
        "equally. Not verified: the cards of its board; those of livestrongbay.blogspot.com here.",
    ),
    bonanza=Preset(
        "Bonanza, ten boxes with a joker",
        {"board": "PJ AS KH QD JC JD-QS 10D-2S", "sequence": "any", "pot_goes_to": "poker", "auction_payee": "dealer"},
        "Published by ourpastimes.com: joker, ace of spades, king of hearts, queen of diamonds, jack of clubs, two "
        "pairs of cards, the highest sequence, poker and Bonanza, which is the kitty here. Joker, pairs, sequence and "
        "poker are won before the first card is played. Not verified: the game's end, as in Rummy Royal.",
    ),
    michigan_board=Preset(
        "Michigan, four pay cards",
        {
            "board": "AH KC QD JS",
            "sequence": "none",
            "pot_goes_to": "none",
            "has_kitty": False,
            "ante_each": 1,
            "ante_dealer": 2,
            "auction_payee": "dealer",
        },
        "The board of Michigan (Boodle, Newmarket) in most books: ace of hearts, king of clubs, queen of diamonds "
        "and jack of spades. The dealer lays two chips a card. Not verified: what is left at the end, as in Rummy "
        "Royal.",
    ),
    rummy_royal_dealer_double=Preset(
        "Rummy Royal, the dealer lays two chips a box",
        {"sequence": "678", "ante_each": 1, "ante_dealer": 2},
        "The ante as michigan-rummy-rules.com prints it. All else as in Rummy Royal.",
    ),
)
