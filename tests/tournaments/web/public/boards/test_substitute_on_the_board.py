"""A substitute who plays on with another's score before having had a seat: every page names the substitute."""

import csv
import io

import pytest
from django.test import Client
from openpyxl import load_workbook

from scoring.facts import wire
from tests.builders.admin_tournaments import HEATS, Night, a_night, record
from tests.builders.playing import rename
from tests.builders.public_tables import a_club
from tournaments.people.players import add_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """Asha has won the first deal of table 1, and Eli takes her place before the second."""
    night = a_night(a_club(slug="thursday"), HEATS, is_published=True)
    asha = night.enter("Asha", "Bo", "Cy", "Dev")[0]
    (eli,) = add_players(night.tournament.club, ["Eli"])
    tables = night.seat()
    for table in tables:
        raw = {"1": {"how": "show"}, "2": {"how": "loss", "count": 50 - table.number}}
        record(table, {"kind": "deal_recorded", "deal": 1, "outcomes": raw})
    night.record(wire.PlayerSubstituted(player=asha, by=str(eli.pk), reason="called away"))
    return night


@pytest.mark.parametrize("page", ["", "board/", "board.json", "board.csv"])
def test_the_board_names_a_substitute_who_has_not_sat_anywhere(client: Client, night: Night, page: str):
    answer = client.get(f"/c/thursday/t/{night.tournament.slug}/{page}")
    assert answer.status_code == 200
    assert "Eli" in answer.content.decode()


def test_the_club_names_a_substitute_in_the_first_place(client: Client, night: Night):
    assert "Eli" in client.get("/c/thursday/").content.decode()


@pytest.mark.parametrize("page", ["", "board/", "board.json", "board.csv", "embed/", "podium.png", "rounds/"])
def test_a_renamed_substitute_who_has_not_sat_anywhere_is_in_nobodys_cache(client: Client, night: Night, page: str):
    """Planted fault: the ETag held the names of seats alone, and Eli has none."""
    path = f"/c/thursday/t/{night.tournament.slug}/{page}"
    before = client.get(path)["ETag"]
    assert client.get(path, headers={"If-None-Match": before}).status_code == 304
    rename("Eli", "Elias")
    answer = client.get(path, headers={"If-None-Match": before})
    assert answer.status_code == 200
    assert answer["ETag"] != before


def test_what_runs_at_the_club_knows_the_new_name_of_a_substitute_too(client: Client, night: Night):
    before = client.get("/c/thursday/running/")["ETag"]
    rename("Eli", "Elias")
    assert client.get("/c/thursday/running/")["ETag"] != before


def test_the_files_of_a_planned_board_say_what_decides_its_places(client: Client, night: Night):
    """Planted fault: the columns of a single table, which do not show the places of a planned evening."""
    url = f"/c/thursday/t/{night.tournament.slug}/board"
    told = client.get(f"{url}.json").json()["standings"]
    sheet = list(csv.DictReader(io.StringIO(client.get(f"{url}.csv").content.decode("utf-8-sig"))))
    heading, *cells = load_workbook(io.BytesIO(client.get(f"{url}.xlsx").content)).active.iter_rows(values_only=True)
    book = [dict(zip(heading, row, strict=True)) for row in cells]
    wanted = [(row["place"], row["stage"], row["score"], row.get("decided", "")) for row in told]
    assert len({score for _, _, score, _ in wanted}) > 1
    for rows in (sheet, book):
        found = [(int(row["place"]), int(row["stage"]), str(row["score"]), row["decided"] or "") for row in rows]
        assert found == wanted
