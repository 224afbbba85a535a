"""Every line of arithmetic that the code can write is put into words: no page shows an amount in minor units."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from scoring.evening import read_plan
from scoring.evening.prizes.sheet import prize_sheet
from scoring.money.arithmetic import is_known, reasons
from scoring.money.payouts import Stakes
from scoring.rules.table.variant import Setup
from scoring.rules.variants.western import entry
from tests.scoring.evening.prizes.test_prize_sheet import CAST, HIGH_HAND, in_order, nights, paid_by, sheet
from tests.scoring.money.test_reasons import INDIAN, played
from tests.scoring.money.western_tables import WESTERN, played_western

ROOT = Path(__file__).parents[3]
# Whoever writes lines of a payout stands here, and its lines are tried below or beside the game that pays them.
WRITERS = {
    "scoring/evening/prizes/prizes_pots.py",
    "scoring/evening/prizes/sheet.py",
    "scoring/money/payouts.py",
    "scoring/rules/variants/indian/deals/variant.py",
    "scoring/rules/variants/indian/points/variant.py",
    "scoring/rules/variants/indian/pool/game.py",
    "scoring/rules/variants/western/rummy_royal/variant.py",
    "scoring/rules/variants/western/entry.py",
    "scoring/evening/prizes/entry_plan.py",
}
PASS_ON = {"scoring/sheets/reckoning.py", "scoring/money/entries.py"}
TAXED: dict[str, Any] = {
    "fee_bp": 1_000,
    "fee_floor_minor": 10,
    "fee_cap_minor": 100_000,
    "levy_bp": 1_800,
    "levy_name": "GST",
    "levy_on": "fee",
}


def test_nobody_writes_lines_that_no_test_reads():
    pattern = re.compile(r"\bbecause(?:: list\[str\])? ?= ?[\[(](?!\))|def _because")
    found = {
        str(path.relative_to(ROOT))
        for folder in ("scoring", "tournaments")
        for path in (ROOT / folder).rglob("*.py")
        if pattern.search(path.read_text())
    }
    assert found - PASS_ON <= WRITERS


@pytest.mark.parametrize("preset", INDIAN)
def test_every_line_of_an_indian_table_is_known(preset):
    lines = [line for payout in played(preset, **TAXED).payouts() for line in payout.because]
    assert any(line.startswith("GST: ") for line in lines)
    assert [line for line in lines if not is_known(line)] == []


@pytest.mark.parametrize("preset", WESTERN)
def test_every_line_of_a_western_preset_is_known(preset):
    payouts = played_western(preset, entry_minor=3_000, point_value_minor=5, **TAXED).payouts()
    lines = [line for payout in payouts for line in payout.because]
    assert any(line.startswith("GST: ") for line in lines)
    assert [line for line in lines if not is_known(line)] == []
    assert all(payout.is_balanced for payout in payouts)


def test_every_line_of_a_western_table_is_known():
    stakes = Stakes(entry_minor=3_000, point_value_minor=5, **TAXED)
    setup: Setup[Any] = Setup(options=None, stakes=stakes, seats=("1", "2"))
    deal = entry.paid_deal(setup, entry.PaidDeal(deal=2, points={"1": 30}, takers=("2",)))
    (pot,) = entry.pot(setup, ("1",))
    assert [line for line in (*deal.because, *pot.because) if not is_known(line)] == []
    assert (deal.is_balanced, pot.is_balanced) == (True, True)
    assert pot.house == {"levy": 108}


@given(nights())
def test_every_line_of_a_prize_sheet_is_known(night):
    plan, entries, finish, won = night
    paid = prize_sheet(read_plan(plan), entries, finish, won)
    assert [line for line in paid.reasons if not is_known(line)] == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 entries of 2000 make 2000", "1 entry of ₹20.00 make ₹20.00"),
        (
            "13 times: fee 1000 basis points of 30000, at least 400, at most 2500 is 2500",
            "13 times: House fee: 10% of ₹300.00, at least ₹4.00, at most ₹25.00, is ₹25.00",
        ),
        ("1 times: fee 1000 basis points of 300 is 30", "House fee: 10% of ₹3.00 is ₹0.30"),
        ("fee 0 basis points of 3000, at least 1 is 1", "House fee: 0% of ₹30.00, at least ₹0.01, is ₹0.01"),
        ("fee 1000 basis points of 0 is 0", "House fee: 10% of ₹0.00 is ₹0.00"),
        ("second prize 2000 of 10000 of 36000 is 7200", "Second prize: 20% of ₹360.00 is ₹72.00"),
        (
            "place 1: 5000 of 10000 shares of 103 and 1 left over is 52",
            "place 1: 50% of ₹1.03 and ₹0.01 left over is ₹0.52",
        ),
        ("GST: 1800 basis points of 4000 is 720", "GST: 18% of ₹40.00 is ₹7.20"),
        ("levy: 9000 basis points of 300, at most 30 is 30", "Levy: 90% of ₹3.00, at most ₹0.30, is ₹0.30"),
        (
            "guaranteed prizes of 100000: the club adds 64000",
            "Guaranteed prizes of ₹1,000.00: the club adds ₹640.00",
        ),
        ("fixed prizes of 80000 are scaled down to 40000", "Fixed prizes of ₹800.00 are scaled down to ₹400.00"),
        ("10000 of 40000 stay with the club", "₹100.00 of ₹400.00 stay with the club"),
        ("place 1: 7000 of 10000 shares of 36000 is 25200", "place 1: 70% of ₹360.00 is ₹252.00"),
        ("place 12: 300 of 10600 shares of 36000 is 1019", "place 12: 300 of 10600 shares of ₹360.00 is ₹10.19"),
        ("round 1, table 2, place 1: 5000 fixed is 5000", "round 1, table 2, place 1: ₹50.00 fixed"),
        ("place 1: 25000 of 50000 fixed is 25000", "place 1: ₹250.00 of ₹500.00 fixed is ₹250.00"),
        (
            "places 1 to 3: 49 for 3 is 16 each, 1 left over by the order of seats",
            "places 1 to 3: ₹0.49 for 3 is ₹0.16 each, ₹0.01 left over by the order of seats",
        ),
        ("side pot High hand: 5000 to 2 of the players", "High hand: ₹50.00 to 2 players in equal parts"),
        ("30000 paid: till:2", "₹300.00 paid: till:2"),
        ("20000 of it for the prize pool", "₹200.00 of it for the prize pool"),
        ("20000 owed to the prize pool", "₹200.00 owed to the prize pool"),
        ("the house keeps 3 chips that could not be divided", "The house keeps 3 chips that could not be divided"),
    ],
)
def test_a_line_is_said_in_money_and_percent(line: str, said: str):
    assert is_known(line)
    assert reasons([line], "INR", "en_IN") == (said,)


def test_a_side_pot_says_what_was_paid_in_what_was_there_and_where_it_goes():
    paid = sheet({"side_pots": [HIGH_HAND]}, paid_by(*CAST, high_hand=500), in_order(1, 2, 3, 4))
    assert reasons(paid.pots[0].because, "INR", "en_IN") == (
        "high hand: 4 players paid ₹20.00 in, ₹30.00 was there: ₹50.00",
        "high hand: ₹50.00 carried to the next night",
    )
