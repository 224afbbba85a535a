"""The schedule of a tournament: when rounds were seated, played and paused, and the earliest start of later ones.

Read from the log: a round begins with its clock, else with its first table, and is over with the last deal of its
tables. Breaks are not planned; those that happened are shown, and so are clocks that were paused.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

import msgspec

from scoring.events import wire
from scoring.tournament import TournamentState
from scoring.tournament.plans import Stage
from tournaments import log
from tournaments.models import Scoresheet, Tournament
from tournaments.running.queries.stages import tournament_state

OPENED = wire.TableOpened.kind
CLOCK = (wire.ClockStarted.kind, wire.ClockPaused.kind)


@dataclass(slots=True, kw_only=True)
class RoundTimes:
    """The times of one round. `pauses` are the times when its clock was paused; the last may not have ended."""

    number: int
    stage: int
    tables: int = 0
    finished: int = 0
    opened: datetime | None = None
    clock_from: datetime | None = None
    last_deal: datetime | None = None
    pauses: list[tuple[datetime, datetime | None]] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return self.tables > 0 and self.finished == self.tables

    @property
    def begins(self) -> datetime | None:
        """When its clock started, else when its first table was opened."""
        return self.clock_from or self.opened

    @property
    def ends(self) -> datetime | None:
        """The last deal of its last table; None while a table plays."""
        return self.last_deal if self.is_over else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundToCome:
    """A planned round that is not seated yet. `earliest` is known while every round before it has a fixed time."""

    number: int
    stage: int
    plan: Stage
    earliest: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The rounds of a tournament: played ones with their times, and planned ones."""

    state: TournamentState | None
    played: tuple[RoundTimes, ...]
    to_come: tuple[RoundToCome, ...]


class _ClockEvent(msgspec.Struct):
    """The fields of a clock event."""

    round: int
    at: int


def schedule_of(tournament: Tournament) -> Schedule:
    """The schedule of a tournament, in four queries however many tables there are."""
    state = tournament_state(tournament.id)
    sheets = Scoresheet.objects.filter(table__tournament_id=tournament.id, is_cancelled=False)
    rounds: dict[int, RoundTimes] = {}
    tables: dict[UUID, RoundTimes] = {}
    rows = sheets.order_by("table__round").values_list("table_id", "table__round", "is_finished", "has_moved_on")
    for table, number, is_finished, has_moved_on in rows:
        times = rounds.setdefault(number, RoundTimes(number=number, stage=_stage_of(state, number)))
        times.tables += 1
        times.finished += is_finished or has_moved_on
        tables[table] = times
    _read_tables(tournament.club_id, tables)
    _read_clocks(tournament, rounds)
    played = tuple(rounds.values())
    return Schedule(state=state, played=played, to_come=tuple(_to_come(tournament, state, played)))


def _read_tables(club_id: UUID, tables: Mapping[UUID, RoundTimes]) -> None:
    """Read when the first table of each round was opened, and when the last deal of its tables was played."""
    for span in log.spans(club=club_id, streams=tables, kinds=(OPENED, *wire.PLAYED_KINDS)):
        times, when = tables[span.stream_id], span.last_occurred
        if span.kind == OPENED:
            times.opened = min(when, times.opened or when)
        else:
            times.last_deal = max(when, times.last_deal or when)


def _read_clocks(tournament: Tournament, rounds: Mapping[int, RoundTimes]) -> None:
    """Read when the clock of each round was started, paused and resumed, in the order of the log."""
    for stored_event in log.read_kinds(tournament.club_id, [tournament.id], CLOCK):
        event = _CLOCK.decode(stored_event.body)
        times, when = rounds.get(event.round), datetime.fromtimestamp(event.at, UTC)
        if times is None:
            continue
        if stored_event.kind == wire.ClockPaused.kind:
            times.pauses.append((when, None))
        elif times.pauses and times.pauses[-1][1] is None:
            times.pauses[-1] = (times.pauses[-1][0], when)
        else:
            times.clock_from = times.clock_from or when


def _to_come(
    tournament: Tournament, state: TournamentState | None, played: Sequence[RoundTimes]
) -> Iterator[RoundToCome]:
    """The planned rounds that are not seated yet, the next one first."""
    if state is None or state.plan is None or state.is_closed:
        return
    number, earliest = state.next_round, _next_start(tournament, state, played)
    for stage, planned in enumerate(state.plan.stages[state.stage - 1 :], state.stage):
        for _ in range(max(0, planned.rounds - len(state.rounds_of(stage)))):
            yield RoundToCome(number=number, stage=stage, plan=planned, earliest=earliest)
            is_known = earliest is not None and planned.length == "minutes"
            earliest = earliest + timedelta(minutes=planned.minutes) if earliest and is_known else None
            number += 1


def _next_start(tournament: Tournament, state: TournamentState, played: Sequence[RoundTimes]) -> datetime | None:
    """When the next round could begin: as planned, or when the clock of the current one ends."""
    if not played:
        return tournament.starts_at
    clock = state.clocks.get(str(played[-1].number))
    if played[-1].is_over or clock is None or not clock.seconds or clock.running_since is None:
        return None
    return datetime.fromtimestamp(clock.running_since + clock.seconds - clock.used, UTC)


def _stage_of(state: TournamentState | None, number: int) -> int:
    seated = state.round_of(number) if state is not None else None
    return seated.stage if seated is not None else 0


_CLOCK = msgspec.json.Decoder(_ClockEvent)
