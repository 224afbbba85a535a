"""The projector: a full-screen page that shows one screen after another, and its part that is polled.

Rules: docs/how-to/publishing.md, "The projector". The whole programme is sent at once, so that a projector without a
connection continues with what it has; of a long one the pages around the one that is shown. Neither is cached: an old
one would carry an old time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.http import require_safe

from scoring.tournament.steps import shown_clock
from tournaments.boards import board
from tournaments.boards.screens import Room, ScreenedTournament, screened_tournament
from tournaments.models import Screen, Tournament
from tournaments.printing import game_text
from tournaments.release import release_stamp
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.running.queries.today import clock_face
from tournaments.running.screens import programme, screens_named
from tournaments.web.addresses import without_language
from tournaments.web.public.base.answers import (
    PRIVATE,
    is_public,
    page_tag,
    seen_tournament,
    tournament_tag,
    unless_unchanged,
)
from tournaments.web.public.base.words import moment
from tournaments.web.public.boards.boards import stakes_line
from tournaments.web.public.tournament.screen_pages import MOST_ACROSS, Fit, Programme, fitting, pages_of

THEMES = ("dark", "light", "auto")
USUAL = Fit(12, MOST_ACROSS)
QUIET_ZONE = 4
MOST_DIGITS = 4
MOST_OF_A_KEY = 20
SVG = "image/svg+xml"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenParameters:
    """The parameters in a projector's address: its screens, how much fits, and its page without JavaScript.

    `shown` is the key of the page that a projector shows, around which it asks for others.
    """

    own: tuple[Screen, ...]
    fit: Fit
    theme: str
    at: int
    shown: str
    is_held: bool

    def query(self, **more: object) -> str:
        """Return the same address at another page of the programme."""
        own = {"screens": ",".join(self.own)} if self.own else {}
        theme = {"theme": self.theme} if self.theme != THEMES[0] else {}
        return f"?{urlencode({**own, **theme, **more})}"


@require_safe
def screen(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Show the whole page."""
    screened = screened_tournament(seen_tournament(request, club_slug, slug))
    parameters = _parameters(request)
    context = _context(request, screened, parameters)
    answer = render(request, "pages/screen.html", {**context, **_without_scripts(parameters, context["programme"])})
    answer.headers["Cache-Control"] = PRIVATE
    return answer


@require_safe
def screen_part(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Return the programme with all of its pages; 304 if unchanged."""
    screened = screened_tournament(seen_tournament(request, club_slug, slug))
    parameters = _parameters(request)

    def make() -> HttpResponse:
        return render(request, "pages/screen_part.html", _context(request, screened, parameters))

    return unless_unchanged(request, _tag(request, screened, parameters), make, is_shared=False)


@require_safe
def screen_code(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Return the address of the board as a QR code."""
    tournament = seen_tournament(request, club_slug, slug)
    address = _board_address(request, tournament)

    def make() -> HttpResponse:
        drawn = BytesIO()
        code = segno.make(address, error="m", micro=False)
        code.save(drawn, kind="svg", border=QUIET_ZONE, omitsize=True, light="#fff", xmldecl=False)
        return HttpResponse(drawn.getvalue(), content_type=SVG)

    return unless_unchanged(request, page_tag("code", address), make, is_shared=is_public(tournament))


def _parameters(request: HttpRequest) -> ScreenParameters:
    """Parse the parameters; invalid ones are ignored."""
    theme = request.GET.get("theme", "")
    lines, across = _number(request, "rows") or USUAL.lines, _number(request, "across") or USUAL.across
    return ScreenParameters(
        own=screens_named(request.GET.get("screens", "").split(",")),
        fit=fitting(lines, across),
        theme=theme if theme in THEMES else THEMES[0],
        at=_number(request, "screen") or 0,
        shown=request.GET.get("from", "")[:MOST_OF_A_KEY],
        is_held="hold" in request.GET,
    )


def _number(request: HttpRequest, name: str) -> int | None:
    digits = request.GET.get(name, "")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS else None


def _tag(request: HttpRequest, screened: ScreenedTournament, parameters: ScreenParameters) -> str:
    marks = (
        screened.steering,
        parameters.own,
        parameters.fit,
        parameters.shown,
        _board_address(request, screened.tournament),
    )
    return tournament_tag(screened.tournament, "screen", *marks, *screened.unseated.values())


def _context(request: HttpRequest, screened: ScreenedTournament, parameters: ScreenParameters) -> dict[str, Any]:
    """Return the context of the part and of the page around it."""
    tournament, moment_now = screened.tournament, now()
    zone = zone_of(tournament.club.timezone)
    room = Room(board=board(tournament), screened=screened)
    fit = fitting(screened.steering.lines or parameters.fit.lines, parameters.fit.across)
    turns = programme(screened.steering, room.phase, room.filled, parameters.own)
    page_programme = pages_of(room, turns, fit, shown=parameters.shown, at=parameters.at)
    return {
        "tournament": tournament,
        "club": tournament.club,
        "title": tournament.name,
        "is_public": is_public(tournament),
        "tag": _tag(request, screened, parameters),
        "release": release_stamp(),
        "pages": page_programme.pages,
        "programme": page_programme,
        "phase": room.phase,
        "steering": screened.steering,
        "board": room.board,
        "state": screened.state,
        "stage": room.stage,
        "clock": clock_face(shown_clock(screened.state, int(moment_now.timestamp())), zone),
        "server_now": int(moment_now.timestamp() * 1000),
        "as_of": moment(moment_now, zone),
        "zone": str(zone),
        "parameters": parameters,
        "address": _board_address(request, tournament),
        "starts": moment(tournament.starts_at, zone),
        "game": game_text(tournament, screened.state.plan),
        "stakes": stakes_line(tournament),
        "entered": len(screened.state.field()),
    }


def _without_scripts(parameters: ScreenParameters, found: Programme) -> Mapping[str, Any]:
    """Return the first page to show, and the next one for a browser without JavaScript."""
    at = found.shown.place
    return {
        "current": found.shown.key,
        "stays": found.shown.seconds,
        "next_url": parameters.query(screen=(at + 1) % found.total),
        "before_url": parameters.query(screen=(at - 1) % found.total, hold=1),
        "after_url": parameters.query(screen=(at + 1) % found.total, hold=1),
        "hold_url": parameters.query(screen=at, hold=1),
        "go_on_url": parameters.query(screen=at),
    }


def _board_address(request: HttpRequest, tournament: Tournament) -> str:
    address = reverse("pages:tournament", args=[tournament.club.slug, tournament.slug])
    return request.build_absolute_uri(without_language(address))
