"""Prints are completely in the language of the user: only names stay in English."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from syrupy.assertion import SnapshotAssertion

from tests.builders.paper import NAMES, Printed, printed_night
from tests.builders.paper_files import CODES
from tests.builders.pdf_text import pages
from tournaments.models import Club

pytestmark = pytest.mark.django_db
ENGLISH = settings.LANGUAGE_CODE
WORD = re.compile(r"[^\W\d_]{2,}")
LATIN = re.compile(r"[A-Za-z]{2,}")
AMOUNT = re.compile(r"−?₹[\d,.]+")
DAYS = re.compile(r"(?:[A-Z][a-z]{2} )?\d{1,2} [A-Z][a-z]{2,3} \d{4}(?:, \d\d:\d\d(?::\d\d)?)?")
# Words that German clubs use in English, and those written alike in both.
ALIKE = {
    *("deal", "deals", "drop", "drops", "show", "pool", "joker", "wild", "journal", "hand", "in", "pot", "pots"),
    *("rejoin", "rejoins", "side", "start"),
}
MONTHS = {"jan", "apr", "aug", "sept", "nov"}


@pytest.fixture(scope="module")
def printed_once(recorded: Callable[..., AbstractContextManager[Printed]]) -> Iterator[tuple[Club, Printed]]:
    with recorded(printed_night) as printed:
        yield printed.desk.club, printed


@pytest.fixture
def club(printed_once: tuple[Club, Printed]) -> Club:
    return deepcopy(printed_once[0])


@pytest.fixture
def printed(printed_once: tuple[Club, Printed]) -> Printed:
    return deepcopy(printed_once[1])


def file(client: Client, address: str, language: str) -> bytes:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    answer: Any = client.get(address)
    assert answer.status_code == 200, address
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


@pytest.fixture(scope="module")
def texts(printed_once: tuple[Club, Printed]) -> Callable[[str], dict[str, str]]:
    """The text of the sheets in a language; printed once in each."""
    return cache(lambda language: texts_in(printed_once[1], language))


def texts_in(printed: Printed, language: str) -> dict[str, str]:
    """The text of each sheet, without names and codes."""
    client = printed.desk.client
    said = {name: " ".join(pages(file(client, at, language))) for name, at in printed.addresses.items()}
    names = re.compile(rf"\b(?:{'|'.join(NAMES)})\b")
    return {name: CODES.sub("", names.sub("", text)) for name, text in said.items()}


def test_every_sheet_of_a_night_says_what_it_said_when_it_was_last_looked_at(
    printed_once: tuple[Club, Printed], snapshot: SnapshotAssertion
):
    """Amounts, sums, names, reasons and headings. Of days only that there are some: the desk works on that of today."""
    client, sheets = printed_once[1].desk.client, printed_once[1].addresses
    texts = {name: " / ".join(pages(file(client, address, ENGLISH))) for name, address in sheets.items()}
    assert {name: DAYS.sub("DAY", CODES.sub("CODE", text)) for name, text in texts.items()} == snapshot


def words(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(text)}


@pytest.mark.slow
def test_no_sheet_of_a_night_has_an_english_word_in_hindi(texts: Callable[[str], dict[str, str]]):
    """Planted faults: an untranslated heading, footer, and page number."""
    left = {name: found for name, text in texts("hi").items() if (found := LATIN.findall(text))}
    assert left == {}


@pytest.mark.slow
def test_no_sheet_of_a_night_has_an_english_word_in_german(texts: Callable[[str], dict[str, str]]):
    english, german = texts(ENGLISH), texts("de")
    left = {name: (words(german[name]) & words(english[name])) - ALIKE - MONTHS for name in english}
    assert {name: found for name, found in left.items() if found} == {}


@pytest.mark.slow
def test_amounts_are_the_same_in_every_language(texts: Callable[[str], dict[str, str]]):
    english, german, hindi = (
        {name: sorted(AMOUNT.findall(text)) for name, text in texts(language).items()}
        for language in (ENGLISH, "de", "hi")
    )
    assert english == german == hindi
    assert sum(map(len, english.values())) > 100


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "hi"])
def test_a_sheet_that_is_printed_again_in_a_language_is_the_same_to_the_byte(printed: Printed, language: str):
    """Printing it in another language in between changes nothing."""
    client, books = printed.desk.client, ("journal of a period", "trial balance", "statement", "money taken", "payouts")
    for name in books:
        at = printed.addresses[name]
        first, other, again = (file(client, at, each) for each in (language, ENGLISH, language))
        assert first == again, name
        assert first != other, name


def test_the_command_prints_the_journal_of_the_page_in_the_language_and_on_the_paper_that_it_is_told(
    printed: Printed, club: Club, tmp_path: Any
):
    out = tmp_path / "books.pdf"
    words = ("--format", "pdf", "--language", "de", "--paper", "letter", "--out", str(out))
    call_command("export_books", "--club", "asha", *words, verbosity=0)
    page = f"/admin/tournaments/club/{club.pk}/books/journal/?kind=pdf&paper=letter"
    assert out.read_bytes() == file(printed.desk.client, page, "de")
    assert "Buchung" in pages(out.read_bytes())[0]


def test_files_for_machines_are_english_for_everybody(printed: Printed, club: Club):
    """Planted fault: the printed names of accounts used in the files too."""
    for page in ("journal/?kind=csv", "journal/?kind=beancount", "balances/?kind=csv"):
        address = f"/admin/tournaments/club/{club.pk}/books/{page}"
        english, german = (file(printed.desk.client, address, language) for language in (ENGLISH, "de"))
        assert english == german, page
