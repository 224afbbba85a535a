"""What was recorded at a table before its first deal outlives every change of seats: it follows the player.

Planted faults: a table opened again without it; a penalty carried twice; one of a player without a seat dropped without
a question.
"""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest

from scoring.events import wire
from scoring.problems import EventNotAllowed
from scoring.sheets.snapshots import load_table
from tests.builders.playing import NOW, Playing, context, loses, show
from tests.builders.samples import each
from tests.builders.stages import SIX, Night
from tournaments import log
from tournaments.entries.commands.seats import LateSeat, get_up, last_change, seat_late, undo_seats
from tournaments.entries.commands.substitutes import StandIn, substitute, undo_substitution
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import Scoresheet, Standing
from tournaments.people.players import add_players
from tournaments.running.commands.record import tournament_state
from tournaments.seating.commands.seat import (
    change_seats,
    move_players,
    seat_round,
    swap_seats,
    undo_move,
    withdraw_seating,
)

pytestmark = pytest.mark.django_db
PLAN = {"stages": [{"smallest_table": 2}], "late_until_round": 9}
REASON = "wrong list"
CHIPS = "rummy_royal"


class Hall(Night):
    """Two tables of three: Asha, Bo, Cy and Dev, Eli, Fay; Gita is known to the club."""

    def __init__(self, preset: str, **extra: Any) -> None:
        super().__init__(PLAN, preset=preset, names=SIX, point_value_minor=100, **extra)
        add_players(self.tournament.club, ("Gita",))
        self.tables = self.seat((0, 1, 2), (3, 4, 5))

    def recorded(self) -> Counter[tuple[str, str, int, str]]:
        """Player, kind, size and reason of what counts at the tables that are in play."""
        found: Counter[tuple[str, str, int, str]] = Counter()
        evening = tournament_state(self.tournament)
        sheets = Scoresheet.objects.filter(table__tournament=self.tournament, is_cancelled=False, has_moved_on=False)
        for sheet in sheets:
            table, notes = load_table(sheet.state), {}
            notes = {
                stored_event.version: stored_event.note for stored_event in log.read(sheet.club_id, sheet.table_id)
            }
            for entry in table.timeline:
                event = entry.event
                if isinstance(event, wire.PenaltyGiven | wire.BoughtIn) and not entry.is_void:
                    size = event.points if isinstance(event, wire.PenaltyGiven) else event.amount_minor
                    player = evening.playing_for(table.players[event.seat])
                    found[player, event.kind, size, notes[entry.version] or ""] += 1
        return found

    def reseat(self, *tables: tuple[int, ...], **extra: Any) -> None:
        """The round again; whoever is at no table sits out."""
        seated = tuple((n, tuple(self.players[at] for at in table)) for n, table in enumerate(tables, 1))
        placed = {at for table in tables for at in table}
        left = tuple(player for at, player in enumerate(self.players) if at not in placed)
        event = wire.RoundSeated(stage=1, round=1, tables=seated, method="draw", seed="s", sitting_out=left)
        seat_round(self.tournament.id, event, context=context(now=NOW + timedelta(minutes=9)), **extra)


def penalty(table: Playing, seat: str, points: int = 5) -> None:
    event = {"kind": "penalty_given", "seat": seat, "points": points, "reason": "came late"}
    table.record(event, expected=table.sheet.version)


def buy_in(table: Playing, seat: str, amount: int = 20_000) -> None:
    event = {"kind": "bought_in", "seat": seat, "amount_minor": amount}
    table.record(event, expected=table.sheet.version)


@pytest.fixture(
    params=["points", pytest.param("pool_101", marks=pytest.mark.slow), pytest.param(CHIPS, marks=pytest.mark.slow)]
)
def hall(request: pytest.FixtureRequest) -> Hall:
    """Asha bought chips and has a penalty of 5, Dev one of 7; Bo's was undone."""
    hall = Hall(request.param)
    first, second = hall.tables
    if request.param != "pool_101":
        for table in hall.tables:
            for seat in ("1", "2", "3"):
                buy_in(table, seat)
    penalty(first, "1")
    penalty(first, "2", 9)
    undone = {"kind": "fact_withdrawn", "version": first.sheet.version, "reason": "was on time"}
    first.record(undone, expected=first.sheet.version)
    penalty(second, "1", 7)
    return hall


def redraw(hall: Hall) -> None:
    withdraw_seating(hall.tournament.id, 1, reason=REASON, context=context())
    hall.reseat((5, 3, 1), (0, 2, 4))


def undo_seating_twice(hall: Hall) -> None:
    redraw(hall)
    redraw(hall)


def substitute_and_redraw(hall: Hall) -> None:
    withdraw_seating(hall.tournament.id, 1, reason=REASON, context=context())
    substitute(hall.tournament.id, StandIn(player=hall.players[0], by="Gita", reason=REASON), context=context())
    players = [tournament_state(hall.tournament).playing_for(player) for player in hall.players]
    tables = ((1, tuple(players[3:])), (2, tuple(players[:3])))
    seat_round(
        hall.tournament.id,
        wire.RoundSeated(stage=1, round=1, tables=tables, method="draw", seed="s"),
        context=context(now=NOW + timedelta(minutes=9)),
    )


def swap(hall: Hall) -> None:
    """A second one is the same request, a moment later."""
    moment = NOW + timedelta(seconds=tournament_state(hall.tournament).version)
    swap_seats(hall.tournament.id, hall.players[0], hall.players[3], reason="", context=context(now=moment))


def swap_and_back(hall: Hall) -> None:
    swap(hall)
    undo_seats(hall.tournament.id, last_change(hall.tournament), context=context())


def other_tables(hall: Hall) -> None:
    a, b, c, d, e, f = hall.players
    event = wire.SeatsChanged(round=1, tables=((1, (e, a)), (2, (d, b, c, f))))
    change_seats(hall.tournament.id, event, context=context())


def late_player(hall: Hall) -> None:
    seat_late(hall.tournament.id, LateSeat(name="Gita", table=1), context=context())


def late_player_undone(hall: Hall) -> None:
    late_player(hall)
    undo_seats(hall.tournament.id, last_change(hall.tournament), context=context())


def no_show(hall: Hall) -> None:
    get_up(hall.tournament.id, hall.players[5], "absent", context=context(), drops_recorded=True)


def substituted(hall: Hall) -> None:
    substitute(hall.tournament.id, StandIn(player=hall.players[0], by="Gita", reason=REASON), context=context())


def substitute_who_is_swapped(hall: Hall) -> None:
    substituted(hall)
    by = tournament_state(hall.tournament).playing_for(hall.players[0])
    swap_seats(hall.tournament.id, by, hall.players[3], reason="", context=context())


def substitute_undone(hall: Hall) -> None:
    substitute_who_is_swapped(hall)
    undo_substitution(hall.tournament.id, hall.players[0], reason=REASON, context=context())


def moved(hall: Hall) -> None:
    event = wire.PlayersMoved(round=1, instead_of=(1, 2), tables=((3, tuple(hall.players)),))
    move_players(hall.tournament.id, event, context=context())


def moved_and_back(hall: Hall) -> None:
    moved(hall)
    undo_move(hall.tournament.id, tournament_state(hall.tournament).version, reason=REASON, context=context())


WAYS = [
    redraw,
    undo_seating_twice,
    substitute_and_redraw,
    swap,
    swap_and_back,
    other_tables,
    late_player,
    late_player_undone,
    no_show,
    substituted,
    substitute_who_is_swapped,
    substitute_undone,
    moved,
    moved_and_back,
]


@pytest.mark.parametrize("way", each(*WAYS, quick=WAYS[::2]))
def test_it_follows_the_player_through_every_change_of_seats(hall: Hall, way: Callable[[Hall], None]):
    before = hall.recorded()
    assert before
    way(hall)
    evening = tournament_state(hall.tournament)
    expected: Counter[tuple[str, str, int, str]] = Counter()
    for (player, kind, size, reason), times in before.items():
        if way is not no_show or player != hall.players[5]:
            expected[evening.playing_for(player), kind, size, reason] += times
    assert hall.recorded() == expected
    assert rebuild_differences() == []


def test_the_score_of_a_penalty_counts_once_after_a_move():
    hall = Hall("pool_101")
    penalty(hall.tables[0], "1")
    moved(hall)
    lines = Standing.objects.filter(table__tournament=hall.tournament, table__number=3).order_by("seat_number")
    assert list(lines.values_list("total", flat=True)) == [5, 0, 0, 0, 0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["points", "pool_101"])
def test_two_changes_of_seats_after_each_other_lose_nothing(preset: str):
    """Every pair of the ways that leave the round as seated."""
    again = [redraw, swap, swap_and_back, late_player_undone]
    for ways in [*permutations(again, 2), *((way, way) for way in again)]:
        hall = Hall(preset)
        penalty(hall.tables[0], "1")
        before = hall.recorded()
        for way in ways:
            way(hall)
        assert hall.recorded() == before, [way.__name__ for way in ways]


def test_a_penalty_given_after_a_move_stays_when_the_move_is_undone():
    hall = Hall("points")
    penalty(hall.tables[0], "1")
    moved(hall)
    new = Playing(row=hall.tournament.tables.get(number=3))
    penalty(new, "4", 8)
    before = hall.recorded()
    undo_move(hall.tournament.id, tournament_state(hall.tournament).version, reason=REASON, context=context())
    assert hall.recorded() == before
    assert rebuild_differences() == []


def test_a_move_stands_once_a_penalty_that_came_along_was_undone_at_the_new_table():
    hall = Hall("points")
    penalty(hall.tables[0], "1")
    moved(hall)
    new = Playing(row=hall.tournament.tables.get(number=3))
    new.record({"kind": "fact_withdrawn", "version": 2, "reason": "was on time"}, expected=2)
    with pytest.raises(EventNotAllowed, match="was undone since at a new table"):
        undo_move(hall.tournament.id, tournament_state(hall.tournament).version, reason=REASON, context=context())


@pytest.mark.parametrize("why", ["absent", "left", "sits_out"])
def test_a_player_who_is_to_lose_the_seat_keeps_it_until_somebody_says_so(why: Any):
    hall = Hall("points")
    penalty(hall.tables[0], "1")
    with pytest.raises(EventNotAllowed) as refused:
        get_up(hall.tournament.id, hall.players[0], why, context=context())
    (problem,) = refused.value.problems
    assert (problem.code, problem.seat) == ("recorded_before", hall.players[0])
    assert problem.text().startswith("Asha has a penalty of 5 at table 1, which would no longer count")
    assert sum(hall.recorded().values()) == 1
    get_up(hall.tournament.id, hall.players[0], why, context=context(), drops_recorded=True)
    assert not hall.recorded()


def test_a_round_seated_again_without_a_player_who_bought_in_asks():
    hall = Hall("points")
    buy_in(hall.tables[0], "3", 20_000)
    withdraw_seating(hall.tournament.id, 1, reason=REASON, context=context())
    with pytest.raises(EventNotAllowed) as refused:
        hall.reseat((0, 1), (3, 4, 5))
    (problem,) = refused.value.problems
    assert problem.text() == ("Cy had a buy-in of 200.00 INR before the seating was undone, and has no seat now")
    hall.reseat((0, 1), (3, 4, 5), seats_absent=True)
    assert not hall.recorded()


def test_a_table_that_the_director_cancelled_stays_cancelled_with_its_penalties():
    """Planted fault: its penalties come back with the next seating of the round."""
    hall = Hall("points")
    penalty(hall.tables[0], "1")
    penalty(hall.tables[1], "1", 7)
    first = hall.tables[0]
    cancelled = {"kind": "table_cancelled", "reason": "marked cards"}
    first.record(cancelled, expected=first.sheet.version, now=NOW + timedelta(seconds=1))
    withdraw_seating(hall.tournament.id, 1, reason=REASON, context=context())
    hall.reseat((0, 1, 2), (3, 4, 5))
    assert set(hall.recorded()) == {(hall.players[3], "penalty_given", 7, "came late")}


def test_a_split_that_was_agreed_before_the_first_deal_is_undone_by_hand_first():
    """Planted fault: other players are seated, and the split of the former ones is gone."""
    hall = Hall("pool_101", options={"splits": "manual", "split_needs_fewer_than_started": False})
    hall.tables[0].record({"kind": "split_agreed"}, expected=1)
    for way in (swap, late_player, redraw):
        with pytest.raises(EventNotAllowed, match="Table 1 has an agreed split: undo it at the table first"):
            way(hall)
    hall.tables[0].record({"kind": "fact_withdrawn", "version": 2, "reason": "too early"}, expected=2)
    swap(hall)


def test_a_table_with_a_deal_keeps_its_seats():
    hall = Hall("points")
    penalty(hall.tables[0], "1")
    hall.tables[0].deal(1, show, loses(30), loses(20), expected=2)
    before = hall.recorded()
    for way in (swap, late_player, redraw):
        with pytest.raises(EventNotAllowed):
            way(hall)
    assert hall.recorded() == before
