"""The form with which people enter by themselves, and the page that tells them what has become of it.

Rules: docs/decisions/0082-players-enter-by-themselves.md. Neither is cached. The secret of the second page is in the
URL fragment, which no browser sends and no log contains; its script posts it, as with a table's card.
"""

import math
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters

from scoring.problems import KeyReused, Problem, RuleError
from tournaments.client_addresses import client_network
from tournaments.entries.commands.self_entry import (
    Sender,
    SentRequest,
    Wish,
    confirm_request,
    may_send,
    request_entry,
    wish_problems,
    withdraw_request,
)
from tournaments.entries.confirming_mail import mail_is_configured, send_confirmation
from tournaments.entries.self_entry import State, places_of, state_of, status_of, why_closed
from tournaments.entries.tickets import (
    MOST_TICKET,
    MOST_WORK_DIGITS,
    WORK_BITS,
    TicketFault,
    challenge_of,
    is_worked_on,
    new_ticket,
    ticket_fault,
)
from tournaments.models import EntryRequest, Tournament
from tournaments.models.entry_requests import MOST_WISH
from tournaments.models.people import MOST_EMAIL, MOST_PHONE
from tournaments.people.access import token_digest
from tournaments.printing import game_text
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.rendering.i18n.translating import translate
from tournaments.web.public.base.answers import Context, is_public, seen_tournament
from tournaments.web.public.base.words import moment
from tournaments.web.public.boards.coming import fee_text

MOST_NAME = 200
MOST_SECRET = 200
FAULTS = {
    TicketFault.INVALID: gettext_lazy("This form is too old. Send it again."),
    TicketFault.TOO_OLD: gettext_lazy("This form is too old. Send it again."),
    TicketFault.TOO_FAST: gettext_lazy("That was very fast. Wait three seconds, and send it again."),
}


def _text(label: Any, *, most: int, kind: str = "text", help_text: Any = "", **attrs: str) -> forms.CharField:
    widget = forms.TextInput(attrs={"type": kind, "dir": "auto", **attrs})
    return forms.CharField(label=label, max_length=most, required=False, widget=widget, help_text=help_text)


class EnterForm(forms.Form):
    """Who wants to enter. What is missing or wrong in it is said all at once.

    `website` is for machines, which fill in every field; people do not see it.
    """

    name = _text(gettext_lazy("Your name"), most=MOST_NAME, autocomplete="name", required="required")
    email = _text(gettext_lazy("E-mail (optional)"), most=MOST_EMAIL, kind="email", autocomplete="email")
    wants_mail = forms.BooleanField(label=gettext_lazy("Tell me about tournaments by e-mail"), required=False)
    phone = _text(gettext_lazy("Phone (optional)"), most=MOST_PHONE, kind="tel", autocomplete="tel")
    note = _text(gettext_lazy("Note to the desk (optional)"), most=MOST_WISH, autocomplete="off")
    website = _text(gettext_lazy("Leave this empty"), most=MOST_WISH, autocomplete="off", tabindex="-1")
    ticket = forms.CharField(max_length=MOST_TICKET, required=False, widget=forms.HiddenInput)
    work = forms.CharField(max_length=MOST_WORK_DIGITS, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not tournament.asks_email:
            del self.fields["email"], self.fields["wants_mail"]
        if not tournament.asks_phone:
            del self.fields["phone"]

    def clean_website(self) -> str:
        if self.cleaned_data["website"]:
            raise ValidationError(gettext("Leave the field “Leave this empty” empty."), code="not_empty")
        return ""

    def clean(self) -> dict[str, Any]:
        """Add what the command would say: beside a fault of another field too."""
        self.refuse([problem for problem in wish_problems(self.wish()) if problem.field not in self.errors])
        return self.cleaned_data

    def wish(self) -> Wish:
        """What was typed."""
        values = self.cleaned_data
        return Wish(
            name=values.get("name", ""),
            email=values.get("email", ""),
            phone=values.get("phone", ""),
            wants_mail=values.get("wants_mail", False),
            note=values.get("note", ""),
        )

    def refuse(self, problems: Sequence[Problem]) -> None:
        """Add each problem to its field."""
        for problem in problems:
            field = problem.field if problem.field in self.fields else None
            self.add_error(field, ValidationError(translate(problem.message), code=problem.code))

    def renew(self) -> None:
        """Give the form another ticket, with its work still to do; what was typed stays."""
        data = QueryDict(mutable=True)
        data.update(self.data)
        data["ticket"] = data["work"] = ""
        self.data = data


class StatusForm(forms.Form):
    """The secret of a request, and the button that was pressed with it. What is too long is no secret of ours."""

    code = forms.CharField(max_length=MOST_SECRET, required=False)
    do = forms.ChoiceField(choices=[("withdraw", "withdraw")], required=False)


@never_cache
@csrf_protect
def enter(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The form, and the answer to what it sends: a page with what happens next, and a code to tell at the desk."""
    tournament = seen_tournament(request, club_slug, slug)
    if request.method != "POST":
        return _form_page(request, tournament, EnterForm(tournament=tournament))
    form, moment_now = EnterForm(request.POST, tournament=tournament), now()
    form.is_valid()
    ticket = form.cleaned_data.get("ticket", "")
    fault = ticket_fault(ticket, tournament.pk, now=moment_now)
    if fault is not None:
        form.add_error(None, ValidationError(FAULTS[fault], code=fault))
        if fault is not TicketFault.TOO_FAST:
            form.renew()
    if form.errors:
        return _form_page(request, tournament, form)
    sender = Sender(
        network=client_network(request),
        ticket=ticket,
        is_proven=is_worked_on(ticket, form.cleaned_data["work"]),
    )
    verdict = may_send(tournament.pk, sender, now=moment_now)
    if not verdict.is_admitted:
        return _too_many(request, tournament, form, math.ceil(verdict.pause.total_seconds()))
    try:
        mails = mail_is_configured()
        sent = request_entry(tournament.pk, form.wish(), sender, mails=mails, now=moment_now)
    except RuleError as refused:
        form.refuse(refused.problems)
        return _form_page(request, tournament, form)
    except KeyReused:
        form.renew()
        text = gettext("This form was already sent with other data. Send it again.")
        form.add_error(None, ValidationError(text, code="key_reused"))
        return _form_page(request, tournament, form)
    # The same form sent again finds the mail under way.
    is_mailed = _is_mailed(request, tournament, sent) if sent.mail_secret else bool(sent.row.confirm_digest)
    is_unsent = bool(sent.mail_secret) and not is_mailed
    more = {"is_new": True, "is_mailed": is_mailed, "is_unsent": is_unsent}
    return _status_page(request, tournament, sent.row, sent.secret, **more)


def _is_mailed(request: HttpRequest, tournament: Tournament, sent: SentRequest) -> bool:
    """Whether the mail could be sent: if not, its sender is told to go to the desk."""
    url = request.build_absolute_uri(_status_url(tournament))
    return send_confirmation(sent.row, tournament, url=f"{url}#{sent.mail_secret}")


def _status_url(tournament: Tournament) -> str:
    return reverse("pages:entry_status", args=[tournament.club.slug, tournament.slug])


def _too_many(request: HttpRequest, tournament: Tournament, form: EnterForm, seconds: int) -> HttpResponse:
    text = ngettext(
        "Too many requests came from this network. Try again in {number} second.",
        "Too many requests came from this network. Try again in {number} seconds.",
        seconds,
    )
    form.add_error(None, ValidationError(text.format(number=seconds), code="too_many"))
    answer = _form_page(request, tournament, form, status=429)
    answer.headers["Retry-After"] = str(seconds)
    return answer


def _form_page(
    request: HttpRequest, tournament: Tournament, form: EnterForm, *, status: int | None = None
) -> HttpResponse:
    """The form with what was typed; closed, with the reasons, where nobody can enter now."""
    moment_now, state = now(), state_of(tournament)
    closed = why_closed(tournament, state, now=moment_now)
    fee = fee_text(tournament, state)
    ticket = str(form["ticket"].value() or "") or new_ticket(tournament.pk, now=moment_now)
    context = {
        "form": form,
        "errors": [
            {"field": form[name] if name in form.fields else None, "text": text}
            for name, texts in form.errors.items()
            for text in texts
        ],
        "ticket": ticket,
        "challenge": challenge_of(ticket),
        "work_bits": WORK_BITS,
        "closed": [translate(reason) for reason in closed],
        "places": places_of(tournament, state),
        "fee": gettext("Entry fee {amount}").format(amount=fee) if tournament.entry_minor else fee,
        **_frame(tournament, gettext("Enter: {name}").format(name=tournament.name)),
    }
    return render(request, "pages/enter.html", context, status=status or (422 if form.errors else 200))


@sensitive_post_parameters("code")
@never_cache
@csrf_protect
def entry_status(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """What has become of a request, for who has its secret; and its withdrawal. A mailed secret confirms the mail."""
    tournament = seen_tournament(request, club_slug, slug)
    if request.method != "POST":
        return _ask_page(request, tournament)
    form = StatusForm(request.POST)
    form.is_valid()
    secret = "".join(form.cleaned_data.get("code", "").split())
    digest = token_digest(secret)
    rows = EntryRequest.objects.filter(tournament=tournament)
    row = rows.filter(digest=digest).first() or (rows.filter(confirm_digest=digest).first() if secret else None)
    if row is None:
        problem = gettext("This link is unknown, or it has ended. Enter again, or ask at the desk.")
        return _ask_page(request, tournament, problem)
    problems: tuple[Problem, ...] = ()
    try:
        if row.digest != digest:
            row = confirm_request(row.pk, now=now())
        if form.cleaned_data.get("do") == "withdraw":
            row = withdraw_request(row.pk, now=now())
    except RuleError as refused:
        problems = refused.problems
    return _status_page(request, tournament, row, secret, problems=problems)


def _ask_page(request: HttpRequest, tournament: Tournament, problem: str = "") -> HttpResponse:
    context = {"problem": problem, "most_code": MOST_SECRET, **_frame(tournament, gettext("Your entry"))}
    return render(request, "pages/entry_ask.html", context, status=422 if problem else 200)


def _status_page(
    request: HttpRequest, tournament: Tournament, row: EntryRequest, secret: str, **more: Any
) -> HttpResponse:
    """What has become of a request.

    `more`: the `problems` of what was asked; `is_new`, `is_mailed` and `is_unsent` after sending.
    """
    problems = [translate(problem.message) for problem in more.pop("problems", ())]
    context = {
        "status": status_of(row, state_of(tournament)),
        "states": State,
        "secret": secret,
        "problems": problems,
        "waits_for_mail": row.state == State.UNCONFIRMED and bool(row.confirm_digest),
        "status_url": request.build_absolute_uri(_status_url(tournament)),
        **_frame(tournament, gettext("Your entry")),
        **more,
    }
    return render(request, "pages/entry_status.html", context, status=422 if problems else 200)


def _frame(tournament: Tournament, title: str) -> Context:
    """What the templates of a tournament's pages need."""
    return {
        "tournament": tournament,
        "club": tournament.club,
        "game": game_text(tournament),
        "starts": moment(tournament.starts_at, zone_of(tournament.club.timezone)),
        "is_public": is_public(tournament),
        "title": title,
    }
