"""An abandoned table whose number was reused stays abandoned: its players sit elsewhere by now, or may sit anywhere.

Planted fault: its cancellation undone like that of any other table. It was open again under an unassigned number, its
tournament could not be closed, and `rebuild --check` stayed red.
"""

from collections.abc import Callable

import pytest

from scoring.events import wire
from scoring.problems import EventNotAllowed
from tests.builders.playing import Playing, context, loses, new_table, show
from tests.builders.stages import SIX, Night, together
from tournaments import log
from tournaments.entries.commands.substitutes import StandIn, substitute, undo_substitution
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import Scoresheet, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.record import tournament_state
from tournaments.seating.commands.seat import change_seats, move_players, seat_round, undo_move, withdraw_seating
from tournaments.tables.commands.record import record_wire_event

pytestmark = pytest.mark.django_db
REASON = "wrong list"
Way = Callable[[Tournament, list[str]], object]


@pytest.fixture
def planned() -> Night:
    """Two tables of three; Gita, whose number is the last one, is at neither of them."""
    planned = Night({"stages": [{"smallest_table": 2}]}, names=SIX)
    planned.seat((0, 1, 2), (3, 4, 5))
    planned.players += [str(player.id) for player in add_players(planned.tournament.club, ("Gita",))]
    return planned


def seat(night: Tournament, *tables: tuple[str, ...]) -> None:
    seated = tuple(enumerate(tables, start=1))
    seat_round(night.id, wire.RoundSeated(stage=1, round=1, tables=seated, method="draw", seed="s"), context=context())


def by_undoing_the_seating(night: Tournament, players: list[str]) -> None:
    withdraw_seating(night.id, 1, reason=REASON, context=context())


def by_other_seats(night: Tournament, players: list[str]) -> None:
    tables = ((1, (players[3], players[1], players[2])), (2, (players[0], *players[4:6])))
    change_seats(night.id, wire.SeatsChanged(round=1, tables=tables), context=context())


def by_undoing_a_move(night: Tournament, players: list[str]) -> None:
    for row in night.tables.all():
        table = Playing(row=row)
        table.deal(1, show, loses(30), loses(80))
        table.deal(2, show, loses(10), loses(30))
    moved = move_players(night.id, together(players), context=context())
    undo_move(night.id, moved.state.version, reason=REASON, context=context())


def by_undoing_a_substitution(night: Tournament, players: list[str]) -> None:
    withdraw_seating(night.id, 1, reason=REASON, context=context())
    substitute(night.id, StandIn(player=players[0], by="Gita", reason=REASON), context=context())
    seat(night, (players[6], *players[1:3]), tuple(players[3:6]))
    undo_substitution(night.id, players[0], reason=REASON, context=context(seen=tournament_state(night).version))


@pytest.mark.parametrize("way", [by_undoing_the_seating, by_other_seats, by_undoing_a_move, by_undoing_a_substitution])
def test_it_is_not_opened_again(planned: Night, way: Way):
    night = planned.tournament
    way(night, planned.players)
    given_up = list(Scoresheet.objects.filter(table__tournament=night, is_cancelled=True, table__number__gte=1000))
    assert given_up
    for sheet in given_up:
        cancelled = log.read(sheet.club_id, sheet.table_id)[-1]
        assert cancelled.kind == "table_cancelled"
        undone = {"kind": "fact_withdrawn", "version": cancelled.version, "reason": REASON}
        with pytest.raises(EventNotAllowed, match="seats changed again since"):
            record_wire_event(sheet.table_id, undone, expected=sheet.version, context=context())
    assert rebuild_differences() == []


@pytest.mark.parametrize("number", [2, 1_500])
def test_a_table_that_kept_its_number_is_opened_again(number: int):
    """Also one that the director numbered so high."""
    row = new_table(number=number).row
    cancelled: dict[str, object] = {"kind": "table_cancelled", "reason": REASON}
    undone: dict[str, object] = {"kind": "fact_withdrawn", "version": 2, "reason": REASON}
    for expected, raw in enumerate((cancelled, undone), start=1):
        record_wire_event(row.id, raw, expected=expected, context=context())
    assert not Scoresheet.objects.get(table=row).is_cancelled
    assert rebuild_differences() == []
