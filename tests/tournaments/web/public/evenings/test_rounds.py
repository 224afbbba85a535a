"""The rounds of a tournament: all on one page where they are few, a page each where there are many tables."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from tests.builders.flat import flat
from tests.builders.public_tables import a_club, a_tournament, address, english, seat
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    """Three rounds: two tables, two tables, and one."""
    found = a_tournament(a_club())
    for number in (1, 1, 2, 2, 3):
        seat(found, table_round=number).deal("show", 34, 12, "first_drop")
    return found


def tables(client: Client, tournament: Tournament, part: str = "rounds/") -> list[str]:
    """The tables that a page shows, as round and number."""
    page = client.get(address(tournament, part)).content.decode()
    return ["-".join(each) for each in re.findall(r'<a href="[^"]*/r(\d+)/table-(\d+)/"', page)]


def test_few_tables_are_on_one_page_whatever_round_is_asked_for(client: Client, tournament: Tournament):
    assert tables(client, tournament) == ["3-1", "2-1", "2-2", "1-1", "1-2"]
    assert tables(client, tournament, "rounds/r1/") == ["3-1", "2-1", "2-2", "1-1", "1-2"]


def test_of_many_tables_a_page_holds_the_latest_rounds_that_have_room_for_all_of_theirs(
    client: Client, tournament: Tournament, monkeypatch: Any
):
    """Planted fault: a night of 200 over seven rounds sent 420 kB for each request of the last one."""
    for room, shown in ((4, ["3-1", "2-1", "2-2"]), (2, ["3-1"]), (0, ["3-1"])):
        monkeypatch.setattr("tournaments.web.public.evenings.rounds.MOST_TABLES", room)
        Tournament.objects.update(name=f"With room for {room}")
        assert tables(client, tournament) == shown


def test_every_other_round_is_one_step_away(client: Client, tournament: Tournament, monkeypatch: Any):
    monkeypatch.setattr("tournaments.web.public.evenings.rounds.MOST_TABLES", 1)
    page = flat(client.get(address(tournament, "rounds/")).content.decode())
    nav = page.partition('<nav class="jump"')[2].partition("</nav>")[0]
    first = f"{english(address(tournament, 'rounds/r1/'))}#round-1"
    second = f"{english(address(tournament, 'rounds/r2/'))}#round-2"
    assert re.findall('href="([^"]*)"', nav) == ["#round-3", second, first]
    assert page.count(f'href="{escape(first)}"') == 2
    assert 'id="round-1"' in page
    assert tables(client, tournament, "rounds/r1/") == ["1-1", "1-2"]


def test_a_round_that_was_never_seated_has_no_page(client: Client, tournament: Tournament):
    assert client.get(address(tournament, "rounds/r4/")).status_code == 404
