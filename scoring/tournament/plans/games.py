"""The game of a stage, where a stage plays another game than its tournament.

Rules: docs/rules/tournaments.md, "The plan", and decision 0046. Without a game of its own a stage plays the
tournament's. A plan is stored with all options of such a game: no later change of a preset changes them.
"""

from collections.abc import Iterator
from typing import Annotated, Self

import msgspec
from msgspec import UNSET, Meta, UnsetType

from scoring.messages import Message, say
from scoring.money.payouts import MOST_POINT_VALUE
from scoring.options import Options, about
from scoring.problems import Problem
from scoring.rules.table.variant import Wire
from scoring.rules.variants import PRESETS, VARIANTS

Name = Annotated[str, Meta(max_length=60)]
PointValue = Annotated[int, Meta(ge=0, le=MOST_POINT_VALUE)]


class StageGame(Options, frozen=True, kw_only=True):
    """What the tables of a stage play. What is unset is the tournament's; a game of its own has all options itself."""

    preset: Annotated[
        Name | UnsetType,
        about("Game of this stage; not set: the tournament's game", "Game of this stage", extra={"unset": ""}),
    ] = UNSET
    variant: Annotated[
        Name | UnsetType,
        about("Game of this stage where no preset fits; not set: that of the preset", "Game", extra={"unset": ""}),
    ] = UNSET
    point_value_minor: Annotated[
        PointValue | UnsetType | None,
        about(
            "A point's value here, in minor units; not set: the tournament's (other game: 0)",
            "Value of a point",
            extra={"unset": None},
        ),
    ] = UNSET
    options: Annotated[Wire, about("House rules of this stage that differ from its game's")] = {}

    @property
    def has_own_game(self) -> bool:
        """Whether the game and options of this stage differ from the tournament's."""
        return self.preset is not UNSET or self.variant is not UNSET

    @property
    def game_title(self) -> str:
        """The title of the stage's own game; empty where it plays the tournament's."""
        if isinstance(self.preset, str) and self.preset in PRESETS:
            return PRESETS[self.preset][1].title
        return VARIANTS[self.variant].title if isinstance(self.variant, str) and self.variant in VARIANTS else ""

    def with_game(self) -> Self:
        """The same plan with the game and the preset's options as of today; once stored they stay."""
        if not isinstance(self.preset, str) or self.variant is not UNSET or self.preset not in PRESETS:
            return self
        rules, preset = PRESETS[self.preset]
        return msgspec.structs.replace(self, variant=rules.name, options={**preset.options, **self.options})


def game_problems(stage: StageGame) -> Iterator[Problem]:
    """An unknown game, or a preset of another game. A stored preset may be unknown by now."""
    preset, variant = stage.preset, stage.variant
    if isinstance(variant, str) and variant not in VARIANTS:
        detail = say(
            "there is no variant {typed}; this service knows {list}", typed=repr(variant), list=", ".join(VARIANTS)
        )
        yield Problem("unknown_variant", detail, field="variant")
    if not isinstance(preset, str):
        return
    if preset not in PRESETS and variant is UNSET:
        detail = say(
            "there is no preset {typed}; this service knows {list}", typed=repr(preset), list=", ".join(PRESETS)
        )
        yield Problem("unknown_preset", detail, field="preset")
    elif preset in PRESETS and variant not in (UNSET, PRESETS[preset][0].name):
        game = VARIANTS[variant].title if isinstance(variant, str) and variant in VARIANTS else str(variant)
        detail = say(
            "{name} is not {game}: remove one of the two", name=Message(PRESETS[preset][1].title), game=Message(game)
        )
        yield Problem("not_a_choice", detail, field="preset")
