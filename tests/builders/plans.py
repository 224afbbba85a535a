"""A planned evening in memory: events go in; rounds, standings and cuts come out.

The cast: Asha, Bo, Cy, Dev; larger fields are numbered.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from hypothesis import strategies as st

from scoring.events import wire
from scoring.events.wire import Event
from scoring.tournament import TournamentState, fold_tournament, read_plan
from scoring.tournament.standings import CutProposal, propose_cut
from scoring.tournament.standings.results import Memory, Result, stage_results
from scoring.tournament.standings.tiebreaks import Ranked, chain_of, deciding_lines, ranked
from scoring.tournament.state.played import Game, SeatPlayed
from tests.builders.there import there

CAST = ("asha", "bo", "cy", "dev")
LOW = Game(adds_up=True, low_is_good=True)
HIGH = Game(adds_up=True, low_is_good=False)
POOL = Game(adds_up=False, low_is_good=True)
GAMES = (LOW, HIGH, POOL)


def field_of(many: int) -> tuple[str, ...]:
    return tuple(f"p{number:03}" for number in range(1, many + 1))


@dataclass
class Night:
    """An evening that grows; `play` seats a round and records what its tables scored."""

    plan: dict[str, Any]
    players: Sequence[str] = CAST
    game: Game = LOW
    events: list[Event] = field(default_factory=list)
    played: list[SeatPlayed] = field(default_factory=list)
    rounds: int = 0
    stage: int = 1

    def __post_init__(self) -> None:
        plan = msgspec.to_builtins(read_plan(self.plan))
        self.events += [wire.PlanMade(plan=plan), *(wire.PlayerEntered(player=player) for player in self.players)]

    @property
    def state(self) -> TournamentState:
        return fold_tournament(TournamentState(), enumerate(self.events, 1))

    def then(self, *events: Event) -> "Night":
        self.events += events
        return self

    def play(
        self, *tables: Mapping[str, int], out: Sequence[str] = (), deals: Sequence[int] = (), **more: Any
    ) -> "Night":
        """The next round: each table as players with their scores. `more` sets other numbers by player."""
        self.rounds += 1
        seated = tuple((number, tuple(table)) for number, table in enumerate(tables, 1))
        self.then(
            wire.RoundSeated(stage=self.stage, round=self.rounds, tables=seated, method="draw", sitting_out=tuple(out))
        )
        for number, table in enumerate(tables, 1):
            played = deals[number - 1] if deals else 4
            self.played += seats_at(self.game, table, at=(self.rounds, number), deals=played, more=more)
        return self

    def cut(self) -> "Night":
        """The cut that the plan makes, with no ties left to break."""
        proposal = self.proposal()
        assert proposal.tasks == ()
        self.then(
            wire.CutMade(stage=self.stage, advancing=proposal.advancing, carried=proposal.carried, left=proposal.left)
        )
        self.stage += 1
        return self

    def results(self, stage: int | None = None) -> dict[str, Result]:
        return {result.player: result for result in self._worked_out(stage or self.stage)}

    def _worked_out(self, stage: int) -> tuple[Result, ...]:
        """The lines of a stage, which must be the same as those cached before the last deal of any of its tables."""
        anew = stage_results(self.state, stage, self.played, self.game)
        for at, seat in enumerate(self.played):
            former = msgspec.structs.replace(seat, score=seat.score + 7, place=seat.place + 1, deals=seat.deals - 1)
            known = Memory({}, {})
            stage_results(self.state, stage, [*self.played[:at], former, *self.played[at + 1 :]], self.game, known)
            assert stage_results(self.state, stage, self.played, self.game, Memory(known.now, {})) == anew
        return anew

    def standings(self, stage: int | None = None) -> tuple[Ranked, ...]:
        number, evening = stage or self.stage, self.state
        return ranked(self._worked_out(number), chain_of(evening, number, self.game))

    def places(self, stage: int | None = None) -> dict[str, int]:
        return {row.player: row.place for row in self.standings(stage)}

    def lines(self) -> dict[str, str]:
        breaks = there(self.state.plan).tie_breaks
        return {player: str(line) for player, line in deciding_lines(self.standings(), breaks).items()}

    def proposal(self) -> CutProposal:
        return propose_cut(self.state, self.played, self.game)


def seats_at(
    game: Game, table: Mapping[str, int], *, at: tuple[int, int], deals: int, more: Mapping[str, Mapping[str, Any]]
) -> list[SeatPlayed]:
    """The seats of one table from their scores; in a pool game 101 or more is out."""
    keys = {player: _key(game, score, more.get("out_in_deal", {}).get(player)) for player, score in table.items()}
    order = sorted(keys.values())
    return [
        SeatPlayed(
            player=player,
            round=at[0],
            table=at[1],
            score=score,
            rank_key=keys[player],
            place=order.index(keys[player]) + 1,
            deals=deals,
            **{name: values[player] for name, values in more.items() if player in values},
        )
        for player, score in table.items()
    ]


def _key(game: Game, score: int, out: int | None) -> tuple[int, ...]:
    if game.adds_up:
        return (score if game.low_is_good else -score,)
    return (0, 0, score) if out is None else (1, -out, score)


def seven_rounds(**more: Any) -> dict[str, Any]:
    return {"stages": [{"rounds": 7, "smallest_table": 2, **more}]}


def heats(**more: Any) -> dict[str, Any]:
    return {"stages": [{"smallest_table": 2, **more}, {"smallest_table": 2}]}


scores = st.integers(min_value=-300, max_value=300)


@st.composite
def nights(draw: Any, *, least_rounds: int = 2) -> Night:
    """Some rounds of one stage at two tables, with any policy, any way to compare, and any scores."""
    game = draw(st.sampled_from(GAMES))
    compares = draw(st.sampled_from(("score", "average", "rank_points")))
    plan = seven_rounds(compares=compares) | {
        "late": draw(st.sampled_from(("zero", "average", "highest_plus"))),
        "leaving": draw(st.sampled_from(("forfeit", "average", "void"))),
        "late_until_round": 7,
    }
    night = Night(plan, field_of(8), game)
    for _ in range(draw(st.integers(min_value=least_rounds, max_value=5))):
        order = draw(st.permutations(night.players))
        numbers = draw(st.lists(scores, min_size=8, max_size=8))
        table = dict(zip(order, numbers, strict=True))
        halves = dict(list(table.items())[:4]), dict(list(table.items())[4:])
        out = {player: draw(st.integers(min_value=1, max_value=4)) for player in order[:2]} if not game.adds_up else {}
        more: dict[str, Any] = {"out_in_deal": out} if out else {}
        night.play(*halves, deals=draw(st.sampled_from(((4, 4), (3, 5)))), **more)
    return night
