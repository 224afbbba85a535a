"""Counting hands and judging shows, in every game whose cards we count."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.arrangements import GroupKind, HandOptions, kind_of
from scoring.rules.cards import CARDS, parse_cards, parse_wild, write_cards
from scoring.rules.hands import LaidDown, count_hand, declared_count, judge_show, points_of
from scoring.rules.variants.western.gin.deadwood import gin_deadwood, gin_melds
from scoring.rules.variants.western.romme.sheets import romme_hand_value
from scoring.rules.variants.western.rum_options import RumFamilyOptions
from scoring.rules.variants.western.rummy500.options import rummy500_score, rummy500_values
from tests.builders.samples import so_many

DATA = Path(__file__).resolve().parents[3] / "data"
OPTION_NAMES = set(HandOptions.__struct_fields__)
KINDS = {"pure": GroupKind.PURE_SEQUENCE, "impure": GroupKind.IMPURE_SEQUENCE, "set": GroupKind.SET, "run": "run"}
GIN_BONUS = 25


def lines_of(name, *kinds):
    with (DATA / name).open(encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    return [pytest.param(case, id=case["id"]) for case in cases if not kinds or case["kind"] in kinds]


def golden(*ops, variant):
    with (DATA / "golden_cases.json").open(encoding="utf-8") as file:
        cases = [case for case in json.load(file) if case["op"] in ops and case["variant"] == variant]
    return [pytest.param(case, id=case["id"]) for case in cases]


def options_of(case):
    return HandOptions(**{name: value for name, value in case["options"].items() if name in OPTION_NAMES})


def cards(written):
    return parse_cards(written, "cards")


def laid_down(groups, loose=(), hand=None):
    return LaidDown(tuple(cards(group) for group in groups), cards(loose or []), hand and cards(hand))


def codes(ruling):
    return [problem.code for problem in ruling.problems]


@pytest.mark.parametrize("case", golden("hand_count", variant="indian13"))
def test_golden_hand_count(case):
    wild, options, expected = parse_wild(case["options"]["wild_rank"]), options_of(case), case["expected"]
    laid = laid_down(case["input"]["groups"])
    ruling = judge_show(laid, wild=wild, options=options)
    assert ruling.count_if_loser == expected["count_if_loser"]
    assert declared_count(laid.groups, laid.loose, wild=wild, options=options) == expected["count_if_loser"]
    if "group_kinds" in expected:
        assert list(ruling.kinds) == [KINDS.get(kind) for kind in expected["group_kinds"]]
        assert ruling.valid_show is expected["valid_show"]
    if "count_if_best_arranged" in expected:
        assert count_hand(laid.cards, wild, options).count == expected["count_if_best_arranged"]


@pytest.mark.parametrize("case", golden("group_kind", variant="indian13"))
def test_golden_group_kind(case):
    kind = kind_of(cards(case["input"]["cards"]), parse_wild(case["options"]["wild_rank"]), options_of(case))
    assert kind == KINDS.get(case["expected"]["kind"])


@pytest.mark.parametrize("case", golden("card_sum", variant="indian13"))
def test_golden_card_sum_of_leftover_cards(case):
    assert points_of(cards(case["input"]["unmatched"]), None) == case["expected"]["points"]


@pytest.mark.parametrize("case", lines_of("sample_declarations.jsonl"))
def test_sample_show_is_judged_and_the_reason_is_the_right_one(case):
    options = options_of(case)
    ruling = judge_show(laid_down(case["groups"], hand=case["hand"]), wild=parse_wild(case["wild"]), options=options)
    assert ruling.valid_show is case["expected"]["valid"]
    assert set(codes(ruling)) <= set(case["expected"]["accept"])


@pytest.mark.parametrize(
    ("groups", "loose", "found"),
    [
        (["AD 2D 3D 4D", "5S 6S 7S", "9D 9S 9C"], "QS QD KC", ["loose_cards"]),
        # One broken group is not also called a missing sequence; a show of sets lacks both however it is fixed.
        (["AD 2D 3D 4D", "5S 6S 8S", "9D 9S 9C", "QS QD QC"], "", ["broken_run"]),
        (["5D 5S 5H", "2D 2S 2C", "9D 9S 9C 9H", "QS QD QS"], "", ["duplicate_suit_in_set", "only_one_sequence"]),
    ],
)
def test_a_wrong_show_is_told_what_to_mend(groups, loose, found):
    assert codes(judge_show(laid_down(groups, loose), wild=None, options=HandOptions())) == found


VALID = ("AD 2D 3D 4D", "5S 6S 7S", "9D 9S 9C", "QS QD QC")


@pytest.mark.parametrize(
    ("groups", "hand", "cost"),
    [
        (VALID, "AD 2D 3D 4D 5S 6S 7S 9D 9S 9C QS QD QC", 0),
        (VALID, "AD 2D 3D 4D 5S 6S 7S 9D 9S 9C QS QD", 20),
        (VALID, "AD 2D 3D 4D 5S 6S 7S 9D 9S 9C QS QD QC KH", 10),
        (VALID, "AD 2D 3D 4D 5S 6S 7S 9D 9S 9C QS QD KH", 30),
        (("AD 2D 3D 4D", "5S 6S 7S", "5S 6S 7S", "QS QD QC"), "AD 2D 3D 4D 5S 6S 7S 9D 9S 9C QS QD QC", 27),
        (("AD 2D 3D 4D", "5S 6S 7S", "9D 9S 9C"), "AD 2D 3D 4D 5S 6S 7S 9D 9S 9C QS QD QC", 30),
    ],
)
def test_only_groups_of_cards_that_are_held_protect_theirs(groups, hand, cost):
    assert judge_show(laid_down(groups, hand=hand), wild=None, options=HandOptions()).count_if_loser == cost


def test_a_count_above_the_cap_costs_the_cap():
    hand = cards("AD KD QH JS TC 9D 8H 7S 5C KC QS JH TD")
    assert count_hand(hand, None, HandOptions()).count == 80
    assert count_hand(hand, None, HandOptions(cap=None)).count == 119
    assert count_hand(hand, None, HandOptions(cap=101)).count == 101


OCTRO = HandOptions(full_without_sequences=True, long_sequence=True, identical_cards=True, joker_rule="one_in_sequence")


class TestOctro:
    def test_a_hand_without_two_sequences_costs_the_full_count(self):
        """Planted faults: only the best arrangement charged; a hand that has two charged as well."""
        laid = laid_down(["2S 3S 4S", "5H 5D 5C"], "AS 2D 2C 3D 3C 4D 4C")
        assert judge_show(laid, wild=None, options=HandOptions()).count_if_loser == 52
        assert judge_show(laid, wild=None, options=OCTRO).count_if_loser == 80
        assert count_hand(laid.cards, None, HandOptions()).count < 80
        both = laid_down(["2S 3S 4S", "5H 6H PJ"], "AS 2D 2C 3D 3C 4D 4C")
        assert judge_show(both, wild=None, options=OCTRO).count_if_loser == 28
        assert count_hand(cards("2S 3S 4S 9H 9D KS QD JH 7C 5D 8H AC 2C"), None, OCTRO).count == 80

    def test_a_hand_counts_where_its_lone_pure_sequence_protects_or_there_is_no_full_count(self):
        laid = laid_down(["2S 3S 4S"], "AS 2D 2C 3D 3C 4D 4C 6D 6C 8H")
        alone = HandOptions(full_without_sequences=True, pure_alone_protects=True)
        assert judge_show(laid, wild=None, options=alone).count_if_loser == 48
        assert (
            judge_show(laid, wild=None, options=HandOptions(full_without_sequences=True, cap=None)).count_if_loser == 57
        )

    def test_a_show_needs_a_sequence_of_four_cards(self):
        """Planted fault: a set of four taken for the long sequence."""
        short = ["2S 3S 4S", "5H 6H 7H", "9D 9C 9H", "KS KH KD KC"]
        ruling = judge_show(laid_down(short), wild=None, options=OCTRO)
        assert codes(ruling) == ["no_long_sequence"]
        assert judge_show(laid_down(short), wild=None, options=HandOptions()).valid_show
        assert not count_hand(cards(" ".join(short)), None, OCTRO).arrangement.is_declarable
        long = ["2S 3S 4S 5S", "5H 6H 7H", "9D 9C 9H", "KS KH KD"]
        assert judge_show(laid_down(long), wild=None, options=OCTRO).valid_show
        assert count_hand(cards(" ".join(long)), None, OCTRO).arrangement.is_declarable

    def test_three_identical_cards_are_a_pure_sequence(self):
        """Planted fault: three identical cards found in a show, but not by the search for the best arrangement."""
        groups = ["9H 9H 9H", "2S 3S PJ 5S", "KC KD KH", "4D 4C 4S"]
        ruling = judge_show(laid_down(groups), wild=None, options=OCTRO)
        assert (ruling.valid_show, ruling.kinds[0]) == (True, GroupKind.PURE_SEQUENCE)
        best = count_hand(cards(" ".join(groups)), None, OCTRO)
        assert (best.count, best.arrangement.is_declarable) == (0, True)
        assert not judge_show(laid_down(groups), wild=None, options=HandOptions()).valid_show

    def test_a_sequence_holds_one_joker_and_a_set_may_hold_two(self):
        groups = ["2S 3S 4S 5S", "6H PJ PJ", "7D 8D 9D", "KC KD KH"]
        assert judge_show(laid_down(groups), wild=None, options=OCTRO).kinds[1] is GroupKind.SET
        groups[1] = "6H PJ PJ 9H"
        assert codes(judge_show(laid_down(groups), wild=None, options=OCTRO))[1:] == ["too_many_jokers"]


@pytest.mark.parametrize("case", lines_of("sample_other.jsonl", "gin_deadwood", "basic_min_deadwood"))
def test_sample_deadwood(case):
    hand = cards(case.get("hand") or case["cards"])
    assert gin_deadwood(hand) == case["expected"]
    assert_melds(hand)


@pytest.mark.parametrize("case", lines_of("sample_other.jsonl", "gin_score"))
def test_sample_gin_is_worth_the_deadwood_and_the_bonus(case):
    hand = case["hand"]
    if case["id"] == "PO0009":
        hand = ["4H", "4D", "5S", "5C"]
    assert gin_deadwood(cards(hand)) + GIN_BONUS == case["expected"]


@pytest.mark.parametrize("case", golden("deadwood", variant="gin"))
def test_golden_deadwood(case):
    hand = cards(" ".join(case["input"]["hand"]))
    assert gin_deadwood(hand) == case["expected"]["before_discard"]
    kept = [card for card in hand if str(card) != case["input"]["discard"]]
    assert gin_deadwood(kept) == case["expected"]["deadwood"]


def assert_melds(hand):
    """The melds are melds, use each card once and leave exactly the deadwood."""
    melds, loose = gin_melds(hand)
    laid = [card for meld in melds for card in meld]
    assert sorted(card.number for card in [*laid, *loose]) == sorted(card.number for card in hand)
    low = HandOptions(ace="low")
    assert all(kind_of(meld, None, low) in (GroupKind.PURE_SEQUENCE, GroupKind.SET) for meld in melds)
    assert sum(min(10, card.number % 13 + 1) for card in loose) == gin_deadwood(hand)


def least_deadwood(hand):
    """The first card loose or in any meld with it, then the rest: slow, and plainly right."""
    if not hand:
        return 0
    first, rest = hand[0], hand[1:]
    best = min(10, first.number % 13 + 1) + least_deadwood(rest)
    for meld in melds_with(first, hand):
        best = min(best, least_deadwood([card for card in hand if card not in meld]))
    return best


def melds_with(first, hand):
    twins = [card for card in hand if card.rank == first.rank]
    found = [set(twins)] + [set(twins) - {left} for left in twins if left != first]
    for start in range(max(0, first.rank - 12), first.rank + 1):
        for stop in range(first.rank + 1, 14):
            run = {CARDS[first.suit * 13 + rank] for rank in range(start, stop)}
            found += [run] if run <= set(hand) else []
    return [meld for meld in found if len(meld) >= 3]


@pytest.mark.slow
@pytest.mark.parametrize("size", [7, 10, 11])
def test_deadwood_agrees_with_trying_everything(size):
    chance = random.Random(size)
    for share in (52, 26, 20, 16):
        few = chance.sample(CARDS[:52], share)
        low = sorted(CARDS[:52], key=lambda card: card.number % 13)[:share]
        for pack in (few, low):
            for _ in range(so_many(8, often=20)):
                hand = chance.sample(pack, min(size, share))
                assert gin_deadwood(hand) == least_deadwood(hand)
                assert_melds(hand)


@given(st.lists(st.sampled_from(CARDS[:52]), unique=True, max_size=11), st.permutations(range(4)))
def test_renaming_the_suits_changes_no_deadwood(hand, suits):
    renamed = [CARDS[suits[card.number // 13] * 13 + card.number % 13] for card in hand]
    assert gin_deadwood(renamed) == gin_deadwood(hand)


@pytest.mark.parametrize(
    ("hand", "melds", "loose"),
    [
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS KH", ["AS 2S 3S", "4S 5S 6S", "7S 8S 9S TS"], "KH"),
        ("AS AH AD 2S 3S 4S 9C TC JC KH", ["AS AH AD", "2S 3S 4S", "9C TC JC"], "KH"),
        ("AS AH AD AC 2S 3S 4D 5D", ["AH AD AC", "AS 2S 3S"], "4D 5D"),
        ("2S 4S 5S 6S 8S 9S TS AH", ["4S 5S 6S", "8S 9S TS"], "2S AH"),
        ("KS KH KD KC QS JS TS", ["KS KH KD KC", "TS JS QS"], ""),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", ["AS 2S 3S", "4S 5S 6S", "7S 8S 9S", "TS JS QS KS"], ""),
        ("AS", [], "AS"),
        ("", [], ""),
    ],
)
def test_melds_that_leave_the_least_are_laid_out_sets_first(hand, melds, loose):
    found, left = gin_melds(cards(hand))
    assert ([write_cards(meld) for meld in found], write_cards(left)) == (melds, loose)


@pytest.mark.parametrize("case", lines_of("sample_other.jsonl", "basic_hand_value"))
def test_sample_rum_hand_value(case):
    house = RumFamilyOptions(ace="high_or_low" if case["aces_high"] else "low")
    assert house.card_values.total(cards(case["cards"])) == case["expected"]


@pytest.mark.parametrize("case", lines_of("sample_other.jsonl", "rummy500_score"))
def test_sample_rummy_500_score(case):
    values = rummy500_values(case["values"])
    melded, hand = cards(case["melded"]), cards(case["hand"])
    assert rummy500_score(melded, hand, values=values, low_aces=case["low_aces"], ace_low=5) == case["expected"]


@pytest.mark.parametrize("case", lines_of("sample_other.jsonl", "romme_hand_value"))
def test_sample_romme_hand_value(case):
    assert romme_hand_value(cards(case["cards"]), hand_romme=case["hand_romme"]) == case["expected"]
