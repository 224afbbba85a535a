"""One's own login, and a password that was forgotten: with a mail server and without one."""

import threading
from datetime import timedelta
from typing import Any
from unittest.mock import Mock
from urllib.parse import unquote

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.contrib.auth import SESSION_KEY, get_user_model
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils.timezone import now

from rummy_site.authentication import sign_in as sign_in_module
from rummy_site.environment import mail_server
from tests.builders.admin_tables import club_called, person
from tests.builders.patience import PATIENCE
from tournaments.models import ApiToken, FailedAttempts, Role
from tournaments.people.access import issue_token
from tournaments.people.invitations import make_password_link

PASSWORD, NEW = "a long pass phrase", "nine of clubs, twice"
YOURS, FORGOTTEN = "/admin/account/", "/admin/account/forgotten/"
pytestmark = pytest.mark.django_db


@pytest.fixture
def posted(settings: Any) -> None:
    settings.HAS_MAIL_SERVER = True


@pytest.fixture
def olga() -> Any:
    return person("olga", Role.OWNER, club_called("Home", "home"), email="Olga@home.example", first_name="Olga")


def signed_in(user: Any) -> Client:
    """A browser that has just signed in."""
    client = Client()
    assert sign_in(client, user.username).status_code == 302
    return client


def sign_in(client: Client, name: str, password: str = PASSWORD) -> Any:
    return client.post("/admin/login/", {"username": name, "password": password})


def mailed_link(number: int = 1) -> str:
    """The address in the last mail; mails for new passwords are sent beside the request."""
    for thread in threading.enumerate():
        if thread.name == "mail":
            thread.join(PATIENCE)
    assert len(mail.outbox) == number
    return next(line for line in str(mail.outbox[-1].body).splitlines() if line.startswith("http://testserver"))


def ask_for_link(email: str, *, address: str = "10.0.0.1") -> Any:
    return Client().post(FORGOTTEN, {"email": email}, REMOTE_ADDR=address)


def test_one_signs_in_with_the_address_in_any_capitals_unless_two_logins_have_it(client: Client, olga: Any):
    """Planted faults: the first of two logins; a name with an @ that is taken for another's address."""
    assert sign_in(client, "olga@home.EXAMPLE").status_code == 302
    person("olga@home.example", Role.SCORER, club_called("Other", "other"))
    assert sign_in(Client(), "olga@home.example").status_code == 302
    other = Client()
    sign_in(other, "olga@home.example")
    assert get_user_model().objects.get(pk=other.session[SESSION_KEY]).username == "olga@home.example"
    person("olga2", email="olga@home.example")
    assert sign_in(Client(), "Olga@home.example").status_code == 200


@pytest.mark.usefixtures("posted")
def test_a_forgotten_password_on_a_saturday(olga: Any):
    """Planted faults: device links and sessions of the old password that go on; a link that works twice."""
    elsewhere = signed_in(olga)
    token, _ = issue_token(
        olga.memberships.get().id, olga.memberships.get().club, user_id=olga.pk, role=Role.OWNER, name="t"
    )
    assert ask_for_link("olga@home.example")["Location"] == FORGOTTEN + "sent/"
    link = mailed_link()
    assert "Your login name is olga." in str(mail.outbox[-1].body)
    browser = Client()
    page = browser.get(link, follow=True)
    key = link.partition("key=")[2]
    assert key
    assert all(key.partition("-")[2] not in address for address, _ in page.redirect_chain), "no log has the key"
    assert browser.post(page.context["action_url"], {"new_password1": NEW, "new_password2": "x"}).status_code == 422
    done = browser.post(page.context["action_url"], {"new_password1": NEW, "new_password2": NEW}, follow=True)
    assert done.redirect_chain[-1][0] == "/admin/login/"
    assert SESSION_KEY not in browser.session, "the second factor, if there is one, is asked for all the same"
    assert sign_in(browser, "olga", NEW).status_code == 302
    assert browser.get("/admin/account/codes/add/").status_code == 200, "an address needs no row of allauth's"
    assert not EmailAddress.objects.exists()
    assert elsewhere.get("/admin/").status_code == 302
    assert ApiToken.objects.get(pk=token.pk).revoked_at is not None
    assert Client().get(link, follow=True).context["token_fail"]


@pytest.mark.usefixtures("posted")
def test_a_mail_goes_to_the_address_of_the_login_and_letters_that_look_alike_are_others(olga: Any, monkeypatch: Any):
    """Planted faults: mailed to what was typed; a dotless letter that a database takes for the login's."""
    monkeypatch.setattr(sign_in_module, "User", Mock(objects=Mock(filter=lambda **_: Mock(exclude=lambda **_: [olga]))))
    assert sign_in_module.logins_with("ol\u0261a@home.example") == []
    assert sign_in_module.logins_with("OLGA@home.example") == [olga]
    ask_for_link("OLGA@HOME.example")
    mailed_link()
    assert mail.outbox[-1].to == ["Olga@home.example"]


@pytest.mark.usefixtures("posted")
def test_a_new_password_ends_links_of_before_and_lets_its_owner_in(olga: Any):
    """Planted faults: a mailed address, or a link to a new password, of whoever knew the old one; a lock that stays."""
    thief = signed_in(olga)
    thief.post(YOURS, {"do": "details", "first_name": "Olga", "email": "thief@other.example"})
    confirmation = mailed_link()
    link, code = make_password_link(olga, now=now())
    for name in ("olga", "olga@home.example"):
        assert [sign_in(Client(), name, "a guess").status_code for _ in range(5)][-1] == 429
    factor = FailedAttempts(kind="factor", place=f"login:{olga.pk}", failures=9, free_at=now(), lapses_at=now())
    factor.save()
    olga.set_password(NEW)
    olga.save()
    token = confirmation.partition("token=")[2]
    Client().post("/admin/account/address/", {"token": unquote(token)})
    olga.refresh_from_db()
    assert olga.email == "Olga@home.example"
    link.refresh_from_db()
    assert link.revoked_at is not None
    assert Client().post("/join/", {"code": code}).status_code == 403
    assert not FailedAttempts.objects.filter(pk=factor.pk).exists()
    assert [sign_in(Client(), name, NEW).status_code for name in ("olga", "olga@home.example")] == [302, 302]


def test_the_link_that_chooses_a_new_password_is_used_and_its_owner_known_there(olga: Any):
    """Planted faults: a link that ends itself before it was used; a device that guesses of others lock out."""
    link, code = make_password_link(olga, now=now())
    phone = Client()
    phone.post("/join/", {"code": code})
    assert phone.post("/join/open/", {"password": NEW})["Location"] == "/admin/"
    link.refresh_from_db()
    assert (link.used_by, link.used_at is not None, link.revoked_at) == (olga, True, None)
    assert "known_device" in phone.cookies


@pytest.mark.usefixtures("posted")
def test_a_link_for_a_new_password_ends_after_a_day(olga: Any):
    ask_for_link("olga@home.example")
    link = mailed_link()
    with time_machine.travel(now() + timedelta(hours=25)):
        assert Client().get(link, follow=True).context["token_fail"]
    for odd in ("", "?key=", "?key=x", "?key=../admin/-y", "?key=zz-" + "y" * 5_000):
        assert Client().get("/admin/account/forgotten/link/" + odd, follow=True).status_code == 200


@pytest.mark.usefixtures("posted")
def test_no_answer_tells_whether_an_address_has_a_login(olga: Any):
    """Planted faults: another answer, or another limit, where there is no login; a mail to somebody without one."""
    inactive = person("ivo", Role.SCORER, olga.memberships.get().club, email="ivo@home.example")
    inactive.is_active = False
    inactive.save()
    answers = {}
    for number, email in enumerate(("olga@home.example", "nobody@home.example", "ivo@home.example")):
        asked = [ask_for_link(email, address=f"10.0.{number}.{place}") for place in range(6)]
        answers[email] = [(answer.status_code, answer.headers.get("Location")) for answer in asked]
    assert len({str(said) for said in answers.values()}) == 1
    assert [status for status, _ in answers["olga@home.example"]] == [302] * 5 + [429]
    mailed_link(5)
    assert {tuple(message.to) for message in mail.outbox} == {("Olga@home.example",)}


@pytest.mark.slow
@pytest.mark.usefixtures("posted", "olga")
def test_requests_for_many_addresses_are_limited_for_each_place():
    asked = [ask_for_link(f"name{number}@home.example").status_code for number in range(22)]
    assert asked == [302] * 20 + [302, 429]


def test_without_a_mail_server_the_sign_in_page_says_whom_to_ask(client: Client):
    assert client.get("/admin/login/").context["has_mail"] is False
    for page in ("", "sent/", "link/?key=a-b", "1/set-password/"):
        assert client.get(FORGOTTEN + page).status_code == 404
    assert client.get("/admin/account/address/?token=x").status_code == 404


@pytest.mark.usefixtures("posted")
def test_a_new_address_is_used_once_its_link_was_opened(olga: Any):
    """Planted fault: a mistyped address used at once, to which whoever has that mailbox asks for a password."""
    client = signed_in(olga)
    typed = {"do": "details", "first_name": "Olga Rao", "email": "olga@new.example"}
    assert client.post(YOURS, typed).status_code == 302
    olga.refresh_from_db()
    assert (olga.email, olga.first_name) == ("Olga@home.example", "Olga Rao")
    link = mailed_link()
    assert mail.outbox[-1].to == ["olga@new.example"]
    token = client.get(link).context["token"]
    olga.refresh_from_db()
    assert olga.email == "Olga@home.example", "programs that look at mail open links"
    assert client.post(link.partition("?")[0], {"token": token}).status_code == 302
    olga.refresh_from_db()
    assert olga.email == "olga@new.example"
    assert client.get(link).templates[0].name == "admin/account/notice.html"
    assert Client().post("/admin/account/address/", {"token": "x"}).status_code == 200


def test_an_address_is_changed_by_whoever_knows_the_password(olga: Any):
    """Planted fault: a session left open, in which somebody sets an address to have the password mailed to."""
    client = Client()
    client.force_login(olga)
    typed = {"do": "details", "first_name": "Olga", "email": "thief@other.example"}
    asked = client.post(YOURS, typed)
    assert asked["Location"].startswith("/admin/account/confirm/")
    olga.refresh_from_db()
    assert olga.email == "Olga@home.example"
    assert client.post(YOURS, {**typed, "email": "Olga@home.example", "first_name": "O"}).status_code == 302
    olga.refresh_from_db()
    assert olga.first_name == "O"
    client.post(YOURS, typed)
    assert client.post(asked["Location"], {"password": PASSWORD}).status_code == 302
    olga.refresh_from_db()
    assert olga.email == "thief@other.example", "what was typed is saved after the password"


def test_without_mail_nobody_takes_the_address_of_another_login(olga: Any):
    """Planted fault: two logins with one address, so that its owner cannot sign in with it."""
    client = signed_in(person("eve", Role.SCORER, olga.memberships.get().club, email="eve@home.example"))
    typed = {"do": "details", "first_name": "Eve"}
    taken = client.post(YOURS, {**typed, "email": "OLGA@home.example"})
    assert (taken.status_code, list(taken.context["form"].errors)) == (422, ["email"])
    assert client.post(YOURS, {**typed, "email": "Eve@home.example"}).status_code == 302


@pytest.mark.usefixtures("posted")
def test_a_mail_that_cannot_be_sent_is_told_at_the_field(olga: Any, settings: Any):
    """Planted fault: saved, although no link ever comes."""
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = (
        "django.core.mail.backends.smtp.EmailBackend",
        "127.0.0.1",
        1,
    )
    client = signed_in(olga)
    answer = client.post(YOURS, {"do": "details", "first_name": "New", "email": "olga@new.example"})
    assert answer.status_code == 422
    assert "email" in answer.context["form"].errors
    olga.refresh_from_db()
    assert olga.first_name == "Olga"
    assert client.post(YOURS, {"do": "details", "email": "no address"}).status_code == 422


def test_sign_out_elsewhere_ends_all_other_sessions_of_this_login_alone(olga: Any):
    """Planted fault: the sessions of everybody, or one's own."""
    here, there = signed_in(olga), signed_in(olga)
    other = signed_in(person("dita", Role.DIRECTOR, olga.memberships.get().club))
    assert here.post(YOURS, {"do": "elsewhere"}).status_code == 302
    assert [client.get("/admin/").status_code for client in (here, other, there)] == [200, 200, 302]
    assert Session.objects.count() == 2


def test_a_login_that_may_not_open_the_back_office_has_no_page_and_no_way_in(client: Client):
    """Planted fault: a passkey, or a session, that opens pages to somebody without Django's staff status."""
    guest = person("guest")
    guest.is_staff = False
    guest.save()
    client.force_login(guest)
    assert client.get(YOURS)["Location"] == "/admin/login/"
    assert client.get("/admin/login/").status_code == 200
    assert sign_in(Client(), "guest").status_code == 200


def test_the_address_of_a_mail_server_is_read_once_at_the_start():
    has_mail, settings = mail_server("smtp+tls://club:p%40ss@mail.example:587")
    assert (has_mail, settings["EMAIL_HOST"], settings["EMAIL_HOST_PASSWORD"], settings["EMAIL_USE_TLS"]) == (
        *(True, "mail.example", "p@ss", True),
    )
    assert mail_server("") == (False, {})
    assert mail_server("smtp://localhost")[0]
    assert "EMAIL_PORT" not in mail_server("smtp://localhost")[1], "Django's own"
    for odd in ("mail.example", "gopher://x:secret@y"):
        with pytest.raises(ImproperlyConfigured) as refused:
            mail_server(odd)
        assert "secret" not in str(refused.value)
