"""What a player's entry costs, as the desk picks it: the rate, and side pots that are joined by wish.

Rules: docs/rules/tournaments.md, "Fees" and "Side pots". Knows nothing of what was paid.
"""

from typing import Any, Literal

from django.http import HttpRequest
from django.utils.translation import gettext

from scoring.evening import Entrant, Evening
from scoring.rules import events
from scoring.settlement.printing import Notation, money

MOST_POT_NAME = 40
RATES: dict[str, Literal["full", "member", "free"]] = {"full": "full", "member": "member", "free": "free"}


def terms_fact(request: HttpRequest, player: str) -> events.EntryTermsSet:
    """The terms as picked; what was not picked is the full fee, and no pot."""
    rate = RATES.get(request.POST.get("rate", ""), "full")
    pots = tuple(pot[:MOST_POT_NAME] for pot in request.POST.getlist("pot") if pot)
    return events.EntryTermsSet(player=player, rate=rate, pots=pots)


def rate_titles() -> dict[str, str]:
    """What each rate is called."""
    return {"full": gettext("Full fee"), "member": gettext("Member"), "free": gettext("Free entry")}


def terms(evening: Evening, entrant: Entrant, entry_minor: int, notation: Notation) -> dict[str, Any]:
    """What there is to choose; nothing without a plan, or for a substitute, whose place was paid for."""
    plan = evening.plan
    if plan is None or entrant.plays_for is not None or evening.is_closed:
        return {}
    fees = {"full": entry_minor, "member": plan.member_minor, "free": 0}
    titles = rate_titles()
    rates = [(rate, f"{titles[rate]}, {money(fee, *notation)}") for rate, fee in fees.items() if fee is not None]
    pots = [
        (pot.name, money(pot.contribution_minor, *notation), pot.name in entrant.pots)
        for pot in plan.side_pots
        if pot.joins == "opt_in"
    ]
    return {"rates": rates if entry_minor else [], "pots": pots}
