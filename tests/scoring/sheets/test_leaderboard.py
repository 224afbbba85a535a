"""The standings over all tables of a tournament."""

from scoring.rules.table.standing import SeatLine
from scoring.sheets.leaderboard import leaderboard


def line(player: str, chips: int, *, round: int = 1, tie_break: int = 0) -> SeatLine:  # noqa: A002 - a round of play
    return SeatLine(player=player, table=1, round=round, chips=chips, rank_key=(-chips, tie_break))


def test_equal_sums_are_a_tie_however_many_tables_they_come_from():
    """Planted fault it catches: the key of one table, tie-break and all, compared with a bare sum."""
    rows = leaderboard([line("asha", 480), line("bo", 240), line("bo", 240, round=2)], adds_up=True)
    assert [(row.line.player, row.place, row.is_tied) for row in rows] == [("asha", 1, True), ("bo", 1, True)]


def test_an_extra_deal_orders_those_who_sat_at_one_table():
    rows = leaderboard([line("asha", 480, tie_break=1), line("bo", 480)], adds_up=True)
    assert [(row.line.player, row.place) for row in rows] == [("bo", 1), ("asha", 2)]
