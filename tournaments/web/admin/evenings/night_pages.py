"""The director's night board: what to do next on one button, and the whole room below it, alive without reloading.

Rules: docs/how-to/evening.md, "The night board". Where a step is done is an address of its own; a step without a page
here has no button.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.timezone import now
from django.utils.translation import gettext, ngettext

from scoring.evening.steps import Step, Target
from scoring.money.formatting import money
from tournaments.books.commands import settle_table
from tournaments.evenings.commands.settle import settle_evening
from tournaments.evenings.queries.night import Night, Tonight, evening_tonight, night, owed_tables
from tournaments.evenings.queries.tonight import clock_face
from tournaments.models import Tournament
from tournaments.models.public_names import Names
from tournaments.projections.workers import WorkerState, worker_state
from tournaments.release import tag_digest
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.rendering.i18n.translating import sentence, told
from tournaments.web.admin.base.request import evening_page, page_url
from tournaments.web.admin.base.scoping import actor_in
from tournaments.web.admin.evenings.prize_pages import shown_prizes

# These deeds need no page of their own: one press does them.
CLOCK_DEEDS = {"clock": "start", "last_deal": "last_deal"}
MOST_SETTLED = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownStep:
    """A step with the address where it is done; `deed` where one press does it."""

    step: Step
    url: str
    deed: str = ""


def night_board(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The whole page."""
    moment = now()
    tonight = evening_tonight(tournament, now=moment, names=Names.REAL)
    context = {
        "title": gettext("Night board: {name}").format(name=tournament.name),
        "is_night": True,
        **_board(request, tonight, worker_state(now=moment)),
    }
    return evening_page(request, tournament, "night", context)


def night_part(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The part that changes; 304 before anything is counted where nothing has."""
    moment = now()
    tonight, worker = evening_tonight(tournament, now=moment, names=Names.REAL), worker_state(now=moment)
    tag = night_tag(request, tonight, *_shown_of(worker, moment))
    unchanged = get_conditional_response(request, etag=tag)
    answer = unchanged or TemplateResponse(
        request, "admin/tournaments/tournament/night_part.html", _board(request, tonight, worker)
    )
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def settle_all(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Settle every table of the tournament that is behind, then the prizes; doing it twice posts once."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    moment = now()
    settled = [settle_table(table, now=moment) for table in owed_tables(tournament.pk)[:MOST_SETTLED]]
    settled.append(settle_evening(tournament.pk, now=moment))
    problems = [done.problem for done in settled if done.problem]
    for problem in problems:
        messages.error(request, gettext("Not settled: {problem}").format(problem=told(problem)))
    if not problems:
        messages.success(request, _entries_posted(sum(done.posted for done in settled)))
    return HttpResponseRedirect(page_url("night", tournament))


def room_url(tournament: Tournament) -> str:
    """The page for the projector."""
    return reverse("pages:room", kwargs={"club_slug": tournament.club.slug, "slug": tournament.slug})


def night_tag(request: HttpRequest, tonight: Tonight, *beside: str) -> str:
    """A tag over everything that the board shows, and over who looks."""
    return f'"{tag_digest(actor_in(request).name, *tonight.marks(), *beside)}"'


def _shown_of(worker: WorkerState, moment: datetime) -> tuple[str, str]:
    """What the board says of settling; minutes too, for its words are made here."""
    return worker.settling, str(worker.minutes(moment))


def _board(request: HttpRequest, tonight: Tonight, worker: WorkerState) -> dict[str, Any]:
    tournament, shown = tonight.tournament, night(tonight)
    moment = now()
    return {
        "tournament": tournament,
        "tonight": tonight,
        "night": shown,
        "tag": night_tag(request, tonight, *_shown_of(worker, moment)),
        "worker": worker,
        "worker_minutes": worker.minutes(moment),
        "suggested": _shown(shown.steps.suggested, tournament, shown),
        "steps": [_shown(step, tournament, shown) for step in shown.steps.steps],
        "clock": clock_face(tonight.clock, zone_of(tournament.club.timezone)),
        "clock_url": page_url("clock", tournament),
        "room_url": room_url(tournament),
        "screens_url": page_url("screens", tournament),
        "server_now": int(moment.timestamp() * 1000),
        "waiting": [(table, _minutes(table.summary.waits_since, moment.timestamp())) for table in shown.waiting],
        "summary": sentence(shown.steps.suggested.button),
        "owing": [
            (one, money(-one.balance_minor, tournament.currency, tournament.club.locale)) for one in tonight.owing
        ],
        "is_unplanned": tonight.evening.plan is None,
        "prizes": shown_prizes(tonight),
        "prizes_url": page_url("prizes", tournament),
        "seat_url": page_url("seat", tournament),
    }


def _entries_posted(count: int) -> str:
    return ngettext("Settled: {count} entry posted.", "Settled: {count} entries posted.", count).format(count=count)


def _shown(step: Step, tournament: Tournament, shown: Night) -> ShownStep:
    if step.target is Target.MONEY:
        return ShownStep(step=step, url=page_url("settle_all", tournament), deed="settle")
    return ShownStep(step=step, url=_address(step, tournament, shown), deed=CLOCK_DEEDS.get(step.name, ""))


def _address(step: Step, tournament: Tournament, shown: Night) -> str:
    """Where a step is done."""
    if not step.button:
        return ""
    match step.target:
        case Target.SCORE | Target.CLOSE_TABLE if step.table:
            is_finished = any(str(t.sheet.pk) == step.table and t.summary.is_finished for t in shown.tables)
            page = "close" if step.target is Target.CLOSE_TABLE and is_finished else "score"
            return reverse(f"admin:tournaments_table_{page}", args=[step.table])
        case Target.BOARD:
            return reverse("pages:tournament", kwargs={"club_slug": tournament.club.slug, "slug": tournament.slug})
    return page_url(step.target.value, tournament)


def _minutes(since: int, moment: float) -> int:
    return max(0, int(moment - since) // 60)
