"""Controlling the projectors: which screens are shown, for how long, which one now, and a line of text.

Rules: docs/how-to/evening.md, "The projector". Each button calls one command, and every projector follows within
seconds.
"""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from tournaments.boards import board
from tournaments.boards.screens import Room, screened_tournament
from tournaments.log.context import tournament_lock
from tournaments.models import Screen, ScreenProgramme, Tournament
from tournaments.models.play import MOST_MESSAGE
from tournaments.running.commands.screens import hold_screen, skip_screen, steer
from tournaments.running.screens import (
    LONGEST,
    SECONDS,
    SHORTEST,
    Phase,
    Steering,
    programme,
    screens_named,
    steering_of,
)
from tournaments.web.admin.base.command_fields import NumberField, TextField, TickOf
from tournaments.web.admin.base.command_forms import CommandForm, pressed, sent_form
from tournaments.web.admin.base.edit_forms import EditRules, token_field
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import go_on, page_url, tournament_page

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
    Phase.OVER: gettext_lazy("tournament finished"),
    Phase.GIVEN_UP: gettext_lazy("tournament abandoned"),
}
PORTIONS = (8, 10, 12, 14, 16, 20)


class HoldForm(CommandForm):
    """Show one screen on every projector."""

    screen = forms.ChoiceField(choices=Screen.choices)


class SecondsField(NumberField):
    """How many seconds a page of a screen is shown; empty means the usual number."""

    def __init__(self, screen: Screen) -> None:
        label = gettext("Seconds for {screen}").format(screen=TITLES[screen])
        super().__init__(
            min_value=SHORTEST, max_value=LONGEST, label=label, attrs={"size": 4, "aria-label": label}, required=False
        )
        self.usual = SECONDS[screen]

    def to_python(self, value: Any) -> int | None:
        return super().to_python(value) or self.usual


class ProgrammeForm(EditRules, CommandForm):
    """The chosen programme: a checkbox and the seconds for each screen."""

    seen = token_field()
    by = forms.ChoiceField(
        label=gettext_lazy("Who decides"),
        choices=[
            ("state", gettext_lazy("Automatic, following the tournament")),
            ("hand", gettext_lazy("Those that are ticked")),
        ],
        widget=forms.RadioSelect,
        required=False,
    )
    message = TextField(
        label=gettext_lazy("Message, at the foot of every screen"),
        max_length=MOST_MESSAGE,
        attrs={"placeholder": gettext_lazy("Round 3 starts at 21:15")},
        required=False,
    )
    lines = forms.TypedChoiceField(
        label=gettext_lazy("Lines on a page"),
        coerce=int,
        empty_value="0",
        required=False,
        choices=[(0, gettext_lazy("as many as fit")), *((number, number) for number in PORTIONS)],
    )

    def __init__(self, *args: Any, tournament: Tournament, steering: Steering, **kwargs: Any) -> None:
        self.tournament = tournament
        super().__init__(*args, initial=_shown(steering), **kwargs)
        for screen in Screen:
            tick = TickOf("chosen", screen)
            self.fields[f"chosen-{screen}"] = forms.BooleanField(label=TITLES[screen], widget=tick, required=False)
            self.fields[f"seconds-{screen}"] = SecondsField(screen)

    @property
    def subject(self) -> str:
        """Identifies the tournament's programme."""
        return f"screens:{self.tournament.pk}"

    def _is_omitted(self, name: str) -> bool:
        """The programme is always sent whole: a missing field means its default."""
        return False

    def steering(self) -> Steering:
        """The chosen settings."""
        chosen = self.cleaned_data
        seconds = {screen: chosen[f"seconds-{screen}"] for screen in Screen}
        return Steering(
            is_automatic=chosen["by"] != "hand",
            chosen=screens_named([screen for screen in Screen if chosen[f"chosen-{screen}"]]),
            seconds={screen: number for screen, number in seconds.items() if number != SECONDS[screen]},
            message=chosen["message"],
            lines=int(chosen["lines"]),
        )


FORMS: dict[str, type[CommandForm]] = {
    "hold": HoldForm,
    "let_go": CommandForm,
    "skip": CommandForm,
}


@purpose(gettext_noop("Choose what the projector shows."))
def screens(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The programme with its buttons."""
    if request.method != "POST":
        return _page(request, tournament)
    do = pressed(request.POST)
    if do == "save":
        return _saved(request, tournament)
    if do in FORMS and (form := sent_form(request, FORMS)) and form.is_valid():
        _steer(request, tournament, do, form)
    return HttpResponseRedirect(page_url("screens", tournament))


def _steer(request: HttpRequest, tournament: Tournament, do: str, form: CommandForm) -> None:
    command = form.command_context(request)
    match do:
        case "hold":
            screen = Screen(form.cleaned_data["screen"])
            hold_screen(tournament, screen, context=command)
            messages.success(request, gettext("On every projector: {screen}.").format(screen=TITLES[screen]))
        case "let_go":
            hold_screen(tournament, None, context=command)
            messages.success(request, gettext("The projectors change screens automatically."))
        case _:
            skip_screen(tournament, context=command)
            messages.success(request, gettext("The projectors move to the next screen."))


def _saved(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Store the fields changed on the page, keeping other changes since it was opened."""
    with tournament_lock(tournament.pk):
        stands = steering_of(ScreenProgramme.objects.filter(tournament=tournament).first())
        form = ProgrammeForm(request.POST, tournament=tournament, steering=stands)
        if form.is_valid() and form.changed_data:
            form.attempt(lambda: steer(tournament, form.steering(), context=form.command_context(request)))
        if form.errors:
            return _page(request, tournament, form)
    return go_on(request, page_url("screens", tournament), form.saved_text(gettext("Projector")))


def _shown(steering: Steering) -> dict[str, Any]:
    """A programme as its form shows it, with the usual seconds where none were chosen."""
    return {
        "by": "state" if steering.is_automatic else "hand",
        **{f"chosen-{screen}": screen in steering.chosen for screen in Screen},
        **{f"seconds-{screen}": steering.seconds_of(screen) for screen in Screen},
        "message": steering.message,
        "lines": steering.lines,
    }


def _page(request: HttpRequest, tournament: Tournament, sent: ProgrammeForm | None = None) -> HttpResponse:
    screened = screened_tournament(tournament)
    room = Room(board=board(tournament), screened=screened)
    stands = screened.steering
    turns = programme(stands, room.phase, room.filled)
    form = sent or ProgrammeForm(tournament=tournament, steering=stands)
    clashes = form.shown_clashes()
    url = reverse("pages:screen", args=[tournament.club.slug, tournament.slug])
    context: dict[str, Any] = {
        "title": gettext("Projector: {tournament}").format(tournament=tournament.name),
        "form": form,
        "clashes": clashes,
        "rows": [_row(screen, form, room, [turn.screen for turn in turns]) for screen in Screen],
        "turns": [(TITLES[turn.screen], turn.seconds) for turn in turns],
        "held": TITLES[stands.pinned] if stands.pinned else "",
        "phase": PHASES[room.phase],
        "shortest": SHORTEST,
        "longest": LONGEST,
        "screen_url": url,
        "example": request.build_absolute_uri(f"{url}?screens=seating,clock"),
    }
    return tournament_page(request, tournament, "screens", context, stale=clashes)


def _row(screen: Screen, form: ProgrammeForm, room: Room, on: Sequence[Screen]) -> dict[str, Any]:
    """One screen in the form. `is_on`: it is in the programme that runs now."""
    return {
        "name": screen,
        "title": TITLES[screen],
        "chosen": form[f"chosen-{screen}"],
        "seconds": form[f"seconds-{screen}"],
        "is_filled": screen in room.filled,
        "is_on": screen in on,
        "is_held": room.screened.steering.pinned == screen,
    }
