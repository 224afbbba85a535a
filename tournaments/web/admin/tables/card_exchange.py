"""Exchanges a scanned table card's secret for a cookie that identifies the device at that one table.

Rules: docs/how-to/evening.md, "Table cards". The secret is in the URL fragment, after `#`, which no browser sends and
no log or referrer contains; the page's script moves it into a form. It is accepted by POST only and never shown again.
Without a camera a shorter code is typed, at an address that names the club and the table; wrong ones are counted in the
database, against both and the browser (`tournaments.people.access`).

This page needs the site's referrer policy `same-origin`: under `no-referrer` browsers send `Origin: null` with the
form, and the CSRF check refuses that.
"""

import hashlib
import math
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import wraps
from uuid import UUID

from django.conf import settings
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_noop, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from tournaments.models import Club, TableToken
from tournaments.models.play import MOST_SEATS
from tournaments.people import access
from tournaments.people.access import CODE_LENGTH, Attempt, code_digest, token_digest
from tournaments.people.permissions import Permission, may
from tournaments.tables.commands.table_tokens import note_card_use, open_card
from tournaments.tables.queries.sheets import desk
from tournaments.tables.queries.table_tokens import CardEnd, TableCard, card_by_code, card_by_digest, card_by_id
from tournaments.web.admin.base.carried_typing import kept_context, kept_in, send_again_page, typed_in
from tournaments.web.admin.base.command_forms import words_in
from tournaments.web.admin.base.request import TableView, at_table, public_url, visit_of
from tournaments.web.admin.base.scoping import actor_in, page_status
from tournaments.web.codes import opened_by

# The scorer's pages, open to a table's card as well as to a login.

COOKIE = "rummy_table"
SEAT_COOKIE = "rummy_seat_"
SALT = "tournaments.table_card"
MOST_COOKIE = 500

ENDED = {
    CardEnd.REVOKED: gettext_noop("The director has revoked this card."),
    CardEnd.TABLE_IS_OVER: gettext_noop("The table is finished, so its card has ended."),
    CardEnd.OPENED_ELSEWHERE: gettext_noop(
        "This card was opened on another device. Scan it again to use it here, or ask the director for a new one."
    ),
    CardEnd.EXPIRED: gettext_noop("This card has expired. Ask the director for a new one."),
    CardEnd.ROUND_IS_OVER: gettext_noop("This code is of an earlier round. Scan the card, or ask for a new one."),
}


def at_table_with_card(view: Callable[..., HttpResponse], *, takes_late: bool = False) -> TableView:
    """A view of one table for users who may score there, by login or by the table's card.

    `takes_late`: the view itself answers a POST with a card that ended with its table.
    """
    by_login = at_table(view)

    @wraps(view)
    def door(request: HttpRequest, table_id: UUID, **words: object) -> HttpResponseBase:
        card = _card_in(request, table_id)
        if card is None or _may_score_by_login(request, card):
            return by_login(request, table_id=table_id, **words)
        is_late = takes_late and card.end is CardEnd.TABLE_IS_OVER and request.method == "POST"
        if card.end is not None and not is_late:
            return _over_page(request, card, card.end)
        note_card_use(card.token, now=now())
        visit = visit_of(request, card.actor(*_seats_before(request, table_id)), desk(table_id, [card.token.club_id]))
        visit.require(Permission.SEE)
        return view(visit, **words)

    return never_cache(door)


def has_card(request: HttpRequest) -> bool:
    """Whether a request to a page of one table has a valid card of that table."""
    table_id = request.resolver_match.kwargs.get("table_id") if request.resolver_match else None
    card = _card_in(request, table_id) if isinstance(table_id, UUID) else None
    return card is not None and card.end is None


def set_cookie(answer: HttpResponse, token: TableToken, *, now: datetime) -> None:
    """Set the cookie that identifies the device as the holder of the card.

    A seat's card opens on one device at a time: a player who opens another seat's card, in a private window too, ends
    it on the device of its owner, who sees that. A cookie can be dropped; what the database holds cannot.
    """
    value = signing.dumps([str(token.id), str(token.table_id), token.opened], salt=SALT)
    # Another seat's card replaces the first one, but a second cookie records that the device held it.
    seat_value = signing.dumps([token.seat, str(token.table_id)], salt=SALT)
    cookies = {COOKIE: value} | ({f"{SEAT_COOKIE}{token.seat}": seat_value} if token.seat else {})
    for name, signed in cookies.items():
        answer.set_cookie(
            name,
            signed,
            max_age=int((token.expires_at - now).total_seconds()),
            path=score_url(token.table_id).removesuffix("score/"),
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def _seats_before(request: HttpRequest, table_id: UUID) -> list[str]:
    """Seats of the table whose cards this device has held: a device that enters for two seats cannot confirm either."""
    seats = range(1, MOST_SEATS + 1)
    return [str(seat) for seat in seats if _signed(request, f"{SEAT_COOKIE}{seat}") == [seat, str(table_id)]]


def score_url(table_id: UUID) -> str:
    """The address on which a table is scored."""
    return reverse("admin:tournaments_table_score", args=[table_id])


def _card_in(request: HttpRequest, table_id: UUID) -> TableCard | None:
    """The card in the request's cookie, if it is for this table."""
    try:
        card_id, card_table, *opened = _signed(request, COOKIE)
        card = card_by_id(UUID(str(card_id)), table_id, now=now()) if card_table == str(table_id) else None
    except ValueError:
        return None
    # A cookie that names no opening is older than the first one that was noted.
    if card is None or card.end is not None or card.token.opened in (opened or [""]):
        return card
    return replace(card, end=CardEnd.OPENED_ELSEWHERE)


def _signed(request: HttpRequest, name: str) -> list[object]:
    """The parts of a cookie signed here; empty if it is missing, too long or not signed here."""
    value = request.COOKIES.get(name, "")
    try:
        parts = signing.loads(value[: MOST_COOKIE + 1], salt=SALT)
    except (signing.BadSignature, ValueError):
        return []
    return parts if isinstance(parts, list) else []


def _may_score_by_login(request: HttpRequest, card: TableCard) -> bool:
    return admin.site.has_permission(request) and may(actor_in(request), Permission.RECORD, card.token.club_id)


def _over_page(request: HttpRequest, card: TableCard, end: CardEnd) -> HttpResponse:
    """The page for a card that has ended; what was sent with it was not stored."""
    loaded_table, kept_form = desk(card.token.table_id, [card.token.club_id]), typed_in(request)
    context = {
        "title": gettext("This card has ended"),
        "reason": gettext(ENDED[end]),
        "was_sent": request.method == "POST",
        "login_form": AdminAuthenticationForm(request),
        "seen": loaded_table,
        "actor": card.actor(*_seats_before(request, card.token.table_id)).name,
        # What was typed for a table that is over is still taken, as late sheets.
        "sends_nothing": end is not CardEnd.TABLE_IS_OVER,
        **(kept_context(request, kept_form) if kept_form is not None else {}),
        "board_url": public_url("tournament", loaded_table) if loaded_table is not None else "",
    }
    return TemplateResponse(request, "admin/tournaments/card/over.html", context, status=403)


MOST_CODE = 200
# A card's secret has 43 characters, its code to type eight; what is shorter than the one is taken for the other.
SHORTEST_SECRET = 40
UNKNOWN = gettext_noop("No table has this code. Scan the card again, or type the code exactly as printed.")

TOO_MANY = gettext_noop(
    "Too many wrong codes came from this device. Wait ten minutes, or ask the director for a new card."
)

WHERE = gettext_noop("Open the address printed beside the code, and type the code there.")
EMPTY = gettext_noop("Enter the code printed on the card below the names.")


@sensitive_post_parameters("code")
@never_cache
@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def exchange(request: HttpRequest, club_slug: str = "", number: int = 0) -> HttpResponse:
    """The page that a card's QR code opens, or at which its code is typed, and the answer to what it sends."""
    return _exchanged(request, club_slug, number) if request.method == "POST" else _page(request)


@sensitive_variables("code")
def _exchanged(request: HttpRequest, club_slug: str, number: int) -> HttpResponse:
    """Set a cookie for the card's table and go to its page; or show what is wrong."""
    # Cards are printed with blanks in the code, and phone keyboards add one after a word.
    code = "".join(words_in(request.POST, "code", max_length=MOST_CODE)["code"].split())
    if not code:
        return _page(request, gettext(EMPTY))
    moment = now()
    if club_slug and len(code) < SHORTEST_SECRET:
        return _typed(request, code, club_slug, number)
    if len(code) == CODE_LENGTH:
        return _page(request, gettext(WHERE))
    card, is_too_many = opened_by(request, code, lambda secret: card_by_digest(token_digest(secret), now=moment))
    if is_too_many:
        refused = _page(request, gettext(TOO_MANY), status=429)
        refused.headers["Retry-After"] = str(int(access.CODES_LOCKED_FOR.total_seconds()))
        return refused
    if card is None:
        return _page(request, gettext(UNKNOWN))
    return _opened(request, card, moment)


@sensitive_variables("code")
def _typed(request: HttpRequest, code: str, club_slug: str, number: int) -> HttpResponse:
    """The answer to a typed code. Wrong ones slow down this browser, this table and this club, and lock nobody out."""
    moment, club_id = now(), Club.objects.filter(slug=club_slug).values_list("pk", flat=True).first()
    places = [f"browser:{hashlib.sha256(str(request.META.get('CSRF_COOKIE', '')).encode()).hexdigest()[:32]}"]
    if club_id is not None:
        places += [f"table:{club_id}:{number}", f"club:{club_id}"]
    attempts = [Attempt(kind=access.CARD, subject=access.ANY_NAME, place=place) for place in places]
    verdicts = [access.begin(attempt, now=moment) for attempt in attempts]
    if not all(verdict.is_admitted for verdict in verdicts):
        seconds = math.ceil(max(verdict.pause for verdict in verdicts).total_seconds())
        text = ngettext(
            "Too many wrong codes. Try again in {number} second, or scan the card.",
            "Too many wrong codes. Try again in {number} seconds, or scan the card.",
            seconds,
        )
        answer = _page(request, text.format(number=seconds), status=429)
        answer.headers["Retry-After"] = str(seconds)
        return answer
    card = card_by_code(club_id, number, code_digest(code), now=moment) if club_id is not None else None
    if card is None:
        return _page(request, gettext(UNKNOWN))
    for attempt in attempts:
        access.succeed(attempt, now=moment)
    return _opened(request, card, moment)


def _opened(request: HttpRequest, card: TableCard, moment: datetime) -> HttpResponse:
    """The cookie of the card and the way to its table; or why the card has ended."""
    if card.end is not None:
        return _page(request, gettext(ENDED[card.end]), status=403)
    url, kept_form = score_url(card.token.table_id), kept_in(request)
    answer: HttpResponse = HttpResponseRedirect(url)
    if kept_form is not None and kept_form.path.startswith(url.removesuffix("score/")):
        answer = send_again_page(request, kept_form, purpose=gettext("Score a table"))
    if card.token.seat:
        open_card(card.token)
    set_cookie(answer, card.token, now=moment)
    return answer


def _page(request: HttpRequest, problem: str = "", *, status: int | None = None) -> HttpResponse:
    kept_form = kept_in(request)
    context = {"title": gettext("Score a table"), "problem": problem, "most_code": MOST_CODE}
    context |= kept_context(request, kept_form) if kept_form else {}
    status = status or page_status(context, refused=problem)
    return TemplateResponse(request, "admin/tournaments/card/exchange.html", context, status=status)


# The address on every table's card: short, because a player may have to type it.

app_name = "cards"
urlpatterns = [
    path("", exchange, name="exchange"),
    path("<slug:club_slug>/<int:number>/", exchange, name="typed"),
]
