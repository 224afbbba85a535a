"""Statement, journal, accounts, cash book and log say in words where money moved; ids are on the pages of one record.

Planted faults: `table:b776…@2/deal:1`, `award`, `user:4`, `till:token:…`, an amount in minor units in a memo.
"""

import csv
import io
import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import JournalEntry
from tests.builders.admin_addresses import address, stocked
from tests.builders.admin_tables import NOW, Evening, person
from tests.builders.page_text import text_of
from tests.builders.there import there
from tournaments.books.commands import settle_table
from tournaments.models import CashBook, Role
from tournaments.models.log import Event
from tournaments.people.access import issue_token
from tournaments.people.players import actor_names

pytestmark = pytest.mark.django_db
# Pages of many rows, by their names.
LISTS = (
    *("scoring_journalentry_changelist", "scoring_account_changelist", "scoring_account_change"),
    *("tournaments_player_statement", "tournaments_event_changelist", "tournaments_club_cash_past"),
    *("tournaments_apitoken_changelist", "tournaments_club_books", "tournaments_tournament_money"),
)
# A login that is gone (user:0), and the example in the help of the search; a device is known by the start of its code.
FOR_MACHINES = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-|\b(?!user:[07]\b)(user|token|table|entry|till|cash):\S+|\b(?!rummy_)\w+_\w+\b|\baward\b|[{}]"
)


@pytest.fixture
def home(db: None) -> Evening:
    home = stocked("home")
    home.record({"kind": "seat_left", "seat": "2"})
    home.record({"kind": "table_closed"})
    settle_table(home.table.pk, now=NOW)
    return home


@pytest.fixture
def owner(home: Evening) -> Client:
    client = Client()
    client.force_login(person("olga", Role.OWNER, home.club, first_name="Olga"))
    return client


def shown(client: Client, name: str, home: Evening) -> str:
    """The text of a page's own part: above it is whoever is signed in."""
    return text_of(client.get(there(address(name, home)))).partition("Sign out")[2]


def test_lists_of_money_and_of_events_name_what_they_are_about_and_are_not_written_for_machines(
    home: Evening, owner: Client
):
    texts = {name: shown(owner, name, home) for name in LISTS}
    assert {name: found[0] for name, text in texts.items() if (found := FOR_MACHINES.search(text))} == {}
    book = f"Cash book {CashBook.objects.get(club=home.club).number}"
    for name, told in (
        ("scoring_journalentry_changelist", ("home night, Table 1", "Cash desk")),
        ("tournaments_event_changelist", ("home night, Table 1", book, "home-owner", "Deal recorded")),
    ):
        assert [words for words in told if words not in texts[name]] == []


def test_ids_are_on_the_page_of_an_entry_and_of_an_event(home: Evening, owner: Client):
    entry = JournalEntry.objects.filter(cause=f"table:{home.table.pk}")[0]
    page = text_of(owner.get(reverse("admin:scoring_journalentry_change", args=[entry.pk])))
    assert entry.reference in page
    assert "home night, Table 1" in page
    event = Event.objects.filter(stream=home.table.pk)[0]
    page = text_of(owner.get(reverse("admin:tournaments_event_change", args=[event.pk])))
    assert {str(home.table.pk), event.actor, event.kind} <= set(re.split(r"[ ,]", page))
    assert "home night, Table 1" in page


def test_a_device_is_called_by_its_name(home: Evening):
    user = person("ola", Role.OWNER, home.club)
    token, _ = issue_token(uuid4(), home.club, user_id=user.pk, role=Role.CASHIER, name="Tablet at check-in")
    assert actor_names({f"token:{token.pk}"}) == {f"token:{token.pk}": "Tablet at check-in"}


def test_files_have_the_tournament_the_table_and_the_cash_book_in_columns(home: Evening, owner: Client):
    """After the columns that spreadsheets count, so that none of those moves."""
    journal = read(owner, f"/admin/tournaments/club/{home.club.pk}/books/journal/?kind=csv")
    player = home.table.seats.all()[0].player
    statement = read(owner, f"/admin/tournaments/player/{player.pk}/statement/file/")
    book = str(CashBook.objects.get(club=home.club).number)
    for rows in (journal, statement):
        assert list(rows[0])[-5:] == ["tournament", "round", "table", "deal", "cash_book"]
        places = {tuple(row.values())[-5:] for row in rows}
        assert {("", "", "", "", book), ("home night", "1", "1", "", "")} <= places


def read(client: Client, url: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(client.get(url).getvalue().decode("utf-8-sig"))))
