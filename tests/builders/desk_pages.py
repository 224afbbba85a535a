"""The pages of the entry desk, and players who enter there."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.builders.admin_tables import NOW
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import read_pasted
from tournaments.log.context import CommandContext
from tournaments.models import Club, Role, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.create import TournamentDraft, create_tournament

CAST = ("Asha", "Bo", "Cy", "Dev")


@pytest.fixture
def tournament(club: Club) -> Tournament:
    """Entry 300.00; the cast belongs to the club and has entered."""
    add_players(club, CAST)
    draft = TournamentDraft(name="Friday", preset="pool_101", starts_at=NOW, entry_minor=30_000)
    made = create_tournament(club, draft, context=context())
    enter(made, "\n".join(CAST))
    return made


@pytest.fixture
def desk(signed_in: Callable[..., Client]) -> Client:
    """Dita's helper at the door."""
    return signed_in(Role.CHECKIN, login="desk")


def context() -> CommandContext:
    return CommandContext(actor="user:0", now=NOW)


def enter(tournament: Tournament, text: str, *, adds_new: bool = False) -> None:
    enter_list(tournament.pk, read_pasted(text).rows, context=context(), adds_new=adds_new)


def at(tournament: Tournament, page: str = "desk/") -> str:
    return f"/admin/tournaments/tournament/{tournament.pk}/{page}"
