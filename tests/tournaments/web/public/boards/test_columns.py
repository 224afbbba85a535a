"""A field of a standing is declared in one place, and reaches every page, file, API and the document of the files.

Planted faults these catch: a page, a file, a print or a shape of the API with a list of columns of its own; a column of
the file that is numbered again.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.test import Client

from scoring.rules.table.standing import COLUMNS
from tests.builders.export_files import workbook_rows
from tests.builders.public_tables import a_club, a_tournament, address, seat
from tournaments.boards import board
from tournaments.models import Standing, Tournament
from tournaments.printing.exports import board_heading
from tournaments.printing.lists import places_tables
from tournaments.rendering.pdf import Table
from tournaments.web.api.table_shapes import BoardLine, SeatAnswer

pytestmark = pytest.mark.django_db
Cells = dict[str, str]


@pytest.fixture
def tournament() -> Tournament:
    """Bo showed wrong twice, Cy once."""
    home = a_tournament(a_club(), "pool_201")
    table = seat(home).deal("show", "wrong_show", 12, 3)
    table.deal("show", "wrong_show", "wrong_show", 3)
    return Tournament.objects.select_related("club").get(id=home.id)


def on_the_page(tournament: Tournament) -> Cells:
    text = Client().get(address(tournament)).content.decode()
    heading, body = (re.findall(rf"<{part}>(.*?)</{part}>", text, re.DOTALL)[0] for part in ("thead", "tbody"))
    return table_of([cells(heading), *map(cells, body.split("</tr>")[:-1])], "Wrong", "Player")


def cells(row: str) -> list[str]:
    found = re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row, re.DOTALL)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", cell)).strip() for cell in found]


def in_csv(tournament: Tournament) -> Cells:
    text = Client().get(address(tournament, "board.csv")).content.decode("utf-8-sig")
    return table_of(list(csv.reader(io.StringIO(text))), "wrong_shows", "name")


def in_the_workbook(tournament: Tournament) -> Cells:
    answer = Client().get(address(tournament, "board.xlsx"))
    rows = [[str(cell) for cell in row] for row in workbook_rows(answer.content, "Leaderboard")]
    return table_of(rows, "wrong_shows", "name")


def on_paper(tournament: Tournament) -> Cells:
    (table,) = [part for part in places_tables(board(tournament)) if isinstance(part, Table)]
    return table_of(
        [[column.title for column in table.columns], *(list(row.cells) for row in table.rows)], "Wrong shows", "Player"
    )


def table_of(rows: list[list[str]], title: str, name: str) -> Cells:
    """The cells of one column by player; empty where there is no such column."""
    heading, *others = rows
    if title not in heading:
        return {}
    return {row[heading.index(name)]: row[heading.index(title)] for row in others}


DOORS = (on_the_page, in_csv, in_the_workbook, on_paper)


def test_a_field_is_no_column_where_nothing_says_so(tournament: Tournament):
    assert [door(tournament) for door in DOORS] == [{}] * 4


def test_a_field_that_is_declared_as_a_column_is_one_at_every_door(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
):
    column = msgspec.structs.replace(COLUMNS["wrong_shows"], page="Wrong", paper="Wrong shows", file=24)
    monkeypatch.setitem(COLUMNS, "wrong_shows", column)
    assert [door(tournament) for door in DOORS] == [{"Asha": "0", "Bo": "2", "Cy": "1", "Dev": "0"}] * 4


def test_every_field_is_kept_in_the_row_of_a_standing_and_told_by_the_api_and_in_json(tournament: Tournament):
    assert COLUMNS.keys() <= {field.attname for field in Standing._meta.concrete_fields}
    answered = Client().get(f"/api/v1/tournaments/{tournament.id}/leaderboard/").json()["rows"]
    exported = Client().get(address(tournament, "board.json")).json()["standings"]
    for rows in (answered, exported):
        assert {row["name"]: row.get("wrong_shows", 0) for row in rows} == {"Asha": 0, "Bo": 2, "Cy": 1, "Dev": 0}
    assert [name for name in BoardLine.__struct_fields__ if name in COLUMNS] == list(COLUMNS)
    of_a_seat = [name for name in COLUMNS if name not in ("deals_played", "payout_minor")]
    assert [name for name in SeatAnswer.__struct_fields__ if name in COLUMNS] == of_a_seat


def test_no_door_says_how_many_deals_were_won_where_the_table_was_entered_by_its_totals(client: Client):
    """Planted fault: a page, a file or an answer says that the winner of such a table has won 0 deals."""
    tournament = a_tournament(a_club(), "pool_101")
    table = seat(tournament)
    table.event(kind="totals_recorded", totals={"1": 40, "2": 101, "3": 120, "4": 7}, out={"2": 2, "3": 1})
    tournament.refresh_from_db()

    for place in ("", "embed/", "board/", "r1/table-1/"):
        text = client.get(address(tournament, place)).content.decode()
        assert re.findall(r'data-title="Won">([^<]*)<', text) == ["–"] * 4, place
    file = list(csv.DictReader(io.StringIO(client.get(address(tournament, "board.csv")).content.decode("utf-8-sig"))))
    assert [row["deals_won"] for row in file] == [""] * 4
    heading, *rows = workbook_rows(client.get(address(tournament, "board.xlsx")).content, "Leaderboard")
    assert [row[heading.index("deals_won")] for row in rows] == [None] * 4
    (paper,) = [part for part in places_tables(board(tournament)) if isinstance(part, Table)]
    assert [row.cells[-1] for row in paper.rows] == ["–"] * 4
    exported = client.get(address(tournament, "board.json")).json()["standings"]
    of_the_table = client.get(address(tournament, "r1/table-1/sheet.json")).json()["seats"]
    answered = client.get(f"/api/v1/tournaments/{tournament.id}/leaderboard/").json()["rows"]
    seats = client.get(f"/api/v1/tables/{table.row.pk}/").json()["seats"].values()
    for told in (exported, of_the_table, answered, seats):
        assert [row["deals_won"] for row in told] == [None] * 4


@pytest.mark.parametrize(("entry_minor", "won"), [(0, 0), (10_000, 36_000)])
def test_a_payout_is_unknown_until_the_table_has_a_result_and_then_0_for_who_gets_nothing(entry_minor: int, won: int):
    """Less 10 % house fee. Planted fault: 0 for a winner at a table without stakes, and nothing for the others."""
    tournament = a_tournament(a_club(), "pool_101", entry_minor=entry_minor)
    table = seat(tournament).deal("show", 80, 80, 80)
    assert payouts(tournament) == [None] * 4
    table.deal("show", 30, 30, 30)
    assert payouts(tournament) == [won, 0, 0, 0]


def payouts(tournament: Tournament) -> list[int | None]:
    """What every file and the API say, the first place first."""
    tournament.refresh_from_db()
    visitor = Client()
    exported = visitor.get(address(tournament, "board.json")).json()["standings"]
    answered = visitor.get(f"/api/v1/tournaments/{tournament.id}/leaderboard/").json()["rows"]
    lines = csv.DictReader(io.StringIO(visitor.get(address(tournament, "board.csv")).content.decode("utf-8-sig")))
    (amounts,) = {
        tuple(row.get("payout_minor") for row in exported),
        tuple(row.get("payout_minor") for row in answered),
        tuple(int(row["payout_minor"]) if row["payout_minor"] else None for row in lines),
    }
    return list(amounts)


def test_the_columns_of_the_file_stay_where_they_are_and_are_documented():
    text = DOCUMENT.read_text()
    assert [column for column in board_heading() if f"`{column}`" not in text] == []
    assert board_heading() == (
        *("place", "tied", "name", "player", "round", "table", "total", "chips", "net_points", "deals_played"),
        *("deals_won", "drops_left", "in", "out_in_deal", "may_rejoin", "payout_minor", "currency"),
        *("stage", "score", "decided", "prize_minor", "net_minor", "has_left"),
    )


DOCUMENT = Path(__file__).resolve().parents[5] / "docs" / "how-to" / "publishing.md"
# Explained elsewhere, or keyed by seat or by the name of an option.
BY_KEY = {"options", "stakes", "cells", "payouts_minor", "conflicts", "seats"}


def fields(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from fields(item)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            if name not in BY_KEY:
                yield from fields(inner)


def test_every_field_of_the_json_is_documented(client: Client):
    tournament = a_tournament(a_club())
    table = seat(tournament).deal("show", 80, 80, 10).correct(1, "show", 80, 80, 20)
    table.deal("show", 30, "wrong_show", "first_drop")
    text = DOCUMENT.read_text()
    for part in ("board.json", "r1/table-1/sheet.json"):
        found = set(fields(json.loads(client.get(address(tournament, part)).content)))
        assert {name for name in found if f"`{name}`" not in text} == set()
