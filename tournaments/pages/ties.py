"""The chain of tie-breaks as it is printed with the standings of a planned tournament.

Rules: docs/rules/tournaments.md, "Ties". Knows nothing of who is level.
"""

from collections.abc import Sequence

from scoring.evening.plan import Plan

FIRST = "the score of the stage"
SAID = {
    "deals_won": "more deals won",
    "fewest_wrong_shows": "fewer wrong shows",
    "fewest_drops": "fewer drops",
    "head_to_head": "the better places at tables that both sat at",
    "last_deal": "the better last deal",
    "extra_deal": "an extra deal",
    "high_card": "the higher card drawn",
    "lots": "lots, with the seed shown",
}


def tie_breaks_said(plan: Plan | None) -> Sequence[str]:
    """What decides, in its order; nothing without a plan, where level players share the place."""
    return () if plan is None else (FIRST, *(SAID[name] for name in plan.tie_breaks))
