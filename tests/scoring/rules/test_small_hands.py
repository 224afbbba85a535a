"""Short hands full of jokers, compared with the exhaustive judge: cases that 13 dealt cards seldom give.

The judge takes hands of any size, and faults show more often with few cards: most hands are declared or nearly so.
"""

import random
from dataclasses import asdict

import pytest

from scoring.rules.arrangements import SEQUENCES, GroupKind, HandOptions
from scoring.rules.arrangements.declaring import FullCover, hand_out
from scoring.rules.arrangements.holding import LONGEST_LEAD, hold, leads
from scoring.rules.cards import parse_cards, parse_wild
from tests.builders.arrangements import JOKER_RULES, holds_together
from tests.builders.exhaustive_judge import Exhaustive, House
from tests.builders.hands import JOKER, LADDER, RANKS, SUITS
from tests.builders.samples import each, so_many


def short_hand(chance):
    """A run, a few cards that lie near each other, and jokers of both kinds."""
    wild = chance.choice([*RANKS, None])
    start, length, suit = chance.randrange(len(LADDER) - 4), chance.choice((3, 3, 3, 4, 5)), chance.choice(SUITS)
    hand = [rank + suit for rank in LADDER[start : start + length]]
    corner = chance.randrange(len(LADDER) - 3)
    suits = chance.sample(SUITS, chance.choice((1, 2, 3, 4)))
    near = [rank + each for rank in LADDER[corner : corner + chance.choice((1, 2, 3, 4))] for each in suits]
    if chance.random() < 0.4:
        near += [chance.choice(near)] * 2
    jokers = [JOKER] * 6 + ([wild + each for each in SUITS] * 2 if wild else [])
    chance.shuffle(near)
    chance.shuffle(jokers)
    for card in [*near[: chance.randrange(6)], *jokers[: chance.randrange(6)]]:
        if card == JOKER or hand.count(card) < 3:
            hand.append(card)
    return hand, wild


def some_house(chance, joker_rules=JOKER_RULES):
    return House(
        ace=chance.choice(("both", "low")),
        joker_rule=chance.choice(joker_rules),
        deduct_sets=chance.random() < 0.6,
        pure_alone_protects=chance.random() < 0.4,
        max_set_size=chance.choice((4, 4, 5, 6)),
        identical_cards=chance.random() < 0.4,
        long_sequence=chance.random() < 0.4,
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_a_short_hand_is_counted_as_trying_everything_counts_it(seed):
    chance = random.Random(seed)
    for _ in range(so_many(20, often=45)):
        cards, wild = short_hand(chance)
        house = some_house(chance)
        best = holds_together(parse_cards(cards, "cards"), parse_wild(wild), HandOptions(**asdict(house)))
        slow = Exhaustive(cards, wild, house)
        assert best.points == slow.count(), (cards, wild, house)
        assert best.is_declarable is slow.declarable(), (cards, wild, house)


@pytest.mark.parametrize("rule", JOKER_RULES)
@pytest.mark.parametrize("seed", each(0, 1, 2))
def test_a_show_that_needs_room_is_found_wherever_trying_everything_finds_one(seed, rule):
    chance = random.Random(seed)
    for _ in range(so_many(20, often=45)):
        cards, wild = short_hand(chance)
        house = some_house(chance, [rule])
        options = HandOptions(**asdict(house))
        hand, rank = parse_cards(cards, "cards"), parse_wild(wild)
        holding = hold(hand, rank)
        found = leads(
            holding, has_high_ace=options.has_high_ace, identical_cards=house.identical_cards, longest=LONGEST_LEAD + 1
        )
        shown = FullCover(holding, options).groups(found)
        assert (shown is not None) is Exhaustive(cards, wild, house).declarable(), (cards, wild, house)
        if shown is not None:
            groups, loose = hand_out(shown, hand, rank, options)
            kinds = [group.kind for group in groups]
            assert not loose, (cards, wild, house)
            assert sum(kind in SEQUENCES for kind in kinds) > 1
            assert GroupKind.PURE_SEQUENCE in kinds


def counted_with_sets(cards, wild, **options):
    house = HandOptions(joker_rule="half", deduct_sets=False, **options)
    return holds_together(parse_cards(cards, "cards"), parse_wild(wild), house)


@pytest.mark.parametrize(
    ("cards", "wild"),
    [
        ("6H 7H 8H 9H 6S 7S 4S 5S PJ PJ PJ PJ PJ", "9"),
        ("7H 8H 9H TH 7D 7S TD TS 4S PJ 4D 4C 4D", "4"),
    ],
)
def test_where_sets_count_a_set_that_only_a_show_needs_is_not_laid_down_by_a_loser(cards, wild):
    best = counted_with_sets(cards, wild, ace="low")
    assert (best.points, best.is_declarable) == (0, True)
    assert GroupKind.SET not in {group.kind for group in best.groups}
    assert best.loose


def test_where_sets_count_a_set_of_wild_cards_costs_nothing_and_is_laid_down():
    best = counted_with_sets("5S 6S 7S 7H 8H 6H PJ 3H 3D 3C", "3")
    assert (best.points, best.is_declarable, best.loose) == (0, True, ())
    assert [group.kind for group in best.groups].count(GroupKind.SET) == 1


def test_where_sets_count_a_show_of_sequences_alone_is_laid_down_whole():
    best = counted_with_sets("5S 6S 7S 9H TH JH PJ PJ", None)
    assert (best.points, best.is_declarable, best.loose) == (0, True, ())


@pytest.mark.slow
@pytest.mark.parametrize("length", [3, 4, 5])
@pytest.mark.parametrize("place", [0, 1, 2, None])
@pytest.mark.parametrize("rule", ["one_natural", "any"])
def test_a_run_with_nothing_beside_it_but_jokers_is_a_show_where_these_may_be_the_second_sequence(length, place, rule):
    run = [rank + "H" for rank in LADDER[4 : 4 + length]]
    wild = None if place is None else run[place][0]
    for others in (
        [],
        [run[place]] if wild else [],
        [f"{wild}D"] if wild else [],
        [f"{wild}C", f"{wild}S"] if wild else [],
    ):
        hand = [*run, *others, *[JOKER] * 9][:13]
        best = holds_together(parse_cards(hand, "cards"), parse_wild(wild), HandOptions(joker_rule=rule))
        slow = Exhaustive(hand, wild, House(joker_rule=rule))
        assert (best.points, best.is_declarable) == (slow.count(), slow.declarable()), (hand, wild)


@pytest.mark.parametrize(
    ("cards", "wild", "is_declarable"),
    [
        # A sequence of two and a joker takes one joker more, and a set of two wild cards and a joker another.
        ("5S 6S 7S 9H TH 3D 3C PJ PJ PJ PJ", "3", True),
        ("5S 6S 7S 9H TH 3D 3C PJ PJ PJ PJ PJ", "3", False),
        # Four wild cards as a set leave no joker over; three leave one, and nothing to do with it.
        ("5S 6S 7S 9H TH 3D 3C 3H 3S PJ", "3", True),
        ("5S 6S 7S 9H TH 3D 3D 3D PJ PJ", "3", False),
        ("5S 6S 7S 9H TH 3D 3C 3D 3C PJ PJ PJ PJ PJ PJ", "3", True),
        ("5S 6S 7S 9H TH 3D 3C 3D 3C PJ PJ PJ PJ PJ PJ PJ", "3", False),
    ],
)
def test_jokers_under_the_half_rule_lie_beside_sets_of_wild_cards_as_far_as_these_go(cards, wild, is_declarable):
    best = holds_together(parse_cards(cards, "cards"), parse_wild(wild), HandOptions(joker_rule="half"))
    assert best.is_declarable is is_declarable
    assert Exhaustive(cards.split(), wild, House(joker_rule="half")).declarable() is is_declarable
