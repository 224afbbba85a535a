"""Content published by a club is public; everything else is visible to the club's own users only."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.signals import post_init
from django.test import Client
from django.utils.timezone import now
from selectolax.lexbor import LexborHTMLParser

from tests.builders.admin_tables import club_called, evening_at, person
from tests.builders.flat import flat
from tests.builders.public_tables import a_club, a_tournament, address, seat
from tests.builders.signed_in import signed_in
from tests.builders.there import there
from tournaments.boards.clubs import published_clubs
from tournaments.models import Role, Tournament

pytestmark = pytest.mark.django_db

PARTS = ("", "board/", "board.json", "board.csv", "board.xlsx", "podium.png", "proof/", "log.jsonl", "share/")
SCREEN_PARTS = ("screen/", "screen/part/", "screen/code.svg")
SUBPAGES = ("rounds/", "seating/", "seating/part/", "seating/r1/", "seating/r1/part/", "schedule/", "prizes/", "rules/")
ROOM = ("room/", "room/part/")
CLUB = ("", "running/", "players/", "seasons/", "ratings/")
TABLE_PARTS = ("r1/table-1/", "r1/table-1/sheet/", "r1/table-1/sheet.json", "r1/table-1/sheet.csv")


def addresses(tournament: Tournament) -> list[str]:
    return [address(tournament, part) for part in (*PARTS, *SCREEN_PARTS, *SUBPAGES, *ROOM, *TABLE_PARTS)]


def statuses(client: Client, tournament: Tournament) -> set[int]:
    return {client.get(path).status_code for path in addresses(tournament)}


@pytest.mark.slow
def test_everybody_reads_what_a_club_publishes(client: Client):
    tournament = a_tournament(a_club())
    seat(tournament).deal("show", 34, 12, "first_drop")
    assert statuses(client, tournament) == {200}


@pytest.mark.slow
@pytest.mark.parametrize(("club_shows", "tournament_shows"), [(False, True), (True, False), (False, False)])
def test_nobody_else_learns_that_an_unpublished_tournament_exists(
    client: Client, club_shows: bool, tournament_shows: bool
):
    tournament = a_tournament(a_club(is_published=club_shows), is_published=tournament_shows)
    seat(tournament)
    stranger = signed_in(a_club(slug="next-door"), "owner")
    assert statuses(client, tournament) == {404}
    assert statuses(stranger, tournament) == {404}


@pytest.mark.slow
def test_people_of_the_club_see_its_unpublished_boards_and_no_cache_keeps_them():
    club = a_club(is_published=False)
    tournament = a_tournament(club)
    seat(tournament)
    for role in Role:
        client = Client()
        client.force_login(person(f"sam-{role}", role, club))
        answers = [client.get(path) for path in addresses(tournament)]
        assert {(answer.status_code, answer["Cache-Control"]) for answer in answers} == {(200, "private, no-store")}


def test_the_list_of_clubs_reads_no_tournament_but_the_next_of_each(django_assert_num_queries: Any):
    """Planted fault: every announced tournament of every club was read to show the first of each."""
    for slug in ("one", "two"):
        club = a_club(slug=slug, name=slug)
        for week in (3, 1, 2):
            a_tournament(club, name=f"{slug} {week}", starts_at=now() + timedelta(weeks=week))
        a_tournament(club, name="Hidden", starts_at=now() + timedelta(days=1), is_published=False)
    read: list[str] = []

    def note(instance: Tournament, **signal: object) -> None:
        read.append(instance.name)

    post_init.connect(note, sender=Tournament)
    try:
        with django_assert_num_queries(3):
            cards = published_clubs(now())
    finally:
        post_init.disconnect(note, sender=Tournament)
    assert [card.following and card.following.name for card in cards] == ["one 1", "two 1"]
    assert sorted(read) == ["one 1", "two 1"]


@pytest.mark.slow
def test_an_unpublished_club_has_no_page_but_for_its_own_people_and_is_not_listed(client: Client):
    hidden = a_club(slug="hidden", name="Hidden club", is_published=False)
    seat(a_tournament(hidden)).deal("show", 34, 12, 20)
    assert {client.get(f"/c/hidden/{page}").status_code for page in CLUB} == {404}
    assert client.get("/c/no-such-club/").content == client.get("/c/hidden/").content
    assert "Hidden club" not in client.get("/").content.decode()
    scorer = signed_in(hidden, "scorer")
    answers = [scorer.get(f"/c/hidden/{page}") for page in CLUB]
    assert {(answer.status_code, answer["Cache-Control"]) for answer in answers} == {(200, "private, no-store")}


def test_a_clubs_page_shows_what_runs_what_comes_and_what_is_over(client: Client):
    club = a_club()
    seat(a_tournament(club, name="Running pool")).deal("show", 34, 12, 20)
    a_tournament(club, name="Next pool")
    over = seat(a_tournament(club, "points", name="Played points"), "Asha", "Bo").deal("show", 34)
    over.event(kind="table_closed")
    a_tournament(club, name="Secret pool", is_published=False)
    text = there(LexborHTMLParser(client.get(f"/c/{club.slug}/").content).css_first("main")).text()
    assert (
        text.index("Running now") < text.index("Running pool") < text.index("Next pool") < text.index("Played points")
    )
    assert "Secret pool" not in text
    in_front = " ".join(text.partition("Running pool")[2].split())
    assert in_front.startswith("Pool 101 · Entry fee ₹300.00 · house fee 10% 1 Asha")


def test_pages_are_only_read_and_a_number_that_no_table_can_have_is_no_address(client: Client):
    tournament = a_tournament(a_club())
    seat(tournament)
    assert {client.post(path).status_code for path in addresses(tournament)} == {405}
    for part in ("r1/table-99999999999999999999/", "r99999/table-1/", "r0/table-1/", "r1/table-2/"):
        assert client.get(address(tournament, part)).status_code == 404


def test_who_runs_tournaments_finds_the_way_in_on_the_front_page(client: Client):
    """Planted fault: the admin at an address that one has to know."""
    assert flat(client.get("/").content.decode()).count('<a href="/admin/">Sign in</a>') == 2


def test_a_role_that_is_missing_is_told_apart_from_a_form_that_is_too_old():
    """Planted fault: Django's own page, which is one line without a link."""
    evening = evening_at(club_called("Asha's club", "asha"))
    client = Client(enforce_csrf_checks=True)
    client.force_login(person("sam", Role.SCORER, evening.club))
    answer = client.post(evening.score_url, {"deal": "1"})
    page = flat(answer.content.decode())
    assert answer.status_code == 403
    assert "<title>This form has expired</title>" in page
    assert "Go back, reload the page and send it again" in page
    answer = client.get(f"/admin/tournaments/tournament/{evening.tournament.pk}/plan/")
    page = flat(answer.content.decode())
    assert answer.status_code == 403
    assert "Your role in this club does not allow this. Ask the owner for another role." in page
    assert '<a class="button" href="/admin/">' in page
    assert "<title>You do not have access</title>" in page
