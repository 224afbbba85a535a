"""Tables of a trial: opened, dealt and finished by the rules, each distinct start played only once.

Tables of one stage with the same number of seats and the same points brought start alike, so one result serves for all:
in a real tournament only the players differ. Knows nothing of rounds or players.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec

from scoring.events import reading
from scoring.messages import say
from scoring.problems import OptionsRejected, Problem, refuse_if
from scoring.rules.chance import Chance
from scoring.rules.table.admission import opening_problems
from scoring.rules.table.dealing import next_deal
from scoring.rules.table.standing import Standing
from scoring.rules.table.table import Table
from scoring.rules.variants import table_from
from scoring.tournament.plans import Stage
from scoring.tournament.state.played import SeatPlayed
from scoring.tournament.state.terms import Terms

TIMED_DEALS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlayed:
    """A finished table: each seat with its standing and score, in seat order."""

    standings: tuple[Standing, ...]
    scores: tuple[int, ...]
    deals: int
    is_finished: bool

    def seats(self, players: Sequence[str], *, round_number: int, table: int) -> list[SeatPlayed]:
        """The result with players in the seats."""
        return [
            SeatPlayed(
                **msgspec.structs.asdict(standing),
                player=player,
                round=round_number,
                table=table,
                score=score,
                deals=self.deals,
                is_finished=self.is_finished,
            )
            for player, standing, score in zip(players, self.standings, self.scores, strict=True)
        ]


Begun = tuple[int, tuple[int, ...]]


@dataclass(slots=True, kw_only=True)
class Tables:
    """The tables played for one stage. Raises OptionsRejected if one cannot be opened."""

    stage: Stage
    terms: Terms
    known: dict[Begun, TablePlayed] = field(default_factory=dict)

    def played(self, brought: Sequence[int]) -> TablePlayed:
        """A table whose seats bring these points."""
        begun = (len(brought), tuple(brought))
        if begun not in self.known:
            self.known[begun] = played_out(self._opened(brought))
        return self.known[begun]

    def _opened(self, brought: Sequence[int]) -> "_Opened":
        seats = {str(number): str(number) for number in range(1, len(brought) + 1)}
        event = self.terms.at_table(self.stage, len(brought)).opening(seats)
        carried = {seat: points for seat, points in zip(seats, brought, strict=True) if points}
        event = msgspec.structs.replace(event, carried=carried)
        table = table_from(event)
        refuse_if([*opening_problems(table), *_over_the_line(table)], OptionsRejected)
        most = TIMED_DEALS if self.stage.length == "minutes" else table.rules.rehearsed_deals
        return _Opened(event=msgspec.json.encode(event), rules=table.rules, most=most, table=table)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """A table before its first deal, and after how many it is closed. Compared by all that decides how it ends."""

    event: bytes
    rules: object
    most: int
    table: Table = field(compare=False)


def _over_the_line(table: Table) -> Iterator[Problem]:
    """Seats that bring as much as they would be eliminated at: their first deal would be their last."""
    rules, setup = table.rules, table.setup
    line = rules.finish_line(setup) if rules.low_is_good(setup) and not rules.adds_up else None
    if line is not None and any(points >= line for points in setup.carried.values()):
        detail = say("players qualify who bring {line} or more, and are out at {line}", line=line)
        yield Problem("seat_is_out", detail, field="carries")


# A cache: while a plan is edited the same tables are tried again; playing one takes a tenth of a second.
@lru_cache(maxsize=512)
def played_out(opened: _Opened) -> TablePlayed:
    """Play deals until the game is over, or until the table is closed if the game has no end."""
    table = opened.table
    chance = Chance(f"{table.rules.name}:{len(table.setup.seats)}")
    while not table.is_finished and table.deals < opened.most:
        raw = next_deal(table, chance, is_last=table.deals + 1 >= opened.most)
        event = reading.read_event(raw, table.rules, table.setup.seats)
        table = table.apply(event)
    standings, race = tuple(table.standings().values()), table.rules.race
    return TablePlayed(
        standings=standings,
        scores=tuple(getattr(standing, race) or 0 for standing in standings),
        deals=table.deals,
        is_finished=table.is_finished,
    )
