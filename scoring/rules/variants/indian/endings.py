"""What a scorer may enter for a seat, what it costs, and which option of the house makes that price.

Rules: docs/rules/indian.md, section 1 (outcomes); docs/how-to/importing.md, "Indian rummy: marks". The letters are the
shortcuts of the scorer's page and of paper sheets. Knows nothing of pages.
"""

from collections.abc import Iterator
from functools import lru_cache

from scoring.messages import Message, say
from scoring.rules.table.fields import Ending, SeatMark
from scoring.rules.variants.indian.outcomes import (
    COUNTED,
    DROPS,
    SHOWN,
    TITLES,
    DealOptions,
    DealSheet,
    How,
    Outcome,
    deal_result,
)

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
MARKS: dict[How, tuple[str, ...]] = {
    How.SHOW: ("show", "0*", "*", "s"),
    How.LAST_STANDING: ("last", "l"),
    How.FIRST_DROP: ("d", "fd", "drop"),
    How.MIDDLE_DROP: ("md", "m", "middle drop"),
    How.THREE_MISSES: ("3m", "tm"),
    How.LEFT_BEFORE_DRAW: ("lb",),
    How.LEFT_AFTER_DRAW: ("la",),
    How.WRONG_SHOW: ("w", "ws", "wrong"),
    How.FULL_COUNT: ("f", "full"),
    How.ABSENT: ("a", "abs"),
    How.NOT_IN_DEAL: ("-", "–", "—", "−", "x", "out"),
}
OPTION_BY_HOW: dict[str, str] = {
    How.FIRST_DROP: "first_drop",
    How.LEFT_BEFORE_DRAW: "first_drop",
    How.MIDDLE_DROP: "middle_drop",
    How.THREE_MISSES: "middle_drop",
    How.WRONG_SHOW: "wrong_show",
    How.FULL_COUNT: "cap",
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
        missing |= {How.HALF_COUNT}
    return tuple(
        Ending(
            how=how.value,
            title=TITLES[how],
            letter=letter,
            price=_price(how, options),
            hand="counted" if how in COUNTED else "shown" if how in SHOWN else "",
            marks=MARKS.get(how, ()),
            is_half=how is How.HALF_COUNT,
            is_common=how in COMMON,
            is_offered=how not in missing,
        )
        for how, letter in LETTERS.items()
    )


def _price(how: How, options: DealOptions) -> int | None:
    """What the ending costs by itself."""
    if how in COUNTED or how is How.NOT_IN_DEAL:
        return None
    sheet = DealSheet(outcomes={"1": Outcome(how=how)})
    return deal_result(sheet, options, ["1"]).points["1"]


def price_said(mark: SeatMark, options: DealOptions) -> Iterator[Message]:
    """Which option of the house made the price of an ending in a deal of Indian rummy."""
    name = OPTION_BY_HOW.get(mark.how, "")
    if mark.how == How.LEFT_AFTER_DRAW:
        name = "middle_drop" if options.leave_after_draw == "middle_drop" else "cap"
    if name:
        yield _house_rule(OPTION_TITLES[name], getattr(options, name))
    elif mark.how == How.ABSENT:
        yield _house_rule(say("absent"), options.absent_price)
    elif mark.how in COUNTED:
        yield from _count_said(mark, options)


def _house_rule(title: Message, points: int | str) -> Message:
    return say("house rule: {word} {points}", word=title, points=points)


def _count_said(mark: SeatMark, options: DealOptions) -> Iterator[Message]:
    if mark.count is None:
        yield say("counted from the cards, at most {most}", most=options.cap)
    elif mark.count > options.cap:
        yield say("{number} hand points, capped at {most}", number=mark.count, most=options.cap)
    if mark.how == How.HALF_COUNT:
        yield say("half the hand points, rounded up")
