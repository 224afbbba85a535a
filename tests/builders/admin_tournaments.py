"""A planned evening for the admin: a director, a tournament with players, rounds and tables, made by commands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.events import wire
from scoring.tournament import TournamentState
from scoring.tournament.plans import Plan
from tests.builders.admin_tables import NOW
from tests.builders.there import there
from tournaments.log.context import CommandContext
from tournaments.models import Club, Player, Scoresheet, Table, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.create import TournamentDraft, create_tournament, make_plan
from tournaments.running.commands.record import record_all_in_tournament, record_in_tournament, tournament_state
from tournaments.seating.commands.seat import seat_round
from tournaments.tables.commands.record import record_wire_event

HEATS = {"stages": [{"name": "Heats", "smallest_table": 2, "per_table": 1}, {"name": "Final", "smallest_table": 2}]}
TIMED = {"stages": [{"smallest_table": 2, "length": "minutes", "minutes": 45}]}


@dataclass(frozen=True)
class Night:
    """A tournament with its evening."""

    tournament: Tournament

    @property
    def state(self) -> TournamentState:
        return tournament_state(self.tournament)

    @property
    def plan(self) -> Plan:
        return there(self.state.plan)

    def url(self, page: str = "night") -> str:
        return f"/admin/tournaments/tournament/{self.tournament.pk}/{page}/"

    def record(self, *events: wire.Event) -> None:
        record_all_in_tournament(self.tournament.pk, events, context=at())

    def enter(self, *names: str, is_here: bool = True) -> list[str]:
        """Players of these names enter, and are checked in."""
        players = [str(player.pk) for player in add_players(self.tournament.club, names)]
        self.record(*(wire.PlayerEntered(player=player) for player in players))
        if is_here:
            self.record(*(wire.CheckedIn(player=player) for player in players))
        return players

    def seat(self, players: Sequence[str] = (), *, size: int = 2) -> list[Table]:
        """The next round at tables of one size: these players in their order, or all players who are in."""
        evening = self.state
        field = tuple(players) or evening.field()
        tables = [field[first : first + size] for first in range(0, len(field), size)]
        seating = wire.RoundSeated(
            stage=evening.stage,
            round=evening.next_round,
            tables=tuple((number, players) for number, players in enumerate(tables, 1)),
            method="draw",
            seed="a seed",
        )
        return list(seat_round(self.tournament.pk, seating, context=at()).tables)

    def play_round(self) -> list[Table]:
        """The next round at tables of two, each played to its end and closed."""
        tables = self.seat()
        for table in tables:
            play_out(table)
            record(table, {"kind": "table_closed"})
        return tables


def at(**more: Any) -> CommandContext:
    return CommandContext(**{"actor": "user:0", "now": NOW, **more})


def a_night(club: Club, plan: dict[str, Any] | None = None, **draft: Any) -> Night:
    """A tournament, with a plan where one is given."""
    wanted = {"name": "Saturday", "preset": "pool_101", "starts_at": NOW, **draft}
    tournament = create_tournament(club, TournamentDraft(**wanted), context=at())
    if plan is not None:
        make_plan(tournament.pk, plan, context=at())
    return Night(tournament)


def play_out(table: Table) -> None:
    """Two deals after which seat 1 has won a pool of 101 at a table of two."""
    for number in (1, 2):
        outcomes: dict[str, Any] = {"1": {"how": "show"}, "2": {"how": "loss", "count": 80}}
        record(table, {"kind": "deal_recorded", "deal": number, "outcomes": outcomes})


def record(table: Table, raw: dict[str, Any]) -> None:
    version = Scoresheet.objects.get(table=table).version
    record_wire_event(table.pk, raw, expected=version, context=at())


def names_of(players: Sequence[str]) -> list[str]:
    return list(Player.objects.filter(id__in=players).values_list("name", flat=True))


def start_clock(night: Night, *, at_second: int, seconds: int = 2_700) -> None:
    event = wire.ClockStarted(round=night.state.next_round - 1, at=at_second, seconds=seconds)
    record_in_tournament(night.tournament.pk, event, context=at())


def queries_of_dashboard(client: Client, club: Club, tables: int, **draft: Any) -> int:
    """The queries of the self-refreshing part of the Dashboard when this many tables of two are over."""
    night = a_night(club, HEATS, name=f"{tables} tables", **draft)
    night.enter(*(f"{tables}-{number}" for number in range(2 * tables)))
    for table in night.seat():
        play_out(table)
    client.get(night.url())
    with CaptureQueriesContext(connection) as caught:
        client.get(night.url("night/part"))
    return len(caught)
