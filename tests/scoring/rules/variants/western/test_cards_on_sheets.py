"""Deals of Western games with the cards on the sheet: scored as the judge rules, and as the numbers would."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.events.wire import DealRecorded
from scoring.messages import english
from scoring.rules.cards import CARDS, Card, write_cards
from scoring.rules.table.questions import as_asked
from scoring.rules.table.table import fold
from scoring.rules.variants import VARIANTS
from scoring.sheets.scoresheet import hands_shown
from tests.builders.judging import HAND, MELDS, ruled
from tests.builders.rules import Evening
from tests.builders.scorer_form import Typed, at, filled, read, scored, typed_again
from tests.builders.wording import picture, refusals, written

KNOCK: Typed = {
    "hands.0.knocker": "asha",
    "hands.0.melds": MELDS,
    "hands.0.loose": "5h",
    "hands.0.defender_cards": HAND,
}
CASINO: dict[str, Any] = {"scoring": "casino"}
ROUND: Typed = {"out": "asha", "counts-bo": "30", "counts-cy": "12"}
MELDED = ["AS 2S 3S", "KH KD PJ"]
DEAL: Typed = {
    "out": "asha",
    "melds-asha": MELDED,
    "laid_off-asha": "7h",
    "melds-bo": ["4H 5H 6H"],
    "hands-bo": "9D AC",
    "melded-cy": "0",
    "in_hand-cy": "40",
}

# Every meld of three.
THREES = [tuple(CARDS[suit * 13 + low + at] for at in range(3)) for suit in range(4) for low in range(11)]
THREES += [tuple(CARDS[suit * 13 + rank] for suit in range(4) if suit != at) for rank in range(13) for at in range(4)]


def disjoint(melds: Sequence[tuple[Card, ...]]) -> list[tuple[Card, ...]]:
    """Melds that can lie beside one another."""
    found: list[tuple[Card, ...]] = []
    for meld in melds:
        if not any(card in other for other in found for card in meld):
            found.append(meld)
    return found


def problems_of(table: Evening, typed: Typed) -> list[str]:
    """Everything that a sheet is refused for."""
    raw, unread = filled(table, typed)
    assert not unread
    return refusals(table, {"kind": "deal_recorded", "deal": 1, **raw})


class TestGin:
    """Planted faults: nothing laid off; the house limit used where a card is turned up; loose cards taken for melds."""

    def test_a_knock_in_cards_scores_what_the_judge_rules_and_what_its_deadwood_would(self):
        in_cards = scored(at("gin", seats=2), KNOCK)
        numbers = {"hands.0.knocker": "asha", "hands.0.knocker_deadwood": "5", "hands.0.defender_deadwood": "10"}
        assert in_cards.totals() == scored(at("gin", seats=2), numbers).totals() == {"asha": 5, "bo": 0}
        assert ruled("gin", meld=MELDS, deadwood="5H", hand=HAND).number == 5

    @pytest.mark.slow
    @given(st.permutations(THREES), st.permutations(CARDS[:52]))
    def test_any_knock_in_cards_scores_what_the_judge_rules(self, threes: list[tuple[Card, ...]], pack: list[Card]):
        melds = disjoint(threes)[:3]
        rest = [card for card in pack if not any(card in meld for meld in melds)]
        laid, loose, hand = [write_cards(meld) for meld in melds], rest[0].text, write_cards(rest[1:11])
        typed = {
            "hands.0.knocker": "asha",
            "hands.0.melds": laid,
            "hands.0.loose": loose,
            "hands.0.defender_cards": hand,
        }
        table = scored(at("gin", seats=2), typed)
        assert max(table.totals().values()) == ruled("gin", meld=laid, deadwood=loose, hand=hand).number

    def test_cards_tell_gin_and_big_gin_without_a_word(self):
        gin: Typed = {**KNOCK, "hands.0.melds": ["4S 5S 6S 3S", *MELDS[1:]], "hands.0.loose": ""}
        assert scored(at("gin", seats=2), gin).total("asha") == 25 + 7 + 8 + 10 + 10
        big: Typed = {**gin, "hands.0.melds": ["4S 5S 6S 3S", "KH KD KC", "9C 9D 9H 9S"]}
        assert scored(at("gin", seats=2, big_gin_bonus=31), big).total("asha") == 31 + 7 + 8 + 10 + 10

    def test_the_card_turned_up_is_the_limit_and_a_spade_doubles(self):
        house = at("gin", seats=2, oklahoma=True, spades_double="points")
        assert scored(house, {**KNOCK, "upcard": "7S"}).total("asha") == 10
        rules, setup = house.table.rules, house.table.setup
        asked = as_asked(meld=MELDS, deadwood="5H", hand=HAND)
        assert english(rules.cards_ruled(setup, asked, {"upcard": "4S"}).title).startswith("5 is too much")
        assert rules.cards_ruled(setup, asked, {"upcard": "7S"}).number == 10

    def test_a_hand_that_cannot_be_is_refused_for_everything_that_is_wrong(self, snapshot):
        wrong: Typed = {
            "hands.0.melds": ["4S 5S 7D", "KH KD KC", "9C 9D 9H"],
            "hands.0.defender_deadwood": "3",
            "hands.0.defender_cards": HAND.replace("JC", "5H").replace("AD", "PJ"),
        }
        changes: list[Typed] = [
            wrong,
            {"hands.0.melds": ["4S 5S 6S", "KH KD KC"], "hands.0.loose": "9C 2H 3H 7D"},
            {"hands.0.loose": "5H 2C"},
            {"hands.0.melds": MELDS[:2]},
            {"hands.0.defender_cards": ""},
            {"hands.0.defender_cards": HAND + " TC"},
            {"hands.0.loose": "5X"},
            {"hands.0.ending": "gin"},
            {"hands.0.ending": "dead"},
        ]
        big: Typed = {
            "hands.0.melds": ["4S 5S 6S 3S", "KH KD KC", "9C 9D 9H 9S"],
            "hands.0.loose": "",
            "hands.0.ending": "gin",
        }
        oklahoma = at("gin", seats=2, oklahoma=True, spades_double="points")
        answers = {written(changed): problems_of(at("gin", seats=2), {**KNOCK, **changed}) for changed in changes}
        answers["big gin said to be gin"] = problems_of(at("gin", seats=2, big_gin_bonus=31), {**KNOCK, **big})
        answers["over the card turned up"] = problems_of(oklahoma, {**KNOCK, "upcard": "4S"})
        assert picture(answers) == snapshot

    def test_a_correction_to_impossible_cards_is_refused_as_well(self):
        table = scored(at("gin", seats=2), KNOCK)
        raw, _ = filled(table, {**KNOCK, "hands.0.defender_cards": HAND.replace("JC", "7S")})
        event = {"kind": "deal_corrected", "deal": 1, "reason": "misread", **raw}
        assert table.refuses(event) == [("impossible_card_count", "bo")]

    def test_the_score_sheet_shows_melds_lay_offs_and_what_was_left(self):
        table = scored(at("gin", seats=2), KNOCK).table
        knocker, opponent = next(iter(hands_shown(table).values()))
        assert (knocker.seat, knocker.points, [english(group.title) for group in knocker.groups]) == (
            "asha",
            5,
            ["Group 1", "Group 2", "Group 3"],
        )
        assert [english(group.title) for group in opponent.groups] == [
            "Laid off on group 1",
            "Laid off on group 2",
            "The opponent’s meld",
            "The opponent’s meld",
        ]
        assert (opponent.seat, opponent.points, [face.rank for face in opponent.loose]) == ("bo", 10, ["J"])

    def test_partners_may_enter_one_hand_in_cards_and_one_in_numbers(self):
        table = at("gin", seats=4)
        other = {"knocker": "cy", "defender": "dev", "knocker_deadwood": "5", "defender_deadwood": "15"}
        typed = {**KNOCK, "hands.0.defender": "bo", **{f"hands.1.{name}": value for name, value in other.items()}}
        assert scored(table, typed).totals() == {"asha": 15, "bo": 0, "cy": 15, "dev": 0}


class TestRummy500:
    """Planted faults: a low ace counted high; cards laid off left out; other seats' cards not counted in the packs."""

    def test_melds_and_cards_left_score_what_the_judge_rules(self):
        table = scored(at("rummy500"), DEAL)
        laid = ruled("rummy500", meld=["AS 2S 3S", "KH KD PJ"], laid_off="7H", others="4H 5H 6H")
        assert table.total("asha") == laid.number == 62
        assert table.total("bo") == ruled("rummy500", meld="4H 5H 6H", hand="9D AC").number == 15 - 24
        assert table.total("cy") == -40

    @pytest.mark.parametrize(
        ("options", "total"),
        [({"ace_low": 1}, 48), ({"joker_melded": "replaced_card"}, 57), ({"values": "5/10/15", "ace_low": 5}, 55)],
    )
    def test_the_house_says_what_the_melds_count(self, options: dict[str, Any], total: int):
        assert scored(at("rummy500", **options), DEAL).total("asha") == total

    def test_everything_wrong_is_reported_at_once_with_seat_field_and_card(self, snapshot):
        wrong: Typed = {
            "melds-asha": ["AS 2S 4S", "KH KD PJ"],
            "melded-bo": "15",
            "melds-cy": ["4H 5H 6H", "QS QD QC"],
            "melded-cy": "",
            "low_aces-cy": "2C",
        }
        changes: list[Typed] = [wrong, {"hands-asha": "9D"}]
        answers = ((written(changed), problems_of(at("rummy500"), {**DEAL, **changed})) for changed in changes)
        assert picture(answers) == snapshot

    def test_an_ace_laid_off_below_a_two_counts_low(self):
        typed = {**DEAL, "melds-bo": ["2C 3C 4C"], "laid_off-asha": "5c", "melded-cy": "", "low_aces-cy": "AC"}
        typed |= {"hands-bo": "9D", "in_hand-cy": "20"}
        assert scored(at("rummy500", ace_low=5), typed).total("cy") == 5 - 20

    def test_what_is_not_among_the_cards_is_not_in_the_ruling(self):
        rules, setup = VARIANTS["rummy500"], at("rummy500").table.setup
        assert english(rules.cards_ruled(setup, as_asked(meld=["AS 2S 3S"]), {}).title) == "20 points melded"
        assert english(rules.cards_ruled(setup, as_asked(hand="AS"), {}).title) == "15 points in hand"

    def test_the_score_sheet_shows_each_meld_with_what_it_counts(self):
        asha, bo = next(iter(hands_shown(scored(at("rummy500"), DEAL).table).values()))
        assert [(english(group.title), str(group.kind)) for group in asha.groups] == [
            ("Group 1", "20 points"),
            ("Group 2", "35 points"),
            ("Laid off", "7 points"),
        ]
        assert [face.rank for face in bo.loose] == ["9", "A"]

    @pytest.mark.parametrize(
        ("laid_off", "misfits"),
        [
            ("JD QC", "JD QC"),
            ("7H 8H", ""),
            ("8H 7H", ""),
            ("8H", "8H"),
            ("PJ 8H", ""),
            ("AH 3H 2H", "AH"),
            ("KC", ""),
            ("KC KS", "KS"),
        ],
    )
    def test_a_card_is_laid_off_only_where_it_fits_once_all_melds_are_cards(self, laid_off: str, misfits: str):
        typed = {**DEAL, "laid_off-asha": laid_off, "hands-bo": "9D"}
        house = at("rummy500", ace_low=1)
        verb = "fit" if " " in misfits else "fits"
        refused = [f"not_a_meld asha laid_off: asha: {misfits} {verb} no meld on the table"] if misfits else []
        assert problems_of(house, typed) == refused
        raw, _ = filled(house, typed)
        asked = as_asked(meld=typed["melds-asha"], laid_off=laid_off, low="", hand="")
        ruling = house.table.rules.cards_ruled(house.table.setup, asked, raw)
        assert ruling.tone == ("bad" if misfits else "good")
        assert (
            ruled("rummy500", options={"ace_low": 1}, meld=MELDED, laid_off=laid_off, others="4H 5H 6H").tone
            == ruling.tone
        )
        # Melds of a seat that is entered as a number may be anything.
        assert problems_of(house, {**typed, "melded-cy": "30"}) == []

    def test_nobody_goes_out_by_laying_off_where_nobody_melded(self):
        typed: Typed = {"out": "asha", "laid_off-asha": "7H", "melded-bo": "0", "in_hand-bo": "5", "melded-cy": "0"}
        assert problems_of(at("rummy500"), {**typed, "in_hand-cy": "7"}) == [
            "not_a_meld asha laid_off: asha: 7H fits no meld on the table"
        ]

    def test_a_saved_deal_with_what_is_refused_today_counts_as_it_did(self):
        """Sheets with a run of fourteen, or with cards laid off beside every meld, were saved before."""
        house, long_run = at("rummy500"), "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"
        old = {**DEAL, "melds-asha": [long_run], "laid_off-asha": "KD"}
        raw, _ = filled(house, old)
        sheet, problems = read(house, raw)
        assert not problems
        event = DealRecorded(deal=1, sheet=sheet)
        assert house.table.rules.check(house.table.setup, house.table.game, event) == []
        assert fold(house.table, [(2, event)]).seats()["asha"].total == 15 + 44 + 40 + 15 + 10
        assert len(problems_of(house, old)) == 2


class TestRum:
    """Planted faults: melds that change a score; an ace above the king where aces are low."""

    @pytest.mark.parametrize("game", ["rum", "block"])
    def test_the_melds_of_the_player_who_went_out_are_kept_and_change_no_score(self, game):
        plain, in_cards = scored(at(game), ROUND), scored(at(game), {**ROUND, "melds": ["AH 2H 3H", "9S 9D 9C"]})
        assert in_cards.totals() == plain.totals() == {"asha": 0, "bo": 30, "cy": 12}
        event, without = in_cards.table.timeline[-1].event, plain.table.timeline[-1].event
        assert isinstance(event, DealRecorded)
        assert isinstance(without, DealRecorded)
        assert event.sheet.marks()["asha"].groups == ("AH 2H 3H", "9S 9D 9C")
        assert "melds" not in msgspec.to_builtins(without.sheet)

    def test_melds_are_refused_as_the_house_plays_aces(self):
        high: Typed = {**ROUND, "melds": ["QH KH AH"]}
        round_the_corner: Typed = {**ROUND, "melds": ["KH AH 2H"]}
        assert [line.split(" ")[0] for line in problems_of(at("rum"), high)] == ["not_a_meld"]
        assert problems_of(at("rum", ace="high_or_low"), high) == []
        assert len(problems_of(at("rum", ace="high_or_low"), round_the_corner)) == 1
        assert problems_of(at("rum", ace="around_the_corner"), round_the_corner) == []
        twice: Typed = {**ROUND, "melds": ["5H 6H 7H", "5H 5S 5D"]}
        assert [line.split(" ")[0] for line in problems_of(at("rum"), twice)] == ["impossible_card_count"]


HAND_ROMME = ["2H 3H 4H 5H 6H", "9S 9D 9C 9H", "TC JC QC KC"]


class TestRomme:
    def test_the_winners_figures_are_kept_where_they_change_no_score(self):
        plain = scored(at("romme"), ROUND)
        in_cards = scored(at("romme"), {**ROUND, "figures": self.FIGURES})
        assert in_cards.totals() == plain.totals()
        assert len(problems_of(at("romme"), {**ROUND, "figures": ["QH KH 2H"]})) == 1

    def test_a_hand_romme_lays_the_whole_hand(self):
        """Planted faults: three cards taken for a hand romme; a short hand asked for thirteen cards."""
        romme: Typed = {**ROUND, "hand_romme": "on"}
        refused = problems_of(at("romme"), {**romme, "figures": self.FIGURES[:1]})
        assert [line for line in refused if "not_a_hand_romme" in line]
        assert problems_of(at("romme"), {**romme, "figures": HAND_ROMME}) == []
        assert problems_of(at("romme"), romme) == []
        short = ["2H 3H 4H 5H", "9S 9D 9C"]
        assert problems_of(at("romme", short_hand=True), {**romme, "figures": short}) == []

    """Planted faults: a joker counted as in hand; strict houses ignored; the value kept beside the melds."""

    FIGURES = ("QH PJ AH", "5S 5D 5C")

    def test_figures_count_for_the_winner_as_the_judge_counts_them(self):
        worth = ruled("romme", meld=self.FIGURES).number
        by_cards = scored(at("romme", **CASINO), {**ROUND, "figures": self.FIGURES})
        by_value = scored(at("romme", **CASINO), {**ROUND, "laid": str(worth)})
        assert by_cards.totals() == by_value.totals()
        assert by_cards.total("asha") == 42 + 46

    def test_figures_that_cannot_be_are_refused(self, snapshot):
        cases: list[tuple[dict[str, Any], Typed]] = [
            ({}, {"figures": ["QH KH 2H", "5S 5D 5C"]}),
            ({"strict_joker": True}, {"figures": ["5H PJ PJ 8H"]}),
            ({}, {"figures": ["AH 2H 3H"]}),
            ({}, {"laid": "46"}),
            ({}, {"figures": ["QH KH AX"]}),
            ({}, {"figures": ["QH QH KH AH"]}),
            ({}, {"figures": ["5S 5D 5C", "5S 5D 5H", "5S 6S 7S", "TS JS QS"]}),
        ]
        answers = (
            (
                f"{written(house)}: {written(changed)}",
                problems_of(at("romme", **CASINO, **house), {**ROUND, "figures": self.FIGURES, **changed}),
            )
            for house, changed in cases
        )
        assert picture(answers) == snapshot


@pytest.mark.parametrize(
    ("game", "seats", "options", "typed"),
    [("gin", 2, {}, KNOCK), ("rummy500", 3, {}, DEAL), ("romme", 3, CASINO, {**ROUND, "figures": TestRomme.FIGURES})],
)
def test_a_sheet_in_cards_is_stored_and_comes_back_to_the_form(
    game: str, seats: int, options: dict[str, Any], typed: Typed
):
    table = scored(at(game, seats=seats, **options), typed)
    sheet = table.table.timeline[0].event.sheet
    stored = json.loads(msgspec.json.encode(sheet))
    assert table.table.rules.read_sheet(stored, table.table.setup.seats) == (sheet, [])
    again, _ = filled(table, typed_again(table, sheet))
    assert table.table.rules.read_sheet(again, table.table.setup.seats) == (sheet, [])
