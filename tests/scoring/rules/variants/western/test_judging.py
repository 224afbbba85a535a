"""Cards of the Western games judged: what is laid off at gin, what melds of Romme count, what Rummy 500 scores."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.messages import english
from scoring.rules.cards import CARDS
from scoring.rules.variants import VARIANTS
from scoring.rules.variants.western.entry import figure_of
from scoring.rules.variants.western.gin.deadwood import gin_deadwood, gin_melds, lay_off
from scoring.rules.variants.western.gin.judging import is_meld
from scoring.rules.variants.western.romme.sheets import romme_meld_value
from tests.builders.judging import HAND, JUDGES, MELDS, cards, ruled
from tests.builders.wording import picture, written


@pytest.mark.parametrize("game", JUDGES)
def test_every_example_is_ruled_on_and_no_cards_are_waited_for(game):
    example: dict[str, Any] = dict(JUDGES[game].example)
    assert ruled(game, **example).tone == "good"
    assert ruled(game).tone == "waiting"
    assert all(hasattr(VARIANTS[game].options_type(), name) for name in JUDGES[game].options)


class TestLayingOff:
    """Planted faults: the fourth of a set not found; a run lengthened upward only; own melds not kept."""

    @pytest.mark.parametrize(
        ("meld", "hand", "laid", "left"),
        [
            ("TS TD TH", "TC 2H", "TC", 2),
            ("3S 4S 5S", "2S 6S QH", "2S 6S", 10),
            ("3S 4S 5S", "6S 7S AS 2S KH", "2S AS 6S 7S", 10),
            ("3S 4S 5S", "7S KH", "", 17),
            ("6S 6H 6C 6D", "7S 8S", "", 15),
            ("AH 2H 3H", "KH 4H", "4H", 10),
        ],
    )
    def test_fits_cards_to_a_meld(self, meld, hand, laid, left):
        found = lay_off([cards(meld)], cards(hand))
        assert ({*found.on[0]}, found.deadwood) == ({*cards(laid)}, left)

    def test_keeps_an_own_meld_where_that_leaves_less(self):
        found = lay_off([cards("3S 4S 5S")], cards("6S 6H 6D 7S KC"))
        assert (found.on, found.deadwood) == (((),), 17)

    def test_does_not_lay_off_what_brings_nothing(self):
        assert lay_off([cards("3S 4S 5S")], cards("6S 7S 8S KC")).on == ((),)

    @pytest.mark.slow
    @given(st.permutations(CARDS[:52]))
    def test_leaves_the_least_of_all_ways(self, pack):
        melds, _ = gin_melds(pack[:10])
        hand = pack[10:16]
        assert lay_off(melds, hand).deadwood == least_by_trying(melds, hand)


def least_by_trying(melds, hand) -> int:
    """Every choice of cards, each laid on some meld: the least that any leaves."""
    least = gin_deadwood(hand)
    for size in range(1, len(hand) + 1):
        for laid in combinations(hand, size):
            if any_fits(melds, laid):
                least = min(least, gin_deadwood([card for card in hand if card not in laid]))
    return least


def any_fits(melds, laid) -> bool:
    """Whether the cards go to the melds in some way, one after the other."""
    if not laid:
        return True
    return any(
        is_meld([*meld, card])
        and any_fits([*melds[:place], (*meld, card), *melds[place + 1 :]], [each for each in laid if each != card])
        for place, meld in enumerate(melds)
        for card in laid
    )


FOURTEEN = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
EVEN = HAND.replace("JC", "5C")
# At gin.
KNOCKS: list[dict[str, Any]] = [
    {"meld": MELDS, "deadwood": "5H", "hand": HAND},
    {"meld": MELDS, "deadwood": "5H", "hand": HAND.replace("JC", "3C")},
    {"meld": MELDS, "deadwood": "5H", "hand": EVEN},
    {"meld": MELDS, "deadwood": "5H", "hand": EVEN, "options": {"undercut_on_tie": False}},
    # Nothing is laid off after gin.
    {"meld": ["4S 5S 6S 3S", "KH KD KC", "9C 9D 9H"], "hand": HAND},
    {"meld": MELDS, "deadwood": "TH", "hand": HAND, "options": {"knock_max": 9}},
    {"meld": ["4S 5S 7S"], "hand": HAND},
    {"meld": ["4S 5S PJ"], "hand": HAND},
    {"meld": MELDS, "deadwood": "7S", "hand": HAND},
    {"meld": ["QH KH AH"], "hand": HAND},
    {"meld": MELDS, "hand": "7S 8S"},
    {"meld": MELDS, "deadwood": "5H 2C", "hand": HAND},
]
# Planted faults: a joker counted as one in hand; strict houses ignored; the minimum overstated.
FIGURES: list[dict[str, Any]] = [
    {"meld": ["QH PJ AH", "5S 5D 5C"]},
    {"meld": ["AH 2H 3H", "5S 5D 5C"]},
    {"meld": ["TH TD TC"]},
    {"meld": ["TH TD TC"], "options": {"first_meld_min": 40}},
    {"hand": "KD AC PJ"},
    {"hand": "PJ", "options": {"joker_hand": 50}},
    *[{"meld": [figure]} for figure in ("QH KH 2H", "5H 5H 5D", "5H PJ PJ", "5H 6H")],
    {"meld": ["5H PJ PJ 8H"], "options": {"strict_joker": True}},
    {"meld": ["PJ 5C 5S"], "options": {"strict_groups": True}},
    # Strict suits as the page prints them.
    *[
        {"meld": [figure], "options": {"strict_groups": True, "first_meld_min": 0}}
        for figure in ("5C PJ 5H", "5H 5S 5C")
    ],
    {"meld": ["KH AH 2H", "4S 4D 4C"], "options": {"cyclic_runs": True}},
    {"meld": [FOURTEEN]},
    {"meld": [FOURTEEN.replace("AH", "PJ")]},
    {"meld": [FOURTEEN.removeprefix("AH ")]},
    {"meld": ["5H 5D 5S", "5H 5D 5C", "4D 5D 6D"]},
    {"hand": "5H 5H", "options": {"short_hand": True, "jokers": 3}},
]
MELDED: dict[str, Any] = {
    "meld": ["AS 2S 3S", "KH KD PJ"],
    "laid_off": "7C",
    "others": ["4C 5C 6C"],
    "hand": "9D AC",
}
# At Rummy 500. Planted faults: a low ace counted high; a replaced card where the house counts the joker's own.
SCORES: list[dict[str, Any]] = [
    MELDED,
    *[
        {**MELDED, "options": house}
        for house in ({"ace_low": 1}, {"joker_melded": "replaced_card"}, {"values": "5/10/15", "ace_low": 5})
    ],
    {"hand": "AS"},
    {"low": "AS", "others": "2S 3S 4S", "options": {"ace_low": 5}},
    {"low": "AS", "others": "3S 4S 5S"},
    {"low": "2S"},
    {"meld": ["4H 5H 6H"], "laid_off": "KD QC"},
    {"laid_off": "KD"},
    {"others": "4H 5H 7H", "hand": "KD"},
    {"hand": "KD KD KD KD KD"},
    {"meld": ["KD KH KS", "QD KD AD"], "options": {"packs": 2}},
    {"meld": [FOURTEEN], "options": {"packs": 2}},
    {"meld": [FOURTEEN.removesuffix(" AH")]},
    {"meld": ["QS KS AS"], "options": {"ace_low": 1}},
    {"meld": ["2S 3H 4S"]},
]


def ruling(game: str, asked: dict[str, Any]) -> list[str]:
    """A ruling with its reasons, its groups and the cards that are left."""
    ruled_on = ruled(game, **asked)
    return [
        f"{ruled_on.tone} {ruled_on.number}: {english(ruled_on.title)}",
        *map(english, ruled_on.reasons),
        *(f"{english(group.title)}: {group.kind or group.why}" for group in ruled_on.groups),
        *(f"left: {face.rank} {face.points}" for face in ruled_on.loose),
    ]


# At rum. Planted faults: a high ace where aces are low; a run round the corner; a joker that is not in the pack.
RUMS: list[dict[str, Any]] = [
    {"meld": ["AH 2H 3H", "9S 9D 9C"], "hand": "KD AC"},
    {"hand": "KD AC", "options": {"ace": "g4a"}},
    *[{"meld": ["QH KH AH"], "options": {"ace": house}} for house in ("low", "g4a", "high_or_low")],
    *[{"meld": ["KH AH 2H"], "options": {"ace": house}} for house in ("high_or_low", "around_the_corner")],
    {"meld": ["5H PJ 7H"]},
    {"meld": ["5H PJ 7H"], "hand": "PJ", "options": {"jokers": 2}},
    {"meld": ["5H 6H 8H"], "hand": "KD"},
    {"meld": ["5H 6H 7H"], "hand": "5H"},
]
QUESTIONS = {"rum": RUMS, "block": RUMS[:3], "gin": KNOCKS, "romme": FIGURES, "rummy500": SCORES}


@pytest.mark.parametrize("game", QUESTIONS)
def test_cards_are_ruled_on_with_a_number_and_a_reason(game, snapshot):
    assert picture((written(asked), ruling(game, asked)) for asked in QUESTIONS[game]) == snapshot


def test_cyclic_runs_go_on_past_the_ace():
    assert romme_meld_value(cards("KH AH 2H"), is_cyclic=True) == 10 + 11 + 2
    assert romme_meld_value(cards("KH AH 2H")) is None
    assert romme_meld_value(cards("AH 2H 3H"), is_cyclic=True) == 1 + 2 + 3
    assert romme_meld_value(cards("QH KH AH"), is_cyclic=True) == 10 + 10 + 11


@given(st.lists(st.sampled_from(CARDS), min_size=1, max_size=14))
def test_a_figure_has_a_place_for_each_card(held):
    found = figure_of(held)
    if found is not None:
        assert len(found.places) == len(held) >= 3
        assert all(0 <= place <= 13 for place in found.places)
        assert all(
            card.rank is None or card.rank == place % 13 for card, place in zip(held, found.places, strict=True)
        ) or (not any(card.is_printed_joker for card in held))
