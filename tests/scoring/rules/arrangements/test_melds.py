"""Melds on the table in the Western games: their kinds, what may be added to them, and what they count."""

import pytest

from scoring.rules.arrangements import GroupKind, HandOptions, fault_of, kind_of
from scoring.rules.cards import parse_cards
from scoring.rules.variants.western.romme.options import RommeOptions
from scoring.rules.variants.western.romme.sheets import romme_meld_value, strict_suits
from tests.builders.western import cases

MELDS = {GroupKind.PURE_SEQUENCE: "run", GroupKind.SET: "set", None: None}
ACES = {"low": HandOptions(ace="low"), "high_or_low": HandOptions(ace="both")}


def meld_of(written: str, ace: str = "low") -> str | None:
    """The kind of meld of these cards at rum: a run, a set or none."""
    return MELDS[kind_of(parse_cards(written, "cards"), None, ACES[ace])]


@cases("rum", "group_kind")
def test_a_published_meld(case):
    assert meld_of(case["input"]["cards"], case["options"]["ace"]) == case["expected"]["kind"]


def test_an_ace_goes_after_the_king_only_where_it_may_be_high_and_never_between():
    assert meld_of("QS KS AS", "high_or_low") == "run"
    assert meld_of("KS AS 2S", "high_or_low") is None


@cases("rum", "lay_off")
def test_a_published_lay_off(case):
    meld, added = case["input"]["meld"], case["input"]["may_add"]
    for cards in (*added, " ".join(added)):
        assert (meld_of(f"{meld} {cards}") == "run") is case["expected"]["ok"]
    assert meld_of(f"{meld} 8S") is None


@cases("romme", "first_meld")
def test_a_published_first_meld_is_worth_its_cards_in_their_places(case):
    options = RommeOptions(first_meld_min=case["options"]["first_meld_min"])
    points = case["input"].get("points")
    if points is None:
        cards = [word.removesuffix(" low") + "S" for word in case["input"]["cards"]]
        points = romme_meld_value(parse_cards(cards, "cards"))
        assert points == case["expected"]["points"]
    assert options.is_enough_to_meld(points) is case["expected"]["allowed"]


@cases("romme", "strict_group")
def test_a_published_set_in_strict_order(case):
    suits = strict_suits(case["input"]["cards"])
    assert (suits is not None) is case["expected"]["ok"]
    if suits is not None:
        assert suits[case["input"]["cards"].index("JK")] == case["expected"]["joker_stands_for"]


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("AS 2S 3S", 6),
        ("QS KS AS", 31),
        ("AS AH AD", 33),
        ("AS PJ 3S", 6),
        ("QS PJ AS", 31),
        ("AS PJ PJ", None),
        ("PJ PJ AS", None),
        ("PJ PJ 5H", None),
        ("5H PJ PJ PJ 9H", None),
        ("5H PJ PJ 8H", 26),
        ("PJ PJ 5H 6H", 18),
        ("5H PJ PJ 5S", 20),
        ("5H PJ 7H", 18),
        ("PJ 5H 6H", 15),
        ("9C 9S PJ 9D", 36),
        ("KS AS 2S", None),
        ("PJ AS 2S", None),
        ("9C 9C 9D", None),
        ("9C TC", None),
        ("9C TC QC", None),
        ("PJ PJ PJ", None),
        ("9C TS JC", None),
        ("2S AS 4S", None),
        ("QS KS AS PJ", None),
        ("PJ QS KS AS", 41),
        ("AC AD AH AS", 44),
        ("2S PJ 4S", 9),
        ("KS AS JK", None),
        ("AS AS JK", None),
        ("QS KS AS 2S", None),
    ],
)
def test_a_figure_counts_each_ace_and_joker_by_its_place(cards, points):
    assert romme_meld_value(parse_cards(cards, "cards")) == points


@pytest.mark.parametrize(
    ("suits", "read"),
    [
        ("C S H D", "CSHD"),
        ("S H JK", "SHD"),
        ("C H D", None),
        ("S C H", None),
        ("H D JK", None),
        ("JK JK JK", None),
        ("JK JK H", None),
        ("C JK JK", None),
        ("C JK JK D", "CSHD"),
    ],
)
def test_a_set_in_strict_order_has_no_gap_and_no_joker_beyond_its_ends(suits, read):
    assert strict_suits(suits.split()) == read


ALL_SPADES = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"


def test_a_run_has_thirteen_cards_at_most():
    """A group may be typed with any number of cards: the ace at both ends would make a run of fourteen."""
    assert meld_of(ALL_SPADES) == meld_of(ALL_SPADES, "high_or_low") == "run"
    for fourteenth in ("PJ", "AS", "AH"):
        cards = parse_cards(f"{ALL_SPADES} {fourteenth}", "cards")
        assert kind_of(cards, None, HandOptions()) is None
        assert fault_of(cards, None, HandOptions()) is not None


def test_thirteen_cards_that_lie_in_a_run_have_too_many_jokers_and_fourteen_are_none():
    house = HandOptions(joker_rule="half")
    for jokers, fault in ((8, "too_many_jokers"), (9, "wraparound_ace")):
        cards = parse_cards("AS 2S 3S 4S 5S " + "PJ " * jokers, "cards")
        assert fault_of(cards, None, house) == fault
    assert kind_of(parse_cards("AS 2S 3S 4S 5S 6S 7S " + "PJ " * 6, "cards"), None, house) is GroupKind.IMPURE_SEQUENCE
