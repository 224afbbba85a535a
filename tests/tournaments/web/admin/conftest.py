"""A club on one evening, and the users at its desk."""

from collections.abc import Callable
from typing import Any

import pytest
from django.template import Template
from django.test import Client

from tests.builders.admin_tables import Evening, club_called, evening_at, person
from tests.builders.browser_checks import sign_in
from tournaments.models import Club, Role


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages with their usual status but without content: access is decided before rendering, in half the time."""
    monkeypatch.setattr(Template, "_render", lambda template, context: "")


@pytest.fixture
def club(db: None) -> Club:
    return club_called("Asha's club", "asha")


@pytest.fixture
def pool(club: Club) -> Evening:
    """Asha, Bo, Cy and Dev at a 101 pool table, entry 300.00."""
    return evening_at(club)


@pytest.fixture
def signed_in(club: Club) -> Callable[..., Client]:
    """`signed_in(Role.SCORER)` is a browser at the desk."""

    def sign_in(role: Role | None = None, *, login: str = "sam", at: Club | None = None, **more: object) -> Client:
        client = Client()
        client.force_login(person(login, role, at or club, **more))
        return client

    return sign_in


@pytest.fixture
def sam(signed_in: Callable[..., Client]) -> Client:
    """Sam scores."""
    return signed_in(Role.SCORER, first_name="Sam")


@pytest.fixture
def dita(signed_in: Callable[..., Client]) -> Client:
    """Dita directs."""
    return signed_in(Role.DIRECTOR, login="dita", first_name="Dita")


@pytest.fixture
def at_desk(live_server: Any, page: Any, club: Club) -> Callable[..., Any]:
    """`at_desk(path)` is the browser of Sam, who directs unless another role is named, at a page."""

    def go(path: str, role: Role = Role.DIRECTOR) -> Any:
        sign_in(page.context, live_server.url, person("sam", role, club, first_name="Sam"))
        page.goto(f"{live_server.url}{path}")
        return page

    return go


@pytest.fixture
def olga(signed_in: Callable[..., Client]) -> Client:
    """Olga owns the club."""
    return signed_in(Role.OWNER, login="olga")
