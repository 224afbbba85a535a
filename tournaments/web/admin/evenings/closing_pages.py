"""Closing a tournament when all its tables are over, giving one up, and reopening one that was closed too early."""

from collections.abc import Callable, Sequence
from functools import partial
from tempfile import TemporaryFile
from uuid import uuid4

from django.contrib import admin, messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext, gettext_noop

from scoring.problems import FactRejected, KeyReused, Problem
from tournaments.evenings.commands.close import cancel_tournament, close_tournament, reopen_tournament
from tournaments.models import Tournament
from tournaments.web.admin.base.request import KEY, order_of
from tournaments.web.static_site import ExportRefused, Wishes, exported, keep_zip

TITLES = {
    "close": gettext_noop("Close {name}"),
    "cancel": gettext_noop("Give up {name}"),
    "reopen": gettext_noop("Reopen {name}"),
}


def close(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask, then close; every table that is still open is named."""
    said = gettext("{name} is closed, and the log is sealed.")
    return _done(request, tournament, "close", partial(close_tournament, tournament.pk), said)


def cancel(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask for a reason, then give it up."""
    said = gettext("{name} is given up: what was paid is the players' again.")
    give_up = partial(cancel_tournament, tournament.pk, reason=_reason(request))
    return _done(request, tournament, "cancel", give_up, said)


def reopen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask for a reason, then reopen."""
    said = gettext("{name} is open again.")
    go_on = partial(reopen_tournament, tournament.pk, reason=_reason(request))
    return _done(request, tournament, "reopen", go_on, said)


def _done(request: HttpRequest, tournament: Tournament, deed: str, do: Callable[..., None], said: str) -> HttpResponse:
    """The form; once it is sent the deed, under the form's own key: one that is sent twice is done once."""
    if request.method != "POST":
        return _page(request, tournament, deed)
    key = request.POST.get("key", "")
    try:
        do(order=order_of(request, key if KEY.fullmatch(key) else None))
    except FactRejected as refused:
        return _page(request, tournament, deed, refused.problems)
    except KeyReused:
        detail = gettext("this form was sent before with other words")
        return _page(request, tournament, deed, [Problem(code="sent_twice", detail=detail)])
    messages.success(request, said.format(name=tournament.name))
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
        "key": uuid4(),
        "typed_reason": request.POST.get("reason", ""),
        "title": gettext(TITLES[deed]).format(name=tournament.name),
    }
    return TemplateResponse(
        request, "admin/tournaments/tournament/closing.html", context, status=422 if problems else 200
    )


# A finished tournament's pages to take away: a zip file that unpacks to a folder which any web host serves.


ZIP = "application/zip"


# Each table and each player is a page, and a visitor waits for all of them: beyond this it is the command's to do.
MOST_TABLES = 60


def static_site(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """The zip file; made whole before it is sent."""
    if tournament.tables.count() > MOST_TABLES:
        return _refused(
            request,
            tournament,
            gettext("More than %(most)s tables: manage.py export_site writes them on the server.")
            % {"most": MOST_TABLES},
        )
    wishes = Wishes(site=f"{request.scheme}://{request.get_host()}", language=get_language() or "")
    file = TemporaryFile()  # noqa: SIM115 - the answer closes it when it is sent
    try:
        keep_zip(exported(tournament, wishes), file, folder=tournament.slug)
    except ExportRefused as refused:
        file.close()
        return _refused(request, tournament, str(refused))
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"{tournament.slug}.zip", content_type=ZIP)


def _refused(request: HttpRequest, tournament: Tournament, why: str) -> HttpResponseRedirect:
    messages.error(request, why)
    return HttpResponseRedirect(reverse("admin:tournaments_tournament_change", args=[tournament.pk]))
