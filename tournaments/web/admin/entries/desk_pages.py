"""The check-in desk: find a player by some letters, tick that they are here and have paid, and see the counters.

Rules: docs/how-to/evening.md, "Entries and the desk". Two desks may work at once: what is sent names a deed, not a
version that must be the latest. Knows nothing of what a deed stores.
"""

from typing import Any
from uuid import UUID, uuid5

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, HttpResponseRedirect
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_noop
from django_htmx.middleware import HtmxDetails

from scoring.money.formatting import money
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk, offered
from tournaments.entries.queries import Entries, entries, matching
from tournaments.log.context import Order
from tournaments.models import Tournament
from tournaments.people.permissions import Deed, may
from tournaments.web.admin.base.command_fields import CarriedNumber, WordField
from tournaments.web.admin.base.command_forms import CommandForm
from tournaments.web.admin.base.request import evening_page, order_of
from tournaments.web.admin.base.scoping import actor_in
from tournaments.web.admin.base.typed_events import clean
from tournaments.web.admin.entries.desk_player_pages import act_called, desk_url, entry_row, notation_of

# Keys of this desk's deeds: the same deed on the same list, from any desk, is the same request.
DESK_KEYS = UUID("6d1f3c52-2f0a-4a53-9d3c-6f1f7a0b2c11")
MOST_WANTED = 60


class TickForm(CommandForm):
    """One tick of the list: the deed and its player in the word of the button, and the list on which it was seen."""

    sent_before = gettext_noop("list out of date: check and try again")

    do = WordField()
    version = CarriedNumber(missing=None)
    q = WordField(max_length=MOST_WANTED)

    def order_at(self, request: HttpRequest, tournament: Tournament) -> Order:
        """The same tick on the same list is the same request, whichever desk it comes from, and however often."""
        do, version = self.cleaned_data["do"], self.cleaned_data["version"]
        key = None if version is None else str(uuid5(DESK_KEYS, f"{tournament.pk}:{version}:{do}"))
        return order_of(request, key)


def desk(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The list with its ticks; what is ticked comes back here."""
    if request.method == "POST":
        return _act(request, tournament)
    last = request.GET.get("last", "").partition(".")
    context = _list_context(request, entries(tournament), wanted=clean(request.GET.get("q", ""), MOST_WANTED))
    bar = _bar(context["shown"], last[0], last[2])
    return evening_page(
        request,
        tournament,
        "desk",
        {**context, **bar, "title": gettext("Check-in: {name}").format(name=tournament.name)},
    )


def desk_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The part that changes; 304 where nothing has."""
    context = _list_context(request, entries(tournament))
    if request.headers.get("If-None-Match") == context["tag"]:
        answer: HttpResponse = HttpResponseNotModified()
    else:
        answer = evening_page(request, tournament, "desk_list", context)
    answer["ETag"] = context["tag"]
    answer["Cache-Control"] = "private, no-store"
    return answer


def _act(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Do what was ticked, and show the list as it stands."""
    form = TickForm(request.POST)
    name, _, player = form.read["do"].partition(".")
    act = act_called(request, tournament, name)
    order = form.order_at(request, tournament)
    done = form.attempt(lambda: act_at_desk(tournament.pk, act, player, order=order))
    if not _htmx(request):
        return _back_to_desk(request, tournament, f"{name}.{player}", form)
    context = _list_context(request, entries(tournament))
    bar = {"form": form} if done is None else _bar(context["shown"], name, player, undo=done.undo)
    return evening_page(request, tournament, "desk_answer", {**context, **bar}, status=422 if form.errors else 200)


def _back_to_desk(request: HttpRequest, tournament: Tournament, last: str, form: TickForm) -> HttpResponseRedirect:
    for said in form.all_errors():
        messages.error(request, gettext("Not saved: {detail}").format(detail=said))
    words = {"q": form.cleaned_data["q"], "last": "" if form.errors else last}
    asked = urlencode({name: value for name, value in words.items() if value})
    return HttpResponseRedirect(desk_url("desk", tournament) + (f"?{asked}" if asked else ""))


def _list_context(request: HttpRequest, shown: Entries, *, wanted: str = "") -> dict[str, Any]:
    """The list, who of it is searched for, and what whoever looks may do."""
    may_check_in = may(actor_in(request), Deed.CHECK_IN, shown.tournament.club_id)
    return {
        "shown": shown,
        "counts": shown.counts,
        "taken": money(shown.counts.taken_minor, *notation_of(shown.tournament)),
        "rows": [entry_row(shown, line) for line in shown.lines],
        "found": matching(shown.lines, wanted),
        "wanted": wanted,
        "may_check_in": may_check_in,
        "is_open": not shown.evening.is_closed,
        "tag": shown.tag(may_check_in),
    }


def _bar(shown: Entries, name: str, player: str, *, undo: str | None = None) -> dict[str, Any]:
    """What was done last, and what takes it back."""
    act, line = DESK_ACTS.get(name), shown.line_of(player)
    if act is None or line is None:
        return {}
    back = DESK_ACTS.get(act.undo if undo is None else undo)
    may_undo = back is not None and back in offered(shown.tournament, shown.evening, player)
    return {"last": {"line": line, "said": act.said, "undo": back.name if back and may_undo else ""}}


def _htmx(request: HttpRequest) -> bool:
    asked = getattr(request, "htmx", None)
    return isinstance(asked, HtmxDetails) and bool(asked)
