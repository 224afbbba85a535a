"""The fields of a standing, their order, and types that inherit them; tables that are added up to a leaderboard."""

from typing import Any

import msgspec

from scoring.rules.table.standing import ADDED, COLUMNS, FIELDS, SeatLine, holding
from scoring.sheets.leaderboard import leaderboard


def test_every_field_of_a_seat_is_declared_with_what_it_tells():
    who_and_where = {"rank_key", "player", "table", "round", "is_finished"}
    assert {*SeatLine.__struct_fields__} - COLUMNS.keys() == who_and_where
    kinds = [column.kind for column in COLUMNS.values()]
    assert kinds == sorted(kinds)


def test_a_shape_holds_declared_fields_behind_one_of_its_own():
    class Line(msgspec.Struct, frozen=True, kw_only=True):
        """A line for one player."""

        name: str
        note: str = ""

    held = holding(FIELDS, after="name")(Line)
    assert held.__struct_fields__ == ("name", *COLUMNS, "note")
    assert held.__doc__ == "A line for one player."
    said: dict[str, Any] = {"name": "Asha", "drops": 2}
    assert msgspec.json.encode(held(**said)) == b'{"name":"Asha","drops":2}'


def test_tables_are_added_field_by_field_and_the_latest_says_the_rest():
    numbers: dict[str, Any] = dict.fromkeys(ADDED, 1)
    tables = [
        SeatLine(player="asha", table=1, round=played, rank_key=(0,), drops_left=played, **numbers) for played in (1, 2)
    ]
    (row,) = leaderboard(tables, adds_up=True)
    assert {name: getattr(row.line, name) for name in ADDED} == dict.fromkeys(ADDED, 2)
    assert (row.line.round, row.line.drops_left) == (2, 2)


def line(player: str, chips: int, *, round: int = 1, tie_break: int = 0) -> SeatLine:  # noqa: A002 - a round of play
    return SeatLine(player=player, table=1, round=round, chips=chips, rank_key=(-chips, tie_break))


def test_equal_sums_are_a_tie_however_many_tables_they_come_from():
    """Planted fault it catches: the key of one table, tie-break and all, compared with a bare sum."""
    rows = leaderboard([line("asha", 480), line("bo", 240), line("bo", 240, round=2)], adds_up=True)
    assert [(row.line.player, row.place, row.is_tied) for row in rows] == [("asha", 1, True), ("bo", 1, True)]


def test_an_extra_deal_orders_those_who_sat_at_one_table():
    rows = leaderboard([line("asha", 480, tie_break=1), line("bo", 480)], adds_up=True)
    assert [(row.line.player, row.place) for row in rows] == [("bo", 1), ("asha", 2)]
