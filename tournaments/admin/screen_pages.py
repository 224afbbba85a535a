"""Steering the projectors from the night board: which screens, for how long, which one now, and a line of text.

Rules: docs/evening.md, "The projector". Each button calls one command, and every projector follows within seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from scoring.rules.problems import OptionsRejected, Problem
from tournaments.admin.evening_pages import evening_page, page_url
from tournaments.admin.typed_events import read_number
from tournaments.admin.visits import order_of
from tournaments.commands.steering import hold_screen, skip_screen, steer
from tournaments.models import Screen, Tournament
from tournaments.models.screens import MOST_MESSAGE
from tournaments.queries import board
from tournaments.queries.screens import Room, screen_night
from tournaments.saying.interpreting import told
from tournaments.screens import LONGEST, SECONDS, SHORTEST, Phase, Steering, programme, screens_named

TITLES = {
    Screen.SEATING: gettext_lazy("Seating A to Z"),
    Screen.STANDINGS: gettext_lazy("Standings"),
    Screen.TABLES: gettext_lazy("Tables"),
    Screen.CLOCK: gettext_lazy("Clock"),
    Screen.WINNERS: gettext_lazy("Winners"),
    Screen.ADDRESS: gettext_lazy("Address and QR code"),
    Screen.MESSAGE: gettext_lazy("Message, large"),
}
PHASES = {
    Phase.BEFORE: gettext_lazy("nobody is seated yet"),
    Phase.SEATED: gettext_lazy("seated, not begun"),
    Phase.PLAYING: gettext_lazy("tables play"),
    Phase.NEXT_ROUND: gettext_lazy("the next round is seated"),
    Phase.PAUSE: gettext_lazy("between two rounds"),
    Phase.OVER: gettext_lazy("it is over"),
    Phase.GIVEN_UP: gettext_lazy("it was given up"),
}
PORTIONS = (0, 8, 10, 12, 14, 16, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenRow:
    """One screen in the form. `is_on`: it is in the programme that runs now."""

    name: str
    title: str
    seconds: str
    is_chosen: bool
    is_filled: bool
    is_on: bool
    is_held: bool


def screens(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The programme with its buttons."""
    if request.method != "POST":
        return _page(request, tournament)
    order = order_of(request)
    match request.POST.get("do"):
        case "hold" if request.POST.get("screen") in Screen.values:
            screen = Screen(request.POST["screen"])
            hold_screen(tournament, screen, order=order)
            messages.success(request, gettext("On every projector: {screen}.").format(screen=TITLES[screen]))
        case "let_go":
            hold_screen(tournament, None, order=order)
            messages.success(request, gettext("The projectors go through their programme."))
        case "skip":
            skip_screen(tournament, order=order)
            messages.success(request, gettext("The projectors go on to the next screen."))
        case "save":
            wanted, problems = _typed(request)
            try:
                if problems:
                    return _page(request, tournament, problems)
                steer(tournament, wanted, order=order)
            except OptionsRejected as refused:
                return _page(request, tournament, refused.problems)
            messages.success(request, gettext("The projectors follow."))
    return HttpResponseRedirect(page_url("screens", tournament))


def _typed(request: HttpRequest) -> tuple[Steering, list[Problem]]:
    """What the form says; seconds that were left empty are the usual ones."""
    problems: list[Problem] = []
    seconds = {}
    for screen in Screen:
        typed = request.POST.get(f"seconds-{screen}", "").strip()
        number, unread = (
            read_number(typed, f"seconds-{screen}", str(TITLES[screen])) if typed else (SECONDS[screen], [])
        )
        problems += unread
        if number != SECONDS[screen]:
            seconds[screen] = number
    lines = request.POST.get("lines", "")
    return (
        Steering(
            is_automatic=request.POST.get("by") != "hand",
            chosen=screens_named(request.POST.getlist("chosen")),
            seconds=seconds,
            message=" ".join(request.POST.get("message", "").split()),
            lines=int(lines) if lines in map(str, PORTIONS) else 0,
        ),
        problems,
    )


def _page(request: HttpRequest, tournament: Tournament, problems: Sequence[Problem] = ()) -> HttpResponse:
    night = screen_night(tournament)
    room = Room(board=board(tournament), night=night)
    stands = night.steering
    turns = programme(stands, room.phase, room.filled)
    shown = _typed(request)[0] if problems else stands
    url = reverse("pages:screen", args=[tournament.club.slug, tournament.slug])
    context: dict[str, Any] = {
        "title": gettext("Screens: {tournament}").format(tournament=tournament.name),
        "problems": problems,
        "wrong": {problem.field: told(problem.detail) for problem in problems},
        "rows": [_row(screen, shown, room, [turn.screen for turn in turns], request) for screen in Screen],
        "turns": [(TITLES[turn.screen], turn.seconds) for turn in turns],
        "held": TITLES[stands.pinned] if stands.pinned else "",
        "phase": PHASES[room.phase],
        "steering": shown,
        "portions": PORTIONS,
        "shortest": SHORTEST,
        "longest": LONGEST,
        "most_message": MOST_MESSAGE,
        "screen_url": url,
        "example": request.build_absolute_uri(f"{url}?screens=seating,clock"),
    }
    return evening_page(request, tournament, "screens", context, status=422 if problems else 200)


def _row(screen: Screen, shown: Steering, room: Room, on: Sequence[Screen], request: HttpRequest) -> ScreenRow:
    typed = request.POST.get(f"seconds-{screen}")
    return ScreenRow(
        name=screen,
        title=str(TITLES[screen]),
        seconds=typed if typed is not None else str(shown.seconds_of(screen)),
        is_chosen=screen in shown.chosen,
        is_filled=screen in room.filled,
        is_on=screen in on,
        is_held=room.night.steering.pinned == screen,
    )
