"""Entry money stays where it was taken, whatever happens to the plan, the currency or the night's book afterwards."""

from typing import Any

import pytest

from scoring.events import cash as events
from scoring.problems import EventNotAllowed, OptionsRejected
from tests.builders.tills import ENTRY, TILL, Door
from tournaments.cash.commands import write_in_book
from tournaments.integrity.audit import compare_books
from tournaments.running.commands.create import TournamentDraft, change_tournament, make_plan

pytestmark = pytest.mark.django_db
REHEARSAL = {"stages": [{"smallest_table": 2}], "is_rehearsal": True}


@pytest.fixture
def door(db: None) -> Door:
    return Door()


def plays_for(door: Door, currency: str) -> Any:
    row = door.tournament
    draft = TournamentDraft(
        name=row.name, preset=row.preset, starts_at=row.starts_at, currency=currency, entry_minor=ENTRY
    )
    return change_tournament(row, draft, context=door.context())


def test_until_entries_are_given_back_their_currency_stays_and_nothing_becomes_a_rehearsal(door: Door) -> None:
    door.does("pay", door.asha)
    with pytest.raises(OptionsRejected, match="entry fees were paid in INR"):
        plays_for(door, "JPY")
    with pytest.raises(EventNotAllowed, match="entry fees are paid: refund them first"):
        make_plan(door.tournament.id, REHEARSAL, context=door.context())
    assert door.holds("desk") == ENTRY
    door.does("give_back", door.asha)
    assert plays_for(door, "JPY").currency == "JPY"
    type(door.tournament).objects.update(is_published=False)
    make_plan(door.tournament.id, REHEARSAL, context=door.context())
    assert compare_books().faults == ()


def test_what_was_taken_in_a_rehearsal_never_becomes_money(db: None) -> None:
    door = Door(is_rehearsal=True)
    door.does("pay", door.asha)
    with pytest.raises(EventNotAllowed, match="entry fees are paid: refund them first"):
        make_plan(door.tournament.id, REHEARSAL | {"is_rehearsal": False}, context=door.context())


def test_after_the_night_an_entry_is_given_back_out_of_change_from_the_bank_and_not_by_the_desk(door: Door) -> None:
    book = door.opens_a_book()
    door.does("pay", door.asha)
    for event in (events.TillCounted(till="user:7", pieces={"10000": 1}), events.TillClosed(till="user:7")):
        write_in_book(book, event, context=door.context())
    write_in_book(book, events.CashBookClosed(), context=door.context())
    with pytest.raises(
        EventNotAllowed, match=r"the desk holds 0.00 INR: 100.00 INR cannot be refunded from it; open a till"
    ):
        door.does("give_back", door.asha)
    assert (door.holds("desk"), door.holds("bank")) == (0, ENTRY)
    opened = events.TillOpened(till="user:7", float_minor=ENTRY, source="bank")
    write_in_book(door.opens_a_book(), opened, context=door.context())
    door.does("give_back", door.asha)
    assert (door.holds(TILL), door.holds("bank"), door.holds("desk")) == (0, 0, 0)
