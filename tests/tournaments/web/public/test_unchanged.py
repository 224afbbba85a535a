"""An unchanged page is 304 in one query, a table's in two; every visible change changes its ETag."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now
from syrupy.assertion import SnapshotAssertion

from tests.builders.playing import rename
from tests.builders.public_tables import Seated, a_club, a_tournament, address, context, seat
from tests.builders.routes import route, urlpatterns
from tests.builders.samples import each, some_of
from tests.builders.unchanged import PARTS, tags
from tournaments import release
from tournaments.integrity.rebuild import rebuild
from tournaments.models import Club, Player, Tournament
from tournaments.privacy import erase_player
from tournaments.projections.terms import stakes_of
from tournaments.release import release_stamp
from tournaments.running.commands.create import TournamentDraft, change_tournament
from tournaments.seasons.commands import SeasonDraft, create_season
from tournaments.web.api import doors
from tournaments.web.public.base import answers

pytestmark = pytest.mark.django_db

# Each public page of a tournament and its club, and the most queries in which it is known to be unchanged.
UNCHANGED = {
    **dict.fromkeys((part for part in PARTS if not part.startswith("r1/")), 1),
    **dict.fromkeys((part for part in PARTS if part.startswith("r1/")), 2),
    **dict.fromkeys(("embed/part/", "podium.png"), 2),
    # One query more for those who sit out, one for whether the round was ever seated.
    **dict.fromkeys(("seating/part/", "seating/r1/part/"), 4),
    **dict.fromkeys(("rounds/", "seating/", "seating/r1/", "schedule/", "prizes/", "rules/"), 4),
    **dict.fromkeys(("proof/", "share/", "who/{player}/"), 4),
    **dict.fromkeys(("/c/circle/running/", "/c/circle/players/"), 3),
    **dict.fromkeys(("/c/circle/p/{player}/", "/c/circle/p/{player}/player.json"), 3),
    **dict.fromkeys(("/c/circle/", "/c/circle/results.atom", "/c/circle/tournaments.ics"), 12),
}


def with_a_result(club: Club) -> None:
    """The feed of a club without a result is as old as the present."""
    seat(a_tournament(club, "points", name="Monday"), "Ina", "Jo").deal("show", 34).event(kind="table_closed")


def path_of(page: str, table: Seated) -> str:
    page = page.format(player=table.row.seats.get(number=2).player_id)
    return page if page.startswith("/") else address(table.row.tournament, page)


@pytest.mark.slow
def test_an_unchanged_page_is_not_sent_again_and_known_by_few_queries(
    client: Client, table: Seated, django_assert_max_num_queries: Any
):
    """Planted fault: with the ETag left out of `unless_unchanged` every answer here is a 200."""
    with_a_result(table.row.tournament.club)
    for page, most in UNCHANGED.items():
        path = path_of(page, table)
        tag = client.get(path)["ETag"]
        with django_assert_max_num_queries(most):
            answer = client.get(path, headers={"If-None-Match": tag})
        assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", tag), page
        assert answer["Cache-Control"] == "public, no-cache"


@pytest.mark.slow
def test_other_stakes_make_another_page_for_a_change_of_them_is_an_event(client: Client, tournament: Tournament):
    """Planted fault: after a change without a board the old entry fee stayed on every screen."""
    paths = [address(tournament, part) for part in ("", "rounds/", "seating/", "schedule/", "prizes/", "rules/")]
    tags = {path: client.get(path)["ETag"] for path in paths}
    draft = TournamentDraft(name="Friday", preset="pool_101", starts_at=tournament.starts_at)
    stakes = stakes_of(tournament) | {"entry_minor": 70_000}
    change_tournament(tournament, replace(draft, **stakes), context=context())
    answers = [client.get(path, headers={"If-None-Match": tag}) for path, tag in tags.items()]
    assert [answer.status_code for answer in answers] == [200] * len(paths)


@pytest.mark.slow
def test_each_change_makes_those_pages_new_that_show_it(
    client: Client, tournament: Tournament, table: Seated, snapshot: SnapshotAssertion
):
    """The picture names the pages of which an earlier copy is still good after each change.

    Planted faults: ETags of versions or positions alone, or without the names, so that the old name of a renamed
    player stayed on every screen.
    """
    changes: dict[str, Callable[[], object]] = {
        "a deal": lambda: table.deal(20, "show", 3, 4),
        "a new name of a player": lambda: rename("Bo", "Bodil"),
        "a new name of who leads": lambda: rename("Cy", "Cyril"),
        "another table": lambda: seat(tournament, "Gita", "Hari"),
        "another round": lambda: seat(tournament, "Eve", "Fay", table_round=2, number=1),
        "another way to write amounts": lambda: Club.objects.update(locale="de_DE"),
        "another name of the club": lambda: Club.objects.update(name="Other"),
        "another venue": lambda: Club.objects.update(venue="12 Marine Drive"),
        "another clock": lambda: Club.objects.update(timezone="Europe/Berlin"),
        "another tournament": lambda: seat(a_tournament(tournament.club, "points", name="Saturday")).deal(
            "show", 1, 2, 3
        ),
        "the tournament given up": lambda: Tournament.objects.filter(pk=tournament.pk).update(
            is_cancelled=True, closed_at=now()
        ),
    }
    with_a_result(tournament.club)
    paths = {page: path_of(page, table) for page in UNCHANGED}
    seen = {page: client.get(path)["ETag"] for page, path in paths.items()}
    still_good = {}
    for number, (change, deed) in enumerate(changes.items(), start=1):
        # A calendar tells seconds.
        with time_machine.travel(now() + timedelta(minutes=number)):
            deed()
        answers = {page: client.get(paths[page], headers={"If-None-Match": tag}) for page, tag in seen.items()}
        still_good[change] = [page for page, answer in answers.items() if answer.status_code == 304]
        still_good[change] += [f"{page} is gone" for page, answer in answers.items() if answer.status_code == 404]
        seen = {page: answer["ETag"] for page, answer in answers.items() if answer.status_code != 404}
    assert still_good == snapshot


@pytest.mark.parametrize(
    ("part", "most"), [("board.json", (6, 1)), ("board/", (6, 1)), ("", (8, 1)), ("r1/table-1/", (5, 4))]
)
def test_a_page_costs_few_queries_whatever_the_number_of_tables(
    client: Client, tournament: Tournament, part: str, most: tuple[int, int], django_assert_max_num_queries: Any
):
    """A cached answer is made in a few queries, once, and then read with the one query of its ETag.

    One of those few compares the version of the club's texts before the answer is stored.
    """
    for _ in range(4):
        seat(tournament).deal("show", 1, 2, 3)
    for limit in most:
        with django_assert_max_num_queries(limit):
            assert client.get(address(tournament, part)).status_code == 200


@pytest.mark.slow
def test_an_erased_player_vanishes_from_every_page_and_a_board_taken_back_is_gone_although_its_tag_is_known(
    client: Client, tournament: Tournament, table: Seated
):
    before = tags(client, tournament)
    erase_player(Player.objects.get(name="Bo"), now=now(), with_balance=True)
    for part in PARTS:
        answer = client.get(address(tournament, part), headers={"If-None-Match": before[part]})
        assert answer.status_code == 200
        assert ">Bo<" not in answer.content.decode()
        assert '"Bo"' not in answer.content.decode()
    before = tags(client, tournament)
    Tournament.objects.filter(id=tournament.id).update(is_published=False)
    for part in PARTS:
        answer = client.get(address(tournament, part), headers={"If-None-Match": before[part]})
        assert answer.status_code == 404


@pytest.mark.slow
def test_no_tag_of_a_page_or_of_the_interface_holds_after_a_rebuild(
    client: Client, tournament: Tournament, table: Seated
):
    """Planted fault: tables identified by the version of their events and by names, which a restored backup repeats."""
    paths = [reverse(f"api:{name}", kwargs={"table_id": table.row.pk}) for name in ("table", "events", "form")]

    def seen() -> set[str]:
        return {*tags(client, tournament).values(), *(client.get(path)["ETag"] for path in paths)}

    before = seen()
    rebuild()
    assert not before & seen()


def test_no_tag_of_a_page_or_of_the_api_from_before_an_update_holds_after_it(
    tmp_path: Path, settings: Any, monkeypatch: Any
):
    """Planted faults: of a release only templates were in the ETag, so that a wrong number stayed on screens; the API
    used a number that had to be raised by hand."""
    settings.BASE_DIR = tmp_path
    for name in ("tournaments/web/public/base/words.py", "scoring/money/payouts.py", "tournaments/static/site.css"):
        source = tmp_path / name
        source.parent.mkdir(parents=True)
        source.write_text("before")
        stamp = release_stamp.__wrapped__()
        source.write_text("after")
        assert release_stamp.__wrapped__() != stamp, name
    tags = (lambda: answers.page_tag("board")), (lambda: doors.tag_of(3, "board"))
    before = [tag() for tag in tags]
    monkeypatch.setattr(release, "release_stamp", lambda: "another")
    assert [tag() == old for tag, old in zip(tags, before, strict=True)] == [False, False]


A_DAY = 86_400
ASKED_EACH_TIME = {"no-cache", "no-store"}


def addresses(tournament: Tournament) -> Iterator[str]:
    """Every public address, now and with the query strings that it may have."""
    days: dict[str, Any] = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    season = create_season(tournament.club, SeasonDraft(name="League", is_published=True, **days))
    seats = tournament.tables.get().seats
    words: dict[str, Any] = {"club_slug": tournament.club.slug, "round": 1, "number": 1, "game": "gin"}
    words |= {"player": seats.all()[0].player_id, "section": "tournaments", "token": "stale"}
    for pattern in urlpatterns:
        slug = season.slug if "seasons/" in str(pattern.pattern) else tournament.slug
        wanted = {name: (words | {"slug": slug})[name] for name in pattern.pattern.converters}
        path = reverse(route(pattern.name), kwargs=wanted)
        yield from (path, f"{path}?at=2", f"{path}?at=known:1", f"{path}?at=99999", f"{path}?at=nonsense")
    yield from ("/", f"/c/{tournament.club.slug}/", f"/c/{tournament.club.slug}/t/none/", "/favicon.ico")


def kept_for(said: str) -> int | None:
    """Seconds for which a cache may serve it without revalidation; None where no header limits it."""
    words = {word.strip() for word in said.lower().split(",")}
    lives = [int(found) for found in re.findall(r"(?:max-age|s-maxage)=(\d+)", said)]
    return 0 if words & ASKED_EACH_TIME else max(lives, default=None)


@pytest.mark.parametrize("is_signed_in", each(False, True))
def test_no_public_address_is_kept_for_longer_than_a_day(client: Client, is_signed_in: bool):
    """Planted fault: a sitemap with `Last-Modified` alone, which caches keep for a tenth of its age."""
    tournament = a_tournament(a_club(slug="circle"))
    seat(tournament).deal("show", 34, 12, "first_drop").deal("show", 3, 2, 1)
    if is_signed_in:
        client.force_login(User.objects.create_user("somebody"))
    client.sees_redirects = True  # type: ignore[attr-defined]  # read in tests/conftest.py
    wrong = {}
    for path in some_of(addresses(tournament), part=is_signed_in):
        answer = client.get(path)
        assert answer.status_code < 500, path
        seconds = kept_for(answer.get("Cache-Control", ""))
        if answer.status_code == 404:
            continue
        if seconds is None or seconds > A_DAY:
            wrong[path] = answer.get("Cache-Control")
        if "Cookie" in answer.get("Vary", "") and "no-store" not in answer["Cache-Control"]:
            wrong[path] = answer["Vary"]
    assert sorted(wrong.items(), key=str) == []
