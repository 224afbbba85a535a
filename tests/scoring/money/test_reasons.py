"""The arithmetic of a payout in words: units of the currency, percents, and no number a reader has to divide."""

import re

import pytest

from scoring.facts.table import DealRecorded
from scoring.money.arithmetic import reasons
from scoring.rules.table.table import Table, fold
from scoring.rules.variants import PRESETS, opening, table_from
from scoring.rules.variants.indian.outcomes import DealSheet, How, Outcome
from tests.scoring.money.western_tables import WESTERN, played_western

SEATS = {"1": "asha", "2": "bo", "3": "cy"}
INDIAN = [name for name, (rules, _) in PRESETS.items() if rules.sheet_type is DealSheet]


def played(preset: str, **more: object) -> Table:
    """A table whose first seat shows until there is something to pay."""
    rules, chosen = PRESETS[preset]
    stakes = {"entry_minor": 30000, "fee_bp": 1250, "point_value_minor": 250, **more}
    extra = {"second_prize_bp": 2000} if rules.name == "deals" else {}
    table = table_from(opening(rules.name, options={**chosen.options, **extra}, stakes=stakes, seats=SEATS))
    for deal in range(1, 7):
        if table.rules.is_finished(table.setup, table.game):
            break
        sheet = DealSheet(outcomes={s: Outcome(how=How.LOSS, count=40 + 7 * int(s)) for s in table.in_play[1:]})
        sheet.outcomes[table.in_play[0]] = Outcome(how=How.SHOW)
        table = fold(table, [(deal + 1, DealRecorded(deal=deal, sheet=sheet))])
    return table


@pytest.mark.parametrize("preset", INDIAN)
def test_no_line_of_an_indian_form_is_left_in_minor_units(preset: str):
    """Planted fault: a variant that words its lines anew falls through and shows 30000 for an entry of 300."""
    payouts = played(preset).payouts()
    assert payouts
    for payout in payouts:
        for line in reasons(payout.because, "INR"):
            assert "basis points" not in line
            assert not re.search(r"(?<![\d.₹])\d{5,}", line), line


@pytest.mark.parametrize("preset", WESTERN)
def test_no_line_of_a_western_form_is_left_in_minor_units(preset: str):
    """Planted fault: a pot or a deal that words its lines anew shows 30000 for an entry of 300."""
    payouts = played_western(preset, entry_minor=30000, fee_bp=1250, point_value_minor=12_345).payouts()
    assert any(payout.awards for payout in payouts)
    for payout in payouts:
        said = reasons(payout.because, "INR")
        assert any("₹" in line for line in said)
        for line in said:
            assert "basis points" not in line
            assert not re.search(r"(?<![\d.₹])\d{5,}", line), line


def test_a_single_heir_takes_what_is_left():
    assert reasons(["seat 2: 0 for drops left and 54000 as an equal part"], "INR") == ("{2} takes ₹540.00",)


def test_a_split_says_what_is_for_drops_and_what_is_equal():
    lines = [
        f"seat {seat}: {ahead} for drops left and 88000 as an equal part" for seat, ahead in (("1", 176000), ("3", 0))
    ]
    assert reasons(lines, "INR") == (
        "{1}: ₹1,760.00 for drops left and ₹880.00 as an equal part",
        "{3}: ₹880.00 as an equal part",
    )


def test_lines_about_nothing_are_left_out():
    because = ["3 entries and 0 rejoins of 1000 make 3000", "fee 0 basis points of 3000 is 0"]
    assert reasons(because, "EUR") == ("3 entries of €10.00 make €30.00",)


def test_a_second_prize_of_nothing_is_not_spoken_of():
    assert reasons(["second prize 0 of 10000 of 36000 is 0"], "INR") == ()


def test_an_unknown_line_stays_as_it_is():
    assert reasons(["the director decided"], "INR") == ("the director decided",)


def test_the_arithmetic_is_written_as_in_the_place_of_the_club():
    lines = ["3 entries and 1 rejoins of 123456 make 493824", "fee 1250 basis points of 493824 is 61728"]
    assert reasons(lines, "EUR", "de_DE") == (
        "3 entries and 1 rejoin of 1.234,56\u00a0€ make 4.938,24\u00a0€",
        "House fee: 12,5\u00a0% of 4.938,24\u00a0€ is 617,28\u00a0€",
    )
