"""A finished tournament's pages to take away: a zip file that unpacks to a folder which any web host serves.

Rules: docs/publishing.md, "Pages to take away". What is not in the folder is linked on the site this was asked of.
"""

from tempfile import TemporaryFile

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import get_language, gettext

from tournaments.models import Tournament
from tournaments.web.static_site import ExportRefused, Wishes, exported, keep_zip

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
