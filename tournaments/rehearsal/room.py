"""The room of a rehearsal while it plays: its evening as last told, its chance, and its clock.

Rules: docs/rehearsal.md, section 2 (seeds). Time is made up: a quarter of a minute passes with every deed.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from scoring.evening import Evening, Stage
from scoring.evening.standings.results import stage_results
from scoring.evening.standings.tiebreaks import Ranked, chain_of, ranked
from scoring.evening.state.played import Game
from scoring.facts.wire import Fact
from scoring.rules.chance import Chance
from tournaments.draw import SeatedRound, Wishes, seed_from
from tournaments.evenings.commands.record import record_all_in_evening
from tournaments.log.context import Order
from tournaments.models import Tournament
from tournaments.projections.played import game_of, seats_played

ACTOR, SECOND_ACTOR = "command:simulate_night", "command:simulate_night_desk"
A_DEED_TAKES = timedelta(seconds=15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """All rounds of a stage as they were drawn at its start."""

    seed: str
    wishes: Wishes
    rounds: tuple[SeatedRound, ...]


@dataclass(slots=True, kw_only=True)
class Room:
    """Everything that a night needs at hand. `told` counts what happened."""

    tournament: Tournament
    chance: Chance
    now: datetime
    evening: Evening
    standby: list[str] = field(default_factory=list)
    drawn: Draw | None = None
    told: Counter[str] = field(default_factory=Counter)

    @property
    def id(self) -> UUID:
        return self.tournament.id

    @property
    def stage(self) -> Stage:
        """What the plan says of the stage that is played."""
        return self.evening.current or Stage()

    @property
    def game(self) -> Game:
        return game_of(self.tournament, self.evening, self.evening.stage)

    def order(self, actor: str = ACTOR) -> Order:
        """The next deed's order, a little later than the last."""
        self.now += A_DEED_TAKES
        return Order(actor=actor, now=self.now)

    def seed(self) -> str:
        """A seed as a director would be given one."""
        return seed_from(bytes(self.chance.number(0, 255) for _ in range(5)))

    def tell(self, *facts: Fact) -> None:
        """Facts of the evening, as one deed."""
        if facts:
            self.evening = record_all_in_evening(self.id, facts, order=self.order()).evening
            self.told.update(fact.kind for fact in facts)

    def standings(self, stage: int | None = None) -> tuple[Ranked, ...]:
        """A stage in order as it stands."""
        number = stage or self.evening.stage
        game = game_of(self.tournament, self.evening, number)
        results = stage_results(self.evening, number, seats_played(self.tournament, self.evening), game)
        return ranked(results, chain_of(self.evening, number, game))
