"""What cards are together in the Western games: a run of one suit, or a set of one rank.

Rules: docs/rules/western.md, "Figures". Jokers stand where they lie. Knows nothing of what figures are worth.
"""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.messages import Message, say
from scoring.rules.cards import ACE, RANK_COUNT, Card

SHORTEST, MOST_IN_SET = 3, 4


class Figure(NamedTuple):
    """What each place stands for: 0 for an ace before the two, 13 for one after the king or in a set."""

    is_run: bool
    places: tuple[int, ...]


def figure_of(cards: Sequence[Card], *, is_cyclic: bool = False) -> Figure | None:
    """What cards are as they lie, or in order where no joker is among them; None where they are nothing."""
    found = _as_laid(cards, is_cyclic=is_cyclic)
    if found is not None or any(card.rank is None for card in cards):
        return found
    low = sorted(cards, key=lambda card: card.rank or 0)
    high = sorted(cards, key=lambda card: RANK_COUNT if card.rank == ACE else card.rank or 0)
    return _as_laid(low, is_cyclic=is_cyclic) or _as_laid(high, is_cyclic=is_cyclic)


def has_too_many_jokers(jokers: int, cards: int) -> bool:
    """Whether a figure has more jokers than natural cards."""
    return jokers > cards - jokers


def why_no_figure(cards: Sequence[Card]) -> Message:
    """What is wrong with cards that are nothing."""
    jokers = sum(card.is_printed_joker for card in cards)
    if len(cards) < SHORTEST:
        return say("three cards at least are needed")
    if has_too_many_jokers(jokers, len(cards)):
        return say("there are more jokers than other cards")
    if len({card.rank for card in cards if card.rank is not None}) == 1:
        return say("a set has each suit once, four cards at most")
    return say("a run has cards of one suit, one after the other")


def _as_laid(cards: Sequence[Card], *, is_cyclic: bool) -> Figure | None:
    naturals = [(place, card.rank, card.suit) for place, card in enumerate(cards) if card.rank is not None]
    if len(cards) < SHORTEST or has_too_many_jokers(len(cards) - len(naturals), len(cards)):
        return None
    ranks, suits = {rank for _, rank, _ in naturals}, [suit for _, _, suit in naturals]
    if len(ranks) == 1 and len(set(suits)) == len(suits) and len(cards) <= MOST_IN_SET:
        return Figure(is_run=False, places=(ranks.pop() or RANK_COUNT,) * len(cards))
    if len(set(suits)) > 1:
        return None
    start = _start([(place, rank) for place, rank, _ in naturals], is_cyclic=is_cyclic)
    most = RANK_COUNT if is_cyclic else RANK_COUNT + 1 - (start or 0)
    if start is None or start < 0 or len(cards) > most:
        return None
    return Figure(is_run=True, places=tuple(range(start, start + len(cards))))


def _start(naturals: Sequence[tuple[int, int]], *, is_cyclic: bool) -> int | None:
    """The rank of the first place of a run; None where the cards do not follow each other."""
    if is_cyclic:
        found = {(rank - place) % RANK_COUNT for place, rank in naturals}
        return found.pop() if len(found) == 1 else None
    # Two naturals at least, of which one is no ace or both are: never is there more than one place to start.
    starts = [{rank - place, RANK_COUNT - place} if rank == ACE else {rank - place} for place, rank in naturals]
    return next(iter(set.intersection(*starts)), None)
