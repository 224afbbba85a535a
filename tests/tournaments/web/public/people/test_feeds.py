"""Feeds of results, calendars of tournaments, boards for spreadsheets: complete, published only, and inert."""

import html
from datetime import timedelta
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.http import http_date
from django.utils.timezone import now
from icalendar import Calendar
from openpyxl import load_workbook
from selectolax.lexbor import LexborHTMLParser

from tests.builders.odd_names import NAMES
from tests.builders.playing import rename
from tests.builders.public_tables import a_club, a_tournament, address, context, seat
from tests.builders.there import there
from tournaments.models import Club, Tournament
from tournaments.running.commands.close import close_tournament

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
NASTY = '</title><script>alert(2)</script>\r\nBEGIN:VEVENT;X=1,"&amp;'


def played(club: Club, name: str = "Friday") -> Tournament:
    """A tournament that Asha won."""
    tournament = a_tournament(club, "points", name=name)
    seat(tournament, "Asha", "Bo").deal("show", 34).event(kind="table_closed")
    return tournament


def feed(client: Client, club: Club) -> ElementTree.Element:
    return ElementTree.fromstring(client.get(f"/c/{club.slug}/results.atom").content)  # noqa: S314 - our own answer


def calendar(client: Client, club: Club) -> list[Any]:
    found = Calendar.from_ical(client.get(f"/c/{club.slug}/tournaments.ics").content)
    return list(found.walk("VEVENT"))


def test_a_result_is_an_entry_that_names_the_winner_in_a_feed_that_its_pages_name(client: Client):
    tournament = played(a_club())
    for page in (address(tournament), reverse("pages:club", args=[tournament.club.slug])):
        links = LexborHTMLParser(client.get(page).content).css('link[type="application/atom+xml"]')
        assert [link.attributes["href"] for link in links] == [f"/c/{tournament.club.slug}/results.atom"]
    [entry] = feed(client, tournament.club).findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == "Friday"
    assert entry.findtext(f"{ATOM}id") == f"urn:uuid:{tournament.id}"
    assert there(entry.find(f"{ATOM}link")).get("href") == f"http://testserver{address(tournament)}"
    assert "First: " in there(entry.findtext(f"{ATOM}summary"))
    assert "Asha" in there(entry.findtext(f"{ATOM}summary"))
    assert "2 players at 1 table." in there(entry.findtext(f"{ATOM}summary"))


def test_a_correction_makes_an_entry_newer(client: Client):
    club = a_club()
    tournament = a_tournament(club, "points")
    table = seat(tournament, "Asha", "Bo").deal("show", 34).event(kind="table_closed")
    before = feed(client, club).findtext(f"{ATOM}entry/{ATOM}updated")
    Tournament.objects.update(created_at=now() - timedelta(days=2))
    table.row.scoresheet.__class__.objects.update(last_recorded_at=now() + timedelta(hours=1))
    assert there(feed(client, club).findtext(f"{ATOM}entry/{ATOM}updated")) > there(before)


def test_a_tournament_stands_in_the_calendar_from_its_start_to_its_close(client: Client):
    club = a_club()
    club.venue = "Village hall, 2 High Street"
    club.save()
    coming = a_tournament(club, name="Next", starts_at=now() + timedelta(days=3))
    over = played(club)
    over.starts_at -= timedelta(hours=3)
    over.save()
    close_tournament(over.id, context=context())
    first, second = calendar(client, club)
    assert (str(first["summary"]), first.decoded("dtstart")) == ("Next", coming.starts_at.replace(microsecond=0))
    assert "dtend" not in first
    assert str(first["location"]) == "Village hall, 2 High Street"
    assert str(first["url"]) == f"http://testserver{address(coming)}"
    assert second.decoded("dtend") > second.decoded("dtstart")
    assert str(second["uid"]) == f"{over.id}@rummy-evening"


def test_what_is_not_published_is_in_no_feed_and_an_unpublished_club_has_none(client: Client):
    club = a_club()
    Tournament.objects.filter(pk=played(club, "Secret").pk).update(is_published=False)
    feeds = ("results.atom", "tournaments.ics")
    assert not any("Secret" in client.get(f"/c/{club.slug}/{part}").content.decode() for part in feeds)
    Club.objects.update(is_published=False)
    addresses = [f"/c/{slug}/{part}" for slug in (club.slug, "no-such-club") for part in feeds]
    assert {client.get(path).status_code for path in addresses} == {404}


def test_a_renamed_winner_is_not_kept_by_a_reader_that_asks_for_the_time(client: Client):
    """Planted fault: the framework's own Last-Modified, which depends on events and not on names."""
    tournament = played(a_club())
    rename("Asha", "Ashalata")
    since = http_date((now() + timedelta(days=1)).timestamp())
    answer = client.get(f"/c/{tournament.club.slug}/results.atom", headers={"If-Modified-Since": since})
    assert "Ashalata" in answer.content.decode()


def test_a_name_is_a_name_in_a_feed_and_in_a_calendar(client: Client):
    """Planted faults: a summary that is not escaped, a line of the calendar that is built by hand."""
    club = a_club(name="<b>Club</b>")
    for name in (*NAMES, NASTY):
        tournament = a_tournament(club, "points")
        Tournament.objects.filter(pk=tournament.pk).update(name=name[:200])
        seat(tournament, name[:200], "Bo").deal("show", 34).event(kind="table_closed")
    entries = feed(client, club).findall(f"{ATOM}entry")
    wanted = sorted(" ".join(name.split()) for name in (*NAMES, NASTY))
    assert sorted(entry.findtext(f"{ATOM}title") or "" for entry in entries) == wanted
    assert sorted(str(event["summary"]) for event in calendar(client, club)) == wanted
    for entry in entries:
        summary = there(entry.findtext(f"{ATOM}summary"))
        assert "<" not in summary
        assert there(entry.findtext(f"{ATOM}title")) in html.unescape(summary)


def test_a_board_is_a_workbook_with_text_as_text_and_amounts_as_numbers(client: Client):
    tournament = a_tournament(a_club())
    seat(tournament, *NAMES).deal("show", *[80] * 9).deal("show", *[80] * 9)
    answer = client.get(address(tournament, "board.xlsx"))
    assert answer["Content-Disposition"] == f'attachment; filename="{tournament.slug}.xlsx"'
    page = load_workbook(BytesIO(answer.content)).active
    heading, *rows = [[cell.value for cell in row] for row in page.iter_rows()]
    assert [heading[0], *heading[-8:-3]] == ["place", "payout", "currency", "stage", "score", "decided"]
    assert heading[-3:] == ["prize", "net", "has_left"]
    assert {row[2] for row in rows} == set(NAMES)
    assert {cell.data_type for row in page.iter_rows() for cell in row} <= {"s", "n"}
    winner = dict(zip(heading, rows[0], strict=True))
    assert (winner["payout"], winner["currency"]) == (2700, "INR")
