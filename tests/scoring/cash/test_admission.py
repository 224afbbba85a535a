"""What a cash book refuses: to the unit, with the seat, the field and the message that the cashier reads."""

from typing import Any

import pytest

from scoring.cash import CashBook
from scoring.cash.admission import problems_with
from scoring.facts import cash as facts
from scoring.facts.reading import Unreadable
from scoring.facts.table import Fact
from tests.builders.cash_books import DITA, SAM, book_of, held, refused, with_tills

COUNTED = facts.TillCounted(till="sam", pieces={"50000": 2})
CLOSED = facts.TillClosed(till="sam")
UNREAD = Unreadable(stored_kind="future_fact", stored_schema=9, body="{}", why="unknown")


def receives(amount: int = 500, place: str = SAM) -> facts.MoneyReceived:
    return facts.MoneyReceived(player="asha", amount_minor=amount, place=place)


def pays_out(amount: int = 500, place: str = SAM) -> facts.MoneyPaidOut:
    return facts.MoneyPaidOut(player="asha", amount_minor=amount, place=place)


def moves(source: str, target: str, amount: int = 500) -> facts.MoneyMoved:
    return facts.MoneyMoved(source=source, target=target, amount_minor=amount)


def transfers(to: str = "bo", amount: int = 500) -> facts.MoneyTransferred:
    return facts.MoneyTransferred(player="asha", to=to, amount_minor=amount, reason="a friend")


def writes_off(amount: int) -> facts.DebtWrittenOff:
    return facts.DebtWrittenOff(player="asha", amount_minor=amount, reason="moved away")


def grants(limit: int) -> facts.CreditGranted:
    return facts.CreditGranted(player="asha", limit_minor=limit, reason="pays on Friday")


def books(amount: int) -> facts.TillDifferenceBooked:
    return facts.TillDifferenceBooked(till="sam", amount_minor=amount, reason="nobody knows")


UNDONE = facts.CashDeedUndone(version=4, reason="a mistake")

# Each to the unit: the most that is accepted, and one unit more with its message.
ADMITTED: list[tuple[str, CashBook, Fact, dict[str, int], dict[str, Any]]] = [
    ("a receipt needs nothing but an open till", with_tills(), receives(), {}, {}),
    ("the bank takes money without a till", book_of(), receives(place="bank"), {}, {}),
    ("a till without change needs none", book_of(), facts.TillOpened(till="sam"), {}, {}),
    (
        "change out of the bank",
        book_of(),
        facts.TillOpened(till="sam", float_minor=500, source="bank"),
        {"bank": 500},
        {},
    ),
    ("owners put in what they like", book_of(), facts.TillOpened(till="sam", float_minor=500), {}, {}),
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
    (
        "as much credit as is at stake",
        book_of(),
        grants(300),
        {"asha": 200},
        {"credits": {"asha": 900}, "staked": {"asha": 500}},
    ),
    (
        "as much credit as there was, though more is at stake",
        book_of(),
        grants(100),
        {"asha": 200},
        {"credits": {"asha": 100}, "staked": {"asha": 500}},
    ),
    ("a receipt is taken back, and the player owes", with_tills(), UNDONE, {SAM: 500}, {"deed": receives()}),
    ("a payment is taken back", with_tills(), UNDONE, {}, {"deed": pays_out()}),
    ("a gift that is still there is taken back", with_tills(), UNDONE, {"bo": 500}, {"deed": transfers()}),
    ("a debt stands again", with_tills(), UNDONE, {"asha": 0}, {"deed": writes_off(500)}),
    ("money goes back where it came from", with_tills(), UNDONE, {DITA: 500}, {"deed": moves(SAM, DITA)}),
    ("a till is counted", with_tills(), COUNTED, {}, {}),
    ("the most pieces", with_tills(), facts.TillCounted(till="sam", pieces={"1": 100_000}), {}, {}),
    ("a till that holds more", with_tills(COUNTED), books(1), {SAM: 99_999}, {}),
    ("a till that holds less", with_tills(COUNTED), books(-1), {SAM: 100_001}, {}),
    ("a counted till is closed", with_tills(COUNTED), CLOSED, {SAM: 100_000}, {}),
    ("the night is over", with_tills(COUNTED, CLOSED), facts.TillOpened(till="bo"), {}, {}),
    ("a book without tills is closed", book_of(), facts.CashBookClosed(), {}, {}),
    ("an unreadable line stops nothing but the end", book_of(UNREAD), receives(place="bank"), {}, {}),
]
ALREADY = "already_done"
NO_TILL = ("no_till", None, "this till is not open: open it first")
IS_CLOSED = ("till_closed", None, "this till was counted and closed")
THROUGH_A_TILL = ("no_till", None, "players' money goes through a till or the bank")
SAM_IS_CLOSED = with_tills(COUNTED, CLOSED)


def at(field: str, told: tuple[str, str | None, str]) -> list[tuple[str, str | None, str, str]]:
    code, seat, detail = told
    return [(code, seat, field, detail)]


# The book, the fact, the balances, and all messages.
REFUSED: list[tuple[CashBook, Fact, dict[str, int], dict[str, Any], list[tuple[Any, ...]]]] = [
    (
        with_tills(),
        facts.TillOpened(till="sam"),
        {},
        {},
        [(ALREADY, None, "till", "this till is open already")],
    ),
    (
        SAM_IS_CLOSED,
        facts.TillOpened(till="sam"),
        {},
        {},
        [("till_closed", None, "till", "this till was counted and closed: open one in the next cash book")],
    ),
    (
        book_of(),
        facts.TillOpened(till="sam", float_minor=501, source="bank"),
        {"bank": 500},
        {},
        [("not_enough", None, "amount_minor", "the bank account holds 5.00: less than 5.01")],
    ),
    (book_of(), receives(), {}, {}, at("place", NO_TILL)),
    (SAM_IS_CLOSED, receives(), {}, {}, at("place", IS_CLOSED)),
    (with_tills(), receives(place="desk"), {}, {}, at("place", THROUGH_A_TILL)),
    (with_tills(), receives(place="owner"), {}, {}, at("place", THROUGH_A_TILL)),
    (book_of(), pays_out(), {"asha": 500, SAM: 500}, {}, at("place", NO_TILL)),
    (with_tills(), pays_out(place="owner"), {"asha": 500}, {}, at("place", THROUGH_A_TILL)),
    (
        with_tills(),
        pays_out(501),
        {"asha": 500, SAM: 501},
        {},
        [("not_enough", "asha", "amount_minor", "asha has 5.00, and 5.00 may be paid out")],
    ),
    (
        with_tills(),
        pays_out(501),
        {"asha": 100, SAM: 900},
        {"credits": {"asha": 600}, "staked": {"asha": 200}},
        [
            (
                "not_enough",
                "asha",
                "amount_minor",
                "asha has 1.00, 2.00 of it held for open tables, and 5.00 may be paid out",
            )
        ],
    ),
    (
        with_tills(),
        pays_out(1),
        {"asha": -300, SAM: 900},
        {},
        [("not_enough", "asha", "amount_minor", "asha has -3.00, and 0.00 may be paid out")],
    ),
    (
        with_tills(),
        pays_out(501),
        {"asha": 501, SAM: 500},
        {},
        [("not_enough", None, "amount_minor", "5.01 are not in the till: add change first")],
    ),
    (
        with_tills(),
        pays_out(501),
        {},
        {},
        [
            ("not_enough", "asha", "amount_minor", "asha has 0.00, and 0.00 may be paid out"),
            ("not_enough", None, "amount_minor", "5.01 are not in the till: add change first"),
        ],
    ),
    (
        with_tills(),
        transfers("asha"),
        {"asha": 500},
        {},
        [("same_player", "asha", "to", "asha cannot pay for themselves from the same account")],
    ),
    (
        with_tills(),
        transfers(amount=501),
        {"asha": 500},
        {},
        [("not_enough", "asha", "amount_minor", "asha has 5.00, and 5.00 may be paid out")],
    ),
    (
        with_tills(),
        moves(SAM, SAM),
        {},
        {},
        [("same_place", None, "target", "the money is there already: choose another place")],
    ),
    (book_of(), moves(SAM, "bank"), {SAM: 500}, {}, at("source", NO_TILL)),
    (book_of(), moves("bank", SAM), {"bank": 500}, {}, at("target", NO_TILL)),
    (
        book_of(),
        moves("desk", "bank"),
        {"desk": 400},
        {},
        [("not_enough", None, "amount_minor", "the till holds 4.00: less than 5.00")],
    ),
    (
        book_of(),
        moves("bank", "owner", 500),
        {"bank": 499},
        {},
        [("not_enough", None, "amount_minor", "the bank account holds 4.99: less than 5.00")],
    ),
    (
        book_of(),
        moves("bank", "owner", 500),
        {},
        {},
        [("not_enough", None, "amount_minor", "the bank account holds 0.00: less than 5.00")],
    ),
    (
        book_of(),
        moves("bank", "owner", 1),
        {},
        {},
        [("not_enough", None, "amount_minor", "the bank account holds 0.00: less than 0.01")],
    ),
    (
        book_of(),
        moves("bank", "levy", 501),
        {"levy": 500, "bank": 501},
        {},
        [("not_enough", None, "amount_minor", "the levy holds 5.00: less than 5.01")],
    ),
    (
        book_of(),
        writes_off(501),
        {"asha": -500},
        {},
        [("out_of_range", "asha", "amount_minor", "asha owes 5.00: 5.01 cannot be written off")],
    ),
    (
        book_of(),
        writes_off(2),
        {"asha": -1},
        {},
        [("out_of_range", "asha", "amount_minor", "asha owes 0.01: 0.02 cannot be written off")],
    ),
    (
        book_of(),
        writes_off(1),
        {"asha": 0},
        {},
        [("out_of_range", "asha", "amount_minor", "asha owes nothing: 0.01 cannot be written off")],
    ),
    (
        book_of(),
        grants(299),
        {"asha": 200},
        {"credits": {"asha": 900}, "staked": {"asha": 500}},
        [
            (
                "not_enough",
                "asha",
                "limit_minor",
                "asha has 5.00 held for open tables: until they are settled, 3.00 of credit are needed",
            )
        ],
    ),
    (
        with_tills(facts.CashDeedUndone(version=4)),
        UNDONE,
        {},
        {"deed": receives()},
        [(ALREADY, None, "version", "this was undone already")],
    ),
    (
        with_tills(),
        UNDONE,
        {},
        {"deed": COUNTED},
        [("not_undoable", None, "version", "entry 4 of the cash book cannot be undone")],
    ),
    (
        with_tills(),
        UNDONE,
        {},
        {},
        [("not_undoable", None, "version", "entry 4 of the cash book cannot be undone")],
    ),
    (SAM_IS_CLOSED, UNDONE, {SAM: 500}, {"deed": receives()}, at("version", IS_CLOSED)),
    (SAM_IS_CLOSED, UNDONE, {DITA: 500}, {"deed": moves(SAM, DITA)}, at("version", IS_CLOSED)),
    (SAM_IS_CLOSED, UNDONE, {SAM: 500}, {"deed": moves(DITA, SAM)}, at("version", IS_CLOSED)),
    (
        with_tills(),
        UNDONE,
        {SAM: 499},
        {"deed": receives()},
        [("not_enough", None, "amount_minor", "5.00 are not in the till: add change first")],
    ),
    (
        with_tills(),
        UNDONE,
        {"bo": 499},
        {"deed": transfers()},
        [("not_enough", "bo", "amount_minor", "bo has 4.99, and 4.99 may be paid out")],
    ),
    (book_of(), COUNTED, {}, {}, at("till", NO_TILL)),
    (SAM_IS_CLOSED, COUNTED, {}, {}, at("till", IS_CLOSED)),
    (
        with_tills(),
        facts.TillCounted(till="sam", pieces={"500": 100_001, "1": 100_002, "2": 3}),
        {},
        {},
        [
            (
                "out_of_range",
                None,
                "pieces.500",
                "500 is entered 100001 times: at most 100000 of one note or coin",
            ),
            ("out_of_range", None, "pieces.1", "1 is entered 100002 times: at most 100000 of one note or coin"),
        ],
    ),
    (
        with_tills(),
        facts.TillCounted(till="sam", pieces={"9999999999": 100_000, "9999999998": 100_000}),
        {},
        {},
        [
            (
                "out_of_range",
                None,
                "pieces",
                "pieces comes to 1999999999700000: the maximum is 1000000000000000",
            )
        ],
    ),
    (book_of(), books(1), {}, {}, at("till", NO_TILL)),
    (SAM_IS_CLOSED, books(1), {}, {}, at("till", IS_CLOSED)),
    (
        with_tills(),
        books(1),
        {},
        {},
        [("not_counted", None, "till", "count the till first to find the difference")],
    ),
    (
        with_tills(COUNTED),
        books(1),
        {SAM: 100_000},
        {},
        [(ALREADY, None, "amount_minor", "the till holds the expected amount")],
    ),
    (
        with_tills(COUNTED),
        books(-2),
        {SAM: 100_001},
        {},
        [
            (
                "counted_meanwhile",
                None,
                "amount_minor",
                "the difference is -0.01 now, not -0.02: money was taken or paid; check and try again",
            )
        ],
    ),
    (SAM_IS_CLOSED, CLOSED, {}, {}, [(ALREADY, None, "till", "this till is closed already")]),
    (book_of(), CLOSED, {}, {}, at("till", NO_TILL)),
    (with_tills(), CLOSED, {}, {}, [("not_counted", None, "till", "count the till before it is closed")]),
    (
        with_tills(COUNTED),
        CLOSED,
        {SAM: 100_001},
        {},
        [
            (
                "till_differs",
                None,
                "till",
                "1000.00 counted, 1000.01 expected: count again, or save the difference with a reason",
            )
        ],
    ),
    (
        SAM_IS_CLOSED,
        facts.CashBookClosed(),
        {},
        {},
        [("till_open", None, "till", "a till is still open: count and close every till first")],
    ),
    (
        with_tills(),
        facts.CashBookClosed(),
        {"desk": 1},
        {"unsettled": ("table 3", "table 4"), "in_debt": {"asha": 700, "bo": 1}},
        [
            ("till_open", None, "till", "2 tills are still open: count and close every till first"),
            ("desk_holds_money", None, "desk", "0.01 were taken without a till: move them to a till or the bank"),
            ("not_settled", None, "settlement", "table 3 is not settled yet: it happens by itself, please wait"),
            ("not_settled", None, "settlement", "table 4 is not settled yet: it happens by itself, please wait"),
            (
                "in_debt",
                "asha",
                "player",
                "asha owes 7.00, over the credit limit: take a payment, allow credit, or write it off",
            ),
            (
                "in_debt",
                "bo",
                "player",
                "bo owes 0.01, over the credit limit: take a payment, allow credit, or write it off",
            ),
        ],
    ),
    (
        book_of(UNREAD, UNREAD),
        facts.CashBookClosed(),
        {},
        {},
        [
            (
                "unreadable_fact",
                None,
                "version",
                f"entry {line} of the cash book cannot be read: a director must leave it out first",
            )
            for line in (2, 3)
        ],
    ),
    (
        book_of(facts.CashBookClosed()),
        facts.DebtWrittenOff(player="asha", amount_minor=5, reason=" "),
        {"asha": 0},
        {},
        [
            ("missing_field", None, "reason", "enter a reason"),
            (
                "night_closed",
                None,
                None,
                "this cash book is closed: write it in the next one, with a note",
            ),
        ],
    ),
    (
        book_of(),
        facts.DebtWrittenOff(player="asha", amount_minor=5),
        {"asha": 0},
        {},
        [
            ("missing_field", None, "reason", "enter a reason"),
            ("out_of_range", "asha", "amount_minor", "asha owes nothing: 0.05 cannot be written off"),
        ],
    ),
]


@pytest.mark.parametrize(
    ("book", "fact", "money", "more"), [each[1:] for each in ADMITTED], ids=[e[0] for e in ADMITTED]
)
def test_it_is_accepted_to_the_last_unit(
    book: CashBook, fact: Fact, money: dict[str, int], more: dict[str, Any]
) -> None:
    assert problems_with(book, fact, held(money, **more)) == []


@pytest.mark.parametrize(("book", "fact", "money", "more", "said"), REFUSED)
def test_all_problems_with_it_are_reported_at_once(
    book: CashBook, fact: Fact, money: dict[str, int], more: dict[str, Any], said: list[tuple[Any, ...]]
) -> None:
    assert refused(book, fact, money, **more) == said
