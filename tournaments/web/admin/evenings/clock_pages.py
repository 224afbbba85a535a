"""The clock of a round at the desk: start, pause, the last call, and extra time with its reason.

Rules: docs/evening.md, "The clock and the room page". The server's time is the truth: moments come from the order,
never from a device. A second tap finds its deed done.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.cache import get_conditional_response
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_noop

from scoring.evening import Evening
from scoring.facts import wire
from scoring.facts.wire import Fact
from scoring.problems import FactRejected, KeyReused, Problem
from tournaments.evenings.commands.record import record_in_evening
from tournaments.evenings.queries.night import Tonight, evening_tonight
from tournaments.evenings.queries.tonight import clock_face
from tournaments.log.context import Order
from tournaments.models import Tournament
from tournaments.models.public_names import Names
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.web.admin.base.request import KEY, evening_page, order_of, page_url
from tournaments.web.admin.base.typed_events import clean
from tournaments.web.admin.evenings.night_pages import night_tag, room_url

MOST_DIGITS = 4
MOST_REASON = 500
SAID = {
    "start": gettext_noop("The clock is running."),
    "pause": gettext_noop("The clock stands still."),
    "last_deal": gettext_noop("The last deal is called."),
    "call_off": gettext_noop("The last deal is not called: the round goes on."),
    "more": gettext_noop("There is more time."),
}


def clock(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The clock with its buttons; each is one fact."""
    tonight = evening_tonight(tournament, now=now(), names=Names.REAL)
    if request.method != "POST":
        return _page(request, tonight)
    order = order_of(request, _sent_key(request))
    fact, problems = _fact(request, tonight.evening, order)
    if fact is None:
        return _page(request, tonight, problems)
    try:
        recorded = record_in_evening(tournament.pk, fact, order=order)
    except FactRejected as refused:
        return _page(request, tonight, refused.problems)
    except KeyReused:
        return _page(
            request, tonight, [Problem(code="sent_twice", detail=gettext("this form was sent before with other words"))]
        )
    if recorded.is_replay:
        messages.info(request, gettext("That was done already."))
    else:
        deed = request.POST["do"]
        messages.success(request, gettext(SAID[deed]))
    return HttpResponseRedirect(page_url("night" if request.POST.get("back") == "night" else "clock", tournament))


def clock_part(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The part that changes; 304 where nothing has."""
    tonight = evening_tonight(tournament, now=now(), names=Names.REAL)
    tag = night_tag(request, tonight)
    answer = get_conditional_response(request, etag=tag) or TemplateResponse(
        request, "admin/tournaments/tournament/clock_part.html", _context(request, tonight)
    )
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _page(request: HttpRequest, tonight: Tonight, problems: Sequence[Problem] = ()) -> TemplateResponse:
    by_field: dict[str, list[Problem]] = {}
    for problem in problems:
        by_field.setdefault(problem.field or "", []).append(problem)
    context = {
        "title": gettext("Clock: {name}").format(name=tonight.tournament.name),
        "problems": problems,
        "problems_by_field": by_field,
        "key": order_of(request).key,
        "typed": request.POST,
        **_context(request, tonight),
    }
    return evening_page(request, tonight.tournament, "clock", context, status=422 if problems else 200)


def _context(request: HttpRequest, tonight: Tonight) -> dict[str, Any]:
    tournament, evening = tonight.tournament, tonight.evening
    stage = evening.current
    return {
        "tournament": tournament,
        "tonight": tonight,
        "round": evening.last_round,
        "stage": stage,
        "minutes": stage.minutes if stage is not None else "",
        "clock": clock_face(tonight.clock, zone_of(tournament.club.timezone)),
        "clock_url": page_url("clock", tournament),
        "room_url": room_url(tournament),
        "tag": night_tag(request, tonight),
        "server_now": int(now().timestamp() * 1000),
        "summary": gettext("The clock has changed."),
    }


def _fact(request: HttpRequest, evening: Evening, order: Order) -> tuple[Fact | None, list[Problem]]:
    """What a button says, or what is wrong with the form."""
    make = _FACTS.get(request.POST.get("do", ""))
    last = evening.last_round
    if make is None or last is None:
        return None, [Problem(code="wrong_round", detail=gettext("no round is seated: there is nothing to time"))]
    problems: list[Problem] = []
    fact = make(request, last.round, order, problems)
    return (None, problems) if problems else (fact, [])


def _start(request: HttpRequest, number: int, order: Order, problems: list[Problem]) -> Fact:
    """Minutes are asked for at the first start only; afterwards the clock goes on."""
    typed = request.POST.get("minutes", "").strip()
    seconds = _seconds(typed, problems) if typed else None
    return wire.ClockStarted(round=number, at=_at(order), seconds=seconds)


def _pause(request: HttpRequest, number: int, order: Order, problems: list[Problem]) -> Fact:
    return wire.ClockPaused(round=number, at=_at(order))


def _last_deal(request: HttpRequest, number: int, order: Order, problems: list[Problem]) -> Fact:
    return wire.LastDealCalled(round=number, at=_at(order))


def _call_off(request: HttpRequest, number: int, order: Order, problems: list[Problem]) -> Fact:
    reason = clean(request.POST.get("reason", ""), MOST_REASON) or "Called by mistake"
    return wire.LastCallUndone(round=number, reason=reason)


def _more(request: HttpRequest, number: int, order: Order, problems: list[Problem]) -> Fact:
    """For a table, or for the whole round where none is named."""
    seconds = _seconds(request.POST.get("minutes", "").strip(), problems)
    table = request.POST.get("table", "").strip()
    is_number = table.isascii() and table.isdecimal() and len(table) <= MOST_DIGITS
    if table and not is_number:
        problems.append(Problem(code="unknown_table", field="table", detail=gettext("a table is named by its number")))
    reason = clean(request.POST.get("reason", ""), MOST_REASON)
    if not reason:
        problems.append(
            Problem(code="missing_field", field="reason", detail=gettext("say why: extra time needs a reason"))
        )
    return wire.TimeAdded(round=number, seconds=seconds or 1, table=int(table) if is_number else None, reason=reason)


_FACTS: dict[str, Callable[[HttpRequest, int, Order, list[Problem]], Fact]] = {
    "start": _start,
    "pause": _pause,
    "last_deal": _last_deal,
    "call_off": _call_off,
    "more": _more,
}


def _seconds(typed: str, problems: list[Problem]) -> int | None:
    """Whole minutes, as they are typed, in seconds."""
    if typed.isascii() and typed.isdecimal() and len(typed) <= MOST_DIGITS and 1 <= int(typed) <= 600:
        return 60 * int(typed)
    detail = (
        gettext("minutes are a whole number from 1 to 600, not {typed}").format(typed=repr(typed[:20]))
        if typed
        else gettext("say how many minutes")
    )
    problems.append(Problem(code="out_of_range", field="seconds", detail=detail))
    return None


def _sent_key(request: HttpRequest) -> str | None:
    """The form's own key: extra time that is sent twice is given once."""
    key = request.POST.get("key", "")
    return key if KEY.fullmatch(key) else None


def _at(order: Order) -> int:
    return int(order.now.timestamp())
