"""A site whose settings name a service that speaks OpenID Connect: a process of its own, asked as browsers ask.

`python -m tests.builders.openid_visits` writes what became of each visit as one line of JSON.
"""

import json
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402 (apps must be loaded first)
from django.contrib.auth import SESSION_KEY, get_user_model  # noqa: E402 (apps must be loaded first)
from django.core.management import call_command  # noqa: E402 (as above)
from django.test import Client  # noqa: E402 (as above)
from django.test.utils import setup_test_environment  # noqa: E402 (as above)
from django.utils.timezone import now  # noqa: E402 (as above)

from tests.builders.openid_service import code_for  # noqa: E402 (as above)
from tournaments.people.invitations import choose_password, make_password_link  # noqa: E402 (as above)

USER = get_user_model()
PASSWORD = "a long pass phrase"
VERIFIED = {"email": "olga@home.example", "email_verified": True}


def visit(client: Client, code: str, *, query: str = "") -> str:
    """Who is signed in after the service has sent somebody back with this code; empty for nobody."""
    there = client.get(query if query.startswith("/") else f"/admin/account/openid/openid/{query}")
    if "state=" not in there["Location"]:
        return there["Location"]
    state = there["Location"].partition("state=")[2].partition("&")[0]
    client.get("/admin/account/openid/openid/back/", {"code": code, "state": state})
    key = client.session.get(SESSION_KEY)
    return str(USER.objects.get(pk=key).get_username()) if key else ""


def main() -> dict[str, Any]:
    """Every visit by its name."""
    for name, staff in (("olga", True), ("guest", False)):
        USER.objects.create_user(name, f"{name}@home.example", PASSWORD, is_staff=staff)
    said: dict[str, Any] = {
        "verified": visit(Client(), code_for(sub="1", **VERIFIED)),
        "in capitals": visit(Client(), code_for(sub="1", email="OLGA@home.example", email_verified="true")),
        "not verified": visit(Client(), code_for(sub="1", email="olga@home.example", email_verified=False)),
        "of nobody": visit(Client(), code_for(sub="2", email="eve@other.example", email_verified=True)),
        "no staff": visit(Client(), code_for(sub="3", email="guest@home.example", email_verified=True)),
        "without an address": visit(Client(), code_for(sub="4")),
        "refused": visit(Client(), "refused"),
    }
    client = Client()
    client.get("/admin/account/openid/openid/back/", {"code": code_for(sub="1", **VERIFIED), "state": "made up"})
    said["a state of another browser"] = client.session.get(SESSION_KEY, "")
    client = Client()
    client.post("/admin/login/", {"username": "olga", "password": PASSWORD})
    assert client.get("/admin/account/").context["is_connected"] is False
    stranger = Client()
    stranger.post("/admin/login/", {"username": "olga", "password": PASSWORD})
    foreign = stranger.get("/admin/account/").context["openid_url"]
    own = code_for(sub="own", email="olga@elsewhere.example", email_verified=False)
    said["sent from another site"] = [visit(client, own, query=query) for query in ("?process=connect", foreign)]
    assert client.get("/admin/account/").context["is_connected"] is False
    visit(client, own, query=client.get("/admin/account/").context["openid_url"])
    said["before the password"] = client.get("/admin/account/").context["is_connected"]
    client.post("/admin/account/confirm/", {"password": PASSWORD})
    said["is connected"] = client.get("/admin/account/").context["is_connected"]
    said["connected"] = visit(Client(), code_for(sub="own"))
    client.post("/admin/account/disconnect/")
    said["disconnected"] = visit(Client(), code_for(sub="own"))
    visit(client, own, query=client.get("/admin/account/").context["openid_url"])
    assert client.get("/admin/account/").context["is_connected"]
    link, _ = make_password_link(USER.objects.get(username="olga"), now=now())
    choose_password(link.pk, PASSWORD, now=now())
    said["after a new password"] = visit(Client(), code_for(sub="own"))
    USER.objects.create_user("twin", "olga@home.example", PASSWORD, is_staff=True)
    said["two logins"] = visit(Client(), code_for(sub="1", **VERIFIED))
    client = Client()
    app: Any = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
    app[0]["settings"]["server_url"] = "http://127.0.0.1:1"
    away = client.get("/admin/account/openid/openid/", follow=True)
    said["away"] = [away.redirect_chain[-1][0], [str(message) for message in away.context["messages"]]]
    said["logins"] = USER.objects.count()
    return said


if __name__ == "__main__":
    setup_test_environment()
    call_command("migrate", verbosity=0)
    print(json.dumps(main()))
