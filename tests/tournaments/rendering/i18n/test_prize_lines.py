"""Lines about prizes are said whole in the language of the page; only what the club called a pot or a levy stays."""

import re

import pytest
from django.utils import translation
from hypothesis import given

from scoring.evening import read_plan
from scoring.evening.prizes.sheet import prize_sheet
from scoring.messages import Message
from scoring.money.arithmetic import reasons
from scoring.money.formatting import Notation
from tests.scoring.evening.prizes.test_prize_sheet import nights
from tests.scoring.money.test_reasons import INDIAN, played
from tests.scoring.money.test_reasons_known import TAXED
from tests.scoring.money.western_tables import WESTERN, played_western
from tournaments.evenings.queries.prizes import in_language_of_page, prize_table
from tournaments.rendering.i18n.translating import told

NOTATION = Notation("INR", "en_IN")
NAMES = re.compile(r"high hand|biggest|GST|cup|ham|towel|\bp\d+\b|\{\w\}")
LATIN = re.compile(r"[A-Za-z]+")


def english_in(said: list[str]) -> list[str]:
    """What is left in Latin letters of something said in Hindi."""
    return [text for text in said if LATIN.search(NAMES.sub("", text))]


@given(nights())
def test_every_line_of_an_evenings_prizes_is_said_whole(night):
    """Planted: `4 times: House fee` taken for the name of a levy, `places 1 to 2: ₹4.00` for an amount."""
    plan, entries, finish, won = night
    paid = prize_sheet(read_plan(plan), entries, finish, won)
    with translation.override("hi"):
        assert english_in([told(line) for line in reasons(paid.reasons, *NOTATION)]) == []


@pytest.mark.parametrize("preset", [*INDIAN, *WESTERN])
def test_every_line_of_a_table_s_payout_is_said_whole(preset: str):
    table = (
        played(preset, **TAXED)
        if preset in INDIAN
        else played_western(preset, entry_minor=3_000, point_value_minor=5, **TAXED)
    )
    lines = [line for payout in table.payouts() for line in reasons(payout.because, *NOTATION)]
    with translation.override("hi"):
        assert english_in(list(map(told, lines))) == []


@given(nights())
def test_a_prize_table_is_said_whole(night):
    """Planted: what becomes of a pot that nobody won, which had no form."""
    plan, entries, finish, won = night
    read = read_plan(plan)
    with translation.override("hi"):
        shown = in_language_of_page(prize_table(read, prize_sheet(read, entries, finish, won), NOTATION))
    rows = [*shown.rows, *shown.corners]
    said: list[str | Message] = [*(line.title for line in shown.lines), *shown.because, *(row.place for row in rows)]
    said += [*(row.amount for row in rows), *(line for row in rows for line in row.because)]
    said += [pot.goes for pot in shown.pots if not pot.is_won]
    assert english_in([str(one) for one in said]) == []


@pytest.mark.parametrize(
    ("said", "german"),
    [
        ("place 1: ₹50.00 to one player", "place 1: ₹50.00 an einen Spieler"),
        ("Levy: 4 players paid ₹20.00 in", "Levy: 4 Spieler haben ₹20.00 eingezahlt"),
        ("Pot: the big one: ₹50.00 added to the prizes", "Pot: the big one: ₹50.00 kommen zu den Preisen"),
        ("4 times: GST: 18% of ₹40.00 is ₹7.20", "4-mal: GST: 18% von ₹40.00 sind ₹7.20"),
        ("places 1 to 2: ₹4.00 for 2 is ₹2.00 each", "Plätze 1 bis 2: ₹4.00 für 2 sind je ₹2.00"),
        ("not won: carried to the next tournament", "nicht gewonnen: kommt ins nächste Turnier"),
    ],
)
def test_a_line_is_never_taken_for_another(said: str, german: str):
    """Pots may be called like anything else that stands before a colon."""
    with translation.override("de"):
        assert told(said) == german


def test_a_levy_with_a_name_keeps_it_and_one_without_is_called_by_ours():
    with translation.override("de"):
        assert told("Levy: 18% of ₹40.00 is ₹7.20") == "Abgabe: 18% von ₹40.00 sind ₹7.20"
        assert told("Cash: 18% of ₹40.00 is ₹7.20") == "Cash: 18% von ₹40.00 sind ₹7.20"
