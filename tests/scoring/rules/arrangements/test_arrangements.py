"""The cheapest arrangement: cases with known answers, an exhaustive search, and properties of every answer."""

import json
import random
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.rules.arrangements import SEQUENCES, GroupKind, HandOptions, arrange, fault_of, kind_of
from scoring.rules.cards import PRINTED_JOKER, RANKS, SUITS, parse_cards, parse_wild
from scoring.rules.hands import laid_count
from tests.builders.arrangements import JOKER_RULES, _named, holds_together
from tests.builders.exhaustive_judge import Exhaustive, House
from tests.builders.exhaustive_judge import kind_of as exhaustive_kind
from tests.builders.hands import SORTS, deal, wild_rank
from tests.builders.samples import each, so_many

DATA = Path(__file__).resolve().parents[3] / "data"


def samples():
    with (DATA / "sample_hands.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def arranged(cards, wild=None, **options):
    """The arrangement of a hand written as text."""
    return arrange(parse_cards(cards, "cards"), parse_wild(wild), HandOptions(**options))


@pytest.mark.parametrize("sample", each(*samples(), quick=samples()[::2]), ids=lambda sample: sample["id"])
def test_every_option_row_of_a_sample_hand_is_counted_as_its_answer_says(sample):
    cards, wild = parse_cards(sample["hand"], "cards"), parse_wild(sample["wild"])
    for row, expected in sample["expected"].items():
        ace, joker_rule = row.split("|")
        for sets in (True, False):
            for alone in (True, False):
                options = HandOptions(ace=ace, joker_rule=joker_rule, deduct_sets=sets, pure_alone_protects=alone)
                best = holds_together(cards, wild, options)
                key = f"{'sets' if sets else 'nosets'}|{'alone' if alone else 'strict'}"
                assert best.points == expected[key], (row, key)
                assert best.is_declarable is expected["declarable"], row


def agrees_with_exhaustive(chance):
    """Compare the judge with the exhaustive search on one random hand under random options."""
    cards, wild = deal(chance, chance.choice(SORTS))
    house = House(
        ace=chance.choice(("both", "both", "low")),
        joker_rule=chance.choice(JOKER_RULES),
        deduct_sets=chance.random() < 0.8,
        pure_alone_protects=chance.random() < 0.3,
        max_set_size=chance.choice((4, 4, 4, 5, 6, 13)),
        identical_cards=chance.random() < 0.3,
        long_sequence=chance.random() < 0.2,
    )
    best = holds_together(parse_cards(cards, "cards"), parse_wild(wild), HandOptions(**asdict(house)))
    slow = Exhaustive(cards, wild_rank(wild), house)
    assert best.points == slow.count(), (cards, wild, house)
    assert best.is_declarable is slow.declarable(), (cards, wild, house)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_the_judge_agrees_with_the_exhaustive_one(seed):
    chance = random.Random(seed)
    for _ in range(8):
        agrees_with_exhaustive(chance)


@pytest.mark.slow(long=True)
@pytest.mark.parametrize("seed", range(100, 140))
def test_the_judge_agrees_with_the_exhaustive_one_on_twenty_thousand_hands(seed):
    chance = random.Random(seed)
    for _ in range(500):
        agrees_with_exhaustive(chance)


def test_a_wild_card_in_its_own_place_keeps_the_sequence_pure():
    best = arranged("5H 6H 7H 9S TS JS QD QC QH 2D 2C 2H 2S", "6")
    assert best.is_declarable
    assert GroupKind.PURE_SEQUENCE in {group.kind for group in best.groups if "6H" in map(str, group.cards)}


def test_a_wild_card_may_stand_for_itself_in_one_group_and_for_another_card_in_the_next():
    best = arranged("5H 6H 7H 9S 6D JS QD QC QH 2D 2C 2H 2S", "6")
    assert best.is_declarable
    assert sum(group.kind in SEQUENCES for group in best.groups) == 2


def test_without_two_sequences_every_card_counts():
    best = arranged("4H 5H 6H KS KD KC QS QD QC 2S 4D 9C 9H")
    assert best.points == 15 + 60 + 2 + 4 + 18
    assert not best.groups


def test_a_lone_pure_sequence_protects_only_where_the_house_says_so():
    cards = "TS JS QS KS AS 4H 7C 7H TH TD KD 5S QD"
    strict, alone = arranged(cards), arranged(cards, pure_alone_protects=True)
    assert strict.points - alone.points == 50
    assert [group.kind for group in alone.groups] == [GroupKind.PURE_SEQUENCE]


def test_jokers_that_find_no_room_under_the_half_rule_keep_a_hand_from_being_declared():
    cards = "AS 2S 3S 4H 5H 6H PJ PJ PJ PJ PJ 9C 9D"
    assert arranged(cards, joker_rule="half").is_declarable
    without_nines = "AS 2S 3S 4H 5H 6H PJ PJ PJ PJ PJ PJ 9D"
    assert not arranged(without_nines, joker_rule="half").is_declarable
    assert arranged(without_nines).is_declarable


def test_thirteen_jokers_are_worth_nothing_and_are_no_show():
    cards = " ".join(["PJ"] * 9 + ["7S", "7H", "7D", "7C"])
    for rule in JOKER_RULES:
        best = arranged(cards, "7", joker_rule=rule)
        assert best.points == 0
        assert not best.is_declarable


@pytest.mark.parametrize(
    ("cards", "wild", "options", "kind"),
    [
        ("5S 6S 7S", "6", {}, GroupKind.PURE_SEQUENCE),
        ("5D 6D PJ 8D", None, {}, GroupKind.IMPURE_SEQUENCE),
        ("QH KH AH", None, {}, GroupKind.PURE_SEQUENCE),
        ("7S 7H 7D", "7", {}, GroupKind.IMPURE_SEQUENCE),
        ("7S 7H 7D", "7", {"joker_rule": "half"}, GroupKind.SET),
        ("PJ PJ PJ", None, {"joker_rule": "any"}, GroupKind.IMPURE_SEQUENCE),
        ("8D 8H 8C 8S PJ", None, {"max_set_size": 5}, GroupKind.SET),
        ("2S 2H 2D 2C 2S", "2", {"joker_rule": "half", "max_set_size": 5}, GroupKind.SET),
        ("5S 6D 7S", "6", {}, GroupKind.IMPURE_SEQUENCE),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", None, {}, GroupKind.PURE_SEQUENCE),
        ("9H 9H 9H", None, {"identical_cards": True}, GroupKind.PURE_SEQUENCE),
        ("9H 9H 9H", "9", {"identical_cards": True, "joker_rule": "two_natural"}, GroupKind.PURE_SEQUENCE),
        ("8D PJ PJ", None, {"joker_rule": "one_in_sequence"}, GroupKind.SET),
        ("8D TD PJ", None, {"joker_rule": "one_in_sequence"}, GroupKind.IMPURE_SEQUENCE),
    ],
)
def test_a_group_is_read_as_a_sequence_where_it_can_be(cards, wild, options, kind):
    assert kind_of(parse_cards(cards, "group"), parse_wild(wild), HandOptions(**options)) is kind


@pytest.mark.parametrize(
    ("cards", "wild", "options", "code"),
    [
        ("5S 6S", None, {}, "group_too_small"),
        ("", None, {}, "group_too_small"),
        ("8D 8H 8C 8S PJ", None, {}, "set_too_large"),
        ("5D 5D 5S", None, {}, "duplicate_suit_in_set"),
        ("5D 5D PJ", None, {}, "duplicate_suit_in_set"),
        ("7C 8C TC", None, {}, "broken_run"),
        ("JD JD TD QD", None, {}, "broken_run"),
        ("KS AS 2S 3S", None, {}, "wraparound_ace"),
        ("KS AS PJ 3S", None, {}, "wraparound_ace"),
        ("QH KH AH", None, {"ace": "low"}, "wraparound_ace"),
        ("6C 5D 7D", None, {}, "mixed_group"),
        ("PJ PJ PJ", None, {}, "all_joker_group"),
        ("PJ 8D PJ", None, {"joker_rule": "half"}, "too_many_jokers"),
        ("5H PJ PJ PJ 9H", None, {"joker_rule": "half"}, "too_many_jokers"),
        ("PJ 3C PJ", None, {"joker_rule": "two_natural"}, "too_many_jokers"),
        ("8D 8H PJ PJ PJ", None, {"joker_rule": "half"}, "set_too_large"),
        ("8D 8H PJ PJ PJ", None, {"joker_rule": "half", "max_set_size": 5}, "too_many_jokers"),
        ("8D PJ PJ PJ PJ", None, {"joker_rule": "half"}, "too_many_jokers"),
        ("8D 8H 8C 8S 8D", "8", {"joker_rule": "half"}, "set_too_large"),
        ("2S 3S" + 11 * " PJ", None, {"joker_rule": "half"}, "too_many_jokers"),
        ("2S 3S" + 12 * " PJ", None, {}, "broken_run"),
        ("KS AS 3S", None, {}, "broken_run"),
        ("9H 9H 9H", None, {}, "duplicate_suit_in_set"),
        ("9H 9H PJ", None, {"identical_cards": True}, "duplicate_suit_in_set"),
        ("9H 9H 9H PJ", None, {"identical_cards": True}, "duplicate_suit_in_set"),
        ("PJ PJ PJ", None, {"identical_cards": True}, "all_joker_group"),
        ("4S PJ PJ 7S", None, {"joker_rule": "one_in_sequence"}, "too_many_jokers"),
        ("AS 5S 9S", None, {}, "broken_run"),
    ],
)
def test_a_group_that_is_none_is_told_the_one_reason_to_mend_first(cards, wild, options, code):
    assert fault_of(parse_cards(cards, "group"), parse_wild(wild), HandOptions(**options)) == code


def test_fourteen_consecutive_cards_are_no_sequence():
    round_trip = parse_cards("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS", "group")
    assert fault_of(round_trip, None, HandOptions()) == "broken_run"


@pytest.mark.parametrize("rule", JOKER_RULES)
@pytest.mark.parametrize("ace", ["both", "low"])
def test_a_group_is_what_its_cards_can_be_cast_as(rule, ace):
    chance = random.Random(f"{rule} {ace}")
    for _ in range(so_many(150, often=400)):
        wild, start, suit = chance.choice([*RANKS, None]), chance.randrange(12), chance.choice(SUITS)
        near = [RANKS[(start + step) % 13] + each for step in range(4) for each in (suit, suit, chance.choice(SUITS))]
        others = [RANKS[start] + each for each in SUITS] + [PRINTED_JOKER.text] * 3
        jokers = [wild + each for each in SUITS] if wild else []
        cards = tuple(
            sorted(chance.sample([*chance.choice([near, others]), *jokers, "PJ", "PJ"], chance.randrange(2, 7)))
        )
        size = chance.choice((4, 5, 6))
        house = HandOptions(joker_rule=rule, ace=ace, max_set_size=size)
        laid = parse_cards(list(cards), "group")
        slow = exhaustive_kind(cards, wild, ace, rule, size) if len(cards) > 2 else None
        assert kind_of(laid, parse_wild(wild), house) == (slow and KINDS[slow]), (cards, wild, size)
        assert (fault_of(laid, parse_wild(wild), house) is None) is (slow is not None)


KINDS = {"pure": GroupKind.PURE_SEQUENCE, "impure": GroupKind.IMPURE_SEQUENCE, "set": GroupKind.SET}
dealt = st.builds(lambda seed, sort: deal(random.Random(seed), sort), st.integers(0, 2**32), st.sampled_from(SORTS))
houses = st.builds(
    HandOptions,
    ace=st.sampled_from(("both", "low")),
    joker_rule=st.sampled_from(JOKER_RULES),
    deduct_sets=st.booleans(),
    pure_alone_protects=st.booleans(),
    identical_cards=st.booleans(),
    long_sequence=st.booleans(),
)


@given(dealt, houses, st.permutations(SUITS))
def test_renaming_the_suits_changes_no_count(hand, options, suits):
    cards, wild = hand
    renamed = [card if card == "PJ" else card[0] + suits[SUITS.index(card[1])] for card in cards]
    before = arrange(parse_cards(cards, "cards"), parse_wild(wild), options)
    after = arrange(parse_cards(renamed, "cards"), parse_wild(wild), options)
    assert (before.points, before.is_declarable) == (after.points, after.is_declarable)


@given(dealt, houses, st.integers(0, 12))
def test_a_joker_for_a_card_outside_the_pure_sequences_never_raises_the_count(hand, options, place):
    cards, wild = parse_cards(hand[0], "cards"), parse_wild(hand[1])
    rule = HandOptions(**{**_named(options), "joker_rule": "any"})
    best = arrange(cards, wild, rule)
    pure = [card for group in best.groups if group.kind is GroupKind.PURE_SEQUENCE for card in group.cards]
    assume(cards[place] not in pure)
    better = [*cards[:place], PRINTED_JOKER, *cards[place + 1 :]]
    assert arrange(better, wild, rule).points <= best.points


@given(dealt, houses, st.integers(0, 12))
def test_a_joker_for_a_loose_card_never_raises_the_count_under_any_rule(hand, options, place):
    cards, wild = parse_cards(hand[0], "cards"), parse_wild(hand[1])
    best = arrange(cards, wild, options)
    assume(best.loose)
    chosen = cards.index(best.loose[place % len(best.loose)])
    better = [*cards[:chosen], PRINTED_JOKER, *cards[chosen + 1 :]]
    assert arrange(better, wild, options).points <= best.points


@given(dealt, houses)
def test_counting_sets_never_makes_a_hand_cheaper(hand, options):
    cards, wild = parse_cards(hand[0], "cards"), parse_wild(hand[1])
    counted = HandOptions(**{**_named(options), "deduct_sets": False})
    deducted = HandOptions(**{**_named(options), "deduct_sets": True})
    assert arrange(cards, wild, counted).points >= arrange(cards, wild, deducted).points


@given(dealt, houses, st.lists(st.integers(0, 4), min_size=13, max_size=13))
def test_no_way_to_lay_a_hand_down_counts_less_than_the_best(hand, options, piles):
    cards, wild = parse_cards(hand[0], "cards"), parse_wild(hand[1])
    uncapped = HandOptions(**{**_named(options), "cap": None})
    groups = [tuple(card for card, pile in zip(cards, piles, strict=True) if pile == each) for each in range(5)]
    laid = [(group, kind_of(group, wild, uncapped)) for group in groups]
    declared = laid_count(laid, cards, wild=wild, options=uncapped)
    assert holds_together(cards, wild, uncapped).points <= declared
