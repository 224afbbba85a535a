"""Seasons in the back office: created and changed with a preview of the standings, closed for good, recalculated.

Rules: docs/how-to/seasons.md. Each page calls one command; a refused form keeps what was typed.
"""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from scoring.problems import EventNotAllowed, Problem
from scoring.seasons import CategoryTable
from scoring.seasons.formula import Formula, load_formula
from tournaments.log.context import club_lock
from tournaments.models import Season
from tournaments.people.permissions import Permission
from tournaments.projections.stale import mark_stale
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.formatting import has_decimals, number_text
from tournaments.rendering.i18n.translating import decided_text, tie_breaks_text, translate
from tournaments.seasons.commands import (
    change_season,
    close_season,
    closing_problems,
    create_season,
    has_begun,
    read_draft,
)
from tournaments.seasons.queries import preview, readings_of, season_view
from tournaments.web.admin.base.command_forms import words_in
from tournaments.web.admin.base.pages import Page, purpose
from tournaments.web.admin.base.request import go_on
from tournaments.web.admin.base.scoping import ClubScoped, OwnFilter, chosen_club, clubs_with
from tournaments.web.admin.register.season_form import SeasonForm, initial_formula, initial_of

MOST_SHOWN = 30


@admin.register(Season)
class SeasonAdmin(ClubScoped):
    """The seasons of the user's clubs, the latest first."""

    add_permission = Permission.DIRECT
    change_permission = Permission.DIRECT
    add_text = gettext_lazy("New season")
    list_display = ("title", "club", "starts_on", "ends_on", "is_published", "closed_at")
    headings = {
        "starts_on": gettext_lazy("First day"),
        "ends_on": gettext_lazy("Last day"),
        "is_published": gettext_lazy("Published"),
    }
    list_display_links = None
    list_filter = (("club", OwnFilter), "is_published")
    search_fields = ("name",)
    show_full_result_count = False
    actions = None

    @property
    def own_pages(self) -> Sequence[Page]:
        """Pages to close a season, and to recalculate its standings."""
        return (
            Page("close/", "close", self.close, Permission.DIRECT),
            Page("again/", "again", self.again, Permission.DIRECT),
            Page("progress/", "progress", self.progress, Permission.DIRECT, is_read_only=True),
        )

    @admin.display(description=gettext_lazy("Season"), ordering="name")
    def title(self, season: Season) -> SafeString:
        """The name as a link, isolated for its text direction."""
        url = reverse("admin:tournaments_season_change", args=[season.pk])
        return format_html('<a href="{}"><bdi>{}</bdi></a>', url, season.name)

    def add_view(self, request: HttpRequest, *args: Any, **words: Any) -> HttpResponse:
        """A new season of the user's only club, or of the chosen one."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        clubs = clubs_with(request, Permission.DIRECT).order_by("name")
        club = chosen_club(clubs, words_in(request.POST, "club")["club"] or request.GET.get("club"))
        context: dict[str, Any] = {"club": club, "clubs": clubs, "title": gettext("New season"), "may_change": True}
        if club is None:
            return self.answer(request, "season/form.html", context)
        if request.method != "POST":
            form = SeasonForm(initial=initial_formula(Formula()))
            return self.answer(request, "season/form.html", {**context, "form": form})
        form = SeasonForm(request.POST, categories=_typed_categories(request))
        if not form.is_valid() or "preview" in request.POST:
            return self._previewed(request, form, context)
        season = form.attempt(lambda: create_season(club, form.draft(), key=form.read["key"]))
        if season is None:
            return self.answer(request, "season/form.html", {**context, "form": form})
        return go_on(request, _url(season), gettext("{name} is set up.").format(name=season.name))

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **words: Any) -> HttpResponse:
        """The season with its standings; the formula is frozen once a tournament was played by it."""
        season: Season = self.get_object(request, object_id)
        if request.method != "POST":
            form = _form_of(season)
            return self.answer(request, "season/form.html", {**self._context(request, season), "form": form})
        if not self.has_change_permission(request, season):
            raise PermissionDenied
        with club_lock(season.club_id):
            row = Season.objects.select_related("club").get(pk=season.pk)
            return self._change(request, row)

    def _change(self, request: HttpRequest, season: Season) -> HttpResponse:
        """Store the fields changed on the page, keeping other changes since it was opened."""
        form, context = _form_of(season, request), self._context(request, season)
        if form.clashes:
            return self.answer(request, "season/form.html", {**context, "form": form}, stale=form.clashes)
        if not form.is_valid() or "preview" in request.POST:
            return self._previewed(request, form, context)
        if form.attempt(lambda: change_season(season, form.draft())) is None:
            return self.answer(request, "season/form.html", {**context, "form": form})
        return go_on(request, _url(season), form.saved_text(season.name))

    def _context(self, request: HttpRequest, season: Season) -> dict[str, Any]:
        """Context of a season's page beside its form."""
        is_closed = season.closed_at is not None
        return {
            "season": season,
            "stored": load_formula(season.formula),
            "club": season.club,
            "title": season.name,
            "may_change": self.has_change_permission(request, season),
            "is_frozen": is_closed or has_begun(season),
            "is_closed": is_closed,
            **_standings(season),
        }

    @purpose(gettext_noop("Close the season: its standings become final."))
    def close(self, request: HttpRequest, season: Season) -> HttpResponse:
        """Ask, then close the season with its current standings."""
        problems: tuple[Problem, ...] = ()
        if request.method == "POST":
            try:
                close_season(season, now=now())
            except EventNotAllowed as refused:
                problems = tuple(refused.problems)
            else:
                return go_on(request, _url(season), gettext("{name} is closed.").format(name=season.name))
        waiting = problems or tuple(closing_problems(season, now=now()))
        texts = [translate(problem.message) for problem in waiting]
        context = {"season": season, "club": season.club, "problems": texts, "is_refused": bool(problems)}
        context |= {"title": gettext("Close {name}").format(name=season.name), **_standings(season)}
        return self.answer(request, "season/close.html", context, refused=problems)

    def again(self, request: HttpRequest, season: Season) -> HttpResponse:
        """Have a worker read all tournaments of the club again."""
        if request.method == "POST":
            with club_lock(season.club_id):
                mark_stale(season.club_id)
            messages.success(request, gettext("Everything is being recalculated."))
        return HttpResponseRedirect(_url(season))

    def progress(self, request: HttpRequest, season: Season) -> HttpResponse:
        """The worker's progress: a part of the page that reloads itself until it is done."""
        return self.answer(request, "season/progress.html", {"season": season, **_progress(season)})

    def _previewed(self, request: HttpRequest, form: SeasonForm, context: dict[str, Any]) -> HttpResponse:
        """The form again, with its problems or with the standings that the formula gives for the tournaments so far."""
        draft = None if form.errors else form.draft()
        formula = form.attempt(lambda: read_draft(draft, stored=context.get("stored"))) if draft else None
        if draft is None or formula is None:
            return self.answer(request, "season/form.html", {**context, "form": form})
        standings, names = preview(
            context["club"], formula, draft.starts_on, draft.ends_on, season=context.get("season")
        )
        tables = [_table_shown(table, names) for table in standings.tables]
        context = {**context, **_words_of(formula), "previewed": tables, "form": form}
        return self.answer(request, "season/form.html", context)


def _form_of(season: Season, request: HttpRequest | None = None) -> SeasonForm:
    """The form of a stored season, or with a request, as it was sent."""
    formula, is_closed = load_formula(season.formula), season.closed_at is not None
    category_count = _typed_categories(request) if request else 0
    return SeasonForm(
        *([request.POST] if request else []),
        season=season,
        stored=formula,
        categories=max(len(formula.categories), category_count),
        is_frozen=is_closed or has_begun(season),
        is_closed=is_closed,
        initial=initial_of(season),
    )


def _url(season: Season) -> str:
    return reverse("admin:tournaments_season_change", args=[season.pk])


def _typed_categories(request: HttpRequest) -> int:
    """How many separate tables were named."""
    return sum(1 for name, value in request.POST.items() if name.startswith("category_") and value)


def _standings(season: Season) -> dict[str, Any]:
    """The season's current tables, and the worker's progress."""
    view = season_view(season)
    return {
        **_words_of(view.formula),
        "tables": [_table_shown(table, view.names) for table in view.standings.tables],
        "nights": len(view.standings.tables[0].nights),
        **_progress(season),
    }


def _words_of(formula: Formula) -> dict[str, Any]:
    """Context for describing the formula."""
    return {
        "formula": formula,
        "points_by_place": [formatting.number(points) for points in formula.place_points],
        "tie_breaks": tie_breaks_text(formula.tie_breaks),
    }


def _table_shown(table: CategoryTable, names: dict[str, str]) -> dict[str, Any]:
    """The first rows of a table, for a director."""
    decimals = has_decimals(row.total for row in table.rows)
    rows = [
        {
            "place": "–" if row.place is None else formatting.number(row.place),
            "name": names.get(row.player, ""),
            "total": number_text(row.total, decimals=decimals),
            "decided": decided_text(row.decided) if row.decided else "",
            "came": len(row.nights),
            "counted": sum(result.counts for result in row.nights),
        }
        for row in table.rows[:MOST_SHOWN]
    ]
    return {"category": table.category, "rows": rows, "others": len(table.rows) - len(rows)}


def _progress(season: Season) -> dict[str, Any]:
    readings = readings_of(season.club_id)
    return {"readings": readings, "is_behind": readings is not None and readings.is_behind}
