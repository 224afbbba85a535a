"""Two clubs with something of everything, and the clients that write in the first: its owner's device, a superuser."""

from dataclasses import dataclass
from random import Random
from typing import Any

from django.test import Client

from scoring.problems import OptionsRejected
from scoring.rules.variants import PRESETS
from tests.builders.admin_addresses import stocked
from tests.builders.admin_tables import Evening, evening_at, person
from tests.builders.admin_tournaments import TIMED, a_night, at, play_out, record
from tests.builders.api_clients import Device
from tests.builders.paper import PLAN
from tournaments.models import Club, Player, Role, Season, Table, Tournament
from tournaments.running.commands.close import close_tournament

# The first preset of every game.
GAMES = {rules.name: preset for preset, (rules, _) in reversed(PRESETS.items())}
CAST = ("One", "Two", "Three", "Four")


@dataclass(frozen=True)
class World:
    """The club that is written to, the other one, and the clients for both."""

    home: Evening
    away: Evening
    device: Device
    browser: Client
    visitor: Client

    @property
    def club(self) -> Club:
        """The present row: its slug may have been changed."""
        return Club.objects.get(pk=self.home.club.pk)


def a_world() -> World:
    """Clubs that have played, and are still playing."""
    home, away = stocked("home"), stocked("away")
    owner = person("writer", Role.OWNER, home.club, is_superuser=True)
    _planned(home.club)
    _planned(away.club)
    a_night(home.club, TIMED, is_published=True, name="Timed").enter("Kim", "Lou", "Mo", "Nia")
    for preset in GAMES.values():
        _table_of(home.club, preset)
    browser = Client(raise_request_exception=False)
    browser.force_login(owner)
    device = Device(home.club, Role.OWNER, owner=owner)
    device.raise_request_exception = False
    return World(home, away, device, browser, Client(raise_request_exception=False))


def objects_of(club: Club, tournament: Tournament, chance: Random) -> dict[str, Any]:
    """The objects in addresses around one tournament: a table, a player, a season; the latest first."""
    players = list(Player.objects.filter(club=club).order_by("-created_at")[:40])
    tables = list(Table.objects.filter(tournament=tournament).order_by("-created_at")[:4])
    seasons = list(Season.objects.filter(club=club).order_by("-created_at")[:4])
    return {
        "club": club,
        "tournament": tournament,
        "table": chance.choice(tables) if tables else None,
        "player": chance.choice(players),
        "season": chance.choice(seasons) if seasons else None,
    }


def latest(club: Club, most: int, chance: Random) -> list[Tournament]:
    """Some of a club's tournaments: the latest, and some of the others."""
    found = list(club.tournaments.select_related("club").order_by("-created_at"))
    return found[: most // 2 + 1] + chance.sample(found, min(most // 2, len(found)))


def _planned(club: Club) -> None:
    """An evening with prizes, a levy and side pots that was played to its end and settled."""
    night = a_night(club, PLAN, entry_minor=30_000, fee_bp=1_000, is_published=True)
    night.enter("Ada", "Ben")
    [table] = night.seat()
    play_out(table)
    record(table, {"kind": "table_closed"})
    close_tournament(night.tournament.pk, context=at())


def _table_of(club: Club, preset: str) -> None:
    """A table of as many players as this game takes."""
    for seats in (4, 3, 2):
        try:
            evening_at(club, preset=preset, name=f"{preset} night", names=CAST[:seats], entry_minor=0)
        except OptionsRejected:
            continue
        return
