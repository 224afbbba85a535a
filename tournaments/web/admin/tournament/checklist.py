"""The checklist on the dashboard: each step with its status, its count, and one button with its address.

Rules: docs/how-to/evening.md, "The dashboard". One button starts the clock, opens a till, draws a round as planned, or
settles; a list of many opens above the dashboard. A step without a page has no button.
"""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from scoring.tournament.steps import Step, Target
from tournaments.models import Tournament
from tournaments.running.queries.dashboard import Dashboard
from tournaments.web.admin.base.command_forms import pressed, words_in
from tournaments.web.admin.base.request import WITHOUT_TILL, cash_url, page_url, way_back
from tournaments.web.admin.base.scoping import actor_in
from tournaments.web.admin.cash.forms import OpenTillForm
from tournaments.web.admin.cash.request import CashVisit

# The action that one button runs, by step name and target; and the lists that open above the dashboard.
ACTIONS = {
    ("clock", Target.CLOCK): "start",
    ("last_deal", Target.CLOCK): "last_deal",
    ("seat", Target.SEATING): "planned",
    ("till", Target.TILL): "open",
    ("settle", Target.MONEY): "settle",
}
LISTS = (Target.CHECK_IN, Target.TAKE_ENTRIES, Target.CLOSE_TABLES)
PAGES_OF_CASH = {Target.TILL: "cash", Target.PAY_OUT: "cash_balances", Target.CASH_UP: "cash_night"}
NAMES = {Target.MONEY: "settle_all", Target.REPORT: "money_summary"}
BACK = ("night", "desk", "entries", "seats")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownStep:
    """A step with the address of its page; `action` is the action one button runs; `is_list` if a list opens here.

    `page` is the page under a tab to which it belongs.
    """

    step: Step
    url: str
    page: str
    action: str = ""
    is_list: bool = False


def shown_step(step: Step, shown: Dashboard) -> ShownStep:
    """The step with its button; for one that is done or waits, a link to the page that shows it."""
    is_open = not (step.is_done or step.waits_for)
    action = ACTIONS.get((step.name, step.target), "") if is_open else ""
    url = _address(step, shown, has_action=bool(action)) if step.button else ""
    is_of_players = step.target in (Target.CHECK_IN, Target.TAKE_ENTRIES)
    page = page_url("desk", shown.running.tournament) if is_of_players else url
    return ShownStep(step=step, url=url, page=page, action=action, is_list=is_open and step.target in LISTS)


def _address(step: Step, shown: Dashboard, *, has_action: bool) -> str:
    """The address where a step is done."""
    tournament = shown.running.tournament
    match step.target:
        case Target.SCORE | Target.CLOSE_TABLE if step.table:
            is_finished = any(str(t.sheet.pk) == step.table and t.summary.is_finished for t in shown.tables)
            page = "close" if step.target is Target.CLOSE_TABLE and is_finished else "score"
            return reverse(f"admin:tournaments_table_{page}", args=[step.table])
        case Target.LATE_SHEETS:
            return reverse("admin:tournaments_table_late", args=[step.table])
        case Target.CHECK_IN if step.is_done:
            return page_url("desk", tournament)
        case target if target in LISTS:
            return page_url("many", tournament, target.value)
        case Target.BOARD:
            return reverse("pages:tournament", kwargs={"club_slug": tournament.club.slug, "slug": tournament.slug})
        case Target.MONEY if step.is_done:
            return page_url("money", tournament)
        case target if target in PAGES_OF_CASH and not has_action:
            return cash_url(PAGES_OF_CASH[target], tournament)
    return page_url(NAMES.get(step.target, step.target.value), tournament)


@require_POST
def till(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Choose where entry money goes: open a till for the user, or take it without one until they sign out."""
    if pressed(request.POST) == "none":
        request.session[WITHOUT_TILL] = True
        messages.success(request, gettext("Entry fees are taken without a till until you sign out."))
    else:
        _open_till(request, tournament)
    back = words_in(request.POST, "back")["back"]
    return HttpResponseRedirect(way_back(request.POST) or page_url(back if back in BACK else "night", tournament))


def _open_till(request: HttpRequest, tournament: Tournament) -> None:
    visit = CashVisit(
        request=request,
        actor=actor_in(request),
        club=tournament.club,
        currency=tournament.currency,
        currencies=(tournament.currency,),
    )
    form = OpenTillForm(request.POST, visit=visit)
    if form.write(till=visit.actor.name) is None:
        for message in form.all_errors():
            messages.error(request, gettext("Not saved: {detail}").format(detail=message))
        return
    request.session.pop(WITHOUT_TILL, None)
    amount = visit.money(form.cleaned_data["float"] or 0)
    messages.success(request, gettext("Your till is open with {amount} in it.").format(amount=amount))
