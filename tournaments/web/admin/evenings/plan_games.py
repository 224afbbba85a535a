"""The game of a stage as the form of a plan has it: the tournament's, a preset, or a game without one.

Knows nothing of how a plan is stored.
"""

from collections.abc import Sequence

from django.utils.translation import gettext

from scoring.rules.table.formats import RawPlan
from scoring.rules.variants import PRESETS, VARIANTS
from tournaments.rendering.i18n.translating import translate

# A game stands before its house rules; which variant it is follows from it.
FIELDS = ("preset", "point_value_minor", "options")
NOT_TYPED = "variant"
# A game without a preset, as its field has it: `=gin`.
BARE = "="


def first(fields: Sequence[RawPlan]) -> list[RawPlan]:
    """The fields of a stage that are typed, the game before the others."""
    typed = [each for each in fields if each["name"] != NOT_TYPED]
    return sorted(typed, key=lambda each: FIELDS.index(each["name"]) if each["name"] in FIELDS else len(FIELDS))


def games(chosen: str) -> tuple[tuple[str, str], ...]:
    """The tournament's game, every preset, and the one that was chosen where it is no preset."""
    offered = {"": gettext("the tournament's game")}
    offered |= {name: translate(preset.title) for name, (_, preset) in PRESETS.items()}
    if chosen not in offered:
        known = VARIANTS.get(chosen.removeprefix(BARE))
        offered[chosen] = translate(known.title) if known else chosen
    return tuple(offered.items())


def as_typed(stage: RawPlan) -> RawPlan:
    """A stored stage as the form has it: its options beside those of its preset, a game without one by its name."""
    if name := stage.get("preset", ""):
        usual = PRESETS[name][1].options if name in PRESETS else {}
        own = {key: value for key, value in stage.get("options", {}).items() if (key, value) not in usual.items()}
        return {**stage, "options": own}
    return {**stage, "preset": f"{BARE}{stage[NOT_TYPED]}"} if stage.get(NOT_TYPED) else stage


def as_said(stage: RawPlan) -> RawPlan:
    """What the form says of a game, as a plan says it."""
    name = stage.get("preset", "")
    if not name.startswith(BARE):
        return stage
    return {key: value for key, value in stage.items() if key != "preset"} | {NOT_TYPED: name.removeprefix(BARE)}
