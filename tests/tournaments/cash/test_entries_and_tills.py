"""An entry that is paid while a night's cash book is open is in the till of the cashier who took it."""

import pytest

from scoring.events import cash as events
from scoring.events import wire
from scoring.problems import EventNotAllowed
from tests.builders.tills import ENTRY, TILL, Door
from tournaments.cash.commands import write_in_book
from tournaments.entries.commands.check_in import take_or_give
from tournaments.models import CashBook

pytestmark = pytest.mark.django_db


@pytest.fixture
def door(db: None) -> Door:
    return Door()


def test_with_an_open_book_an_entry_lies_in_the_till_of_whoever_took_it(door: Door) -> None:
    door.opens_a_book()
    door.does("pay", door.asha)
    door.does("pay", door.bo, actor="user:8")
    assert (door.holds("desk"), door.holds(TILL), door.holds("till:user:8")) == (0, ENTRY, ENTRY)


@pytest.mark.parametrize(("plan", "act"), [({}, "check_in"), ({"is_rehearsal": True}, "pay")])
def test_a_tick_that_takes_no_money_and_a_rehearsal_open_no_till(db: None, plan: dict[str, bool], act: str) -> None:
    door = Door(**plan)
    door.opens_a_book()
    door.does(act, door.asha)
    assert "user:7" not in CashBook.objects.get().state


def test_what_is_given_back_comes_out_of_the_givers_till_and_is_no_more_than_it_holds(door: Door) -> None:
    door.opens_a_book()
    door.does("pay", door.asha)
    with pytest.raises(EventNotAllowed, match=r"100.00 INR are not in your till"):
        door.does("give_back", door.asha, actor="user:8")
    door.does("give_back", door.asha)
    assert door.holds(TILL) == 0


def test_whose_till_is_closed_takes_no_more_entries_tonight(door: Door) -> None:
    book = door.opens_a_book()
    door.does("pay", door.asha)
    write_in_book(book, events.TillCounted(till="user:7", pieces={"10000": 1}), context=door.context())
    write_in_book(book, events.TillClosed(till="user:7"), context=door.context())
    with pytest.raises(EventNotAllowed, match="this till was counted and closed"):
        door.does("pay", door.bo)
    assert door.has(door.bo) == 0


def test_an_entry_that_the_balance_covers_is_paid_from_it(door: Door) -> None:
    book = door.opens_a_book()
    write_in_book(book, events.TillOpened(till="user:7"), context=door.context())
    brought = events.MoneyReceived(player=door.asha, amount_minor=15_000, place=TILL)
    write_in_book(book, brought, context=door.context())
    paid = wire.EntryPaid(player=door.asha, amount_minor=ENTRY, place="account")
    take_or_give(door.tournament.id, paid, seen_minor=0, context=door.context())
    assert (door.has(door.asha), door.holds(TILL)) == (5_000, 15_000)
