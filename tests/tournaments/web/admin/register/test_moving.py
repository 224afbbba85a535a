"""A club moves to another installation in the middle of a tournament: docs/how-to/moving.md, by its pages.

Planted faults: a deal that is saved on both; a card of the old installation that opens a table of the new one.
"""

from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.builders.admin_tables import Evening, club_called, evening_at, person, sheet
from tests.builders.api_clients import Device
from tests.builders.boxes import another_installation
from tests.builders.page_text import refusal_of
from tests.builders.playing import deal, loses, show
from tests.builders.table_cards import card_for, device_with, is_asked_to_sign_in
from tournaments import log
from tournaments.boxes.keeping import KeptBox, boxes_of
from tournaments.models import Role

pytestmark = pytest.mark.django_db
DEAL: dict[str, Any] = {"s1": "show", "c2": "45", "c3": "10", "c4": "7"}


@pytest.fixture
def pool(tmp_path: Path, settings: Any) -> Evening:
    """A table after its first deal, with a published leaderboard."""
    settings.BACKUP_DIR = tmp_path
    return evening_at(club_called("Quay club", "quay"), is_published=True)


def board_of(pool: Evening) -> str:
    return f"/en-gb/c/quay/t/{pool.tournament.slug}/"


def second_deal(key: str) -> dict[str, str]:
    return sheet(2, deal=2, key=key * 32, **DEAL)


def stopped_here(pool: Evening) -> KeptBox:
    """Changes end here by the page, and the box is made."""
    owner, page = Client(), f"/admin/tournaments/club/{pool.club.pk}/box/"
    owner.force_login(person("olga", Role.OWNER, pool.club))
    for words in ({"do": "move", "key": "a" * 32, "moved_to": "rummy.example.org"}, {"do": "make", "key": "b" * 32}):
        assert owner.post(page, words).status_code == 302
    (box,) = boxes_of(pool.club.pk)
    return box


def test_the_old_address_says_where_the_club_is_and_still_shows_the_leaderboard(pool: Evening):
    phone, tablet = device_with(card_for(pool)), Device(pool.club)
    assert phone.post(pool.score_url, sheet(1, **DEAL)).status_code == 302
    stopped_here(pool)
    said = "The club has moved to rummy.example.org: save it there"
    assert said in refusal_of(phone.post(pool.score_url, second_deal("1")))
    event = {"expected_version": 2, "event": deal(2, show, loses(45), loses(10), loses(7))}
    answer = tablet.send(f"/api/v1/tables/{pool.table.pk}/events/", event)
    problems = [(problem["code"], problem["detail"]) for problem in answer.json()["problems"]]
    assert (answer.status_code, problems) == (422, [("club_moved", said)])
    assert Client().get(board_of(pool)).status_code == 200
    assert pool.version == 2


def test_the_new_one_goes_on_with_the_next_deal_by_new_cards_at_the_same_addresses(pool: Evening, settings: Any):
    phone, tablet = device_with(card_for(pool)), Device(pool.club)
    assert phone.post(pool.score_url, sheet(1, **DEAL)).status_code == 302
    box = stopped_here(pool)
    content = box.path.read_bytes()
    settings.SECRET_KEY = "of another installation, which is long enough"
    another_installation()
    caches["answers"].clear()
    administrator = Client()
    administrator.force_login(person("ada", is_superuser=True))
    words = {"do": "bring", "key": "c" * 32, "code": box.code, "file": SimpleUploadedFile("a.rummybox", content)}
    answer = administrator.post("/admin/tournaments/club/bring-in/", words)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/admin/tournaments/club/{pool.club.pk}/change/")
    assert is_asked_to_sign_in(phone.post(pool.score_url, second_deal("1")))
    assert tablet.send(f"/api/v1/tables/{pool.table.pk}/events/", {}).status_code == 401
    assert device_with(card_for(pool)).post(pool.score_url, second_deal("2")).status_code == 302
    assert pool.version == 3
    assert Client().get(board_of(pool)).status_code == 200
    assert log.verify_club(pool.club.pk.hex, is_full=True, examine=list).faults == ()
