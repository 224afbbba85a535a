"""Re-entries at real tables: start scores on sheets and boards, refusals at the desk, corrections.

Planted faults these catch: a sheet of pool that begins without the start, a minimum score that no command checks,
a cut that is not made again where only the score left has changed, a season that counts the start as played.
"""

from fractions import Fraction

import pytest

from scoring.problems import EventNotAllowed
from scoring.sheets.snapshots import load_table
from scoring.tournament import load_tournament_state
from tests.builders.consequences import told
from tests.builders.playing import Playing, context, deal, loses, show
from tests.builders.stages import Night
from tests.builders.there import there
from tournaments.boards.explaining import explained
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk, offered
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import EveningSheet, Table
from tournaments.models.log import Event
from tournaments.running.commands.record import tournament_state
from tournaments.seasons.results import current_results
from tournaments.seating.commands.seat import record_and_redraw

pytestmark = pytest.mark.django_db
ASHA, BO, CY, DEV = range(4)
AGAIN = {"reentry_minor": 5_000, "reentry_until_round": 2}


def levels(**again):
    """Winners qualify, and their net points carry over; losers may re-enter."""
    return {
        "stages": [
            {"smallest_table": 2, "per_table": 1, "at_least": -30},
            {"smallest_table": 2, "carries": "score", **AGAIN, **again},
        ]
    }


def played(**again):
    """Asha won 40 of Bo and Cy 70 of Dev; the winners qualified."""
    night = Night(levels(**again), preset="points", point_value_minor=100)
    one, two = night.seat((ASHA, BO), (CY, DEV))
    one.deal(1, show, loses(40))
    two.deal(1, show, loses(70))
    for table in (one, two):
        table.record({"kind": "table_closed"})
    night.cut()
    return night, one, two


def tap(night, at, act="reenter", **extra):
    return act_at_desk(night.tournament.id, DESK_ACTS[act], night.players[at], context=context(**extra))


def refusal(night, at):
    with pytest.raises(EventNotAllowed) as refused:
        tap(night, at)
    return [(problem.field, problem.text()) for problem in refused.value.problems]


def may_re_enter(night, at):
    found = offered(night.tournament, tournament_state(night.tournament), night.players[at])
    return "reenter" in {act.name for act in found}


@pytest.mark.slow
def test_the_own_score_and_the_chips_stand_on_the_board_and_in_the_explanation():
    night, *_ = played(reentry_begins="score_and_chips", reentry_chips=50)
    tap(night, DEV)
    (final,) = night.seat((ASHA, CY, DEV))
    final.deal(1, loses(10), loses(20), show)
    row = next(row for row in night.board.rows if row.line.player == night.players[DEV])
    assert (row.place, row.score) == (3, "10")
    assert [(str(part.text), int(part.amount)) for part in there(night.line(DEV)).result.parts] == [
        ("Brought from stage 1: -70", -70),
        ("Re-entry: 50 added", 50),
        ("Round 2, table 1", 30),
    ]
    stage = there(explained(night.tournament, night.players[DEV])).stages[0]
    assert sum(part.amount for part in stage.parts) == 10
    assert rebuild_differences() == []


@pytest.mark.slow
def test_a_score_that_is_not_reached_is_refused_at_every_door_and_nothing_is_stored():
    night, *_ = played(reentry_begins="score_and_chips", reentry_chips=25, reentry_at_least=-30)
    before = Event.objects.count()
    assert refusal(night, DEV) == [("reentry_at_least", "Dev would start with -45, and a re-entry needs -30 or more")]
    assert Event.objects.count() == before
    assert not may_re_enter(night, DEV)
    assert may_re_enter(night, BO)
    tap(night, BO)


def test_a_re_entry_sent_again_is_stored_once_and_taken_back_as_if_it_had_never_been():
    night, *_ = played(reentry_begins="least_score")
    kept = EveningSheet.objects.get(tournament=night.tournament).state
    done = tap(night, DEV, key="once")
    assert (done.is_replay, done.undo) == (False, "take_reentry_back")
    assert tap(night, DEV, key="once").is_replay
    assert tap(night, DEV).is_replay
    assert there(night.line(DEV, 2)).result.score == -30
    tap(night, DEV, "take_reentry_back")
    now, before = (
        load_tournament_state(EveningSheet.objects.get(tournament=night.tournament).state),
        load_tournament_state(kept),
    )
    assert now.field() == before.field()
    assert night.line(DEV, 2) is None
    assert rebuild_differences() == []


def pool(**again):
    """Two tables of a pool by the clock: Asha 0, Bo 60, Cy 0, Dev 90; the winners qualify and keep their scores."""
    plan = {
        "stages": [
            {"smallest_table": 2, "per_table": 1, "length": "minutes", "minutes": 45},
            {"smallest_table": 2, "carries": "score", **AGAIN, **again},
        ]
    }
    night = Night(plan)
    one, two = night.seat((ASHA, BO), (CY, DEV))
    one.deal(1, show, loses(60))
    two.deal(1, show, loses(80))
    two.deal(2, show, loses(10))
    for table in (one, two):
        table.record({"kind": "table_closed", "time_called": True})
    night.cut()
    return night


@pytest.mark.slow
@pytest.mark.parametrize(
    ("again", "start"),
    [
        ({"reentry_begins": "chips", "reentry_chips": 79}, 79),
        ({"reentry_begins": "chips", "reentry_chips": -(10**6)}, -(10**6)),
        ({"reentry_begins": "score_and_chips", "reentry_chips": -15, "reentry_at_least": 80}, 75),
    ],
)
def test_the_next_sheet_of_a_pool_begins_with_the_start_of_a_re_entry(again, start):
    night = pool(**again)
    tap(night, DEV)
    (final,) = night.seat((ASHA, CY, DEV))
    assert final.totals() == [0, 0, start]
    final.deal(1, show, loses(5), loses(10))
    assert final.totals() == [0, 5, start + 10]
    found = there(explained(night.tournament, night.players[DEV]))
    assert found.stages[0].row.result.score == start + 10
    assert [line.changes["total"] for line in found.tables[-1].reckoning.lines] == [10]
    assert sum((part.amount for part in found.stages[0].parts), Fraction()) == start + 10
    assert rebuild_differences() == []


def test_a_table_keeps_the_start_of_a_re_entry_which_a_season_does_not_count_as_played():
    night = pool(reentry_begins="chips", reentry_chips=79)
    tap(night, DEV)
    (final,) = night.seat((ASHA, CY, DEV))
    assert load_table(final.sheet.state).setup.carried == {"3": 79}
    final.deal(1, show, loses(5), loses(10))
    came = current_results([night.tournament])[night.tournament.id].came
    assert {night.names[each.player]: each.score for each in came} == {"Asha": 0, "Bo": -60, "Cy": -5, "Dev": -100}


@pytest.mark.slow
def test_a_correction_tells_what_somebody_who_re_entered_would_bring_and_drawing_again_follows():
    night, _, two = played(reentry_begins="score_and_chips", reentry_chips=50)
    tap(night, DEV)
    fewer = deal(1, show, loses(60), kind="deal_corrected", reason="read again")
    (change,) = told(two, fewer).cuts
    carried = {night.names[player]: moved for player, moved in change.carried.items()}
    assert carried == {"Cy": (70, 60), "Dev": (-70, -60)}
    done = record_and_redraw(two.row.id, [fewer], expected=two.seen, context=context())
    assert (done.cut, done.open_problems) == (1, ())
    assert there(night.line(DEV, 2)).result.score == -10
    assert rebuild_differences() == []


@pytest.mark.slow
def test_a_cut_is_made_again_where_only_what_somebody_had_left_has_changed():
    night = pool(reentry_begins="score_and_chips", reentry_chips=-15, reentry_at_least=80)
    tap(night, DEV)
    two = Playing(row=Table.objects.get(tournament=night.tournament, round=1, number=2), seen=4)
    fewer = deal(2, show, loses(4), kind="deal_corrected", reason="read again")
    assert record_and_redraw(two.row.id, [fewer], expected=two.seen, context=context()).cut == 1
    assert there(night.line(DEV, 2)).result.score == 69
    assert rebuild_differences() == []


def test_a_cut_sent_again_is_found_also_with_what_was_left():
    night = Night(levels(), preset="points", point_value_minor=100)
    one, two = night.seat((ASHA, BO), (CY, DEV))
    one.deal(1, show, loses(40))
    two.deal(1, show, loses(70))
    for table in (one, two):
        table.record({"kind": "table_closed"})
    assert night.cut(key="the cut").cuts[0].left == {night.players[BO]: -40, night.players[DEV]: -70}
    assert night.cut(key="the cut").version == tournament_state(night.tournament).version
