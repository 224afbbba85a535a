"""The boxes of a club by a program of its owner.

Planted faults these catch: a box for a director, a name that climbs out of the club's folder, another club's box.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.builders.api_clients import Device
from tests.builders.playing import NOW, finished_pool, new_club
from tournaments.boxes.keeping import boxes_of, make_box
from tournaments.models import Club, Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(tmp_path: Path, settings: Any) -> Club:
    settings.BACKUP_DIR = tmp_path
    return finished_pool().row.tournament.club


def path(club: Club, *more: object) -> str:
    return "/".join(map(str, ("/api/v1/clubs", club.pk, "boxes", *more, "")))


def test_an_owner_makes_a_box_reads_its_code_and_fetches_it(club):
    owner = Device(club, Role.OWNER)
    answer = owner.send(path(club), {})
    made = answer.json()
    assert [answer["Cache-Control"], owner.get(path(club))["Cache-Control"]] == ["no-store", "no-store"]
    (box,) = boxes_of(club.pk)
    assert (made["name"], made["code"], made["bytes"]) == (box.path.name, box.code, box.path.stat().st_size)
    assert owner.get(path(club)).json()["items"] == [made]
    answer = owner.get(path(club, made["name"]))
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("application/octet-stream", "no-store")
    assert answer.getvalue() == box.path.read_bytes()


def test_a_second_box_of_one_second_leaves_the_first_as_it_is(club):
    """Planted fault: a code that was told opens no box any more."""
    first, second = (make_box(club, now=NOW) for _ in range(2))
    assert first != second
    assert {box.path for box in boxes_of(club.pk)} == {first, second}


def test_nobody_else_makes_lists_or_fetches_one(club):
    owner, director = Device(club, Role.OWNER), Device(club, Role.DIRECTOR)
    name = owner.send(path(club), {}).json()["name"]
    assert [director.get(url).status_code for url in (path(club), path(club, name))] == [403, 403]
    assert director.send(path(club), {}).status_code == 403
    other = new_club("Dita's club")
    theirs = make_box(other, now=boxes_of(club.pk)[0].made_at).name
    for wrong in (theirs, "..%2Fsecret_key", "x"):
        assert owner.get(path(club, wrong)).status_code == 404, wrong
    stranger = Device(other, Role.OWNER)
    assert [stranger.get(url).status_code for url in (path(club), path(club, name))] == [404, 404]
