"""The suggested next step: always one, the first that can be done, and determined by the events alone."""

from dataclasses import replace

import pytest

from scoring.events import wire
from scoring.tournament import TournamentState, fold_tournament
from scoring.tournament.next_step import next_step
from scoring.tournament.steps import Room, TableSummary, shown_clock
from tests.builders.wording import picture

CAST = ("asha", "bo", "cy", "dev")
HEATS = {"stages": [{"name": "Heats", "smallest_table": 2, "per_table": 1}, {"name": "Final", "smallest_table": 2}]}
TIMED = {"stages": [{"smallest_table": 2, "length": "minutes", "minutes": 45}]}
ONE = TableSummary(key="t1", round=1, number=1, title="Table 1", waits_since=100)
TWO = TableSummary(key="t2", round=1, number=2, title="Table 2", waits_since=50)


def after(*events, plan=HEATS):
    made = [wire.PlanMade(plan=plan)] if plan else []
    return fold_tournament(TournamentState(), enumerate([*made, *events], 1))


def entered(*players):
    return [wire.PlayerEntered(player=player) for player in players]


def here(*players):
    return [*entered(*players), *(wire.CheckedIn(player=player) for player in players)]


def heats(*players):
    tables = ((1, players),) if len(players) < 4 else ((1, players[:2]), (2, players[2:]))
    return wire.RoundSeated(stage=1, round=1, tables=tables, method="draw", seed="s")


def closed(table):
    return replace(table, is_finished=True, is_over=True, is_settled=True)


def final(*events):
    seated = wire.RoundSeated(stage=2, round=2, tables=((1, ("asha", "cy")),), method="standing")
    return playing(CUT, seated, *events)


def playing(*events, players=CAST, plan=HEATS):
    """The first round is seated."""
    return after(*here(*players), heats(*players), *events, plan=plan)


def timed(*events, at=0):
    evening = playing(*events, players=CAST[:2], plan=TIMED)
    return evening, ({"clock": shown_clock(evening, at)} if at else {})


CLOCK = wire.ClockStarted(round=1, at=1_000, seconds=2_700)
CALLED = (wire.ClockStarted(round=1, at=1_000, seconds=60), wire.LastDealCalled(round=1, at=1_100))
BOTH = (closed(ONE), closed(TWO))
PLAYED_OUT = (*BOTH, closed(replace(ONE, key="t3", round=2)))
CUT = wire.CutMade(stage=1, advancing=("asha", "cy"))
TWO_ROUNDS = {"stages": [{**HEATS["stages"][0], "rounds": 2}, HEATS["stages"][1]]}
REHEARSAL = {"stages": [{"smallest_table": 2}], "is_rehearsal": True}
LEVEL = replace(ONE, deals=2, plays_to_the_end=True)
SINCE = replace(ONE, deals=4, waits_since=1_150)


def of_deals(**length):
    return playing(players=CAST[:2], plan={"stages": [{"smallest_table": 2, **length}]})


# Where an evening stands: its events, its tables, and what else is known in the room.
MOMENTS = {
    "a fresh tournament needs a plan": (after(plan=None), (), {}),
    "a seating that was drawn waits to be published": (after(*here(*CAST)), (), {"has_draft": True}),
    "with a plan the players are entered": (after(), (), {}),
    "one player is too few": (after(*entered("asha")), (), {}),
    "a player who entered is checked in": (after(*here("asha"), *entered("bo", "cy")), (), {}),
    "an absent player is not waited for": (
        after(*here("asha", "bo"), *entered("cy"), wire.MarkedAbsent(player="cy")),
        (),
        {},
    ),
    "too few players for a table": (after(*here(*CAST[:3]), plan={"stages": [{"smallest_table": 4}]}), (), {}),
    "the table that waits longest comes first": (playing(), (ONE, TWO), {}),
    "a finished table is closed while others play": (playing(), (replace(ONE, is_finished=True), TWO), {}),
    "closing waits for the tables that play": (playing(), (ONE, closed(TWO)), {}),
    "a finished table waits for its unconfirmed deals": (
        playing(),
        (replace(ONE, is_finished=True, unconfirmed=2), closed(TWO)),
        {},
    ),
    "a dispute comes before everything else": (
        playing(),
        (replace(ONE, is_finished=True), replace(TWO, has_dispute=True)),
        {},
    ),
    "a conflict comes before everything else": (
        playing(),
        (replace(ONE, is_finished=True), replace(TWO, has_conflict=True)),
        {},
    ),
    "a late sheet is reviewed before anything is closed or cut": (playing(), BOTH, {"late": {"t2"}}),
    "one of two tables is closed": (playing(), (closed(ONE), TWO), {}),
    "a stage of two rounds is seated again before the cut": (playing(plan=TWO_ROUNDS), BOTH, {}),
    "level players at the cut are settled before it": (playing(), BOTH, {"ties": 1}),
    "the cut is made": (playing(), BOTH, {}),
    "a table that is opened again holds the cut": (playing(), (closed(ONE), replace(TWO, is_finished=True)), {}),
    "after the cut the final is seated": (playing(CUT), BOTH, {}),
    "after the final the tournament is closed": (final(), PLAYED_OUT, {}),
    "the prizes are settled": (final(wire.TournamentClosed()), PLAYED_OUT, {"prizes_open": True}),
    "all is done": (final(wire.TournamentClosed()), PLAYED_OUT, {}),
    "one player alone is left for the final": (
        playing(wire.CutMade(stage=1, advancing=("asha", "bo")), wire.PlayerLeft(player="bo"), players=("asha", "bo")),
        (closed(ONE),),
        {},
    ),
    "a rehearsal is never settled": (
        playing(wire.TournamentClosed(), players=CAST[:2], plan=REHEARSAL),
        (replace(closed(ONE), is_settled=False),),
        {},
    ),
    "a timed round starts its clock": (timed()[0], (ONE,), {}),
    "the clock runs": (timed(CLOCK)[0], (ONE,), timed(CLOCK, at=3_699)[1]),
    "time is up": (timed(CLOCK)[0], (ONE,), timed(CLOCK, at=3_700)[1]),
    "after the last call a deal is still to come": (
        timed(*CALLED)[0],
        (replace(ONE, deals=3, waits_since=1_050),),
        timed(*CALLED, at=1_200)[1],
    ),
    "after the last call the deal is in": (timed(*CALLED)[0], (SINCE,), timed(*CALLED, at=1_200)[1]),
    "time closes a table that would have played on": (
        timed(*CALLED)[0],
        (replace(SINCE, plays_to_the_end=True),),
        timed(*CALLED, at=1_200)[1],
    ),
    "one of three deals is missing": (of_deals(length="deals", deals=3), (replace(ONE, deals=2),), {}),
    "all three deals are played": (of_deals(length="deals", deals=3), (replace(ONE, deals=3),), {}),
    "one of as many deals as seats is missing": (of_deals(length="deals_as_seats"), (replace(ONE, deals=1),), {}),
    "as many deals as seats are played": (of_deals(length="deals_as_seats"), (replace(ONE, deals=2),), {}),
    "level seats must play on": (of_deals(length="deals", deals=2), (LEVEL,), {}),
    "level seats have played on": (of_deals(length="deals", deals=2), (replace(LEVEL, is_finished=True),), {}),
    "a table opened by itself": (after(plan=None), (ONE,), {}),
    "a table opened by itself is finished": (after(plan=None), (replace(ONE, is_finished=True),), {}),
    "a table opened by itself is closed": (after(plan=None), (closed(ONE),), {}),
    "tables opened one by one are over and not settled": (
        after(wire.TournamentClosed(), plan=None),
        (replace(closed(ONE), is_settled=False),),
        {},
    ),
    "tables opened one by one are over": (after(wire.TournamentClosed(), plan=None), (closed(ONE),), {}),
}


def told(evening, tables, room):
    """The suggested step, and below it each step with how far it is and what it waits for."""
    steps = next_step(evening, Room(tables=tables, **room))
    step = steps.suggested
    assert [each for each in steps.steps if each.is_next] in ([step], [])
    lines = [
        f"{each.name}: {each.progress}{' / waits: ' if each.waits_for else ''}{each.waits_for}" for each in steps.steps
    ]
    return [f"NEXT {step.target.name} {step.table or '-'}: {step.button}", *lines]


def test_one_step_is_suggested_the_first_that_can_be_done(snapshot):
    """Planted fault: the close suggested that is then refused because of a late sheet."""
    assert picture((name, told(*moment)) for name, moment in MOMENTS.items()) == snapshot


def test_tables_are_told_apart_by_their_keys_and_not_compared_with_each_other(monkeypatch):
    """Planted fault: 1,000 open tables were compared with each other half a million times for each look."""
    tables = [replace(ONE, key=f"t{number}", number=number) for number in range(6)]
    monkeypatch.setattr(TableSummary, "__eq__", lambda one, other: pytest.fail("compared"))
    steps = next_step(TournamentState(), Room(tables=[*map(closed, tables[:2]), *tables[2:]]))
    assert steps.suggested.table == "t2"
