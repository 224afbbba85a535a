"""The tables of one suit: which sequences there are, and the most points they cover, compared with plain searches."""

import random
from collections import Counter
from itertools import combinations

import pytest

from scoring.rules.arrangements import cover
from scoring.rules.arrangements.cover import SuitCover
from scoring.rules.arrangements.house import shapes

POINTS = [10, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10]
RULES = ("one_natural", "half", "two_natural")


def admitted(rule, places):
    """The jokers that these places need to be a sequence; None where the house or the length forbids it."""
    jokers = max(max(places) - min(places) + 1 - len(places), 3 - len(places))
    allowed = {"one_natural": True, "half": jokers <= len(places), "two_natural": len(places) >= 2}[rule]
    return jokers if allowed and len(places) + jokers <= 13 else None


def is_whole(rule, places):
    """A sequence that cannot be cut into two with as few jokers."""
    jokers = admitted(rule, places)
    if jokers is None:
        return False
    cuts = [(admitted(rule, places[:at]), admitted(rule, places[at:])) for at in range(1, len(places))]
    return not any(None not in cut and sum(cut) <= jokers for cut in cuts)


@pytest.mark.parametrize("rule", RULES)
def test_the_shapes_are_the_sequences_that_cannot_be_cut_in_two(rule):
    shapes.cache_clear()
    found = shapes(rule)
    every = [(0, *rest) for size in range(13) for rest in combinations(range(1, 13), size)]
    assert {shape.places: shape.jokers for shape in found} == {
        places: admitted(rule, places) for places in every if is_whole(rule, places)
    }
    assert all(shape.cards == sum(4**place for place in shape.places) for shape in found)
    assert [shape.jokers for shape in found] == sorted(shape.jokers for shape in found)


def most_points(held, jokers, *, rule, wild, points):
    """The lowest card loose, or in any sequence with cards above it, then the rest: slow, and plainly right."""
    if not held:
        return 0
    lowest, best = held[0], most_points(held[1:], jokers, rule=rule, wild=wild, points=points)
    others = sorted(set(held) - {lowest})
    for size in range(len(others) + 1):
        for rest in combinations(others, size):
            needed = admitted(rule, (lowest, *rest))
            price = None if needed is None else needed + any(place in wild for place in (lowest, *rest))
            if price is not None and price <= jokers:
                left = list(held)
                for place in (lowest, *rest):
                    left.remove(place)
                saved = sum(points[place] for place in (lowest, *rest))
                best = max(best, saved + most_points(left, jokers - price, rule=rule, wild=wild, points=points))
    return best


def readings(held, has_high_ace):
    aces = held.count(0)
    for high in range((aces if has_high_ace else 0) + 1):
        yield sorted([place for place in held if place] + [0] * (aces - high) + [13] * high)


def packed(held):
    return sum(4**place for place in held)


def some_suit(chance):
    start = chance.randrange(10)
    near = [place % 13 for place in range(start, start + 6)] * 3
    held = Counter(chance.sample(near, chance.randrange(1, 7)))
    return sorted(held.elements())


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("has_high_ace", [True, False])
def test_no_way_to_lay_a_suit_covers_more_points_than_its_table_says(rule, has_high_ace):
    chance = random.Random(f"{rule} {has_high_ace}")
    for _ in range(60):
        held, jokers = some_suit(chance), chance.randrange(5)
        wild = chance.choice([None, chance.choice(held), chance.choice(held)])
        places = set() if wild is None else {wild, 13} if wild == 0 else {wild}
        points = [0 if place in places else worth for place, worth in enumerate(POINTS)]
        table = SuitCover(rule, wild=wild, has_high_ace=has_high_ace)
        expected = [
            max(
                most_points(reading, count, rule=rule, wild=places, points=points)
                for reading in readings(held, has_high_ace)
            )
            for count in range(jokers + 1)
        ]
        suit = packed(held)
        told = (rule, has_high_ace, held, wild, jokers)
        assert table.row(suit, jokers) == expected, told
        assert table.worth(suit) == sum(points[place] for place in held), told
        laid_out(table.sequences(suit, jokers), held, expected[-1], points=points, told=told)


def laid_out(sequences, held, expected, *, points, told):
    """The sequences named use no card twice and are worth what the table says."""
    places = [place for cards in sequences for place in range(14) if cards >> 2 * place & 1]
    assert sum(points[place] for place in places) == expected, told
    used = Counter(place % 13 for place in places)
    assert used <= Counter(place % 13 for place in held), told
    assert sum(sequences) == packed(places), told


def test_a_table_that_is_full_starts_afresh_and_says_the_same(monkeypatch):
    chance = random.Random(5)
    suits = [packed(some_suit(chance)) for _ in range(200)]
    unbounded = SuitCover("one_natural", wild=None, has_high_ace=True)
    expected = [unbounded.most(suit, 2) for suit in suits]
    monkeypatch.setattr(cover, "MOST_KEPT", 20)
    bounded = SuitCover("one_natural", wild=None, has_high_ace=True)
    sizes = []
    for suit, most in zip(suits, expected, strict=True):
        assert bounded.most(suit, 2) == most
        sizes.append(max(len(table) for table in (bounded._kept, bounded._answers, bounded._worth)))
    # One suit adds its own few entries before the next checks the size again.
    assert max(sizes) < 200 < len(unbounded._kept)
