"""Pool players of short tables continue together with the totals they had; a move can be undone."""

import msgspec
import pytest

from scoring.events import wire
from scoring.problems import EventNotAllowed, RuleError
from tests.builders.playing import Playing, context, loses, out, show
from tests.builders.stages import Night, short_tables, together
from tournaments.boards import board
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import Scoresheet, Standing, Tournament
from tournaments.models.log import Event
from tournaments.running.commands.record import tournament_state
from tournaments.seating.commands.seat import move_players, undo_move, withdraw_seating
from tournaments.web.public.boards.standings import board_columns, board_rows

pytestmark = pytest.mark.django_db
PLAN = {"stages": [{"smallest_table": 2}]}


@pytest.fixture
def room():
    """Two tables of three at which Cy and Fay have gone out: the tournament, the players and the tables."""
    night, tables = short_tables()
    return night.tournament, night.players, [table.row for table in tables]


def test_players_go_on_with_the_totals_they_had_and_their_tables_are_broken_up(room, client):
    tournament, players, rows = room
    (table,) = move_players(tournament.id, together(players), context=context()).tables
    totals = Standing.objects.filter(table=table).order_by("seat_number").values_list("total", flat=True)
    assert list(totals) == [0, 40, 0, 40]
    assert all(sheet.has_moved_on for sheet in Scoresheet.objects.filter(table__in=rows))
    assert rebuild_differences() == []
    shown = board(Tournament.objects.select_related("club").get(id=tournament.id))
    status = {row.name: row.status for row in board_rows(shown, board_columns(shown, 1), shown.rows)}
    assert (status["Cy"], status["Asha"]) == ("Out in deal 2", "In")
    type(tournament.club).objects.filter(id=tournament.club_id).update(is_published=True)
    page = client.get(f"/c/{tournament.club.slug}/t/{tournament.slug}/").content.decode()
    assert page.count("Continued elsewhere") == 2
    assert "Cancelled" not in page
    assert ">Finished<" not in page
    Playing(row=table).deal(1, show, loses(61), loses(5), loses(5))
    assert not Standing.objects.get(table=table, seat_number=2).is_in


def test_a_player_who_is_out_goes_on_nowhere_and_one_who_is_in_needs_a_seat(room):
    tournament, players, _ = room
    wrong = together(players, tables=((3, (players[0], players[1], players[2], players[4])),))
    with pytest.raises(EventNotAllowed) as refused:
        move_players(tournament.id, wrong, context=context())
    assert [problem.text() for problem in refused.value.problems] == [
        "Cy is out, and does not play on",
        "Dev is still in, and has no seat",
    ]
    assert not Scoresheet.objects.filter(has_moved_on=True).exists()


@pytest.mark.slow
def test_a_move_that_is_taken_back_leaves_everything_as_it_was(room):
    tournament, players, rows = room
    before = tournament_state(tournament)
    moved = move_players(tournament.id, together(players), context=context())
    undo_move(tournament.id, moved.state.version, reason="They sit at table 2 instead", context=context())
    assert tournament_state(tournament).rounds == before.rounds
    assert not Scoresheet.objects.filter(table__in=rows, has_moved_on=True).exists()
    Playing(row=rows[0], seen=5).deal(3, show, loses(3), out)
    assert rebuild_differences() == []


def test_a_move_is_made_once_and_stands_once_a_deal_was_played_after_it_as_does_the_seating_before_it(room):
    tournament, players, _ = room
    same = context()
    moved = move_players(tournament.id, together(players), context=same)
    assert move_players(tournament.id, together(players), context=same).is_replay
    assert len(tournament_state(tournament).moves) == 1
    with pytest.raises(EventNotAllowed, match="players were moved in round"):
        withdraw_seating(tournament.id, 1, reason="Wrong draw", context=context())
    Playing(row=moved.tables[0]).deal(1, show, loses(1), loses(2), loses(3))
    with pytest.raises(EventNotAllowed, match="1 deal on its sheet"):
        undo_move(tournament.id, moved.state.version, reason="Too late", context=context())


@pytest.mark.slow
def test_a_move_can_be_made_and_taken_back_again_and_again(room):
    """Planted fault it catches: the numbers of abandoned tables colliding."""
    tournament, players, _ = room
    for _ in range(3):
        moved = move_players(tournament.id, together(players), context=context())
        undo_move(tournament.id, moved.state.version, reason="They sit at table 2 instead", context=context())
    (table,) = move_players(tournament.id, together(players), context=context()).tables
    Playing(row=table).deal(1, show, loses(1), loses(2), loses(3))
    assert rebuild_differences() == []


def test_a_move_of_which_one_table_is_refused_leaves_nothing_behind(room):
    """Planted fault it catches: the first table abandoned, and the second one closed in between."""
    tournament, players, rows = room
    Playing(row=rows[1], seen=3).record({"kind": "table_cancelled", "reason": "given up"})
    before = Event.objects.count()
    with pytest.raises(RuleError):
        move_players(tournament.id, together(players), context=context())
    assert Event.objects.count() == before
    assert not Scoresheet.objects.filter(has_moved_on=True).exists()


@pytest.mark.parametrize("preset", ["deals_best_of_2", "points"])
def test_where_each_sheet_starts_again_nobody_moves_away_from_a_score(preset: str):
    """Planted fault it catches: Asha's 100 chips more are lost when she continues at table 3."""
    night = Night(PLAN, preset=preset, **({"point_value_minor": 100} if preset == "points" else {}))
    tournament, players = night.tournament, night.players
    first, _ = night.seat((0, 1), (2, 3))
    move = wire.PlayersMoved(round=1, instead_of=(1, 2), tables=((3, tuple(players)),))
    moved = move_players(tournament.id, move, context=context())
    undo_move(tournament.id, moved.state.version, reason="Not yet", context=context())
    first.deal(1, show, loses(60), expected=first.sheet.version)
    with pytest.raises(EventNotAllowed, match="table 1 has 1 deal on its sheet"):
        move_players(tournament.id, msgspec.structs.replace(move, tables=((4, tuple(players)),)), context=context())
