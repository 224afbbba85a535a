"""Seasons and ratings by a program: made, changed, closed and read, by the rules of their pages.

Planted faults these catch: a formula that changes after it was played by, a change that loses another's, a season that
strangers read before it is published, a page of standings with a player twice.
"""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.test import Client

from tests.builders.api_clients import Device
from tests.builders.playing import new_club
from tests.builders.seasons import LATER, caught_up, played, season
from tournaments.models import ClubReadings, Role, Season

pytestmark = pytest.mark.django_db
DRAFT = {"name": "Spring", "starts_on": "2026-01-01", "ends_on": "2026-05-31"}


@pytest.fixture
def club():
    return new_club(is_published=True)


@pytest.fixture
def director(club):
    return Device(club, Role.DIRECTOR)


def of_club(club, *more: object) -> str:
    return "/".join(map(str, ("/api/v1/clubs", club.pk, *more, "")))


def of(season_id: Any, *more: object) -> str:
    return "/".join(map(str, ("/api/v1/seasons", season_id, *more, "")))


def problems(answer: Any) -> list[tuple[str, str]]:
    assert answer.status_code == 422, answer.content
    return [(problem["code"], problem.get("field", "")) for problem in answer.json()["problems"]]


def test_a_season_is_made_once_under_a_key_and_listed(club, director):
    key, body = uuid4().hex, {**DRAFT, "formula": {"place_points": [10, 6, 3], "best": 5}}
    first = director.send(of_club(club, "seasons"), body, key=key)
    again = director.send(of_club(club, "seasons"), body, key=key)
    assert (first.status_code, again.status_code, again["Idempotency-Replayed"]) == (201, 201, "true")
    assert first.json() == again.json()
    assert director.send(of_club(club, "seasons"), {**body, "name": "x"}, key=key).json()["code"] == "key_reused"
    made = first.json()
    assert (made["slug"], made["formula"]["best"], made["has_begun"], made["tables"]) == ("spring", 5, False, [""])
    season(club, name="Autumn", starts_on=date(2026, 9, 1), ends_on=date(2026, 12, 31))
    path = of_club(club, "seasons")
    for query, names in (
        ({}, ["Autumn", "Spring"]),
        ({"published": "false"}, ["Spring"]),
        ({"status": "closed"}, []),
        ({"status": "open", "limit": 1}, ["Autumn"]),
    ):
        assert [item["name"] for item in director.get(path, query).json()["items"]] == names
    following = director.get(path, {"limit": 1}).json()["next"]
    assert [item["name"] for item in director.get(following).json()["items"]] == ["Spring"]
    assert [item["name"] for item in Client().get(path).json()["items"]] == ["Autumn"]
    assert Client().get(of(made["id"])).status_code == 404


def test_every_problem_of_a_draft_is_named_with_its_path(club, director):
    path = of_club(club, "seasons")
    wrong = {"starts_on": "soon", "ends_on": "2026-05-31", "formula": {"best": 0, "points_": 1}, "x": 1}
    assert set(problems(director.send(path, wrong))) == {
        ("unknown_field", "x"),
        ("missing_field", "name"),
        ("wrong_type", "starts_on"),
        ("unknown_field", "formula.points_"),
        ("wrong_type", "formula.best"),
    }
    mixed = {**DRAFT, "ends_on": "2025-01-01", "formula": {"tie_breaks": ["more_nights", "fewer_nights"]}}
    assert problems(director.send(path, mixed)) == [("out_of_range", "ends_on"), ("not_a_choice", "tie_breaks")]
    assert not Season.objects.exists()


def test_what_a_tournament_was_played_by_stays_and_the_rest_changes(club, director):
    spring = season(club, is_published=False)
    played(club, "Asha", "Bo", "Cy")
    changed = director.send(of(spring.pk, "change"), {"is_published": True, "name": "Winter"})
    assert (changed.status_code, changed.json()["name"], changed.json()["is_published"]) == (201, "Winter", True)
    assert changed.json()["formula"]["place_points"] == [10, 6, 3]
    frozen = {"formula": {"best": 3}, "starts_on": "2026-01-02"}
    refused = problems(director.send(of(spring.pk, "change"), frozen))
    assert refused == [("formula_frozen", "formula"), ("formula_frozen", "starts_on")]
    spring.refresh_from_db()
    assert (spring.name, spring.starts_on) == ("Winter", date(2026, 1, 1))


def test_standings_are_read_page_by_page_by_table_and_by_player(club, director):
    spring = season(club, formula={"categories": [{"name": "Pool", "variants": ["pool"]}]})
    first = played(club, "Asha", "Bo", "Cy")
    played(club, "Bo", "Asha", day=7)
    caught_up(club)
    path = of(spring.pk, "standings")
    answer = Client().get(path)
    lines = answer.json()["items"]
    # The first two are tied, and in the order of their ids.
    assert {(line["place"], line["is_tied"], line["name"], line["total"]) for line in lines[:2]} == {
        (1, True, "Asha", "16"),
        (1, True, "Bo", "16"),
    }
    assert [(line["place"], line["name"], line["total"]) for line in lines[2:]] == [(3, "Cy", "3")]
    asha = next(line for line in lines if line["name"] == "Asha")
    assert [(night["name"], night["place"], night["points"], night["counts"]) for night in asha["nights"]] == [
        ("Night 0", 1, "10", True),
        ("Night 7", 2, "6", True),
    ]
    assert asha["nights"][0]["tournament"] == str(first.row.tournament_id)
    assert Client().get(path, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    paged: list[Any] = []
    url = f"{path}?limit=1"
    while url:
        page = Client().get(url).json()
        paged, url = paged + page["items"], page["next"]
    assert paged == lines
    assert [line["name"] for line in director.get(path, {"player": asha["player"]}).json()["items"]] == ["Asha"]
    assert len(director.get(path, {"table": "Pool"}).json()["items"]) == 3
    for query, field in (({"table": "Gin"}, "table"), ({"table": ""}, "table"), ({"player": "x"}, "player")):
        assert [problem["field"] for problem in director.get(path, query).json()["problems"]] == [field]
    other = season(club, name="Other")
    cursor = Client().get(f"{path}?limit=1").json()["next"].partition("?")[2]
    assert Client().get(f"{of(other.pk, 'standings')}?{cursor}").json()["code"] == "bad_parameter"


def test_a_preview_saves_nothing_and_a_recalculation_is_the_workers(club, director):
    played(club, "Asha", "Bo", "Cy")
    caught_up(club)
    body = {**DRAFT, "formula": {"place_points": [7, 2]}}
    (table,) = director.send(of_club(club, "seasons", "preview"), body).json()["tables"]
    assert (table["table"], table["tournaments"]) == ("", 1)
    assert [(line["name"], line["total"]) for line in table["lines"]] == [("Asha", "7"), ("Bo", "2"), ("Cy", "0")]
    assert not Season.objects.exists()
    spring = season(club)
    caught_up(club)
    assert "is_behind" not in director.get(of(spring.pk)).json()
    assert director.send(of(spring.pk, "recalculate"), {}).json()["is_behind"] is True
    assert ClubReadings.objects.get(club=club).is_behind


def test_a_season_is_closed_once_and_says_before_what_prevents_it(club, director):
    spring = season(club)
    played(club, "Asha", "Bo", "Cy", is_closed=False)
    closing = director.get(of(spring.pk, "close")).json()
    assert (closing["ready"], closing["is_closed"]) == (False, False)
    codes = [problem["code"] for problem in closing["problems"]]
    assert "night_open" in codes
    assert [code for code, _ in problems(director.send(of(spring.pk, "close"), {}))] == codes
    again = season(club, name="Again", starts_on=date(2025, 1, 1), ends_on=date(2025, 2, 1))
    caught_up(club)
    with time_machine.travel(LATER, tick=False):
        answers = [Device(club, Role.DIRECTOR).send(of(again.pk, "close"), {}) for _ in range(2)]
        assert director.get(of(again.pk, "close")).json()["is_closed"] is True
    assert [(answer.status_code, answer.get("Idempotency-Replayed")) for answer in answers] == [
        (201, None),
        (201, "true"),
    ]
    again.refresh_from_db()
    assert again.closed_at == LATER
    assert problems(director.send(of(again.pk, "change"), {"name": "x"})) == [("season_closed", "")]


def test_files_are_those_of_the_pages(club):
    spring = season(club)
    played(club, "Asha", "Bo", "Cy")
    caught_up(club)
    pages = f"/c/{club.slug}"
    for ours, theirs in (
        (f"{of(spring.pk, 'file')}?kind=csv", f"{pages}/seasons/spring/season.csv"),
        (f"{of(spring.pk, 'file')}?kind=xlsx", f"{pages}/seasons/spring/season.xlsx"),
        (of_club(club, "ratings", "file"), f"{pages}/ratings.csv"),
        (f"{of_club(club, 'ratings', 'file')}?kind=xlsx", f"{pages}/ratings.xlsx"),
    ):
        answer = Client(headers={"Accept": "text/csv"}).get(ours)
        assert answer.status_code == 200, answer.content
        assert answer.getvalue() == Client().get(theirs).content, ours
    assert Client().get(f"{of(spring.pk, 'file')}?kind=pdf").json()["problems"][0]["field"] == "kind"


def test_ratings_are_listed_the_strongest_first(club):
    played(club, "Asha", "Bo", "Cy")
    caught_up(club)
    ratings = Client().get(of_club(club, "ratings")).json()["items"]
    assert [(rating["place"], rating["name"]) for rating in ratings] == [(1, "Asha"), (2, "Bo"), (3, "Cy")]
    assert ratings[0]["rating"] == ratings[0]["estimate"] - 3 * ratings[0]["deviation"] == ratings[0]["trail"][-1]
    only = Client().get(of_club(club, "ratings"), {"player": ratings[1]["player"]}).json()["items"]
    assert only == [ratings[1]]
