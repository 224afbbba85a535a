"""Seating a round: the draft until it is published, then the lists for the wall, and taking the seating back.

Rules: docs/seating.md and docs/evening.md, "Seating".
"""

from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext

from scoring.problems import FactRejected, Problem
from tournaments.models import Tournament
from tournaments.seating.commands.seat import withdraw_seating
from tournaments.seating.queries.draft import Room, evening_row, room_of, wall_list
from tournaments.web.admin.base.evening_pages import evening_page
from tournaments.web.admin.base.request import order_of
from tournaments.web.admin.seating import draft_pages
from tournaments.web.admin.seating.draft_forms import text_of

MOST_REASON = 500


def seating(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The next round's draft, or with `?round=` the lists of a published one."""
    if request.method == "POST":
        return _deed(request, tournament)
    wanted = request.GET.get("round", "")
    if wanted:
        return _wall(request, tournament, int(wanted) if wanted.isdecimal() and len(wanted) < 4 else 0)
    room = room_of(tournament)
    if room.rounds_left == 0 and room.evening.last_round is not None:
        return _wall(request, tournament, room.evening.last_round.round)
    return draft_pages.draft_page(request, room)


def _deed(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    do = request.POST.get("do", "")
    if do == "withdraw":
        return _withdraw(request, tournament)
    if do == "publish":
        return draft_pages.publish(request, tournament)
    if do in draft_pages.CHANGES:
        return draft_pages.change(request, tournament)
    return draft_pages.make(request, tournament)


def _withdraw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The seating is taken back with a reason; its draft stands as it was."""
    sent = request.POST.get("round", "")
    number = int(sent) if sent.isdecimal() and len(sent) < 4 else 0
    reason = text_of(request.POST, "reason")[:MOST_REASON]
    if not reason:
        asked = Problem(code="missing_field", field="reason", detail=gettext("say why the seating is taken back"))
        return _wall(request, tournament, number, [asked])
    try:
        withdraw_seating(tournament.pk, number, reason=reason, order=order_of(request))
    except FactRejected as refused:
        return _wall(request, tournament, number, refused.problems)
    messages.success(
        request,
        gettext("The seating of round {number} was taken back. The draft stands as it was.").format(number=number),
    )
    return HttpResponseRedirect(reverse("admin:tournaments_tournament_seating", args=[tournament.pk]))


def _wall(
    request: HttpRequest, tournament: Tournament, number: int, problems: Sequence[Problem] = ()
) -> TemplateResponse:
    """A published round by table and from A to Z."""
    evening = evening_row(tournament)
    found = wall_list(tournament, evening, number)
    if found is None:
        raise Http404
    room = Room(tournament=tournament, evening=evening, names={}, rows={})
    context = {
        "title": gettext("Round {number}: {name}").format(number=number, name=tournament.name),
        "wall": found,
        "how": draft_pages.HOW[found.method],
        "rounds": [seated.round for seated in evening.rounds],
        "next_round": room.round if room.rounds_left else None,
        "is_open": tournament.closed_at is None,
        "problems": problems,
        "typed_reason": request.POST.get("reason", ""),
    }
    return evening_page(request, tournament, "seating_published", context, status=422 if problems else 200)
