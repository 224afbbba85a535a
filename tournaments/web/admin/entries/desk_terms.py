"""What a player's entry costs, as the desk picks it: the rate, and side pots that are joined by wish.

Rules: docs/rules/tournaments.md, "Fees" and "Side pots". Knows nothing of what was paid.
"""

from typing import Any, Literal

from django.http import HttpRequest
from django.utils.translation import gettext

from scoring.evening import Entrant, Evening
from scoring.facts import wire
from scoring.money.formatting import Notation, money
from tournaments.entries.queries import EntryLine
from tournaments.evenings.commands.record import record_in_evening
from tournaments.evenings.commands.stream import evening_of
from tournaments.log.context import Order, tournament_turn
from tournaments.models import Tournament
from tournaments.web.admin.editing.clashes import Clashing, clashes_shown, saved_said
from tournaments.web.admin.editing.held_fields import Merge, held_by, token_of

MOST_POT_NAME = 40
POT = "pot:"
PICKED = "on"
RATES: dict[str, Literal["full", "member", "free"]] = {"full": "full", "member": "member", "free": "free"}


def set_terms(request: HttpRequest, tournament: Tournament, line: EntryLine, order: Order) -> str:
    """Store what was changed of the terms; says what that was. Raises Clashing."""
    with tournament_turn(tournament.pk) as row:
        merge = _merged(request, evening_of(row), line.player)
        if merge.clashes:
            raise Clashing(clashes_shown(merge, _title_of))
        if merge.changed:
            record_in_evening(tournament.pk, _fact(merge, line.player), order=order)
    return saved_said(line.name, map(_title_of, merge.changed))


def _merged(request: HttpRequest, evening: Evening, player: str) -> Merge:
    """What was picked over what stands now."""
    stands = _texts(evening.entrants[player])
    picked = {f"{POT}{pot[:MOST_POT_NAME]}": PICKED for pot in request.POST.getlist("pot") if pot}
    pots = {name: picked.get(name, "") for name in {*stands, *picked, *_pots_of(evening)} if name.startswith(POT)}
    rate = {"rate": request.POST["rate"]} if "rate" in request.POST else {}
    return held_by(request.POST, _subject(player)).merge(stands, {**rate, **pots})


def _fact(merge: Merge, player: str) -> wire.EntryTermsSet:
    """The terms as merged; what was never picked is the full fee, and no pot."""
    rate = RATES.get(merge.texts.get("rate", ""), "full")
    pots = tuple(name.removeprefix(POT) for name, text in merge.texts.items() if name.startswith(POT) and text)
    return wire.EntryTermsSet(player=player, rate=rate, pots=pots)


def terms_seen(evening: Evening, player: str) -> str:
    """What the form holds, for it to carry."""
    none = dict.fromkeys(_pots_of(evening), "")
    return token_of({**none, **_texts(evening.entrants[player])}, _subject(player))


def _title_of(name: str) -> str:
    """What the page calls one of the terms."""
    return name.removeprefix(POT) if name.startswith(POT) else gettext("Rate")


def _texts(entrant: Entrant) -> dict[str, str]:
    return {"rate": entrant.rate, **{f"{POT}{pot}": PICKED for pot in entrant.pots}}


def _pots_of(evening: Evening) -> list[str]:
    return [f"{POT}{pot.name}" for pot in evening.plan.side_pots if pot.joins == "opt_in"] if evening.plan else []


def _subject(player: str) -> str:
    return f"terms:{player}"


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
