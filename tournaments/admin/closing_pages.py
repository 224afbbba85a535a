"""Closing a tournament when all its tables are over, giving one up, and reopening one that was closed too early."""

from collections.abc import Sequence

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from scoring.rules.problems import FactRejected, Problem
from tournaments.admin.visits import order_of
from tournaments.commands import cancel_tournament, close_tournament, reopen_tournament
from tournaments.models import Tournament

TITLES = {
    "close": gettext_noop("Close {name}"),
    "cancel": gettext_noop("Give up {name}"),
    "reopen": gettext_noop("Reopen {name}"),
}


def close(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask, then close; every table that is still open is named."""
    if request.method != "POST":
        return _page(request, tournament, "close")
    try:
        close_tournament(tournament.pk, order=order_of(request))
    except FactRejected as refused:
        return _page(request, tournament, "close", refused.problems)
    messages.success(request, gettext("{name} is closed, and the log is sealed.").format(name=tournament.name))
    return _back(tournament)


def cancel(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask for a reason, then give it up."""
    if request.method != "POST":
        return _page(request, tournament, "cancel")
    try:
        cancel_tournament(tournament.pk, reason=_reason(request), order=order_of(request))
    except FactRejected as refused:
        return _page(request, tournament, "cancel", refused.problems)
    messages.success(
        request, gettext("{name} is given up: what was paid is the players' again.").format(name=tournament.name)
    )
    return _back(tournament)


def reopen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask for a reason, then reopen."""
    if request.method != "POST":
        return _page(request, tournament, "reopen")
    try:
        reopen_tournament(tournament.pk, reason=_reason(request), order=order_of(request))
    except FactRejected as refused:
        return _page(request, tournament, "reopen", refused.problems)
    messages.success(request, gettext("{name} is open again.").format(name=tournament.name))
    return _back(tournament)


def _reason(request: HttpRequest) -> str:
    return request.POST.get("reason", "").replace("\x00", "")[:500]


def _back(tournament: Tournament) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("admin:tournaments_tournament_change", args=[tournament.pk]))


def _page(
    request: HttpRequest, tournament: Tournament, deed: str, problems: Sequence[Problem] = ()
) -> TemplateResponse:
    context = {
        **admin.site.each_context(request),
        "opts": Tournament._meta,
        "tournament": tournament,
        "deed": deed,
        "problems": problems,
        "typed_reason": request.POST.get("reason", ""),
        "title": gettext(TITLES[deed]).format(name=tournament.name),
    }
    return TemplateResponse(
        request, "admin/tournaments/tournament/closing.html", context, status=422 if problems else 200
    )
