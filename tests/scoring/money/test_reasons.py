"""The arithmetic of a payout: a memo's lines to the byte, and as text, in units of the currency and percents."""

import re
from typing import Any

import pytest
from hypothesis import given

from scoring.evening import read_plan
from scoring.evening.prizes import prize_sheet
from scoring.evening.prizes.reasons import PlacePrize, PotLeft, PotMade, PotWon, PrizeParts, Share, TiedPrizes
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
from tests.builders.money_reasons import INDIAN, TAXED, played
from tests.builders.prize_nights import nights
from tests.builders.western_tables import WESTERN, played_western

MINOR_UNITS = re.compile(r"(?<![\d.₹])\d{5,}")
FEE = FeeTaken(1_000, 30_000, 400, 2_500, 2_500)
TABLE = say("round {round}, table {table}", round=1, table=2)


def said(lines: list[Reason], currency: str = "INR", locale: str = "en_IN") -> list[str]:
    return [english(line) for line in reasons(lines, currency, locale)]


@pytest.mark.parametrize("preset", INDIAN)
def test_no_line_of_an_indian_form_is_left_in_minor_units(preset: str):
    """Planted fault: a line whose amounts are put in as numbers shows 30000 for an entry of 300."""
    payouts = played(preset).payouts()
    assert payouts
    assert not [line for payout in payouts for line in said([*payout.because]) if MINOR_UNITS.search(line)]


@pytest.mark.parametrize("preset", WESTERN)
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


def test_a_single_heir_takes_what_is_left():
    assert said([EqualPart("2", 54000, 0)]) == ["2 takes ₹540.00"]


def test_a_split_says_what_is_for_drops_and_what_is_equal():
    lines: list[Reason] = [EqualPart("1", 88000, 176000), EqualPart("3", 88000, 0)]
    assert list(map(str, lines)) == [
        "seat 1: 176000 for drops left and 88000 as an equal part",
        "seat 3: 0 for drops left and 88000 as an equal part",
    ]
    assert said(lines) == ["1: ₹1,760.00 for drops left and ₹880.00 as an equal part", "3: ₹880.00 as an equal part"]


def test_lines_about_nothing_are_left_out():
    because: list[Reason] = [Made(3, "entries", 1000, rejoins=0), FeeTaken(0, 3000, None, None, 0)]
    assert list(map(str, because)) == [
        "3 entries and 0 rejoins of 1000 make 3000",
        "fee 0 basis points of 3000 is 0",
    ]
    assert said(because, "EUR") == ["3 entries of €10.00 make €30.00"]


def test_a_second_prize_of_nothing_is_not_spoken_of():
    nothing = SecondPrize(0, 36000, 0)
    assert (str(nothing), said([nothing])) == ("second prize 0 of 10000 of 36000 is 0", [])


def test_the_arithmetic_is_written_as_in_the_place_of_the_club():
    lines: list[Reason] = [Made(3, "entries", 123456, rejoins=1), FeeTaken(1250, 493824, None, None, 61728)]
    assert said(lines, "EUR", "de_DE") == [
        "3 entries and 1 rejoin of 1.234,56\u00a0€ make 4.938,24\u00a0€",
        "House fee: 12,5\u00a0% of 4.938,24\u00a0€ is 617,28\u00a0€",
    ]


@pytest.mark.parametrize(
    ("line", "memo", "shown"),
    [
        (Made(1, "entries", 2000), "1 entries of 2000 make 2000", "1 entry of ₹20.00 make ₹20.00"),
        (
            Made(30, "points", 250, deal=2),
            "deal 2: 30 points of 250 make 7500",
            "Deal 2: 30 points of ₹2.50 make ₹75.00",
        ),
        (
            Times(13, FEE),
            "13 times: fee 1000 basis points of 30000, at least 400, at most 2500 is 2500",
            "13 times: House fee: 10% of ₹300.00, at least ₹4.00, at most ₹25.00, is ₹25.00",
        ),
        (
            Times(1, FeeTaken(1_000, 300, None, None, 30)),
            "1 times: fee 1000 basis points of 300 is 30",
            "House fee: 10% of ₹3.00 is ₹0.30",
        ),
        (
            FeeTaken(0, 3_000, 1, None, 1),
            "fee 0 basis points of 3000, at least 1 is 1",
            "House fee: 0% of ₹30.00, at least ₹0.01, is ₹0.01",
        ),
        (
            FeeTaken(1_000, 0, None, None, 0),
            "fee 1000 basis points of 0 is 0",
            "House fee: 10% of ₹0.00 is ₹0.00",
        ),
        (
            SecondPrize(2_000, 36_000, 7_200),
            "second prize 2000 of 10000 of 36000 is 7200",
            "Second prize: 20% of ₹360.00 is ₹72.00",
        ),
        (
            PlacePrize(None, 1, PrizeParts(share=Share(5_000, 10_000, 103, 1)), 52),
            "place 1: 5000 of 10000 shares of 103 and 1 left over is 52",
            "place 1: 50% of ₹1.03 and ₹0.01 left over is ₹0.52",
        ),
        (
            LevyTaken("GST", 1_800, 4_000, None, 720),
            "GST: 1800 basis points of 4000 is 720",
            "GST: 18% of ₹40.00 is ₹7.20",
        ),
        (
            LevyTaken("levy", 9_000, 300, 30, 30),
            "levy: 9000 basis points of 300, at most 30 is 30",
            "Levy: 90% of ₹3.00, at most ₹0.30, is ₹0.30",
        ),
        (
            ClubAdds("guaranteed", 100_000, 64_000),
            "guaranteed prizes of 100000: the club adds 64000",
            "Guaranteed prizes of ₹1,000.00: the club adds ₹640.00",
        ),
        (
            ScaledDown(80_000, 40_000),
            "fixed prizes of 80000 are scaled down to 40000",
            "Fixed prizes of ₹800.00 are scaled down to ₹400.00",
        ),
        (Kept(10_000, 40_000), "10000 of 40000 stay with the club", "₹100.00 of ₹400.00 stay with the club"),
        (
            PlacePrize(None, 12, PrizeParts(share=Share(300, 10_600, 36_000)), 1_019),
            "place 12: 300 of 10600 shares of 36000 is 1019",
            "place 12: 300 of 10600 shares of ₹360.00 is ₹10.19",
        ),
        (
            PlacePrize(TABLE, 1, PrizeParts(fixed=5_000), 5_000),
            "round 1, table 2, place 1: 5000 fixed is 5000",
            "round 1, table 2, place 1: ₹50.00 fixed",
        ),
        (
            PlacePrize(None, 1, PrizeParts(fixed=25_000, promised=50_000), 25_000),
            "place 1: 25000 of 50000 fixed is 25000",
            "place 1: ₹250.00 of ₹500.00 fixed is ₹250.00",
        ),
        (
            PlacePrize(None, 2, PrizeParts(fixed=5_000, share=Share(2_000, 10_000, 4_000)), 5_800),
            "place 2: 5000 fixed and 2000 of 10000 shares of 4000 is 5800",
            "place 2: ₹50.00 fixed and 20% of ₹40.00 is ₹58.00",
        ),
        (
            TiedPrizes(None, 1, 3, 49, to_first=False),
            "places 1 to 3: 49 for 3 is 16 each, 1 left over by the order of seats",
            "places 1 to 3: ₹0.49 for 3 is ₹0.16 each, ₹0.01 left over by the order of seats",
        ),
        (
            PotWon("High hand", 5_000, 2),
            "side pot High hand: 5000 to 2 of the players",
            "High hand: ₹50.00 to 2 players in equal parts",
        ),
        (
            PotMade("high hand", 4, 2_000, 3_000),
            "side pot high hand: 4 players paid 2000 in, 3000 was there, 5000",
            "high hand: 4 players paid ₹20.00 in, ₹30.00 was there: ₹50.00",
        ),
        (
            PotLeft("high hand", 5_000, to_prizes=False),
            "side pot high hand: 5000 carried to the next night",
            "high hand: ₹50.00 carried to the next tournament",
        ),
        (
            ChipsKept(3),
            "the house keeps 3 chips that could not be divided",
            "The house keeps 3 chips that could not be divided",
        ),
    ],
)
def test_a_line_is_kept_in_minor_units_and_said_in_money_and_percent(line: Reason, memo: str, shown: str):
    assert (str(line), said([line])) == (memo, [shown])
