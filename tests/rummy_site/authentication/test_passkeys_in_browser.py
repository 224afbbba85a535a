"""Passkeys in Chromium, with a device that it plays itself: made, asked for, used alone, and removed."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator

from tests.builders.admin_tables import club_called, person
from tournaments.models import Role

PASSWORD = "a long pass phrase"
pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def virtual_device(page: Any) -> None:
    """A device with a fingerprint, as Chromium's developer tools make one."""
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    tools.send("WebAuthn.addVirtualAuthenticator", {"options": {**options, "isUserVerified": True}})


def test_an_owner_makes_a_passkey_and_signs_in_with_it_alone(page: Any, live_server: Any):
    """Planted faults: a script that the site's policy stops; a passkey that asks for a code too."""
    person("olga", Role.OWNER, club_called("Home", "home", requires_second_factor=True))
    site = live_server.url.replace("127.0.0.1", "localhost")
    virtual_device(page)
    page.goto(f"{site}/admin/login/")
    page.fill("[name=username]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("#login-form button")
    page.wait_for_url(f"{site}/admin/account/")
    page.click("#content a[href$='/passkeys/add/']")
    page.fill("[name=name]", "Olga’s laptop")
    page.click("[data-passkey=make] button")
    page.wait_for_url(f"{site}/admin/account/recovery/")
    assert page.locator(".recovery-codes li").count() == 10
    page.goto(f"{site}/admin/")
    assert page.url == f"{site}/admin/"
    page.click("#logout-form button")
    page.goto(f"{site}/admin/login/?next=/admin/tournaments/player/")
    page.click("[data-passkey=ask] button")
    page.wait_for_url(f"{site}/admin/tournaments/player/")
    page.click("#logout-form button")
    page.goto(f"{site}/admin/login/")
    page.fill("[name=username]", "olga")
    page.fill("[name=password]", PASSWORD)
    page.click("#login-form button")
    page.wait_for_url(f"{site}/admin/account/code/")
    page.click("[data-passkey=answer] button")
    page.wait_for_url(f"{site}/admin/")
    page.goto(f"{site}/admin/account/")
    assert "Olga’s laptop" in page.inner_text("#content")
    page.click("#content a[href$='/remove/']")
    page.click("#content form button")
    page.wait_for_url(f"{site}/admin/account/")
    assert not Authenticator.objects.exists()
    assert page.complaints == []
