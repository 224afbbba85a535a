"""An abandoned table: its players sit down elsewhere, and what they played there no longer counts."""

import pytest

from tests.builders.playing import Playing, context, first_drop, loses, new_table, new_tournament, show
from tournaments.boards import board
from tournaments.boards.past import board_at
from tournaments.models import Seat, Tournament
from tournaments.people.players import roster
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table

pytestmark = pytest.mark.django_db


def test_its_players_are_free_for_another_table_and_stay_on_the_board():
    table = new_table()
    assert roster(table.row.tournament, 1).free_labels == []
    table.record({"kind": "table_cancelled", "reason": "fire alarm"})
    assert sorted(roster(table.row.tournament, 1).free_labels) == ["Asha", "Bo", "Cy", "Dev"]
    assert len(board(Tournament.objects.get(id=table.row.tournament_id)).rows) == 4


def test_its_players_are_seated_again_in_the_same_round_and_what_was_played_there_does_not_count():
    """Planted fault it catches: net points of both tables added, although the first one's were never paid."""
    home = new_tournament(preset="points", point_value_minor=200)
    given_up = new_table(home)
    given_up.deal(1, show, loses(20), first_drop, loses(10))
    given_up.record({"kind": "table_cancelled", "reason": "the packs were mixed up"})
    seats = [
        SeatedPlayer(number=number, player=player)
        for number, player in Seat.objects.filter(table=given_up.row).values_list("number", "player_id")
    ]
    again = Playing(row=open_table(home, TableDraft(number=2, seats=seats), context=context()))
    again.deal(1, loses(5), show, loses(6), loses(7))
    home = Tournament.objects.get(id=home.id)
    shown = board(home)
    assert {row.line.net_points for row in shown.rows} == {18, -5, -6, -7}
    assert board_at(home, home.board_position).rows == shown.rows
    assert len(shown.tables) == 2
