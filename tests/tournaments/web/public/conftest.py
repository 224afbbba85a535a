"""A published club with one tournament, and a table of it at which one deal was played."""

from typing import Any

import pytest

from tests.builders.browser_steps import At
from tests.builders.public_tables import Seated, a_club, a_tournament, seat
from tournaments.models import Club, Tournament


@pytest.fixture
def club() -> Club:
    return a_club(slug="circle")


@pytest.fixture
def tournament(club: Club) -> Tournament:
    return a_tournament(club)


@pytest.fixture
def table(tournament: Tournament) -> Seated:
    return seat(tournament).deal("show", 34, 12, "first_drop")


@pytest.fixture
def at(live_server: Any) -> At:
    """The address of a page on the server that a browser asks."""
    return lambda path: f"{live_server.url}{path}"
