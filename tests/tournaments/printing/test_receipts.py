"""A receipt names payer, payee, amount, purpose and where the money is now."""

from dataclasses import replace
from datetime import UTC, datetime

from tests.builders.pdf_text import pages
from tournaments.printing.files import Receipt, receipt_pdf
from tournaments.rendering.pdf import PageSize

ENTRY = Receipt(
    number="2026-0017",
    club="Thursday club",
    player="Asha",
    amount_minor=30_000,
    currency="INR",
    what_for=("Entry, Friday", "Re-entry"),
    cashier="Dita",
    at=datetime(2026, 3, 14, 19, 30, tzinfo=UTC),
    place="the till of Dita",
    payer="Bo",
    fingerprint="17-3F9A",
)


def missing(receipt: Receipt, *wanted: str) -> list[str]:
    [page] = pages(receipt_pdf(receipt, PageSize.LETTER))
    return [each for each in wanted if each not in page]


def test_a_receipt_says_who_gave_whom_how_much_and_what_for():
    said = ["Receipt 2026-0017", "₹300.00", "Received from Asha Paid by Bo", "For Entry, Friday Re-entry"]
    said += ["Into the till of Dita", "When Sat 14 Mar 2026, 19:30 Cashier Dita", "Fingerprint 17-3F9A", "1 of 1"]
    assert missing(ENTRY, *said, "Given: Asha", "Received: Dita") == []


def test_money_that_goes_out_is_given_by_the_cashier():
    paid_out = replace(ENTRY, is_paid_out=True, payer="")
    assert missing(paid_out, "Paid out to Asha", "Out of the till of Dita", "Given: Dita", "Received: Asha") == []


def test_an_amount_is_written_as_the_club_writes_it():
    assert missing(replace(ENTRY, amount_minor=123_456, currency="EUR", locale="de_DE"), "1.234,56 €") == []
