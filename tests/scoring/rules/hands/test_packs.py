"""Hands are checked against the packs, seat by seat and all together; stored deals keep their result."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.events.reading import read_event
from scoring.events.wire import DealRecorded
from scoring.rules.cards import CARDS, PRINTED_NUMBER
from scoring.rules.table.table import fold
from tests.builders.rules import CAST, Evening, sit, voided
from tests.builders.western import fixed, sheet

# A game, its options, its packs, all of its jokers, and how many cards a seat may hold.
GAMES: dict[str, tuple[dict[str, Any], int, int, int]] = {
    "rum": ({"jokers": 2}, 1, 2, 7),
    "block": ({}, 1, 0, 7),
    "romme": ({}, 2, 6, 13),
    "romme short": ({"short_hand": True}, 1, 3, 7),
    "rummy500": ({"packs": 2}, 2, 4, 20),
    "pool": ({}, 2, 2, 13),
    "points": ({"packs": 3, "printed_jokers": 2}, 3, 6, 13),
}
SEATS = CAST[:4]


def table_of(game: str) -> Evening:
    return sit(game.split(maxsplit=1)[0], SEATS, {"point_value_minor": 100}, GAMES[game][0])


def said(game: str, hands: dict[str, list[str]]) -> dict[str, Any]:
    """A deal that Asha won, with the others' hands."""
    written = {seat: " ".join(cards) for seat, cards in hands.items()}
    if game in ("pool", "points"):
        losing = {seat: {"how": "loss", "loose": cards} for seat, cards in written.items()}
        return {"outcomes": {"asha": {"how": "show"}, **losing}}
    melded = {"melded": {**dict.fromkeys(hands, 0), "asha": 60}} if game == "rummy500" else {}
    return {"out": "asha", "hands": written, **melded}


def packs(game: str) -> list[str]:
    """Every card in play, as many times as the packs hold it."""
    _, count, jokers, _ = GAMES[game]
    naturals = [card.text for card in CARDS if card.number != PRINTED_NUMBER]
    return count * naturals + jokers * ["PJ"]


def dealt(game: str, seed: int) -> dict[str, list[str]]:
    cards, each = packs(game), GAMES[game][3]
    random.Random(seed).shuffle(cards)
    return {seat: cards[at * each : (at + 1) * each] for at, seat in enumerate(SEATS[1:])}


def refused_for(table: Evening, event: dict[str, Any]) -> list[tuple[str, str | None]]:
    return [pair for pair in table.refuses(event) if pair[0] == "impossible_card_count"]


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10**6))
def test_no_hand_that_the_packs_can_deal_is_refused(game: str, seed: int):
    assert refused_for(table_of(game), sheet(1, **said(game, dealt(game, seed)))) == []


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10**6), at=st.integers(0, 5))
def test_a_card_more_than_the_packs_hold_is_refused_wherever_it_lies(game: str, seed: int, at: int):
    """Planted fault: each hand checked alone, so that two seats hold the only ace of spades."""
    hands, table = dealt(game, seed), table_of(game)
    card = hands["bo"][at]
    _, count, jokers, _ = GAMES[game]
    shown = sum(cards.count(card) for cards in hands.values())
    missing = (jokers if card == "PJ" else count) + 1 - shown
    others = [place for place, other in enumerate(hands["cy"]) if other != card]
    for place in others[:missing]:
        hands["cy"][place] = card
    assert [seat for _, seat in refused_for(table, sheet(1, **said(game, hands)))] in (["cy"], ["dev"])
    again = table.told(sheet(1, **said(game, dealt(game, seed + 1))))
    assert refused_for(again, fixed(1, **said(game, hands))) != []


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_that_was_stored_before_still_counts_and_can_be_corrected(game: str):
    table = table_of(game)
    hands = {seat: ["AS", *cards[1:]] for seat, cards in dealt(game, 7).items()}
    hands["bo"][0], hands["cy"][0] = "AS", "AS"
    event = read_event(sheet(1, **said(game, hands)), table.table.rules, SEATS)
    assert isinstance(event, DealRecorded)
    stored = fold(table.table, [(2, event)])
    assert stored.conflicts == ()
    evening = Evening(start=stored, table=stored)
    right = said(game, dealt(game, 8))
    assert evening.told(fixed(1, **right)).totals() == table.told(sheet(1, **right)).totals()
    assert evening.told(voided(1)).totals() == table.totals()
