"""A table's card in tests: made by a director, exchanged on a device."""

import re
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.test import Client
from django.utils.timezone import now

from tests.builders.admin_tables import Evening, person
from tournaments.models import Role, Table
from tournaments.tables.commands.table_tokens import IssuedCard, issue_cards

COOKIE = "rummy_table"
CODE = re.compile(r"[2-9A-HJKMNP-Z]{8}")


def card_for(
    evening: Evening, *, table: Table | None = None, made: datetime | None = None, seat: int = 0, **maker: Any
) -> IssuedCard:
    """A card as the director's page makes it: of a table, or of one of its seats."""
    login = f"director-{uuid4().hex[:8]}"
    director = person(login, maker.pop("role", Role.DIRECTOR), evening.club, **maker)
    chosen = Table.objects.get(pk=(table or evening.table).pk)
    seats = {chosen.pk: (seat,)}
    return issue_cards([chosen], key=uuid4(), user_id=director.pk, now=made or now(), seats=seats)[0]


def hand_over(client: Client, code: str | None) -> Any:
    """The request that the page of the card sends."""
    return client.post("/table/", {"code": code or ""})


def types_code(client: Client, evening: Evening, code: str | None, *, number: int = 1, club: str = "") -> Any:
    """The request of the page whose address is printed beside the code."""
    return client.post(f"/table/{club or evening.club.slug}/{number}/", {"code": code or ""})


def device_with(card: IssuedCard) -> Client:
    """A phone that has scanned the card."""
    client = Client(headers={"user-agent": "Phone at the table"})
    answer = hand_over(client, card.secret)
    assert answer.status_code == 302
    return client


def is_asked_to_sign_in(answer: Any) -> bool:
    """Redirected to the sign-in, or shown it with the kept input beside it."""
    if answer.status_code == 302:
        return str(answer.url).startswith("/admin/login/")
    return answer.status_code == 403 and b'id="login-form"' in answer.content
