"""What is played: the game, the options and the stakes of a stage, defined here alone.

Rules: docs/rules/tournaments.md, "The plan", and decision 0046. Knows nothing of who plays.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scoring.events.wire import TableOpened
from scoring.money.payouts import Stakes
from scoring.options import read_options
from scoring.rules.table.variant import DEALS_OPTION, AnySetup, AnyVariant, Setup
from scoring.rules.variants import opening, variant
from scoring.tournament.plans import Plan, Stage
from scoring.tournament.state.played import Game

# The unit of a score, and whether fewer are better: only scores of one unit are added.
Unit = tuple[str, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """A game, its house options and its stakes: a tournament's, or, by `of`, those of one of its stages."""

    variant: str
    options: Mapping[str, object]
    stakes: Mapping[str, object]

    def of(self, stage: Stage | None) -> "Terms":
        """What a stage plays. Its own game brings all its options; else its options override the tournament's.

        Without a stage it is what the tournament plays.
        """
        if stage is None:
            return self
        stage = stage.with_game()
        value = stage.point_value_minor
        stakes = {**self.stakes, "point_value_minor": value} if isinstance(value, int) else self.stakes
        if isinstance(stage.variant, str):
            return Terms(variant=stage.variant, options=stage.options, stakes=stakes)
        return replace(self, options={**self.options, **stage.options}, stakes=stakes)

    def in_plan(self, plan: Plan | None, number: int) -> "Terms":
        """What the stage of a number plays; one after the last plays what the last does."""
        return self if plan is None or number < 1 else self.of(plan.stages[min(number, len(plan.stages)) - 1])

    def at_table(self, stage: Stage | None, seats: int) -> "Terms":
        """What a table of a stage plays: with the number of deals, where the stage fixes it."""
        lengths = {} if stage is None else {"deals": stage.deals, "deals_as_seats": seats}
        own = self.of(stage)
        if stage is None or stage.length not in lengths:
            return own
        return replace(own, options={**own.options, DEALS_OPTION: lengths[stage.length]})

    def opening(self, seats: Mapping[str, str], *, pays_entry: bool = False) -> TableOpened:
        """The first event of a table on these terms. Raises OptionsRejected."""
        stakes = self.stakes if pays_entry else {**self.stakes, "entry_minor": 0}
        return opening(self.variant, options=self.options, stakes=stakes, seats=seats)

    def brings_totals(self, stage: Stage) -> bool:
        """Whether the sheets of a stage begin with the scores of the stage before.

        Where tables are added up, and where places are compared, the standings add what is carried over instead.
        """
        return stage.carries == "score" and stage.compares != "rank_points" and not self.of(stage).rules.adds_up

    @property
    def rules(self) -> AnyVariant:
        """The rules of the game. Raises OptionsRejected for an unknown game."""
        return variant(self.variant)

    @property
    def setup(self) -> AnySetup:
        """The setup of a table without seats."""
        options = read_options(
            self.rules.options_type, self.options, self.rules.defaults(self.options, self.rules.seats_allowed[0])
        )
        return Setup(options=options, stakes=Stakes(), seats=())

    @property
    def game(self) -> Game:
        """How scores count."""
        return Game(adds_up=self.rules.adds_up, low_is_good=self.rules.low_is_good(self.setup))

    @property
    def unit(self) -> Unit:
        """The unit of its scores."""
        return self.variant, self.rules.low_is_good(self.setup)
