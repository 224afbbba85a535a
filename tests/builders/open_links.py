"""Invitations and password links in tests: made by an owner, opened in another browser."""

from typing import Any
from uuid import uuid4

from django.test import Client
from django.utils.timezone import now

from tournaments.models import Club, Invitation, Role
from tournaments.people.invitations import invite

CODE_PAGE, OPEN_PAGE = "/join/", "/join/open/"
PASSWORD = "another long pass phrase"
TYPED = {"do": "make", "username": "sam", "name": "Sam Iyer", "password": PASSWORD}


def invitation(club: Club, owner: Any, role: Role = Role.SCORER, **words: Any) -> tuple[Invitation, str]:
    """An open invitation and its code."""
    draft = Invitation(id=uuid4(), club=club, role=role, made_by=owner, **words)
    return invite(draft, now=now())


def opens(code: str, client: Client | None = None) -> Client:
    """A browser that has opened a link: what the page's script sends."""
    browser = client or Client(headers={"user-agent": "Phone of a helper"})
    answer = browser.post(CODE_PAGE, {"code": code})
    assert (answer.status_code, answer.headers["Location"]) == (302, OPEN_PAGE)
    return browser


def refusal(answer: Any) -> tuple[int, str]:
    """The status and the sentence of the page of a link that opens nothing."""
    return answer.status_code, answer.context["problem"]
