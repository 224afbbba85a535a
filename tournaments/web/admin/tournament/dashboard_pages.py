"""The director's dashboard: the next step as one button, and all tables below it, updated without reloading.

Rules: docs/how-to/evening.md, "The dashboard".
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import groupby
from tempfile import TemporaryFile
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import (
    FileResponse,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime, now
from django.utils.translation import get_language, gettext, gettext_lazy, gettext_noop, ngettext
from django.views.decorators.http import require_POST

from scoring.money.formatting import money
from scoring.problems import Problem
from tournaments.boards import board
from tournaments.books.commands import settle_table
from tournaments.entries.closing import open_at_closing
from tournaments.entries.notices import waiting_notice_counts
from tournaments.entries.self_entry import waiting_counts
from tournaments.models import PublishedCopy, Tournament
from tournaments.models.public_names import Names
from tournaments.printing import notation_of
from tournaments.projections.stale import WorkerState, worker_state
from tournaments.release import tag_digest
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.rendering.i18n.translating import sentence, translate
from tournaments.running.commands.close import (
    cancel_tournament,
    close_tournament,
    delete_tournament,
    deleting_problems,
    reopen_tournament,
    restore_tournament,
)
from tournaments.running.commands.record import tournament_state
from tournaments.running.commands.settle import settle_tournament
from tournaments.running.queries.dashboard import (
    Dashboard,
    Listed,
    RunningTournament,
    dashboard_of,
    owed_tables,
    running_tournament,
    with_late_sheets,
    with_tills,
)
from tournaments.running.queries.today import clock_face
from tournaments.tables.queries.without_network import SeenDevice, devices_of
from tournaments.web.admin.base.command_fields import ReasonField
from tournaments.web.admin.base.command_forms import CommandForm, data_of, words_in
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import (
    changing_part,
    command_context,
    is_without_till,
    page_url,
    tournament_page,
)
from tournaments.web.admin.base.scoping import actor_in
from tournaments.web.admin.tournament.checklist import shown_step
from tournaments.web.admin.tournament.prize_pages import shown_prizes
from tournaments.web.static_site import ExportOptions, ExportRefused, exported, keep_zip

MOST_SETTLED = 500
PODIUM = 3


@purpose(gettext_noop("What to do next, and how every table is doing."))
def dashboard(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The whole page."""
    moment = now()
    running = _running(request, tournament, moment)
    context = {
        "title": gettext("Dashboard: {name}").format(name=tournament.name),
        "is_night": True,
        **_board(request, running, _beside(tournament, moment)),
    }
    return tournament_page(request, tournament, "dashboard", context)


def dashboard_part(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The part that changes; 304 where nothing has, before the board is computed."""
    moment = now()
    running, beside = _running(request, tournament, moment), _beside(tournament, moment)
    tag = dashboard_tag(request, running, *beside.marks())
    return changing_part(request, "dashboard_part", tag, lambda: _board(request, running, beside))


@purpose(gettext_noop("Settle every table that is behind."))
@require_POST
def settle_all(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Settle every table of the tournament that is due, then the prizes; doing it twice posts once."""
    moment = now()
    settled = [settle_table(table, now=moment) for table in owed_tables(tournament.pk)[:MOST_SETTLED]]
    settled.append(settle_tournament(tournament.pk, now=moment))
    problems = [done.problem for done in settled if done.problem]
    for problem in problems:
        messages.error(request, gettext("Not settled: {problem}").format(problem=translate(problem)))
    if not problems:
        count = sum(done.posted for done in settled)
        text = ngettext("Settled: {count} entry posted.", "Settled: {count} entries posted.", count)
        messages.success(request, text.format(count=count))
    return HttpResponseRedirect(page_url("night", tournament))


def room_url(tournament: Tournament) -> str:
    """The address of the projector page."""
    return reverse("pages:room", kwargs={"club_slug": tournament.club.slug, "slug": tournament.slug})


def dashboard_tag(request: HttpRequest, running: RunningTournament, *beside: str) -> str:
    """An ETag over everything that the board shows, and over the user."""
    return f'"{tag_digest(actor_in(request).name, *running.marks(), *beside)}"'


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardExtras:
    """What the board shows besides the tournament: the worker, devices, published copies, and who waits for the desk.

    `requests` of people who want to come, and `notices` of players who are here, late or cannot come.
    """

    worker: WorkerState
    worker_minutes: int
    devices: Sequence[SeenDevice]
    copies_problem: str
    requests: int
    notices: int

    def marks(self) -> list[str]:
        """Everything shown of these, for the ETag; minutes too, because the text depends on them."""
        devices = (device.mark() for device in self.devices)
        waiting = (str(self.requests), str(self.notices))
        return [self.worker.settling, str(self.worker_minutes), self.copies_problem, *waiting, *devices]


def _running(request: HttpRequest, tournament: Tournament, moment: datetime) -> RunningTournament:
    """The tournament's current state with real names and tills, as a director sees it."""
    running = running_tournament(tournament, now=moment, names=Names.REAL)
    return with_tills(with_late_sheets(running), is_without_till=is_without_till(request))


def _beside(tournament: Tournament, moment: datetime) -> BoardExtras:
    worker = worker_state(now=moment)
    is_closed = tournament.closed_at is not None
    requests = {} if is_closed or not tournament.takes_entries else waiting_counts([tournament.pk])
    notices = {} if is_closed else waiting_notice_counts([tournament.pk])
    return BoardExtras(
        worker=worker,
        worker_minutes=worker.minutes(moment),
        devices=devices_of(tournament.pk, now=moment),
        copies_problem=_copies_problem(tournament),
        requests=requests.get(tournament.pk, 0),
        notices=notices.get(tournament.pk, 0),
    )


def _copies_problem(tournament: Tournament) -> str:
    """Why publishing the last copies failed; empty where it did not, or where nothing is published."""
    rows = PublishedCopy.objects.filter(tournament=tournament.pk).values_list("problem", flat=True)
    return (rows.first() or "") if settings.PUBLISH_TO else ""


def _board(request: HttpRequest, running: RunningTournament, beside: BoardExtras) -> dict[str, Any]:
    tournament, dashboard = running.tournament, dashboard_of(running)
    moment, owing = now(), Listed.of(dashboard.owing)
    return {
        "tournament": tournament,
        "running": running,
        "dashboard": dashboard,
        "tag": dashboard_tag(request, running, *beside.marks()),
        "beside": beside,
        "requests": beside.requests,
        "notices": beside.notices,
        "late": Listed.of(running.late),
        "devices": Listed.of(beside.devices),
        "worker": beside.worker,
        "worker_minutes": beside.worker_minutes,
        "suggested": shown_step(dashboard.steps.suggested, dashboard),
        "steps": [shown_step(step, dashboard) for step in dashboard.steps.steps],
        "clock": clock_face(running.clock, zone_of(tournament.club.timezone)),
        "clock_url": page_url("clock", tournament),
        "room_url": room_url(tournament),
        "screens_url": page_url("screens", tournament),
        "server_now": int(moment.timestamp() * 1000),
        "waiting": [
            (table, max(0, int(moment.timestamp() - table.summary.waits_since) // 60))
            for table in dashboard.listed_waiting
        ],
        "troubles": Listed.of(dashboard.troubles),
        "short": Listed.of(dashboard.short),
        "finished": Listed.of(dashboard.finished),
        "summary": sentence(dashboard.steps.suggested.button),
        "owing": Listed(
            [(debtor, money(-debtor.balance_minor, *notation_of(tournament))) for debtor in owing.first], owing.more
        ),
        "people": list(_people(dashboard)),
        "is_unplanned": running.state.plan is None,
        "may_delete": not dashboard.tables and not deleting_problems(tournament, running.state),
        "prizes": shown_prizes(running),
        "prizes_url": page_url("prizes", tournament),
        "seat_url": page_url("seat", tournament),
    }


def _people(shown: Dashboard) -> Iterator[tuple[str, Listed[tuple[str, str]]]]:
    """Players whom a director may have to look for, each as player and name; each list with its heading."""
    for heading, named in (
        (gettext("Not here yet"), shown.not_here),
        (gettext("No-shows"), shown.absent),
        (gettext("Not paid"), shown.unpaid),
        (gettext("Paid too much"), shown.overpaid),
        (gettext("Late, wait for the next round"), shown.late),
        (gettext("Standby"), shown.standby),
        (gettext("Sit out this round"), shown.sitting_out),
    ):
        if named:
            yield heading, Listed.of(named)


# Close a tournament when all its tables are over, abandon one, and reopen one that was closed too early.

TITLES = {
    "close": gettext_noop("Close {name}"),
    "cancel": gettext_noop("Abandon {name}"),
    "reopen": gettext_noop("Reopen {name}"),
    "delete": gettext_noop("Delete {name}"),
    "restore": gettext_noop("{name} is deleted"),
}


class ReopenForm(CommandForm):
    """The reason for reopening."""

    reason = ReasonField(label=gettext_lazy("Reason for reopening"))


class CancelForm(CommandForm):
    """The reason for abandoning."""

    reason = ReasonField(label=gettext_lazy("Reason for abandoning"))


class DeleteForm(CommandForm):
    """Only the key: the page names what is deleted."""


class RestoreForm(CommandForm):
    """Whether the deleted tournament was published before."""

    is_published = forms.BooleanField(required=False, widget=forms.HiddenInput)


@purpose(gettext_noop("Close the tournament: its results become final."))
def close(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask, then close; every table that is still open is named."""
    text = gettext("{name} is closed, and the log is sealed.")
    form = CommandForm(data_of(request))
    return _done(request, tournament, form, partial(close_tournament, tournament.pk), (text, "results"))


@purpose(gettext_noop("Who won what, and what to do with the results."))
def results(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The winners of a closed tournament, and where its results go; any other is redirected to its dashboard."""
    if tournament.closed_at is None:
        return HttpResponseRedirect(page_url("night", tournament))
    context: dict[str, Any] = {
        "title": gettext("Results: {name}").format(name=tournament.name),
        "may_repeat": tournament_state(tournament).plan is not None,
        "key": command_context(request).key,
        **_winners(tournament),
    }
    return tournament_page(request, tournament, "results", context)


@purpose(gettext_noop("Abandon the tournament: nobody wins, and entry fees are refunded."))
def cancel(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask for a reason, then abandon the tournament."""
    text = gettext("{name} is abandoned: payments went back to the players.")
    form = CancelForm(data_of(request))
    return _done(request, tournament, form, partial(cancel_tournament, tournament.pk), (text, "results"))


@purpose(gettext_noop("Reopen a closed tournament to correct it."))
def reopen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask for a reason, then reopen."""
    text = gettext("{name} is open again.")
    form = ReopenForm(data_of(request))
    return _done(request, tournament, form, partial(reopen_tournament, tournament.pk), (text, "night"))


@purpose(gettext_noop("Delete a tournament that nobody has used."))
def delete(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask, then delete a tournament that was never used; the page that follows can undo it."""
    form = DeleteForm(data_of(request))
    if form.is_valid():
        form.attempt(lambda: delete_tournament(tournament.pk, context=form.command_context(request)))
    if not form.is_valid():
        return _page(request, tournament, form)
    messages.success(request, gettext("{name} is deleted.").format(name=tournament.name))
    was = "?is_published=on" if tournament.is_published else ""
    return HttpResponseRedirect(page_url("restore", tournament) + was)


@purpose(gettext_noop("A tournament that was deleted, and the way back."))
def restore(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Undo a deletion; any other tournament is redirected to its dashboard."""
    if not tournament.is_cancelled or tournament.tables.exclude(scoresheet__is_cancelled=True).exists():
        return HttpResponseRedirect(page_url("night", tournament))
    form = RestoreForm(
        data_of(request), initial={"is_published": words_in(request.GET, "is_published")["is_published"]}
    )
    if form.is_valid():
        is_published = form.cleaned_data["is_published"]
        form.attempt(
            lambda: restore_tournament(tournament.pk, is_published=is_published, context=form.command_context(request))
        )
    if not form.is_valid():
        return _page(request, tournament, form)
    messages.success(request, gettext("{name} is open again.").format(name=tournament.name))
    return HttpResponseRedirect(page_url("night", tournament))


def _done(
    request: HttpRequest, tournament: Tournament, form: CommandForm, do: Callable[..., None], done: tuple[str, str]
) -> HttpResponse:
    """The form; once submitted, run the command with the form's key, so that a form sent twice is executed once.

    `done` is what is said then, and the page that follows.
    """
    if form.is_valid():
        arguments = {name: text for name, text in form.cleaned_data.items() if name != "key"}
        form.attempt(lambda: do(context=form.command_context(request), **arguments))
    if not form.is_valid():
        return _page(request, tournament, form)
    message, page = done
    messages.success(request, message.format(name=tournament.name))
    return HttpResponseRedirect(page_url(page, tournament))


def _page(request: HttpRequest, tournament: Tournament, form: CommandForm) -> TemplateResponse:
    actions = {CancelForm: "cancel", ReopenForm: "reopen", DeleteForm: "delete", RestoreForm: "restore"}
    action = actions.get(type(form), "close")
    context: dict[str, Any] = {
        "action": action,
        "form": form,
        "title": gettext(TITLES[action]).format(name=tournament.name),
    }
    if action == "close" and tournament.closed_at is None:
        context["matters"] = [
            (sentence(matter.message), _where(tournament, matter))
            for matter in open_at_closing(tournament, tournament_state(tournament))
        ]
    if action == "delete":
        state = tournament_state(tournament)
        begins = localtime(tournament.starts_at, zone_of(tournament.club.timezone))
        context |= {
            # After a refusal the form names them.
            "problems": [] if form.errors else deleting_problems(tournament, state),
            "begins": date_format(begins, "DATETIME_FORMAT"),
            "entered": len(state.field()),
        }
    if action == "close":
        context |= _winners(tournament)
    return tournament_page(request, tournament, "closing", context)


def _winners(tournament: Tournament) -> dict[str, Any]:
    """Who gets which prize, and the first three places; an abandoned tournament has neither."""
    if tournament.is_cancelled:
        return {}
    prizes = shown_prizes(running_tournament(tournament, now=now(), names=Names.REAL))
    return {"prizes": prizes, "podium": _podium(tournament)}


def _podium(tournament: Tournament) -> list[tuple[int, list[str]]]:
    """The players in the first three places, by place; empty before the first deal."""
    named_board = board(tournament, Names.REAL)
    first = (
        [row for row in named_board.rows if row.place <= PODIUM]
        if any(table.has_begun for table in named_board.tables)
        else []
    )
    return [
        (place, [named_board.names[row.line.player] for row in rows])
        for place, rows in groupby(first, lambda row: row.place)
    ]


def _where(tournament: Tournament, matter: Problem) -> str:
    """The page where something that is open at the closing is dealt with."""
    if matter.seat is not None:
        return page_url("desk_player", tournament, matter.seat)
    return page_url({"unpaid": "desk", "tied": "ties"}.get(matter.code, "prizes"), tournament)


# A tournament's pages as a download: a zip file that unpacks to a folder for any web host.

ZIP = "application/zip"
# Each table and each player is a page, and the user waits for all of them: more is left to the management command.
MOST_TABLES = 60


@purpose(gettext_noop("Download the results as a website that needs no server."))
def static_site(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """The zip file, complete before it is sent."""
    if tournament.tables.count() > MOST_TABLES:
        return _refused(
            request,
            tournament,
            gettext("More than %(most)s tables: manage.py export_site writes them on the server.")
            % {"most": MOST_TABLES},
        )
    options = ExportOptions(site=f"{request.scheme}://{request.get_host()}", language=get_language() or "")
    file = TemporaryFile()  # noqa: SIM115 - the answer closes it when it is sent
    try:
        keep_zip(exported(tournament, options), file, folder=tournament.slug)
    except ExportRefused as refused:
        file.close()
        return _refused(request, tournament, str(refused))
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"{tournament.slug}.zip", content_type=ZIP)


def _refused(request: HttpRequest, tournament: Tournament, why: str) -> HttpResponseRedirect:
    messages.error(request, why)
    return HttpResponseRedirect(page_url("change", tournament))
