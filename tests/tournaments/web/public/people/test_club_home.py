"""A club's own page: live places that follow the tables, next tournaments with entries, results, about the club."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now
from selectolax.lexbor import LexborHTMLParser

from scoring.events import wire
from tests.builders.admin_tables import person
from tests.builders.admin_tournaments import HEATS, TIMED, a_night
from tests.builders.flat import flat
from tests.builders.page_forms import edit
from tests.builders.playing import context, rename
from tests.builders.public_tables import Seated, a_club, a_tournament, address, seat
from tournaments.models import Club, Role
from tournaments.people.players import add_players
from tournaments.running.commands.close import close_tournament

pytestmark = pytest.mark.django_db


def said(client: Client, path: str = "/c/circle/") -> str:
    """The text that a visitor reads, on one line."""
    text = client.get(path).content.decode()
    main = text.partition("<main")[2].partition("</main>")[0] or text
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", main)).split())


def part_of(page: str) -> str:
    """The live part of the page, as the page contains it."""
    page = flat(page)
    return page[page.index('<div id="running-part"') : page.index("</div>", page.index('id="running"')) + len("</div>")]


def test_the_first_five_of_what_runs_are_reported_with_their_numbers(client: Client, club: Club):
    tournament = a_tournament(club)
    seat(tournament, "Asha", "Bo", "Cy").deal("show", 34, 12)
    seat(tournament, "Dev", "Eve", "Fay").deal("show", 50, 60)
    assert "=1 Asha 0 =1 Dev 0 3 Cy 12 4 Bo 34 5 Eve 50 0 of 2 tables finished · 6 players" in said(client)


def test_names_of_a_card_lead_to_where_one_follows_the_player(client: Client, club: Club):
    """Planted fault: names that are text, and no key by which the script finds the row of a followed player."""
    closed = a_tournament(club, name="Last week")
    seat(closed, "Eve", "Fay").deal("show", 80).deal("show", 80).event(kind="table_closed")
    close_tournament(closed.pk, context=context())
    seat(a_tournament(club), "Asha", "Bo").deal("show", 34)
    page = LexborHTMLParser(client.get("/c/circle/").content.decode())
    assert page.css_first("[data-followed]") is not None
    rows = {row.css(".front-name")[0].text(strip=True): row for row in page.css(".card .front li")}
    assert rows.keys() == {"Asha", "Bo", "Eve", "Fay"}
    for name, row in rows.items():
        key, link = row.attributes["data-key"] or "", row.css("a")[0].attributes["href"] or ""
        shown = LexborHTMLParser(client.get(link, follow=True).content.decode())
        assert shown.css("h1")[0].text(strip=True) == name
        assert shown.css("[data-follow]")[0].attributes["data-follow"] == key[:8]


@pytest.mark.slow
def test_the_part_is_what_the_page_holds_and_follows_the_tables(
    client: Client, club: Club, table: Seated, django_assert_max_num_queries: Any
):
    """Planted fault: with the part made from other tournaments than the page it differs at once."""
    heats = a_night(club, HEATS)
    heats.seat(heats.enter("Eve", "Fay"))
    part = client.get("/c/circle/running/")
    assert part_of(client.get("/c/circle/").content.decode()) == flat(part.content.decode())
    with django_assert_max_num_queries(3):
        answer = client.get("/c/circle/running/", headers={"If-None-Match": part["ETag"]})
    assert (answer.status_code, answer["Cache-Control"]) == (304, "public, no-cache")
    table.deal(80, "show", 3, 47)
    answer = client.get("/c/circle/running/", headers={"If-None-Match": part["ETag"]})
    assert answer.status_code == 200
    assert "1 Cy 15" in " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def test_a_club_without_a_running_tournament_says_so_and_asks_seldom(client: Client, club: Club):
    page = client.get("/c/circle/").content.decode()
    assert "Nothing is being played at the moment." in page
    assert 'hx-trigger="every 30s, look"' in page


def test_a_planned_evening_that_comes_tells_how_many_have_entered(client: Client, club: Club):
    night = a_night(club, TIMED, name="Saturday", starts_at=now() + timedelta(days=3), entry_minor=30_000)
    night.enter("Asha", "Bo", "Cy", is_here=False)
    a_tournament(club, name="Sunday", starts_at=now() + timedelta(days=4))
    text = said(client)
    assert re.search(r"Saturday Pool 101 · Entry fee ₹300\.00 Starts at \d\d:\d\d 3 players entered", text)
    assert re.search(r"Sunday Pool 101 .* Starts at \d\d:\d\d Last results", text)


def test_results_show_the_podium_and_a_tournament_given_up_has_none(client: Client, club: Club):
    over = seat(a_tournament(club, "points", name="Friday"), "Asha", "Bo", "Cy", "Dev").deal("show", 34, 12, 50)
    over.event(kind="table_closed")
    assert "Finished Friday Points rummy · ₹2.00 a point · house fee 10% 1 Asha +96 2 Cy −12 3 Bo −34" in said(client)


@pytest.mark.slow
def test_the_page_costs_few_queries_whatever_is_played(client: Client, club: Club, django_assert_max_num_queries: Any):
    for number in range(4):
        night = a_night(club, HEATS, name=f"Heats {number}")
        night.seat(night.enter("Asha", "Bo"))
        seat(a_tournament(club, name=f"Pool {number}")).deal("show", 34, 12, 20)
        a_night(club, TIMED, name=f"Coming {number}", starts_at=now() + timedelta(days=1)).enter("Cy")
    with django_assert_max_num_queries(12):
        assert client.get("/c/circle/").status_code == 200


def test_a_club_says_who_it_is_and_none_of_it_is_more_than_text(client: Client, club: Club):
    """Planted fault: with `|safe` after the paragraphs the script is one."""
    club.about = "Cards by the sea.\n\n<script>alert(1)</script> {{ 7 }}"
    club.venue, club.website = '14 Marine Drive "A"', "https://circle.example/write?to=us&about=cards"
    club.save()
    page = client.get("/c/circle/").content.decode()
    assert "<p>Cards by the sea.</p>" in page
    assert "<p>&lt;script&gt;alert(1)&lt;/script&gt; {{ 7 }}</p>" in page
    assert 'href="https://circle.example/write?to=us&amp;about=cards" rel="noopener nofollow"' in page
    assert "Where 14 Marine Drive" in said(client)


def test_only_a_web_address_is_taken_as_a_clubs_contact(client: Client, club: Club):
    client.force_login(person("dita", Role.OWNER, club))
    page = f"/admin/tournaments/club/{club.pk}/change/"
    for website in ("javascript:alert(1)", "data:text/html,x", "ftp://circle.example", "no address"):
        answer = edit(client, page, website=website, about="x")
        assert answer.status_code == 200
        assert "website" in answer.context["adminform"].form.errors
    club.refresh_from_db()
    assert (club.website, club.about) == ("", "")


def test_the_list_of_clubs_tells_what_runs_and_what_comes_next_in_three_queries(
    client: Client, club: Club, table: Seated, django_assert_max_num_queries: Any
):
    other = a_club(slug="other", name="Other club")
    Club.objects.filter(pk=other.pk).update(venue="Dadar, Mumbai")
    a_tournament(other, name="Sunday pool", starts_at=now() + timedelta(days=4))
    a_tournament(other, name="Later pool", starts_at=now() + timedelta(days=9))
    a_tournament(other, name="Secret pool", starts_at=now() + timedelta(days=1), is_published=False)
    with django_assert_max_num_queries(3):
        text = said(client, "/")
    assert "Live Rummy Circle 1 tournament running" in text
    assert re.search(r"Other club Dadar, Mumbai No tournament is running Next: Sunday pool , ", text)
    assert "Secret pool" not in text


@pytest.mark.slow
def test_places_and_fingerprints_that_are_remembered_are_not_read_again_and_follow_deals_and_names(
    client: Client, club: Club, table: Seated
):
    """Planted fault: for each visitor the page read every seat of its tournaments, and a page of rules all tables."""
    rules = address(table.row.tournament, "rules/")

    def asked(path: str) -> tuple[bytes, str]:
        with CaptureQueriesContext(connection) as caught:
            page = client.get(path).content
        return page, " ".join(query["sql"] for query in caught)

    for path, reading in (("/c/circle/", 'AS "table__number"'), (rules, "tournaments_event")):
        (first, read), (second, read_again) = asked(path), asked(path)
        assert reading in read
        assert reading not in read_again
        assert first == second
    assert "1 Asha 0 2 Cy 12" in said(client)
    before = said(client, rules)
    table.deal("show", 34, 40, "first_drop")
    assert "1 Asha 0 2 Dev 40" in said(client)
    assert said(client, rules) != before
    rename("Asha", "Usha")
    assert "1 Usha 0 2 Dev 40" in said(client)


def test_a_substitute_and_the_player_who_was_replaced_are_one_player_of_the_card(client: Client, club: Club):
    """Planted fault: everybody who ever sat at a table counted, so that the card and the leaderboard disagree."""
    night = a_night(club, {"stages": [{"rounds": 2, "smallest_table": 2}]}, name="Saturday", is_published=True)
    asha, *_ = night.enter("Asha", "Bo", "Cy", "Dev")
    night.play_round()
    [eli] = add_players(club, ["Eli"])
    night.record(wire.PlayerSubstituted(player=asha, by=str(eli.pk), reason="ill"))
    night.play_round()
    assert "· 4 players" in said(client)
    assert len(client.get(f"/api/v1/tournaments/{night.tournament.pk}/leaderboard/").json()["rows"]) == 4
