"""Steering the projectors from the night board: which screens, for how long, which one now, and a line of text.

Rules: docs/evening.md, "The projector". Each button calls one command, and every projector follows within seconds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from scoring.problems import OptionsRejected, Problem
from tournaments.boards.boards import board
from tournaments.boards.screens import Room, screen_night
from tournaments.evenings.commands.screens import hold_screen, skip_screen, steer
from tournaments.evenings.screens import (
    LONGEST,
    SECONDS,
    SHORTEST,
    Phase,
    Steering,
    programme,
    screens_named,
    steering_of,
)
from tournaments.log.context import Order, tournament_turn
from tournaments.models import Screen, ScreenProgramme, Tournament
from tournaments.models.evenings import MOST_MESSAGE
from tournaments.rendering.i18n.translating import told
from tournaments.web.admin.base.request import evening_page, order_of, page_url
from tournaments.web.admin.base.typed_events import read_number
from tournaments.web.admin.editing.clashes import ClashShown, clashes_shown, saved_said
from tournaments.web.admin.editing.held_fields import held_by, token_of

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
            return _saved(request, tournament, order)
    return HttpResponseRedirect(page_url("screens", tournament))


def _saved(request: HttpRequest, tournament: Tournament, order: Order) -> HttpResponse:
    """Store what was changed of the programme, whatever else was changed since the page was opened."""
    with tournament_turn(tournament.pk):
        stands = _texts(steering_of(ScreenProgramme.objects.filter(tournament=tournament).first()))
        merge = held_by(request.POST, _subject(tournament)).merge(stands, _sent_texts(request))
        if merge.clashes:
            return _page(request, tournament, clashes=clashes_shown(merge, _title_of))
        wanted, problems = _read(merge.texts)
        try:
            if problems:
                return _page(request, tournament, problems)
            if merge.changed:
                steer(tournament, wanted, order=order)
        except OptionsRejected as refused:
            return _page(request, tournament, refused.problems)
    messages.success(request, saved_said(gettext("Screens"), map(_title_of, merge.changed)))
    return HttpResponseRedirect(page_url("screens", tournament))


def _texts(steering: Steering) -> dict[str, str]:
    """Every field of the form as text; seconds that nobody chose are the usual ones."""
    return {
        "by": "state" if steering.is_automatic else "hand",
        **{f"chosen-{screen}": "on" if screen in steering.chosen else "" for screen in Screen},
        **{f"seconds-{screen}": str(steering.seconds_of(screen)) for screen in Screen},
        "message": steering.message,
        "lines": str(steering.lines),
    }


def _sent_texts(request: HttpRequest) -> dict[str, str]:
    chosen = request.POST.getlist("chosen")
    seconds = {screen: request.POST.get(f"seconds-{screen}", "").strip() for screen in Screen}
    lines = request.POST.get("lines", "")
    return {
        "by": "hand" if request.POST.get("by") == "hand" else "state",
        **{f"chosen-{screen}": "on" if screen in chosen else "" for screen in Screen},
        **{f"seconds-{screen}": typed or str(SECONDS[screen]) for screen, typed in seconds.items()},
        "message": " ".join(request.POST.get("message", "").split()),
        "lines": lines if lines in map(str, PORTIONS) else "0",
    }


def _read(texts: Mapping[str, str]) -> tuple[Steering, list[Problem]]:
    """What the fields say."""
    problems: list[Problem] = []
    seconds = {}
    for screen in Screen:
        number, unread = read_number(texts[f"seconds-{screen}"], f"seconds-{screen}", str(TITLES[screen]))
        problems += unread
        if number != SECONDS[screen]:
            seconds[screen] = number
    return (
        Steering(
            is_automatic=texts["by"] != "hand",
            chosen=screens_named([screen for screen in Screen if texts[f"chosen-{screen}"]]),
            seconds=seconds,
            message=texts["message"],
            lines=int(texts["lines"]),
        ),
        problems,
    )


def _title_of(name: str) -> str:
    """What the page calls a field."""
    kind, _, screen = name.partition("-")
    if kind == "seconds":
        return gettext("Seconds for {screen}").format(screen=TITLES[Screen(screen)])
    titles = {"by": gettext("Who decides"), "message": gettext("Message"), "lines": gettext("Lines on a page")}
    return titles[kind] if kind in titles else str(TITLES[Screen(screen)])


def _subject(tournament: Tournament) -> str:
    return f"screens:{tournament.pk}"


def _page(
    request: HttpRequest,
    tournament: Tournament,
    problems: Sequence[Problem] = (),
    *,
    clashes: Sequence[ClashShown] = (),
) -> HttpResponse:
    night = screen_night(tournament)
    room = Room(board=board(tournament), night=night)
    stands = night.steering
    turns = programme(stands, room.phase, room.filled)
    is_typed = bool(problems or clashes)
    shown = _read(_sent_texts(request))[0] if is_typed else stands
    url = reverse("pages:screen", args=[tournament.club.slug, tournament.slug])
    context: dict[str, Any] = {
        "title": gettext("Screens: {tournament}").format(tournament=tournament.name),
        "problems": problems,
        "clashes": clashes,
        "seen": request.POST.get("seen", "") if is_typed else token_of(_texts(stands), _subject(tournament)),
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
    status = 409 if clashes else 422 if problems else 200
    return evening_page(request, tournament, "screens", context, status=status)


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
