"""The scorer's pages open to a table's card as well as to a login.

The card's secret was exchanged for a cookie that names one card and one table; the cookie is signed, sent to that
table's own addresses only, and checked against the stored card at every request. A login that may score at the
table goes before the card. Everything else in the back office knows nothing of cards.
"""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from uuid import UUID

from django.conf import settings
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.cache import never_cache

from tournaments.models import TableToken
from tournaments.people.permissions import Deed, may
from tournaments.tables.commands.table_tokens import note_card_use
from tournaments.tables.queries.desk import desk
from tournaments.tables.queries.table_tokens import CardEnd, TableCard, card_by_id
from tournaments.web.admin.base.request import TableView, at_table, public_url, visit_of
from tournaments.web.admin.base.scoping import actor_in
from tournaments.web.admin.editing.kept_typing import kept_context, typed_in

COOKIE = "rummy_table"
SALT = "tournaments.table_card"
MOST_COOKIE = 500

ENDED = {
    CardEnd.REVOKED: gettext_noop("The director has taken this card back, or made a newer one for the table."),
    CardEnd.TABLE_IS_OVER: gettext_noop("The table is over, and with it the work of this card."),
    CardEnd.EXPIRED: gettext_noop("This card was good for one evening, and its hours are over."),
}


def at_table_with_card(view: Callable[..., HttpResponse]) -> TableView:
    """A view of one table for whoever may score there, by login or by the table's card."""
    by_login = at_table(view)

    @wraps(view)
    def door(request: HttpRequest, table_id: UUID, **words: object) -> HttpResponseBase:
        card = _card_in(request, table_id)
        if card is None or _may_score_by_login(request, card):
            return by_login(request, table_id=table_id, **words)
        if card.end is not None:
            return _over_page(request, card, card.end)
        note_card_use(card.token, now=now())
        visit = visit_of(request, card.actor, desk(table_id, [card.token.club_id]))
        visit.require(Deed.SEE)
        return view(visit, **words)

    return never_cache(door)


def has_card(request: HttpRequest) -> bool:
    """Whether a request to a page of one table brings a card of that table which holds now."""
    table_id = request.resolver_match.kwargs.get("table_id") if request.resolver_match else None
    card = _card_in(request, table_id) if isinstance(table_id, UUID) else None
    return card is not None and card.end is None


def set_cookie(answer: HttpResponse, token: TableToken, *, now: datetime) -> None:
    """Let the device that shows this answer come back as the holder of the card."""
    value = signing.dumps([str(token.id), str(token.table_id)], salt=SALT)
    answer.set_cookie(
        COOKIE,
        value,
        max_age=int((token.expires_at - now).total_seconds()),
        path=score_url(token.table_id).removesuffix("score/"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def score_url(table_id: UUID) -> str:
    """The page on which a table is scored."""
    return reverse("admin:tournaments_table_score", args=[table_id])


def _card_in(request: HttpRequest, table_id: UUID) -> TableCard | None:
    """The card that a request brings, if it is one of this very table."""
    value = request.COOKIES.get(COOKIE, "")
    if not value or len(value) > MOST_COOKIE:
        return None
    try:
        card_id, card_table = (UUID(text) for text in signing.loads(value, salt=SALT))
    except (signing.BadSignature, ValueError, TypeError, AttributeError):
        return None
    return card_by_id(card_id, table_id, now=now()) if card_table == table_id else None


def _may_score_by_login(request: HttpRequest, card: TableCard) -> bool:
    return admin.site.has_permission(request) and may(actor_in(request), Deed.RECORD, card.token.club_id)


def _over_page(request: HttpRequest, card: TableCard, end: CardEnd) -> HttpResponse:
    """What somebody reads whose card has ended; what they sent with it was not stored."""
    seen, kept = desk(card.token.table_id, [card.token.club_id]), typed_in(request)
    context = {
        "title": gettext("This card has ended"),
        "said": gettext(ENDED[end]),
        "was_sent": request.method == "POST",
        "login_form": AdminAuthenticationForm(request),
        **(kept_context(kept) if kept is not None else {}),
        "board_url": public_url("tournament", seen) if seen is not None else "",
    }
    return TemplateResponse(request, "admin/tournaments/card/over.html", context, status=403)
