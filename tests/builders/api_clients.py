"""Clients of the API: devices with a token, users with a session, and anonymous ones."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth import get_user_model
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client

from tournaments.models import Club, Membership, Role
from tournaments.people.access import issue_token


def person(club: Club | None = None, role: Role | None = None, **extra: Any) -> Any:
    """A user with an account, and a role in a club where one is given."""
    user = get_user_model().objects.create_user(username=f"u{uuid.uuid4().hex[:8]}", password="pw", **extra)
    if club and role:
        Membership.objects.create(user=user, club=club, role=role)
    return user


@contextmanager
def kept_connection() -> Iterator[None]:
    """As Django's own client does: a request to the WSGI application must not close the connection of the test."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


class Device(Client):
    """A device of a club, with a bearer token."""

    def __init__(self, club: Club, role: Role = Role.SCORER, *, owner: Any = None) -> None:
        owner = owner or person(club, role)
        self.token, self.secret = issue_token(uuid.uuid4(), club, user_id=owner.pk, role=role, name="tablet")
        super().__init__(headers={"Authorization": f"Bearer {self.secret}"})

    def send(self, path: str, body: Any, *, key: str | None = "") -> Any:
        """POST JSON; a key of its own unless one is given, None for no key at all."""
        return send(self, path, body, key=key)


def send(client: Client, path: str, body: Any, *, key: str | None = "", **extra: Any) -> Any:
    """POST JSON as any client does."""
    headers = {} if key is None else {"Idempotency-Key": key or uuid.uuid4().hex}
    return client.post(path, body, content_type="application/json", headers={**headers, **extra.pop("headers", {})})


def events_of(table: Any) -> str:
    return f"/api/v1/tables/{table.row.id}/events/"
