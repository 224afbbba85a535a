"""One request to the cash desk: who comes, in which currency, what the book says, and how a line is written.

Rules: docs/how-to/books.md, "The cash desk". What was typed is never lost: a refusal shows the page again with every
problem.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from scoring.facts import wire
from scoring.facts.table import Fact
from scoring.money.formatting import Notation, grouped_minor, money, typed_minor
from scoring.problems import EventRejected, KeyReused, Problem, RuleError, StaleTable, refuse_if
from tournaments.cash.commands import CashRecorded, Desk, write_at_desk
from tournaments.cash.queries import CashDesk, currencies_of, open_desk
from tournaments.log.context import Order
from tournaments.models import CashBook, Club
from tournaments.people.permissions import FACT_DEEDS, Actor, Deed, may
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.web.admin.base.command_fields import KEY
from tournaments.web.admin.base.printing import chosen_paper
from tournaments.web.admin.base.request import order_of
from tournaments.web.admin.base.scoping import actor_in
from tournaments.web.admin.base.typed_events import clean

MOST_LINE_DIGITS = 9
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

    def typed(self, name: str) -> str:
        """A field as it was typed."""
        return " ".join(clean(self.request.POST.get(name, "")).split())

    def write(self, raw: dict[str, Any], unread: Sequence[Problem] = ()) -> CashRecorded:
        """Write a line as it was typed. Raises a refusal with every problem, what could not be read among them."""
        self.require(FACT_DEEDS[raw["kind"]])
        return write_at_desk(self.sent_desk(), _read(raw, unread), order=self.order())

    def order(self) -> Order:
        """Under the key of the form that was sent."""
        key = self.request.POST.get("key", "")
        return order_of(self.request, key if KEY.fullmatch(key) else None)

    def sent_desk(self) -> Desk:
        """The desk as the form that was sent showed it."""
        line = self.request.POST.get("line", "")
        return Desk(
            club=self.club.pk,
            currency=self.currency,
            actor=self.actor,
            book=self._sent_book(),
            seen=int(line) if line.isdecimal() and len(line) <= MOST_LINE_DIGITS else 0,
        )

    def answer(self, deed: Callable[[], HttpResponse], again: Callable[[list[Problem]], HttpResponse]) -> HttpResponse:
        """Do it, or show the page again with everything that speaks against it."""
        try:
            return deed()
        except RuleError as refused:
            found = list(refused.problems)
        except StaleTable:
            detail = gettext(
                "somebody else has written about this meanwhile: look at it as it stands now, then send again"
            )
            found = [Problem(code="written_meanwhile", detail=detail)]
        except KeyReused:
            detail = gettext("this form was sent before with something else: look, then send it again")
            found = [Problem(code="key_reused", detail=detail)]
        return again(found)

    def url(self, page: str = "", *words: object, **asked: object) -> str:
        """Another page of this desk, in the same currency."""
        name = "admin:tournaments_club_cash" + (f"_{page}" if page else "")
        if self.currency != self.club.currency:
            asked = {"currency": self.currency, **asked}
        return reverse(name, args=[self.club.pk, *words]) + (f"?{urlencode(asked)}" if asked else "")

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
            "paper": chosen_paper(self.request),
            "back": self.url(),
            "zone": zone_of(self.club.timezone),
            "tabs": self._tabs(),
            "monies": self._monies(),
            "typed": self.request.POST,
            "did": self.request.POST.get("do", ""),
        }
        problems = context.get("problems")
        return TemplateResponse(
            self.request,
            f"admin/tournaments/cash/{template}",
            {**base, **context},
            status=422 if problems and status == 200 else status,
        )

    def _sent_book(self) -> UUID | None:
        text = self.request.POST.get("book", "")
        try:
            book = UUID(text) if text else None
        except ValueError:
            raise Http404 from None
        if book and not CashBook.objects.filter(pk=book, club=self.club, currency=self.currency).exists():
            raise Http404
        return book

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


def _read(raw: dict[str, Any], unread: Sequence[Problem]) -> Fact:
    """What cannot be read is one problem, not also a missing one."""
    known = {problem.field for problem in unread}
    try:
        fact = wire.read_cash_fact(raw)
    except EventRejected as refused:
        others = [each for each in refused.problems if (each.field or "").removesuffix("_minor") not in known]
        raise EventRejected([*unread, *others]) from refused
    refuse_if(unread, EventRejected)
    return fact


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
