"""What each event of a cash book moves, to the unit and in the right direction; and how a till is counted."""

import pytest

from scoring.cash import CashBook, dump_book, entry_of, fold_book, load_book, pieces_of
from scoring.events import cash as events
from scoring.events.reading import Unreadable
from scoring.events.table import Event, EventLeftOut
from scoring.money import Purpose
from tests.builders.cash_books import DITA, SAM, book_of, moved, with_tills

UNREAD = Unreadable(stored_kind="future_fact", stored_schema=9, body="{}", why="unknown")
COUNTED = events.TillCounted(till="sam", pieces={"500": 3, "10": 1})
CLOSED = events.TillClosed(till="sam", target="owner")


@pytest.mark.parametrize(
    ("event", "change", "purpose"),
    [
        (events.TillOpened(till="sam", float_minor=1), {"cash sam": -1, "owner": 1}, Purpose.CASH),
        (
            events.MoneyReceived(player="asha", amount_minor=7, place="till:sam"),
            {"cash sam": -7, "player asha": 7},
            Purpose.CASH,
        ),
        (
            events.MoneyReceived(player="asha", amount_minor=7, place="desk"),
            {"cash": -7, "player asha": 7},
            Purpose.CASH,
        ),
        (
            events.MoneyPaidOut(player="asha", amount_minor=7, place="bank"),
            {"player asha": -7, "bank": 7},
            Purpose.CASH,
        ),
        (
            events.MoneyTransferred(player="asha", to="bo", amount_minor=7),
            {"player asha": -7, "player bo": 7},
            Purpose.TRANSFER,
        ),
        (events.MoneyMoved(source="bank", target="levy", amount_minor=7), {"levy": -7, "bank": 7}, Purpose.CASH),
        (events.DebtWrittenOff(player="asha", amount_minor=7), {"write_off": -7, "player asha": 7}, Purpose.WRITE_OFF),
        (
            events.TillDifferenceBooked(till="sam", amount_minor=-7),
            {"cash sam": 7, "cash_difference": -7},
            Purpose.DIFFERENCE,
        ),
        (CLOSED, {"owner": -1_510, "cash sam": 1_510}, Purpose.CASH),
    ],
)
def test_an_event_moves_its_amount_from_one_account_to_another(
    event: Event, change: dict[str, int], purpose: Purpose
) -> None:
    book = with_tills(COUNTED)
    entry = entry_of(book, event)
    assert moved(book, event) == change
    assert entry is not None
    assert (entry.slot, entry.currency, {each.purpose for each in entry.postings}) == ("deed", "INR", {purpose})


@pytest.mark.parametrize(
    ("book", "event"),
    [
        (book_of(), events.TillOpened(till="sam")),
        (book_of(), CLOSED),
        (with_tills(), CLOSED),
        (with_tills(events.TillCounted(till="sam", pieces={})), CLOSED),
        (with_tills(), COUNTED),
        (with_tills(), events.CashBookClosed()),
    ],
)
def test_where_no_money_changes_its_account_there_is_no_entry(book: CashBook, event: Event) -> None:
    assert entry_of(book, event) is None


def test_a_book_knows_what_was_in_each_till_and_which_are_open() -> None:
    book = with_tills(
        COUNTED,
        events.TillDifferenceBooked(till="sam", amount_minor=4),
        events.TillDifferenceBooked(till="sam", amount_minor=-1),
        events.TillCounted(till="dita", pieces={"100": 2}),
    )
    sam, dita = book.tills["sam"], book.tills["dita"]
    assert (sam.counted_minor, sam.difference_minor, sam.is_open) == (1_510, 3, True)
    assert (dita.counted_minor, dita.difference_minor, book.has_uncounted_till) == (200, 0, False)
    assert (book.open_till("sam"), book.open_till("bo"), book.version) == (sam, None, 7)
    assert book_of(events.TillOpened(till="sam", float_minor=9)).tills["sam"].float_minor == 9


def test_a_till_that_was_closed_is_closed_for_the_night() -> None:
    book = with_tills(COUNTED, CLOSED)
    assert (book.tills["sam"].closed_with_minor, book.open_till("sam")) == (1_510, None)
    assert (book.tills["dita"].is_open, book.has_uncounted_till, with_tills().has_uncounted_till) == (True, True, True)
    assert not book_of(events.TillOpened(till="sam"), COUNTED, CLOSED).has_uncounted_till


@pytest.mark.parametrize(
    ("source", "target", "reaches"),
    [(SAM, "bank", False), ("bank", SAM, False), (DITA, "bank", True), (DITA, SAM, False), ("bank", "till:bo", False)],
)
def test_a_movement_reaches_only_tills_that_are_open(source: str, target: str, reaches: bool) -> None:
    event = events.MoneyMoved(source=source, target=target, amount_minor=5)
    assert with_tills(COUNTED, CLOSED).reaches(event) is reaches


def test_lines_that_nobody_can_read_wait_until_they_are_left_out() -> None:
    book = book_of(UNREAD, UNREAD)
    assert (book.unreadable, book.left_out, book.version) == ((2, 3), (), 3)
    after = book_of(UNREAD, UNREAD, EventLeftOut(version=2))
    assert (after.unreadable, after.left_out, after.is_closed) == ((3,), (2,), False)


def test_without_its_opening_a_book_takes_nothing_more() -> None:
    lost = fold_book(CashBook(), [(1, UNREAD), (2, EventLeftOut(version=1))])
    assert (lost.is_closed, lost.unreadable, lost.left_out) == (True, (), (1,))
    ended = book_of(UNREAD, events.CashBookClosed(), EventLeftOut(version=2))
    assert (ended.is_closed, ended.undone) == (True, ())


def test_a_book_is_read_as_it_was_written() -> None:
    book = with_tills(
        events.TillCounted(till="sam", pieces={"500": 3, "10": 1}), events.CashEntryUndone(version=2), CLOSED
    )
    assert load_book(dump_book(book)) == book
    assert book.undone == (2,)
    # Notes and coins typed in any order give the same stored text.
    other = with_tills(
        events.TillCounted(till="sam", pieces={"10": 1, "500": 3}), events.CashEntryUndone(version=2), CLOSED
    )
    assert dump_book(other) == dump_book(book)


@pytest.mark.parametrize(
    ("currency", "pieces"),
    [
        ("INR", (50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100)),
        ("ISK", (1000, 500, 200, 100, 50, 20, 10, 5, 2, 1)),
        (
            "SEK",
            (
                *(100000, 50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100),
                *(50, 20, 10, 5, 2, 1),
            ),
        ),
    ],
)
def test_a_till_is_counted_in_the_pieces_of_its_currency(currency: str, pieces: tuple[int, ...]) -> None:
    """For an unknown currency: 1, 2 and 5, up to a thousand of the currency, whether it has decimals or not."""
    assert pieces_of(currency) == pieces
