"""Requests to the back office and their answers: visits to tables, and pages, addresses and printed files for them.

A table of another club is a 404; an action beyond the user's role is a 403. What is printed: docs/how-to/paper.md; an
address may name the paper size, and the page that offers the files remembers the chosen one for the session.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from io import BytesIO
from typing import Any, Literal
from uuid import UUID, uuid4

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Page, Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.timezone import now
from django.utils.translation import gettext
from django_htmx.middleware import HtmxDetails

from scoring.rules.table.table import Status
from tournaments.entries.queries import lacks_till
from tournaments.log.context import CommandContext
from tournaments.models import Club, Tournament
from tournaments.people.permissions import Actor, Permission, clubs_of, may, permission_for
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.rendering.i18n.translating import activate_locale
from tournaments.rendering.pdf import PageSize, Printed, pdf_of_all
from tournaments.tables.queries.sheets import LoadedTable, desk
from tournaments.web.admin.base.command_fields import IDENTITY, CarriedNumber, KeyField, read_field
from tournaments.web.admin.base.scoping import actor_in, admin_page, page_status


def tournament_page(
    request: HttpRequest, tournament: Tournament, name: str, context: Mapping[str, Any], **status: object
) -> TemplateResponse:
    """A page of a tournament, by the name of its template, `refused` or `stale` as in `page_status`."""
    whole = {
        "tournament": tournament,
        # Called only by pages that take money.
        "asks_for_till": partial(_asks_for_till, request, tournament),
        "may_open_till": may(actor_in(request), Permission.HANDLE_CASH, tournament.club_id),
        **context,
    }
    template = f"admin/tournaments/tournament/{name}.html"
    return admin_page(request, template, whole, model=Tournament, **status)


MOST_ADDRESS = 400
# How many players one page of a list holds.
PLAYERS_A_PAGE = 60


def page_of(request: HttpRequest, name: str, found: Any, most: int) -> Page[Any]:
    """The page of a list that the address names; the nearest one where there is no such page."""
    return Paginator(found, most).get_page(request.GET.get(name))


def changing_part(request: HttpRequest, name: str, tag: str, context: Callable[[], Mapping[str, Any]]) -> HttpResponse:
    """The part of a tournament's page that reloads itself; 304 without calling `context` if nothing has changed."""
    template = f"admin/tournaments/tournament/{name}.html"
    answer = get_conditional_response(request, etag=tag) or TemplateResponse(request, template, dict(context()))
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def page_url(page: str, tournament: Tournament, *words: object) -> str:
    """The address of a tournament's page; empty where there is no such page."""
    try:
        return reverse(f"admin:tournaments_tournament_{page}", args=[tournament.pk, *words])
    except NoReverseMatch:
        return ""


def cash_url(page: str, tournament: Tournament, *words: object) -> str:
    """The address of a page of the club's cash desk, in a tournament's currency, with the way back to the tournament.

    `page` is the end of its URL name: `cash`, `cash_balances`.
    """
    query = {"tournament": str(tournament.pk)}
    if tournament.currency != tournament.club.currency:
        query["currency"] = tournament.currency
    address = reverse(f"admin:tournaments_club_{page}", args=[tournament.club_id, *words])
    return f"{address}?{urlencode(query)}"


def tournament_from(request: HttpRequest, club: Club) -> Tournament | None:
    """The club's tournament from whose pages the user came to pages of the club's money, as the address names it."""
    named = request.GET.get("tournament", "")
    return Tournament.objects.filter(club=club, pk=named).first() if IDENTITY.fullmatch(named) else None


def way_back(data: Mapping[str, Any]) -> str:
    """The address within this site that a form or a link names as `back`; empty without one."""
    back = str(data.get("back", ""))[:MOST_ADDRESS]
    return back if back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None) else ""


def go_on(request: HttpRequest, to: str, message: str) -> HttpResponse:
    """Redirect to an address or a page name, with a success message."""
    messages.success(request, message)
    return redirect(to)


def asks_for_part(request: HttpRequest) -> bool:
    """Whether HTMX asks only for the part of a page that changes."""
    htmx = getattr(request, "htmx", None)
    return isinstance(htmx, HtmxDetails) and bool(htmx)


MOST_DEVICE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class FormToken:
    """Sent with every form: the table's version that the user saw, and the idempotency key that identifies a resend."""

    version: int
    key: str = field(default_factory=lambda: str(uuid4()))


@dataclass(frozen=True, slots=True, kw_only=True)
class TableVisit:
    """A user or card holder on a table's page."""

    request: HttpRequest
    actor: Actor
    seen: LoadedTable

    def may(self, permission: Permission) -> bool:
        """Whether the visitor may do this here."""
        return may(self.actor, permission, self.seen.club, table=self.seen.row.pk)

    @property
    def is_over(self) -> bool:
        """Whether the table was closed or cancelled."""
        return self.seen.table.status is not Status.OPEN

    def may_record(self, kind: str) -> bool:
        """Whether the visitor may record an event of this kind."""
        table = self.seen.table
        # Seats may fix two entries that differ themselves; for everyone else these deals are disputed.
        disputed = table.locked if self.actor.seats else table.disputed
        return self.may(permission_for(kind, is_over=self.is_over, has_dispute=bool(disputed)))

    def require_to_record(self, kind: str) -> None:
        """Raises PermissionDenied for an event that is beyond the visitor's role."""
        if not self.may_record(kind):
            raise PermissionDenied

    def require(self, permission: Permission) -> None:
        """Raises PermissionDenied for what is beyond the visitor's role."""
        if not self.may(permission):
            raise PermissionDenied

    def refreshed(self) -> "TableVisit":
        """The same visit with the current state of the table."""
        loaded_table = desk(self.seen.row.id, None)
        if loaded_table is None:
            raise Http404
        return replace(self, seen=loaded_table)

    def fresh_envelope(self) -> FormToken:
        """The token for a new form."""
        return FormToken(version=self.seen.table.version)

    def sent_envelope(self) -> FormToken:
        """The token that came back with the form; an unreadable version becomes 0, an unreadable key a new one."""
        version = read_field(CarriedNumber(), self.request.POST, "version")
        key = read_field(KeyField(), self.request.POST, "key")
        return FormToken(version=version, **({"key": key} if key else {}))

    def command_context(self, envelope: FormToken) -> CommandContext:
        """The command context for an action of this visit."""
        return replace(_command_context(self.request, self.actor), key=envelope.key)

    def url(self, page: str, *words: object) -> str:
        """The address of another page of this table."""
        return reverse(f"admin:tournaments_table_{page}", args=[self.seen.row.pk, *words])

    def go(self, page: str = "score") -> HttpResponseRedirect:
        """Redirect to another page of this table."""
        return HttpResponseRedirect(self.url(page))

    def add_message(self, text: str, level: int = messages.SUCCESS) -> None:
        """Add a message for the next page."""
        messages.add_message(self.request, level, text)

    def page(self, template: str, context: Mapping[str, Any], **status: object) -> TemplateResponse:
        """A page of this table with the context that all of them share, `refused` or `stale` as in `page_status`."""
        base = {
            **admin.site.each_context(self.request),
            "visit": self,
            "seen": self.seen,
            "table": self.seen.table,
            "tournament": self.seen.tournament,
            "names": self.seen.names,
            "public_url": public_url("table", self.seen),
            "board_url": public_url("tournament", self.seen),
            "is_by_card": self.actor.card is not None,
            "enters_for": self.seen.names.get(self.actor.seats[0], "") if self.actor.seats else "",
            "night_url": page_url("night", self.seen.tournament) if self.may(Permission.DIRECT) else "",
            "tabs": self._tabs(),
            "preview_url": self.url("preview"),
        }
        whole, name = {**base, **context}, f"admin/tournaments/table/{template}"
        return TemplateResponse(self.request, name, whole, status=page_status(context, **status))

    def fragment(self, template: str, context: Mapping[str, Any]) -> TemplateResponse:
        """A part of a page, which replaces the earlier one."""
        base = {"seen": self.seen, "table": self.seen.table}
        return TemplateResponse(self.request, f"admin/tournaments/table/{template}", {**base, **context})

    def _tabs(self) -> list[dict[str, Any]]:
        """Tabs for the table's pages that the visitor may open."""
        pages = [("score", gettext("Score")), ("sheet", gettext("Score sheet")), ("log", gettext("History"))]
        if self.may(Permission.DIRECT):
            pages.append(("cards", gettext("Table card")))
        urls = [(title, self.url(page)) for page, title in pages]
        return [{"title": title, "url": url, "is_current": self.request.path == url} for title, url in urls]


TableView = Callable[..., HttpResponseBase]


def at_table(view: Callable[..., HttpResponse], permission: Permission = Permission.SEE) -> TableView:
    """A view of one table: it gets a visit instead of the request and the table's id."""

    @wraps(view)
    def visited(request: HttpRequest, table_id: UUID, **words: object) -> HttpResponseBase:
        actor = actor_in(request)
        visit = visit_of(request, actor, desk(table_id, clubs_of(actor, Permission.SEE)))
        visit.require(permission)
        return view(visit, **words)

    return admin.site.admin_view(visited)


def visit_of(request: HttpRequest, actor: Actor, seen: LoadedTable | None) -> TableVisit:
    """The visit of an actor, by the clock and in the amounts of the table's club; 404 for a table they may not see."""
    if seen is None:
        raise Http404
    timezone.activate(zone_of(seen.club.timezone))
    activate_locale(seen.club.locale)
    return TableVisit(request=request, actor=actor, seen=seen)


def command_context(request: HttpRequest, key: str | None = None) -> CommandContext:
    """The command context of the signed-in user."""
    context = _command_context(request, actor_in(request))
    return replace(context, key=key) if key else context


def _command_context(request: HttpRequest, actor: Actor) -> CommandContext:
    device = request.headers.get("User-Agent", "").replace("\x00", "")[:MOST_DEVICE]
    without_till: Literal["asked", "desk"] = "desk" if is_without_till(request) else "asked"
    return CommandContext(actor=actor.name, now=now(), device=device, seats=actor.seats, without_till=without_till)


# Entry money goes into a till; a user who takes it without one was asked, once a session.
WITHOUT_TILL = "without_till"


def is_without_till(request: HttpRequest) -> bool:
    """Whether the signed-in user has chosen to take money without a till."""
    return bool(request.session.get(WITHOUT_TILL))


def _asks_for_till(request: HttpRequest, tournament: Tournament) -> bool:
    """Whether to ask where the money goes: the user may take entry fees here, and their till is not open."""
    actor = actor_in(request)
    if is_without_till(request) or not may(actor, Permission.TAKE_ENTRY, tournament.club_id):
        return False
    return lacks_till(tournament, actor.name)


def public_url(page: str, seen: LoadedTable) -> str:
    """The table's public address; empty where it is not published."""
    tournament, club = seen.tournament, seen.club
    if not (club.is_published and tournament.is_published):
        return ""
    words: dict[str, object] = {"club_slug": club.slug, "slug": tournament.slug}
    if page == "table":
        words |= {"round": seen.row.round, "number": seen.row.number}
    try:
        return reverse(f"pages:{page}", kwargs=words)
    except NoReverseMatch:
        return ""


# Printing: the paper size and the file.

PDF = "application/pdf"
SIZES = {"a4": PageSize.A4, "letter": PageSize.LETTER}
REMEMBERED = "paper"


class PaperForm(forms.Form):
    """The paper size."""

    paper = forms.ChoiceField(choices=[(name, name) for name in SIZES])


def size_of(request: HttpRequest) -> PageSize:
    """The paper size that was asked for; by default A4, which most of the world uses."""
    paper_form = PaperForm({**request.GET.dict(), **request.POST.dict()})
    return SIZES[paper_form.cleaned_data["paper"]] if paper_form.is_valid() else PageSize.A4


def chosen_paper(request: HttpRequest) -> str:
    """The paper size chosen on this page, now or before; a choice is kept in the session."""
    paper = request.GET.get("paper", "")
    if paper in SIZES:
        request.session[REMEMBERED] = paper
    remembered_paper = request.session.get(REMEMBERED, "")
    return remembered_paper if remembered_paper in SIZES else "a4"


def pdf_answer(printed: Sequence[Printed], size: PageSize, name: str) -> FileResponse:
    """The PDF file, complete before it is sent."""
    file = BytesIO(pdf_of_all(printed, size))
    return FileResponse(file, as_attachment=True, filename=f"{name}.pdf", content_type=PDF)
