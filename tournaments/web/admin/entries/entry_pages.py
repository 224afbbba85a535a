"""Entering players before the evening: by name, as a pasted list or as a file, looked at before it is stored.

Rules: docs/evening.md, "Entries and the desk". A refused form keeps what was typed. Knows nothing of the desk's ticks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext

from scoring.money.formatting import Notation, money
from scoring.problems import FactRejected, KeyReused, Problem
from tournaments.entries.commands.enter import Change, CheckedList, check_list, enter_list
from tournaments.entries.commands.lists import MOST_TEXT, EntryList, EntryRow, decoded, read_csv, read_pasted
from tournaments.entries.queries import entries
from tournaments.models import Tournament
from tournaments.people.permissions import Deed, may
from tournaments.people.players import roster
from tournaments.rendering.i18n.rows import said_by_rows
from tournaments.web.admin.base.request import KEY, evening_page, order_of
from tournaments.web.admin.base.scoping import actor_in
from tournaments.web.admin.entries import desk_pages
from tournaments.web.admin.entries.desk_pages import entry_row, policies
from tournaments.web.admin.entries.desk_terms import rate_titles


@dataclass(frozen=True, slots=True, kw_only=True)
class SentList:
    """A list as it was sent: its text, whether that is a table, and what was looked at before."""

    text: str = ""
    is_csv: bool = False
    adds_new: bool = False
    shown: str = ""
    key: str = field(default_factory=lambda: str(uuid4()))

    @property
    def read(self) -> EntryList:
        """The rows of the list."""
        return read_csv(self.text) if self.is_csv else read_pasted(self.text)


def entry_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everybody who entered, and the forms that enter more."""
    if request.method != "POST":
        return _page(request, tournament)
    if request.POST.get("do") == "one":
        return _enter_one(request, tournament)
    sent, unread = _sent(request)
    read = sent.read if not unread else EntryList(problems=tuple(unread))
    if read.problems:
        return _page(request, tournament, sent=sent, problems=read.problems)
    if request.POST.get("do") == "store":
        return _store(request, tournament, sent, read)
    return _look(request, tournament, sent, check_list(tournament, read.rows))


def printed_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everybody A to Z with boxes to tick, for a clip board."""
    shown = entries(tournament)
    context = {
        "counts": shown.counts,
        "rows": [entry_row(shown, line) for line in shown.lines],
        "title": gettext("Entries: {name}").format(name=tournament.name),
    }
    return evening_page(request, tournament, "entries_print", context)


def _enter_one(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """One player by name; a name that nobody bears is asked about."""
    name = request.POST.get("name", "").replace("\x00", "")
    row = EntryRow(
        number=1,
        name=name,
        is_paid=request.POST.get("is_paid") == "on",
        is_standby=request.POST.get("is_standby") == "on",
    )
    checked = check_list(tournament, [row])
    adds_new = request.POST.get("adds_new") == "on"
    try:
        done = enter_list(tournament.pk, [row], order=order_of(request, _key(request)), adds_new=adds_new)
    except FactRejected as refused:
        return _page(request, tournament, one=_refused_one(request, checked), problems=_plainly(refused))
    except KeyReused:
        return _page(request, tournament, one=_refused_one(request, checked), problems=[_sent_before()])
    said = " ".join(name.split())
    messages.success(
        request,
        gettext("{said} has entered already.").format(said=said)
        if done.is_replay
        else gettext("{said} is entered.").format(said=said),
    )
    return _back(request, tournament)


def _refused_one(request: HttpRequest, checked: CheckedList) -> dict[str, Any]:
    """The form for one player as it was typed, and whoever is called much the same."""
    return {
        "name": request.POST.get("name", "")[:200],
        "is_paid": request.POST.get("is_paid") == "on",
        "is_standby": request.POST.get("is_standby") == "on",
        "is_asked": bool(checked.new_names),
        "looks_like": checked.rows[0].looks_like if checked.rows else "",
    }


def _store(request: HttpRequest, tournament: Tournament, sent: SentList, read: EntryList) -> HttpResponse:
    """Store a list that was looked at; where that is not how it stands now, it is looked at again."""
    try:
        done = enter_list(
            tournament.pk, read.rows, order=order_of(request, sent.key), adds_new=sent.adds_new, shown=sent.shown
        )
    except FactRejected as refused:
        return _look(request, tournament, sent, check_list(tournament, read.rows), refused.problems)
    except KeyReused:
        return _look(request, tournament, sent, check_list(tournament, read.rows), [_sent_before()])
    said = gettext("Nothing was left to store") if done.is_replay else gettext("The list is stored")
    messages.success(
        request,
        gettext("{said}; {entered} players have entered.").format(
            said=said, entered=entries(tournament).counts.entered
        ),
    )
    return _back(request, tournament)


def _look(
    request: HttpRequest,
    tournament: Tournament,
    sent: SentList,
    checked: CheckedList,
    problems: Sequence[Problem] = (),
) -> TemplateResponse:
    """What the list would change, row by row; nothing is stored."""
    notation, rates = Notation(tournament.currency, tournament.club.locale), rate_titles()
    wrong = [*checked.problems, *(p for p in problems if p not in checked.problems)]
    context = {
        "sent": sent,
        "key": uuid4(),
        "checked": checked,
        "things": len(wrong),
        "problems": said_by_rows(wrong),
        "rows": [
            {
                "checked": one,
                "rate": rates.get(one.rate, one.rate),
                "pays": money(one.pays_minor, *notation) if one.pays_minor else "",
            }
            for one in checked.rows
        ],
        "counts": {change.name.lower(): checked.count(change) for change in Change},
        "pays": money(sum(one.pays_minor for one in checked.rows), *notation),
        "look_alikes": [one for one in checked.rows if one.looks_like],
        "title": gettext("What the list would change"),
    }
    status = 422 if problems else 200
    return evening_page(request, tournament, "entries_check", context, status=status)


def _page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    one: dict[str, Any] | None = None,
    sent: SentList | None = None,
    problems: Sequence[Problem] = (),
) -> TemplateResponse:
    """The forms as typed, and the list."""
    shown = entries(tournament)
    entered = {line.player for line in shown.lines if line.entrant.plays}
    labels = roster(tournament, 1).by_label
    context = {
        "shown": shown,
        "counts": shown.counts,
        "free": [label for label, player in labels.items() if str(player) not in entered],
        "one": one or {},
        "sent": sent or SentList(),
        "key": uuid4(),
        "one_problems": problems if one else (),
        "list_problems": said_by_rows(problems) if sent else (),
        "late": policies(shown.evening).get("late", "") if shown.evening.is_started else "",
        "is_open": not shown.evening.is_closed,
        "may_check_in": may(actor_in(request), Deed.CHECK_IN, tournament.club_id),
        "title": gettext("Entries: {name}").format(name=tournament.name),
    }
    return evening_page(request, tournament, "entries", context, status=422 if problems else 200)


def _sent(request: HttpRequest) -> tuple[SentList, list[Problem]]:
    """The list as typed or uploaded. A file goes before what stands in the box."""
    post = request.POST
    text, is_csv, problems = post.get("names", "").replace("\x00", ""), post.get("is_csv") == "yes", []
    upload = request.FILES.get("file")
    if isinstance(upload, UploadedFile) and upload.size:
        found = decoded(upload.read(4 * MOST_TEXT + 1))
        text, is_csv = (found or "").replace("\x00", ""), True
        if found is None:
            detail = gettext("this file is no text in UTF-8: save it as CSV UTF-8 and try again")
            problems.append(Problem(code="not_a_list", field="file", detail=detail))
    sent = SentList(
        text=text,
        is_csv=is_csv,
        adds_new=post.get("adds_new") == "on",
        shown=post.get("shown", "")[:60],
        key=_key(request),
    )
    return sent, problems


def _plainly(refused: FactRejected) -> list[Problem]:
    """One name has no row to speak of."""
    return [replace(problem, detail=problem.detail.removeprefix("row 1: ")) for problem in refused.problems]


def _sent_before() -> Problem:
    return Problem(
        code="key_reused", detail=gettext("this form was sent before with other names; look, then send it again")
    )


def _key(request: HttpRequest) -> str:
    key = request.POST.get("key", "")
    return key if KEY.fullmatch(key) else str(uuid4())


def _back(request: HttpRequest, tournament: Tournament) -> HttpResponseRedirect:
    page = "desk" if request.POST.get("back") == "desk" else "entries"
    return HttpResponseRedirect(reverse(f"admin:tournaments_tournament_{page}", args=[tournament.pk]))


# Where each page lies, and what its address takes: ticks of the desk ask for a deed of their own besides.
PAGES = (
    ("entries/", entry_list, Deed.CHECK_IN, "entries"),
    ("entries/print/", printed_list, Deed.TAKE_ENTRY, "entries_print"),
    ("desk/", desk_pages.desk, Deed.TAKE_ENTRY, "desk"),
    ("desk/list/", desk_pages.desk_list, Deed.TAKE_ENTRY, "desk_list"),
    ("desk/<uuid:player_id>/", desk_pages.desk_player, Deed.TAKE_ENTRY, "desk_player"),
)
