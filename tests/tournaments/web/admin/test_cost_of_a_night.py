"""What a director's pages of a large night cost: by what they show, not by who plays or how many tables are open."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from operator import gt
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from selectolax.lexbor import LexborHTMLParser

from tests.builders.admin_tables import NOW, club_called, person
from tests.builders.admin_tournaments import HEATS, Night, a_night, at, play_out, record
from tests.builders.playing import rename
from tests.builders.there import there
from tournaments.models import Club, Role, Scoresheet, Table, Tournament
from tournaments.tables.commands.record import record_wire_event

pytestmark = pytest.mark.django_db

TWO_ROUNDS = {"stages": [{**HEATS["stages"][0], "rounds": 2}, HEATS["stages"][1]]}
# The pages with their limits: queries and bytes, of a night of 80 players at 80 tables.
PAGES: dict[str, tuple[Callable[[Night], str], int, int]] = {
    # One of them for receivers of messages that were switched off, one for what players said by their links, one for
    # an owner alone: what the checks of the site found.
    "today": (lambda night: "/admin/", 13, 60_000),
    # Balances, and what was paid out since: the books of the cash desk and their events.
    "money": (lambda night: night.url("money"), 23, 80_000),
    "cards": (lambda night: night.url("cards"), 10, 30_000),
    "setup": (lambda night: night.url("change"), 8, 60_000),
    "dashboard": (lambda night: night.url(), 14, 60_000),
    "dashboard, the part": (lambda night: night.url("night/part"), 13, 50_000),
    "explanation": (lambda night: _of_player(night, "t/{slug}/who"), 6, 30_000),
    "player": (lambda night: _of_player(night, "p"), 3, 30_000),
}


def _of_player(night: Night, page: str) -> str:
    player = there(night.tournament.standings.order_by("pk").first()).player_id
    return f"/en-gb/c/{night.tournament.club.slug}/{page.format(slug=night.tournament.slug)}/{player}/"


def played(club: Club, players: int) -> Night:
    """One round is over, and all players sit in the next one, at tables of two."""
    night = a_night(club, TWO_ROUNDS, is_published=True)
    night.enter(*(f"Player {number:03d}" for number in range(players)))
    night.play_round()
    night.seat()
    return night


def being_played(club: Club, tables: int, *absent: str) -> Night:
    """So many tables of two, all open; others have entered and are not there."""
    night = a_night(club, {**HEATS, "late_until_round": 3}, is_published=True)
    night.seat(night.enter(*(f"Player {number:03d}" for number in range(2 * tables))))
    night.enter(*absent, is_here=False)
    return night


def costs(night: Night, pages: Iterable[str] = PAGES) -> dict[str, tuple[int, int]]:
    """The queries and bytes of each page, for an owner of the club."""
    client, found = Client(), {}
    client.force_login(person(f"owner of {night.tournament.club.slug}", Role.OWNER, night.tournament.club))
    for page in pages:
        url = PAGES[page][0](night)
        client.get(url)
        with CaptureQueriesContext(connection) as caught:
            answer = client.get(url)
        assert answer.status_code == 200
        found[page] = (len(caught), len(answer.content))
    return found


@pytest.fixture
def night(club: Club) -> Night:
    """Three tables are over, three are played."""
    return played(club, 6)


@pytest.fixture
def open_night(club: Club) -> Night:
    """Three open tables, and three players who are not there."""
    return being_played(club, 3, "Asha", "Bo", "Cy")


def told(page: LexborHTMLParser, what: str) -> list[str]:
    return [" ".join(each.text().split()) for each in page.css(what)]


def opened(client: Client, url: str) -> LexborHTMLParser:
    return LexborHTMLParser(client.get(url).content.decode())


@pytest.mark.slow
def test_pages_of_a_night_cost_by_what_they_show_and_not_by_who_plays_or_what_is_open():
    """Planted fault: the Dashboard of 1,000 open tables named all of them, and who was not there, in 400 kB."""
    few, many = (costs(played(club_called(f"{n}", f"for-{n}"), n)) for n in (40, 80))
    nights = (
        being_played(club_called(f"{n}", f"at-{n}"), n, *(f"Guest {g:03d}" for g in range(2 * n))) for n in (70, 140)
    )
    fewer, more = (costs(night, ("today", "dashboard", "dashboard, the part")) for night in nights)
    for small, large in ((few, many), (fewer, more)):
        assert {page: used for page, used in large.items() if any(map(gt, used, PAGES[page][1:]))} == {}
        assert {page: queries for page, (queries, _) in large.items()} == {
            page: queries for page, (queries, _) in small.items()
        }
    assert {page: (fewer[page][1], size) for page, (_, size) in more.items() if size > 1.02 * fewer[page][1]} == {}


# Of many tables Today lists those that are open or in trouble.


def listed(client: Client) -> list[str]:
    """The tables on Today, and the note below them."""
    page = LexborHTMLParser(client.get("/admin/").content.decode())
    return [" ".join(each.text().split()) for each in page.css(".table-title, details > p > a:not(.tool)")]


@pytest.mark.slow
def test_today_lists_of_many_tables_those_that_need_somebody_or_are_open_and_counts_the_others(
    dita: Client, night: Night, monkeypatch: Any
):
    """Planted faults: a night of 200 over seven rounds listed 506 tables in 194 kB, all of them over; "6 more tables"
    below an empty list."""

    def limit(**most: int) -> None:
        for name, number in most.items():
            monkeypatch.setattr(f"tournaments.running.queries.today.{name}", number)

    assert listed(dita) == ["Table 1", "Table 2", "Table 3"] * 2
    limit(MOST_TABLES=5)
    assert listed(dita) == ["Table 1", "Table 2", "Table 3", "3 more tables"]
    page = dita.get("/admin/").content.decode()
    assert "6 tables, 3 open" in " ".join(LexborHTMLParser(page).text().split())
    more = f"/admin/tournaments/table/?tournament__id__exact={night.tournament.pk}"
    assert more in page
    assert "6 tables" in " ".join(dita.get(more).content.decode().split())
    for table in night.tournament.tables.filter(round=2, number__gt=1):
        play_out(table)
    for room, shown in (
        (3, ["Table 1", "Table 2", "Table 3"]),
        (2, ["Table 2", "Table 3"]),
        (1, ["Table 2", "Table 3"]),
    ):
        limit(MOST_TABLES=room)
        assert [each for each in listed(dita) if "more" not in each] == shown
    limit(MOST_IN_NEED=1)
    assert listed(dita) == ["Table 2", "5 more tables"]
    limit(MOST_TABLES=5)
    Scoresheet.objects.update(is_finished=True, is_closed=True)
    assert listed(dita) == ["Show all 6 tables"]


def test_today_reads_no_table_that_it_does_not_list(dita: Client, open_night: Night, monkeypatch: Any):
    """Planted fault: 1,000 open tables were read, with their sheets, of which sixty were drawn."""
    read: list[object] = []
    from_db = Scoresheet.from_db

    def counted(*args: Any) -> Scoresheet:
        read.append(args)
        return from_db(*args)

    monkeypatch.setattr("tournaments.running.queries.today.MOST_TABLES", 2)
    monkeypatch.setattr(Scoresheet, "from_db", counted)
    page = LexborHTMLParser(dita.get("/admin/").content.decode())
    assert len(read) == len(page.css(".table-title")) == 2


@pytest.mark.slow
def test_setup_lists_of_many_tables_those_that_are_open_and_the_latest(dita: Client, night: Night, monkeypatch: Any):
    """Planted fault: the page of a night of 200 over seven rounds drew its 506 tables, in 163 kB."""

    def listed_there() -> tuple[list[str], bool]:
        page = opened(dita, night.url("change"))
        return told(page, ".table-card .table-title"), "more table" in there(page.body).text()

    assert listed_there() == (["Table 1", "Table 2", "Table 3"] * 2, False)
    night.tournament.tables.filter(round=2, number=3).update(name="Window")
    open_ones = ["Table 1", "Table 2", "Window"]
    for room, shown in ((4, ["Table 1", *open_ones]), (3, open_ones)):
        monkeypatch.setattr("tournaments.web.admin.register.tournaments.MOST_TABLES", room)
        assert listed_there() == (shown, True)
    Scoresheet.objects.filter(table__round=2).update(is_closed=True)
    assert listed_there() == (open_ones, True)
    Scoresheet.objects.filter(table__round=1, table__number=2).update(is_closed=False)
    assert listed_there() == (["Table 2", "Table 1", "Table 2"], True)


@pytest.mark.slow
def test_table_cards_of_a_large_night_are_listed_in_pages_and_made_for_all(
    dita: Client, night: Night, monkeypatch: Any
):
    """Planted fault: 1,000 open tables were listed in 174 kB, after a read of each one's state."""
    listed_tables = "[aria-labelledby=make] li bdi"

    def page(asked: str = "") -> LexborHTMLParser:
        return opened(dita, f"{night.url('cards')}{asked}")

    assert (told(page(), listed_tables), told(page(), ".pager")) == (["Table 1", "Table 2", "Table 3"], [])
    monkeypatch.setattr("tournaments.web.admin.tournament.paper_pages.MOST_TABLES", 2)
    first = page()
    assert told(first, listed_tables) == ["Table 1", "Table 2"]
    assert told(first, "button.is-main") == ["Create cards"]
    assert [each.attributes["href"] for each in first.css(".pager a")] == ["?tables=2#make"]
    assert told(page("?tables=2"), listed_tables) == ["Table 3"]
    dita.post(f"{night.url('cards')}?tables=2", {"key": str(uuid4())})
    assert ["1 valid card" in line for line in told(page(), "[aria-labelledby=make] li")] == [True, True]


TABLES, STATEMENTS = "#content tbody th bdi", ".columns bdi"


def money(client: Client, night: Night, asked: str = "") -> LexborHTMLParser:
    return opened(client, f"{night.url('money')}{asked}")


@pytest.mark.slow
def test_the_money_of_a_large_night_is_in_pages_that_lead_to_each_other(dita: Client, night: Night, monkeypatch: Any):
    """Planted faults: a night of 200 over seven rounds sent its 506 tables and all statements in 268 kB; a list of
    statements cached by its players alone."""
    whole = money(dita, night)
    assert told(whole, TABLES) == ["Table 1", "Table 2", "Table 3"] * 2
    assert (len(told(whole, STATEMENTS)), told(whole, ".pager, [role=search]")) == (6, [])
    monkeypatch.setattr("tournaments.web.admin.books.TABLES_A_PAGE", 4)
    monkeypatch.setattr("tournaments.web.admin.books.PLAYERS_A_PAGE", 4)
    first = money(dita, night)
    assert told(first, TABLES) == ["Table 1", "Table 2", "Table 3", "Table 1"]
    assert told(first, STATEMENTS) == [f"Player {number:03d}" for number in range(4)]
    follow = [each.attributes["href"] for each in first.css(".pager a")]
    assert follow == ["?tables=2#settlement", "?players=2#statements"]
    assert told(money(dita, night, "?tables=2"), TABLES) == ["Table 2", "Table 3"]
    assert told(money(dita, night, "?players=2"), STATEMENTS) == ["Player 004", "Player 005"]
    for nowhere in ("9", "0", "-1", "x", ""):
        assert told(money(dita, night, f"?tables={nowhere}"), TABLES) != []
    rename("Player 003", "Bo")
    assert told(money(dita, night), STATEMENTS)[0] == "Bo"


@pytest.mark.slow
def test_a_player_of_a_large_night_is_found_by_a_part_of_the_name(dita: Client, night: Night, monkeypatch: Any):
    monkeypatch.setattr("tournaments.web.admin.books.PLAYERS_A_PAGE", 4)
    page = money(dita, night, "?q=PLAYER+003")
    assert told(page, STATEMENTS) == ["Player 003"]
    assert there(page.css_first("#q")).attributes["value"] == "PLAYER 003"
    assert "No player found" in there(money(dita, night, "?q=Nobody").body).text()
    pages = money(dita, night, "?q=player&players=2").css(".pager a")
    assert [each.attributes["href"] for each in pages] == ["?players=1&q=player#statements"]


@pytest.mark.slow
def test_tables_whose_money_waits_come_first(dita: Client, night: Night):
    """Planted fault: by round and number alone the failed one was on the eleventh page."""
    last = night.tournament.tables.get(round=2, number=3)
    Scoresheet.objects.filter(table=last).update(settle_problem='"no"')
    assert told(money(dita, night), TABLES)[0] == "Table 3"
    assert [("failed" in row) for row in told(money(dita, night), "#content tbody tr:has(bdi)")][:2] == [True, False]


@pytest.mark.slow
def test_a_line_of_the_list_follows_everything_that_it_shows(dita: Client, night: Night):
    """Planted faults: a line cached by its table alone, or in the language of the first reader."""
    sheet = Scoresheet.objects.get(table__round=1, table__number=1)
    club, seen = night.tournament.club, []

    def line() -> str:
        (shown,) = [row for row in told(money(dita, night), "#content tbody tr") if str(sheet.table.called) in row]
        return shown

    def change(**columns: Any) -> None:
        Scoresheet.objects.filter(pk=sheet.pk).update(**columns)

    changes: list[Callable[[], object]] = [
        lambda: change(due_version=5, settled_version=5),
        lambda: change(settled_at=datetime(2026, 1, 17, 20, 0, tzinfo=UTC)),
        lambda: Club.objects.filter(pk=club.pk).update(timezone="Europe/Berlin"),
        lambda: change(is_closed=False),
        lambda: change(is_cancelled=True),
        lambda: change(settle_problem='"no"'),
        lambda: change(has_conflict=True),
    ]
    sheet.table.name = "Window"
    sheet.table.save()
    for deed in changes:
        deed()
        seen.append(line())
    assert len(set(seen)) == len(seen)
    assert "17 Jan 21:00" in seen[2]
    dita.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    change(settle_problem="", has_conflict=False)
    assert "Runde 1" in line()
    sheet.table.name = "Door"
    sheet.table.save()
    assert "Door" in line()


# The Dashboard.


@pytest.mark.slow
def test_the_dashboard_lists_the_latest_tables_that_are_over_by_name_and_in_the_language(
    dita: Client, night: Night, monkeypatch: Any
):
    """Planted faults: links cached by the tables they lead to; 500 links to score sheets, drawn again with each deal,
    were half of what the page cost."""

    def over() -> list[str]:
        return told(opened(dita, night.url()), "[data-keep-open=over] a")

    assert over() == ["Table 1", "Table 2", "Table 3"]
    night.tournament.tables.filter(round=1, number=2).update(name="Window")
    assert over() == ["Table 1", "Window", "Table 3"]
    monkeypatch.setattr("tournaments.running.queries.dashboard.MOST_LISTED", 2)
    assert over() == ["Window", "Table 3", "1 more table"]
    dita.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    assert over()[:2] == ["Window", "Tisch 3"]


@pytest.mark.slow
def test_the_dashboard_says_what_prizes_there_are_after_each_deal(dita: Client, club: Club):
    """Planted fault: an order cached by the tournament alone stayed after the deal that changed it."""
    night = a_night(club, {"stages": [{"smallest_table": 2}], "prizes_bp": [10_000]}, entry_minor=10_000)
    night.enter("Asha", "Bo")
    (table,) = night.seat()
    show, lost = {"how": "show"}, {"how": "loss", "count": 40}
    firsts = []
    for deal, outcomes in ((1, {"1": lost, "2": show}), (2, {"1": show, "2": {"how": "loss", "count": 80}})):
        record(table, {"kind": "deal_recorded", "deal": deal, "outcomes": outcomes})
        page = opened(dita, night.url())
        firsts += [name for name in ("Asha", "Bo") if name in told(page, "[data-keep-open=prizes]")[0]]
    assert firsts == ["Bo", "Asha"]

    def prizes() -> str:
        return told(opened(dita, night.url()), "[data-keep-open=prizes]")[0]

    assert "₹200.00" in prizes()
    Tournament.objects.filter(pk=night.tournament.pk).update(fee_bp=1_000)
    assert "₹180.00" in prizes()
    Tournament.objects.filter(pk=night.tournament.pk).update(entry_minor=20_000)
    assert "₹360.00" in prizes()
    rename("Asha", "Usha")
    assert "Usha" in prizes()


def deal(table: Table, *, minutes: int, **more: Any) -> None:
    """A deal at a table, so many minutes after nine."""
    outcomes = {"1": {"how": "show"}, "2": {"how": "loss", "count": 9}}
    event = {"kind": "deal_recorded", "deal": 1, "outcomes": outcomes, **more}
    expected = Scoresheet.objects.get(table=table).version
    record_wire_event(table.pk, event, expected=expected, context=at(now=NOW + timedelta(minutes=minutes)))


@pytest.mark.slow
def test_of_many_open_tables_those_that_wait_longest_are_listed(dita: Client, open_night: Night, monkeypatch: Any):
    """Planted fault: a list that ended without a word where there was no room for more."""
    for table, minutes in zip(open_night.tournament.tables.order_by("number"), (30, 10, 20), strict=True):
        deal(table, minutes=minutes)
    tables, players = ".waiting .table-title, .waiting + p a", "#people ~ dl dd:first-of-type"
    assert told(opened(dita, open_night.url()), tables) == ["Table 1", "Table 2", "Table 3"]
    assert told(opened(dita, open_night.url()), players) == ["Asha, Bo, Cy"]
    monkeypatch.setattr("tournaments.running.queries.dashboard.MOST_LISTED", 2)
    assert told(opened(dita, open_night.url()), tables) == ["Table 2", "Table 3", "1 more table"]
    assert told(opened(dita, open_night.url()), players) == ["Asha, Bo and 1 more player"]


@pytest.mark.slow
def test_a_table_that_was_read_before_is_read_again_after_another_deal(dita: Client, open_night: Night):
    """Planted fault: tables that were remembered by what their row shows, without when it was written."""
    first = open_night.tournament.tables.get(number=1)
    deal(first, minutes=10)
    waits = f"[data-key='{first.pk}'] .wait b"
    before = told(opened(dita, open_night.url()), waits)
    record(first, {"kind": "deal_voided", "deal": 1, "reason": "dealt wrong"})
    deal(first, minutes=40, deal=2)
    assert told(opened(dita, open_night.url()), waits) != before


@pytest.mark.slow
def test_tables_that_have_not_changed_are_not_read_again(dita: Client, open_night: Night):
    """Planted fault: a log asked for the last deals of all open tables every three seconds."""

    def asked() -> list[str]:
        with CaptureQueriesContext(connection) as caught:
            dita.get(open_night.url("night/part"))
        return [each["sql"] for each in caught if "still_in" in each["sql"]]

    assert len(asked()) == 1
    assert asked() == []
    table = open_night.tournament.tables.get(number=2)
    deal(table, minutes=5)
    (question,) = asked()
    read = [one.number for one in open_night.tournament.tables.all() if one.pk.hex in question.replace("-", "").lower()]
    assert read == [2]
