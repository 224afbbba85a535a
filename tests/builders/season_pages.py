"""Addresses and text of the pages of a season."""

from django.test import Client

from tests.builders.flat import flat
from tournaments.models import Season


def address(of: Season, rest: str = "") -> str:
    return f"/c/{of.club.slug}/seasons/{of.slug}/{rest}"


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return flat(answer.content.decode())
