"""The answer to a poll: nothing, the difference to the base that it names, or the whole part."""

import gzip
import html
import json
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import caches
from django.db import connections
from django.test import Client
from django.urls import reverse

from scoring.rules.variants import PRESETS
from tests.builders.public_tables import Seated, a_club, a_tournament, address, seat
from tournaments.models import Tournament
from tournaments.projections.cached import cached_already
from tournaments.web.packed import pack
from tournaments.web.public.base import parts
from tournaments.web.public.base.parts import read

pytestmark = pytest.mark.django_db

HTML, DIFFERENCE = "text/html; charset=utf-8", "application/json"
PARTS = ("board/", "embed/part/", "r1/table-1/sheet/", "seating/part/", "seating/r1/part/")
ONE_OF_EACH = {type(rules).__name__: name for name, (rules, _) in reversed(PRESETS.items())}


def poll(client: Client, tournament: Tournament, part: str, since: str = "", tag: str = "") -> Any:
    """The request of a page."""
    query = f"?since={since}" if since else ""
    return client.get(address(tournament, part) + query, headers={"If-None-Match": tag} if tag else {})


def shown_by(answer: Any) -> tuple[str, str]:
    """The base and the ETag of the part that an answer holds, as the next poll sends them."""
    text = html.unescape(answer.content.decode())
    return re.findall(r'data-base="(\w+)"', text)[0], re.findall(r'data-tag="("\w+")"', text)[0]


def test_page_and_part_show_the_same_base_and_a_changed_part_is_told_by_what_changed(
    client: Client, tournament: Tournament, table: Seated
):
    first = {part: poll(client, tournament, part) for part in PARTS}
    for part, polled in first.items():
        page = client.get(address(tournament, part.removesuffix("board/").removesuffix("part/").removesuffix("sheet/")))
        assert shown_by(page) == shown_by(polled)
        assert shown_by(page)[1] == polled["ETag"]
        assert poll(client, tournament, part, *shown_by(polled)).status_code == 304
    table.deal(20, "show", 3, 47)
    for part, polled in first.items():
        answer = poll(client, tournament, part, *shown_by(polled))
        assert (answer.status_code, answer["Content-Type"]) == (200, DIFFERENCE), part
        assert json.loads(answer.content)["was"] == len(read(polled.content.decode()).text)
        assert len(answer.content) < len(polled.content)


def test_what_was_told_to_one_phone_costs_the_next_one_query(
    client: Client, tournament: Tournament, table: Seated, django_assert_num_queries: Any
):
    """Planted fault: 500 phones for each of which the tournament was read, and the difference compressed."""
    base, tag = shown_by(poll(client, tournament, "board/"))
    assert poll(client, tournament, "board/", base, tag).status_code == 304
    table.deal(20, "show", 3, 47)
    told = poll(client, tournament, "board/", base, tag)
    with django_assert_num_queries(1):
        next_one = poll(client, tournament, "board/", base, tag)
    assert next_one.content == told.content
    for name in ("ETag", "Cache-Control", "Vary", "Content-Type"):
        assert next_one[name] == told[name]
    Tournament.objects.filter(pk=tournament.pk).update(is_published=False)
    assert poll(Client(), tournament, "board/", base, tag).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_phones_that_ask_at_once_wait_for_one_of_them_to_work_out_what_changed(
    client: Client, tournament: Tournament, table: Seated
):
    """Planted fault: each thread made the board and its difference for itself, all at the same time."""
    base, tag = shown_by(poll(client, tournament, "board/"))
    assert poll(client, tournament, "board/", base, tag).status_code == 304
    table.deal(20, "show", 3, 47)
    start = threading.Barrier(4)

    def ask(_: int) -> Any:
        try:
            start.wait()
            return poll(Client(), tournament, "board/", base, tag).content
        finally:
            connections.close_all()

    worked_out = parts._difference_text

    def slowly(former: str, text: str) -> str:
        time.sleep(0.2)
        return worked_out(former, text)

    counted = patch.object(parts, "_difference_text", side_effect=slowly)
    with counted as said, ThreadPoolExecutor(4) as threads:
        answers = set(threads.map(ask, range(4)))
    assert (len(answers), said.call_count) == (1, 1)


def test_a_process_that_never_sent_a_part_learns_it_from_the_next_poll(
    client: Client, tournament: Tournament, table: Seated
):
    """Planted fault: cached only where it was sent, every second change came whole from two processes."""
    base, tag = shown_by(poll(client, tournament, "board/"))
    caches["answers"].clear()
    assert poll(client, tournament, "board/", base, tag).status_code == 304
    table.deal(20, "show", 3, 47)
    assert poll(client, tournament, "board/", base, tag)["Content-Type"] == DIFFERENCE


def test_no_difference_is_taken_from_another_text_than_the_browser_shows(
    client: Client, tournament: Tournament, table: Seated
):
    """What lies under a tag may be made again an event later. Planted fault: it was taken for the text of the base."""
    base, tag = shown_by(poll(client, tournament, "board/"))
    assert poll(client, tournament, "board/", base, tag).status_code == 304
    another = pack(gzip.decompress(cached_already(tag)).replace(base.encode(), b"0" * 18))
    caches["answers"].set(tag, another)
    table.deal(20, "show", 3, 47)
    assert poll(client, tournament, "board/", base, tag)["Content-Type"] == HTML


def test_an_unknown_base_and_that_of_another_tournament_get_the_whole_part(
    client: Client, tournament: Tournament, table: Seated
):
    """A difference to another tournament would show a board that the visitor may not see."""
    other = a_tournament(tournament.club, name="Saturday")
    seat(other).deal("show", 34, 12, "first_drop")
    base, _ = shown_by(poll(client, other, "board/"))
    for since in (base, "0" * 18, "a/b/c/d/e/f/g/h/i/", "x", "é" * 18):
        answer = poll(client, tournament, "board/", since)
        assert answer["Content-Type"] == HTML, since
        assert read(answer.content.decode()).attributes["id"] == "board"


def test_a_player_who_was_renamed_is_in_no_difference_by_the_old_name(
    client: Client, tournament: Tournament, table: Seated
):
    base, tag = shown_by(poll(client, tournament, "board/"))
    player = table.row.seats.get(number=2).player
    player.name = "Bodil"
    player.save()
    text = poll(client, tournament, "board/", base, tag).content.decode()
    assert "Bodil" in text
    assert '"Bo"' not in text


def test_what_is_public_travels_compressed_and_its_tag_still_holds(
    client: Client, tournament: Tournament, table: Seated
):
    """Planted fault: an ETag made of the compressed text is another one each time."""
    for path in (address(tournament), f"/c/{tournament.club.slug}/"):
        plain = client.get(path)
        packed = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert gzip.decompress(packed.content) == plain.content
        assert "Accept-Encoding" in plain["Vary"]
        unchanged = client.get(path, headers={"Accept-Encoding": "gzip", "If-None-Match": packed["ETag"]})
        assert unchanged.status_code == 304
        # A cache takes these headers for those of the page: without Vary clients without gzip get compressed pages.
        assert {*unchanged["Vary"].split(", ")} == {*plain["Vary"].split(", ")}


@pytest.mark.slow
def test_who_refuses_gzip_is_sent_plain_text_under_its_own_tag(client: Client, tournament: Tournament, table: Seated):
    """Planted fault: the bare word `gzip` taken for consent, as Django does."""
    api = reverse("api:leaderboard", kwargs={"tournament_id": tournament.pk})
    paths = (*(address(tournament, part) for part in ("", "board/", "board.json", "board.csv")), api, "/")
    for path, taken in product(paths, ("gzip;q=0", "identity, GZIP ; q=0.000", "gzip;q=0., br", "")):
        plain, zipped = (client.get(path, headers={"Accept-Encoding": each}) for each in (taken, "br, gzip;q=0.5"))
        assert (plain.has_header("Content-Encoding"), zipped["Content-Encoding"]) == (False, "gzip")
        assert plain.content == gzip.decompress(zipped.content)
        assert plain["ETag"] != zipped["ETag"]


@pytest.mark.slow
@pytest.mark.parametrize("preset", ONE_OF_EACH.values(), ids=ONE_OF_EACH)
def test_the_parts_of_every_game_can_be_read(client: Client, preset: str):
    """A part that is not closed would travel whole each time."""
    tournament = a_tournament(a_club(), preset)
    seat(tournament, "Asha", "Bo")
    for part in PARTS:
        assert read(poll(client, tournament, part).content.decode()).attributes["data-live"] == ""
