"""Promise 3 for every form that edits: two users who save the same field at the same moment do not both succeed.

Planted fault that this catches: the row compared before it is locked; on PostgreSQL both then get "saved".
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from tests.builders.admin_tables import NOW, club_called
from tests.builders.lost_updates import change_url
from tests.builders.page_forms import opened
from tests.builders.racing import at_once
from tests.builders.seasons import season
from tournaments.log.context import CommandContext
from tournaments.models import Club
from tournaments.people.players import add_players
from tournaments.running.commands.create import TournamentDraft, create_tournament

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 5


def a_player(club: Club) -> Any:
    return add_players(club, ["Bo"])[0]


def a_tournament(club: Club) -> Any:
    draft = TournamentDraft(name="Sunday", preset="pool_101", starts_at=NOW)
    return create_tournament(club, draft, context=CommandContext(actor="user:0", now=NOW))


MADE: dict[str, tuple[Callable[[Club], Any], str]] = {
    "tournaments_player": (a_player, "name"),
    "tournaments_club": (lambda club: club, "name"),
    "tournaments_season": (season, "name"),
    "tournaments_tournament": (a_tournament, "name"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_of_two_who_save_one_field_at_the_same_moment_one_is_told(name: str):
    root = get_user_model().objects.create_superuser("root", "root@example.org", "a long pass phrase")
    make, field = MADE[name]
    row = make(club_called("Asha's club", "asha"))
    url, clients = change_url(name, row), [Client(), Client()]
    for client in clients:
        client.force_login(root)
    for number in range(ROUNDS):
        sent = opened(clients[0], url).values()
        jobs = [
            partial(_saved, client, url, {**sent, field: f"{number} {who}"})
            for client, who in zip(clients, "ab", strict=True)
        ]
        answers = dict(zip(at_once(jobs), (f"{number} a", f"{number} b"), strict=True))
        assert set(answers) == {302, 409}
        row.refresh_from_db()
        assert getattr(row, field) == answers[302]


def _saved(client: Client, url: str, values: Any) -> int:
    return client.post(url, values).status_code
