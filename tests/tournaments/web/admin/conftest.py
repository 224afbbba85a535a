"""A club on one evening, and the users at its desk."""

from collections.abc import Callable

import pytest
from django.template import Template
from django.test import Client

from tests.builders.admin_tables import Evening, club_called, evening_at, person
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
