"""The worked example of docs/how-to/books.md is what we write, and beancount reads from it what the page says."""

import re
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from scoring.exports import ROOTS, BookedEntry, BookedPosting, Heading, beancount_lines
from scoring.money import AccountKind
from tests.builders.export_files import held_by_beancount

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "how-to" / "books.md").read_text()
CLOCK = ZoneInfo("Asia/Kolkata")
NAMES = {"7d5c0001": "Asha", "7d5c0002": "Bo"}
TABLE = "table:9b1d"


def posting(owner: str, amount_minor: int, purpose: str) -> BookedPosting:
    kind = AccountKind.PLAYER if owner else AccountKind.CLUB_FEE
    return BookedPosting(kind=kind, owner=owner, purpose=purpose, amount_minor=amount_minor)


def entry(number: int, loss: int, *, version: int, day: int, reverses: int = 0) -> BookedEntry:
    """Asha loses to Bo; a tenth is the house's."""
    sign = -1 if reverses else 1
    reference = f"{TABLE}@17/deal:1" if number < 3 else f"{TABLE}@{version}/deal:1"
    return BookedEntry(
        id=f"000{number}",
        reference=f"{reference}~reversed@{version}" if reverses else reference,
        cause=TABLE,
        slot="deal:1",
        version=version,
        currency="INR",
        memo=""
        if reverses
        else f"30 points at {loss // 30} are {loss}\nfee 1000 basis points of {loss} is {loss // 10}",
        posted_at=datetime(2026, 11, day, 21, 30, tzinfo=CLOCK),
        postings=(
            posting("7d5c0001", -loss * sign, "charge"),
            posting("7d5c0002", loss * 9 // 10 * sign, "award"),
            posting("", loss // 10 * sign, "fee"),
        ),
        reverses=reference if reverses else "",
        reverses_id=f"000{reverses}" if reverses else "",
    )


def written() -> str:
    entries = [
        entry(1, 60_000, version=17, day=20),
        entry(2, 60_000, version=21, day=21, reverses=1),
        entry(3, 30_000, version=21, day=21),
    ]
    heading = Heading(title="Thursday club", currency="INR", last=date(2026, 11, 30))
    return "\n".join(beancount_lines(heading, (), entries, NAMES))


def block(language: str) -> str:
    [found] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_page_shows_what_we_write():
    assert block("beancount") == written() + "\n"


def test_the_page_says_what_beancount_makes_of_it():
    said = re.findall(r"^\| `([A-Z][A-Za-z0-9:-]+)` \| (-?[\d.]+) \| ([A-Z]{3}) \|", PAGE, flags=re.MULTILINE)
    assert held_by_beancount(block("beancount")) == {
        (account, currency): Decimal(amount) for account, amount, currency in said
    }


@pytest.mark.parametrize("kind", list(AccountKind))
def test_the_page_names_the_root_of_every_kind_of_account(kind: AccountKind):
    assert f"`{ROOTS[kind]}" in PAGE
