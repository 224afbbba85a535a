"""Where all the chips of a table are that plays on a board: so that anybody can count that none was made or lost.

Rules: docs/rules/rummy_royal.md, section 3 (chips are neither made nor lost). Knows nothing of pages.
"""

from scoring.rules.table.table import Table
from scoring.rules.variants.western.rummy_royal.game import Chips


def chips_of(table: Table) -> Chips | None:
    """The chips of a table with a board; None where there is no board."""
    chips = getattr(table.game, "chips", None)
    return chips if isinstance(chips, Chips) else None


def chips_said(table: Table) -> str:
    """All chips as a sum; empty where there is no board."""
    chips = chips_of(table)
    if chips is None:
        return ""
    house = f" + {chips.house} with the house" if chips.house else ""
    issued = sum(chips.issued.values())
    return f"{sum(chips.stacks.values())} in stacks + {chips.on_board} on the board{house} = {issued} chips issued"
