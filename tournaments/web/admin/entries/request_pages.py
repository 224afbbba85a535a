"""People who want to come: the settings under which they enter by themselves, and the desk's list of their requests.

Rules: docs/how-to/evening.md, "Players enter by themselves". Each button calls one command.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext

from scoring.problems import shown
from tournaments.entries.commands.self_entry import (
    SelfEntrySettings,
    accept_request,
    change_self_entry,
    refuse_request,
    refuse_unconfirmed,
)
from tournaments.entries.self_entry import (
    MOST_ON_A_PAGE,
    State,
    is_in,
    places_of,
    state_of,
    waiting_requests,
    waiting_rows,
    why_closed,
)
from tournaments.log.context import tournament_lock
from tournaments.models import EntrantsShown, EntryRequest, Tournament
from tournaments.models.play import MOST_PLACES, MOST_REASON
from tournaments.people.permissions import Permission, may
from tournaments.rendering.i18n.formatting import local_time, zone_of
from tournaments.rendering.i18n.translating import translate
from tournaments.web.admin.base.command_fields import IDENTITY, NumberField, ReasonField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, data_of, pressed
from tournaments.web.admin.base.edit_forms import EditRules, token_field
from tournaments.web.admin.base.pages import Page, Tab, purpose
from tournaments.web.admin.base.request import command_context, go_on, page_of, page_url, tournament_page
from tournaments.web.admin.base.scoping import actor_in, club_moment

LOCAL_TIME = "%Y-%m-%dT%H:%M"


class SelfEntryForm(EditRules, CommandForm):
    """How players enter by themselves."""

    called = {"shows_entrants": "shows"}

    seen = token_field()
    takes_entries = forms.BooleanField(label=gettext_lazy("Players may enter themselves"), required=False)
    until = forms.CharField(
        label=gettext_lazy("Until (club time)"),
        required=False,
        help_text=gettext_lazy("Empty: until the start"),
        widget=forms.TextInput(attrs={"type": "datetime-local"}),
    )
    places = NumberField(
        label=gettext_lazy("Places"),
        min_value=1,
        max_value=MOST_PLACES,
        required=False,
        help_text=gettext_lazy("Further players go to the standby list. Empty: no limit"),
    )
    shows = forms.ChoiceField(label=gettext_lazy("Show who comes"), choices=EntrantsShown.choices, required=False)
    asks_email = forms.BooleanField(label=gettext_lazy("Ask for e-mail (optional)"), required=False)
    asks_phone = forms.BooleanField(label=gettext_lazy("Ask for phone (optional)"), required=False)

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        self.tournament = tournament
        until = tournament.entries_until
        zone = zone_of(tournament.club.timezone)
        initial = {
            "takes_entries": tournament.takes_entries,
            "until": "" if until is None else until.astimezone(zone).strftime(LOCAL_TIME),
            "places": tournament.places,
            "shows": tournament.shows_entrants,
            "asks_email": tournament.asks_email,
            "asks_phone": tournament.asks_phone,
        }
        super().__init__(*args, initial=initial, **kwargs)

    @property
    def subject(self) -> str:
        """Identifies the tournament's settings."""
        return f"self_entry:{self.tournament.pk}"

    def clean_until(self) -> datetime | None:
        """The typed time on the club's clock; in the hour that it shows twice, the first."""
        text = self.cleaned_data["until"]
        if not text:
            return None
        if "until" not in self.changed_data:
            return self.tournament.entries_until
        try:
            typed = datetime.strptime(text, LOCAL_TIME).replace(tzinfo=zone_of(self.tournament.club.timezone))
            return local_time(typed).readings[0]
        except (ValueError, OverflowError):
            detail = gettext("{text} is not a date and time such as 2026-03-14T19:30").format(text=shown(text))
            raise ValidationError(detail, code="not_a_moment") from None

    def settings(self) -> SelfEntrySettings:
        """The settings as typed."""
        values = self.cleaned_data
        return SelfEntrySettings(
            takes_entries=values["takes_entries"],
            until=values["until"],
            places=values["places"],
            shows=values["shows"] or self.tournament.shows_entrants,
            asks_email=values["asks_email"],
            asks_phone=values["asks_phone"],
        )


@purpose(gettext_noop("Let players enter by themselves, and choose what they see."))
def self_entry(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The settings in one form, as they were changed on this page."""
    if request.method != "POST":
        return _settings_page(request, tournament, SelfEntryForm(tournament=tournament))
    with tournament_lock(tournament.pk) as row:
        form = SelfEntryForm(request.POST, tournament=row)
        if form.is_valid() and form.changed_data:
            form.attempt(lambda: change_self_entry(row.pk, form.settings()))
    if form.errors:
        return _settings_page(request, tournament, form)
    return go_on(request, page_url("self_entry", tournament), form.saved_text(gettext("Self-entry")))


def _settings_page(request: HttpRequest, tournament: Tournament, form: SelfEntryForm) -> HttpResponse:
    clashes = form.shown_clashes()
    closed = why_closed(tournament, state_of(tournament), now=now())
    context = {
        "form": form,
        "clashes": clashes,
        "closed": [translate(reason) for reason in closed],
        "url": request.build_absolute_uri(reverse("pages:enter", args=[tournament.club.slug, tournament.slug])),
        "title": gettext("Self-entry: {name}").format(name=tournament.name),
    }
    return tournament_page(request, tournament, "self_entry", context, stale=clashes)


class RequestForm(CommandForm):
    """A decision about one request."""

    request = WordField()
    # The digest of the players that the page offered.
    players = WordField()
    reason = ReasonField(max_length=MOST_REASON, attrs={"required": False})

    def row(self, tournament: Tournament) -> EntryRequest:
        """The request. Raises Http404 for one of another tournament."""
        key = self.read["request"]
        row = EntryRequest.objects.filter(tournament=tournament, pk=key).first() if IDENTITY.fullmatch(key) else None
        if row is None:
            raise Http404
        return row


class RefuseAllForm(CommandForm):
    """The confirmation without which requests are not refused together."""

    sure = forms.BooleanField(
        label=gettext_lazy("I am sure: this cannot be undone"),
        error_messages={"required": gettext_lazy("Tick the box first.")},
    )


@purpose(gettext_noop("Choose who sent each request: a known player, or a new one."))
def requests(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The requests that wait, each with the players of the club who may have sent it."""
    if request.method != "POST":
        return _requests_page(request, tournament)
    do, _, player = pressed(request.POST).partition(" ")
    form = RequestForm(data_of(request))
    here = page_url("requests", tournament)
    if do == "refuse_unconfirmed":
        all_form = RefuseAllForm(request.POST)
        if not all_form.is_valid():
            return _requests_page(request, tournament, all_form)
        number = refuse_unconfirmed(tournament.pk, context=command_context(request, None))
        text = ngettext("{number} request refused.", "{number} requests refused.", number)
        return go_on(request, here, text.format(number=number))
    if do not in ("enter", "enter_as", "refuse") or (do == "enter_as" and not IDENTITY.fullmatch(player)):
        raise Http404
    row, context = form.row(tournament), command_context(request, None)
    if do == "refuse":
        done = form.attempt(lambda: refuse_request(row.pk, reason=form.read.get("reason", ""), context=context))
    else:
        chosen = UUID(player) if do == "enter_as" else None
        seen = form.read["players"]
        # Who may not show a code may not choose the address that it goes to.
        directs = may(actor_in(request), Permission.DIRECT, tournament.club_id)
        done = form.attempt(
            lambda: accept_request(row.pk, player=chosen, seen=seen, keeps_contact=directs, context=context)
        )
    if done is None:
        return _requests_page(request, tournament, form)
    return go_on(request, here, _done_text(tournament, done))


def _done_text(tournament: Tournament, row: EntryRequest) -> str:
    if row.state == State.REFUSED:
        return gettext("{name} is refused.").format(name=row.name)
    name = row.player.name if row.player is not None else row.name
    entrant = state_of(tournament).entrants.get(str(row.player_id))
    if entrant is not None and not entrant.plays:
        return gettext("All places are taken: {name} is on the standby list.").format(name=name)
    return gettext("{said} is entered.").format(said=name)


def _requests_page(request: HttpRequest, tournament: Tournament, form: CommandForm | None = None) -> HttpResponse:
    listed = page_of(request, "page", waiting_rows(tournament), MOST_ON_A_PAGE)
    state = state_of(tournament)
    sent = form.read.get("request", "") if form is not None else ""
    context = {
        "form": form,
        "listed": listed,
        "rows": [
            {
                "waiting": waiting,
                "entered": [player for player, _ in waiting.players if is_in(state, str(player))],
                "made": club_moment(waiting.row.made_at, tournament.club),
                "reason": form["reason"] if form is not None and sent == str(waiting.row.pk) else None,
            }
            for waiting in waiting_requests(tournament, list(listed.object_list))
        ],
        "states": State,
        "refuse_all": form if isinstance(form, RefuseAllForm) else RefuseAllForm(),
        "unconfirmed": EntryRequest.objects.filter(tournament=tournament, state=State.UNCONFIRMED).count(),
        "places": places_of(tournament, state),
        "may_change": may(actor_in(request), Permission.DIRECT, tournament.club_id),
        "title": gettext("Want to come: {name}").format(name=tournament.name),
    }
    return tournament_page(request, tournament, "requests", context)


def takes_entries(tournament: Tournament) -> bool:
    """Whether people enter this tournament by themselves."""
    return tournament.takes_entries


def is_open(tournament: Tournament) -> bool:
    """Whether a tournament is not closed."""
    return tournament.closed_at is None


LIST = Page(
    "requests/", "requests", requests, Permission.CHECK_IN, Tab.PLAYERS, gettext_noop("Want to come"), takes_entries
)
SETTINGS = Page(
    "self-entry/", "self_entry", self_entry, Permission.DIRECT, Tab.SETUP, gettext_noop("Self-entry"), is_open
)
