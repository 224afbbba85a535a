"""Refusals of the cash desk, prizes and balances are translated into the language of the page."""

import re

import pytest
from django.utils import translation
from syrupy.assertion import SnapshotAssertion

from scoring.cash import CashBook, Till, account_at, account_of_player
from scoring.cash.admission import Holdings, problems_with
from scoring.events import cash as events
from scoring.events import wire
from scoring.events.table import Event
from scoring.problems import OptionsRejected, Problem
from scoring.tournament import read_plan
from scoring.tournament.checks import problems_with as problems_of_evening
from tests.builders.plans import Night
from tests.builders.untranslated import left_in_english
from tournaments.rendering.i18n.translating import activate_locale, no_locale, translate

NAMES = {"asha": "Asha Rao: the elder", "bo": "Bo 7"}
BOOK = CashBook(
    currency="INR", tills={"open": Till(), "counted": Till(pieces={"10000": 3}), "shut": Till(closed_with_minor=0)}
)
HELD = Holdings(
    balances={account_of_player("asha"): -70_000, account_at("till:counted"): -45_000, account_at("desk"): -500},
    in_debt={"asha": 70_000},
    unsettled=("Friday: pool, Table 3",),
)


@pytest.mark.parametrize(
    "event",
    [
        events.DebtWrittenOff(player="asha", amount_minor=80_000, reason="x"),
        events.DebtWrittenOff(player="bo", amount_minor=10, reason="x"),
        events.MoneyPaidOut(player="bo", amount_minor=100, place="till:open"),
        events.MoneyMoved(source="bank", target="desk", amount_minor=100),
        events.MoneyMoved(source="bank", target="levy", amount_minor=100),
        events.TillDifferenceBooked(till="counted", amount_minor=5, reason="x"),
        events.TillClosed(till="counted"),
        events.CashBookClosed(),
        events.CashEntryUndone(version=7, reason="x"),
        events.CreditGranted(player="bo", limit_minor=5),
    ],
    ids=str,
)
def test_what_the_cash_desk_refuses_has_its_form(event: Event, snapshot: SnapshotAssertion) -> None:
    """Planted fault: a refusal of the cash desk reworded without its form."""
    problems = problems_with(BOOK, event, HELD)
    assert [problem.text(NAMES) for problem in problems] == snapshot
    assert left_in_english(problem.message for problem in problems) == set()
    with no_locale():
        assert not [text for text in map(written_alone, problems) if text]
        activate_locale("en_IN")
        assert not [text for text in map(written_alone, problems) if text]


def written_alone(problem: Problem) -> list[str]:
    """The amounts in a refusal without their currency: in English with the code behind, on a club's page its sign."""
    return re.findall(r"(?<![₹\d,.])[\d,]+\.\d\d(?! INR)", translate(problem.message, NAMES))


def test_each_problem_with_prizes_has_its_form(snapshot: SnapshotAssertion) -> None:
    prizes = {
        "prizes_bp": [5_000, 3_250],
        "paid_share_bp": 2_500,
        "over": "fund",
        "stage_prizes": [{"stage": 1, "of": "each_table"}, {"stage": 1, "of": "each_table"}, {"stage": 9}],
        "side_pots": [{"name": "Jackpot"}, {"name": "jackpot"}, {"name": " x", "joins": "opt_in"}],
    }
    with pytest.raises(OptionsRejected) as refused:
        read_plan(prizes)
    assert [problem.text() for problem in refused.value.problems] == snapshot
    assert left_in_english(problem.message for problem in refused.value.problems) == set()


@pytest.mark.parametrize(
    "event",
    [
        wire.EntryTermsSet(player="bo", rate="member", pots=("Jackpot", "Jackpot"), reason="asked"),
        wire.EntryTermsSet(player="bo", pots=("Cup",)),
        wire.SidePotWon(pot="High hand", players=("bo",)),
        wire.EntryRefunded(player="bo", amount_minor=5, reason="x"),
    ],
    ids=str,
)
def test_what_entries_and_pots_are_refused_for_has_its_form(event: Event, snapshot: SnapshotAssertion) -> None:
    pots = [{"name": "Jackpot"}, {"name": "High hand", "joins": "opt_in", "contribution_minor": 5}]
    problems = problems_of_evening(Night({"side_pots": pots}).state, event)
    assert [problem.text(NAMES) for problem in problems] == snapshot
    assert left_in_english(problem.message for problem in problems) == set()


@pytest.mark.parametrize(
    ("event", "german"),
    [
        (
            events.MoneyMoved(source="bank", target="desk", amount_minor=100),
            "das Bankkonto: 0,00\u00a0₹ sind da, weniger als 1,00\u00a0₹",
        ),
        (events.TillClosed(till="shut"), "diese Kassenlade ist schon geschlossen"),
    ],
)
def test_a_page_writes_amounts_as_its_club_does(event: Event, german: str) -> None:
    with translation.override("de"), no_locale():
        activate_locale("de_DE")
        assert german in {translate(problem.message) for problem in problems_with(BOOK, event, HELD)}
