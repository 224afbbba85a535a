"""Cash is rounded to the smallest note or coin of the club, and the difference has an account of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cash import IN_PLAYERS_FAVOUR, CashBook, Till, entry_of, in_cash, rounding_of
from scoring.cash.admission import Holdings, problems_with
from scoring.events import cash as events
from scoring.money import AccountKind
from tests.builders.there import there

NEAREST = "nearest"
BOOK = CashBook(version=2, currency="INR", tills={"sam": Till()})


def paid_out(amount: int, place: str = "till:sam") -> events.MoneyPaidOut:
    return events.MoneyPaidOut(player="asha", amount_minor=amount, place=place)


def received(amount: int, place: str = "till:sam") -> events.MoneyReceived:
    return events.MoneyReceived(player="asha", amount_minor=amount, place=place)


@pytest.mark.parametrize(
    ("amount", "piece", "method", "is_paid_out", "rounding"),
    [
        pytest.param(111_646, 100, NEAREST, True, -46, id="the prize of a deals table"),
        pytest.param(111_650, 100, NEAREST, True, 50, id="half of it up"),
        pytest.param(111_650, 100, NEAREST, False, 50, id="half of it up for payments too"),
        pytest.param(111_649, 100, NEAREST, False, -49, id="just below half"),
        pytest.param(1_003, 5, NEAREST, True, 2, id="five rappen"),
        pytest.param(1_002, 5, NEAREST, True, -2, id="five rappen, down"),
        pytest.param(111_601, 100, IN_PLAYERS_FAVOUR, True, 99, id="a payout up"),
        pytest.param(111_699, 100, IN_PLAYERS_FAVOUR, False, -99, id="a payment down"),
        pytest.param(111_600, 100, IN_PLAYERS_FAVOUR, True, 0, id="nothing to round"),
        pytest.param(111_646, 0, NEAREST, True, 0, id="a club that pays exactly"),
    ],
)
def test_what_is_added_to_an_amount_in_cash(amount: int, piece: int, method: str, is_paid_out: bool, rounding: int):
    assert rounding_of(amount, piece, method, is_paid_out=is_paid_out) == rounding


@given(
    amount=st.integers(1, 10**9),
    piece=st.integers(1, 10_000),
    method=st.sampled_from([NEAREST, IN_PLAYERS_FAVOUR]),
    is_paid_out=st.booleans(),
)
def test_cash_can_be_paid_in_notes_and_coins_and_is_less_than_one_of_them_off(
    amount: int, piece: int, method: str, is_paid_out: bool
):
    rounding = rounding_of(amount, piece, method, is_paid_out=is_paid_out)
    assert (amount + rounding) % piece == 0
    assert abs(rounding) < piece
    if method == NEAREST:
        assert 2 * abs(rounding) <= piece
    else:
        assert rounding >= 0 if is_paid_out else rounding <= 0


def test_the_till_gives_or_takes_cash_and_the_rest_is_of_the_account_of_rounding():
    """A payment settles the whole debt with the cash that there is."""
    rounding = [(AccountKind.ROUNDING, 46, "rounding"), (AccountKind.PLAYER, -46, "rounding")]
    cash = [(AccountKind.PLAYER, -111_600, "cash"), (AccountKind.CASH, 111_600, "cash")]
    assert posted(paid_out(111_646)) == [*rounding, *cash]
    assert posted(received(111_646)) == [(kind, -amount, of) for kind, amount, of in [*cash[::-1], *rounding[::-1]]]


def posted(event: events.MoneyPaidOut | events.MoneyReceived) -> list[tuple[AccountKind, int, str]]:
    entry = there(entry_of(BOOK, in_cash(event, 100, NEAREST)))
    assert entry.is_balanced
    return [(each.account.kind, each.amount_minor, each.purpose) for each in entry.postings]


def test_only_cash_is_rounded_and_rounding_that_somebody_sends_is_calculated_again():
    moved = events.MoneyMoved(source="till:sam", target="bank", amount_minor=111_646)
    for event in (paid_out(111_646, "bank"), received(111_646, "bank"), moved):
        assert in_cash(event, 100, NEAREST) == event
    sent = events.MoneyPaidOut(player="asha", amount_minor=500, place="till:sam", rounding_minor=7)
    assert in_cash(sent, 0, NEAREST) == paid_out(500)


@pytest.mark.parametrize("event", [paid_out(46), received(46)])
def test_an_amount_that_is_rounded_to_nothing_is_refused(event: events.MoneyPaidOut | events.MoneyReceived):
    """Planted fault it catches: a balance that is emptied although no money was handed out."""
    [problem] = problems_with(BOOK, in_cash(event, 100, NEAREST), held(46))
    assert (problem.code, problem.field) == ("too_little_for_cash", "amount_minor")


def held(balance: int, in_till: int = 10**6) -> Holdings:
    player, till = (each.account for each in there(entry_of(BOOK, paid_out(1))).postings)
    return Holdings(balances={player: balance, till: -in_till})


def test_a_payout_in_the_players_favour_takes_no_more_than_the_balance():
    """Planted fault it catches: the cash of a payout compared with the balance, not what is taken from it."""
    event = in_cash(paid_out(111_646), 100, IN_PLAYERS_FAVOUR)
    assert problems_with(BOOK, event, held(111_646)) == []
    [problem] = problems_with(BOOK, event, held(111_645))
    assert problem.code == "not_enough"


def test_a_till_gives_what_is_handed_out():
    event = in_cash(paid_out(111_646), 100, NEAREST)
    assert problems_with(BOOK, event, held(111_646, in_till=111_600)) == []
    [problem] = problems_with(BOOK, event, held(111_646, in_till=111_599))
    assert problem.code == "not_enough"
