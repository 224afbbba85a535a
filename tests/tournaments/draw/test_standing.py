"""Seating by standings."""

import pytest

from tests.builders.rooms import room_of, tables_of, wishes_of
from tournaments.draw import SeatingRejected, round_of
from tournaments.draw.drawing import snake, top_together

EIGHT = tuple(f"P{place}" for place in range(1, 9))


def tables(seated):
    return [table.seats for table in seated.tables]


def test_the_best_sit_together_at_table_one_and_a_snake_turns_at_the_last():
    assert tables(top_together(EIGHT, room_of(8))) == [EIGHT[:4], EIGHT[4:]]
    assert tables(snake(EIGHT, room_of(8))) == [("P1", "P4", "P5", "P8"), ("P2", "P3", "P6", "P7")]
    # It fills the larger table where sizes differ.
    assert tables(snake(EIGHT[:7], room_of(7))) == [("P1", "P4", "P5", "P7"), ("P2", "P3", "P6")]


def test_a_player_who_has_dealt_first_before_does_not_again():
    past = round_of({1: EIGHT[:4], 2: EIGHT[4:]})
    seated = top_together(EIGHT, room_of(8), history=[past])
    assert {table.dealer for table in seated.tables}.isdisjoint({"P1", "P5"})


def test_the_last_of_the_standing_sits_out_and_next_time_the_one_before():
    room = room_of(8, sizes=tables_of(7))
    first = top_together(EIGHT, room)
    assert first.sits_out == ("P8",)
    assert top_together(EIGHT, room, history=[first]).sits_out == ("P7",)


def test_a_standing_of_other_players_is_refused_with_everybody_named():
    with pytest.raises(SeatingRejected) as refusal:
        snake(("Asha", "Bo", "Bo", "Dev"), wishes_of("Asha", "Bo", "Cy"))
    assert [problem.text() for problem in refusal.value.problems] == [
        "Cy is on the list, but not in the standings",
        "Dev is in the standings, but not on the list",
        "Bo is in the standings 2 times",
    ]
