"""Every page of the admin explains its purpose in one sentence of its own."""

import re
from collections import Counter
from html import unescape

import pytest
from django.test import Client

from tests.builders.admin_addresses import CLUB_PAGES, address, admin_names, admin_views, stocked
from tests.builders.admin_tables import person
from tournaments.models import Role
from tournaments.web.admin.register.purposes import DELETION, HISTORY, PURPOSES

pytestmark = pytest.mark.django_db
LEAD = re.compile(r'<p class="lead">(.*?)</p>', re.DOTALL)
MOST_LETTERS = 90


def said_on(client: Client, path: str) -> list[str] | None:
    """The sentences of a page; None for other answers: files, parts, and addresses that only take a form."""
    answer = client.get(path)
    is_page = answer.status_code == 200 and not answer.streaming and b"<html" in answer.content
    return [unescape(said) for said in LEAD.findall(answer.content.decode())] if is_page else None


@pytest.mark.slow
def test_every_page_says_what_it_is_for(client: Client):
    """Planted fault: a page without a sentence of its own."""
    home = stocked("home")
    client.force_login(person("olga", Role.OWNER, home.club))
    paths = {name: path for name in CLUB_PAGES if (path := address(name, home))}
    pages = {name: said for name, path in paths.items() if (said := said_on(client, path)) is not None}
    assert len(pages) > 60
    assert {name: said for name, said in pages.items() if len(said) != 1 or not said[0].strip()} == {}
    shared = Counter(said[0] for said in pages.values() if said[0] not in (HISTORY, DELETION))
    assert [said for said, number in shared.items() if number > 1] == []


def test_django_pages_of_ones_own_login_say_so_too(admin_client: Client):
    assert len(said_on(admin_client, "/admin/password_change/") or []) == 1
    assert said_on(Client(), "/admin/login/") == [PURPOSES["login"]]


def test_each_sentence_is_short_and_belongs_to_a_page():
    """Planted fault: a sentence for a removed address."""
    declared = {getattr(view, "purpose", "") for _, view in admin_views()} - {""}
    assert len(declared) > 60
    sentences = {*PURPOSES.values(), *declared}
    assert {said: len(said) for said in sentences if len(said) > MOST_LETTERS or not said.endswith(".")} == {}
    assert set(PURPOSES) - set(admin_names()) == set()
