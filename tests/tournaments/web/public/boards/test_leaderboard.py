"""The leaderboard page: places, ties, who is in or out, who has won, and warnings."""

import csv
import io
import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from scoring.events import wire
from tests.builders.admin_tournaments import HEATS, Night, a_night, record
from tests.builders.playing import rename
from tests.builders.public_tables import a_club, a_tournament, address, seat
from tournaments.boards import Board, board
from tournaments.log.auditing import missing_fingerprint
from tournaments.log.seals import board_fingerprint_at
from tournaments.models import Club, Tournament
from tournaments.people.players import add_players
from tournaments.web.public.boards.plan_words import shown_prizes

pytestmark = pytest.mark.django_db

SHOW = {"how": "show"}


def rows(client: Client, tournament: Tournament) -> dict[str, list[str]]:
    """The cells of the board by player, as text."""
    html = client.get(address(tournament)).content.decode()
    body = html.partition("<tbody>")[2].partition("</tbody>")[0]
    found = {}
    for row in body.split("</tr>")[:-1]:
        cells = [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.split(r"</t[dh]>", row)][:-1]
        found[cells[1]] = [cells[0], *cells[2:]]
    return found


def as_json(client: Client, tournament: Tournament) -> Any:
    return json.loads(client.get(address(tournament, "board.json")).content)


def test_a_file_looks_through_its_rows_once_and_not_for_every_row(client: Client, monkeypatch: Any):
    """Planted fault: whether any player has net points was checked for each row; 5,000 rows took two seconds."""
    asked: list[Board] = []
    has_net_points = vars(Board)["has_net_points"].fget

    def counted(self: Board) -> bool:
        asked.append(self)
        return bool(has_net_points(self))

    monkeypatch.setattr(Board, "has_net_points", property(counted))
    tournament = a_tournament(a_club())
    seat(tournament).deal("show", 34, 34, 50)
    for kind in ("csv", "xlsx"):
        asked.clear()
        assert client.get(address(tournament, f"board.{kind}")).status_code == 200
        assert len(asked) == 1


@pytest.mark.slow
def test_amounts_are_written_as_in_the_place_of_the_club_and_files_are_not(client: Client):
    club = a_club()
    tournament = a_tournament(club, currency="EUR", entry_minor=123_456_700)
    seat(tournament, "Asha", "Bo").deal("show", 80).deal("show", 30)
    assert rows(client, tournament)["Asha"][-1] == "€22,22,220.60"
    before = [client.get(address(tournament, name)).content for name in ("board.json", "board.csv")]
    Club.objects.filter(pk=club.pk).update(locale="de_DE")
    assert rows(client, tournament)["Asha"][-1] == "2.222.220,60\u00a0€"
    assert "Entry fee 1.234.567,00\u00a0€ · house fee 10\u00a0%" in client.get(address(tournament)).content.decode()
    assert [client.get(address(tournament, name)).content for name in ("board.json", "board.csv")] == before
    assert as_json(client, tournament)["standings"][0]["payout_minor"] == 222_222_060


def test_the_worked_example_of_points_pays_as_it_should(client: Client):
    tournament = a_tournament(a_club(), "points", fee_bp=0)
    table = seat(tournament, "Asha", "Bo", "Cy", "Dev", "Esha", "Farid").deal("show", 20, 20, 10, 40, 10)
    table.event(kind="table_closed")
    shown = rows(client, tournament)
    assert shown["Asha"][:3] == ["1", "+100", "Winner"]
    assert shown["Asha"][-1] == "₹200.00"
    assert shown["Esha"][1] == "−40"
    assert shown["Esha"][-1] == "−₹80.00"


def test_the_fingerprint_of_a_board_changes_with_every_event_and_can_be_made_again_later(client: Client):
    tournament = a_tournament(a_club())
    table = seat(tournament).deal("show", 34, 12, 20)
    noted = as_json(client, tournament)
    table.deal(20, "show", 3, 4)
    later = as_json(client, tournament)
    assert noted["fingerprint"] != later["fingerprint"]
    assert board_fingerprint_at(tournament.id, noted["position"]) == noted["fingerprint"]
    assert missing_fingerprint(noted["fingerprint"].lower()) == ""
    assert "changed" in missing_fingerprint(f"{noted['position']}-0000-0000-0000-0000")
    assert noted["fingerprint"] == f"{noted['position']}-{noted['fingerprint'].partition('-')[2]}"


@pytest.mark.slow
def test_a_fingerprint_is_looked_for_where_its_position_is_and_not_at_every_tournament(client: Client):
    """Planted fault: the board of every tournament up to that position was made again, three queries for each."""
    club = a_club()
    first = a_tournament(club)
    seat(first).deal("show", 34, 12, 20)
    noted = as_json(client, first)["fingerprint"]
    asked = []
    for number in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert missing_fingerprint(noted) == ""
        asked.append(len(queries))
        for later in range(3):
            seat(a_tournament(club, name=f"Later {number} {later}")).deal("show", 34, 12, 20)
    assert asked[0] == asked[1]


def test_the_prizes_of_a_board_go_with_its_places_whatever_is_dealt_meanwhile():
    """Planted fault: the prizes were calculated from a second read, when another player was in front."""
    plan = {"stages": [{"smallest_table": 2}], "prizes_bp": [10_000]}
    night = a_night(a_club(), plan, entry_minor=10_000)
    night.enter("Asha", "Bo")
    (table,) = night.seat()
    record(table, {"kind": "deal_recorded", "deal": 1, "outcomes": {"1": SHOW, "2": {"how": "loss", "count": 30}}})
    night.tournament.refresh_from_db()
    shown = board(night.tournament)
    record(table, {"kind": "deal_recorded", "deal": 2, "outcomes": {"1": {"how": "loss", "count": 60}, "2": SHOW}})
    prizes = shown_prizes(shown)
    assert prizes is not None
    assert [row.names for row in prizes.rows] == [("Asha",)]


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


def test_a_substitute_who_has_not_sat_anywhere_is_named_and_by_a_new_name_in_nobodys_cache(
    client: Client, night: Night
):
    """Planted fault: the ETag held the names of seats alone, and Eli has none."""
    own = f"/c/thursday/t/{night.tournament.slug}/"
    naming = [*(f"{own}{page}" for page in ("", "board/", "board.json", "board.csv")), "/c/thursday/"]
    paths = [*naming, f"{own}embed/", f"{own}podium.png", f"{own}rounds/", "/c/thursday/running/"]
    tags = {path: client.get(path)["ETag"] for path in paths}
    for path in naming:
        assert "Eli" in client.get(path).content.decode(), path
    rename("Eli", "Elias")
    for path, tag in tags.items():
        answer = client.get(path, headers={"If-None-Match": tag})
        assert (answer.status_code, answer["ETag"] != tag) == (200, True), path


@pytest.mark.slow
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
