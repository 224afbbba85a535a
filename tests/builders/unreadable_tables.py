"""A club with a table whose log this release cannot read."""

from scoring.events import wire
from tests.builders.playing import Playing, loses, new_table, new_tournament, show
from tests.builders.unreadable_events import OldTable
from tournaments import log

BEYOND = wire.PenaltyGiven(seat="1", points=10_001, reason="a typing error")


def a_club_with_an_unreadable_table() -> tuple[Playing, log.StoredEvent]:
    """A points table with a penalty that no present version reads, closed and settled."""
    playing = new_table(new_tournament(preset="points", point_value_minor=200))
    playing.deal(1, show, loses(10), loses(20), loses(30))
    old = OldTable(playing)
    stored = old.tells(BEYOND)
    old.tells(wire.TableClosed())
    return playing, stored
