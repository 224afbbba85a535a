"""The account of the prizes can be added up by a reader: entries, fees, prizes, and each side pot."""

import pytest
from django.test import Client
from hypothesis import given

from scoring.money.formatting import Notation
from scoring.tournament import read_plan
from scoring.tournament.prizes import prize_sheet
from tests.builders.flat import flat
from tests.builders.prize_nights import nights
from tests.builders.side_pots import settled
from tournaments.models import Club
from tournaments.running.queries.prizes import SumLine, prize_table

NOTATION = Notation("INR", "en_IN")


def minor(line: SumLine) -> int:
    return int("".join(sign for sign in line.amount.replace("−", "-") if sign.isdigit() or sign == "-"))


@given(nights())
def test_each_sum_is_what_stands_above_it_and_the_last_is_all_that_is_won(night):
    """Planted faults: side pots left out of the account; a pot counted twice that goes to the prizes."""
    plan, entries, finish, won = night
    read = read_plan(plan)
    sheet = prize_sheet(read, entries, finish, won)
    lines = prize_table(read, sheet, NOTATION, is_closed=True).lines
    above = 0
    for line in lines:
        if line.is_sum:
            assert minor(line) == above, line
        else:
            above += minor(line)
    assert lines[-1].is_sum
    if sheet.is_payable:
        assert minor(lines[-1]) == sum(sheet.awards.values())
    # Until the end a pot can be won: nothing says yet where it goes.
    assert all(pot.is_won or len(pot.because) == 1 for pot in prize_table(read, sheet, NOTATION).pots)


@pytest.mark.django_db
def test_the_public_prizes_have_each_side_pot_in_their_account_and_who_takes_it(client: Client):
    """300.00 in entry fees, 15.00 for the high hand that Cy won, 30.00 in the jackpot that nobody won."""
    evening = settled()
    club = evening.club
    Club.objects.filter(pk=club.pk).update(is_published=True)
    page = flat(client.get(f"/c/{club.slug}/t/{evening.tournament.slug}/prizes/").content.decode())
    for title, amount in (
        ("The club adds", "₹135.40"),
        ("Prizes", "₹400.00"),
        ("Side pot: Jackpot", "₹30.00"),
        ("Side pot: High hand", "₹15.00"),
        ("Carried to the next tournament", "−₹30.00"),
        ("Prizes and side pots", "₹415.00"),
    ):
        assert f"<dt>{title}</dt><dd>{amount}</dd>" in page
    assert "High hand: 3 players paid ₹15.00 in" in page
    assert "High hand: ₹15.00 to one player" in page
    assert "Jackpot: ₹30.00 carried to the next tournament" in page
    assert "not won: carried to the next tournament" in page
    assert "nobody yet" not in page
