"""A deal of Indian rummy in words: its options, how it may end for a seat, and the cost.

Rules: docs/rules/indian.md, section 1 (outcomes) and "House rules of a deal"; docs/how-to/importing.md, "Indian rummy:
marks". Knows nothing of where it is printed.
"""

from collections.abc import Iterator
from functools import lru_cache

from scoring.messages import Message, say, say_many
from scoring.rules.table.fields import Ending, SeatMark
from scoring.rules.variants.indian.outcomes import (
    COUNTED,
    DROPS,
    ENDING_TITLES,
    SHOWN,
    DealOptions,
    DealSheet,
    Outcome,
    OutcomeKind,
    deal_result,
)


def deal_reminders(options: DealOptions) -> Iterator[Message]:
    """The options to show first at a table of any form."""
    if options.wrong_show_continues:
        yield say("After a wrong show the others play on.")
    else:
        yield say("A wrong show ends the deal: the others score nothing.")
    misses = options.misses_limit
    yield say_many(
        "{number} missed turn is a middle drop.",
        "{number} missed turns in a row are a middle drop.",
        count=misses,
        number=misses,
    )
    yield say("When the stock runs out: {how}.", how=options.choice_message("stock_exhausted"))


def prices_in_short(options: DealOptions) -> Iterator[Message]:
    """The costs of drops, wrong shows and hands."""
    if options.drop_allowed:
        first, middle = options.first_drop, options.middle_drop
        yield say("A first drop costs {first} points, a middle drop {middle}.", first=first, middle=middle)
    else:
        yield say("No drops.")
    wrong, cap = options.wrong_show, options.cap
    yield say("A wrong show costs {wrong} points, and no hand more than {cap}.", wrong=wrong, cap=cap)


OPTION_BY_HOW: dict[str, str] = {
    OutcomeKind.FIRST_DROP: "first_drop",
    OutcomeKind.LEFT_BEFORE_DRAW: "first_drop",
    OutcomeKind.MIDDLE_DROP: "middle_drop",
    OutcomeKind.THREE_MISSES: "middle_drop",
    OutcomeKind.WRONG_SHOW: "wrong_show",
    OutcomeKind.FULL_COUNT: "cap",
}
OPTION_TITLES = {
    "first_drop": say("first drop"),
    "middle_drop": say("middle drop"),
    "wrong_show": say("wrong show"),
    "cap": say("cap"),
}


@lru_cache(maxsize=512)
def endings_of(options: DealOptions) -> tuple[Ending, ...]:
    """All endings, the common ones first. A house without drops or half counts does not offer them."""
    missing = frozenset() if options.drop_allowed else DROPS
    if not options.deal_show_half_count:
        missing |= {OutcomeKind.HALF_COUNT}
    return tuple(
        Ending(
            how=how.value,
            title=wording.title,
            letter=wording.letter,
            price=_price(how, options),
            hand="counted" if how in COUNTED else "shown" if how in SHOWN else "",
            marks=wording.marks,
            is_half=how is OutcomeKind.HALF_COUNT,
            is_common=wording.is_common,
            is_offered=how not in missing,
        )
        for how, wording in ENDING_TITLES.items()
    )


def _price(how: OutcomeKind, options: DealOptions) -> int | None:
    """The fixed cost of an ending."""
    if how in COUNTED or how is OutcomeKind.NOT_IN_DEAL:
        return None
    sheet = DealSheet(outcomes={"1": Outcome(how=how)})
    return deal_result(sheet, options, ["1"]).points["1"]


def price_messages(mark: SeatMark, options: DealOptions) -> Iterator[Message]:
    """Which option of the house set the price of an ending in a deal of Indian rummy."""
    name = OPTION_BY_HOW.get(mark.how, "")
    if mark.how == OutcomeKind.LEFT_AFTER_DRAW:
        name = "middle_drop" if options.leave_after_draw == "middle_drop" else "cap"
    if name:
        yield _house_rule(OPTION_TITLES[name], getattr(options, name))
    elif mark.how == OutcomeKind.ABSENT:
        yield _house_rule(say("absent"), options.absent_price)
    elif mark.how in COUNTED:
        yield from _count_messages(mark, options)


def _house_rule(title: Message, points: int | str) -> Message:
    return say("house rule: {word} {points}", word=title, points=points)


def _count_messages(mark: SeatMark, options: DealOptions) -> Iterator[Message]:
    if mark.count is None:
        yield say("counted from the cards, at most {most}", most=options.cap)
    elif mark.count > options.cap:
        yield say("{number} hand points, capped at {most}", number=mark.count, most=options.cap)
    if mark.how == OutcomeKind.HALF_COUNT:
        yield say("half the hand points, rounded up")


USUAL_DROPS = {"first_drop": 20, "middle_drop": 40}
UNCHECKED_DROPS = "Its prices of drops were not found: they are the usual ones."
