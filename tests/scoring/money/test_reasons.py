"""The arithmetic of a payout: a memo's lines to the byte, and as text, in units of the currency and percents."""

import re
from typing import Any

import pytest
from hypothesis import given

from scoring.messages import english, say
from scoring.money.payouts import PaidDeal, Stakes, paid_points
from scoring.money.reasons import (
    ChipsKept,
    ClubAdds,
    EqualPart,
    FeeTaken,
    Kept,
    LevyTaken,
    Made,
    Reason,
    ScaledDown,
    SecondPrize,
    Times,
    reasons,
)
from scoring.rules.table.variant import Setup
from scoring.rules.variants.western import entry
from scoring.tournament import read_plan
from scoring.tournament.prizes import prize_sheet
from scoring.tournament.prizes.reasons import PlacePrize, PotLeft, PotMade, PotWon, PrizeParts, Share, TiedPrizes
from tests.builders.money_reasons import INDIAN, TAXED, played
from tests.builders.prize_nights import nights
from tests.builders.samples import each
from tests.builders.western_tables import WESTERN, played_western
from tests.builders.wording import picture

MINOR_UNITS = re.compile(r"(?<![\d.₹])\d{5,}")
FEE = FeeTaken(1_000, 30_000, 400, 2_500, 2_500)
TABLE = say("round {round}, table {table}", round=1, table=2)


def said(lines: list[Reason], currency: str = "INR", locale: str = "en_IN") -> list[str]:
    return [english(line) for line in reasons(lines, currency, locale)]


@pytest.mark.parametrize("preset", each(*INDIAN, quick=["points", "deals_best_of_2", "pool_101"]))
def test_no_line_of_an_indian_form_is_left_in_minor_units(preset: str):
    """Planted fault: a line whose amounts are put in as numbers shows 30000 for an entry of 300."""
    payouts = played(preset).payouts()
    assert payouts
    assert not [line for payout in payouts for line in said([*payout.because]) if MINOR_UNITS.search(line)]


@pytest.mark.parametrize(
    "preset", each(*WESTERN, quick=["rum_cash", "block", "rummy500", "palace_casino", "gin", "rummy_royal"])
)
def test_no_line_of_a_western_form_is_left_in_minor_units(preset: str):
    """Planted fault: the same, in a pot or in a deal."""
    payouts = played_western(preset, entry_minor=30000, fee_bp=1250, point_value_minor=12_345).payouts()
    assert any(payout.awards for payout in payouts)
    for payout in payouts:
        lines = said([*payout.because])
        assert any("₹" in line for line in lines)
        assert not [line for line in lines if MINOR_UNITS.search(line)]


def test_the_levy_of_a_western_table_is_an_account_of_its_own():
    stakes = Stakes(entry_minor=3_000, point_value_minor=5, **TAXED)
    setup: Setup[Any] = Setup(options=None, stakes=stakes, seats=("1", "2"))
    deal = paid_points(setup.stakes, PaidDeal(deal=2, points={"1": 30}, takers=("2",)))
    (pot,) = entry.pot(setup, ("1",))
    assert any(line.startswith("GST: ") for line in said([*deal.because]))
    assert (deal.is_balanced, pot.is_balanced) == (True, True)
    assert pot.house == {"levy": 108}


@given(nights())
def test_no_line_of_a_prize_sheet_is_left_in_minor_units(night):
    plan, entries, finish, won = night
    lines = said([*prize_sheet(read_plan(plan), entries, finish, won).reasons])
    assert not [line for line in lines if MINOR_UNITS.search(re.sub(r"\d+ of \d+ shares", "", line))]


def test_a_split_says_what_is_for_drops_and_what_is_equal_and_leaves_out_lines_about_nothing(snapshot):
    split: list[Reason] = [EqualPart("1", 88000, 176000), EqualPart("3", 88000, 0)]
    nothing: list[Reason] = [Made(3, "entries", 1000, rejoins=0), FeeTaken(0, 3000, None, None, 0)]
    german: list[Reason] = [Made(3, "entries", 123456, rejoins=1), FeeTaken(1250, 493824, None, None, 61728)]
    answers = {
        "a single heir takes what is left": said([EqualPart("2", 54000, 0)]),
        "a split, as it is kept": map(str, split),
        "a split": said(split),
        "no rejoin and no fee, as they are kept": map(str, nothing),
        "no rejoin and no fee": said(nothing, "EUR"),
        "a second prize of nothing, as it is kept": [str(SecondPrize(0, 36000, 0))],
        "a second prize of nothing": said([SecondPrize(0, 36000, 0)]),
        "as in the place of the club": said(german, "EUR", "de_DE"),
    }
    assert picture(answers) == snapshot


LINES: list[Reason] = [
    Made(1, "entries", 2000),
    Made(30, "points", 250, deal=2),
    Times(13, FEE),
    Times(1, FeeTaken(1_000, 300, None, None, 30)),
    FeeTaken(0, 3_000, 1, None, 1),
    FeeTaken(1_000, 0, None, None, 0),
    SecondPrize(2_000, 36_000, 7_200),
    PlacePrize(None, 1, PrizeParts(share=Share(5_000, 10_000, 103, 1)), 52),
    LevyTaken("GST", 1_800, 4_000, None, 720),
    LevyTaken("levy", 9_000, 300, 30, 30),
    ClubAdds("guaranteed", 100_000, 64_000),
    ScaledDown(80_000, 40_000),
    Kept(10_000, 40_000),
    PlacePrize(None, 12, PrizeParts(share=Share(300, 10_600, 36_000)), 1_019),
    PlacePrize(TABLE, 1, PrizeParts(fixed=5_000), 5_000),
    PlacePrize(None, 1, PrizeParts(fixed=25_000, promised=50_000), 25_000),
    PlacePrize(None, 2, PrizeParts(fixed=5_000, share=Share(2_000, 10_000, 4_000)), 5_800),
    TiedPrizes(None, 1, 3, 49, to_first=False),
    PotWon("High hand", 5_000, 2),
    PotMade("high hand", 4, 2_000, 3_000),
    PotLeft("high hand", 5_000, to_prizes=False),
    ChipsKept(3),
]


def test_a_line_is_kept_in_minor_units_and_said_in_money_and_percent(snapshot):
    assert picture((line, said([line])) for line in LINES) == snapshot
