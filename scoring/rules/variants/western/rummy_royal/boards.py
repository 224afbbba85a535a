"""Boards of the Tripoley and Michigan family as data: which cards, and cards together, have a box of their own.

Rules: docs/rules/rummy_royal.md, section 2 (the board). Knows nothing of chips or sheets.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from scoring.messages import Message, say
from scoring.problems import MOST_SHOWN, Problem, shown
from scoring.rules.cards import RANKS, SPELLINGS, SUIT_SIGNS, SUITS

HEARTS = ("10H", "JH", "QH", "KH", "AH")
KING_AND_QUEEN, KITTY, POT = "KQ", "kitty", "pot"
SEQUENCES = ("678", "789", "8910")
ROYAL_BOARD = "10H JH QH KH AH QH-KH"
MOST_TOGETHER, MOST_BOXES = 3, 14
TITLES: Mapping[str, str | Message] = {KING_AND_QUEEN: "K\u2011Q\u2665", KITTY: say("Kitty"), POT: say("Pot")}


@lru_cache(maxsize=512)
def box_name(written: str) -> str | None:
    """A box as it is kept: a card (10H), cards together (JS-QS, KQ for the hearts), or a sequence; None: no box."""
    word = written.strip().upper()
    if word in (*SEQUENCES, KING_AND_QUEEN, "QK"):
        return KING_AND_QUEEN if word == "QK" else word
    cards = [_card_name(part) for part in word.split("-")]
    known = sorted({card for card in cards if card is not None}, key=_by_rank)
    if len(known) < len(cards) or len(known) > MOST_TOGETHER:
        return None
    return KING_AND_QUEEN if known == ["QH", "KH"] else "-".join(known)


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


def corner_aces(boxes: tuple[str, ...]) -> tuple[str, ...]:
    """The aces that have no box yet."""
    return tuple(ace for ace in (f"A{suit}" for suit in SUITS) if ace not in boxes)


def down_from_ace(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Cards from the highest down, an ace first."""
    return tuple(sorted(cards, key=_by_rank, reverse=True))


def box_title(box: str) -> str | Message:
    """A box as a player reads it: 10♥, K‑Q♥, 6‑7‑8."""
    if box in TITLES:
        return TITLES[box]
    if box in SEQUENCES:
        return "\u2011".join((*box[:2], box[2:]))
    parts = [f"{card[:-1]}{SUIT_SIGNS[card[-1]]}" for card in cards_of(box)]
    return "\u2011".join(parts)


def board_problems(board: str) -> Iterator[Problem]:
    """A board that cannot be laid out: words that are no cards, boxes that are there twice, no card at all."""
    words, boxes = board.split(), boxes_of(board)
    strange = [word for word in words if box_name(word) not in boxes]
    if strange:
        detail = say(
            "{word} is not a card: enter cards such as 10H, and QH-KH for two with one box", word=shown(strange[0])
        )
        yield Problem("not_a_choice", detail, field="board")
        return
    if {"QH", "KH"} <= {*boxes} and KING_AND_QUEEN not in boxes:
        detail = say("queen and king of hearts both have a box: add QH-KH, they have one together as well")
        yield Problem("missing_field", detail, field="board")
    if not any(is_card(box) for box in boxes) or len(words) > MOST_BOXES or len(boxes) < len(words):
        detail = say("a board has 1 to {most} cards with a box, each once", most=MOST_BOXES)
        yield Problem("out_of_range", detail, field="board")


def unknown_box(name: object, field: str, boxes: Sequence[str]) -> Problem:
    """A name that is none of these boxes."""
    detail = say(
        "{value} is none of {list}; kitty and pot follow from who went out and who dealt",
        value=shown(str(name)[:MOST_SHOWN]),
        list=", ".join(boxes),
    )
    return Problem("unknown_box", detail, field=field)


def _card_name(word: str) -> str | None:
    card = SPELLINGS.get(word)
    if card is None or card.is_printed_joker:
        return None
    return f"10{card.text[1]}" if card.text[0] == "T" else card.text


def _by_rank(name: str) -> tuple[int, int]:
    """Aces are high."""
    rank = "T" if name[:-1] == "10" else name[:-1]
    return (len(RANKS) if rank == "A" else RANKS.index(rank), SUITS.index(name[-1]))
