"""The plan of an evening: a format that clubs know, for so many players, then as much of it as a director changes.

Rules: docs/rules/tournaments.md, "The plan". Each page calls one command; a refused form keeps what was typed.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.timezone import now

from scoring.evening.formats import Format, format_for
from scoring.rules.problems import FactRejected, KeyReused, OptionsRejected, Problem
from tournaments.admin.evening_pages import evening_page, page_url
from tournaments.admin.plan_form import PlanForm, sent_plan, stored_plan
from tournaments.admin.visits import KEY, order_of
from tournaments.commands.planning import make_plan, plan_of_format, whole_plan
from tournaments.models import Tournament
from tournaments.queries.night import Tonight, evening_tonight

MOST_PLAYERS = 500
USUAL_PLAYERS = 24


def plan(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Choose a format, change what it makes, store it."""
    tonight = evening_tonight(tournament, now=now())
    if request.method == "POST":
        return _sent(request, tonight)
    made = tonight.evening.plan
    chosen = request.GET.get("format", "")
    if chosen:
        try:
            return _page(request, tonight, stored_plan(plan_of_format(chosen, _players(request, tonight))))
        except OptionsRejected as refused:
            return _page(request, tonight, None, refused.problems)
    return _page(request, tonight, stored_plan(whole_plan(made)) if made else None)


def _sent(request: HttpRequest, tonight: Tonight) -> HttpResponse:
    """A format as it is, the form changed by a stage, or the form to store."""
    if request.POST.get("do") == "format":
        try:
            raw = plan_of_format(request.POST.get("format", ""), _players(request, tonight))
        except OptionsRejected as refused:
            return _page(request, tonight, None, refused.problems)
        return _store(request, tonight, stored_plan(raw))
    form = sent_plan(request.POST)
    return _store(request, tonight, form) if request.POST.get("do") == "save" else _page(request, tonight, form)


def _store(request: HttpRequest, tonight: Tonight, form: PlanForm) -> HttpResponse:
    key = request.POST.get("key", "")
    order = order_of(request, key if KEY.fullmatch(key) else None)
    try:
        make_plan(tonight.tournament.pk, form.raw(), reason=form.reason, order=order)
    except (OptionsRejected, FactRejected) as refused:
        return _page(request, tonight, replace(form, problems=refused.problems))
    except KeyReused:
        problem = Problem(
            code="sent_twice", detail="this form was stored before with other words: look at the plan again"
        )
        return _page(request, tonight, replace(form, problems=[problem]))
    messages.success(request, "The plan is stored.")
    return HttpResponseRedirect(page_url("night", tonight.tournament))


def _page(
    request: HttpRequest, tonight: Tonight, form: PlanForm | None, problems: Sequence[Problem] = ()
) -> TemplateResponse:
    evening, players = tonight.evening, _players(request, tonight)
    context: dict[str, Any] = {
        "title": f"Plan: {tonight.tournament.name}",
        "evening": evening,
        "form": form,
        "problems": problems,
        "players": players,
        "formats": _formats(tonight.tournament, players),
        "chosen": request.GET.get("format", ""),
        "key": order_of(request).key,
        "cuts": len(evening.cuts),
    }
    refused = problems or (form.problems if form else ())
    return evening_page(request, tonight.tournament, "plan", context, status=422 if refused else 200)


def _formats(tournament: Tournament, players: int) -> list[Format]:
    """What suits so many players and the game that is played."""
    return list(format_for(players, tournament.variant))


def _players(request: HttpRequest, tonight: Tonight) -> int:
    """For how many: as asked, or as many as have entered."""
    typed = (request.POST if request.method == "POST" else request.GET).get("players", "")
    if typed.isascii() and typed.isdecimal() and len(typed) <= len(str(MOST_PLAYERS)):
        return max(2, min(MOST_PLAYERS, int(typed)))
    return max(2, len(tonight.evening.field())) if tonight.evening.field() else USUAL_PLAYERS
