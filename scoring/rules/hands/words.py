"""Cards and hands in plain words: what a card is called, what a group is, and what is wrong with one.

Rules: docs/rules/indian.md, sections 3 (groups) and 4 (counting a loser). Decides nothing: it only puts the rulings of
`scoring.rules` in words.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from scoring.rules.arrangements import GroupKind, HandOptions
from scoring.rules.cards import ACE, RANK_COUNT, RANKS, SUITS, Card
from scoring.rules.hands.indian import points_of

SIGNS = dict(zip(SUITS, "♠♥♦♣", strict=True))
SUIT_NAMES = dict(zip(SUITS, ("spades", "hearts", "diamonds", "clubs"), strict=True))
RANK_NAMES = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
# Asks for the sign as text, where a phone would draw a coloured picture.
AS_TEXT = "\ufe0e"
# What the keys of a card picker write, show and are called.
SUIT_KEYS = tuple((letter, sign + AS_TEXT, SUIT_NAMES[letter]) for letter, sign in SIGNS.items())
RANK_KEYS = tuple((rank, "10" if rank == "T" else rank) for rank in RANKS)
WRITTEN_CARD = re.compile(r"(?<![\w'\"])([A2-9TJQK])([SHDC])(?![\w'\"])")
WRITTEN_JOKER = re.compile(r"(?<![\w'\"])PJ(?![\w'\"])")
KINDS = {
    GroupKind.PURE_SEQUENCE: "Pure sequence",
    GroupKind.IMPURE_SEQUENCE: "Sequence with a joker",
    GroupKind.SET: "Set",
}
JOKER_RULES = {
    "one_natural": "at least one card must stand for itself",
    "two_natural": "at least two cards must stand for themselves",
    "half": "jokers may not outnumber the other cards",
}
TOO_MANY = "no group holds so many"
GOES_ROUND = "a sequence does not go round from the king over the ace to the two"
LOW_ACE = "the ace lies before the two only, by the rules of this house"


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """A card as it is drawn and as it is read out."""

    rank: str
    sign: str
    suit: str
    said: str
    is_wild: bool
    points: int


def face(card: Card, wild: int | None) -> Face:
    """One card, with what it costs in hand."""
    if card.rank is None:
        return Face(rank="★", sign="Joker", suit="joker", said="printed joker", is_wild=False, points=0)
    suit = card.text[1]
    is_wild = card.rank == wild
    said = f"{rank_said(card.rank)} of {SUIT_NAMES[suit]}"
    return Face(
        rank="10" if card.text[0] == "T" else card.text[0],
        sign=SIGNS[suit] + AS_TEXT,
        suit=SUIT_NAMES[suit],
        said=f"{said}, wild" if is_wild else said,
        is_wild=is_wild,
        points=points_of([card], wild),
    )


def faces(cards: Sequence[Card], wild: int | None) -> list[Face]:
    """Cards in a row."""
    return [face(card, wild) for card in cards]


def rank_said(rank: int) -> str:
    """A rank as people say it."""
    return RANK_NAMES.get(RANKS[rank], RANKS[rank])


def wild_said(wild: int | None, turned_up: Card | None) -> str:
    """Which cards are wild, and why."""
    if turned_up is not None and turned_up.is_printed_joker:
        return (
            "A printed joker was turned up: every ace is wild."
            if wild == ACE
            else "A printed joker was turned up: only printed jokers are wild."
        )
    if wild is None:
        return "No rank is wild; printed jokers are jokers."
    start = f"{card_said(turned_up)} was turned up: every" if turned_up is not None else "Every"
    return f"{start} {rank_said(wild)} is wild."


def card_said(card: Card) -> str:
    """A card in a sentence: 10♥."""
    if card.is_printed_joker:
        return "a printed joker"
    rank = "10" if card.text[0] == "T" else card.text[0]
    return f"{rank}{SIGNS[card.text[1]]}{AS_TEXT}"


def with_signs(sentence: str) -> str:
    """A sentence of the rules with its cards as signs."""
    sentence = WRITTEN_JOKER.sub("the printed joker", sentence)
    return WRITTEN_CARD.sub(lambda found: ("10" if found[1] == "T" else found[1]) + SIGNS[found[2]] + AS_TEXT, sentence)


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things: 1 deal, 2 deals."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def sentence(text: str) -> str:
    """Text with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?', '…')) else '.'}"


def why_no_group(code: str, cards: Sequence[Card], wild: int | None, options: HandOptions) -> str:
    """What is wrong with a group, naming the cards that break it."""
    naturals = [card for card in cards if card.rank is not None and card.rank != wild]
    match code:
        case "group_too_small":
            return f"a group needs at least three cards, and here {'is' if len(cards) == 1 else 'are'} {len(cards)}"
        case "set_too_large":
            return f"{len(cards)} cards, but a set may have {options.max_set_size}, jokers included"
        case "duplicate_suit_in_set":
            return f"{_twice(naturals)} is there twice, and a set needs different suits"
        case "wraparound_ace":
            return GOES_ROUND if options.has_high_ace else LOW_ACE
        case "mixed_group":
            return f"{_strangers(naturals)} share neither suit nor rank"
        case "all_joker_group":
            return "only jokers: no card stands for itself"
        case "too_many_jokers":
            jokers = counted(len(cards) - len(naturals), "joker")
            return f"{jokers} in {counted(len(cards), 'card')}: {JOKER_RULES.get(options.joker_rule, TOO_MANY)}"
        case _:
            return _gap(naturals, len(cards) - len(naturals), options)


def _twice(cards: Sequence[Card]) -> str:
    return " and ".join(card_said(card) for card, times in Counter(cards).items() if times > 1)


def _strangers(cards: Sequence[Card]) -> str:
    """Two cards of a group that have nothing in common."""
    for one, other in combinations(cards, 2):
        if one.rank != other.rank and one.suit != other.suit:
            return f"{card_said(one)} and {card_said(other)}"
    return "the cards"


def _gap(naturals: Sequence[Card], jokers: int, options: HandOptions) -> str:
    """Why cards of one suit are not consecutive: one is there twice, or too much is missing between two."""
    twice = _twice(naturals)
    if twice:
        return f"{twice} is there twice, and a sequence has each card once"
    lower, upper = _widest_gap(naturals, options)
    helped = f", and {counted(jokers, 'joker')} cannot fill it" if jokers else ""
    return f"something is missing between {card_said(lower)} and {card_said(upper)}{helped}"


def _widest_gap(naturals: Sequence[Card], options: HandOptions) -> tuple[Card, Card]:
    """Between which two cards most is missing, with the ace where that leaves least."""

    def laid(high: int) -> list[tuple[int, Card]]:
        return sorted(
            ((high if card.rank == ACE else card.rank or 0, card) for card in naturals), key=lambda place: place[0]
        )

    rows = [laid(ACE), laid(RANK_COUNT)] if options.has_high_ace else [laid(ACE)]
    row = min(rows, key=lambda row: row[-1][0] - row[0][0])
    (_, lower), (_, upper) = max(pairwise(row), key=lambda pair: pair[1][0] - pair[0][0])
    return lower, upper
