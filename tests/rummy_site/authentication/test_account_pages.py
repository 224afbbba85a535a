"""The addresses of signing in: those that are meant, and nothing of what allauth and Django have besides."""

import re
import subprocess
import sys
from datetime import timedelta
from importlib import import_module

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils.timezone import now

from rummy_site.authentication.pages import OPEN_TO_STRANGERS
from rummy_site.authentication.urls import urlpatterns
from rummy_site.worker import periodic
from tests.builders.admin_tables import club_called, person
from tournaments.models import Role
from tournaments.people.invitations import last_seen

pytestmark = pytest.mark.django_db
# Below /admin/, apart from the pages of our rows: `tests.builders.admin_addresses` asks for those.
OURS = re.compile(r"tournaments_\w+ | scoring_\w+ | auth_user_\w+", re.VERBOSE)
OF_THE_ADMIN = {
    "index",
    "people",
    "login",
    "logout",
    "password_change",
    "password_change_done",
    "autocomplete",
    "jsi18n",
    "app_list",
}
OF_ALLAUTH = {
    *("account_login", "account_logout", "account_change_password", "account_reauthenticate", "account_email"),
    *("account_reset_password", "account_reset_password_done", "account_reset_password_from_key"),
    *("account_reset_password_from_key_done", "account_confirm_email", "reset_link"),
    *("mfa_index", "mfa_authenticate", "mfa_reauthenticate", "mfa_reauthenticate_webauthn", "mfa_login_webauthn"),
    *("mfa_activate_totp", "mfa_deactivate_totp", "mfa_view_recovery_codes", "mfa_generate_recovery_codes"),
    *("mfa_list_webauthn", "mfa_add_webauthn", "mfa_edit_webauthn", "mfa_remove_webauthn"),
}


def names_below(prefix: str) -> set[str]:
    """The names of all addresses that begin with this."""
    names: set[str] = set()

    def walk(patterns: list[URLPattern | URLResolver], before: str) -> None:
        for pattern in patterns:
            address = before + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                walk(pattern.url_patterns, address)
            elif address.startswith(prefix) and pattern.name:
                names.add(pattern.name)

    walk(get_resolver().url_patterns, "")
    return names


def test_no_page_of_django_or_allauth_is_there_that_nobody_meant():
    """Planted faults: groups and permissions; rows of allauth as raw pages; signing up; a list of addresses."""
    names = {name for name in names_below("admin/") if not OURS.fullmatch(name)}
    assert names == OF_THE_ADMIN | OF_ALLAUTH
    apps = {model._meta.app_label for model in admin.site._registry}
    assert apps == {"scoring", "tournaments"}


@pytest.mark.parametrize("path", ["groups/", "group/", "permission/"])
def test_raw_pages_of_logins_stay_gone(client: Client, path: str):
    client.force_login(person("root", is_superuser=True))
    assert client.get(f"/admin/auth/{path}").status_code == 404
    assert client.get("/admin/mfa/authenticator/").status_code == 404


def test_a_page_that_is_for_people_who_are_signed_in_leads_others_to_the_door(client: Client):
    """Planted fault: a page of one's own login that answers a visitor."""
    for path in ("", "confirm/", "codes/add/", "codes/remove/", "recovery/", "recovery/new/", "passkeys/add/"):
        answer = client.get(f"/admin/account/{path}")
        assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, "/admin/login/"), path
    assert client.get("/admin/account/code/")["Location"] == "/admin/login/"


def test_what_a_stranger_sends_to_a_page_of_ones_own_login_is_not_kept(client: Client):
    """Planted fault: each post is stored in a session of its own, as long as the sender likes."""
    names = [
        route.name for route in urlpatterns if route.name not in OPEN_TO_STRANGERS and not route.pattern.converters
    ]
    for name in names:
        client.post(reverse(name), {"code": "x" * 1_000}, headers={"Sec-Fetch-Site": "cross-site"})
    assert len(names) > 8
    assert not Session.objects.exists()


def test_ended_sessions_are_deleted_by_the_worker_and_nobody_was_seen_in_them(client: Client):
    sam = person("sam")
    client.force_login(sam)
    Session.objects.update(expire_date=now() - timedelta(hours=1))
    assert last_seen([sam]) == {sam.pk: sam.last_login}
    periodic._forget()
    assert not Session.objects.exists()


def test_the_keys_of_others_are_not_there(client: Client):
    club = club_called("Home", "home")
    sam, eve = person("sam", Role.SCORER, club), person("eve", Role.SCORER, club)
    key = Authenticator.objects.create(user=sam, type=Authenticator.Type.WEBAUTHN, data={"name": "k", "credential": {}})
    client.post("/admin/login/", {"username": eve.username, "password": "a long pass phrase"})
    for page in ("edit", "remove"):
        assert client.get(f"/admin/account/passkeys/{key.pk}/{page}/").status_code == 404
        assert client.post(f"/admin/account/passkeys/{key.pk}/{page}/", {"name": "mine"}).status_code == 404
    assert Authenticator.objects.filter(user=sam).count() == 1


def test_every_page_says_what_it_is_for_and_is_kept_by_no_cache(client: Client):
    purposes = [purpose for route in urlpatterns if (purpose := getattr(route.callback, "purpose", ""))]
    assert max(map(len, purposes)) <= 90
    assert all(purpose.endswith(".") for purpose in purposes)
    client.force_login(person("sam", Role.SCORER, club_called("Home", "home")))
    page = client.get("/admin/account/")
    assert "no-store" in page["Cache-Control"]
    assert page.context["purpose"] in purposes


def test_pages_of_the_public_get_no_session_and_no_cookie(client: Client):
    """Planted fault: allauth's middleware reads the session of whoever looks at a leaderboard."""
    club = club_called("Home", "home")
    answer = client.get(f"/c/{club.slug}/")
    assert answer.status_code == 200
    assert "sessionid" not in answer.cookies
    assert client.get("/c/nobody/").status_code == 404
    assert not Session.objects.exists()


def test_libraries_of_passkeys_are_loaded_with_their_pages():
    """Planted fault: an import at the top, which every process pays for. Tried in a fresh interpreter."""
    code = (
        "import django, sys; django.setup(); from django.urls import reverse; reverse('admin:index');"
        "import rummy_site.authentication.stages;"
        "print([name for name in ('fido2', 'qrcode', 'requests', 'jwt', 'cryptography') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert import_module("fido2")
