"""Cards and hands in words: the name of a card, the kind of a group, and what is wrong with one.

Rules: docs/rules/indian.md, sections 3 (groups) and 4 (counting a loser). Decides nothing: it only words the rulings of
`scoring.rules`.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import msgspec

from scoring.messages import Message, Part, say, say_many
from scoring.rules.arrangements import GroupKind, HandOptions
from scoring.rules.cards import ACE, RANK_COUNT, RANKS, SUITS, Card
from scoring.rules.hands import points_of

SIGNS = dict(zip(SUITS, "♠♥♦♣", strict=True))
SUIT_NAMES = dict(zip(SUITS, (say("spades"), say("hearts"), say("diamonds"), say("clubs")), strict=True))
RANK_NAMES = {"A": say("ace"), "T": Message("10"), "J": say("jack"), "Q": say("queen"), "K": say("king")}
# Requests the sign as text, where a phone would draw a coloured picture.
AS_TEXT = "\ufe0e"
# What each key of a card picker types, shows and is called.
SUIT_KEYS = tuple((letter, sign + AS_TEXT, SUIT_NAMES[letter]) for letter, sign in SIGNS.items())
RANK_KEYS = tuple((rank, "10" if rank == "T" else rank) for rank in RANKS)
WRITTEN_CARD = re.compile(r"(?<![\w'\"])([A2-9TJQK])([SHDC])(?![\w'\"])")
JOKER = "PJ"
KINDS = {
    GroupKind.PURE_SEQUENCE: say("Pure sequence"),
    GroupKind.IMPURE_SEQUENCE: say("Sequence with a joker"),
    GroupKind.SET: say("Set"),
}
JOKER_RULES = {
    "one_natural": say("at least one card must stand for itself"),
    "two_natural": say("at least two cards must stand for themselves"),
    "half": say("jokers may not outnumber the other cards"),
    "one_in_sequence": say("a sequence may hold one joker"),
}
TOO_MANY = say("too many for one group")
GOES_ROUND = say("a sequence does not go round from the king over the ace to the two")
LOW_ACE = say("the ace lies before the two only by these rules")


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """A card as it is drawn and as it is read aloud."""

    rank: str
    sign: str
    suit: str
    name: Message
    is_wild: bool
    points: int


def face(card: Card, wild: int | None) -> Face:
    """One card, with what it costs in hand."""
    if card.rank is None:
        return Face(rank="★", sign="Joker", suit="joker", name=say("printed joker"), is_wild=False, points=0)
    suit = card.text[1]
    is_wild = card.rank == wild
    message = say("{word} of {kind}", word=rank_message(card.rank), kind=SUIT_NAMES[suit])
    if is_wild:
        message = say("{word} of {kind}, wild", word=rank_message(card.rank), kind=SUIT_NAMES[suit])
    return Face(
        rank="10" if card.text[0] == "T" else card.text[0],
        sign=SIGNS[suit] + AS_TEXT,
        suit=str(SUIT_NAMES[suit]),
        name=message,
        is_wild=is_wild,
        points=points_of([card], wild),
    )


def faces(cards: Sequence[Card], wild: int | None) -> list[Face]:
    """Cards in a row."""
    return [face(card, wild) for card in cards]


def rank_message(rank: int) -> Message:
    """A rank as people say it."""
    return RANK_NAMES.get(RANKS[rank], Message(RANKS[rank]))


def wild_message(wild: int | None, turned_up: Card | None) -> Message:
    """Which cards are wild, and why."""
    if turned_up is not None and turned_up.is_printed_joker:
        return (
            say("A printed joker was turned up: every ace is wild.")
            if wild == ACE
            else say("A printed joker was turned up: only printed jokers are wild.")
        )
    if wild is None:
        return say("No rank is wild; printed jokers are jokers.")
    if turned_up is None:
        return say("Every {word} is wild.", word=rank_message(wild))
    return say("{card} was turned up: every {word} is wild.", card=card_text(turned_up), word=rank_message(wild))


def card_text(card: Card) -> Message | str:
    """A card in a sentence: 10♥."""
    if card.is_printed_joker:
        return say("a printed joker")
    rank = "10" if card.text[0] == "T" else card.text[0]
    return f"{rank}{SIGNS[card.text[1]]}{AS_TEXT}"


def with_signs(message: Message) -> Message:
    """A message of the rules with its cards as signs."""
    return msgspec.structs.replace(message, parts={name: _with_signs(part) for name, part in message.parts.items()})


def _with_signs(part: Part) -> Part:
    if isinstance(part, Message):
        return with_signs(part)
    if not isinstance(part, str):
        return part
    if part == JOKER:
        return say("the printed joker")
    words = part.split(" ")
    if JOKER in words:
        spots = {f"card{place}": _with_signs(word) for place, word in enumerate(words)}
        return Message(" ".join(f"{{{spot}}}" for spot in spots), spots)
    return WRITTEN_CARD.sub(lambda found: ("10" if found[1] == "T" else found[1]) + SIGNS[found[2]] + AS_TEXT, part)


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things: 1 deal, 2 deals."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def sentence(text: str) -> str:
    """Text with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?', '…')) else '.'}"


def why_no_group(code: str, cards: Sequence[Card], wild: int | None, options: HandOptions) -> Message:
    """What is wrong with a group, naming the cards that break it."""
    naturals = [card for card in cards if card.rank is not None and card.rank != wild]
    match code:
        case "group_too_small":
            return say_many(
                "a group needs at least three cards, and here is {count}",
                "a group needs at least three cards, and here are {count}",
                count=len(cards),
            )
        case "set_too_large":
            return say_many(
                "{count} card, but a set may have {most}, jokers included",
                "{count} cards, but a set may have {most}, jokers included",
                count=len(cards),
                most=options.max_set_size,
            )
        case "duplicate_suit_in_set":
            return _twice_in_set(naturals)
        case "wraparound_ace":
            return GOES_ROUND if options.has_high_ace else LOW_ACE
        case "mixed_group":
            return _strangers(naturals)
        case "all_joker_group":
            return say("only jokers: no card stands for itself")
        case "too_many_jokers":
            return say(
                "{what} in {where}: {why}",
                what=say_many("{count} joker", "{count} jokers", count=len(cards) - len(naturals)),
                where=say_many("{count} card", "{count} cards", count=len(cards)),
                why=JOKER_RULES.get(options.joker_rule, TOO_MANY),
            )
        case _:
            return _gap(naturals, len(cards) - len(naturals), options)


def _twice(cards: Sequence[Card]) -> list[Message | str]:
    return [card_text(card) for card, times in Counter(cards).items() if times > 1]


def _twice_in_set(cards: Sequence[Card]) -> Message:
    twice = _twice(cards)
    if len(twice) == 1:
        return say("{cards} is there twice, and a set needs different suits", cards=twice[0])
    return say("{cards} are there twice, and a set needs different suits", cards=tuple(twice))


def _twice_in_sequence(twice: Sequence[Message | str]) -> Message:
    if len(twice) == 1:
        return say("{cards} is there twice, and a sequence has each card once", cards=twice[0])
    return say("{cards} are there twice, and a sequence has each card once", cards=tuple(twice))


def _strangers(cards: Sequence[Card]) -> Message:
    """Two cards of a group that have nothing in common."""
    for card, other in combinations(cards, 2):
        if card.rank != other.rank and card.suit != other.suit:
            return say("{card} and {other} share neither suit nor rank", card=card_text(card), other=card_text(other))
    return say("the cards share neither suit nor rank")


def _gap(naturals: Sequence[Card], jokers: int, options: HandOptions) -> Message:
    """Why cards of one suit are not consecutive: one is there twice, or too much is missing between two."""
    if twice := _twice(naturals):
        return _twice_in_sequence(twice)
    lower, upper = map(card_text, _widest_gap(naturals, options))
    if not jokers:
        return say("something is missing between {card} and {other}", card=lower, other=upper)
    return say_many(
        "something is missing between {card} and {other}, and {count} joker cannot fill it",
        "something is missing between {card} and {other}, and {count} jokers cannot fill it",
        card=lower,
        other=upper,
        count=jokers,
    )


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
