"""How players say the options of points rummy, and what is asked for at its tables.

Rules: docs/rules/points.md, "House options". Knows nothing of where it is printed.
"""

from collections.abc import Iterator

from scoring.messages import Message, say, say_many
from scoring.options import Wording
from scoring.rules.variants.indian.points.options import PointsOptions

WORDINGS: dict[str, Wording] = {
    "settle": Wording(
        "Money is paid",
        choices={"per_deal": "after every deal", "per_session": "once, when the table closes"},
    ),
    "min_buy_in": Wording("Smallest buy-in, in full counts"),
    "max_buy_ins": Wording("Most buy-ins of a seat", unset="no limit"),
}


def reminders(options: PointsOptions) -> Iterator[Message]:
    """Whether the money on the table limits who plays."""
    if options.table_stakes:
        yield say("Whoever bought in holds a full count before each deal, or sits out.")
    if isinstance(options.max_buy_ins, int):
        yield say_many(
            "A seat buys in {count} time at most.", "A seat buys in {count} times at most.", count=options.max_buy_ins
        )
