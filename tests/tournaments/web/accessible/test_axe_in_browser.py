"""Every kind of page is tested against WCAG 2.2 AA by axe-core, light and dark, taken from the lists of addresses."""

from typing import Any

import pytest
from django.test import Client

from tests.builders.admin_addresses import CLUB_PAGES, address, stocked
from tests.builders.admin_tables import person
from tests.builders.axe import faults, public_paths
from tournaments.models import Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 375)])
def test_no_public_page_has_a_fault_that_axe_can_see(
    page: Any, live_server: Any, client: Client, scheme: str, width: int
):
    """Planted faults: grey of 3:1 on the tiles, a table without headings, a field without a label."""
    paths = list(public_paths())
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    found = list(faults(page, live_server.url, client, paths))
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_no_page_of_the_back_office_has_a_fault_that_axe_can_see(page: Any, live_server: Any, client: Client):
    """Planted fault: a button with a picture and no name."""
    home = stocked("home")
    client.force_login(person("dita", Role.OWNER, home.club))
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.emulate_media(reduced_motion="reduce")
    paths = [path for name in CLUB_PAGES if (path := address(name, home))]
    found = list(faults(page, live_server.url, client, paths))
    assert not found, "\n".join(found)
