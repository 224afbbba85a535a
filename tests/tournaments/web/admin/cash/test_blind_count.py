"""A till is counted blind: no page or endpoint shows a cashier its expected content before the count is stored.

Every address of the admin and of the API is requested, in each kind of file and in three languages by turns, and
its answer is searched for the digits of the amount, however they are grouped and in whichever script. The endpoints
that refuse a cashier's lines are called as well, since a refusal has numbers in it.
"""

import io
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import unescape
from itertools import cycle
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from scoring.cash import account_at
from scoring.events import cash as events
from scoring.events import wire
from scoring.models import Account, JournalEntry
from tests.builders.admin_addresses import CLUB_PAGES, address, stocked
from tests.builders.admin_tables import NOW, Evening
from tests.builders.api_clients import Device
from tests.builders.api_operations import OPERATIONS, address_of
from tests.builders.cash_desk import CashDesk, at_the_desk
from tests.builders.page_text import refusal_of
from tests.builders.pdf_text import pages as paper_pages
from tests.builders.pdf_text import said as paper_letters
from tests.builders.playing import context, new_tournament
from tests.builders.samples import each
from tournaments.cash.commands import write_in_book
from tournaments.log.context import CommandContext
from tournaments.models import CashBook, Role
from tournaments.models.log import Event, StreamKind
from tournaments.people.permissions import EVENT_PERMISSIONS, Permission, permission_to_read
from tournaments.running.commands.record import record_in_tournament

FLOAT, TAKEN, PAID = 41_807_353, 90_126_019, 4_100_208
# The till's content: 12,78,331.64 in rupees as India writes them. No other sum of the night is equal to it.
HELD = str(FLOAT + TAKEN - PAID)
KINDS = ("", "?kind=csv", "?kind=xlsx", "?kind=beancount", "?kind=pdf")
LANGUAGES = [code for code, _ in settings.LANGUAGES]
FILES = ("_books_journal", "_books_balances", "_journal", "_statement_file", "_summary", "_report", "_payouts")


@pytest.fixture
def home(db: None) -> Evening:
    return stocked("home")


@pytest.fixture
def cora(home: Evening) -> CashDesk:
    """A cashier with a unique amount in her till; the tills of others are counted."""
    cora = at_the_desk(home.club, Role.CASHIER, "cora")
    context = CommandContext(actor=f"user:{cora.user.pk}", now=NOW)
    asha = str(home.table.seats.all()[0].player.pk)
    lines = (
        events.TillOpened(till=f"user:{cora.user.pk}", float_minor=FLOAT),
        events.MoneyReceived(player=asha, amount_minor=TAKEN, place=cora.till),
        events.MoneyPaidOut(player=asha, amount_minor=PAID, place=cora.till),
    )
    for number, line in enumerate(lines):
        write_in_book(cora.book, line, context=replace(context, key=f"line {number}"))
    assert str(cora.holds(cora.till)) == HELD
    return cora


def digits(text: str) -> str:
    """A text with every digit in ASCII, and nothing between the digits of one number."""
    plain = "".join(str(unicodedata.digit(sign)) if sign.isdecimal() else sign for sign in text)
    return re.sub(r"(?<=\d)(?:[.,_’'\s\u00a0\u202f]|&#x27;|&nbsp;)(?=\d)", "", plain)


def read(answer: Any) -> str:
    """The text of an answer, whatever kind of file it is."""
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if body.startswith(b"%PDF"):
        return "\n".join([*paper_pages(body), *paper_letters(body)])
    if body.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            return "\n".join(packed.read(name).decode("utf-8", "replace") for name in packed.namelist())
    return str(body.decode("utf-8", "replace"))


def tells(answer: Any) -> bool:
    found = digits(read(answer))
    return HELD in found or HELD[:-2] in found


def office(home: Evening, cora: CashDesk) -> Iterator[str]:
    """Every page of the admin with an address, and every kind of every file."""
    till = Account.objects.get(club=home.club.pk, owner=account_at(cora.till).owner)
    entries = JournalEntry.objects.filter(club=home.club.pk)
    yield f"/admin/scoring/account/{till.pk}/change/"
    yield from (f"/admin/scoring/journalentry/{entry.pk}/change/" for entry in entries)
    yield cora.url(cora.count_page)
    for name in CLUB_PAGES:
        if name.startswith("scoring_") and not name.endswith("_changelist"):
            continue
        url = address(name, home)
        if url is not None:
            yield from (url + kind for kind in (KINDS if name.endswith(FILES) else ("",)))
            yield f"{url}?club={home.club.pk}"


def log_pages(home: Evening) -> list[str]:
    """The page of every event of the club: what none of our pages links to is asked for as well."""
    return [
        f"/admin/tournaments/event/{pk}/change/"
        for pk in Event.objects.filter(club=home.club).values_list("pk", flat=True)
    ]


def api(home: Evening, device: Device) -> Iterator[tuple[str, Any]]:
    """Every operation that reads."""
    for name, (method, path) in OPERATIONS.items():
        if method == "get":
            url = address_of(path, home.tournament, home.table)
            yield from ((name, device.get(url + kind)) for kind in (KINDS if name.startswith("download_") else ("",)))


def telling(urls: Iterable[str], client: Client) -> tuple[list[str], set[str]]:
    """The addresses whose answers show what is in the till, and those that list all that adds up to it."""
    found, listing = [], set()
    for url, language in zip(urls, cycle(LANGUAGES), strict=False):
        client.cookies["django_language"] = language
        answer = client.get(url)
        page = digits(read(answer))
        if HELD in page or HELD[:-2] in page:
            found.append(f"{url} ({language})")
        if all(str(part) in page or str(part)[:-2] in page for part in (FLOAT, TAKEN, PAID)):
            listing.add(url.partition("?")[0])
    return found, listing


@pytest.mark.slow
def test_no_door_tells_a_cashier_what_is_in_a_till_that_nobody_has_counted(home: Evening, cora: CashDesk):
    """A cashier reads at the desk what she entered, or could undo nothing. Pages that nothing links to are asked too.

    Planted faults: `visible_clubs` by SEE_MONEY (accounts, journal), a view without `require_books` (its files); the
    page of a past cash book for the open one; bodies of cash events in the log.
    """
    past = cora.url(f"nights/{CashBook.objects.get(club=home.club).pk}/")
    assert telling((*office(home, cora), *log_pages(home), past), cora.client) == ([], {cora.url()})
    assert cora.client.get(past).status_code == 403
    for owner in (cora.user, None):
        device = Device(home.club, Role.CASHIER, owner=owner)
        assert [name for name, answer in api(home, device) if tells(answer)] == []


@pytest.mark.slow
def test_a_user_who_directs_finds_it_by_the_same_walk(home: Evening, cora: CashDesk):
    dita = at_the_desk(home.club, Role.DIRECTOR, "dita")
    wanted = ("/account/", "/books/", "/books/journal", "/books/balances", "/cash/night/")
    found, _ = telling((url for url in office(home, cora) if any(part in url for part in wanted)), dita.client)
    assert [part for part in wanted if not any(part in url for url in found)] == []
    assert any(tells(answer) for _, answer in api(home, Device(home.club, Role.DIRECTOR, owner=dita.user)))


@pytest.mark.slow
def test_no_refusal_tells_it_either(home: Evening, cora: CashDesk):
    """Planted fault: "the till holds 12,78,331.64: 99,99,999.99 are not there"."""
    asha = str(home.table.seats.all()[0].player.pk)
    too_much = 999_999_999
    book = CashBook.objects.get(club=home.club)
    device = Device(home.club, Role.CASHIER, owner=cora.user)
    # A device has a till of its own; its content is known to no one else.
    lines: tuple[dict[str, Any], ...] = (
        {"kind": "money_paid_out", "player": asha, "amount_minor": too_much, "place": cora.till},
        {"kind": "money_moved", "source": cora.till, "target": "owner", "amount_minor": too_much},
        {"kind": "till_closed", "till": cora.till.removeprefix("till:"), "target": "bank"},
        {"kind": "till_difference_booked", "till": cora.till.removeprefix("till:"), "amount_minor": 1, "reason": "?"},
        {"kind": "cash_deed_undone", "version": book.version, "reason": "?"},
        {"kind": "cash_book_closed"},
    )
    answers = [
        device.send(f"/api/v1/clubs/{home.club.pk}/cash/", {"book": str(book.pk), "expected_version": 0, "event": line})
        for line in lines
    ]
    answers.append(cora.sends(cora.player("home 1"), "pay_out", amount="9999999", status=422))
    answers.append(cora.sends("night/", "move", source=cora.till, target="owner", amount="9999999", status=422))
    assert [answer.status_code for answer in answers if answer.status_code < 400] == []
    assert [read(answer) for answer in answers if tells(answer)] == []


@pytest.mark.slow
def test_an_auditor_reads_the_books_all_night_and_the_cashier_when_it_is_counted(home: Evening, cora: CashDesk):
    books = f"/admin/tournaments/club/{home.club.pk}/books/"
    auditor = at_the_desk(home.club, Role.AUDITOR, "nia").client
    assert auditor.get(books).status_code == 200
    assert any(f'amount_minor":{TAKEN}' in unescape(read(auditor.get(page))) for page in log_pages(home))
    refused = refusal_of(cora.client.get(f"{books}journal/"), 403)
    assert "Count every till first: the books show what it should hold." in refused
    cora.counts(p50000=1)
    assert cora.client.get(f"{books}journal/").status_code == 200
    assert tells(cora.client.get(cora.url("night/")))


@pytest.mark.parametrize("role", each(Role.CASHIER, Role.SCORER, Role.CHECKIN))
def test_the_log_tells_of_money_only_who_may_see_the_books(role: Role, home: Evening, cora: CashDesk):
    """Planted faults: the body, the reason, or a digest of either, on a record page; a search in bodies."""
    client = at_the_desk(home.club, role, f"new-{role}").client
    cash = Event.objects.filter(club=home.club, stream__kind=StreamKind.CASH)
    said = {page: client.get(page) for page in log_pages(home)}
    assert {answer.status_code for answer in said.values()} == {200}
    assert [page for page, answer in said.items() if f'amount_minor":{TAKEN}' in unescape(read(answer))] == []
    for event in cash:
        page = read(said[f"/admin/tournaments/event/{event.pk}/change/"])
        assert bytes(event.hash).hex() not in page
        assert bytes(event.request_digest).hex() not in page
        assert "Only for people who may see the books." in page
    events = "/admin/tournaments/event/"
    for lookup in ("body__contains", "request_digest", "hash__gte", "note__text__contains", "note_digest"):
        assert client.get(events, {lookup: str(TAKEN)}).status_code == 400, lookup
    if role is not Role.CASHIER:
        read_by_device = api(home, Device(home.club, role))
        assert [name for name, answer in read_by_device if str(TAKEN) in read(answer)] == []


def test_every_kind_of_money_event_is_read_as_the_books_are(home: Evening):
    """Whoever adds a kind need not think of the log: its permission, or its stream, decides."""
    of_money = {kind for kind, asked in EVENT_PERMISSIONS.items() if asked is Permission.TAKE_ENTRY}
    assert {"entry_paid", "entry_refunded", "entry_terms_set"} <= of_money
    assert {permission_to_read(kind, is_cash=False) for kind in of_money} == {Permission.SEE_BOOKS}
    assert permission_to_read("anything", is_cash=True) is Permission.SEE_BOOKS
    assert permission_to_read("deal_recorded", is_cash=False) is Permission.SEE


def test_events_of_money_are_empty_for_who_may_not_see_the_books(home: Evening):
    """In the list of a tournament's events, and among those that a stale request is answered with."""
    tournament = new_tournament(home.club, entry_minor=30_000)
    at = f"/api/v1/tournaments/{tournament.pk}/events/"
    player = str(home.table.seats.all()[0].player_id)
    for event in (
        wire.PlayerEntered(player=player),
        wire.EntryTermsSet(player=player, rate="free", pots=(), reason="helps"),
    ):
        record_in_tournament(tournament.pk, event, context=context())
    stale = {"expected_version": 1, "event": {"kind": "checked_in", "player": player}}
    for role, reads_money in ((Role.CHECKIN, False), (Role.DIRECTOR, True)):
        device = Device(home.club, role)
        refused = device.send(at, stale)
        assert refused.status_code == 409, refused.json()
        for rows in (device.get(at).json()["events"], refused.json()["events"]):
            kinds = [(event["event"] or {}).get("kind") for event in rows]
            assert ("entry_terms_set" in kinds) is reads_money
            assert (None in kinds) is not reads_money
            assert all((event["event"] is None) is (event["hash"] is None) is (event["id"] is None) for event in rows)
