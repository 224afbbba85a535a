"""Playing cards as people write them: reading them, their values, and which rank is wild.

Rules: docs/rules/indian.md, "Counting a loser"; docs/rules/romme.md, rum.md and rummy500.md, "Values"; gin.md.
Knows nothing of groups, hands or players.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from scoring.messages import Message, say
from scoring.problems import Problem, RuleError, refuse_if, shown

RANKS = "A23456789TJQK"
SUITS = "SHDC"
SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
OUTLINED_SUITS = {"♤": "S", "♡": "H", "♢": "D", "♧": "C"}
PRINTED_NAMES = ("PJ", "JK")
RANK_COUNT = len(RANKS)
ACE = 0
TEN = RANKS.index("T")
PRINTED_NUMBER = 52
SEPARATORS = re.compile(r"[\s,;]+")
MOST_CARDS = 200


class CardsRejected(RuleError):
    """Text that does not name playing cards, or names more of them than can exist."""

    code = "cards_rejected"


@dataclass(frozen=True, slots=True)
class Card:
    """One card of a pack: suit by suit from the ace to the king, then the printed joker.

    `bit` has the card's own bit set (0 for a printed joker), so that hands can be held as one integer.
    """

    number: int
    text: str = field(compare=False)
    bit: int = field(compare=False, repr=False)

    @property
    def is_printed_joker(self) -> bool:
        """Whether it is a joker with no rank or suit of its own."""
        return self.number == PRINTED_NUMBER

    @property
    def rank(self) -> int | None:
        """0 for the ace up to 12 for the king; None for a printed joker."""
        return None if self.is_printed_joker else self.number % RANK_COUNT

    @property
    def suit(self) -> int | None:
        """The place of the card's suit in SUITS; None for a printed joker."""
        return None if self.is_printed_joker else self.number // RANK_COUNT

    def __str__(self) -> str:
        return self.text


def _pack() -> tuple[Card, ...]:
    named = [
        Card(suit * RANK_COUNT + rank, RANKS[rank] + SUITS[suit], 1 << (suit * RANK_COUNT + rank))
        for suit in range(len(SUITS))
        for rank in range(RANK_COUNT)
    ]
    return (*named, Card(PRINTED_NUMBER, "PJ", 0))


CARDS = _pack()
PRINTED_JOKER = CARDS[PRINTED_NUMBER]


def _spellings() -> dict[str, Card]:
    """Every way to write a card in capitals: 10H, TH, HT, T♥, PJ, JK."""
    card_by_spelling: dict[str, Card] = dict.fromkeys(PRINTED_NAMES, PRINTED_JOKER)
    for card in CARDS[:PRINTED_NUMBER]:
        rank, suit = card.text[0], card.text[1]
        ranks = (rank, "10") if rank == "T" else (rank,)
        outlined = next(sign for sign, letter in OUTLINED_SUITS.items() if letter == suit)
        for name in ranks:
            for sign in (suit, SUIT_SIGNS[suit], outlined):
                card_by_spelling[name + sign] = card
                card_by_spelling[sign + name] = card
    return card_by_spelling


SPELLINGS: Mapping[str, Card] = MappingProxyType(_spellings())
RANK_NAMES: Mapping[str, int] = MappingProxyType({name: rank for rank, name in enumerate(RANKS)} | {"10": TEN})
KNOWN = dict(SPELLINGS) | {name.lower(): card for name, card in SPELLINGS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class CardValues:
    """The cost of cards left in hand in one family of games. Tens and court cards are worth `court`."""

    ace: int
    joker: int
    pips: tuple[int, ...] = (2, 3, 4, 5, 6, 7, 8, 9)
    court: int = 10

    def of(self, card: Card) -> int:
        """The cost of one card."""
        rank = card.rank
        return self.joker if rank is None else self.of_rank(rank)

    def of_rank(self, rank: int) -> int:
        """The cost of any card of a rank."""
        if rank == ACE:
            return self.ace
        return self.court if rank >= TEN else self.pips[rank - 1]

    def total(self, cards: Iterable[Card]) -> int:
        """The cost of the cards together."""
        return sum(self.of(card) for card in cards)


FIVES = (5,) * 8
INDIAN_VALUES = CardValues(ace=10, joker=0)


def parse_cards(written: object, field: str, where: Message | str = "") -> tuple[Card, ...]:
    """Read "7H 8h 10♥ PJ", or a list of such texts. Raises CardsRejected naming each that is no card."""
    words = card_words(written, field)
    if len(words) > MOST_CARDS:
        detail = say(
            "{number} cards in {name}; more than {most} are not read",
            number=len(words),
            name=where or field,
            most=MOST_CARDS,
        )
        raise CardsRejected([Problem("too_many_cards", detail, field=field)])
    try:
        return tuple([KNOWN[word] for word in words])
    except KeyError:
        pass
    unknown = dict.fromkeys(word for word in words if word.upper() not in KNOWN)
    refuse_if([_unknown(word, field, where) for word in unknown], CardsRejected)
    return tuple(KNOWN[word.upper()] for word in words)


def card_words(written: object, field: str) -> list[str]:
    """The single texts of a line of cards, or of a list of cards."""
    if isinstance(written, str):
        words = written.split()
        return words if "," not in written and ";" not in written else [w for w in SEPARATORS.split(written) if w]
    if isinstance(written, list | tuple) and all(isinstance(word, str) for word in written):
        return [word.strip() for word in written]
    detail = say("{name} must be cards as text or a list of them, not {typed}", name=field, typed=shown(written))
    raise CardsRejected([Problem("wrong_type", detail, field=field)])


def write_cards(cards: Iterable[Card]) -> str:
    """Cards as one line of text, the form that is stored."""
    return " ".join(card.text for card in cards)


def parse_wild(written: object, *, printed_as_wild: str = "aces") -> int | None:
    """The wild rank (0: aces), from a rank, the card turned up or a printed joker; None: no rank is wild."""
    if written is None:
        return None
    rank = _wild_ranks(printed_as_wild).get(written.strip().upper(), -1) if isinstance(written, str) else -1
    if rank == -1:
        detail = say(
            "wild must be a rank ({list}), a card, PJ or null, not {typed}", list=" ".join(RANKS), typed=shown(written)
        )
        raise CardsRejected([Problem("impossible_wild", detail, field="wild")])
    return rank


@lru_cache(maxsize=4)
def _wild_ranks(printed_as_wild: str) -> dict[str, int | None]:
    # A printed joker turned up makes aces wild unless the house plays printed jokers only.
    printed = ACE if printed_as_wild == "aces" else None
    cards = {name: printed if card.is_printed_joker else card.rank for name, card in SPELLINGS.items()}
    return {**cards, **RANK_NAMES}


def _unknown(word: str, field: str, where: Message | str) -> Problem:
    detail = say(
        "{typed} in {name} is not a card: write rank then suit, such as 7H or 10S, or PJ for a joker",
        typed=shown(word),
        name=where or field,
    )
    return Problem("unknown_card", detail, field=field)


# Cards as people type them in a hurry: without blanks, from a phone, with invisible marks; and what cannot be read.


MOST_TEXT = 300
MOST_NAMED = 4
MOST_WORD = 16
ONE_CARD = r"(?:10|[A2-9TJQK])[SHDC♠♥♦♣♤♡♢♧]|PJ|JK"
GLUED = re.compile(f"(?:{ONE_CARD}){{2,}}", re.IGNORECASE)
SINGLE = re.compile(ONE_CARD, re.IGNORECASE)
WORD = re.compile(r"[^\s,;]+")

# Makes a browser draw a suit as a coloured picture; it comes along with suits typed on a phone.
PICTURE_MARKS = ("\ufe0e", "\ufe0f")


def tidy(text: str) -> str:
    """Text without invisible characters, cut just beyond the limit, so that a text that is too long is detected."""
    characters = [
        " " if char.isspace() else "\ufffd" if unicodedata.category(char) == "Cc" else char
        for char in text
        if char not in PICTURE_MARKS and unicodedata.category(char) != "Cf"
    ]
    return "".join(characters).strip()[: MOST_TEXT + 1]


def cards_typed(text: str, where: Message) -> tuple[Card, ...]:
    """The cards of one field. Raises CardsRejected with a message that names what is no card, and the field."""
    if len(text) > MOST_TEXT:
        detail = say(
            "Too much text for {where}: thirteen cards fit in {number} characters.", where=where, number=MOST_TEXT
        )
        raise CardsRejected([Problem("too_many_cards", detail, field=str(where))])
    words = parted(text)
    unknown = [word for word in WORD.findall(words) if word.upper() not in SPELLINGS]
    if unknown:
        detail = _no_cards(list(dict.fromkeys(unknown)), where)
        raise CardsRejected([Problem("unknown_card", detail, field=str(where))])
    return parse_cards(words, str(where), where)


def parted(text: str) -> str:
    """Cards written without blanks between them, split: `7h8h9h`. Everything else stays as it is."""
    return WORD.sub(_parted, text)


def _no_cards(words: Sequence[str], where: Message) -> Message:
    """Names the texts that are no cards, the first few of them and never more than fits a line."""
    text = ", ".join(f"“{word[:MOST_WORD]}{'…' if len(word) > MOST_WORD else ''}”" for word in words[:MOST_NAMED])
    if len(words) == 1:
        return say(
            "{cards} in {where} is not a card: write rank then suit, such as 7H or 10♠, or PJ for a printed joker.",
            cards=text,
            where=where,
        )
    if len(words) <= MOST_NAMED:
        return say(
            "{cards} in {where} are not cards: write rank then suit, such as 7H or 10♠, or PJ for a printed joker.",
            cards=text,
            where=where,
        )
    return say(
        "{cards} and more in {where} are not cards: write rank then suit, such as 7H or 10♠, or PJ "
        "for a printed joker.",
        cards=text,
        where=where,
    )


def _parted(word: re.Match[str]) -> str:
    word_text = word.group()
    return " ".join(SINGLE.findall(word_text)) if GLUED.fullmatch(word_text) else word_text
