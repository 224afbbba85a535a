"""What a losing hand of 13-card rummy costs: the best it could be arranged, or as its player laid it down.

Rules: docs/rules/indian.md, section 4 (counting a loser). Knows nothing of drops, cuts in half or totals.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scoring.problems import Problem, refuse_if
from scoring.rules.arrangements import (
    HAND_SIZE,
    SEQUENCES,
    Arrangement,
    GroupKind,
    HandOptions,
    arrange,
    kind_of,
)
from scoring.rules.arrangements.house import rank_points
from scoring.rules.cards import CARDS, PRINTED_NUMBER, RANK_COUNT, Card, CardsRejected

Cards = Sequence[Card]


@dataclass(frozen=True, slots=True)
class HandCount:
    """The least a hand can cost: `count` after the cap, and the arrangement that costs it."""

    count: int
    arrangement: Arrangement


def count_hand(cards: Cards, wild: int | None, options: HandOptions) -> HandCount:
    """Count a hand of 13 cards at its best. Raises CardsRejected where it cannot be a hand."""
    refuse_if(hand_problems(cards, options, field="cards"), CardsRejected)
    best = arrange(cards, wild, options)
    return HandCount(options.capped(best.points), best)


def declared_count(groups: Iterable[Cards], loose: Cards, *, wild: int | None, options: HandOptions) -> int:
    """What a losing hand costs as its player laid it down, after the cap."""
    laid = [(tuple(group), kind_of(group, wild, options)) for group in groups]
    held = [card for group, _ in laid for card in group]
    return laid_count(laid, [*held, *loose], wild=wild, options=options)


def laid_count(
    laid: Iterable[tuple[Cards, GroupKind | None]], held: Cards, *, wild: int | None, options: HandOptions
) -> int:
    """What the cards held cost, less the groups that protect theirs. Groups that are none protect nothing."""
    valid = [(group, kind) for group, kind in laid if kind is not None]
    kinds = [kind for _, kind in valid if kind in SEQUENCES]
    total = points_of(held, wild)
    if GroupKind.PURE_SEQUENCE in kinds and len(kinds) > 1:
        spared = [group for group, kind in valid if kind in SEQUENCES or options.deduct_sets]
    elif kinds == [GroupKind.PURE_SEQUENCE] and options.pure_alone_protects:
        spared = [group for group, kind in valid if kind in SEQUENCES]
    else:
        spared = []
    return options.capped(total - sum(points_of(group, wild) for group in spared))


def points_of(cards: Iterable[Card], wild: int | None) -> int:
    """What cards cost in hand: jokers of both kinds nothing."""
    points = card_points(wild)
    return sum(points[card.number] for card in cards)


@lru_cache(maxsize=RANK_COUNT + 1)
def card_points(wild: int | None) -> tuple[int, ...]:
    """What every card costs by its number."""
    points = rank_points(wild)
    return (*(points[card.number % RANK_COUNT] for card in CARDS[:PRINTED_NUMBER]), 0)


def hand_problems(cards: Cards, options: HandOptions, *, field: str) -> list[Problem]:
    """Why these cards cannot be a hand: not 13 of them, or more copies of one than there are."""
    found = []
    if len(cards) != HAND_SIZE:
        found.append(not_13_cards(len(cards), field=field))
    return found + copy_problems(cards, options, field=field)


def not_13_cards(count: int, *, field: str) -> Problem:
    """The hand is too short or too long."""
    detail = f"{count} {'card' if count == 1 else 'cards'}, but a hand has {HAND_SIZE}"
    return Problem(code="not_13_cards", field=field, detail=detail)


def copy_problems(cards: Cards, options: HandOptions, *, field: str) -> list[Problem]:
    """One problem for every card that lies here more often than the packs hold it."""
    numbers = [card.number for card in cards]
    jokers = options.packs * options.printed_jokers
    # With this many different cards none can be there too often; most hands stop here.
    if len(set(numbers)) > len(numbers) - options.packs and numbers.count(PRINTED_NUMBER) <= jokers:
        return []
    return [
        _too_many_copies(CARDS[number], count, most, field)
        for number, count in Counter(numbers).items()
        if count > (most := jokers if number == PRINTED_NUMBER else options.packs)
    ]


def _too_many_copies(card: Card, count: int, most: int, field: str) -> Problem:
    detail = f"{card.text} is there {count} {'time' if count == 1 else 'times'}, but the packs hold {most}"
    return Problem(code="impossible_card_count", field=field, detail=detail)
