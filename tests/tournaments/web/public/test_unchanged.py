"""An unchanged page is 304 in one query, a table's in two; every visible change changes its ETag."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from tests.builders.playing import rename
from tests.builders.public_tables import Seated, address, seat
from tests.builders.unchanged import PARTS, tags
from tournaments import release
from tournaments.integrity.rebuild import rebuild
from tournaments.models import Player, Tournament
from tournaments.privacy import erase_player
from tournaments.release import release_stamp
from tournaments.web.api import doors
from tournaments.web.public.base import answers

pytestmark = pytest.mark.django_db

SEATINGS = ("seating/part/", "seating/r1/part/")


@pytest.mark.parametrize("part", PARTS)
def test_an_unchanged_board_is_answered_with_one_query_and_an_unchanged_table_with_two(
    client: Client, tournament: Tournament, table: Seated, part: str, django_assert_max_num_queries: Any
):
    """Planted fault: with the ETag left out of `unless_unchanged` every answer here is a 200."""
    tag = client.get(address(tournament, part))["ETag"]
    with django_assert_max_num_queries(2 if part.startswith("r1/") else 1):
        answer = client.get(address(tournament, part), headers={"If-None-Match": tag})
    assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", tag)
    assert answer["Cache-Control"] == "public, no-cache"


@pytest.mark.parametrize("part", SEATINGS)
def test_an_unchanged_seating_is_answered_with_three_queries_and_nothing_else(
    client: Client, tournament: Tournament, table: Seated, part: str, django_assert_max_num_queries: Any
):
    """One query more for those who sit out, one for whether the round was ever seated."""
    tag = client.get(address(tournament, part))["ETag"]
    with django_assert_max_num_queries(4):
        answer = client.get(address(tournament, part), headers={"If-None-Match": tag})
    assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", tag)
    assert answer["Cache-Control"] == "public, no-cache"


def test_a_published_round_a_deal_and_a_new_name_change_the_seating(
    client: Client, tournament: Tournament, table: Seated
):
    tags = [client.get(address(tournament, "seating/part/"))["ETag"]]
    for deed in (
        lambda: seat(tournament, "Eve", "Fay", table_round=2, number=1),
        lambda: table.deal(20, "show", 3, 4),
        lambda: rename("Bo", "Bodil"),
    ):
        deed()
        tags.append(client.get(address(tournament, "seating/part/"))["ETag"])
    assert len(set(tags)) == len(tags)


@pytest.mark.parametrize(
    ("part", "most"), [("board.json", (18, 2)), ("board/", (18, 2)), ("", (31, 2)), ("r1/table-1/", (4, 4))]
)
def test_a_page_costs_few_queries_whatever_the_number_of_tables(
    client: Client, tournament: Tournament, part: str, most: tuple[int, int], django_assert_max_num_queries: Any
):
    """A cached answer is made in a few queries more, once, and then read in one beside that of the ETag."""
    for _ in range(4):
        seat(tournament).deal("show", 1, 2, 3)
    for limit in most:
        with django_assert_max_num_queries(limit):
            assert client.get(address(tournament, part)).status_code == 200


def test_a_saved_deal_changes_every_tag(client: Client, tournament: Tournament, table: Seated):
    before = tags(client, tournament)
    table.deal(20, "show", 3, 4)
    after = tags(client, tournament)
    assert all(before[part] != after[part] for part in PARTS)


@pytest.mark.slow
def test_another_table_changes_the_board_and_not_this_sheet(client: Client, tournament: Tournament, table: Seated):
    before = tags(client, tournament)
    seat(tournament)
    after = tags(client, tournament)
    assert {part for part in PARTS if before[part] != after[part]} == {
        "",
        "board/",
        "board.json",
        "board.csv",
        "embed/",
        # The page links to the next table; the part that is swapped does not.
        "r1/table-1/",
    }


@pytest.mark.slow
def test_a_renamed_player_is_not_served_from_anybodys_cache(client: Client, tournament: Tournament, table: Seated):
    """Planted fault: ETags of versions alone answered 304 here, and the old name stayed on every screen."""
    before = tags(client, tournament)
    rename("Bo", "Bodil")
    assert all(tag != before[part] for part, tag in tags(client, tournament).items())


@pytest.mark.slow
def test_an_erased_player_vanishes_from_every_page(client: Client, tournament: Tournament, table: Seated):
    before = tags(client, tournament)
    erase_player(Player.objects.get(name="Bo"), now=now())
    for part in PARTS:
        answer = client.get(address(tournament, part), headers={"If-None-Match": before[part]})
        assert answer.status_code == 200
        assert ">Bo<" not in answer.content.decode()
        assert '"Bo"' not in answer.content.decode()


def test_a_board_taken_back_is_gone_although_its_tag_is_known(client: Client, tournament: Tournament, table: Seated):
    before = tags(client, tournament)
    Tournament.objects.filter(id=tournament.id).update(is_published=False)
    for part in PARTS:
        answer = client.get(address(tournament, part), headers={"If-None-Match": before[part]})
        assert answer.status_code == 404


@pytest.mark.slow
def test_no_tag_of_a_page_or_of_the_interface_holds_after_a_rebuild(
    client: Client, tournament: Tournament, table: Seated
):
    """Planted fault: tables identified by the version of their facts and by names, which a restored backup repeats."""
    paths = [reverse(f"api:{name}", kwargs={"table_id": table.row.pk}) for name in ("table", "events", "form")]

    def seen() -> set[str]:
        return {*tags(client, tournament).values(), *(client.get(path)["ETag"] for path in paths)}

    before = seen()
    rebuild()
    assert not before & seen()


@pytest.mark.parametrize(
    "name", ["tournaments/web/public/base/words.py", "scoring/money/payouts.py", "tournaments/static/site.css"]
)
def test_no_tag_from_before_an_update_holds_after_it(name: str, tmp_path: Path, settings: Any):
    """Planted fault: of a release only templates were in the ETag: a wrong number stayed on screens."""
    settings.BASE_DIR = tmp_path
    source = tmp_path / name
    source.parent.mkdir(parents=True)
    source.write_text("before")
    before = release_stamp.__wrapped__()
    source.write_text("after")
    assert release_stamp.__wrapped__() != before


def test_pages_and_the_api_have_the_release_in_their_tags(monkeypatch: Any):
    """Planted fault: the API used a number that had to be raised by hand."""
    tags = (lambda: answers.page_tag("board")), (lambda: doors.tag_of(3, "board"))
    before = [tag() for tag in tags]
    monkeypatch.setattr(release, "release_stamp", lambda: "another")
    assert [tag() == old for tag, old in zip(tags, before, strict=True)] == [False, False]
