"""Personal links of players in tests: given at the desk, opened in another browser."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.test import Client
from django.utils.timezone import now

from tests.builders.playing import CAST, context, new_club, new_tournament
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import EntryRow
from tournaments.models import Player, PlayerLink, Tournament
from tournaments.people.player_links import give_links
from tournaments.people.players import add_players

CODE_PAGE, OPEN_PAGE, OWN_PAGE = "/me/", "/me/open/", "/me/own/"


def tonight(*entered: str, **words: Any) -> Tournament:
    """A public tournament of a club of four that begins in an hour."""
    club = new_club("Friday club", is_published=True)
    add_players(club, CAST)
    starts_at = now() + timedelta(hours=1)
    tournament = new_tournament(club, **{"entry_minor": 10_000, "starts_at": starts_at, **words})
    rows = [EntryRow(number=number, name=name) for number, name in enumerate(entered, 1)]
    enter_list(tournament.pk, rows, context=context(now=now()), adds_new=False)
    return tournament


def player_called(name: str) -> Player:
    return Player.objects.select_related("club").get(name=name)


def link_of(name: str) -> tuple[PlayerLink, str]:
    """A new link of a player, and its code."""
    player = player_called(name)
    (made,) = give_links(player.club, [player.pk], key=uuid4(), by="user:1", now=now())
    return made


def opens(code: str, client: Client | None = None) -> Client:
    """A browser that has opened a link: what the page's script sends."""
    browser = client or Client(headers={"user-agent": "Phone of a player"})
    answer = browser.post(CODE_PAGE, {"code": code})
    assert (answer.status_code, answer.headers["Location"]) == (302, OPEN_PAGE)
    return browser
