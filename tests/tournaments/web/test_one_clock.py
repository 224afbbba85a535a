"""Every page and file of a club tells days and hours by the club's clock, in one way of writing them.

Planted faults: a list that shows a column of the database as it is stored; the history of a row in UTC; a page whose
zone ends with its first request; "2 p.m." beside 14:00.
"""

import io
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from html import unescape
from random import Random
from typing import Any

import openpyxl
import pytest
import time_machine
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.builders import pdf_text
from tests.builders.admin_addresses import CLUB_PAGES, address, stocked
from tests.builders.admin_tables import Evening, person
from tests.builders.every_address import public
from tests.builders.form_controls import links
from tests.builders.page_text import text_of
from tests.builders.seasons import caught_up
from tests.builders.there import there
from tests.builders.two_clubs import objects_of
from tournaments.models import ClubReadings, Role
from tournaments.models.log import Event

pytestmark = pytest.mark.django_db
# Half past midnight by the club's clock, on Sunday 15 March 2026: in UTC it is another day, or another hour.
HALF_PAST_MIDNIGHT = {
    "Asia/Kolkata": datetime(2026, 3, 14, 19, 0, tzinfo=UTC),
    "America/Bogota": datetime(2026, 3, 15, 5, 30, tzinfo=UTC),
}
ZONES = pytest.mark.parametrize("zone", list(HALF_PAST_MIDNIGHT))
# The moment itself, and the end of a table card twelve hours later.
HOURS = {"00:30", "00:30:00", "12:30"}
DAYS = {"15 Mar", "15 March", "2026-03-15"}
HOUR = re.compile(r"(?<![\d:.])\d{1,2}(?::\d\d)+(?![\d:])|\d{1,2}(?::\d\d)? [ap]\.m\.|\bmidnight\b|\bnoon\b")
DAY = re.compile(r"\b1[3-6] Mar(?:ch)?\b|\bMar(?:ch)? 1[3-6]\b|2026-03-1[3-6]")
SHEET = "spreadsheetml"


def a_club_in(zone: str) -> Evening:
    """A club with one of everything, all of it recorded at the same moment."""
    evening = stocked("home", now=HALF_PAST_MIDNIGHT[zone], timezone=zone)
    for row in (evening.club, evening.club.seasons.all()[0], evening.table.seats.all()[0].player):
        LogEntry.objects.create(
            user=get_user_model().objects.get(username="home-owner"),
            content_type=ContentType.objects.get_for_model(row),
            object_id=str(row.pk),
            object_repr=str(row),
            action_flag=CHANGE,
            change_message="x",
        )
    caught_up(evening.club)
    ClubReadings.objects.update(computed_at=evening.now)
    evening.club.seasons.update(starts_on=date(2026, 3, 15))
    return evening


def staff_addresses(evening: Evening) -> Iterator[str]:
    yield from filter(None, (address(name, evening) for name in CLUB_PAGES))


def cell_text(cell: Any) -> str:
    """What is shown in a cell: of a day no hour."""
    return str(cell.value.date() if cell.is_date and "h" not in cell.number_format else cell.value)


def read(client: Client, url: str) -> tuple[str, list[str]]:
    """The text of a page or a file, and where the page leads to; empty for what people do not read."""
    answer = client.get(url)
    kind = answer.get("Content-Type", "")
    body = answer.getvalue()
    if answer.status_code != 200 or kind.startswith(("image/", "application/json", "application/zip")):
        return "", []
    if kind.startswith("text/html"):
        page = body.decode()
        return text_of(answer), [each for each in links(page) if each.startswith(("/admin/tournaments/", "/c/"))]
    if kind == "application/pdf":
        return " ".join(pdf_text.pages(body)), []
    if SHEET in kind:
        sheets = openpyxl.load_workbook(io.BytesIO(body)).worksheets
        return " ".join(cell_text(cell) for sheet in sheets for row in sheet.iter_rows() for cell in row), []
    return (body.decode(), []) if kind.startswith("text/csv") else ("", [])


@pytest.mark.slow
@ZONES
def test_no_page_or_file_of_a_club_tells_another_day_or_hour(zone: str):
    with time_machine.travel(HALF_PAST_MIDNIGHT[zone], tick=False):
        home = a_club_in(zone)
        owner, anybody = Client(), Client()
        owner.force_login(person("owner", Role.OWNER, home.club))
        waiting = list(staff_addresses(home))
        found = objects_of(home.club, home.tournament, Random(1))
        waiting += [url for url in public(found) if "/api/" not in url]
        seen, wrong, told = set(waiting), [], 0
        while waiting:
            url = waiting.pop()
            text, more = read(owner if url.startswith("/admin/") else anybody, url)
            hours, days = {*HOUR.findall(text)} - HOURS, {*DAY.findall(text)} - DAYS
            wrong += [(url, *hours, *days)] if hours or days else []
            told += bool(HOUR.search(text) or DAY.search(text))
            more = [each for each in more if each not in seen]
            waiting += more
            seen.update(more)
    assert wrong == []
    assert told > 60


# The columns and fields that Django would show by itself, and what it keeps of edits.
SHOWN = (
    *("tournaments_tournament_changelist", "tournaments_player_changelist", "scoring_journalentry_changelist"),
    *("scoring_journalentry_change", "tournaments_event_changelist", "tournaments_event_change"),
    *("tournaments_apitoken_changelist", "tournaments_apitoken_change", "tournaments_club_history"),
    *("tournaments_season_history", "tournaments_table_log", "scoring_account_change"),
)


def test_lists_records_and_histories_write_a_moment_as_every_page_does():
    with time_machine.travel(HALF_PAST_MIDNIGHT["Asia/Kolkata"], tick=False):
        home = a_club_in("Asia/Kolkata")
        owner = Client()
        owner.force_login(person("owner", Role.OWNER, home.club))
        pages = {name: text_of(owner.get(there(address(name, home)))) for name in SHOWN}
    assert timezone.get_current_timezone_name() == "UTC", "the clock of a page ends with its request"
    wanted = dict.fromkeys(SHOWN, "Sun 15 Mar 2026, 00:30") | {"tournaments_table_log": "00:30:00"}
    assert [name for name in SHOWN if wanted[name] not in pages[name]] == []


def test_rows_of_several_clubs_are_each_by_the_clock_of_their_club():
    moment = HALF_PAST_MIDNIGHT["Asia/Kolkata"]
    for zone in HALF_PAST_MIDNIGHT:
        stocked(zone.rpartition("/")[2].lower(), now=moment, timezone=zone)
    site = Client()
    site.force_login(person("site", is_superuser=True))
    for name in ("tournaments_tournament", "tournaments_event", "scoring_journalentry"):
        page = text_of(site.get(reverse(f"admin:{name}_changelist")))
        assert "Sun 15 Mar 2026, 00:30" in page, name
        assert "Sat 14 Mar 2026, 14:00" in page, name


def test_today_in_a_filter_is_the_day_of_the_club():
    """At half past midnight, what happened an hour ago was yesterday."""
    moment = HALF_PAST_MIDNIGHT["Asia/Kolkata"]
    stocked("home", now=moment - timedelta(hours=1), timezone="Asia/Kolkata")
    owner = Client()
    owner.force_login(get_user_model().objects.get(username="home-owner"))
    with time_machine.travel(moment, tick=False):
        events = reverse("admin:tournaments_event_changelist")
        today = there(re.search(r'href="(\?[^"]*recorded_at__gte[^"]*)"', owner.get(events).content.decode()))[1]
        found = owner.get(events + unescape(today)).context["cl"]
    assert (found.result_count, Event.objects.count() > 0) == (0, True)
