"""Reading cards as people write them, and their points."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.rules.cards import CARDS, RANK_NAMES, SPELLINGS, CardsRejected, parse_cards, parse_wild, write_cards
from scoring.rules.variants.western.romme.options import ROMME_VALUES
from scoring.rules.variants.western.rum_options import RUM_VALUES
from scoring.rules.variants.western.rummy500.options import RUMMY500_VALUES, rummy500_values

GOLDEN = Path(__file__).resolve().parents[2] / "data" / "golden_cases.json"


def golden(*ops):
    with GOLDEN.open(encoding="utf-8") as file:
        return [pytest.param(case, id=case["id"]) for case in json.load(file) if case["op"] in ops]


@pytest.mark.parametrize("written", ["7H 8H", "7h,8h", " 7H ;\t8H\n", ["7H", "8h"], ("7H", " 8H ")])
def test_cards_are_parted_by_blanks_commas_or_a_list(written):
    assert [str(card) for card in parse_cards(written, "cards")] == ["7H", "8H"]


def test_every_word_that_is_no_card_is_named_at_once():
    with pytest.raises(CardsRejected) as refused:
        parse_cards("7H 1H QX 7H ZZZ", "loose")
    assert [(problem.code, problem.field) for problem in refused.value.problems] == [("unknown_card", "loose")] * 3
    assert all(word in str(refused.value) for word in ("1H", "QX", "ZZZ"))


@pytest.mark.parametrize("written", [None, 7, {"7H": 1}, ["7H", None], [["7H"]], True])
def test_cards_of_another_type_are_refused(written):
    with pytest.raises(CardsRejected) as refused:
        parse_cards(written, "cards")
    assert [problem.code for problem in refused.value.problems] == ["wrong_type"]


@pytest.mark.parametrize("turned_up", ["", "1", "11", "H", "ZZ", 5, True, ["5"], {}])
def test_a_wild_rank_that_does_not_exist_is_refused(turned_up):
    with pytest.raises(CardsRejected) as refused:
        parse_wild(turned_up)
    assert [(problem.code, problem.field) for problem in refused.value.problems] == [("impossible_wild", "wild")]


@pytest.mark.parametrize("case", golden("wild_rank"))
def test_golden_wild_rank(case):
    rank = parse_wild(case["input"]["wild_card_drawn"], printed_as_wild=case["options"]["printed_as_wild"])
    expected = case["expected"]["wild_rank"]
    assert rank == (None if expected is None else RANK_NAMES[expected])


def worth_of_words(words, values, low_ace):
    """The total of cards named by rank alone, as the golden cases name them."""
    total = 0
    for word in words:
        rank = word.removesuffix(" high")
        if rank == "JK":
            total += values.joker
        elif rank == "A low":
            total += low_ace
        else:
            total += values.of_rank(RANK_NAMES[rank[0] if rank[-1] in "SHDC" else rank])
    return total


def values_for(case):
    options = case["options"]
    if case["variant"] == "romme":
        return replace(ROMME_VALUES, ace=options["ace_hand"], joker=options["joker"])
    if case["variant"] == "rum":
        return replace(RUM_VALUES, ace=options["ace"], joker=options.get("joker", RUM_VALUES.joker))
    return rummy500_values(options.get("values", "face"), ace=options["ace_high"], joker=options["joker"])


@pytest.mark.parametrize("case", [case for case in golden("card_sum") if case.values[0]["variant"] != "indian13"])
def test_golden_card_sum(case):
    words = case["input"]["cards"]
    assert worth_of_words(words, values_for(case), case["options"].get("ace_low", 1)) == case["expected"]["points"]


def test_200_cards_are_read_and_not_one_more():
    assert len(parse_cards("7H " * 200, "cards")) == 200
    with pytest.raises(CardsRejected) as refused:
        parse_cards("7H " * 201, "loose")
    (problem,) = refused.value.problems
    assert (problem.code, problem.field) == ("too_many_cards", "loose")
    assert problem.text() == "201 cards in loose; more than 200 are not read"
    with pytest.raises(CardsRejected) as refused:
        parse_cards("7" * 10_000_000, "cards")
    assert len(str(refused.value)) < 300


def test_every_card_knows_its_place_in_the_pack():
    suits, ranks = "SHDC", "A23456789TJQK"
    assert [card.text for card in CARDS] == [*(rank + suit for suit in suits for rank in ranks), "PJ"]
    assert [(card.number, card.suit, card.rank) for card in CARDS[:52]] == [
        (number, number // 13, number % 13) for number in range(52)
    ]
    assert [card.bit for card in CARDS] == [*(1 << number for number in range(52)), 0]


def test_a_card_can_be_written_in_every_way_and_in_no_other():
    signs = {"S": "S♠♤", "H": "H♥♡", "D": "D♦♢", "C": "C♣♧"}
    written = {"PJ": "PJ", "JK": "PJ"}
    for card in CARDS[:52]:
        for rank in ("T", "10") if card.text[0] == "T" else (card.text[0],):
            for sign in signs[card.text[1]]:
                written |= {rank + sign: card.text, sign + rank: card.text}
    assert {name: card.text for name, card in SPELLINGS.items()} == written
    assert parse_cards(write_cards(CARDS), "cards") == parse_cards(write_cards(CARDS).lower(), "cards") == CARDS


@pytest.mark.parametrize("printed_as_wild", ["aces", "printed_only"])
def test_every_card_turned_up_makes_its_own_rank_wild(printed_as_wild):
    ranks = [parse_wild(card.text, printed_as_wild=printed_as_wild) for card in CARDS]
    assert ranks == [*(number % 13 for number in range(52)), 0 if printed_as_wild == "aces" else None]
    assert (parse_wild(None), parse_wild("10"), parse_wild("t"), parse_wild("jk")) == (None, 9, 9, 0)


def test_plain_values_of_rummy_500():
    assert RUMMY500_VALUES.total(parse_cards("AS PJ KH QD JC TS 2H", "cards")) == 72
