"""A player who left is marked with the same word with and without a plan, on pages, in files and on paper.

Planted faults these catch: a door of standings that tells an elimination where a player went home, or the other way.
"""

import csv
import io
import json
import re

import pytest
from django.test import Client

from scoring.events.tournament import PlayerLeft
from tests.builders.admin_tables import person
from tests.builders.export_files import workbook_rows
from tests.builders.playing import loses, show
from tests.builders.public_tables import Seated, a_club, a_tournament, address, context, seat
from tests.builders.signed_in import signed_in
from tests.builders.stages import Night, pool_won_in
from tournaments.boards import board
from tournaments.entries.commands.substitutes import StandIn, substitute
from tournaments.models import Club, Role, Tournament
from tournaments.printing.lists import standings
from tournaments.rendering.pdf import Table
from tournaments.running.commands.record import record_in_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Seated:
    """A pool of 101 without a plan: Bo is eliminated in deal 2, and Cy goes home after deal 3."""
    table = seat(a_tournament(a_club(), "pool_101"))
    table.deal("show", 80, 10, 5).deal("show", 80, 10, 5).deal("show", 10, 5)
    return table.event(kind="seat_left", seat="3")


def tournament_of(table: Seated) -> Tournament:
    return Tournament.objects.select_related("club").get(pk=table.row.tournament_id)


def words_of(html: str) -> list[str]:
    """What the page says of the players who are out, in the order of the rows."""
    return re.findall(r">\s*(Left|[Oo]ut in deal \d+|Out)\s*<", html)


@pytest.mark.parametrize("door", ["", "embed/", "board/", "screen/part/?screens=standings", "r1/table-1/"])
def test_pages_say_who_left_and_who_was_eliminated(client: Client, table: Seated, door: str):
    html = client.get(address(tournament_of(table), door)).content.decode()
    assert words_of(html) == ["Left", "Out in deal 2"]


def test_the_sheet_in_the_back_office_says_the_same(client: Client, table: Seated):
    client.force_login(person("dita", Role.DIRECTOR, tournament_of(table).club))
    html = client.get(f"/admin/tournaments/table/{table.row.pk}/sheet/").content.decode()
    assert words_of(html) == ["Left", "out in deal 2"]


@pytest.mark.parametrize(("door", "rows"), [("board.json", "standings"), ("r1/table-1/sheet.json", "seats")])
def test_json_says_who_left(client: Client, table: Seated, door: str, rows: str):
    told = json.loads(client.get(address(tournament_of(table), door)).content)[rows]
    assert {row["name"]: row.get("has_left") for row in told} == {"Asha": None, "Bo": None, "Cy": True, "Dev": None}


def test_the_api_says_who_left(client: Client, table: Seated):
    tournament = tournament_of(table)
    rows = client.get(f"/api/v1/tournaments/{tournament.pk}/leaderboard/").json()["rows"]
    assert [row["name"] for row in rows if row.get("has_left")] == ["Cy"]
    seats = signed_in(tournament.club, "director").get(f"/api/v1/tables/{table.row.pk}/").json()["seats"]
    assert [number for number, row in seats.items() if row.get("has_left")] == ["3"]


def test_files_and_paper_say_who_left(client: Client, table: Seated):
    tournament = tournament_of(table)
    text = client.get(address(tournament, "board.csv")).content.decode("utf-8-sig")
    assert {row["name"]: row["has_left"] for row in csv.DictReader(io.StringIO(text))} == {
        "Asha": "no",
        "Bo": "no",
        "Cy": "yes",
        "Dev": "no",
    }
    heading, *rows = workbook_rows(client.get(address(tournament, "board.xlsx")).content, "Leaderboard")
    at = list(heading).index("has_left")
    assert [row[at] for row in rows] == ["no", "no", "yes", "no"]
    (paper,) = [part for part in standings(board(tournament)).parts if isinstance(part, Table)]
    assert [row.cells[1] for row in paper.rows] == ["Asha", "Dev", "Cy (left)", "Bo"]


def test_files_and_paper_say_who_left_a_planned_tournament_between_two_rounds(client: Client):
    """Planted fault: only pages knew of a player whom no table has any more that could tell it."""
    night = Night({"stages": [{"smallest_table": 2, "compares": "rank_points", "rounds": 2}]}, is_published=True)
    Club.objects.filter(pk=night.tournament.club_id).update(is_published=True)
    for table in night.seat((0, 1), (2, 3)):
        pool_won_in(table, 2)
    record_in_tournament(night.tournament.pk, PlayerLeft(player=night.players[2]), context=context())
    told = json.loads(client.get(address(night.tournament, "board.json")).content)["standings"]
    assert [(row["name"], row["is_in"]) for row in told if row.get("has_left")] == [("Cy", False)]
    (paper,) = [part for part in standings(night.board).parts if isinstance(part, Table)]
    assert [row.cells[1] for row in paper.rows] == ["Asha", "Cy (left)", "Bo", "Dev"]


def test_a_player_eliminated_at_a_table_entered_by_its_totals_is_out_and_has_not_left(client: Client):
    """Planted fault: who was eliminated at such a table, where no deal tells when, was shown as gone home."""
    table = seat(a_tournament(a_club(), "pool_101"))
    table.event(kind="totals_recorded", totals={"1": 40, "2": 101, "3": 120, "4": 7}, out={"2": 2, "3": 1})
    for door in ("", "r1/table-1/"):
        assert words_of(client.get(address(tournament_of(table), door)).content.decode()) == ["Out", "Out"]


def test_a_player_eliminated_by_a_penalty_before_the_first_deal_is_out_in_no_deal(client: Client):
    """Planted fault: "Out in deal 0, may rejoin"."""
    table = seat(a_tournament(a_club(), "pool_101"))
    table.event(kind="penalty_given", seat="2", points=101, reason="late")
    for door in ("", "embed/", "r1/table-1/"):
        page = client.get(address(tournament_of(table), door)).content.decode()
        assert "Out, may rejoin" in page
        assert "deal 0" not in page


def test_a_substitute_for_a_player_who_left_the_table_has_not_left(client: Client):
    """Planted fault: the table's mark of the player before was taken for that of who plays on."""
    night = Night({"stages": [{"smallest_table": 2}]}, is_published=True)
    Club.objects.filter(pk=night.tournament.club_id).update(is_published=True)
    (table,) = night.seat((0, 1, 2, 3))
    table.deal(1, show, loses(10), loses(10), loses(10))
    table.record({"kind": "seat_left", "seat": "1"})
    wanted = StandIn(player=night.players[0], by="Zoe", reason="called away", adds_new=True)
    substitute(night.tournament.pk, wanted, context=context())
    told = json.loads(client.get(address(night.tournament, "board.json")).content)["standings"]
    assert "Zoe" in {row["name"] for row in told}
    assert not [row["name"] for row in told if row.get("has_left")]
