"""A season's public pages: standings with every night, one player's nights, and the same as JSON and CSV.

Rules: docs/how-to/seasons.md; who may look: docs/how-to/publishing.md. Everything is read from what workers keep.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from tournaments.models import Club, Season
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.formatting import number_said
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.rendering.i18n.season_words import tie_breaks_said
from tournaments.rendering.left_out import lines_of
from tournaments.seasons.queries import SeasonView, club_names, season_of_club, season_view, seasons_of
from tournaments.web.public.base.answers import (
    is_season_public,
    page_tag,
    sealed_context,
    seen_club,
    seen_season,
    sees_hidden,
    unless_unchanged,
)
from tournaments.web.public.base.exports import CSV, JSON, XLSX, json_text
from tournaments.web.public.base.words import moment, place_said, plain
from tournaments.web.public.seasons.season_files import season_csv, season_json, season_workbook
from tournaments.web.public.seasons.season_rows import (
    categories_shown,
    decided_shown,
    left_shown,
    moved_shown,
    nights_of_player,
    nights_shown,
    tables_shown,
)


@require_safe
def seasons(request: HttpRequest, club_slug: str) -> HttpResponse:
    """A club's seasons, the latest first."""
    club = seen_club(request, club_slug)
    works_here = request.user.is_authenticated and sees_hidden(request, club)
    found = seasons_of(club, with_hidden=works_here)
    shown = lines_of(found, lambda each: {"season": each, "span": span_said(each), "is_public": each.is_published})
    parts = [(each.pk, each.name, each.starts_on, each.ends_on, each.closed_at, each.is_published) for each in found]

    def make() -> HttpResponse:
        described = gettext("Seasons at {club}, with their standings.").format(club=club.name)
        context = {"club": club, "title": gettext("Seasons"), "description": described, "seasons": shown}
        return render(request, "pages/seasons.html", context | sealed_context(club))

    is_shared = club.is_published and not works_here
    return unless_unchanged(request, page_tag("seasons", club.name, is_shared, parts), make, is_shared=is_shared)


@require_safe
def season(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The standings with the latest nights, every category, the formula in words, and what was corrected."""
    return _answer(request, club_slug, slug, _page)


@require_safe
def season_as_json(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The whole season as data."""

    def make(request: HttpRequest, shown: Season) -> HttpResponse:
        return HttpResponse(json_text(season_json(season_view(shown))), content_type=JSON)

    return _answer(request, club_slug, slug, make)


@require_safe
def season_as_csv(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The whole season for a spreadsheet."""

    def make(request: HttpRequest, shown: Season) -> HttpResponse:
        answer = HttpResponse(season_csv(season_view(shown)), content_type=CSV)
        answer.headers["Content-Disposition"] = f'attachment; filename="{shown.club.slug}-{shown.slug}.csv"'
        return answer

    return _answer(request, club_slug, slug, make)


@require_safe
def season_as_xlsx(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The whole season as a workbook."""

    def make(request: HttpRequest, shown: Season) -> HttpResponse:
        headers = {"Content-Disposition": f'attachment; filename="{shown.club.slug}-{shown.slug}.xlsx"'}
        return HttpResponse(season_workbook(season_view(shown)), content_type=XLSX, headers=headers)

    return _answer(request, club_slug, slug, make)


@require_safe
def season_of_player(request: HttpRequest, club_slug: str, slug: str, player: UUID) -> HttpResponse:
    """Every night of one player, with what made its points, and whether it counts."""

    def make(request: HttpRequest, shown: Season) -> HttpResponse:
        view = season_view(shown)
        row = next((row for row in view.standings.tables[0].rows if row.player == str(player)), None)
        if row is None:
            raise Http404
        name = view.names.get(row.player, "")
        context = {
            **_context(view),
            "title": name,
            "description": gettext("Every tournament of {player} in {season}, and how the points were made.").format(
                player=name, season=shown.name
            ),
            "name": name,
            "place": "" if row.place is None else place_said(row.place, is_tied=row.is_tied),
            "total": number_said(row.total),
            "decided": decided_shown(row, view.formula),
            "attendance": row.attendance,
            "attendance_said": plain(row.attendance),
            "missing": row.missing,
            "played": nights_of_player(view, row),
        }
        return render(request, "pages/season_player.html", context)

    return _answer(request, club_slug, slug, make)


def season_card(club: Club) -> dict[str, Any] | None:
    """The season that is on, or the last one, for its club's page; nothing where none is published."""
    card = season_of_club(club)
    if card is None:
        return None
    first = [
        {
            "place": place_said(each.place, is_tied=each.is_tied),
            "name": each.name,
            "total": number_said(each.total),
            "is_first": each.place == 1,
        }
        for each in card.first
    ]
    return {"season": card.season, "span": span_said(card.season), "nights": card.nights, "first": first}


def span_said(season: Season) -> str:
    """From its first day to its last."""
    return f"{formatting.day(season.starts_on)} – {formatting.day(season.ends_on)}"


def _answer(
    request: HttpRequest, club_slug: str, slug: str, make: Callable[[HttpRequest, Season], HttpResponse]
) -> HttpResponse:
    """The page with its tag: 304 where neither a night, a name nor the season itself has changed."""
    shown = seen_season(request, club_slug, slug)
    is_shared = is_season_public(shown)
    tag = page_tag(request.path, is_shared, *_version(shown), club_names(shown.club_id))
    return unless_unchanged(request, tag, lambda: make(request, shown), is_shared=is_shared)


def _version(season: Season) -> tuple[Any, ...]:
    """What stands for the season's content; nights, formula and dates are in what was worked out last."""
    row: Any = season
    own = (season.pk, season.name, season.starts_on, season.ends_on, season.closed_at, season.formula)
    return (*own, season.club.name, season.club.timezone, row.table_computed_at, row.due != row.done)


def _page(request: HttpRequest, shown: Season) -> HttpResponse:
    view = season_view(shown)
    context = {
        **_context(view),
        "title": shown.name,
        "description": gettext("{season} at {club}: standings over all tournaments, and how they are counted.").format(
            season=shown.name, club=shown.club.name
        ),
        "tables": tables_shown(view),
        "nights": nights_shown(view),
        "corrected": _corrected(view),
        "left": left_shown(view.left, zone_of(shown.club.timezone)),
        "moved": moved_shown(view),
        "is_behind": view.is_behind,
    }
    return render(request, "pages/season.html", context)


def _context(view: SeasonView) -> dict[str, Any]:
    zone = zone_of(view.season.club.timezone)
    return {
        "club": view.season.club,
        **sealed_context(view.season.club),
        "season": view.season,
        "is_public": is_season_public(view.season),
        "span": span_said(view.season),
        "formula": view.formula,
        "categories": categories_shown(view.formula),
        "points_said": [plain(each) for each in view.formula.place_points],
        "tie_breaks": tie_breaks_said(view.formula.tie_breaks),
        "position": view.position,
        "computed": moment(view.computed_at, zone) if view.computed_at else None,
        "closed": moment(view.season.closed_at, zone) if view.season.closed_at else None,
        "has_factor": view.formula.points == "place" and view.formula.field_base is not None,
    }


def _corrected(view: SeasonView) -> list[dict[str, Any]]:
    """Nights that were corrected after they had been closed, and whether that was after the season was."""
    zone = zone_of(view.season.club.timezone)
    late = {night.tournament for night in view.corrected_since}
    return [
        {"night": night, "at": moment(night.corrected_at, zone), "is_late": night.tournament in late}
        for night in view.corrected
        if night.corrected_at is not None
    ]
