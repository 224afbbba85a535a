"""The cash desk: a line of a night's book is posted to the journal in the same transaction, or neither is."""

from typing import Any
from uuid import UUID

import pytest

from scoring import ledger
from scoring.cash import entry_of, load_book
from scoring.events import cash as events
from scoring.problems import EventNotAllowed
from tests.builders.cash_records import NOW, SAM, TILL, Desk
from tests.builders.playing import loses, new_table, new_tournament, show
from tests.builders.there import there
from tournaments import log
from tournaments.cash.commands import open_book, till_of, write_in_book
from tournaments.integrity.audit import compare_books
from tournaments.integrity.rebuild import rebuild
from tournaments.integrity.rebuild_readings import cash_differences
from tournaments.models import CashBook, Club, Player, PlayerCredit

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(db: None) -> Desk:
    return Desk()


def refused(desk: Desk, event: Any) -> list[str]:
    with pytest.raises(EventNotAllowed) as caught:
        desk.writes(event)
    return [problem.code for problem in caught.value.problems]


def test_money_that_is_brought_is_the_players_and_in_the_till_until_its_line_is_taken_back(desk: Desk) -> None:
    desk.opens(20_000).takes(50_000)
    assert (desk.has(desk.asha), desk.holds(TILL), desk.holds("owner")) == (50_000, 70_000, -20_000)
    desk.undoes(desk.line)
    assert (desk.has(desk.asha), desk.holds(TILL)) == (0, 20_000)


def test_nobody_takes_out_more_than_they_have_or_were_granted(desk: Desk) -> None:
    desk.opens(20_000).takes(5_000)
    event = events.MoneyPaidOut(player=str(desk.asha.id), amount_minor=5_001, place=TILL)
    assert refused(desk, event) == ["not_enough"]
    assert desk.has(desk.asha) == 5_000
    desk.grants(3_000, desk.bo).gives(3_000, desk.bo)
    assert desk.has(desk.bo) == -3_000
    assert refused(desk, events.MoneyPaidOut(player=str(desk.bo.id), amount_minor=1, place=TILL)) == ["not_enough"]


def test_a_till_gives_no_more_than_it_holds(desk: Desk) -> None:
    desk.opens().takes(5_000)
    desk.writes(events.MoneyMoved(source=TILL, target="bank", amount_minor=4_000))
    event = events.MoneyPaidOut(player=str(desk.asha.id), amount_minor=2_000, place=TILL)
    assert refused(desk, event) == ["not_enough"]


def test_a_receipt_by_mistake_is_taken_back_though_the_player_spent_it_and_the_debt_shows(desk: Desk) -> None:
    desk.opens(10_000).takes(5_000)
    line = desk.line
    desk.gives(2_000).undoes(line)
    assert (desk.has(desk.asha), desk.holds(TILL)) == (-2_000, 8_000)
    assert "in_debt" in refused(desk, events.CashBookClosed())


def test_a_receipt_of_a_player_in_debt_is_taken_back_and_the_debt_grows(desk: Desk) -> None:
    desk.opens(10_000).grants(3_000).gives(3_000).takes(1_000)
    line = desk.line
    desk.grants(0).undoes(line)
    assert (desk.has(desk.asha), desk.holds(TILL)) == (-3_000, 7_000)


def test_a_receipt_whose_money_has_left_the_till_is_not_taken_back(desk: Desk) -> None:
    desk.opens().takes(5_000)
    line = desk.line
    desk.gives(2_000)
    assert refused(desk, events.CashEntryUndone(version=line, reason="a mistake")) == ["not_enough"]


def test_a_friend_pays_out_of_what_is_theirs_and_what_was_spent_is_not_taken_back(desk: Desk) -> None:
    desk.opens(10_000).takes(5_000)
    asha, bo = str(desk.asha.id), str(desk.bo.id)
    desk.writes(events.MoneyTransferred(player=asha, to=bo, amount_minor=2_000, reason="a round"))
    line = desk.line
    assert (desk.has(desk.asha), desk.has(desk.bo)) == (3_000, 2_000)
    desk.gives(2_000, desk.bo)
    assert refused(desk, events.CashEntryUndone(version=line, reason="a mistake")) == ["not_enough"]


def test_a_line_sent_twice_is_written_once(desk: Desk) -> None:
    desk.opens()
    event = events.MoneyReceived(player=str(desk.asha.id), amount_minor=5_000, place=TILL)
    desk.writes(event, key="once").writes(event, key="once")
    assert desk.has(desk.asha) == 5_000


def test_a_till_that_differs_is_not_closed_until_somebody_says_why(desk: Desk) -> None:
    """Planted fault: what a till should hold looked up only where its closing would move money."""
    desk.opens(1_000).takes(5_000).counts()
    assert refused(desk, events.TillClosed(till=SAM)) == ["till_differs"]
    desk.counts(p500=11)
    assert refused(desk, events.TillClosed(till=SAM)) == ["till_differs"]
    desk.writes(events.TillDifferenceBooked(till=SAM, amount_minor=-500, reason="gave too much change"))
    desk.writes(events.TillClosed(till=SAM))
    assert (desk.holds(TILL), desk.holds("bank")) == (0, 5_500)


def test_a_night_with_an_open_till_or_a_debt_is_not_closed(desk: Desk) -> None:
    desk.opens(9_000).grants(3_000, desk.bo).gives(3_000, desk.bo).grants(0, desk.bo)
    assert refused(desk, events.CashBookClosed()) == ["till_open", "in_debt"]


def test_a_night_waits_for_no_money_of_another_currency(desk: Desk) -> None:
    table = new_table(new_tournament(desk.club, currency="JPY", entry_minor=300))
    table.deal(1, show, loses(60), loses(70), loses(80))
    table.deal(2, show, loses(60), loses(70), loses(80))
    table.close()
    yen = open_book(desk.club.id, "JPY", context=desk.context())
    with pytest.raises(EventNotAllowed, match="Saturday, Table 1 is not settled yet"):
        write_in_book(yen, events.CashBookClosed(), context=desk.context())
    desk.writes(events.CashBookClosed())
    assert CashBook.objects.get(id=desk.book_id).is_closed


def test_a_closed_night_takes_nothing_and_the_next_one_goes_on(desk: Desk) -> None:
    desk.opens().takes(5_000).counts(p1000=5)
    desk.writes(events.TillClosed(till=SAM)).writes(events.CashBookClosed())
    assert refused(desk, events.MoneyMoved(source="bank", target="owner", amount_minor=1)) == ["night_closed"]
    assert till_of(desk.club.id, "INR", context=desk.context()) == TILL
    assert [(book.number, book.is_closed) for book in CashBook.objects.order_by("number")] == [(1, True), (2, False)]


def test_another_clubs_player_does_not_exist(desk: Desk) -> None:
    stranger = Player.objects.create(club=Club.objects.create(name="Friday", slug="friday"), name="Cy")
    desk.opens()
    assert refused(desk, events.MoneyReceived(player=str(stranger.id), amount_minor=1, place=TILL)) == [
        "unknown_player"
    ]


def test_the_book_and_its_entries_stand_in_one_transaction(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.opens()

    def fails(*args: Any, **more: Any) -> None:
        raise RuntimeError("the disk is full")

    before = desk.line
    monkeypatch.setattr("tournaments.cash.commands.ledger.settle", fails)
    with pytest.raises(RuntimeError):
        desk.takes(5_000)
    assert desk.line == before
    assert len(log.read(desk.club.id, UUID(str(desk.book_id)))) == before


def test_the_books_are_held_against_the_lines_that_were_written(desk: Desk) -> None:
    desk.opens(1_000).takes(5_000).gives(200)
    assert compare_books(desk.club.id).faults == ()
    line = desk.line
    cause = f"cash:{desk.book_id}:{line}"
    ledger.settle(desk.club.id, cause, version=line + 1, entries=(), now=NOW)
    faults = compare_books(desk.club.id).faults
    assert len(faults) == 2
    assert all(cause in fault for fault in faults)


def test_an_entry_without_a_line_is_found(desk: Desk) -> None:
    desk.opens(1_000)
    entry = there(
        entry_of(load_book(CashBook.objects.get(id=desk.book_id).state), events.TillOpened(till="x", float_minor=5))
    )
    ledger.settle(desk.club.id, f"cash:{desk.book_id}:99", version=1, entries=(entry,), now=NOW)
    assert [fault for fault in compare_books(desk.club.id).faults if ":99" in fault]


def test_rows_of_the_cash_desk_are_made_again_from_the_log(desk: Desk) -> None:
    # Pieces in an order of their own: a count is the same in whatever order they were typed.
    desk.opens(9_000).takes(5_000).counts(p1000=4, p10000=1)
    desk.writes(events.TillClosed(till=SAM)).writes(events.CashBookClosed())
    open_book(desk.club.id, "INR", context=desk.context())
    before = list(CashBook.objects.order_by("number").values())
    CashBook.objects.filter(number=1).delete()
    CashBook.objects.update(version=77)
    assert len(list(cash_differences(desk.club.id))) == 2
    rebuild()
    assert list(CashBook.objects.order_by("number").values()) == before
    assert list(cash_differences(desk.club.id)) == []


def test_a_credit_that_the_log_does_not_know_is_found_and_fixed(desk: Desk) -> None:
    desk.opens()
    desk.grants(3_000, desk.bo)
    PlayerCredit.objects.update(limit_minor=3_000_000)
    assert len(list(cash_differences(desk.club.id))) == 1
    rebuild()
    assert PlayerCredit.objects.get().limit_minor == 3_000


def test_a_debt_that_was_given_up_by_mistake_stands_again(desk: Desk) -> None:
    desk.opens(20_000).grants(3_000).gives(3_000).grants(0)
    desk.writes(events.DebtWrittenOff(player=str(desk.asha.id), amount_minor=3_000, reason="moved away"))
    assert desk.undoes(desk.line).has(desk.asha) == -3_000
