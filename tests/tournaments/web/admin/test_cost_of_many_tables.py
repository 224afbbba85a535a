"""What pages of a large tournament cost while it is played: by what they show, not by how many tables are open."""

from collections.abc import Callable
from datetime import timedelta
from operator import gt
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from selectolax.lexbor import LexborHTMLParser

from tests.builders.admin_tables import NOW, club_called, person
from tests.builders.admin_tournaments import HEATS, Night, a_night, at, record
from tournaments.models import Club, Role, Scoresheet, Table
from tournaments.tables.commands.record import record_wire_event

pytestmark = pytest.mark.django_db

LATE = {**HEATS, "late_until_round": 3}
# The pages with what they may take, however many tables are open: queries and bytes.
PAGES: dict[str, tuple[Callable[[Night], str], int, int]] = {
    "today": (lambda night: "/admin/", 10, 60_000),
    "dashboard": (lambda night: night.url(), 14, 60_000),
    "dashboard, the part": (lambda night: night.url("night/part"), 13, 50_000),
}


def opened(club: Club, tables: int) -> Night:
    """So many tables of two, all open; as many players again have entered and are not there."""
    night = a_night(club, LATE)
    night.seat(night.enter(*(f"Player {number:03d}" for number in range(2 * tables))))
    night.enter(*(f"Guest {number:03d}" for number in range(2 * tables)), is_here=False)
    return night


def cost(client: Client, url: str) -> tuple[int, int]:
    client.get(url)
    with CaptureQueriesContext(connection) as caught:
        answer = client.get(url)
    assert answer.status_code == 200
    return len(caught), len(answer.content)


def costs(tables: int) -> dict[str, tuple[int, int]]:
    """The queries and bytes of each page, for the owner of the club."""
    club, client = club_called(f"{tables} tables", f"tables-{tables}"), Client()
    client.force_login(person(f"owner {tables}", Role.OWNER, club))
    night = opened(club, tables)
    return {page: cost(client, address(night)) for page, (address, *_) in PAGES.items()}


@pytest.mark.slow
def test_pages_cost_by_what_they_show_and_not_by_how_many_tables_are_open():
    """Planted fault: the Dashboard of 1,000 open tables named all of them, and who was not there, in 400 kB."""
    few, many = costs(70), costs(140)
    assert {page: used for page, used in many.items() if any(map(gt, used, PAGES[page][1:]))} == {}
    assert {page: queries for page, (queries, _) in many.items()} == {
        page: queries for page, (queries, _) in few.items()
    }
    assert {page: (few[page][1], size) for page, (_, size) in many.items() if size > 1.02 * few[page][1]} == {}


@pytest.fixture
def night(club: Club) -> Night:
    """Three open tables, and three players who are not there."""
    night = a_night(club, LATE)
    night.seat(night.enter(*(f"Player {number}" for number in range(6))))
    night.enter("Asha", "Bo", "Cy", is_here=False)
    return night


def told(client: Client, night: Night, what: str) -> list[str]:
    page = LexborHTMLParser(client.get(night.url()).content.decode())
    return [" ".join(each.text().split()) for each in page.css(what)]


def deal(table: Table, *, minutes: int, **more: Any) -> None:
    """A deal at a table, so many minutes after nine."""
    outcomes = {"1": {"how": "show"}, "2": {"how": "loss", "count": 9}}
    event = {"kind": "deal_recorded", "deal": 1, "outcomes": outcomes, **more}
    expected = Scoresheet.objects.get(table=table).version
    record_wire_event(table.pk, event, expected=expected, context=at(now=NOW + timedelta(minutes=minutes)))


# Today.


def test_today_reads_no_table_that_it_does_not_list(dita: Client, night: Night, monkeypatch: Any):
    """Planted fault: 1,000 open tables were read, with their sheets, of which sixty were drawn."""
    read: list[object] = []
    from_db = Scoresheet.from_db

    def counted(*args: Any) -> Scoresheet:
        read.append(args)
        return from_db(*args)

    monkeypatch.setattr("tournaments.evenings.queries.tonight.MOST_TABLES", 2)
    monkeypatch.setattr(Scoresheet, "from_db", counted)
    page = LexborHTMLParser(dita.get("/admin/").content.decode())
    assert len(read) == len(page.css(".table-title")) == 2


@pytest.mark.slow
def test_today_lists_sixty_tables_that_need_somebody_and_counts_the_others(
    dita: Client, night: Night, monkeypatch: Any
):
    Scoresheet.objects.filter(table__number__gt=1).update(is_finished=True)
    for most, tables in ((2, ["Table 2", "Table 3"]), (1, ["Table 2"])):
        monkeypatch.setattr("tournaments.evenings.queries.tonight.MOST_TABLES", 1)
        monkeypatch.setattr("tournaments.evenings.queries.tonight.MOST_IN_NEED", most)
        page = LexborHTMLParser(dita.get("/admin/").content.decode())
        assert [each.text() for each in page.css(".table-title")] == tables
        assert f"{3 - most} more table" in page.text()


# The Dashboard.


@pytest.mark.slow
def test_of_many_open_tables_those_that_wait_longest_are_listed(dita: Client, night: Night, monkeypatch: Any):
    """Planted fault: a list that ended without a word where there was no room for more."""
    for table, minutes in zip(night.tournament.tables.order_by("number"), (30, 10, 20), strict=True):
        deal(table, minutes=minutes)
    tables, players = ".waiting .table-title, .waiting + p a", "#people ~ dl dd:first-of-type"
    assert told(dita, night, tables) == ["Table 1", "Table 2", "Table 3"]
    assert told(dita, night, players) == ["Asha, Bo, Cy"]
    monkeypatch.setattr("tournaments.evenings.queries.night.MOST_LISTED", 2)
    assert told(dita, night, tables) == ["Table 2", "Table 3", "1 more table"]
    assert told(dita, night, players) == ["Asha, Bo and 1 more player"]


@pytest.mark.slow
def test_a_table_that_was_read_before_is_read_again_after_another_deal(dita: Client, night: Night):
    """Planted fault: tables that were remembered by what their row shows, without when it was written."""
    first = night.tournament.tables.get(number=1)
    deal(first, minutes=10)
    waits = f"[data-key='{first.pk}'] .wait b"
    before = told(dita, night, waits)
    record(first, {"kind": "deal_voided", "deal": 1, "reason": "dealt wrong"})
    deal(first, minutes=40, deal=2)
    assert told(dita, night, waits) != before


@pytest.mark.slow
def test_tables_that_have_not_changed_are_not_read_again(dita: Client, night: Night):
    """Planted fault: a log asked for the last deals of all open tables every three seconds."""

    def asked() -> list[str]:
        with CaptureQueriesContext(connection) as caught:
            dita.get(night.url("night/part"))
        return [each["sql"] for each in caught if "still_in" in each["sql"]]

    assert len(asked()) == 1
    assert asked() == []
    table = night.tournament.tables.get(number=2)
    deal(table, minutes=5)
    (question,) = asked()
    read = [one.number for one in night.tournament.tables.all() if one.pk.hex in question.replace("-", "").lower()]
    assert read == [2]
