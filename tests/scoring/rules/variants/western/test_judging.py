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


def title(game: str, **asked) -> str:
    return english(ruled(game, **asked).title)


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


class TestGin:
    def test_scores_a_knock_after_laying_off(self):
        ruling = ruled("gin", meld=MELDS, deadwood="5H", hand=HAND)
        assert (english(ruling.title), ruling.number) == ("The knock wins 5 points", 5)
        assert [english(group.title) for group in ruling.groups][3:5] == ["Laid off on group 1", "Laid off on group 2"]
        assert [face.points for face in ruling.loose] == [10]

    def test_rules_on_an_undercut(self):
        low = HAND.replace("JC", "3C")
        assert title("gin", meld=MELDS, deadwood="5H", hand=low) == "Undercut: the opponent wins 27 points"
        even = HAND.replace("JC", "5C")
        assert title("gin", meld=MELDS, deadwood="5H", hand=even) == "Undercut: the opponent wins 25 points"
        house = {"undercut_on_tie": False}
        assert title("gin", options=house, meld=MELDS, deadwood="5H", hand=even) == "The knock wins 0 points"

    def test_lets_nothing_be_laid_off_after_gin(self):
        gin = ["4S 5S 6S 3S", "KH KD KC", "9C 9D 9H"]
        assert title("gin", meld=gin, hand=HAND) == f"Gin wins {25 + 7 + 8 + 10 + 10} points"

    @pytest.mark.parametrize(
        ("asked", "said"),
        [
            ({"meld": MELDS, "deadwood": "TH", "hand": HAND, "options": {"knock_max": 9}}, "10 is too much to knock"),
            ({"meld": ["4S 5S 7S"], "hand": HAND}, "This cannot be a knock"),
            ({"meld": ["4S 5S PJ"], "hand": HAND}, "This cannot be a knock"),
            ({"meld": MELDS, "deadwood": "7S", "hand": HAND}, "This cannot be a knock"),
            ({"meld": ["QH KH AH"], "hand": HAND}, "This cannot be a knock"),
            ({"meld": MELDS, "hand": "7S 8S"}, "More cards are needed"),
            ({"meld": MELDS, "deadwood": "5H 2C", "hand": HAND}, "This cannot be a knock"),
        ],
    )
    def test_says_why_there_is_no_ruling(self, asked, said):
        assert title("gin", **asked).startswith(said)


class TestRomme:
    """Planted faults: a joker counted as one in hand; strict houses ignored; the minimum overstated."""

    def test_counts_figures_and_compares_them_with_the_least(self):
        assert title("romme", meld=["QH PJ AH", "5S 5D 5C"]) == "Enough for a first meld: 46 points"
        assert title("romme", meld=["AH 2H 3H", "5S 5D 5C"]) == "21 points: a first meld needs 30"
        assert title("romme", meld=["TH TD TC"]) == "Enough for a first meld: 30 points"
        assert ruled("romme", options={"first_meld_min": 40}, meld=["TH TD TC"]).tone == "bad"

    def test_counts_a_hand(self):
        assert title("romme", hand="KD AC PJ") == "The cards in hand cost 41 points."
        assert title("romme", options={"joker_hand": 50}, hand="PJ") == "The cards in hand cost 50 points."

    @pytest.mark.parametrize(
        ("options", "meld", "why"),
        [
            ({}, "QH KH 2H", "a run has cards of one suit, one after the other"),
            ({}, "5H 5H 5D", "a set has each suit once, four cards at most"),
            ({}, "5H PJ PJ", "there are more jokers than other cards"),
            ({}, "5H 6H", "three cards at least are needed"),
            ({"strict_joker": True}, "5H PJ PJ 8H", "two jokers lie side by side"),
            (
                {"strict_groups": True},
                "PJ 5C 5S",
                "the suits of a set are clubs, spades, hearts, diamonds in this order",
            ),
        ],
    )
    def test_says_what_is_wrong_with_a_figure(self, options, meld, why):
        ruling = ruled("romme", options=options, meld=[meld])
        assert english(ruling.title) == "This cannot be laid down"
        assert [str(group.why) for group in ruling.groups] == [why]

    def test_strict_suits_as_the_page_prints_them(self):
        assert ruled("romme", options={"strict_groups": True, "first_meld_min": 0}, meld=["5C PJ 5H"]).tone == "good"
        assert ruled("romme", options={"strict_groups": True, "first_meld_min": 0}, meld=["5H 5S 5C"]).tone == "good"

    def test_cyclic_runs_go_on_past_the_ace(self):
        assert romme_meld_value(cards("KH AH 2H"), is_cyclic=True) == 10 + 11 + 2
        assert romme_meld_value(cards("KH AH 2H")) is None
        assert romme_meld_value(cards("AH 2H 3H"), is_cyclic=True) == 1 + 2 + 3
        assert romme_meld_value(cards("QH KH AH"), is_cyclic=True) == 10 + 10 + 11
        assert ruled("romme", options={"cyclic_runs": True}, meld=["KH AH 2H", "4S 4D 4C"]).tone == "good"


class TestRummy500:
    """Planted faults: a low ace counted high; a replaced card where the house counts the joker's own."""

    def test_scores_melds_less_the_hand(self):
        asked = {"meld": ["AS 2S 3S", "KH KD PJ"], "laid_off": "7C", "hand": "9D AC"}
        assert title("rummy500", **asked) == "62 melded, 24 in hand: 38"
        assert title("rummy500", options={"ace_low": 1}, **asked) == "48 melded, 24 in hand: 24"
        assert title("rummy500", options={"joker_melded": "replaced_card"}, **asked) == "57 melded, 24 in hand: 33"
        assert title("rummy500", options={"values": "5/10/15", "ace_low": 5}, **asked) == "55 melded, 20 in hand: 35"

    def test_a_score_may_fall_below_zero(self):
        assert title("rummy500", hand="AS") == "0 melded, 15 in hand: -15"

    def test_an_ace_laid_off_below_a_two_is_low(self):
        assert ruled("rummy500", options={"ace_low": 5}, low="AS").number == 5
        assert ruled("rummy500", low="2S").tone == "bad"

    def test_an_ace_after_the_king_is_high(self):
        assert ruled("rummy500", options={"ace_low": 1}, meld=["QS KS AS"]).number == 35

    def test_says_what_is_no_meld(self):
        ruling = ruled("rummy500", meld=["2S 3H 4S"])
        assert (ruling.tone, str(ruling.groups[0].why)) == ("bad", "a run has cards of one suit, one after the other")


@given(st.lists(st.sampled_from(CARDS), min_size=1, max_size=14))
def test_a_figure_has_a_place_for_each_card(held):
    found = figure_of(held)
    if found is not None:
        assert len(found.places) == len(held) >= 3
        assert all(0 <= place <= 13 for place in found.places)
        assert all(
            card.rank is None or card.rank == place % 13 for card, place in zip(held, found.places, strict=True)
        ) or (not any(card.is_printed_joker for card in held))
