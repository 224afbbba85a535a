"""`CACHE_URL`: answers on a Valkey that processes share, and what happens while it is away."""

import time
from collections.abc import Iterator

import pytest
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, override_settings

from rummy_site.environment import answers_cache
from rummy_site.settings import CACHES
from tests.builders.public_tables import a_club, a_tournament, address, seat
from tests.plugins import valkey
from tests.plugins.servers import Server
from tournaments.models import Tournament
from tournaments.web.public.boards import boards

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    tournament = a_tournament(a_club())
    seat(tournament).deal("show", 34, 12, "first_drop")
    return tournament


@pytest.fixture
def server() -> Iterator[Server]:
    """A Valkey, and the answers on it."""
    server = Server("valkey")
    path = valkey.start(server).partition("://")[2]
    with override_settings(CACHES={**CACHES, "answers": answers_cache(f"unix://{path}")}):
        yield server
    server.stop()


@pytest.mark.slow
def test_a_process_sends_what_another_one_made(
    client: Client, tournament: Tournament, server: Server, monkeypatch: pytest.MonkeyPatch
):
    """A cache of another thread stands for that of another process: neither has anything but the connection."""
    first = client.get(address(tournament))
    del caches["answers"]
    monkeypatch.setattr(boards, "board_context", lambda *_: pytest.fail("made again"))
    again = client.get(address(tournament))
    assert (again.content, again["ETag"]) == (first.content, first["ETag"])


@pytest.mark.slow
def test_while_the_cache_is_away_each_answer_is_made_and_nobody_waits(
    client: Client, tournament: Tournament, server: Server
):
    """Planted fault: a failing cache that fails the page."""
    first = client.get(address(tournament))
    server.stop()
    began = time.monotonic()
    answers = [client.get(address(tournament, view)) for view in ("", "board/", "board.json")]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert answers[0].content == first.content
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("odd", ["valkey.example", "http://localhost", "locmem://"])
def test_an_address_of_no_such_server_is_refused_by_name(odd: str):
    with pytest.raises(ImproperlyConfigured, match="CACHE_URL"):
        answers_cache(odd)


def test_without_an_address_each_process_has_a_bounded_one():
    """Where nothing would end, a name that was erased would stay in the process."""
    own = answers_cache("")
    assert own["BACKEND"].endswith("LocMemCache")
    assert (own["TIMEOUT"], own["OPTIONS"]["MAX_ENTRIES"]) == (600, 900)
