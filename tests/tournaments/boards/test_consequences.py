"""The consequences of correcting an earlier round, previewed: places, cuts, seats, money; and drawing again."""

import time

import pytest

from scoring.events import wire
from scoring.problems import EventNotAllowed
from scoring.rules.table.previews import preview
from scoring.sheets.snapshots import load_table
from tests.builders.consequences import told
from tests.builders.playing import context, deal, finished_pool, loses, show
from tests.builders.stages import Night
from tests.builders.there import there
from tournaments.boards.consequences import consequences
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import Scoresheet
from tournaments.running.commands.record import record_in_tournament, tournament_state
from tournaments.seating.commands.seat import record_and_redraw

pytestmark = pytest.mark.django_db

BEST_OF_ROOM = {
    "stages": [
        {"smallest_table": 2, "advancing": 2, "name": "Heats", "carries": "nothing"},
        {"smallest_table": 2, "name": "Final"},
    ],
    "tie_breaks": ["high_card"],
}


def corrected(number, *hands):
    return deal(number, *hands, kind="deal_corrected", reason="read the wrong way round")


@pytest.fixture
def points():
    """Two tables of a points evening: Bo lost 10, Dev 40; Asha and Cy won. The two winners qualify."""
    night = Night(BEST_OF_ROOM, preset="points", point_value_minor=100)
    one, two = night.seat((0, 1), (2, 3))
    one.deal(1, show, loses(10))
    two.deal(1, show, loses(40))
    for table in (one, two):
        table.record({"kind": "table_closed"})
    return night, one, two


# The sheet had Asha's and Bo's cells exchanged.
TURNED = corrected(1, loses(10), show)


def names(night, players):
    return [night.names[player] for player in players]


def test_a_correction_tells_both_places_of_who_moves_and_the_settlement_of_each_player(points):
    night, one, _ = points
    found = told(one, TURNED)
    assert {night.names[c.player]: (c.before, c.after) for c in found.places} == {"Asha": (2, 3), "Bo": (3, 2)}
    settled = {night.names[player]: change for player, change in found.settled.items()}
    assert settled == {"Asha": (1000, -1000), "Bo": (-1000, 1000)}
    nothing = told(one, corrected(1, show, loses(10)))
    assert nothing.is_none
    assert not nothing.may_redraw


def test_a_cut_tells_who_would_go_on_instead_and_the_seat_given_since_and_is_made_again_once(points):
    night, one, _ = points
    night.cut()
    (change,) = told(one, TURNED).cuts
    assert names(night, change.no_longer) == ["Asha"]
    assert names(night, change.instead) == ["Bo"]
    assert change.seats == ()
    night.seat((2, 0))
    found = told(one, TURNED)
    (change,) = found.cuts
    assert [(night.names[seat.player], seat.round, seat.table) for seat in change.seats] == [("Asha", 2, 1)]
    assert found.may_redraw
    same = context()
    done = record_and_redraw(one.row.id, [TURNED], expected=one.seen, context=same)
    evening = tournament_state(night.tournament)
    assert (done.round, done.cut) == (2, 1)
    assert [seated.round for seated in evening.rounds] == [1]
    assert names(night, evening.cuts[-1].advancing) == ["Cy", "Bo"]
    assert rebuild_differences() == []
    record_and_redraw(one.row.id, [TURNED], expected=one.seen, context=same)
    assert tournament_state(night.tournament).version == evening.version


def test_a_correction_that_makes_players_level_at_the_cut_names_the_tie_and_leaves_it_open(points):
    night, one, _ = points
    night.cut()
    void = {"kind": "deal_voided", "deal": 1, "reason": "misdeal"}
    (change,) = told(one, void).cuts
    (task,) = change.tasks
    assert names(night, task.players) == ["Asha", "Bo"]
    done = record_and_redraw(one.row.id, [void], expected=one.seen, context=context())
    assert "tie_to_settle" in [problem.code for problem in done.open_problems]
    assert tournament_state(night.tournament).cuts == ()


def test_prizes_that_would_be_others_are_told_in_the_last_stage():
    plan = {"stages": [{"smallest_table": 2}], "prizes_bp": [10_000]}
    night = Night(plan, preset="points", point_value_minor=100, entry_minor=5_000, fee_bp=1_000)
    one, two = night.seat((0, 1), (2, 3))
    one.deal(1, show, loses(50))
    two.deal(1, show, loses(40))
    prizes = {night.names[player]: change for player, change in told(one, corrected(1, loses(50), show)).prizes.items()}
    assert prizes == {"Asha": (18_000, 0), "Bo": (0, 18_000)}


def test_who_left_since_is_no_consequence_of_a_correction(points):
    night, one, _ = points
    night.cut()
    record_in_tournament(night.tournament.id, wire.PlayerLeft(player=night.players[2]), context=context())
    assert told(one, corrected(1, show, loses(11))).cuts == ()


def test_a_cut_that_stays_the_same_is_left_alone(points):
    night, one, _ = points
    night.cut()
    done = record_and_redraw(one.row.id, [corrected(1, show, loses(11))], expected=one.seen, context=context())
    assert done.cut is None
    assert len(tournament_state(night.tournament).cuts) == 1


def test_tables_that_have_dealt_are_not_drawn_again_and_nothing_is_stored(points):
    night, one, _ = points
    night.cut()
    (final,) = night.seat((2, 0))
    final.deal(1, show, loses(5))
    assert not told(one, TURNED).may_redraw
    with pytest.raises(EventNotAllowed):
        record_and_redraw(one.row.id, [TURNED], expected=one.seen, context=context())
    assert Scoresheet.objects.get(table=one.row).version == one.seen


def test_without_a_plan_places_are_told_as_well():
    table = finished_pool()
    found = told(table, corrected(2, loses(60), show, loses(70), loses(80)))
    assert [(change.before, change.after) for change in found.places] != []
    assert found.cuts == ()
    assert not found.may_redraw


@pytest.mark.slow
def test_the_questions_do_not_grow_with_the_field(django_assert_num_queries):
    for tables in (2, 12):
        night = Night(
            BEST_OF_ROOM, preset="points", point_value_minor=100, names=[f"P{tables}-{n}" for n in range(2 * tables)]
        )
        first, *rest = night.seat(*[(n, n + 1) for n in range(0, 2 * tables, 2)])
        for table in (first, *rest):
            table.deal(1, show, loses(10))
        sheet = Scoresheet.objects.select_related("table__tournament__club").get(table=first.row)
        before = load_table(sheet.state)
        after = preview(before, TURNED).after
        with django_assert_num_queries(3):
            consequences(sheet, before, there(after))


@pytest.mark.slow(long=True)
def test_a_correction_of_the_first_of_six_rounds_with_200_players_is_told_quickly():
    plan = {"stages": [{"smallest_table": 4, "preferred_table": 4, "largest_table": 4, "rounds": 6}]}
    night = Night(plan, preset="points", point_value_minor=100, names=[f"P{n}" for n in range(200)])
    played = []
    for _ in range(6):
        for table in night.seat(*[tuple(range(at, at + 4)) for at in range(0, 200, 4)]):
            table.deal(1, show, loses(10), loses(20), loses(30))
            table.close()
            played.append(table)
    began = time.process_time()
    assert told(played[0], corrected(1, loses(10), show, loses(20), loses(30))).places
    assert time.process_time() - began < 1.5
