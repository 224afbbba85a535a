"""Who gets what of an evening as it stands, and the side pots: who won them, said by the director and taken back.

Rules: docs/rules/tournaments.md, "Prizes" and "Side pots". Each form calls one command; nothing is paid here.
"""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.timezone import now
from django.utils.translation import gettext

from scoring.evening.state.fees import has_entry, has_joined
from scoring.facts import wire
from scoring.money.formatting import Notation
from scoring.problems import FactRejected, KeyReused, Problem
from tournaments.evenings.commands.record import record_in_evening
from tournaments.evenings.prize_money import prizes_so_far
from tournaments.evenings.queries.night import Tonight, evening_tonight
from tournaments.evenings.queries.prizes import PrizeTable, in_language_of_page, prize_table
from tournaments.models import Tournament
from tournaments.models.public_names import Names
from tournaments.web.admin.base.evening_pages import evening_page, page_url
from tournaments.web.admin.base.request import KEY, order_of
from tournaments.web.admin.base.typed_events import clean

MOST_REASON = 200
MOST_WINNERS = 20


def prizes(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The sheet of the prizes, and a form for each side pot."""
    tonight = evening_tonight(tournament, now=now(), names=Names.REAL)
    if request.method != "POST":
        return _page(request, tonight)
    fact = _fact(request)
    key = request.POST.get("key", "")
    try:
        record_in_evening(tournament.pk, fact, order=order_of(request, key if KEY.fullmatch(key) else None))
    except FactRejected as refused:
        return _page(request, tonight, refused.problems)
    except KeyReused:
        detail = gettext("this form was sent before with something else: look, then send it again")
        return _page(request, tonight, [Problem(code="key_reused", detail=detail)])
    won = isinstance(fact, wire.SidePotWon)
    messages.success(
        request,
        gettext("{pot} is won.").format(pot=fact.pot)
        if won
        else gettext("{pot} is not won any more.").format(pot=fact.pot),
    )
    return HttpResponseRedirect(page_url("prizes", tournament))


def shown_prizes(tonight: Tonight) -> PrizeTable | None:
    """Who would get what now, with names; None where no prizes are paid."""
    tournament, plan = tonight.tournament, tonight.evening.plan
    sheet = prizes_so_far(tournament, tonight.evening)
    if sheet is None or plan is None:
        return None
    notation = Notation(tournament.currency, tournament.club.locale)
    return in_language_of_page(prize_table(plan, sheet, notation, tonight.names))


def _fact(request: HttpRequest) -> wire.SidePotWon | wire.SidePotWinUndone:
    pot = clean(request.POST.get("pot", ""), 40) or "?"
    reason = clean(request.POST.get("reason", ""), MOST_REASON)
    if request.POST.get("do") == "undo":
        return wire.SidePotWinUndone(pot=pot, reason=reason)
    players = tuple(filter(None, request.POST.getlist("player")))[:MOST_WINNERS]
    return wire.SidePotWon(pot=pot, players=tuple(player[:64] for player in players), reason=reason)


def _page(request: HttpRequest, tonight: Tonight, problems: Sequence[Problem] = ()) -> HttpResponse:
    table = shown_prizes(tonight)
    context: dict[str, Any] = {
        "title": gettext("Prizes: {name}").format(name=tonight.tournament.name),
        "evening": tonight.evening,
        "prizes": table,
        "pots": _pots(tonight, table),
        "problems": problems,
        "typed": request.POST,
        "chosen": request.POST.getlist("player"),
        "key": order_of(request).key,
    }
    return evening_page(request, tonight.tournament, "prizes", context, status=422 if problems else 200)


def _pots(tonight: Tonight, table: PrizeTable | None) -> list[dict[str, Any]]:
    """Each side pot with those who play for it, A to Z."""
    evening = tonight.evening
    pots = evening.plan.side_pots if evening.plan else ()
    rows = {row.name: row for row in table.pots} if table else {}
    return [
        {
            "row": rows[pot.name],
            "players": sorted(
                (
                    (player, tonight.names[player])
                    for player, entrant in evening.entrants.items()
                    if has_entry(entrant) and any(has_joined(evening.entrants[p], pot) for p in evening.before(player))
                ),
                key=lambda one: one[1].casefold(),
            ),
        }
        for pot in pots
        if pot.name in rows
    ]
