"""Who goes on from a stage: the cut as it would fall, ties to settle before it, and taking a cut back.

Rules: docs/rules/tournaments.md, "Cuts" and "Ties". Each button calls one command; nothing is settled by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_noop

from scoring.evening.standings.places import CutProposal, TieTask
from scoring.evening.state.fees import has_entry, has_joined
from scoring.facts import wire
from scoring.money.formatting import Notation
from scoring.problems import FactRejected, KeyReused, Problem
from tournaments.evenings.commands.cut import (
    make_cut,
    settle_by_extra_deal,
    settle_by_high_card,
    settle_by_lots,
    was_settled,
    withdraw_cut,
)
from tournaments.evenings.commands.record import record_in_evening
from tournaments.evenings.prize_money import prizes_so_far
from tournaments.evenings.queries.night import Tonight, evening_tonight
from tournaments.evenings.queries.prizes import PrizeTable, in_language_of_page, prize_table
from tournaments.evenings.queries.stages import cut_proposal
from tournaments.log.context import Order
from tournaments.models import Tournament
from tournaments.models.public_names import Names
from tournaments.rendering.i18n.translating import told
from tournaments.web.admin.base.request import KEY, evening_page, order_of, page_url
from tournaments.web.admin.base.typed_events import clean

MOST_TYPED = 80


SENT_TWICE = gettext_noop("this was stored before with other words: look again")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTie:
    """Level players by name, with a seed that is offered for lots."""

    number: int
    task: TieTask
    players: tuple[tuple[str, str], ...]
    seed: str

    @property
    def places(self) -> range:
        return range(1, len(self.players) + 1)


def cut(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The cut as it would fall; made with one button, taken back with a reason."""
    tonight = evening_tonight(tournament, now=now(), names=Names.REAL)
    if request.method != "POST":
        return _page(request, tonight, "cut")
    try:
        if request.POST.get("do") == "withdraw":
            stage = tonight.evening.cuts[-1].stage if tonight.evening.cuts else tonight.evening.stage
            withdraw_cut(tournament.pk, stage, reason=_text(request, "reason"), order=_order(request))
            messages.success(request, gettext("The cut is taken back."))
        else:
            made = make_cut(tournament.pk, order=_order(request))
            messages.success(
                request, gettext("{count} players go on.").format(count=len(made.evening.cuts[-1].advancing))
            )
    except FactRejected as refused:
        return _page(request, tonight, "cut", refused.problems)
    except KeyReused:
        return _page(request, tonight, "cut", [Problem(code="sent_twice", detail=gettext(SENT_TWICE))])
    return HttpResponseRedirect(page_url("night", tournament))


def ties(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Level players, each group settled by what the room did: an extra deal, a card each, or lots."""
    tonight = evening_tonight(tournament, now=now(), names=Names.REAL)
    if request.method != "POST":
        return _page(request, tonight, "ties")
    try:
        problems = _settle(request, tonight)
    except FactRejected as refused:
        problems = list(refused.problems)
    except KeyReused:
        problems = [Problem(code="sent_twice", detail=gettext(SENT_TWICE))]
    if problems:
        return _page(request, tonight, "ties", problems)
    messages.success(request, gettext("The tie is settled."))
    return HttpResponseRedirect(page_url("night", tonight.tournament))


def _settle(request: HttpRequest, tonight: Tonight) -> list[Problem]:
    """Store what came out; what speaks against it before it can be stored. A resend comes when the tie is gone."""
    tournament, order = tonight.tournament.pk, _order(request)
    method, players = request.POST.get("method", ""), tuple(request.POST.get("tie", "").split())
    is_open = any(players == task.players and method in task.methods for task in _proposal(tonight).tasks)
    if not is_open and not was_settled(tournament, order):
        return [
            Problem(code="not_a_choice", detail=gettext("this tie is not open any more, or is not settled in this way"))
        ]
    match method:
        case "high_card":
            cards = {player: _text(request, f"card-{player}") for player in players}
            settle_by_high_card(tournament, cards, order=order)
        case "extra_deal":
            places = {player: _text(request, f"place-{player}") for player in players}
            if sorted(places.values()) != sorted(str(place) for place in range(1, 1 + len(places))):
                return [
                    Problem(
                        code="not_a_choice", detail=gettext("give every place once: an extra deal leaves nobody level")
                    )
                ]
            settle_by_extra_deal(tournament, sorted(places, key=lambda player: int(places[player])), order=order)
        case _:
            settle_by_lots(tournament, players, seed=_text(request, "seed"), order=order)
    return []


def _proposal(tonight: Tonight) -> CutProposal:
    """The cut as it would fall now; an empty one where the plan cuts nothing."""
    stage = tonight.evening.current
    if stage is None or not stage.cuts or not tonight.evening.rounds_of(tonight.evening.stage):
        return CutProposal(stage=tonight.evening.stage, advancing=())
    return cut_proposal(tonight.tournament, tonight.evening)


def _page(request: HttpRequest, tonight: Tonight, page: str, problems: Sequence[Problem] = ()) -> TemplateResponse:
    evening, names, proposal = tonight.evening, tonight.names, _proposal(tonight)
    last = evening.cuts[-1] if evening.cuts else None
    context: dict[str, Any] = {
        "title": (gettext("Cut: {name}") if page == "cut" else gettext("Ties: {name}")).format(
            name=tonight.tournament.name
        ),
        "problems": problems,
        "key": order_of(request).key,
        "stage": evening.current,
        "going_on": [(names[player], told(proposal.reasons.get(player, ""))) for player in proposal.advancing],
        "ties": [_shown(number, task, tonight) for number, task in enumerate(proposal.tasks)],
        "ties_url": page_url("ties", tonight.tournament),
        "cut_url": page_url("cut", tonight.tournament),
        "last": last,
        "last_names": [names[player] for player in last.advancing] if last else [],
        "may_withdraw": last is not None and not evening.rounds_of(last.stage + 1),
        "typed": request.POST,
    }
    return evening_page(request, tonight.tournament, page, context, status=422 if problems else 200)


def _shown(number: int, task: TieTask, tonight: Tonight) -> ShownTie:
    players = tuple((player, tonight.names[player]) for player in task.players)
    return ShownTie(number=number, task=task, players=players, seed=uuid4().hex[:8])


def _text(request: HttpRequest, name: str) -> str:
    return clean(request.POST.get(name, ""), MOST_TYPED)


def _order(request: HttpRequest) -> Order:
    key = request.POST.get("key", "")
    return order_of(request, key if KEY.fullmatch(key) else None)


# Who gets what of an evening as it stands, and the side pots: who won them, said by the director and taken back.


MOST_REASON = 200


MOST_WINNERS = 20


def prizes(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The sheet of the prizes, and a form for each side pot."""
    tonight = evening_tonight(tournament, now=now(), names=Names.REAL)
    if request.method != "POST":
        return _prize_page(request, tonight)
    fact = _fact(request)
    key = request.POST.get("key", "")
    try:
        record_in_evening(tournament.pk, fact, order=order_of(request, key if KEY.fullmatch(key) else None))
    except FactRejected as refused:
        return _prize_page(request, tonight, refused.problems)
    except KeyReused:
        detail = gettext("this form was sent before with something else: look, then send it again")
        return _prize_page(request, tonight, [Problem(code="key_reused", detail=detail)])
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


def _prize_page(request: HttpRequest, tonight: Tonight, problems: Sequence[Problem] = ()) -> HttpResponse:
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
