"""The page a director lands on, and the menu over every page: what one may see, and what waits to be done."""

from collections.abc import Mapping
from typing import Any

from django.apps import apps
from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_noop

from tournaments.books.queries import Settlement
from tournaments.evenings.queries.tonight import TableTonight, tonight
from tournaments.people.permissions import Deed, clubs_of, may
from tournaments.projections.stale import worker_state
from tournaments.rendering.left_out import lines_of
from tournaments.web.admin.base.scoping import actor_in
from tournaments.web.admin.base.tabs import tab_over

# The parts of the back office, each with its lists: a model and what its list is called.
MENU: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (gettext_noop("Tournaments"), (("tournaments.tournament", gettext_noop("Tournaments")),)),
    (gettext_noop("Players"), (("tournaments.player", gettext_noop("Players")),)),
    (gettext_noop("Seasons"), (("tournaments.season", gettext_noop("Seasons")),)),
    (
        gettext_noop("Accounts"),
        (("scoring.account", gettext_noop("Accounts")), ("scoring.journalentry", gettext_noop("Journal"))),
    ),
    (
        gettext_noop("Club"),
        (
            ("tournaments.club", gettext_noop("Settings")),
            ("tournaments.apitoken", gettext_noop("Device links")),
            ("auth.user", gettext_noop("Logins")),
            ("tournaments.event", gettext_noop("Log")),
        ),
    ),
)


def menu(site: AdminSite, request: HttpRequest) -> list[dict[str, Any]]:
    """The parts of the back office that this person may see, each with the lists in it."""
    if not site.has_permission(request):
        return []
    home = reverse("admin:index")
    parts = [{"title": gettext("Today"), "url": home, "is_current": request.path == home, "pages": []}]
    for title, labels in MENU:
        if lists := [_list_of(label, called, request) for label, called in labels if _may_list(site, label, request)]:
            parts.append(tab_over(title, lists))
    return parts


def _may_list(site: AdminSite, label: str, request: HttpRequest) -> bool:
    model_admin = site._registry.get(apps.get_model(label))
    return model_admin is not None and model_admin.has_module_permission(request)


def _list_of(label: str, title: str, request: HttpRequest) -> dict[str, Any]:
    url = reverse(f"admin:{label.replace('.', '_')}_changelist")
    return {"title": gettext(title), "url": url, "is_current": request.path.startswith(url)}


def tonight_context(request: HttpRequest) -> dict[str, Any]:
    """What is on, what each table waits for, what has gone wrong."""
    actor = actor_in(request)
    moment = now()
    evening = tonight(clubs_of(actor, Deed.SEE), now=moment)
    worker = worker_state(now=moment)
    directed = {entry.tournament.id for entry in evening if may(actor, Deed.DIRECT, entry.tournament.club)}
    troubles = [table for entry in evening for table in entry.tables if _is_in_trouble(table)]
    return {
        "worker": worker,
        "worker_minutes": worker.minutes(moment),
        "cards": lines_of(evening, lambda entry: _drawn("tournament", {"entry": entry, "directed": directed})),
        "troubles": lines_of(troubles, lambda entry: _drawn("trouble", {"entry": entry})),
        "may_create": bool(actor.is_site_admin or clubs_of(actor, Deed.DIRECT)),
    }


def _drawn(part: str, context: Mapping[str, Any]) -> SafeString:
    """A part of the page as it is shown: whatever cannot be, the others can."""
    return render_to_string(f"admin/tonight_{part}.html", context)


def _is_in_trouble(table: TableTonight) -> bool:
    return table.sheet.has_conflict or table.settlement is Settlement.FAILED
