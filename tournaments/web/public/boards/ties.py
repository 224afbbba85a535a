"""The chain of tie-breaks as it is printed with the standings of a planned tournament.

Rules: docs/rules/tournaments.md, "Ties". Knows nothing of who is level.
"""

from collections.abc import Sequence

from django.utils.translation import gettext, gettext_noop

from scoring.evening.plans.plan import Plan

FIRST = gettext_noop("the score of the stage")
SAID = {
    "deals_won": gettext_noop("more deals won"),
    "fewest_wrong_shows": gettext_noop("fewer wrong shows"),
    "fewest_drops": gettext_noop("fewer drops"),
    "head_to_head": gettext_noop("the better places at tables that both sat at"),
    "last_deal": gettext_noop("the better last deal"),
    "extra_deal": gettext_noop("an extra deal"),
    "high_card": gettext_noop("the higher card drawn"),
    "lots": gettext_noop("lots, with the seed shown"),
}


def tie_breaks_said(plan: Plan | None) -> Sequence[str]:
    """What decides, in its order; nothing without a plan, where level players share the place."""
    return () if plan is None else [gettext(said) for said in (FIRST, *(SAID[name] for name in plan.tie_breaks))]
