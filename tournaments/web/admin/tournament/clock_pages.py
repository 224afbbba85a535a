"""The clock of a round: start, pause, the last-deal call, and extra time with its reason.

Rules: docs/how-to/evening.md, "The clock and the room page". Only the server's time counts: times come from the command
context, never from a device. A second tap is answered "Already done".
"""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from scoring.events import wire
from scoring.events.wire import Event
from scoring.tournament import TournamentState
from tournaments.models import Tournament
from tournaments.models.public_names import Names
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.running.commands.record import record_in_tournament
from tournaments.running.queries.dashboard import RunningTournament, running_tournament
from tournaments.running.queries.today import clock_face
from tournaments.web.admin.base.command_fields import MinutesField, ReasonField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, forms_shown, pressed, sent_form
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import changing_part, go_on, page_url, tournament_page
from tournaments.web.admin.tournament.dashboard_pages import dashboard_tag, room_url

DONE_TEXTS = {
    "start": gettext_noop("The clock is running."),
    "pause": gettext_noop("Clock paused."),
    "last_deal": gettext_noop("Last deal called."),
    "call_off": gettext_noop("Last-deal call undone: the round continues."),
    "more": gettext_noop("Time added."),
}


class ClockForm(CommandForm):
    """One button of the round's clock."""

    called = {"seconds": "minutes"}

    back = WordField()

    def __init__(self, *args: Any, state: TournamentState, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.state = state

    def clean(self) -> None:
        """Refuse everything before a round is seated."""
        if self.state.last_round is None:
            raise ValidationError(gettext("no round is seated: there is nothing to time"), code="wrong_round")

    @property
    def number(self) -> int:
        """The current round."""
        return self.state.last_round.round if self.state.last_round else 0

    def event(self, at: int) -> Event:
        """The event to store."""
        raise NotImplementedError


class StartForm(ClockForm):
    """Start or resume the clock. Minutes are asked for at the first start only."""

    minutes = MinutesField(required=False, attrs={"size": 4, "required": True})

    def __init__(self, *args: Any, state: TournamentState, **kwargs: Any) -> None:
        stage = state.current
        super().__init__(*args, state=state, initial={"minutes": stage.minutes if stage else None}, **kwargs)

    def event(self, at: int) -> Event:
        minutes = self.cleaned_data["minutes"]
        return wire.ClockStarted(round=self.number, at=at, seconds=60 * minutes if minutes else None)


class PauseForm(ClockForm):
    """Pause the clock."""

    def event(self, at: int) -> Event:
        return wire.ClockPaused(round=self.number, at=at)


class LastDealForm(ClockForm):
    "Last deal called."

    def event(self, at: int) -> Event:
        return wire.LastDealCalled(round=self.number, at=at)


class CallOffForm(ClockForm):
    """Undo the last-deal call."""

    reason = ReasonField()

    def event(self, at: int) -> Event:
        return wire.LastCallUndone(round=self.number, reason=self.cleaned_data["reason"] or "Called by mistake")


class MoreTimeForm(ClockForm):
    """Add time for one table, or for the whole round where none is chosen."""

    table = forms.TypedChoiceField(coerce=int, empty_value=None, required=False, label=gettext_lazy("For"))
    minutes = MinutesField(initial=5, attrs={"id": "id_more"})
    reason = ReasonField(required=True, attrs={"placeholder": gettext_lazy("A dispute had to be resolved")})

    def __init__(self, *args: Any, state: TournamentState, **kwargs: Any) -> None:
        super().__init__(*args, state=state, **kwargs)
        tables = [table.number for table in state.last_round.running] if state.last_round else []
        titles = [(number, gettext("table %(number)s") % {"number": number}) for number in tables]
        self.offer("table", [("", gettext("the whole round")), *titles])

    def event(self, at: int) -> Event:
        cleaned = self.cleaned_data
        return wire.TimeAdded(
            round=self.number, seconds=60 * cleaned["minutes"], table=cleaned["table"], reason=cleaned["reason"]
        )


FORMS: dict[str, type[ClockForm]] = {
    "start": StartForm,
    "pause": PauseForm,
    "last_deal": LastDealForm,
    "call_off": CallOffForm,
    "more": MoreTimeForm,
}


@purpose(gettext_noop("Start, pause and extend the time of a round."))
def clock(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The clock with its buttons; each stores one event."""
    running = running_tournament(tournament, now=now(), names=Names.REAL)
    form = sent_form(request, FORMS, state=running.state)
    if form is None or not form.is_valid():
        return _page(request, running, form)
    # Its moment is not what was sent: a second press a second later is the same request.
    command = form.whole_context(request)
    event = form.event(int(command.now.timestamp()))
    recorded = form.attempt(lambda: record_in_tournament(tournament.pk, event, context=command))
    if recorded is None:
        return _page(request, running, form)
    url = page_url("night" if form.cleaned_data["back"] == "night" else "clock", tournament)
    if not recorded.is_replay:
        return go_on(request, url, gettext(DONE_TEXTS[pressed(request.POST)]))
    messages.info(request, gettext("Already done."))
    return HttpResponseRedirect(url)


def clock_part(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The part that changes; 304 where nothing has."""
    running = running_tournament(tournament, now=now(), names=Names.REAL)
    tag = dashboard_tag(request, running)
    return changing_part(request, "clock_part", tag, lambda: _context(request, running))


def _page(request: HttpRequest, running: RunningTournament, sent: ClockForm | None = None) -> TemplateResponse:
    context = {
        "title": gettext("Clock: {name}").format(name=running.tournament.name),
        "form": sent,
        **_context(request, running, sent),
    }
    return tournament_page(request, running.tournament, "clock", context)


def _context(request: HttpRequest, running: RunningTournament, sent: ClockForm | None = None) -> dict[str, Any]:
    tournament, state = running.tournament, running.state
    stage = state.current
    return {
        "tournament": tournament,
        "running": running,
        "round": state.last_round,
        "stage": stage,
        "forms": forms_shown(FORMS, sent, state=state),
        "clock": clock_face(running.clock, zone_of(tournament.club.timezone)),
        "clock_url": page_url("clock", tournament),
        "room_url": room_url(tournament),
        "tag": dashboard_tag(request, running),
        "server_now": int(now().timestamp() * 1000),
        "summary": gettext("The clock has changed."),
    }
