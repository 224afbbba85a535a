"""Tells the books' own pages whose they may show, and what players and clubs are called."""

from collections.abc import Collection, Mapping
from uuid import UUID

from django.http import HttpRequest

from scoring.admin import neighbours
from tournaments.access import Deed, clubs_of
from tournaments.admin.scoping import actor_in
from tournaments.models import Club, Player
from tournaments.models.people import name_key


def visible_clubs(request: HttpRequest) -> Collection[UUID] | None:
    """The clubs whose money whoever asks may see."""
    return clubs_of(actor_in(request), Deed.SEE_MONEY)


def names(ids: Collection[str]) -> Mapping[str, str]:
    """What players and clubs are called, in two queries."""
    wanted = [found for text in ids if (found := _uuid(text)) is not None]
    players = Player.objects.filter(id__in=wanted).values_list("id", "name")
    clubs = Club.objects.filter(id__in=wanted).values_list("id", "name")
    return {str(row): name for row, name in (*players, *clubs)}


def players_called(text: str) -> Collection[str]:
    """Ids of players whose name holds a text."""
    found = Player.objects.filter(name_key__contains=name_key(text)).values_list("id", flat=True)
    return [str(player) for player in found]


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


neighbours.visible_clubs = visible_clubs
neighbours.names = names
neighbours.players_called = players_called
