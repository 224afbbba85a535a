"""The clock: the time left depends on the events and the given moment only."""

import pytest

from scoring.events import wire
from scoring.tournament import TournamentState, fold_tournament
from scoring.tournament.steps import ShownClock, clock_text, shown_clock

SEATED = wire.RoundSeated(stage=1, round=1, tables=((1, ("asha", "bo")), (2, ("cy", "dev"))), method="draw")
PLAYERS = [wire.PlayerEntered(player=player) for player in ("asha", "bo", "cy", "dev")]


def started(*events):
    begun = wire.ClockStarted(round=1, at=1_000, seconds=600)
    return fold_tournament(TournamentState(), enumerate([*PLAYERS, SEATED, begun, *events], 1))


def shown(evening: TournamentState, at: int) -> ShownClock:
    clock = shown_clock(evening, at)
    assert clock is not None
    return clock


def test_it_counts_down_from_its_start_to_an_end_that_every_device_sees():
    assert shown_clock(fold_tournament(TournamentState(), enumerate([*PLAYERS, SEATED], 1)), 1_000) is None
    clock = shown(started(), 1_060)
    assert (clock.left, clock.ends_at, clock.is_running, clock.is_over) == (540, 1_600, True, False)
    assert shown(started(), 1_499).ends_at == 1_600


def test_time_is_added_for_one_table_or_for_everybody():
    clock = shown(started(wire.TimeAdded(round=1, seconds=120, table=2, reason="spilt tea")), 1_600)
    assert clock.is_over
    assert [(table.table, table.extra, table.left) for table in clock.tables] == [(2, 120, 120)]
    clock = shown(started(wire.TimeAdded(round=1, seconds=60, reason="late start")), 1_600)
    assert (clock.left, clock.tables) == (60, ())


def test_a_pause_takes_nothing_away():
    paused = started(wire.ClockPaused(round=1, at=1_100))
    assert (shown(paused, 5_000).left, shown(paused, 5_000).ends_at) == (500, None)
    again = started(wire.ClockPaused(round=1, at=1_100), wire.ClockStarted(round=1, at=5_000))
    assert shown(again, 5_000).ends_at == 5_500


def test_the_last_deal_can_be_called_in_a_round_without_a_clock():
    events = [*PLAYERS, SEATED, wire.LastDealCalled(round=1, at=1_200)]
    clock = shown(fold_tournament(TournamentState(), enumerate(events, 1)), 1_300)
    assert (clock.is_timed, clock.is_last_deal_called, clock.is_over) == (False, True, False)


@pytest.mark.parametrize(("seconds", "said"), [(0, "0:00"), (65, "1:05"), (3_600, "60:00"), (-5, "−0:05")])
def test_time_is_said_in_minutes_and_seconds(seconds, said):
    assert clock_text(seconds) == said
