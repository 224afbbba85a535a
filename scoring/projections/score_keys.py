"""What a scorer may enter for a seat at a table: one key for each ending that the house options allow.

Rules: docs/rules/indian.md, section 1 (outcomes). The letters are the shortcuts of the scorer's page and of
paper sheets. Knows nothing of pages.
"""

from dataclasses import dataclass

from scoring.rules.outcomes import COUNTED, DROPS, DealOptions, DealSheet, Ended, How, Outcome, deal_result


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreKey:
    """One way a deal may end for a seat. `price` is None where a hand is counted."""

    how: How
    letter: str
    title: str
    is_common: bool = False
    price: int | None = None


KEYS: tuple[tuple[How, str, str, bool], ...] = (
    (How.SHOW, "s", "Show", True),
    (How.LOSS, "l", "Loss", True),
    (How.FIRST_DROP, "f", "First drop", True),
    (How.MIDDLE_DROP, "m", "Middle drop", True),
    (How.WRONG_SHOW, "w", "Wrong show", True),
    (How.FULL_COUNT, "x", "Full count", True),
    (How.LAST_STANDING, "o", "Only one left", False),
    (How.HALF_COUNT, "h", "Half count", False),
    (How.THREE_MISSES, "t", "Missed turns", False),
    (How.LEFT_BEFORE_DRAW, "b", "Left before drawing", False),
    (How.LEFT_AFTER_DRAW, "d", "Left after drawing", False),
    (How.ABSENT, "a", "Absent", False),
    (How.NOT_IN_DEAL, "n", "Sits out", False),
)
TITLES: dict[str, str] = {how.value: title for how, _, title, _ in KEYS}
ENDINGS: dict[Ended, str] = {
    Ended.PLAYED_OUT: "Played out",
    Ended.COUNT_NOW: "Stock ran out, hands counted",
    Ended.VOID_OTHERS: "Stopped by a wrong show",
}


def keys_for(options: DealOptions) -> tuple[ScoreKey, ...]:
    """The keys of a table, the common ones first. A house without drops or half counts has no key for them."""
    missing = frozenset() if options.drop_allowed else DROPS
    if not options.deal_show_half_count:
        missing |= {How.HALF_COUNT}
    return tuple(
        ScoreKey(how=how, letter=letter, title=title, is_common=is_common, price=_price(how, options))
        for how, letter, title, is_common in KEYS
        if how not in missing
    )


def endings_for(options: DealOptions) -> dict[Ended, str]:
    """How a deal can end at this table."""
    missing = set() if options.stock_exhausted == "count_now" else {Ended.COUNT_NOW}
    if options.wrong_show_continues:
        missing.add(Ended.VOID_OTHERS)
    return {ended: title for ended, title in ENDINGS.items() if ended not in missing}


def _price(how: How, options: DealOptions) -> int | None:
    """What the ending costs by itself."""
    if how in COUNTED or how is How.NOT_IN_DEAL:
        return None
    sheet = DealSheet(outcomes={"1": Outcome(how=how)})
    return deal_result(sheet, options, ["1"]).points["1"]
