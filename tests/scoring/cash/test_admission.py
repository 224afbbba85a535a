"""What a cash book refuses: to the unit, with the seat, the field and the message that the cashier reads."""

from typing import Any, Literal

from scoring.cash import CashBook
from scoring.cash.admission import problems_with
from scoring.events import cash as events
from scoring.events.reading import Unreadable
from scoring.events.table import Event
from tests.builders.cash_books import DITA, SAM, book_of, held, refused, with_tills
from tests.builders.wording import picture, written

COUNTED = events.TillCounted(till="sam", pieces={"50000": 2})
CLOSED = events.TillClosed(till="sam")
UNREAD = Unreadable(stored_kind="future_fact", stored_schema=9, body="{}", why="unknown")


def receives(amount: int = 500, place: str = SAM) -> events.MoneyReceived:
    return events.MoneyReceived(player="asha", amount_minor=amount, place=place)


def pays_out(amount: int = 500, place: str = SAM) -> events.MoneyPaidOut:
    return events.MoneyPaidOut(player="asha", amount_minor=amount, place=place)


def moves(source: str, target: str, amount: int = 500) -> events.MoneyMoved:
    return events.MoneyMoved(source=source, target=target, amount_minor=amount)


def transfers(to: str = "bo", amount: int = 500) -> events.MoneyTransferred:
    return events.MoneyTransferred(player="asha", to=to, amount_minor=amount, reason="a friend")


def writes_off(amount: int) -> events.DebtWrittenOff:
    return events.DebtWrittenOff(player="asha", amount_minor=amount, reason="moved away")


def grants(limit: int) -> events.CreditGranted:
    return events.CreditGranted(player="asha", limit_minor=limit, reason="pays on Friday")


def books(amount: int) -> events.TillDifferenceBooked:
    return events.TillDifferenceBooked(till="sam", amount_minor=amount, reason="nobody knows")


def opens(amount: int, source: Literal["bank", "owner"] = "owner") -> events.TillOpened:
    return events.TillOpened(till="sam", float_minor=amount, source=source)


UNDONE = events.CashEntryUndone(version=4, reason="a mistake")
# A credit of more than is at stake, and what stands in the way of closing a book.
BEYOND = {"credits": {"asha": 900}, "staked": {"asha": 500}}
OPEN_ENDS = {"unsettled": ("table 3", "table 4"), "in_debt": {"asha": 700, "bo": 1}}

# Each to the unit: the most that is accepted, and one unit more with its message.
ADMITTED: list[tuple[str, CashBook, Event, dict[str, int], dict[str, Any]]] = [
    ("a receipt needs nothing but an open till", with_tills(), receives(), {}, {}),
    ("the bank takes money without a till", book_of(), receives(place="bank"), {}, {}),
    ("a till without change needs none", book_of(), events.TillOpened(till="sam"), {}, {}),
    ("change out of the bank", book_of(), opens(500, source="bank"), {"bank": 500}, {}),
    ("owners put in what they like", book_of(), opens(500), {}, {}),
    ("all of a balance", with_tills(), pays_out(), {"asha": 500, SAM: 500}, {}),
    ("balance and credit", with_tills(), pays_out(), {"asha": 200, SAM: 500}, {"credits": {"asha": 300}}),
    ("what is not at stake", with_tills(), pays_out(), {"asha": 700, SAM: 500}, {"staked": {"asha": 200}}),
    ("a friend pays", with_tills(), transfers(), {"asha": 500}, {}),
    ("all that a till holds", with_tills(), moves(SAM, "bank"), {SAM: 500}, {}),
    ("all that the bank holds", with_tills(), moves("bank", DITA), {"bank": 500}, {}),
    ("all of the levy is passed on", book_of(), moves("bank", "levy"), {"levy": 500, "bank": 500}, {}),
    ("a levy of which too much was passed on comes back", book_of(), moves("levy", "bank"), {"levy": -900}, {}),
    ("owners take out what they like", book_of(), moves("owner", "bank"), {}, {}),
    ("money back into a bank that is overdrawn", book_of(), moves("owner", "bank"), {"bank": -900}, {}),
    ("all of a debt", book_of(), writes_off(500), {"asha": -500}, {}),
    ("no credit where none was granted", book_of(), grants(0), {}, {"staked": {"asha": 500}}),
    ("credit where nothing is at stake", book_of(), grants(0), {"asha": -900}, {"credits": {"asha": 900}}),
    ("as much credit as is at stake", book_of(), grants(300), {"asha": 200}, BEYOND),
    ("as much credit as there was", book_of(), grants(100), {"asha": 200}, BEYOND | {"credits": {"asha": 100}}),
    ("a receipt is taken back, and the player owes", with_tills(), UNDONE, {SAM: 500}, {"undone": receives()}),
    ("a payment is taken back", with_tills(), UNDONE, {}, {"undone": pays_out()}),
    ("a gift that is still there is taken back", with_tills(), UNDONE, {"bo": 500}, {"undone": transfers()}),
    ("a debt stands again", with_tills(), UNDONE, {"asha": 0}, {"undone": writes_off(500)}),
    ("money goes back where it came from", with_tills(), UNDONE, {DITA: 500}, {"undone": moves(SAM, DITA)}),
    ("a till is counted", with_tills(), COUNTED, {}, {}),
    ("the most pieces", with_tills(), events.TillCounted(till="sam", pieces={"1": 100_000}), {}, {}),
    ("a till that holds more", with_tills(COUNTED), books(1), {SAM: 99_999}, {}),
    ("a till that holds less", with_tills(COUNTED), books(-1), {SAM: 100_001}, {}),
    ("a counted till is closed", with_tills(COUNTED), CLOSED, {SAM: 100_000}, {}),
    ("the night is over", with_tills(COUNTED, CLOSED), events.TillOpened(till="bo"), {}, {}),
    ("a book without tills is closed", book_of(), events.CashBookClosed(), {}, {}),
    ("an unreadable line stops nothing but the end", book_of(UNREAD), receives(place="bank"), {}, {}),
]

# The book, the event, and the balances.
BOOKS = {
    "two tills": with_tills(),
    "no till": book_of(),
    "sam closed": with_tills(COUNTED, CLOSED),
    "sam counted": with_tills(COUNTED),
    "undone before": with_tills(events.CashEntryUndone(version=4)),
    "two unreadable lines": book_of(UNREAD, UNREAD),
    "closed book": book_of(events.CashBookClosed()),
}
REFUSED: list[tuple[str, Event, dict[str, int], dict[str, Any]]] = [
    ("two tills", events.TillOpened(till="sam"), {}, {}),
    ("sam closed", events.TillOpened(till="sam"), {}, {}),
    ("no till", opens(501, source="bank"), {"bank": 500}, {}),
    ("no till", receives(), {}, {}),
    ("sam closed", receives(), {}, {}),
    ("two tills", receives(place="desk"), {}, {}),
    ("two tills", receives(place="owner"), {}, {}),
    ("no till", pays_out(), {"asha": 500, SAM: 500}, {}),
    ("two tills", pays_out(place="owner"), {"asha": 500}, {}),
    ("two tills", pays_out(501), {"asha": 500, SAM: 501}, {}),
    ("two tills", pays_out(501), {"asha": 100, SAM: 900}, {"credits": {"asha": 600}, "staked": {"asha": 200}}),
    ("two tills", pays_out(1), {"asha": -300, SAM: 900}, {}),
    ("two tills", pays_out(501), {"asha": 501, SAM: 500}, {}),
    ("two tills", pays_out(501), {}, {}),
    ("two tills", transfers("asha"), {"asha": 500}, {}),
    ("two tills", transfers(amount=501), {"asha": 500}, {}),
    ("two tills", moves(SAM, SAM), {}, {}),
    ("no till", moves(SAM, "bank"), {SAM: 500}, {}),
    ("no till", moves("bank", SAM), {"bank": 500}, {}),
    ("no till", moves("desk", "bank"), {"desk": 400}, {}),
    ("no till", moves("bank", "owner", 500), {"bank": 499}, {}),
    ("no till", moves("bank", "owner", 500), {}, {}),
    ("no till", moves("bank", "owner", 1), {}, {}),
    ("no till", moves("bank", "levy", 501), {"levy": 500, "bank": 501}, {}),
    ("no till", writes_off(501), {"asha": -500}, {}),
    ("no till", writes_off(2), {"asha": -1}, {}),
    ("no till", writes_off(1), {"asha": 0}, {}),
    ("no till", grants(299), {"asha": 200}, BEYOND),
    ("undone before", UNDONE, {}, {"undone": receives()}),
    ("two tills", UNDONE, {}, {"undone": COUNTED}),
    ("two tills", UNDONE, {}, {}),
    ("sam closed", UNDONE, {SAM: 500}, {"undone": receives()}),
    ("sam closed", UNDONE, {DITA: 500}, {"undone": moves(SAM, DITA)}),
    ("sam closed", UNDONE, {SAM: 500}, {"undone": moves(DITA, SAM)}),
    ("two tills", UNDONE, {SAM: 499}, {"undone": receives()}),
    ("two tills", UNDONE, {"bo": 499}, {"undone": transfers()}),
    ("no till", COUNTED, {}, {}),
    ("sam closed", COUNTED, {}, {}),
    ("two tills", events.TillCounted(till="sam", pieces={"500": 100_001, "1": 100_002, "2": 3}), {}, {}),
    ("two tills", events.TillCounted(till="sam", pieces={"9999999999": 100_000, "9999999998": 100_000}), {}, {}),
    ("no till", books(1), {}, {}),
    ("sam closed", books(1), {}, {}),
    ("two tills", books(1), {}, {}),
    ("sam counted", books(1), {SAM: 100_000}, {}),
    ("sam counted", books(-2), {SAM: 100_001}, {}),
    ("sam closed", CLOSED, {}, {}),
    ("no till", CLOSED, {}, {}),
    ("two tills", CLOSED, {}, {}),
    ("sam counted", CLOSED, {SAM: 100_001}, {}),
    ("sam closed", events.CashBookClosed(), {}, {}),
    ("two tills", events.CashBookClosed(), {"desk": 1}, OPEN_ENDS),
    ("two unreadable lines", events.CashBookClosed(), {}, {}),
    ("closed book", events.DebtWrittenOff(player="asha", amount_minor=5, reason=" "), {"asha": 0}, {}),
    ("no till", events.DebtWrittenOff(player="asha", amount_minor=5), {"asha": 0}, {}),
]


def test_it_is_accepted_to_the_last_unit() -> None:
    found = {name: problems_with(book, event, held(money, **more)) for name, book, event, money, more in ADMITTED}
    assert {name: problems for name, problems in found.items() if problems} == {}


def test_all_problems_with_it_are_reported_at_once(snapshot) -> None:
    answers = (
        (f"{book}, {written(money | more)}: {event}", refused(BOOKS[book], event, money, **more))
        for book, event, money, more in REFUSED
    )
    assert picture(answers) == snapshot
