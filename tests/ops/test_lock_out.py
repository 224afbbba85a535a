"""Guessing a password does not pay, and the hall's one address locks nobody else out."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

PASSWORD = "seven-of-hearts"


@pytest.fixture
def locked_door(settings: Any, db: None) -> None:
    settings.AXES_ENABLED = True
    for name in ("sam", "dita"):
        get_user_model().objects.create_user(name, password=PASSWORD, is_staff=True)


def knock(client: Client, name: str, password: str, *, address: str = "10.0.0.1") -> int:
    return client.post("/admin/login/", {"username": name, "password": password}, REMOTE_ADDR=address).status_code


@pytest.mark.usefixtures("locked_door")
def test_after_five_wrong_passwords_the_right_one_is_too_late(client: Client):
    answers = [knock(client, "sam", f"guess-{number}") for number in range(5)]
    assert answers == [200, 200, 200, 200, 429]
    assert knock(client, "sam", PASSWORD) == 429


@pytest.mark.usefixtures("locked_door")
def test_somebody_else_at_the_same_address_still_gets_in(client: Client):
    for number in range(6):
        knock(client, "sam", f"guess-{number}")
    assert knock(client, "dita", PASSWORD) == 302


@pytest.mark.usefixtures("locked_door")
def test_the_person_herself_gets_in_from_her_own_telephone(client: Client):
    for number in range(6):
        knock(client, "sam", f"guess-{number}", address="203.0.113.9")
    assert knock(client, "sam", PASSWORD, address="10.0.0.1") == 302
