"""The planned evening of the example club, in the middle of its second round, with a cut ahead of it.

It lies in `examples/` as one file and goes through the same commands as any evening: entries, payments, seatings, deals
and the clock, which stands still so that a demo looks the same however long nobody opens it.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec

from scoring.facts import wire as events
from scoring.json_text import refuse_repeats
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import EntryRow
from tournaments.evenings.commands.create import TournamentDraft, create_tournament
from tournaments.evenings.commands.planning import make_plan
from tournaments.evenings.commands.record import record_all_in_evening
from tournaments.log.context import Order
from tournaments.models import Club, Player, Tournament
from tournaments.seating.commands.seat import seat_round
from tournaments.tables.commands.record import record_wire_event

Orders = Callable[[], Order]


class PlayedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a round: who sits there, in seat order, and what was written down."""

    number: int
    players: tuple[str, ...]
    events: tuple[dict[str, Any], ...]


class PlayedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round with its clock: of so many seconds so many had run."""

    seed: str
    seconds: int
    ran: int
    tables: tuple[PlayedTable, ...]


class PlannedEvening(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament with a plan, by the names of its players. Everybody has paid but those who have not."""

    tournament: str
    preset: str
    stakes: dict[str, Any]
    plan: dict[str, Any]
    players: tuple[str, ...]
    rounds: tuple[PlayedRound, ...]
    absent: tuple[str, ...] = ()
    standby: tuple[str, ...] = ()
    unpaid: tuple[str, ...] = ()


def read_evening(text: bytes) -> PlannedEvening:
    """A planned evening as it lies in `examples/`. Raises msgspec.ValidationError where a file is none.

    JsonRejected where it names a field twice.
    """
    refuse_repeats(text.decode())
    return msgspec.json.decode(text, type=PlannedEvening)


def play_evening(club: Club, evening: PlannedEvening, orders: Orders) -> Tournament:
    """Everything that has happened in it so far. Raises RuleError."""
    now = orders().now
    draft = TournamentDraft(name=evening.tournament, preset=evening.preset, starts_at=now, **evening.stakes)
    tournament = create_tournament(club, draft, order=orders())
    make_plan(tournament.pk, evening.plan, order=orders())
    enter_list(tournament.pk, list(_rows(evening)), order=orders(), adds_new=True)
    ids = {name: str(key) for key, name in Player.objects.filter(club=club).values_list("id", "name")}
    here = [events.CheckedIn(player=ids[name]) for name in evening.players]
    gone = [events.MarkedAbsent(player=ids[name]) for name in evening.absent]
    record_all_in_evening(tournament.pk, [*here, *gone], order=orders())
    for number, played in enumerate(evening.rounds, start=1):
        _play(tournament, number, played, ids, orders)
        record_all_in_evening(tournament.pk, _clock(number, played, now), order=orders())
    return tournament


def _rows(evening: PlannedEvening) -> Iterable[EntryRow]:
    """Everybody who has entered, in the order in which they came."""
    for number, name in enumerate((*evening.players, *evening.absent, *evening.standby), start=1):
        is_paid = name in evening.players and name not in evening.unpaid
        yield EntryRow(number=number, name=name, is_paid=is_paid, is_standby=name in evening.standby)


def _play(tournament: Tournament, number: int, played: PlayedRound, ids: Mapping[str, str], orders: Orders) -> None:
    """One round of the first stage, as far as it has come."""
    tables = tuple((table.number, tuple(ids[name] for name in table.players)) for table in played.tables)
    seating = events.RoundSeated(stage=1, round=number, tables=tables, method="draw", seed=played.seed)
    opened = seat_round(tournament.pk, seating, order=orders()).tables
    for row, table in zip(opened, played.tables, strict=True):
        for version, event in enumerate(table.events, start=1):
            record_wire_event(row.id, event, expected=version, order=orders())


def _clock(number: int, played: PlayedRound, now: datetime) -> list[events.Fact]:
    """Started when so much had run by now, and standing still since."""
    at = int(now.timestamp())
    started = events.ClockStarted(round=number, at=at - played.ran, seconds=played.seconds)
    return [started, events.ClockPaused(round=number, at=at)]
