"""Typed input survives the end of the session: kept, shown, and sent again with one click after signing in.

Planted faults that this catches: the redirect to the sign-in that drops the form; a password among the kept input; a
form of another site offered with a fresh token.
"""

import threading
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings as django_settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.utils.timezone import now

from tests.builders.admin_tables import Evening, evening_at, person, sheet
from tests.builders.page_forms import PageForm, Values, forms_in, opened
from tests.builders.page_text import html, refusal_of
from tests.builders.patience import PATIENCE
from tests.builders.table_cards import card_for, device_with
from tournaments.models import Club, Player, Role
from tournaments.models.log import Event
from tournaments.tables.commands.table_tokens import revoke_card
from tournaments.web.admin.base.carried_typing import KEPT, MOST_TYPED, SubmittedForm

pytestmark = pytest.mark.django_db
DEAL: dict[str, Any] = {"s1": "show", "c2": "45", "c3": "10", "c4": "7"}
HERE = {"Origin": "http://testserver"}


@pytest.fixture(autouse=True)
def fresh_counters() -> None:
    cache.clear()


@pytest.fixture
def browser(club: Club) -> Client:
    """A browser with CSRF checks, as for all visitors, with Dita signed in."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(person("dita", Role.DIRECTOR, club))
    return client


def bo_renamed(browser: Client) -> tuple[Player, str, Values]:
    """A player, the page of theirs that is open, and what it would send after the change of their name."""
    bo = Player.objects.get(name="Bo")
    url = f"/admin/tournaments/player/{bo.pk}/change/"
    return bo, url, {**opened(browser, url).values(), "name": ["Bo Kumar"]}


def form_with(page: str, name: str) -> PageForm:
    return next(form for form in forms_in(page) if form.has(name))


def signed_in_with(client: Client, page: str) -> Any:
    """Fill the sign-in that a page offers, and send it."""
    form = form_with(page, "username")
    return client.post(form.action, {**form.values(), "username": "dita", "password": "a long pass phrase"})


def end_session(client: Client) -> None:
    Session.objects.all().delete()


@pytest.mark.slow
def test_a_player_renamed_after_the_session_had_ended_is_renamed_after_signing_in(browser: Client, pool: Evening):
    """A wrong password in between loses nothing."""
    bo, url, typed = bo_renamed(browser)
    end_session(browser)
    late = browser.post(url, typed)
    assert late.status_code == 403
    assert "Not saved: you are signed out" in html(late)
    assert "Bo Kumar" in html(late)
    assert late.headers["Cache-Control"] == "no-store"
    form = form_with(html(late), "username")
    wrong = browser.post(form.action, {**form.values(), "username": "dita", "password": "wrong"})
    assert wrong.status_code == 200
    again = signed_in_with(browser, html(wrong))
    assert "Not saved yet" in html(again)
    assert "Name, public name and credit limit of one player." in html(again)
    assert Player.objects.get(pk=bo.pk).name == "Bo"
    form = form_with(html(again), "name")
    assert form.action == url
    assert browser.post(form.action, form.values()).status_code == 302
    assert Player.objects.get(pk=bo.pk).name == "Bo Kumar"


def test_a_deal_sent_after_the_session_had_ended_is_read_seat_by_seat_and_recorded_once(browser: Client, pool: Evening):
    """Planted fault: the fields of the form listed one by one, by names that only the code uses."""
    typed = {**opened(browser, pool.score_url, having="key").values(), **sheet(1, **DEAL), "wild": "7H"}
    end_session(browser)
    late = html(browser.post(pool.score_url, typed))
    for line in (
        "Seat 1</bdi></dt><dd><bdi>Show<",
        "Seat 2</bdi></dt><dd><bdi>45<",
        "Wild joker</bdi></dt><dd><bdi>7H<",
    ):
        assert line in late
    assert "deal_recorded" not in late.partition("kept-fields")[2].partition("</dl>")[0]
    form = form_with(html(signed_in_with(browser, late)), "key")
    for _ in ("sent", "sent again"):
        assert browser.post(form.action, form.values()).status_code == 302
    assert Event.objects.filter(stream_id=pool.table.pk, kind="deal_recorded").count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("come_from", [HERE, {"Referer": "http://testserver/admin/"}])
def test_a_form_sent_without_any_cookie_is_offered_again_after_signing_in(
    browser: Client, pool: Evening, come_from: dict[str, str]
):
    """Cookies were cleared. Planted fault: kept only where some token was sent along."""
    bo, url, typed = bo_renamed(browser)
    browser.cookies.clear()
    again = signed_in_with(browser, refusal_of(browser.post(url, typed, headers=come_from), 403))
    form = form_with(html(again), "name")
    assert Player.objects.get(pk=bo.pk).name == "Bo"
    assert browser.post(form.action, form.values()).status_code == 302
    assert Player.objects.get(pk=bo.pk).name == "Bo Kumar"


@pytest.mark.slow
def test_a_form_of_before_a_second_sign_in_is_offered_again(browser: Client, pool: Evening):
    bo, url, typed = bo_renamed(browser)
    login = opened(Client(), "/admin/login/", having="username")
    assert login.has("password")
    browser.get("/admin/logout/")
    browser.cookies.pop(django_settings.CSRF_COOKIE_NAME)
    browser.get(url)
    form = form_with(refusal_of(browser.post(url, typed, headers=HERE), 403), "name")
    assert Player.objects.get(pk=bo.pk).name == "Bo"
    assert browser.post(form.action, form.values()).status_code == 302
    assert Player.objects.get(pk=bo.pk).name == "Bo Kumar"


def test_what_another_site_sends_is_not_offered_to_anybody(browser: Client, pool: Evening):
    """Without Origin and Referer a form may come from there: a click would do what the other site wants."""
    url = f"/admin/tournaments/player/{Player.objects.get(name='Bo').pk}/change/"
    forged = {"name": "Mallory", "csrfmiddlewaretoken": "x" * 64}
    browser.get(url)
    for come_from in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://testserver", "Sec-Fetch-Site": "cross-site"},
        {"Referer": "https://evil.example/http://testserver/"},
        {},
    ):
        assert "Mallory" not in refusal_of(browser.post(url, forged, headers=come_from), 403), come_from
    browser.cookies.clear()
    assert "kept" not in refusal_of(browser.post(pool.score_url, DEAL), 403)


def test_neither_a_password_nor_a_file_nor_more_than_a_page_takes_is_kept(browser: Client, pool: Evening):
    url = "/admin/password_change/"
    token = opened(browser, url, having="old_password").named("csrfmiddlewaretoken").value
    end_session(browser)
    secret = {"csrfmiddlewaretoken": token, "old_password": "my secret", "new_password1": "n", "new_password2": "n"}
    assert browser.post(url, secret).status_code == 302
    long = {"csrfmiddlewaretoken": token, "names": "x" * (MOST_TYPED + 1)}
    assert browser.post("/admin/tournaments/player/add/", long).status_code == 302


def test_a_form_of_ones_own_making_or_of_another_browser_is_not_offered_after_a_sign_in(browser: Client, pool: Evening):
    """Planted fault: kept for anybody; a form of a stranger was offered to whoever signed in next."""
    _, url, typed = bo_renamed(browser)
    end_session(browser)
    of_another = form_with(html(browser.post(url, typed)), "username").values()[KEPT]
    for kept in ("made:up", of_another):
        client = Client()
        form = opened(client, "/admin/login/", having="username")
        sent = {**form.values(), "username": "dita", "password": "a long pass phrase", KEPT: kept}
        answer = client.post(form.action, sent)
        assert (answer.status_code, answer["Location"]) == (302, "/admin/")


@pytest.mark.slow
@pytest.mark.parametrize("by", ["card", "login"])
def test_a_deal_sent_with_a_card_that_has_ended_is_offered_again(pool: Evening, club: Club, by: str):
    person("dita", Role.DIRECTOR, club)
    old = card_for(pool)
    device = device_with(old)
    revoke_card(old.token.pk, now=now())
    late = refusal_of(device.post(pool.score_url, sheet(1, **DEAL)), 403)
    if by == "login":
        again = signed_in_with(device, late)
    else:
        form = form_with(late, "code")
        again = device.post(form.action, {**form.values(), "code": card_for(pool).secret})
    sent = form_with(html(again), "key")
    assert device.post(sent.action, sent.values()).status_code == 302
    assert Event.objects.filter(stream_id=pool.table.pk, kind="deal_recorded").count() == 1


def test_a_deal_kept_at_one_table_is_not_offered_with_the_card_of_another(pool: Evening):
    """Planted fault: kept input is offered to any user with a table card."""
    other = evening_at(pool.club, name="Second night")
    client, request = Client(), RequestFactory().get("/")
    opened(client, "/admin/login/", having="username")
    request.META["CSRF_COOKIE"] = client.cookies["csrftoken"].value
    kept = SubmittedForm(path=other.score_url, fields=(("deal", "1"), ("c2", "45"))).sealed(request)
    answer = client.post("/table/", {"code": card_for(pool).secret, KEPT: kept})
    assert (answer.status_code, answer["Location"]) == (302, pool.score_url)


@pytest.mark.slow
def test_a_session_in_use_lasts_on_and_one_that_is_left_ends(browser: Client, pool: Evening):
    """Planted fault: with Django's default the session ends 16 hours after signing in, even in use."""
    start = now()
    for hours in (10, 20, 30):
        cache.clear()
        with time_machine.travel(start + timedelta(hours=hours), tick=False):
            answer = browser.get("/admin/")
            assert answer.status_code == 200
            assert answer.cookies[django_settings.SESSION_COOKIE_NAME]["max-age"] == 16 * 3600
    with time_machine.travel(start + timedelta(hours=30 + 17), tick=False):
        assert browser.get("/admin/").status_code == 302


def test_a_look_at_a_page_writes_the_session_at_most_once_in_ten_minutes_and_a_public_one_never(
    browser: Client, pool: Evening
):
    browser.get("/admin/")
    ends = Session.objects.get().expire_date
    assert django_settings.SESSION_COOKIE_NAME not in browser.get("/admin/").cookies
    assert Session.objects.get().expire_date == ends
    cache.clear()
    assert django_settings.SESSION_COOKIE_NAME not in browser.get(f"/c/{pool.club.slug}/").cookies


@pytest.mark.django_db(transaction=True)
def test_a_page_does_not_wait_for_a_locked_database_to_renew_its_session(club: Club):
    """Planted fault: the row updated with the timeout of a command; the page waits as long as the lock is held."""
    client = Client()
    client.force_login(person("dita", Role.DIRECTOR, club))
    client.get("/admin/tournaments/player/")
    cache.clear()
    is_held, is_over = threading.Event(), threading.Event()
    waits = []

    def note_wait(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith('UPDATE "django_session"'):
            asked = "PRAGMA busy_timeout" if connection.vendor == "sqlite" else "SHOW lock_timeout"
            waits.append(connection.connection.execute(asked).fetchone()[0])
        return execute(sql, *rest)

    def hold() -> None:
        try:
            with transaction.atomic():
                Session.objects.update(expire_date=now() + timedelta(hours=1))
                is_held.set()
                is_over.wait(PATIENCE)
        finally:
            connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert is_held.wait(PATIENCE)
        with connection.execute_wrapper(note_wait):
            assert client.get("/admin/tournaments/player/").status_code == 200
    finally:
        is_over.set()
        holder.join()
    assert waits == [0 if connection.vendor == "sqlite" else "50ms"]
    assert client.get("/admin/tournaments/player/").cookies


def test_a_script_whose_cookies_are_gone_gets_no_token_that_replaces_the_one_of_a_page(club: Club):
    """Planted fault: the sign-in page with kept input for every form, so that a sign-in in another tab fails."""
    table = evening_at(club)
    client = Client(enforce_csrf_checks=True)
    for accept, is_given in (("*/*", False), ("text/html,application/xhtml+xml", True)):
        answer = client.post(table.score_url, DEAL, headers={**HERE, "Accept": accept})
        assert answer.status_code == 403
        assert ("csrftoken" in answer.cookies) is is_given
