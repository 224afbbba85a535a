"""Lines about prizes are completely in the language of the page; only the club's names of pots and levies stay."""

import re
from collections.abc import Iterable

import pytest
from django.utils import translation
from hypothesis import given

from scoring.messages import Message, say
from scoring.money.formatting import Notation
from scoring.money.reasons import LevyTaken, Reason, Times, reasons
from scoring.tournament import read_plan
from scoring.tournament.prizes import prize_sheet
from scoring.tournament.prizes.reasons import PotLeft, PotMade, PotWon, TiedPrizes
from tests.builders.prize_nights import nights
from tournaments.rendering.i18n.translating import translate
from tournaments.running.queries.prizes import in_language_of_page, prize_table

NOTATION = Notation("INR", "en_IN")
NAMES = re.compile(r"high hand|biggest|GST|cup|ham|towel|\bp\d+\b")
LATIN = re.compile(r"[A-Za-z]+")


def english_in(said: Iterable[str | Message]) -> list[str]:
    """Words left in Latin letters in a text in Hindi."""
    return [text for text in map(str, said) if LATIN.search(NAMES.sub("", text))]


@pytest.mark.slow
@given(nights())
def test_a_prize_table_and_every_line_of_an_evenings_prizes_is_said_whole(night):
    """Planted faults: the text about a pot without a winner, which had no form; a line that shows the memo itself."""
    plan, entries, finish, won = night
    read = read_plan(plan)
    paid = prize_sheet(read, entries, finish, won)
    with translation.override("hi"):
        lines = list(map(translate, reasons(paid.reasons, *NOTATION)))
        shown = in_language_of_page(prize_table(read, paid, NOTATION))
    rows = [*shown.rows, *shown.corners]
    said: list[str | Message] = [*lines, *(line.title for line in shown.lines), *shown.because]
    said += [text for row in rows for text in (row.place, row.amount, *row.because)]
    said += [pot.goes for pot in shown.pots if not pot.is_won]
    assert english_in(said) == []


@pytest.mark.parametrize(
    ("line", "german"),
    [
        (PotWon("place 1", 5_000, 1), "place 1: ₹50.00 an einen Spieler"),
        (PotMade("Levy", 4, 2_000, 0), "Levy: 4 Spieler haben ₹20.00 eingezahlt"),
        (PotLeft("Pot: the big one", 5_000, to_prizes=True), "Pot: the big one: ₹50.00 kommen zu den Preisen"),
        (Times(4, LevyTaken("GST", 1_800, 4_000, None, 720)), "4-mal: GST: 18% von ₹40.00 sind ₹7.20"),
        (LevyTaken("levy", 1_800, 4_000, None, 720), "Abgabe: 18% von ₹40.00 sind ₹7.20"),
        (LevyTaken("Cash", 1_800, 4_000, None, 720), "Cash: 18% von ₹40.00 sind ₹7.20"),
        (TiedPrizes(None, 1, 2, 400, to_first=False), "Plätze 1 bis 2: ₹4.00 für 2 sind je ₹2.00"),
        (
            TiedPrizes(say("stage {number}", number=1), 1, 2, 400, to_first=False),
            "Phase 1, Plätze 1 bis 2: ₹4.00 für 2 sind je ₹2.00",
        ),
    ],
)
def test_pots_and_levies_keep_their_names_whatever_they_are_called(line: Reason, german: str):
    """Planted fault: a pot called "Levy" shown as "Abgabe"."""
    with translation.override("de"):
        assert list(map(translate, reasons([line], *NOTATION))) == [german]
