"""Names given by users are shown unchanged on every page, in every language, even if they equal a message of ours."""

import pytest
from django.conf import settings
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from tests.builders.admin_tournaments import Night, a_night, play_out
from tournaments.models import Club, Table

pytestmark = pytest.mark.django_db
# Each of these is also a text of the pages, and has a translation.
TABLE, TOURNAMENT, PLAYER, STAGE, POT = "Winners", "Clubs", "Queen", "Pot", "Levy"
THEIRS = {"Gewinner", "Kreuz", "Dame", "Topf", "Abgabe"}
PLAN = {
    "stages": [{"name": "Heats", "smallest_table": 2, "per_table": 1}, {"name": STAGE, "smallest_table": 2}],
    "prizes_bp": [10_000],
    "side_pots": [{"name": POT, "contribution_minor": 500}],
}


@pytest.fixture
def night(club: Club) -> Night:
    """One table of two has been played and closed, the other plays; both go by the same name."""
    night = a_night(club, PLAN, name=TOURNAMENT, entry_minor=10_000, is_published=True)
    night.enter(PLAYER, "Bo", "Cy", "Dev")
    first, _ = night.seat()
    Table.objects.filter(tournament=night.tournament).update(name=TABLE)
    play_out(first)
    return night


def german(client: Client) -> Client:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    return client


def page(client: Client, url: str) -> LexborHTMLParser:
    answer = german(client).get(url)
    assert answer.status_code == 200
    assert 'lang="de"' in answer.content.decode() or url.endswith("part/")
    return LexborHTMLParser(answer.content.decode())


def names_on(tree: LexborHTMLParser) -> set[str]:
    return {node.text(strip=True) for node in tree.css("bdi, a, h1, h3, option, optgroup, strong")}


def test_names_stay_on_the_pages_of_the_director(dita: Client, night: Night):
    """Planted fault: a table's title shown in the language of the page, where "Winners" has a translation."""
    for at, called in (
        ("night/", {TABLE, STAGE}),
        ("seating/?round=1", {TABLE, PLAYER}),
        ("moves/", {TABLE, "Dev"}),
        ("money/", {TABLE, PLAYER}),
        ("prizes/", {POT, PLAYER}),
    ):
        shown = names_on(page(dita, night.url(at).removesuffix("/")))
        assert called <= shown, at
        assert not THEIRS & shown


def test_names_stay_on_the_public_pages(client: Client, night: Night):
    tournament = night.tournament
    for at, called in (
        ("", {TOURNAMENT, TABLE, PLAYER}),
        ("rounds/", {TOURNAMENT, TABLE, PLAYER}),
        ("seating/", {TABLE, PLAYER}),
        ("prizes/", {POT, PLAYER}),
    ):
        shown = names_on(page(client, f"/c/{tournament.club.slug}/t/{tournament.slug}/{at}"))
        assert called <= shown, at
        assert not THEIRS & shown
