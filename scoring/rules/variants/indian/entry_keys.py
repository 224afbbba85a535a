"""What a scorer may enter for a seat at a table: one key for each ending that the house options allow.

Rules: docs/rules/indian.md, section 1 (outcomes). The letters are the shortcuts of the scorer's page and of
paper sheets. Knows nothing of pages.
"""

from dataclasses import dataclass

from scoring.rules.variants.indian.outcomes import (
    COUNTED,
    DROPS,
    TITLES,
    DealOptions,
    DealSheet,
    How,
    Outcome,
    deal_result,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreKey:
    """One way a deal may end for a seat. `price` is None where a hand is counted."""

    how: How
    letter: str
    title: str
    is_common: bool = False
    price: int | None = None


LETTERS: dict[How, str] = {
    How.SHOW: "s",
    How.LOSS: "l",
    How.FIRST_DROP: "f",
    How.MIDDLE_DROP: "m",
    How.WRONG_SHOW: "w",
    How.FULL_COUNT: "x",
    How.LAST_STANDING: "o",
    How.HALF_COUNT: "h",
    How.THREE_MISSES: "t",
    How.LEFT_BEFORE_DRAW: "b",
    How.LEFT_AFTER_DRAW: "d",
    How.ABSENT: "a",
    How.NOT_IN_DEAL: "n",
}
COMMON = frozenset(
    {How.SHOW, How.LOSS, How.FIRST_DROP, How.MIDDLE_DROP, How.WRONG_SHOW, How.FULL_COUNT},
)


def keys_for(options: DealOptions) -> tuple[ScoreKey, ...]:
    """The keys of a table, the common ones first. A house without drops or half counts has no key for them."""
    missing = frozenset() if options.drop_allowed else DROPS
    if not options.deal_show_half_count:
        missing |= {How.HALF_COUNT}
    return tuple(
        ScoreKey(how=how, letter=letter, title=TITLES[how], is_common=how in COMMON, price=_price(how, options))
        for how, letter in LETTERS.items()
        if how not in missing
    )


def _price(how: How, options: DealOptions) -> int | None:
    """What the ending costs by itself."""
    if how in COUNTED or how is How.NOT_IN_DEAL:
        return None
    sheet = DealSheet(outcomes={"1": Outcome(how=how)})
    return deal_result(sheet, options, ["1"]).points["1"]
