"""A club, a tournament and a table to play at, in the words of the game.

The cast: Asha, Bo, Cy and Dev play, Sam writes, Dita is at the desk.
"""

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tournaments.log.context import CommandContext
from tournaments.models import Club, Player, Scoresheet, Standing, Table, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.create import TournamentDraft, create_tournament
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.tables.commands.record import RecordedEvent, record_wire_event

CAST = ("Asha", "Bo", "Cy", "Dev")
NOW = datetime(2026, 1, 17, 14, 0, tzinfo=UTC)

show = {"how": "show"}
last = {"how": "last_standing"}
first_drop = {"how": "first_drop"}
middle_drop = {"how": "middle_drop"}
wrong_show = {"how": "wrong_show"}
out = {"how": "not_in_deal"}


def loses(count: int) -> dict[str, Any]:
    return {"how": "loss", "count": count}


def context(**extra: Any) -> CommandContext:
    """The context of a command of Sam's, with a new key unless one is given."""
    return CommandContext(**{"actor": "user:sam", "now": NOW, **extra})


def new_club(name: str = "Asha's club", **extra: Any) -> Club:
    return Club.objects.create(name=name, slug=f"club-{uuid.uuid4().hex[:8]}", **extra)


def rename(name: str, to: str) -> None:
    """Rename every player of this name."""
    for player in Player.objects.filter(name=name):
        player.name = to
        player.save()


def new_tournament(club: Club | None = None, preset: str = "pool_101", **extra: Any) -> Tournament:
    draft = TournamentDraft(**{"name": "Saturday", "preset": preset, "starts_at": NOW, **extra})
    return create_tournament(club or new_club(), draft, context=context())


@dataclass
class Playing:
    """An open table and the version that its writer has seen."""

    row: Table
    seen: int = 1

    def record(self, event: dict[str, Any], *, expected: int | None = None, **extra: Any) -> RecordedEvent:
        """Write an event after the seen version."""
        at = self.seen if expected is None else expected
        recorded = record_wire_event(self.row.id, event, expected=at, context=context(**extra))
        self.seen = recorded.stored.version
        return recorded

    def deal(self, number: int, *hands: dict[str, Any], **extra: Any) -> RecordedEvent:
        """A deal: one hand a seat, in seat order."""
        return self.record(deal(number, *hands), **extra)

    def correct(self, number: int, *hands: dict[str, Any], reason: str = "misread", **extra: Any) -> RecordedEvent:
        """Another sheet for a deal."""
        return self.record(deal(number, *hands, kind="deal_corrected", reason=reason), **extra)

    def close(self) -> RecordedEvent:
        return self.record({"kind": "table_closed"})

    @property
    def sheet(self) -> Scoresheet:
        return Scoresheet.objects.get(table=self.row)

    def totals(self) -> list[int | None]:
        return list(Standing.objects.filter(table=self.row).order_by("seat_number").values_list("total", flat=True))


def deal(number: int, *hands: dict[str, Any], kind: str = "deal_recorded", **extra: Any) -> dict[str, Any]:
    """A deal as it is sent."""
    outcomes = {str(seat): hand for seat, hand in enumerate(hands, start=1)}
    return {"kind": kind, "deal": number, "outcomes": outcomes, **extra}


def new_table(tournament: Tournament | None = None, names: tuple[str, ...] = CAST, number: int = 1) -> Playing:
    """A table of new players, open and empty."""
    home = tournament or new_tournament()
    players = add_players(home.club, names)
    seats = [SeatedPlayer(number=seat, player=player.id) for seat, player in enumerate(players, start=1)]
    return Playing(row=open_table(home, TableDraft(number=number, seats=seats), context=context()))


def finished_pool(**extra: Any) -> Playing:
    """Asha wins a pool of 101 in two deals; the table is still open."""
    table = new_table(new_tournament(entry_minor=100_000, fee_bp=1_200, **extra))
    table.deal(1, show, loses(60), loses(70), loses(80))
    table.deal(2, show, loses(60), loses(70), loses(80))
    return table
