"""From a new installation to a scorer at work, in a browser: the code leaves the address bar and is never typed."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.utils.timezone import now

from tests.builders.browser_checks import looks_right
from tests.builders.open_links import PASSWORD
from tournaments.models import Club, Membership, Role
from tournaments.people.invitations import make_setup_code

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_a_new_site_its_club_and_a_scorer_who_scans_the_invitation(live_server: Any, chromium: Any):
    """Planted faults: a code left in the address bar or the history; a zone that nobody guesses."""
    laptop = chromium.new_context(locale="de-DE", timezone_id="Europe/Berlin").new_page()
    laptop.goto(f"{live_server.url}/setup/#{make_setup_code(now=now())}")
    assert laptop.url == f"{live_server.url}/setup/"
    guessed = [laptop.input_value(f"[name={name}]") for name in ("locale", "currency", "timezone")]
    assert guessed == ["de_DE", "EUR", "Europe/Berlin"]
    looks_right(laptop)
    for name, text in (("name", "Asha Rao"), ("username", "asha"), ("password", PASSWORD), ("club", "Spree")):
        laptop.fill(f"[name={name}]", text)
    laptop.click("button.is-main")
    laptop.wait_for_url(f"{live_server.url}/admin/")
    club = Club.objects.get()
    laptop.goto(f"{live_server.url}/admin/tournaments/club/{club.pk}/people/invite/")
    laptop.fill("[name=name]", "Sam")
    laptop.click("button.is-main")
    link = laptop.inner_text(".secret code")
    looks_right(laptop)
    phone = chromium.new_context(viewport={"width": 360, "height": 760}).new_page()
    phone.goto(link)
    phone.wait_for_url(f"{live_server.url}/join/open/")
    looks_right(phone)
    phone.fill("[name=username]", "sam")
    phone.fill("[name=password]", PASSWORD)
    phone.click("form[aria-labelledby=new] button")
    phone.wait_for_url(f"{live_server.url}/admin/")
    assert Membership.objects.get(user=get_user_model().objects.get(username="sam")).role == Role.SCORER
    laptop.goto(f"{live_server.url}/admin/people/")
    looks_right(laptop)
    assert laptop.locator("tbody tr").count() == 2
