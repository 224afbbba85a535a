"""Pages that a card does not open, from the URL patterns of the whole site, and where its secret must not be left.

Planted faults that this catches: a page of a table opened to cards without being meant to answers otherwise than to a
stranger; a card's actor with a role in the club passes `may` for the next table.
"""

import logging
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client

from tests.builders.admin_addresses import CLUB_PAGES, address, stocked
from tests.builders.admin_tables import Evening, evening_at, sheet
from tests.builders.api_operations import OPERATIONS, address_of
from tests.builders.every_address import public
from tests.builders.table_cards import CODE, card_for, device_with, hand_over, is_asked_to_sign_in, types_code
from tests.builders.there import there
from tests.builders.two_clubs import objects_of
from tournaments.models import Club, TableToken
from tournaments.models.log import Event
from tournaments.people.permissions import TABLE_CARD, Permission, TableRef, card_actor, clubs_of, may

OPEN_TO_A_CARD = {
    f"tournaments_table_{page}"
    for page in (
        *("score", "preview", "sheet", "log", "correct"),
        *("void", "rejoin", "split", "buy_in", "leave", "close", "time", "hand"),
        *("confirm", "dispute", "words", "device", "totals"),
    )
}


def addresses(evening: Evening) -> dict[str, str]:
    """Every address of the back office, of the API and for the public, for the objects of this very table and club."""
    of_the_public = {url: url for url in public(objects_of(evening.club, evening.tournament, Random(1)))}
    of_the_api = {name: address_of(path, evening.tournament, evening.table) for name, (_, path) in OPERATIONS.items()}
    of_the_office = {name: url for name in CLUB_PAGES if (url := address(name, evening))}
    return {"password": "/admin/password_change/", **of_the_public, **of_the_api, **of_the_office}


def told(client: Client, url: str, method: str, data: Any = None) -> tuple[int, str]:
    answer = client.get(url) if method == "GET" else client.post(url, data)
    return answer.status_code, str(answer.headers.get("Location", ""))


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.usefixtures("undrawn")
def test_every_other_route_answers_a_card_as_it_answers_a_stranger():
    home = stocked("home")
    device, before = device_with(card_for(home)), Event.objects.count()
    others = {name: url for name, url in addresses(home).items() if name not in OPEN_TO_A_CARD}
    typed = {**sheet(3, s1="show", c2="1", deal=2), "reason": "x", "seat": "2", "points": "5"}
    otherwise = [
        name
        for name, url in others.items()
        for asked in ({"method": "GET"}, {"method": "POST", "data": typed})
        if told(device, url, **asked) != told(Client(), url, **asked)
    ]
    assert otherwise == []
    assert len(others) > 150
    assert Event.objects.count() == before


@pytest.mark.slow
@pytest.mark.django_db
def test_the_pages_that_a_card_opens_are_closed_to_it_at_the_next_table(pool: Evening, club: Club):
    device = device_with(card_for(pool))
    other = evening_at(club, names=("Eli", "Fay"), name="Saturday")
    for name in sorted(OPEN_TO_A_CARD):
        mine, theirs = there(address(name, pool)), there(address(name, other))
        assert "/admin/login/" not in str(device.get(mine).headers.get("Location", "")), name
        assert is_asked_to_sign_in(device.get(theirs)), name
        sent = device.post(theirs, {"version": "1", "key": "0" * 32, "seat": "1"})
        # A page without a form answers so for every table, also for one's own.
        takes_none = sent.status_code == device.post(mine, {}).status_code == 405
        assert is_asked_to_sign_in(sent) or takes_none, name


@pytest.mark.slow
@pytest.mark.django_db
def test_a_card_gives_no_penalty_withdraws_and_cancels_nothing_and_offers_none(pool: Evening):
    pool.record({"kind": "seat_left", "seat": "4"})
    device = device_with(card_for(pool))
    page = device.get(pool.score_url).content.decode()
    for name in ("penalty", "cancel", "withdraw/2", "cards"):
        answer = device.post(
            pool.page(name), {"version": "2", "key": "0" * 32, "seat": "1", "points": "5", "reason": "x"}
        )
        assert is_asked_to_sign_in(answer)
        assert pool.page(name) not in page
    assert pool.version == 2


@pytest.mark.django_db
def test_a_cards_page_shows_no_way_into_the_back_office(pool: Evening):
    device = device_with(card_for(pool))
    for name in ("score", "sheet", "log"):
        page = device.get(pool.page(name)).content.decode()
        links = {link for link in page.split('"') if link.startswith("/admin/")}
        assert all(link.startswith(f"/admin/tournaments/table/{pool.table.pk}/") for link in links), links
        assert "/c/asha/t/" in page


def test_a_cards_actor_may_do_a_scorers_actions_at_its_table_and_none_without_naming_it():
    club, table = uuid4(), uuid4()
    actor = card_actor(uuid4(), TableRef(club=club, table=table))
    assert {permission for permission in Permission if may(actor, permission, club, table=table)} == set(TABLE_CARD)
    assert not any(may(actor, permission, club) for permission in Permission)
    assert not any(may(actor, permission, club, table=uuid4()) for permission in Permission)
    assert not any(may(actor, permission, uuid4(), table=table) for permission in Permission)
    assert clubs_of(actor) == []


@pytest.mark.django_db
def test_the_code_stands_on_the_directors_print_and_nowhere_else(
    pool: Evening, dita: Client, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    printed = dita.post(pool.page("cards"), {"key": str(uuid4())})
    page = printed.content.decode()
    token = TableToken.objects.get(table=pool.table)
    parts = page[page.index("and this code") :].partition("</code>")[0]
    secret = "".join(parts.split("<span>")[1:]).replace("</span>", "")
    assert CODE.fullmatch(secret)
    assert "no-store" in printed.headers["Cache-Control"]
    device = Client()
    answers = [types_code(device, pool, secret), types_code(device, pool, f"{secret}x"), device.get("/table/asha/1/")]
    answers += [device.get(pool.page(name)) for name in ("score", "sheet", "log")]
    answers += [dita.get(pool.page("cards")), dita.get("/admin/"), device.post(pool.score_url, {"code": secret})]
    for answer in answers:
        assert secret not in answer.content.decode()
        assert secret not in str(answer.headers)
        assert secret not in str(answer.cookies)
        assert answer.headers["Referrer-Policy"] == "same-origin"
    assert secret not in caplog.text
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM tournaments_tabletoken")
        assert secret not in str(cursor.fetchall())
    assert token.digest not in page


@pytest.mark.django_db
def test_the_exchange_is_kept_in_no_cache(pool: Evening):
    for answer in (Client().get("/table/"), hand_over(Client(), card_for(pool).secret), hand_over(Client(), "x")):
        assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.django_db
def test_the_secret_is_not_in_the_report_of_a_crash(pool: Evening, monkeypatch: pytest.MonkeyPatch, caplog: Any):
    caplog.set_level(logging.DEBUG)
    secret = card_for(pool).secret

    def crash(*_: object, **__: object) -> None:
        raise RuntimeError("the database left")

    monkeypatch.setattr("tournaments.web.admin.tables.card_exchange.card_by_digest", crash)
    answer = hand_over(Client(raise_request_exception=False), secret)
    assert answer.status_code == 500
    assert str(secret) not in answer.content.decode()
    assert str(secret) not in caplog.text
