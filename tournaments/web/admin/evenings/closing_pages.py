"""Closing a tournament when all its tables are over, giving one up, and reopening one that was closed too early."""

from collections.abc import Callable
from functools import partial
from tempfile import TemporaryFile

from django.contrib import admin, messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext, gettext_lazy, gettext_noop

from tournaments.evenings.commands.close import cancel_tournament, close_tournament, reopen_tournament
from tournaments.models import Tournament
from tournaments.web.admin.base.command_fields import ReasonField
from tournaments.web.admin.base.command_forms import CommandForm, data_of
from tournaments.web.static_site import ExportRefused, Wishes, exported, keep_zip

TITLES = {
    "close": gettext_noop("Close {name}"),
    "cancel": gettext_noop("Give up {name}"),
    "reopen": gettext_noop("Reopen {name}"),
}


class ReopenForm(CommandForm):
    """Why it is done."""

    reason = ReasonField(label=gettext_lazy("Why is it reopened?"))


class CancelForm(CommandForm):
    """Why it is done."""

    reason = ReasonField(label=gettext_lazy("Why is it given up?"))


def close(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask, then close; every table that is still open is named."""
    said = gettext("{name} is closed, and the log is sealed.")
    form = CommandForm(data_of(request))
    return _done(request, tournament, form, partial(close_tournament, tournament.pk), said)


def cancel(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask for a reason, then give it up."""
    said = gettext("{name} is given up: what was paid is the players' again.")
    form = CancelForm(data_of(request))
    return _done(request, tournament, form, partial(cancel_tournament, tournament.pk), said)


def reopen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask for a reason, then reopen."""
    said = gettext("{name} is open again.")
    form = ReopenForm(data_of(request))
    return _done(request, tournament, form, partial(reopen_tournament, tournament.pk), said)


def _done(
    request: HttpRequest, tournament: Tournament, form: CommandForm, do: Callable[..., None], said: str
) -> HttpResponse:
    """The form; once it is sent the deed, under the form's own key: one that is sent twice is done once."""
    if form.is_valid():
        typed = {name: text for name, text in form.cleaned_data.items() if name != "key"}
        form.attempt(lambda: do(order=form.order(request), **typed))
    if request.method != "POST" or form.errors:
        return _page(request, tournament, form)
    messages.success(request, said.format(name=tournament.name))
    return _back(tournament)


def _back(tournament: Tournament) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("admin:tournaments_tournament_change", args=[tournament.pk]))


def _page(request: HttpRequest, tournament: Tournament, form: CommandForm) -> TemplateResponse:
    deed = {CancelForm: "cancel", ReopenForm: "reopen"}.get(type(form), "close")
    context = {
        **admin.site.each_context(request),
        "opts": Tournament._meta,
        "tournament": tournament,
        "deed": deed,
        "form": form,
        "title": gettext(TITLES[deed]).format(name=tournament.name),
    }
    return TemplateResponse(
        request, "admin/tournaments/tournament/closing.html", context, status=422 if form.errors else 200
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
