"""Lots that anybody can draw again: a short seed that is shown, and one public recipe.

Rules: docs/seating.md, section 6. The place of a player is the SHA-256 sum of "seed:key" (UTF-8), smallest first.
Knows nothing of tables; chance enters only as the bytes a seed is written from.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from scoring.problems import Problem
from scoring.rules.cards import CARDS, RANK_COUNT, SUITS, Card
from tournaments.draw.plans import SeatingRejected

SEED_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
SEED_LENGTH = 8
MISREAD = str.maketrans({"O": "0", "I": "1", "L": "1"})
PACK = CARDS[: RANK_COUNT * len(SUITS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnCard:
    """The card a player drew."""

    player: str
    card: Card


def seed_from(chance: bytes) -> str:
    """Eight characters such as K7QF-2M9X, made from at least five bytes of chance."""
    if len(chance) * 8 < SEED_LENGTH * 5:
        raise SeatingRejected([Problem(code="seed_short", field="seed", detail="a seed needs 5 bytes of chance")])
    number = int.from_bytes(chance, "big")
    signs = "".join(SEED_ALPHABET[number >> (5 * place) & 31] for place in range(SEED_LENGTH))
    return f"{signs[:4]}-{signs[4:]}"


def seed_as_read(text: str) -> str:
    """A seed that somebody typed from a notice: small letters, blanks, O for 0 and I or L for 1 are understood."""
    signs = "".join(text.upper().translate(MISREAD).replace("-", "").split())
    if len(signs) != SEED_LENGTH or not set(signs) <= set(SEED_ALPHABET):
        detail = f"a seed has {SEED_LENGTH} letters and digits, such as K7QF-2M9X; this one has {len(signs)}"
        raise SeatingRejected([Problem(code="seed_unreadable", field="seed", detail=detail)])
    return f"{signs[:4]}-{signs[4:]}"


def lots(seed: str, players: Iterable[str]) -> tuple[str, ...]:
    """The players in the order of their lots, best lot first. The order in which they are listed does not matter."""
    return tuple(sorted(set(players), key=lambda key: (_sum_of(seed, key), key)))


def high_card(seed: str, players: Iterable[str]) -> tuple[DrawnCard, ...]:
    """Each player draws one card of a pack of 52; the highest first, ace high, then spades, hearts, diamonds, clubs.

    The pack is cut in the order of the lots of "card AS" to "card KC"; players draw in the order of their keys.
    """
    drawing = sorted(set(players))
    if len(drawing) > len(PACK):
        detail = f"{len(drawing)} players cannot each draw a card from a pack of {len(PACK)}: use lots"
        raise SeatingRejected([Problem(code="pack_too_small", field="players", detail=detail)])
    pack = sorted(PACK, key=lambda card: _sum_of(seed, f"card {card}"))
    drawn = [DrawnCard(player=player, card=card) for player, card in zip(drawing, pack, strict=False)]
    return tuple(sorted(drawn, key=lambda one: _height(one.card), reverse=True))


def chance_of(seed: str) -> random.Random:
    """A stream of chance that is the same for the same seed, here and on any other machine.

    Only `.random()` may be asked of it: Python promises no other method's sequence between versions.
    """
    return random.Random(seed)  # noqa: S311 - to be repeated by anybody, so not secret by intent


def _sum_of(seed: str, text: str) -> bytes:
    return sha256(f"{seed}:{text}".encode()).digest()


def _height(card: Card) -> tuple[int, int]:
    rank, suit = card.rank or 0, card.suit or 0
    return (rank or RANK_COUNT, -suit)
