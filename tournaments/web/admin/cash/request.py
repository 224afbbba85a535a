"""One request to the cash desk: who comes, in which currency, and what the book says.

Rules: docs/how-to/books.md, "The cash desk". What was typed is never lost: a refusal shows the page again with every
problem.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from scoring.money.formatting import Notation, grouped_minor, money, typed_minor
from tournaments.cash.queries import CashDesk, currencies_of, open_desk
from tournaments.models import Club
from tournaments.people.permissions import Actor, Deed, may
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.web.admin.base.command_forms import pressed
from tournaments.web.admin.base.printing import chosen_paper
from tournaments.web.admin.base.scoping import actor_in

PAGES = (
    ("", gettext_noop("Cash desk"), Deed.HANDLE_CASH),
    ("night", gettext_noop("Cash book"), Deed.SEE_MONEY),
    ("balances", gettext_noop("Balances"), Deed.SEE_MONEY),
    ("nights", gettext_noop("Past cash books"), Deed.SEE_MONEY),
)


@dataclass(frozen=True, kw_only=True)
class CashVisit:
    """Somebody at a club's cash desk."""

    request: HttpRequest
    actor: Actor
    club: Club
    currency: str
    currencies: tuple[str, ...]

    @cached_property
    def desk(self) -> CashDesk:
        """The open book."""
        return open_desk(self.club, self.currency)

    @property
    def notation(self) -> Notation:
        """How amounts are written here."""
        return Notation(self.currency, self.club.locale)

    @property
    def directs(self) -> bool:
        """Whoever directs works with any till, and sees what is in it."""
        return self.may(Deed.DIRECT)

    @property
    def is_asking(self) -> bool:
        """Whether nothing was sent."""
        return self.request.method != "POST"

    def may(self, deed: Deed) -> bool:
        """May whoever visits do this here?"""
        return may(self.actor, deed, self.club)

    def require(self, deed: Deed) -> None:
        """Refuse what is beyond the visitor's role."""
        if not self.may(deed):
            raise PermissionDenied

    def url(self, page: str = "", *words: object, **asked: object) -> str:
        """Another page of this desk, in the same currency."""
        name = "admin:tournaments_club_cash" + (f"_{page}" if page else "")
        if self.currency != self.club.currency:
            asked = {"currency": self.currency, **asked}
        return reverse(name, args=[self.club.pk, *words]) + (f"?{urlencode(asked)}" if asked else "")

    @property
    def asked(self) -> str:
        """What a link to another page of this desk carries on, where the club has more than one currency."""
        return f"?{urlencode({'currency': self.currency})}" if len(self.currencies) > 1 else ""

    @property
    def asked_on_paper(self) -> str:
        """The same for a receipt, which also has a size of paper."""
        return f"?{urlencode({'paper': chosen_paper(self.request)})}" + self.asked.replace("?", "&")

    def go(self, page: str = "", *words: object, **asked: object) -> HttpResponseRedirect:
        """On to another page."""
        return HttpResponseRedirect(self.url(page, *words, **asked))

    def money(self, amount_minor: int) -> str:
        """An amount with its currency."""
        return money(amount_minor, *self.notation)

    def figure(self, amount_minor: int) -> str:
        """An amount for a column."""
        return grouped_minor(amount_minor, *self.notation)

    def field(self, amount_minor: int) -> str:
        """An amount to be typed over; nothing for none."""
        return typed_minor(amount_minor, *self.notation) if amount_minor > 0 else ""

    def page(self, template: str, context: Mapping[str, Any], *, status: int = 200) -> TemplateResponse:
        """A page of the desk with what all of them show."""
        base = {
            **admin.site.each_context(self.request),
            "opts": Club._meta,
            "club": self.club,
            "visit": self,
            "desk": self.desk,
            "key": uuid4(),
            "back": self.url(),
            "zone": zone_of(self.club.timezone),
            "tabs": self._tabs(),
            "monies": self._monies(),
            "typed": self.request.POST,
            "did": pressed(self.request.POST),
        }
        form = context.get("form")
        return TemplateResponse(
            self.request,
            f"admin/tournaments/cash/{template}",
            {**base, **context},
            status=422 if form and form.errors and status == 200 else status,
        )

    def _tabs(self) -> list[dict[str, Any]]:
        found = [(gettext(title), self.url(page)) for page, title, deed in PAGES if self.may(deed)]
        path = self.request.path
        return [{"title": title, "url": url, "is_current": path == url.partition("?")[0]} for title, url in found]

    def _monies(self) -> list[dict[str, Any]]:
        """The same page in another currency, where the club has more than one."""
        if len(self.currencies) < 2:
            return []
        home = reverse("admin:tournaments_club_cash", args=[self.club.pk])
        return [
            {"title": each, "url": f"{home}?{urlencode({'currency': each})}", "is_current": each == self.currency}
            for each in self.currencies
        ]


CashView = Callable[..., HttpResponse]


def at_cash(view: CashView, deed: Deed) -> Callable[..., HttpResponse]:
    """A view of a club's cash desk: it is given a visit in place of the request and the club."""

    def visited(request: HttpRequest, club: Club, **words: object) -> HttpResponse:
        actor = actor_in(request)
        if not may(actor, deed, club):
            raise PermissionDenied
        known = currencies_of(club)
        wanted = request.GET.get("currency", club.currency)
        if wanted not in known:
            raise Http404
        visit = CashVisit(request=request, actor=actor, club=club, currency=wanted, currencies=tuple(known))
        return view(visit, **words)

    return visited
