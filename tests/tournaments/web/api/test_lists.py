"""Lists of the API: one order, filters, pages, and nothing that is misspelt taken for nothing.

Planted faults these catch: a filter that is ignored because its name is misspelt, a row that is listed twice because
another was added between two pages, a cursor of another club that is followed.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core import signing
from django.test import Client

from tests.builders.api_clients import Device
from tests.builders.playing import NOW, new_club, new_table, new_tournament
from tournaments.models import Player, Role, Scoresheet, Season, Tournament
from tournaments.people.players import add_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return new_club(is_published=True, timezone="Asia/Kolkata")


@pytest.fixture
def scorer(club):
    return Device(club)


def names(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [item["name"] for item in answer.json()["items"]]


def pages(client: Client, path: str, **query: Any) -> Iterator[dict[str, Any]]:
    """Every page, by following `next` alone."""
    answer = client.get(path, query)
    while True:
        assert answer.status_code == 200, answer.content
        page = answer.json()
        yield page
        if page["next"] is None:
            return
        answer = client.get(page["next"])


def refused(answer: Any) -> dict[str, str]:
    """What is wrong, by the parameter that it is about."""
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_parameter"), answer.content
    return {problem["field"]: problem["detail"] for problem in answer.json()["problems"]}


def test_an_unknown_parameter_is_refused_wherever_it_is_sent(club, scorer):
    """Planted fault: `?status=open&q=zzz` gives everything."""
    table = new_table(new_tournament(club))
    home = table.row.tournament
    for path in (
        "clubs/",
        f"clubs/{club.pk}/",
        f"clubs/{club.pk}/tournaments/",
        f"tournaments/{home.pk}/leaderboard/",
        f"tournaments/{home.pk}/evening/",
        f"tables/{table.row.pk}/",
        f"tables/{table.row.pk}/events/",
        "variants/",
    ):
        answer = scorer.get(f"/api/v1/{path}", {"qq": "zzz", "limitt": "1"})
        assert refused(answer).keys() == {"qq", "limitt"}, path
        assert scorer.head(f"/api/v1/{path}", {"qq": "1"}).status_code == 400
    sent = scorer.send(f"/api/v1/tables/{table.row.pk}/events/?dry=1", {"expected_version": 1, "event": {}})
    assert refused(sent).keys() == {"dry"}
    assert refused(scorer.get("/api/v1/clubs/?limit=1&limit=2")).keys() == {"limit"}


@pytest.mark.parametrize("limit", ["0", "-1", "501", "", "1.5", "ten", "99999999999"])
def test_a_limit_outside_its_range_is_refused_everywhere(club, scorer, limit):
    table = new_table(new_tournament(club))
    cashier = Device(club, Role.CASHIER)
    for path in (
        "clubs/",
        f"clubs/{club.pk}/players/",
        f"tables/{table.row.pk}/events/",
        f"clubs/{club.pk}/cash/",
    ):
        assert "from 1 to 500" in refused(cashier.get(f"/api/v1/{path}", {"limit": limit}))["limit"]


def test_next_goes_through_a_list_while_players_are_added_and_renamed(club, scorer):
    add_players(club, [f"P{number:02}" for number in range(10)])
    seen = []
    for number, page in enumerate(pages(scorer, f"/api/v1/clubs/{club.pk}/players/", limit=4)):
        seen += [item["name"] for item in page["items"]]
        if number == 0:
            assert page["next_offset"] == 4
            add_players(club, ["A first one"])
    assert seen == [f"P{number:02}" for number in range(10)]


def test_tournaments_of_one_moment_are_each_listed_once(club, scorer):
    for number in range(7):
        new_tournament(club, name="Saturday" if number % 2 else f"Cup {number}", starts_at=NOW + timedelta(number // 4))
    whole = names(scorer.get(f"/api/v1/clubs/{club.pk}/tournaments/"))
    paged = [page["items"] for page in pages(scorer, f"/api/v1/clubs/{club.pk}/tournaments/", limit=2)]
    assert [item["name"] for items in paged for item in items] == whole
    assert len({item["id"] for items in paged for item in items}) == 7


def test_a_cursor_of_another_club_or_list_is_refused_by_name(club, scorer):
    add_players(club, ["Asha", "Bo"])
    path = f"/api/v1/clubs/{club.pk}/players/"
    following = scorer.get(path, {"limit": 1}).json()["next"]
    cursor = following.partition("cursor=")[2].partition("&")[0].replace("%3A", ":")
    other = new_club("Dita's", is_published=True)
    assert names(scorer.get(path, {"cursor": cursor})) == ["Bo"]
    assert refused(Device(other).get(f"/api/v1/clubs/{other.pk}/players/", {"cursor": cursor})).keys() == {"cursor"}
    assert refused(scorer.get(f"/api/v1/clubs/{club.pk}/tournaments/", {"cursor": cursor})).keys() == {"cursor"}
    for broken in (cursor[:-1], "x", "", "a:b:c", signing.dumps(["only one"], salt=path)):
        assert refused(scorer.get(path, {"cursor": broken})).keys() == {"cursor"}
    assert refused(scorer.get(path, {"cursor": cursor, "offset": 1})).keys() == {"cursor"}


def test_tournaments_are_filtered(club, scorer):
    season = Season.objects.create(
        club=club, name="Spring", slug="spring", starts_on="2026-01-18", ends_on="2026-01-31", formula="{}"
    )
    # 23:30 of the 17th and 0:30 of the 18th in the club; both are the 17th in Greenwich.
    late = new_tournament(club, name="late", starts_at=NOW.replace(hour=18), is_published=False)
    night = new_tournament(club, name="night", starts_at=NOW.replace(hour=19), preset="deals_best_of_3")
    Tournament.objects.filter(pk=late.pk).update(closed_at=NOW)
    path = f"/api/v1/clubs/{club.pk}/tournaments/"
    for query, expected in (
        ({"status": "open"}, ["night"]),
        ({"status": "closed"}, ["late"]),
        ({"status": "cancelled"}, []),
        ({"from": "2026-01-18"}, ["night"]),
        ({"to": "2026-01-17"}, ["late"]),
        ({"from": "2026-01-17", "to": "2026-01-18"}, ["night", "late"]),
        ({"season": str(season.pk)}, ["night"]),
        ({"preset": "deals_best_of_3"}, ["night"]),
        ({"published": "false"}, ["late"]),
        ({"published": "true", "preset": "pool_101"}, []),
    ):
        assert names(scorer.get(path, query)) == expected, query
    assert names(Client().get(path, {"published": "false"})) == []
    assert night.pk != late.pk


def test_what_a_filter_cannot_read_is_named_all_at_once(club, scorer):
    other = Season.objects.create(
        club=new_club("Dita's"), name="S", slug="s", starts_on="2026-01-18", ends_on="2026-01-31", formula="{}"
    )
    hidden = Season.objects.create(
        club=club, name="H", slug="h", starts_on="2026-01-18", ends_on="2026-01-31", formula="{}", is_published=False
    )
    path = f"/api/v1/clubs/{club.pk}/tournaments/"
    wrong = {
        "status": "late",
        "from": "18.01.2026",
        "to": "0001-01-01",
        "season": other.pk,
        "published": "maybe",
        "preset": "",
    }
    answer = scorer.get(path, wrong, headers={"Accept-Language": "de"})
    assert refused(answer).keys() == wrong.keys()
    assert "late is not one of the available choices" in refused(answer)["status"]
    assert refused(Client().get(path, {"season": str(hidden.pk)})).keys() == {"season"}
    assert scorer.get(path, {"season": str(hidden.pk)}).status_code == 200
    assert refused(scorer.get(path, {"season": "x\x00"})).keys() == {"season"}


def test_players_and_tables_are_filtered(club, scorer):
    asha, bo = add_players(club, ["Asha Rao", "Łukasz Bo"])
    Player.objects.filter(pk=bo.pk).update(is_member=True, member_number="M-7")
    path = f"/api/v1/clubs/{club.pk}/players/"
    for query, expected in (
        ({"q": "rao asha"}, [asha.name]),
        ({"q": "lukasz"}, [bo.name]),
        ({"member": "true"}, [bo.name]),
        ({"member": "false"}, [asha.name]),
        ({"number": "M-7"}, [bo.name]),
        ({"number": "m"}, []),
    ):
        assert names(scorer.get(path, query)) == expected, query
    first, second = (new_table(new_tournament(club), (f"A{number}", f"B{number}")) for number in (1, 2))
    path = f"/api/v1/tournaments/{first.row.tournament_id}/tables/"
    assert [item["id"] for item in scorer.get(path, {"round": 1, "status": "open"}).json()["items"]] == [
        str(first.row.pk)
    ]
    assert scorer.get(path, {"round": 2}).json()["items"] == []
    Scoresheet.objects.filter(pk=first.row.pk).update(is_closed=True)
    assert scorer.get(path, {"status": "open"}).json()["items"] == []
    assert len(scorer.get(path, {"status": "closed"}).json()["items"]) == 1
    assert refused(scorer.get(path, {"round": "0", "status": "x"})).keys() == {"round", "status"}
    assert second.row.pk != first.row.pk


def test_a_club_and_a_tournament_that_are_unchanged_are_304(club, scorer):
    home = new_tournament(club)
    for path in (f"/api/v1/clubs/{club.pk}/", f"/api/v1/tournaments/{home.pk}/"):
        first = Client().get(path)
        tag = first["ETag"]
        assert Client().get(path, headers={"If-None-Match": tag}).status_code == 304
        assert "public" in first["Cache-Control"]
    home.name = f"Renamed {uuid4().hex}"
    home.save()
    assert Client().get(path, headers={"If-None-Match": tag}).status_code == 200
    club.name = "Bo's club"
    club.save()
    assert scorer.get(f"/api/v1/clubs/{club.pk}/").json()["name"] == "Bo's club"
