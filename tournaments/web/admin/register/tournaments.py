"""Tournaments: made from a preset, changed until a table is open, closed when all of them are over.

Rules: docs/how-to/evening.md, "Before the tournament". Each page calls one command; a refused form keeps what was
typed.
"""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy

from scoring.rules.variants import PRESETS, VARIANTS
from tournaments.evenings.commands.create import change_tournament, create_tournament
from tournaments.log.context import tournament_turn
from tournaments.models import Club, EveningSheet, Table, Tournament
from tournaments.people.permissions import Deed
from tournaments.rendering.i18n.translating import translate
from tournaments.web.admin.base.command_forms import data_of, words_in
from tournaments.web.admin.base.request import order_of
from tournaments.web.admin.base.scoping import ClubScoped, OwnFilter, clubs_with
from tournaments.web.admin.books import export_pages, money_pages
from tournaments.web.admin.editing.held_fields import saved_said
from tournaments.web.admin.entries import entry_pages
from tournaments.web.admin.evenings import (
    clock_pages,
    cut_pages,
    night_pages,
    paper_pages,
    plan_pages,
    prize_pages,
    screen_pages,
)
from tournaments.web.admin.evenings.tournament_form import new_form, stored_form
from tournaments.web.admin.seating import draft_pages, move_pages
from tournaments.web.admin.tables import card_pages, table_pages

PageView = Callable[..., HttpResponseBase]
# Addresses below a tournament's, each with its view, what it asks of one's role, and its name.
PAGES: tuple[tuple[str, PageView, Deed, str], ...] = (
    ("seat/", table_pages.seat, Deed.DIRECT, "seat"),
    ("cards/", card_pages.all_cards, Deed.DIRECT, "cards"),
    ("money/", money_pages.money, Deed.SEE_MONEY, "money"),
    ("money/journal/", export_pages.tournament_journal, Deed.SEE_MONEY, "money_journal"),
    ("money/payouts/", export_pages.payouts, Deed.SEE_MONEY, "money_payouts"),
    ("money/summary/", export_pages.night_summary, Deed.SEE_MONEY, "money_summary"),
    ("settle/", money_pages.settle, Deed.SETTLE, "settle"),
    ("close/", night_pages.close, Deed.DIRECT, "close"),
    ("give-up/", night_pages.cancel, Deed.DIRECT, "cancel"),
    ("static-site/", night_pages.static_site, Deed.DIRECT, "static_site"),
    ("reopen/", night_pages.reopen, Deed.DIRECT, "reopen"),
    ("night/", night_pages.night_board, Deed.DIRECT, "night"),
    ("night/part/", night_pages.night_part, Deed.DIRECT, "night_part"),
    ("night/settle/", night_pages.settle_all, Deed.SETTLE, "settle_all"),
    ("plan/", plan_pages.plan, Deed.DIRECT, "plan"),
    ("cut/", cut_pages.cut, Deed.DIRECT, "cut"),
    ("prizes/", prize_pages.prizes, Deed.DIRECT, "prizes"),
    ("ties/", cut_pages.ties, Deed.DIRECT, "ties"),
    ("clock/", clock_pages.clock, Deed.DIRECT, "clock"),
    ("clock/part/", clock_pages.clock_part, Deed.DIRECT, "clock_part"),
    ("seating/", draft_pages.seating, Deed.DIRECT, "seating"),
    ("screens/", screen_pages.screens, Deed.DIRECT, "screens"),
    ("moves/", move_pages.moves, Deed.DIRECT, "moves"),
    *entry_pages.PAGES,
    *paper_pages.PAGES,
)


class GameFilter(admin.AllValuesFieldListFilter):
    """Tournaments by their game, which goes by its title."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        """The games that are played, in words."""
        for choice in super().choices(changelist):
            game = VARIANTS.get(str(choice["display"]))
            yield {**choice, "display": translate(game.title)} if game else choice


@admin.register(Tournament)
class TournamentAdmin(ClubScoped):
    """The tournaments of one's clubs, the latest first."""

    add_deed = Deed.DIRECT
    change_deed = Deed.DIRECT
    list_display = ("title", "club", "plays", "starts_at", "is_published", "closed_at", "pages")
    list_display_links = None
    list_filter = (("club", OwnFilter), ("variant", GameFilter), "is_published")
    list_select_related = ("club",)
    search_fields = ("name",)
    ordering = ("-starts_at",)
    show_full_result_count = False
    actions = None

    def get_urls(self) -> list[URLPattern]:
        """Own pages come first."""
        return [
            *(
                path(f"<uuid:tournament_id>/{route}", self._page(view, deed), name=_name(name))
                for route, view, deed, name in PAGES
            ),
            *super().get_urls(),
        ]

    @admin.display(description=gettext_lazy("Tournament"), ordering="name")
    def title(self, tournament: Tournament) -> SafeString:
        """The name in its own direction."""
        url = reverse("admin:tournaments_tournament_change", args=[tournament.pk])
        return format_html('<a href="{}"><bdi>{}</bdi></a>', url, tournament.name)

    @admin.display(description=gettext_lazy("Plays"), ordering="preset")
    def plays(self, tournament: Tournament) -> str:
        """The preset's name."""
        found = PRESETS.get(tournament.preset)
        return translate(found[1].title) if found else tournament.variant

    @admin.display(description=gettext_lazy("Go to"))
    def pages(self, tournament: Tournament) -> SafeString:
        """The ways on from here."""
        tables = reverse("admin:tournaments_table_changelist")
        return format_html('<a href="{}?tournament__id__exact={}">{}</a>', tables, tournament.pk, gettext("Tables"))

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """First the preset, then its options."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        clubs = clubs_with(request, Deed.DIRECT).order_by("name")
        sent = words_in(request.POST, "club", "preset")
        club = _chosen_club(clubs, sent["club"] or request.GET.get("club"))
        preset = sent["preset"] or request.GET.get("preset", "")
        if club is None or preset not in PRESETS:
            return self._answer(request, "presets.html", {"clubs": clubs, "presets": _preset_groups()})
        context = {"club": club, "clubs": clubs, "title": gettext("New tournament")}
        form = new_form(data_of(request), preset, club, now=now())
        if not form.is_bound:
            return self._answer(request, "form.html", {**context, "form": form})
        tournament = form.store(lambda draft: create_tournament(club, draft, order=order_of(request)))
        if tournament is None:
            return self._answer(request, "form.html", {**context, "form": form}, status=422)
        messages.success(
            request, gettext("{name} is set up. The dashboard shows the next step.").format(name=tournament.name)
        )
        return HttpResponseRedirect(reverse("admin:tournaments_tournament_night", args=[tournament.pk]))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The tournament with its tables; options and stakes are frozen once a table is open."""
        tournament = self.get_object(request, object_id)
        may_change = self.has_change_permission(request, tournament)
        tables = Table.objects.filter(tournament=tournament).select_related("scoresheet").order_by("round", "number")
        context = {
            "tournament": tournament,
            "club": tournament.club,
            "tables": tables,
            "is_frozen": bool(tables),
            "may_change": may_change,
            "has_plan": EveningSheet.objects.filter(tournament=tournament, has_plan=True).exists(),
            "title": tournament.name,
        }
        if request.method != "POST":
            return self._answer(request, "form.html", {**context, "form": stored_form(None, tournament)})
        if not may_change:
            raise PermissionDenied
        return self._change(request, tournament, context)

    def _change(self, request: HttpRequest, tournament: Tournament, context: dict[str, Any]) -> HttpResponse:
        """Take what was changed on the page, whatever else was changed since it was opened."""
        with tournament_turn(tournament.pk) as row:
            form = stored_form(request.POST, row)
            if form.clashes:
                return self._answer(request, "form.html", {**context, "form": form}, status=409)
            stored = form.store(lambda draft: change_tournament(row, draft, order=order_of(request)))
        if stored is None:
            return self._answer(request, "form.html", {**context, "form": form}, status=422)
        titles = [str(form.fields[name].label) for name in form.changed_data]
        messages.success(request, saved_said(form.draft().name, titles))
        return HttpResponseRedirect(reverse("admin:tournaments_tournament_change", args=[tournament.pk]))

    def _page(self, view: PageView, deed: Deed) -> Callable[..., HttpResponseBase]:
        """A page of one tournament: 404 outside one's clubs, 403 beyond one's role."""

        @wraps(view)
        def visited(request: HttpRequest, tournament_id: UUID, **words: object) -> HttpResponseBase:
            tournament = self.get_object(request, str(tournament_id))
            if not self.is_granted(request, deed, tournament):
                raise PermissionDenied
            return view(request, tournament, **words)

        return self.admin_site.admin_view(visited)

    def _answer(
        self, request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200
    ) -> TemplateResponse:
        base = {**self.admin_site.each_context(request), "opts": self.opts, "title": gettext("New tournament")}
        return TemplateResponse(request, f"admin/tournaments/tournament/{template}", {**base, **context}, status=status)


def _name(page: str) -> str:
    return f"tournaments_tournament_{page}"


def _chosen_club(clubs: Any, wanted: str | None) -> Club | None:
    """The club that was chosen, or the only one there is. Another club's does not exist."""
    found: dict[str, Club] = {str(club.pk): club for club in clubs}
    if wanted:
        if wanted not in found:
            raise Http404
        return found[wanted]
    return next(iter(found.values())) if len(found) == 1 else None


def _preset_groups() -> list[dict[str, Any]]:
    """Presets under the form of rummy that they belong to."""
    groups: dict[str, dict[str, Any]] = {}
    for rules, preset in PRESETS.values():
        group = groups.setdefault(rules.name, {"title": rules.title, "summary": rules.summary, "presets": []})
        group["presets"].append(preset)
    return list(groups.values())
