"""Pages that a card does not open, from the URL patterns of the whole site, and where its secret must not be left.

Planted faults that this catches: a page of a table opened to cards without being meant to answers otherwise than to a
stranger; a card's actor with a role in the club passes `may` for the next table.
"""

import logging
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from tests.builders.admin_tables import Evening, evening_at, sheet
from tests.builders.table_cards import CODE, card_for, device_with, hand_over, is_asked_to_sign_in, types_code
from tests.builders.there import there
from tournaments.models import Club, TableToken
from tournaments.models.log import Event
from tournaments.people.permissions import TABLE_CARD, Permission, TableRef, card_actor, clubs_of, may

OPEN_TO_A_CARD = {
    f"admin:tournaments_table_{page}"
    for page in (
        *("score", "preview", "sheet", "log", "correct"),
        *("void", "rejoin", "split", "buy_in", "leave", "close", "time", "hand"),
        *("confirm", "dispute", "words", "device"),
    )
}


def every_route() -> list[tuple[str, dict[str, Any]]]:
    """The full name of every address of the site, with the converters of its words."""

    def walk(
        patterns: list[URLPattern | URLResolver], spaces: tuple[str, ...], words: dict[str, Any]
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        for pattern in patterns:
            here = {**words, **pattern.pattern.converters}
            if isinstance(pattern, URLResolver):
                inner = (*spaces, pattern.namespace) if pattern.namespace else spaces
                yield from walk(pattern.url_patterns, inner, here)
            elif pattern.name:
                yield ":".join((*spaces, pattern.name)), here

    return list(walk(get_resolver().url_patterns, (), {}))


def address(name: str, words: dict[str, Any], evening: Evening) -> str | None:
    """The route's address for the objects of this very table and club."""
    player = evening.table.seats.all()[0].player_id
    known = {
        "table_id": evening.table.pk,
        "tournament_id": evening.tournament.pk,
        "player_id": player,
        "club_id": evening.club.pk,
        "card_id": TableToken.objects.all()[0].pk,
        "club_slug": evening.club.slug,
        "slug": evening.tournament.slug,
    }
    models = {"club": evening.club.pk, "tournament": evening.tournament.pk, "table": evening.table.pk, "player": player}
    model = name.rpartition(":")[2].split("_")[1:2]
    whole = {"uuid": evening.table.pk, "int": 1, "small": 1, "path": models.get("".join(model), uuid4())}
    filled = {
        word: known.get(
            word, whole.get(type(how).__name__.replace("Converter", "").lower().replace("smallnumber", "small"), "x")
        )
        for word, how in words.items()
    }
    try:
        return reverse(name, kwargs=filled)
    except NoReverseMatch:
        return None


ROUTES = every_route()


def told(answer: Any) -> tuple[int, str]:
    return answer.status_code, str(answer.headers.get("Location", ""))


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.usefixtures("undrawn")
def test_every_other_route_answers_a_card_as_it_answers_a_stranger(pool: Evening):
    pool.deal(1, show="1", s2=10, s3=20, s4=30)
    device = device_with(card_for(pool))
    before, tried, otherwise = Event.objects.count(), 0, []
    typed = {**sheet(2, s1="show", c2="1", c3="1", c4="1", deal=2), "reason": "x", "seat": "2", "points": "5"}
    for name, words in ROUTES:
        if name in OPEN_TO_A_CARD or (url := address(name, words, pool)) is None:
            continue
        tried += 1
        for ask in (lambda who, at=url: who.get(at), lambda who, at=url: who.post(at, typed)):
            if told(ask(device)) != told(ask(Client())):
                otherwise.append(name)
    assert otherwise == []
    assert tried > 90
    assert Event.objects.count() == before


@pytest.mark.slow
@pytest.mark.django_db
def test_the_pages_that_a_card_opens_are_closed_to_it_at_the_next_table(pool: Evening, club: Club):
    device = device_with(card_for(pool))
    other = evening_at(club, names=("Eli", "Fay"), name="Saturday")
    words = dict(ROUTES)
    for name in sorted(OPEN_TO_A_CARD):
        mine, theirs = there(address(name, words[name], pool)), there(address(name, words[name], other))
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
