"""Refusals of the cash desk, prizes and balances are translated into the language of the page."""

import pytest
from django.utils import translation

from scoring.cash import CashBook, Till, account_at, account_of_player
from scoring.cash.admission import Holdings, problems_with
from scoring.evening import read_plan
from scoring.evening.checks import problems_with as problems_of_evening
from scoring.facts import cash as facts
from scoring.facts import wire
from scoring.facts.table import Fact
from scoring.money.formatting import currency_problems
from scoring.problems import OptionsRejected
from tests.builders.plans import Night
from tests.builders.untranslated import left_in_english
from tournaments.rendering.i18n.translating import translate

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
    ("fact", "expected"),
    [
        (
            facts.DebtWrittenOff(player="asha", amount_minor=80_000, reason="x"),
            "Asha Rao: the elder owes 700.00: 800.00",
        ),
        (
            facts.DebtWrittenOff(player="bo", amount_minor=10, reason="x"),
            "Bo 7 owes nothing: 0.10 cannot be written off",
        ),
        (facts.MoneyPaidOut(player="bo", amount_minor=100, place="till:open"), "Bo 7 has 0.00, and 0.00 may"),
        (
            facts.MoneyPaidOut(player="bo", amount_minor=100, place="till:open"),
            "1.00 are not in the till: add change first",
        ),
        (
            facts.MoneyMoved(source="bank", target="desk", amount_minor=100),
            "the bank account holds 0.00: less than 1.00",
        ),
        (facts.MoneyMoved(source="bank", target="levy", amount_minor=100), "the levy holds 0.00: less than 1.00"),
        (
            facts.TillDifferenceBooked(till="counted", amount_minor=5, reason="x"),
            "the difference is -150.00 now, not 0.05",
        ),
        (facts.TillClosed(till="counted"), "300.00 counted, 450.00 expected: count again"),
        (facts.CashBookClosed(), "2 tills are still open: count and close every till first"),
        (facts.CashBookClosed(), "Friday: pool, Table 3 is not settled yet"),
        (facts.CashBookClosed(), "Asha Rao: the elder owes 700.00, over the credit limit"),
        (facts.CashDeedUndone(version=7, reason="x"), "entry 7 of the cash book cannot be undone"),
        (facts.CreditGranted(player="bo", limit_minor=5), "enter a reason"),
    ],
)
def test_what_the_cash_desk_refuses_has_its_form(fact: Fact, expected: str) -> None:
    """Planted fault: a refusal of the cash desk reworded without its form."""
    problems = problems_with(BOOK, fact, HELD)
    assert any(problem.text(NAMES).startswith(expected) for problem in problems), problems
    assert left_in_english(problem.message for problem in problems) == set()


def test_each_problem_with_prizes_has_its_form() -> None:
    with pytest.raises(OptionsRejected) as refused:
        read_plan(
            {
                "prizes_bp": [5_000, 3_250],
                "paid_share_bp": 2_500,
                "over": "fund",
                "stage_prizes": [{"stage": 1, "of": "each_table"}, {"stage": 1, "of": "each_table"}, {"stage": 9}],
                "side_pots": [{"name": "Jackpot"}, {"name": "jackpot"}, {"name": " x", "joins": "opt_in"}],
            }
        )
    said = {problem.text() for problem in refused.value.problems}
    assert "the shares of the prize pool add up to 82.5%, not 100%" in said
    assert "the prizes of each table of stage 1 are given 2 times: enter them once, by place" in said
    assert left_in_english(problem.message for problem in refused.value.problems) == set()


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (wire.EntryTermsSet(player="bo", rate="member", pots=("Jackpot", "Jackpot")), "Bo 7 joins a side pot twice"),
        (
            wire.EntryTermsSet(player="bo", pots=("Cup",)),
            "the plan has no side pot 'Cup'; there are Jackpot, High hand",
        ),
        (wire.SidePotWon(pot="High hand", players=("bo",)), "Bo 7 does not play for High hand"),
        (
            wire.EntryRefunded(player="bo", amount_minor=5, reason="x"),
            "Bo 7 has paid less: refund at most what was paid",
        ),
    ],
)
def test_what_entries_and_pots_are_refused_for_has_its_form(fact: Fact, expected: str) -> None:
    pots = [{"name": "Jackpot"}, {"name": "High hand", "joins": "opt_in", "contribution_minor": 5}]
    problems = problems_of_evening(Night({"side_pots": pots}).evening, fact)
    assert any(problem.text(NAMES).startswith(expected) for problem in problems), problems
    assert left_in_english(problem.message for problem in problems) == set()


def test_what_is_refused_of_a_currency_is_translated() -> None:
    assert left_in_english(problem.message for problem in currency_problems("XYZ")) == set()


@pytest.mark.parametrize(
    ("fact", "german"),
    [
        (
            facts.MoneyMoved(source="bank", target="desk", amount_minor=100),
            "das Bankkonto: 0.00 sind da, weniger als 1.00",
        ),
        (facts.TillClosed(till="shut"), "diese Kassenlade ist schon geschlossen"),
    ],
)
def test_amounts_stay_as_they_are_in_german(fact: Fact, german: str) -> None:
    with translation.override("de"):
        assert german in {translate(problem.message) for problem in problems_with(BOOK, fact, HELD)}
