"""What a player's personal link opens: a page with what is public of them, and behind a code what is their own.

Rules: docs/decisions/0088-a-link-for-a-player.md. As with a table's card, the code is in the URL fragment, after `#`,
which no browser sends and no log or referrer contains; the page's script posts it, and without the script it is typed.
It is exchanged for a signed cookie that names the link, which is looked up at each request. A second cookie stands for
the second step, for half an hour. The first page must be the same for a player who has entered and for one who has
not, wherever the club does not publish who comes: whoever was passed the link reads it too.
"""

import math
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.core import signing
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from scoring.problems import OptionsRejected, Problem, RuleError
from scoring.tournament import TournamentState, load_tournament_state
from tournaments.boards import board
from tournaments.boards.clubs import published_tournaments
from tournaments.boards.players import has_public_page
from tournaments.entries.commands.contacts import Contact, change_contact, confirm_address
from tournaments.entries.commands.notices import cannot_come, say_notice
from tournaments.entries.confirming_mail import mail_is_configured
from tournaments.entries.notices import (
    SAID_BEFORE,
    SAID_BY_LINK,
    Kind,
    cancelled_by_player,
    is_known_to_play,
    takes_notices,
)
from tournaments.entries.self_entry import is_in
from tournaments.models import EveningSheet, PlayerLink, PlayerNotice, Standing, Tournament
from tournaments.models.people import MOST_EMAIL, MOST_PHONE
from tournaments.people import access
from tournaments.people.mailed_links import mail_code
from tournaments.people.player_links import (
    ADDRESS,
    ENDED,
    NOTICE,
    code_to_mail,
    give_code,
    link_by_code,
    may_be_mailed,
    may_do_often,
    note_use,
    open_link,
    use_code,
    works,
)
from tournaments.printing import table_text
from tournaments.printing.books import statement_context
from tournaments.rendering.i18n.formatting import place_text, zone_of
from tournaments.rendering.i18n.translating import sentence
from tournaments.rendering.left_out import pairs_of
from tournaments.web.codes import opened_by
from tournaments.web.public.base.answers import Context
from tournaments.web.public.base.search_engines import unlisted
from tournaments.web.public.base.words import moment

COOKIE, SALT, COOKIE_LASTS = "rummy_me", "tournaments.player_link", timedelta(days=90)
STEP_COOKIE, STEP_SALT, STEP_LASTS = "rummy_me_own", "tournaments.player_link.own", timedelta(minutes=30)
MOST_CODE = 200
MOST_TOURNAMENTS, MOST_ENTRIES = 6, 20
LATE_MINUTES = (10, 20, 30, 45, 60, 90, 120)
TOO_MANY = gettext_noop("Too many wrong codes came from this device. Wait ten minutes, or ask the desk for a new link.")
UNKNOWN = gettext_noop("No link has this code. Scan it again, or type it as printed.")
EMPTY = gettext_noop("Enter the code of your link.")
# What a page says after something was done.
DONE = {
    "withdrawn": gettext_noop("You have withdrawn."),
    "told": gettext_noop("The desk is told that you cannot come."),
    "mailed": gettext_noop("The code is on its way to your e-mail address."),
    "confirm": gettext_noop("A code is on its way to your new address. Type it below: then the address is saved."),
    "unmailed": gettext_noop("Your phone number is saved. No e-mail could be sent to the new address."),
    "contact": gettext_noop("Saved."),
}


class LinkForm(forms.Form):
    """The code of a link, as a script sends it or somebody types it."""

    code = forms.CharField(max_length=MOST_CODE, required=False)


class NoticeForm(forms.Form):
    """What is said about a tournament; `minutes` where somebody is late."""

    do = forms.ChoiceField(choices=[(kind, kind) for kind in SAID_BY_LINK])
    tournament = forms.UUIDField()
    minutes = forms.ChoiceField(choices=[(minutes, minutes) for minutes in LATE_MINUTES], required=False)


class OwnForm(forms.Form):
    """The button that was pressed behind the second step, or before it, and the tournament that it is about."""

    do = forms.ChoiceField(
        choices=[(do, do) for do in ("mail", "step", "close", "cannot_come", "contact", "confirm")], required=False
    )
    tournament = forms.UUIDField(required=False)


class OneTimeForm(forms.Form):
    """A one-time code, typed."""

    one_time = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=12,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
    )


class AddressForm(OneTimeForm):
    """The code that came to a new address."""

    wants_mail = forms.BooleanField(label=gettext_lazy("Tell me about tournaments by e-mail"), required=False)


class ContactForm(forms.Form):
    """Where the club reaches a player. What is wrong the command says."""

    email = forms.CharField(
        label=gettext_lazy("E-mail"),
        required=False,
        widget=forms.TextInput(
            attrs={"type": "email", "autocomplete": "email", "dir": "auto", "maxlength": MOST_EMAIL}
        ),
    )
    phone = forms.CharField(
        label=gettext_lazy("Phone"),
        required=False,
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "tel", "dir": "auto", "maxlength": MOST_PHONE}),
    )
    wants_mail = forms.BooleanField(label=gettext_lazy("Tell me about tournaments by e-mail"), required=False)


@sensitive_post_parameters("code")
@never_cache
@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def exchange(request: HttpRequest) -> HttpResponse:
    """The page that a link opens, or at which its code is typed, and the answer to what it sends."""
    return _exchanged(request) if request.method == "POST" else _code_page(request)


@sensitive_variables("code", "form")
def _exchanged(request: HttpRequest) -> HttpResponse:
    form = LinkForm(request.POST)
    code = "".join(form.cleaned_data["code"].split()) if form.is_valid() else ""
    if not code:
        return _code_page(request, gettext(EMPTY))
    link, is_too_many = opened_by(request, code.upper(), link_by_code, kind="me:")
    if is_too_many:
        answer = _code_page(request, gettext(TOO_MANY), status=429)
        answer.headers["Retry-After"] = str(int(access.CODES_LOCKED_FOR.total_seconds()))
        return answer
    if link is None:
        return _code_page(request, gettext(UNKNOWN))
    if not works(link):
        return _code_page(request, sentence(ENDED.detail), status=403)
    note_use(link, now=now())
    return _with_cookie(redirect("me:open"), COOKIE, link, salt=SALT, lasts=COOKIE_LASTS)


def _code_page(request: HttpRequest, problem: str = "", *, status: int | None = None) -> HttpResponse:
    context = {
        "title": gettext("Your link"),
        "problem": problem,
        "most_code": MOST_CODE,
        "has_opened": _link_in(request) is not None,
    }
    return render(request, "pages/me_code.html", context, status=status or (422 if problem else 200))


def _with_cookie(
    answer: HttpResponseRedirect, name: str, link: PlayerLink, *, salt: str, lasts: timedelta
) -> HttpResponseRedirect:
    answer.set_cookie(
        name,
        signing.dumps(str(link.pk), salt=salt),
        max_age=int(lasts.total_seconds()),
        path=reverse("me:exchange"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return answer


def _signed(request: HttpRequest, name: str, *, salt: str, lasts: timedelta) -> str:
    """The id that a cookie of ours names; empty if it is missing, too old or not signed here."""
    try:
        return str(signing.loads(request.COOKIES.get(name, ""), salt=salt, max_age=lasts))
    except signing.BadSignature:
        return ""


def _link_in(request: HttpRequest) -> PlayerLink | None:
    """The link that this browser has opened, if it still works."""
    link_id = _signed(request, COOKIE, salt=SALT, lasts=COOKIE_LASTS)
    return open_link(UUID(link_id)) if link_id else None


# The first page: what is public, and what is said to the desk.


@never_cache
@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def opened(request: HttpRequest) -> HttpResponse:
    """The player's page, and the notices that it sends."""
    link = _link_in(request)
    if link is None:
        return redirect("me:exchange")
    if request.method != "POST":
        note_use(link, now=now())
        return _own_page(request, link)
    form, moment_now = NoticeForm(request.POST), now()
    if not form.is_valid():
        raise Http404
    said = form.cleaned_data
    if not _open_tournaments(link).filter(pk=said["tournament"]).exists():
        raise Http404
    verdict = may_do_often(link, NOTICE, now=moment_now)
    if not verdict.is_admitted:
        seconds = math.ceil(verdict.pause.total_seconds())
        answer = _own_page(request, link, [_wait_text(seconds)], status=429)
        answer.headers["Retry-After"] = str(seconds)
        return answer
    kind = Kind(said["do"])
    late_by = timedelta(minutes=int(said["minutes"] or LATE_MINUTES[0]))
    comes_at = moment_now + late_by if kind == Kind.LATE else None
    try:
        say_notice(said["tournament"], link.player, kind, now=moment_now, comes_at=comes_at)
    except RuleError as refused:
        return _own_page(request, link, [sentence(problem.message) for problem in refused.problems], status=422)
    return redirect("me:open")


def _wait_text(seconds: int) -> str:
    minutes = math.ceil(seconds / 60)
    text = ngettext(
        "Sent too often. Try again in {number} minute, or ask the desk.",
        "Sent too often. Try again in {number} minutes, or ask the desk.",
        minutes,
    )
    return text.format(number=minutes)


def _own_page(
    request: HttpRequest, link: PlayerLink, problems: list[str] | None = None, *, status: int = 200
) -> HttpResponse:
    """What is public of the player. Each tournament costs its board, which is cached."""
    moment_now = now()
    states = _tournaments_and_states(link, now=moment_now)
    # What was said behind the second step is not for everybody who has the link.
    said = PlayerNotice.objects.filter(player=link.player, kind__in=SAID_BY_LINK, tournament__in=dict(states))
    said_by_tournament = {notice.tournament_id: notice for notice in said}
    shown = [
        _of_tournament(link, tournament, state, said_by_tournament.get(tournament.pk), now=moment_now)
        for tournament, state in states
    ]
    context = {
        **_frame(link, link.player.public_name),
        "problems": problems or [],
        "shown": [line for line in shown if line["seats"] or line["place"] or line["may_say"]],
        "late_minutes": LATE_MINUTES,
        "kinds": Kind,
        "has_results": has_public_page(link.player),
    }
    return render(request, "pages/me.html", context, status=status)


def _tournaments_and_states(link: PlayerLink, *, now: datetime) -> list[tuple[Tournament, TournamentState]]:
    """The club's public tournaments that are open and begin soon or have begun: first those where the player sits.

    In two queries.
    """
    seats = Standing.objects.filter(player=link.player, tournament=OuterRef("pk"))
    rows = _open_tournaments(link).filter(starts_at__lte=now + SAID_BEFORE).annotate(has_seat=Exists(seats))
    tournaments = {row.pk: row for row in rows.order_by("-has_seat", "-starts_at", "pk")[:MOST_TOURNAMENTS]}
    sheets = EveningSheet.objects.filter(tournament__in=tournaments, is_rehearsal=False)
    states = {
        sheet.tournament_id: state
        for sheet, state in pairs_of(sheets, lambda sheet: load_tournament_state(sheet.state))
    }
    return [(row, states.get(key, TournamentState())) for key, row in tournaments.items()]


def _open_tournaments(link: PlayerLink) -> QuerySet[Tournament]:
    return published_tournaments().filter(club=link.club_id, closed_at=None, is_cancelled=False)


def _of_tournament(
    link: PlayerLink, tournament: Tournament, state: TournamentState, notice: PlayerNotice | None, *, now: datetime
) -> Context:
    """The seats and the place that everybody can read, what this link said, and whether it may say something."""
    player, zone = str(link.player_id), zone_of(link.club.timezone)
    public_board = board(tournament)
    seats = [seat for seat in public_board.seats if seat.line.player == player]
    rows = [row for row in public_board.rows if row.line.player == player]
    is_known = is_known_to_play(tournament, state, player)
    return {
        "tournament": tournament,
        "starts": moment(tournament.starts_at, zone),
        "seats": [
            {"table": seat.table, "called": table_text(seat.table.name, seat.table.number), "number": seat.number}
            for seat in reversed(seats)
            if not seat.table.is_cancelled
        ],
        "place": place_text(rows[0].place, is_tied=rows[0].is_tied) if rows else "",
        # Who plays at a table is seen there.
        "may_say": not any(seat.table.has_begun for seat in seats)
        and is_known is not False
        and takes_notices(tournament, state, now=now),
        "notice": notice,
        "said": moment(notice.said_at, zone) if notice else None,
        "comes": moment(notice.comes_at, zone) if notice and notice.comes_at else None,
    }


# Behind the second step: what is the player's own.


@sensitive_post_parameters("one_time", "email", "phone")
@never_cache
@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def own(request: HttpRequest) -> HttpResponse:
    """Entries that can be given up, contact and statement; or the question for the code."""
    link = _link_in(request)
    if link is None:
        return redirect("me:exchange")
    has_taken_step = _signed(request, STEP_COOKIE, salt=STEP_SALT, lasts=STEP_LASTS) == str(link.pk)
    if request.method != "POST":
        return _private_page(request, link) if has_taken_step else _step_page(request, link)
    form = OwnForm(request.POST)
    form.is_valid()
    do = form.cleaned_data.get("do", "")
    if do in ("mail", "step"):
        return _mailed(request, link) if do == "mail" else _stepped(request, link)
    if not has_taken_step:
        return _step_page(request, link, [gettext("The half hour is over: get a new code.")], status=403)
    if do == "close":
        answer = redirect("me:open")
        answer.delete_cookie(STEP_COOKIE, path=reverse("me:exchange"))
        return answer
    if do not in ACTIONS:
        raise Http404
    return ACTIONS[do](request, link)


@sensitive_variables("code")
def _mailed(request: HttpRequest, link: PlayerLink) -> HttpResponse:
    """Mail a code to the address of the player that the desk knows."""
    try:
        if not mail_is_configured():
            raise Http404
        code = code_to_mail(link, now=now())
    except OptionsRejected as refused:
        return _step_page(request, link, _texts(refused.problems), status=422)
    if not mail_code(link, code, to=link.player.email):
        return _step_page(
            request, link, [gettext("The e-mail could not be sent. Ask the desk for a code.")], status=422
        )
    return _done("mailed")


@sensitive_variables("form")
def _stepped(request: HttpRequest, link: PlayerLink) -> HttpResponse:
    form = OneTimeForm(request.POST)
    form.is_valid()
    try:
        use_code(link, form.cleaned_data.get("one_time", ""), now=now())
    except OptionsRejected as refused:
        return _step_page(request, link, _texts(refused.problems), status=422)
    return _with_cookie(redirect("me:own"), STEP_COOKIE, link, salt=STEP_SALT, lasts=STEP_LASTS)


def _give_up(request: HttpRequest, link: PlayerLink) -> HttpResponse:
    form = OwnForm(request.POST)
    form.is_valid()
    named = form.cleaned_data.get("tournament")
    tournament = _open_tournaments(link).filter(pk=named).first() if named else None
    if tournament is None:
        raise Http404
    try:
        is_withdrawn = cannot_come(tournament.pk, link.player, now=now())
    except RuleError as refused:
        return _private_page(request, link, problems=_texts(refused.problems))
    return _done("withdrawn" if is_withdrawn else "told")


@sensitive_variables("form", "code", "new_email")
def _contact(request: HttpRequest, link: PlayerLink) -> HttpResponse:
    form, moment_now = ContactForm(request.POST), now()
    if not form.is_valid():
        return _private_page(request, link, contact_form=form)
    if form.cleaned_data["email"] not in ("", link.player.email):
        verdict = may_do_often(link, ADDRESS, now=moment_now)
        if not verdict.is_admitted:
            text = _wait_text(math.ceil(verdict.pause.total_seconds()))
            return _private_page(request, link, contact_form=form, problems=[text], status=429)
    try:
        new_email = change_contact(link.player, Contact(**form.cleaned_data), mails=mail_is_configured())
    except OptionsRejected as refused:
        for problem in refused.problems:
            form.add_error(problem.field, sentence(problem.message))
        return _private_page(request, link, contact_form=form)
    if not new_email:
        return _done("contact")
    code = give_code(link, now=moment_now, new_email=new_email)
    return _done("confirm" if mail_code(link, code, to=new_email) else "unmailed")


@sensitive_variables("form")
def _confirm(request: HttpRequest, link: PlayerLink) -> HttpResponse:
    form = AddressForm(request.POST)
    form.is_valid()
    values = form.cleaned_data
    try:
        confirm_address(link, values.get("one_time", ""), wants_mail=values.get("wants_mail", False), now=now())
    except OptionsRejected as refused:
        return _private_page(request, link, problems=_texts(refused.problems))
    return _done("contact")


ACTIONS = {"cannot_come": _give_up, "contact": _contact, "confirm": _confirm}


def _done(what: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(f"{reverse('me:own')}?done={what}")


def _texts(problems: tuple[Problem, ...]) -> list[str]:
    return [sentence(problem.message) for problem in problems]


def _step_page(
    request: HttpRequest, link: PlayerLink, problems: list[str] | None = None, *, status: int = 200
) -> HttpResponse:
    context = {
        **_frame(link, gettext("Your own data")),
        "problems": problems or [],
        "done": _done_text(request),
        "form": OneTimeForm(),
        "may_be_mailed": mail_is_configured() and may_be_mailed(link.player),
    }
    return render(request, "pages/me_step.html", context, status=status)


def _private_page(
    request: HttpRequest,
    link: PlayerLink,
    *,
    contact_form: ContactForm | None = None,
    problems: list[str] | None = None,
    status: int | None = None,
) -> HttpResponse:
    player, zone = link.player, zone_of(link.club.timezone)
    entries = [
        {
            "tournament": tournament,
            "starts": moment(tournament.starts_at, zone),
            "is_checked_in": state.entrants[str(player.pk)].is_checked_in,
            "may_withdraw": cancelled_by_player(state, str(player.pk)),
        }
        for tournament, state in _entered(link)
    ]
    fields: dict[str, Any] = {name: getattr(player, name) for name in ContactForm.base_fields}
    is_refused = bool(problems) or contact_form is not None
    context = {
        **_frame(link, gettext("Your own data")),
        **statement_context(player),
        "player": player,
        "problems": problems or [],
        "done": "" if is_refused else _done_text(request),
        "entries": entries,
        "form": contact_form or ContactForm(initial=fields),
        "new_email": PlayerLink.objects.filter(pk=link.pk, code_until__gt=now())
        .exclude(code_digest="")
        .values_list("new_email", flat=True)
        .first(),
        "address_form": AddressForm(initial={"wants_mail": player.wants_mail}),
    }
    # Moments of the statement are those of the club's clock.
    with timezone.override(zone):
        return render(request, "pages/me_own.html", context, status=status or (422 if is_refused else 200))


def _entered(link: PlayerLink) -> list[tuple[Tournament, TournamentState]]:
    """The open tournaments that the player is in, the next first; in one query."""
    player = str(link.player_id)
    sheets = EveningSheet.objects.filter(tournament__in=_open_tournaments(link), state__contains=player)
    sheets = sheets.select_related("tournament").order_by("tournament__starts_at", "pk")[:MOST_ENTRIES]
    states = pairs_of(sheets, lambda sheet: load_tournament_state(sheet.state))
    return [(sheet.tournament, state) for sheet, state in states if is_in(state, player)]


def _done_text(request: HttpRequest) -> str:
    return gettext(DONE[what]) if (what := request.GET.get("done", "")) in DONE else ""


def _frame(link: PlayerLink, title: str) -> Context:
    """What the templates need. They have no `club`, as pages of clubs have: nothing is told to search engines."""
    return {"link": link, "of_club": link.club, "title": title}


app_name = "me"
urlpatterns = [
    path("", unlisted(exchange), name="exchange"),
    path("open/", unlisted(opened), name="open"),
    path("own/", unlisted(own), name="own"),
]
