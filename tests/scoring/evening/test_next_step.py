"""The suggested next step: always one, the first that can be done, and determined by the facts alone."""

from dataclasses import replace

import pytest

from scoring.evening import Evening, fold_evening
from scoring.evening.next_step import next_step
from scoring.evening.steps import Room, TableSummary, Target, shown_clock
from scoring.facts import wire

CAST = ("asha", "bo", "cy", "dev")
HEATS = {"stages": [{"name": "Heats", "smallest_table": 2, "per_table": 1}, {"name": "Final", "smallest_table": 2}]}
TIMED = {"stages": [{"smallest_table": 2, "length": "minutes", "minutes": 45}]}
ONE = TableSummary(key="t1", round=1, number=1, title="Table 1", waits_since=100)
TWO = TableSummary(key="t2", round=1, number=2, title="Table 2", waits_since=50)


def after(*facts, plan=HEATS):
    made = [wire.PlanMade(plan=plan)] if plan else []
    return fold_evening(Evening(), enumerate([*made, *facts], 1))


def entered(*players):
    return [wire.PlayerEntered(player=player) for player in players]


def here(*players):
    return [*entered(*players), *(wire.CheckedIn(player=player) for player in players)]


def heats(*players):
    tables = ((1, players),) if len(players) < 4 else ((1, players[:2]), (2, players[2:]))
    return wire.RoundSeated(stage=1, round=1, tables=tables, method="draw", seed="s")


def closed(table):
    return replace(table, is_finished=True, is_over=True, is_settled=True)


def suggested(evening, *tables, **room):
    steps = next_step(evening, Room(tables=tables, **room))
    assert [step for step in steps.steps if step.is_next] in ([steps.suggested], [])
    return steps.suggested


def named(evening, name, *tables, **room):
    return next(step for step in next_step(evening, Room(tables=tables, **room)).steps if step.name == name)


def test_a_fresh_tournament_first_needs_a_plan():
    step = suggested(after(plan=None))
    assert (step.target, str(step.button)) == (Target.PLAN, "Make plan")


def test_with_a_plan_the_players_are_entered():
    assert suggested(after()).target is Target.ENTRIES
    assert suggested(after(*entered("asha"))).target is Target.ENTRIES


def test_a_player_who_entered_is_checked_in():
    evening = after(*here("asha"), *entered("bo", "cy"))
    assert suggested(evening).target is Target.CHECK_IN
    assert str(named(evening, "check_in").progress) == "1 of 3 are here"


def test_an_absent_player_is_not_waited_for():
    evening = after(*here("asha", "bo"), *entered("cy"), wire.MarkedAbsent(player="cy"))
    assert str(suggested(evening).button) == "Seat round 1"


def test_too_few_players_for_a_table_are_said_with_their_number():
    few = {"stages": [{"smallest_table": 4}]}
    evening = after(*here(*CAST[:3]), plan=few)
    assert str(named(evening, "seat").waits_for) == "3 players can be seated, and a table has at least 4"


def test_the_table_that_waits_longest_is_looked_after_first():
    step = suggested(after(*here(*CAST), heats(*CAST)), ONE, TWO)
    assert (str(step.button), step.table) == ("Record the next deal at Table 2", "t2")


def test_a_finished_table_is_closed_while_others_play():
    step = suggested(after(*here(*CAST), heats(*CAST)), replace(ONE, is_finished=True), TWO)
    assert (step.target, step.table) == (Target.CLOSE_TABLE, "t1")


def test_closing_waits_for_the_tables_that_play():
    evening = after(*here(*CAST), heats(*CAST))
    assert str(named(evening, "close_tables", ONE, closed(TWO)).waits_for) == "1 table is playing"


def test_a_finished_table_waits_for_its_unconfirmed_deals():
    evening = after(*here(*CAST), heats(*CAST))
    step = suggested(evening, replace(ONE, is_finished=True, unconfirmed=2), closed(TWO))
    assert str(step.button) == "Get 2 deals confirmed at Table 1"


@pytest.mark.parametrize(
    ("trouble", "word"), [({"has_dispute": True}, "Resolve dispute"), ({"has_conflict": True}, "Resolve")]
)
def test_trouble_comes_before_everything_else(trouble, word):
    evening = after(*here(*CAST), heats(*CAST))
    step = suggested(evening, replace(ONE, is_finished=True), replace(TWO, **trouble))
    assert str(step.button).startswith(word)
    assert step.table == "t2"


def test_a_late_sheet_is_reviewed_before_anything_is_closed_or_cut():
    """Planted fault: the close suggested that is then refused because of the late sheet."""
    evening = after(*here(*CAST), heats(*CAST))
    step = suggested(evening, closed(ONE), closed(TWO), late={"t2"})
    assert (step.target, step.table) == (Target.LATE_SHEETS, "t2")
    assert str(step.button) == "Review late sheets of Table 2"


def test_progress_counts_finished_and_closed_tables():
    evening = after(*here(*CAST), heats(*CAST))
    assert str(named(evening, "play", closed(ONE), TWO).progress) == "1 of 2 tables finished"
    assert str(named(evening, "close_tables", closed(ONE), TWO).progress) == "1 of 2 tables closed"


def test_a_stage_of_two_rounds_is_seated_again_before_the_cut():
    plan = {"stages": [{**HEATS["stages"][0], "rounds": 2}, HEATS["stages"][1]]}
    evening = after(*here(*CAST), heats(*CAST), plan=plan)
    assert str(suggested(evening, closed(ONE), closed(TWO)).button) == "Seat round 2"
    assert str(named(evening, "cut", closed(ONE), closed(TWO)).waits_for) == "1 round of this stage to be played first"


def test_level_players_at_the_cut_are_settled_before_it():
    evening = after(*here(*CAST), heats(*CAST))
    assert suggested(evening, closed(ONE), closed(TWO), ties=1).target is Target.TIES
    assert suggested(evening, closed(ONE), closed(TWO)).target is Target.CUT


def test_a_table_that_is_opened_again_holds_the_cut():
    evening = after(*here(*CAST), heats(*CAST))
    assert str(named(evening, "cut", closed(ONE), replace(TWO, is_finished=True)).waits_for) == "1 table not closed"


def test_after_the_cut_the_final_is_seated_and_the_heats_are_one_step():
    evening = after(*here(*CAST), heats(*CAST), wire.CutMade(stage=1, advancing=("asha", "cy")))
    assert str(suggested(evening, closed(ONE), closed(TWO)).button) == "Seat round 2"
    assert str(named(evening, "stage_1", closed(ONE), closed(TWO)).progress) == "1 round, 2 players qualified"


def final(*facts):
    cut = wire.CutMade(stage=1, advancing=("asha", "cy"))
    seated = wire.RoundSeated(stage=2, round=2, tables=((1, ("asha", "cy")),), method="standing")
    return after(*here(*CAST), heats(*CAST), cut, seated, *facts)


def test_after_the_final_the_tournament_is_closed_and_the_prizes_settled():
    tables = (closed(ONE), closed(TWO), closed(replace(ONE, key="t3", round=2)))
    assert suggested(final(), *tables).target is Target.CLOSE
    over = final(wire.TournamentClosed())
    assert suggested(over, *tables, prizes_open=True).target is Target.MONEY
    assert suggested(over, *tables).target is Target.BOARD


def test_where_one_player_alone_is_left_for_the_final_the_tournament_is_closed():
    evening = after(*here("asha", "bo"), heats("asha", "bo"), wire.CutMade(stage=1, advancing=("asha", "bo")))
    gone = fold_evening(evening, [(evening.version + 1, wire.PlayerLeft(player="bo"))])
    assert suggested(gone, closed(ONE)).target is Target.CLOSE


def test_a_rehearsal_is_never_settled():
    plan = {"stages": [{"smallest_table": 2}], "is_rehearsal": True}
    evening = after(*here("asha", "bo"), heats("asha", "bo"), wire.TournamentClosed(), plan=plan)
    assert suggested(evening, replace(closed(ONE), is_settled=False)).target is Target.BOARD


def test_a_timed_round_starts_its_clock_and_calls_the_last_deal_when_time_is_up():
    evening = after(*here("asha", "bo"), heats("asha", "bo"), plan=TIMED)
    assert str(suggested(evening, ONE).button) == "Start the clock of round 1"
    running = fold_evening(evening, [(9, wire.ClockStarted(round=1, at=1_000, seconds=2_700))])
    assert str(suggested(running, ONE, clock=shown_clock(running, 3_699)).button) == "Record the next deal at Table 1"
    assert str(suggested(running, ONE, clock=shown_clock(running, 3_700)).button) == "Call the last deal"


def test_after_the_last_call_a_table_is_closed_once_its_deal_is_in():
    evening = after(*here("asha", "bo"), heats("asha", "bo"), plan=TIMED)
    called = [wire.ClockStarted(round=1, at=1_000, seconds=60), wire.LastDealCalled(round=1, at=1_100)]
    evening = fold_evening(evening, enumerate(called, 9))
    clock = shown_clock(evening, 1_200)
    before, since = replace(ONE, deals=3, waits_since=1_050), replace(ONE, deals=4, waits_since=1_150)
    assert str(suggested(evening, before, clock=clock).button) == "Record the last deal at Table 1"
    assert str(suggested(evening, since, clock=clock).button) == "Close Table 1"


@pytest.mark.parametrize(("length", "deals"), [({"length": "deals", "deals": 3}, 3), ({"length": "deals_as_seats"}, 2)])
def test_a_table_with_all_its_deals_is_closed(length, deals):
    plan = {"stages": [{"smallest_table": 2, **length}]}
    evening = after(*here("asha", "bo"), heats("asha", "bo"), plan=plan)
    assert suggested(evening, replace(ONE, deals=deals - 1)).target is Target.SCORE
    assert suggested(evening, replace(ONE, deals=deals)).target is Target.CLOSE_TABLE


def test_level_seats_that_must_play_on_are_not_sent_to_close_their_table():
    plan = {"stages": [{"smallest_table": 2, "length": "deals", "deals": 2}]}
    evening = after(*here("asha", "bo"), heats("asha", "bo"), plan=plan)
    level = replace(ONE, deals=2, plays_to_the_end=True)
    assert str(suggested(evening, level).button) == "Record the next deal at Table 1"
    assert str(suggested(evening, replace(level, is_finished=True)).button) == "Close Table 1"


def test_time_closes_a_table_that_would_have_played_on():
    called = [wire.ClockStarted(round=1, at=1_000, seconds=60), wire.LastDealCalled(round=1, at=1_100)]
    evening = fold_evening(after(*here("asha", "bo"), heats("asha", "bo"), plan=TIMED), enumerate(called, 9))
    since = replace(ONE, deals=4, waits_since=1_150, plays_to_the_end=True)
    assert str(suggested(evening, since, clock=shown_clock(evening, 1_200)).button) == "Close Table 1"


def test_tables_opened_one_by_one_are_played_closed_and_settled():
    evening = after(plan=None)
    assert suggested(evening, ONE).target is Target.SCORE
    assert suggested(evening, replace(ONE, is_finished=True)).target is Target.CLOSE_TABLE
    assert suggested(evening, closed(ONE)).target is Target.CLOSE
    over = fold_evening(evening, [(1, wire.TournamentClosed())])
    assert suggested(over, replace(closed(ONE), is_settled=False)).target is Target.MONEY
    assert suggested(over, closed(ONE)).target is Target.BOARD


def test_tables_are_told_apart_by_their_keys_and_not_compared_with_each_other(monkeypatch):
    """Planted fault: 1,000 open tables were compared with each other half a million times for each look."""
    tables = [replace(ONE, key=f"t{number}", number=number) for number in range(6)]
    monkeypatch.setattr(TableSummary, "__eq__", lambda one, other: pytest.fail("compared"))
    steps = next_step(Evening(), Room(tables=[*map(closed, tables[:2]), *tables[2:]]))
    assert steps.suggested.table == "t2"
