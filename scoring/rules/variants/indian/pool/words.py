"""How players say the options of pool rummy, and what is asked for at its tables.

Rules: docs/rules/pool.md, "House options". Knows nothing of where it is printed.
"""

from collections.abc import Iterator

from scoring.messages import Message, say, say_many
from scoring.options import Wording
from scoring.rules.variants.indian.pool.options import PoolOptions

WORDINGS: dict[str, Wording] = {
    "eliminate_at": Wording(
        "A seat is out",
        choices={"reach_or_exceed": "on reaching the limit", "exceed": "only above the limit"},
    ),
    "max_rejoins": Wording("How often one seat may rejoin", unset="no maximum"),
    "rejoin_highest": Wording("Highest survivor’s total that still allows a rejoin", follows="rejoin_threshold"),
    "rejoin_entry_below_minor": Wording("Entry fee from which nobody may rejoin", unset="at any entry fee"),
    "splits": Wording(
        "The pot may be split",
        choices={
            "auto_and_manual": "by themselves and by agreement",
            "auto": "only by themselves",
            "manual": "only by agreement",
            "none": "no splits",
        },
    ),
    "auto_split_when": Wording(
        "The pot is split by itself",
        choices={
            "no_drop_left": "when nobody left has a drop left",
            "at_least": "when everybody left has the total below",
        },
    ),
    "auto_split_at": Wording("Total for such a split", follows="auto_split_total"),
    "split_pool_left": Wording(
        "After equalising drops, what is left in the pot",
        choices={"covers_drops": "it must not be negative", "one_entry": "it must hold one entry fee"},
    ),
    "split_most_drop_difference": Wording(unset="any difference"),
}


def reminders(options: PoolOptions) -> Iterator[Message]:
    """When a seat is out, how it comes back, and how the pot is split."""
    if options.eliminate_at == "exceed":
        yield say("Out above {limit} points.", limit=options.limit)
    else:
        yield say("Out at {limit} points or more.", limit=options.limit)
    yield _rejoining(options)
    yield say("The pot is split: {how}.", how=WORDINGS["splits"].said(options.splits))


def limit_in_short(options: PoolOptions) -> Message:
    """The number that players ask for first."""
    if options.eliminate_at == "exceed":
        return say("Whoever goes above {limit} points is out.", limit=options.limit)
    return say("Whoever reaches {limit} points is out.", limit=options.limit)


def _rejoining(options: PoolOptions) -> Message:
    if options.max_rejoins == 0:
        return say("Nobody rejoins.")
    rule = say(
        "Rejoin: before the next deal, as long as nobody who is in has more than {most}; back with the highest "
        "total and one more.",
        most=options.rejoin_threshold,
    )
    if options.max_rejoins is None:
        return rule
    most = options.max_rejoins
    often = say_many("{number} time at most.", "{number} times at most.", count=most, number=most)
    return Message("{rule} {often}", {"rule": rule, "often": often})
