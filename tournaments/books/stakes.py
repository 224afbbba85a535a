"""What a tournament's tables are played for, as every table is opened with it: the entry, the fee, its bounds, a levy.

Rules: docs/rules/tournaments.md, "Fees". A tournament and a draft of one have the same fields. Knows nothing of plans:
what a planned evening takes of its entries is the plan's to say.
"""

from typing import Any, Protocol

from scoring.money.payouts import Stakes

STAKES: tuple[str, ...] = Stakes.__struct_fields__


class PlayedFor(Protocol):
    """Whatever names its stakes as the rules do."""

    @property
    def currency(self) -> str: ...


def stakes_of(source: PlayedFor) -> dict[str, Any]:
    """Every term by its name in the rules."""
    return {name: getattr(source, name) for name in STAKES}
