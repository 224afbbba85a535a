"""Random deals: the table accepts every one, the same seed deals the same, and sheets look like real ones.

Planted faults these catch: a drop where the house plays without, a deal that never ends, a count that no hand has.
"""

from collections import Counter
from typing import Any

import pytest

from scoring.rules.arrangements import arrange
from scoring.rules.cards import CARDS, parse_cards
from scoring.rules.chance import Chance
from scoring.rules.table.admission import considered
from scoring.rules.table.dealing import misread, next_deal
from scoring.rules.table.table import Table, fold
from scoring.rules.variants import PRESETS, VARIANTS, opening, table_from
from scoring.rules.variants.indian.outcomes import DealOptions
from scoring.rules.variants.indian.simulation import Hand
from scoring.rules.variants.western.gin.deadwood import gin_deadwood
from scoring.rules.variants.western.gin.simulation import pack_and_upcard, play_gin
from tests.builders.rules import CAST
from tests.builders.samples import each

STAKES = {"point_value_minor": 100}
SEATS = {"gin": 2, "gin_partnership": 4, "gin_partnership_flat": 4, "junglee_deals_2": 3}


def table_of(preset: str, **options) -> Table:
    rules, found = PRESETS[preset]
    seats = {seat: f"player-{seat}" for seat in CAST[: SEATS.get(preset, SEATS.get(rules.name, 4))]}
    return table_from(opening(rules.name, options={**found.options, **options}, stakes=STAKES, seats=seats))


def after(table: Table, raw) -> Table:
    event, problems = considered(table, raw)
    assert event is not None
    assert problems == []
    return fold(table, [(table.version + 1, event)])


def deals(preset: str, seed: str, most: int = 60, **options):
    """The deals of a table until it is over."""
    table, chance = table_of(preset, **options), Chance(seed)
    played: list[Any] = []
    while not table.is_finished and len(played) < most:
        played.append(next_deal(table, chance, is_last=len(played) == 4))
        table = after(table, played[-1])
    return played, table


@pytest.mark.parametrize("preset", each(*PRESETS, quick=[variant.presets[0].name for variant in VARIANTS.values()]))
def test_a_table_of_any_preset_takes_every_deal_that_is_made_up_for_it(preset):
    played, table = deals(preset, "Asha", most=12)
    assert table.deals + sum(event["kind"] == "tiebreak_recorded" for event in played) == len(played)


@pytest.mark.parametrize("preset", ["pool_201", "gin", "romme_51", "rummy_royal"])
def test_the_same_seed_deals_the_same_and_another_one_otherwise(preset):
    first = deals(preset, "Asha", most=5)[0]
    assert deals(preset, "Asha", most=5)[0] == first
    assert deals(preset, "Bo", most=5)[0] != first


@pytest.mark.slow
def test_drops_wrong_shows_and_counts_are_those_of_a_usual_evening():
    played = [event for number in range(25) for event in deals("points", str(number), most=10)[0]]
    hows = Counter(outcome["how"] for event in played for outcome in event["outcomes"].values())
    share = {how: count / hows.total() for how, count in hows.items()}
    assert 0.13 <= share["first_drop"] + share["middle_drop"] <= 0.3
    assert 0.005 <= share["wrong_show"] <= 0.03
    assert share.get("absent", 0) + share.get("three_misses", 0) <= 0.02
    counts = sorted(
        outcome["count"] for event in played for outcome in event["outcomes"].values() if "count" in outcome
    )
    assert 15 <= counts[len(counts) // 2] <= 40
    assert len(set(counts)) > 40


def test_nobody_drops_where_the_house_plays_without_drops():
    played = [event for number in range(4) for event in deals("deals_best_of_6", str(number))[0]]
    assert not any(outcome["how"].endswith("drop") for event in played for outcome in event["outcomes"].values())


ONE_PACK = {"packs": 1, "printed_jokers": 2}


@pytest.mark.parametrize(
    ("ended", "house"),
    [
        ("void_others", {"wrong_show_continues": False}),
        ("count_now", {"stock_exhausted": "count_now", **ONE_PACK}),
    ],
)
def test_a_deal_may_end_otherwise_where_the_house_plays_so(ended, house):
    played = [event for number in range(12) for event in deals("points", str(number), most=6, **house)[0]]
    assert ended in {event.get("ended") for event in played}


@pytest.mark.slow
def test_hands_that_are_written_down_are_hands_of_thirteen():
    played = [event for number in range(10) for event in deals("points", str(number), most=6)[0]]
    written = [outcome for event in played for outcome in event["outcomes"].values() if "loose" in outcome]
    assert written
    for outcome in written:
        assert len(parse_cards(" ".join([*outcome["groups"], outcome["loose"]]), "cards")) == 13


def test_a_misread_sheet_differs_in_one_number_and_would_be_taken():
    table, chance = table_of("pool_201"), Chance("Sam")
    right = next_deal(table, chance)
    wrong = misread(table, right, chance)
    assert wrong is not None
    changed = [seat for seat in CAST[:4] if wrong["outcomes"][seat] != right["outcomes"][seat]]
    assert len(changed) == 1
    after(table, wrong)


def test_a_player_keeps_jokers_and_what_lies_together():
    held = parse_cards("7H 8H 9H 2S 2D 2C JC QC KC 5D PJ 4S KD", "cards")
    hand = Hand(held, None, DealOptions())
    thrown = hand.take(parse_cards("6D", "cards")[0])
    assert thrown.text in {"4S", "KD"}
    assert hand.best == arrange(hand.cards, None, DealOptions())
    assert hand.take(parse_cards("PJ", "cards")[0]).text != "PJ"


def test_a_gin_hand_ends_as_the_rules_let_it():
    endings: Counter[str] = Counter()
    for number in range(60):
        chance = Chance(f"gin {number}")
        pack, upcard = pack_and_upcard(chance)
        assert len(pack) == 52
        assert pack[-1] is upcard
        played = play_gin(pack, limit=10, has_big_gin=False, chance=chance)
        endings[played.ending] += 1
        assert (played.deadwood == 0) == (played.ending != "knock")
        assert played.deadwood <= 10
    assert endings["knock"] > endings["gin"] > 0
    assert gin_deadwood(CARDS[:10]) == 0
