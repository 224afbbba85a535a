"""Clubs, tournaments and tables for the tests of the pages, made through the commands as a director would.

table = seat(tournament, "Asha", "Bo", "Cy")
table.deal("show", 34, "first_drop")
"""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from django.utils.timezone import now

from scoring.rules.table.table import Table as Game
from tournaments.log.context import CommandContext
from tournaments.models import Club, Table, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.create import TournamentDraft, create_tournament
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.tables.commands.record import record_wire_event

NAMES = ("Asha", "Bo", "Cy", "Dev")
Ending = str | int | None


def context() -> CommandContext:
    return CommandContext(actor="user:1", now=now())


def a_club(*, slug: str = "", name: str = "Rummy Circle", is_published: bool = True) -> Club:
    return Club.objects.create(name=name, slug=slug or f"club-{uuid4().hex[:8]}", is_published=is_published)


def a_tournament(club: Club, preset: str = "pool_101", **fields: Any) -> Tournament:
    """A tournament with stakes, unless given otherwise."""
    stakes: dict[str, Any] = {"entry_minor": 30000, "fee_bp": 1000}
    if preset.startswith("points"):
        stakes = {"point_value_minor": 200, "fee_bp": 1000}
    named: dict[str, Any] = {"name": "Friday", "preset": preset, "starts_at": now()}
    draft = TournamentDraft(**(named | stakes | fields))
    return create_tournament(club, draft, context=context())


class Seated:
    """A table in play. Endings are given seat by seat: an ending's name, a count, or None for no part."""

    def __init__(self, row: Table) -> None:
        self.row = row
        self.version = 1
        self.game: Game | None = None

    def deal(self, *endings: Ending, **fields: Any) -> "Seated":
        """One deal, for the seats in play in their order."""
        number = self.game.next_deal if self.game else 1
        return self.event(kind="deal_recorded", deal=number, outcomes=self._outcomes(endings), **fields)

    def correct(self, deal: int, *endings: Ending) -> "Seated":
        """Another sheet for a deal: endings for every seat of the table, None for those who had no part."""
        outcomes = _outcomes(self._seats(), endings)
        return self.event(kind="deal_corrected", deal=deal, reason="misread", outcomes=outcomes)

    def event(self, **event: Any) -> "Seated":
        """Record any other event."""
        recorded = record_wire_event(self.row.id, event, expected=self.version, context=context())
        self.version, self.game = recorded.stored.version, recorded.table
        return self

    def _outcomes(self, endings: Sequence[Ending]) -> dict[str, Any]:
        return _outcomes(self.game.in_play if self.game else self._seats(), endings)

    def _seats(self) -> list[str]:
        return [str(seat) for seat in self.row.seats.order_by("number").values_list("number", flat=True)]


def seat(tournament: Tournament, *names: str, number: int = 0, table_round: int = 1, name: str = "") -> Seated:
    """A table with new players of these names."""
    players = add_players(tournament.club, names or NAMES)
    seats = [SeatedPlayer(number=place, player=player.id) for place, player in enumerate(players, start=1)]
    number = number or tournament.tables.filter(round=table_round).count() + 1
    draft = TableDraft(number=number, round=table_round, name=name, seats=seats)
    return Seated(open_table(tournament, draft, context=context()))


def address(tournament: Tournament, rest: str = "") -> str:
    return f"/c/{tournament.club.slug}/t/{tournament.slug}/{rest}"


def english(path: str) -> str:
    """The address of a page in English."""
    return f"/en-gb{path}"


def _outcomes(seats: Sequence[str], endings: Sequence[Ending]) -> dict[str, Any]:
    return {
        seat: {"how": "loss", "count": ending} if isinstance(ending, int) else {"how": ending}
        for seat, ending in zip(seats, endings, strict=True)
        if ending is not None
    }
