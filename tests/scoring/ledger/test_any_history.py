"""Money balances to the unit after any history of buy-ins, settlements, corrections, cancelled deals and refunds."""

import pytest

from tests.builders.ledger_histories import Evening
from tests.builders.samples import tries
from tests.builders.state_machines import run_machine

pytestmark = pytest.mark.django_db


def run_histories(count: int) -> None:
    run_machine(Evening, examples=count, steps=6)


@pytest.mark.postgres
def test_books_balance_after_any_history():
    """Planted faults: a correction posted without its reversal, and a late worker that is not refused."""
    run_histories(20)


@pytest.mark.slow(long=True)
def test_books_balance_after_ten_thousand_histories():
    run_histories(tries(10_000))
