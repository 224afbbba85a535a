"""Tells the books' own pages whose they may show, and what players and clubs are called."""

from collections.abc import Collection, Mapping
from datetime import tzinfo
from uuid import UUID

from django.http import HttpRequest

from tournaments.books.queries import holders_of
from tournaments.models import Club, Player, Tournament
from tournaments.models.people import name_key
from tournaments.people.names import uuid_of
from tournaments.people.permissions import Deed, clubs_of, counting_blind
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.web.admin.base.scoping import BLIND, actor_in
from tournaments.web.admin.books.journal import neighbours


def visible_clubs(request: HttpRequest) -> Collection[UUID] | None:
    """The clubs whose money whoever asks may see."""
    return clubs_of(actor_in(request), Deed.SEE_BOOKS)


def why_hidden(request: HttpRequest) -> str:
    """What whoever is refused the books should know; nothing where it is their role."""
    return str(BLIND) if counting_blind(actor_in(request).roles) else ""


def names(ids: Collection[str]) -> Mapping[str, str]:
    """What players, clubs, tournaments with a prize pool and whoever has a till are called, in a few queries."""
    wanted = [found for text in ids if (found := uuid_of(text)) is not None]
    rows = [model.objects.filter(id__in=wanted).values_list("id", "name") for model in (Player, Club, Tournament)]
    return holders_of(ids) | {str(row): name for found in rows for row, name in found}


def players_called(text: str) -> Collection[str]:
    """Ids of players whose name holds a text."""
    found = Player.objects.filter(name_key__contains=name_key(text)).values_list("id", flat=True)
    return [str(player) for player in found]


def clock_of(club: UUID) -> tzinfo:
    """The clock of a club, by which its files are written; books may name a club that has no row any more."""
    return zone_of(Club.objects.values_list("timezone", flat=True).filter(pk=club).first() or "UTC")


neighbours.visible_clubs = visible_clubs
neighbours.why_hidden = why_hidden
neighbours.names = names
neighbours.zone_of = clock_of
neighbours.players_called = players_called
