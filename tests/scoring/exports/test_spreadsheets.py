"""The journal in a workbook: amounts are numbers, text is text, and both sides of an entry are equal."""

import io
from datetime import UTC, datetime
from decimal import Decimal

import openpyxl
import pytest

from scoring.exports import BookedEntry, BookedPosting, spreadsheets
from scoring.exports.spreadsheets import JOURNAL_HEADING, MOST_ROWS, Sheet, TooManyRows, journal_rows, write_workbook
from scoring.money import AccountKind
from tests.builders.export_files import workbook_rows

CALCULATING = ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("a")', "www.example.org", "{=A1}", "_x0041_", "12", "\x01"]


def entry(amount_minor: int, currency: str = "INR") -> BookedEntry:
    """Asha loses an amount to Bo."""
    postings = tuple(
        BookedPosting(kind=AccountKind.PLAYER, owner=owner, purpose="charge", amount_minor=amount)
        for owner, amount in (("asha", -amount_minor), ("bo", amount_minor))
    )
    return BookedEntry(
        id="1",
        reference="table:1@17/deal:1",
        cause="table:1",
        slot="deal:1",
        version=17,
        currency=currency,
        memo="=cmd()",
        posted_at=datetime(2026, 11, 20, 21, 30, tzinfo=UTC),
        postings=postings,
    )


def written(*entries: BookedEntry, names: dict[str, str] | None = None) -> bytes:
    file = io.BytesIO()
    rows = journal_rows(entries, names or {})
    write_workbook(file, [Sheet(title="Journal", heading=JOURNAL_HEADING, rows=rows)])
    return file.getvalue()


def column(file: bytes, title: str) -> list[object]:
    heading, *rows = workbook_rows(file, "Journal")
    return [row[heading.index(title)] for row in rows]


@pytest.mark.parametrize(("currency", "shown"), [("INR", 600.05), ("JPY", 60005), ("KWD", 60.005), ("CLF", 6.0005)])
def test_amounts_are_numbers_with_the_decimals_of_their_currency(currency: str, shown: float):
    file = written(entry(60_005, currency))
    assert column(file, "debit") == [shown, None]
    assert column(file, "credit") == [None, shown]
    assert column(file, "amount_minor") == [-60_005, 60_005]


@pytest.mark.parametrize("amount", [1, 10**15 - 1, 999_999_999_999_995, 123_456_789_012_345])
def test_the_largest_amounts_lose_no_unit(amount: int):
    [_, credit] = column(written(entry(amount)), "credit")
    assert round(Decimal(repr(credit)) * 100) == amount


@pytest.mark.parametrize("name", CALCULATING)
def test_a_name_stays_text_in_a_workbook(name: str):
    book = openpyxl.load_workbook(io.BytesIO(written(entry(5), names={"asha": name})))
    cell = book["Journal"].cell(row=2, column=JOURNAL_HEADING.index("name") + 1)
    assert cell.data_type in {"s", "inlineStr"}
    assert cell.hyperlink is None
    if name.isprintable() and not name.startswith("_x"):
        assert cell.value == name


def test_a_day_is_a_day():
    assert column(written(entry(5)), "date") == [datetime(2026, 11, 20)] * 2  # noqa: DTZ001 - a workbook has no zones


def test_a_sheet_that_would_be_cut_off_is_refused(monkeypatch: pytest.MonkeyPatch):
    assert MOST_ROWS == 2**20
    monkeypatch.setattr(spreadsheets, "MOST_ROWS", 4)
    with pytest.raises(TooManyRows):
        written(entry(1), entry(2))
