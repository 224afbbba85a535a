"""A season's public pages: standings with every tournament, one player's results, and the same as JSON, CSV and XLSX.

Rules: docs/how-to/seasons.md; access, and every field of the files: docs/how-to/publishing.md. Everything is read from
what workers have stored. Points that are not whole numbers are exact fractions as text in JSON, and rounded to two
decimals in a spreadsheet.
"""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language_bidi, gettext
from django.views.decorators.http import require_safe

from scoring.seasons import CategoryTable, SeasonRow
from tournaments.boards.players import hidden_in
from tournaments.models import Club, Season
from tournaments.models.people import search_key
from tournaments.printing.season_files import season_csv, season_workbook
from tournaments.projections.shown import version_shown
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.formatting import has_decimals, number_text, place_text, zone_of
from tournaments.rendering.i18n.translating import tie_breaks_text
from tournaments.rendering.left_out import lines_of
from tournaments.rendering.social_cards import Podium, Step, Tone
from tournaments.seasons.queries import SeasonView, season_of_club, season_view, seasons_of
from tournaments.web.public.base.answers import (
    is_public,
    page_tag,
    sealed_context,
    seen_club,
    seen_season,
    sees_hidden,
    unless_unchanged,
)
from tournaments.web.public.base.exports import export_answer, left_out_count
from tournaments.web.public.base.words import moment, plain
from tournaments.web.public.boards.sharing import STEPS, picture_answer
from tournaments.web.public.people.season_rows import (
    categories_shown,
    decided_shown,
    left_shown,
    moved_shown,
    tables_shown,
    tournaments_of_player,
    tournaments_shown,
)


@require_safe
def seasons(request: HttpRequest, club_slug: str) -> HttpResponse:
    """List a club's seasons, the latest first."""
    club = seen_club(request, club_slug)
    works_here = request.user.is_authenticated and sees_hidden(request, club)
    club_seasons = seasons_of(club, with_hidden=works_here)
    season_lines = lines_of(
        club_seasons, lambda each: {"season": each, "span": span_text(each), "is_public": each.is_published}
    )
    parts = [
        (season.pk, season.name, season.starts_on, season.ends_on, season.closed_at, season.is_published)
        for season in club_seasons
    ]

    def make() -> HttpResponse:
        described = gettext("Seasons at {club}, with their standings.").format(club=club.name)
        context = {"club": club, "title": gettext("Seasons"), "description": described, "seasons": season_lines}
        return render(request, "pages/seasons.html", context | sealed_context(club))

    is_shared = club.is_published and not works_here
    tag = page_tag("seasons", club.name, club.timezone, is_shared, parts)
    return unless_unchanged(request, tag, make, is_shared=is_shared)


@require_safe
def season(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Show the standings with the latest tournaments, every category, the formula in words, and corrections."""
    return _answer(request, club_slug, slug, partial(_page, request))


@require_safe
def season_picture(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Return the leaders of a season as PNG."""
    return _answer(request, club_slug, slug, lambda view: picture_answer(season_podium(view)))


def season_podium(view: SeasonView) -> Podium:
    """Build the picture of a season: the first three, or that nothing counts yet."""
    season, table = view.season, view.standings.tables[0]
    placed = [row for row in table.rows if row.place is not None]
    placed.sort(key=lambda row: (row.place or 0, search_key(view.names.get(row.player, ""))))
    decimals = has_decimals(row.total for row in placed[:STEPS])
    steps = tuple(
        Step(
            rank=row.place or 0,
            place=place_text(row.place or 0, is_tied=row.is_tied),
            name=view.names.get(row.player, ""),
            number=number_text(row.total, decimals=decimals),
        )
        for row in placed[:STEPS]
    )
    return Podium(
        club=season.club.name,
        title=season.name,
        about=span_text(season),
        state=gettext("Closed") if season.closed_at else gettext("Open"),
        tone=Tone.DONE if season.closed_at else Tone.LIVE,
        steps=steps,
        heading=gettext("Total") if steps else "",
        notice=("", "") if steps else (gettext("No tournament has been played and closed yet."), season.club.name),
        is_mirrored=get_language_bidi(),
    )


@require_safe
def season_file(request: HttpRequest, club_slug: str, slug: str, kind: str) -> HttpResponse:
    """Return the whole season as data, or for a spreadsheet."""
    make = {"json": season_json, "csv": season_csv, "xlsx": season_workbook}[kind]
    return _answer(request, club_slug, slug, lambda view: export_answer(make(view), f"{club_slug}-{slug}", kind))


@require_safe
def season_of_player(request: HttpRequest, club_slug: str, slug: str, player: UUID) -> HttpResponse:
    """Show every tournament of one player, how its points were computed, and whether it counts."""

    def make(view: SeasonView) -> HttpResponse:
        row = next((row for row in view.standings.tables[0].rows if row.player == str(player)), None)
        if row is None:
            raise Http404
        name = view.names.get(row.player, "")
        context = {
            **_context(view),
            "title": name,
            "description": gettext("Every tournament of {player} in {season}, and how the points were made.").format(
                player=name, season=view.season.name
            ),
            "name": name,
            "player": row.player,
            "place": "" if row.place is None else place_text(row.place, is_tied=row.is_tied),
            "total": number_text(row.total),
            "decided": decided_shown(row, view.formula),
            "attendance": row.attendance,
            "attendance_text": plain(row.attendance),
            "missing": row.missing,
            "played": tournaments_of_player(view, row, hidden_in(view.season.club, row.player)),
        }
        return render(request, "pages/season_player.html", context)

    return _answer(request, club_slug, slug, make)


def season_card(club: Club) -> dict[str, Any] | None:
    """Return the current or last season, for its club's page; None where none is published."""
    card = season_of_club(club)
    if card is None:
        return None
    decimals = has_decimals(leader.total for leader in card.first)
    first = [
        {
            "place": place_text(leader.place, is_tied=leader.is_tied),
            "player": leader.player,
            "name": leader.name,
            "total": number_text(leader.total, decimals=decimals),
            "is_first": leader.place == 1,
        }
        for leader in card.first
    ]
    return {"season": card.season, "span": span_text(card.season), "nights": card.nights, "first": first}


def span_text(season: Season) -> str:
    """Format its first and last day."""
    return f"{formatting.day(season.starts_on)} – {formatting.day(season.ends_on)}"


def _answer(
    request: HttpRequest, club_slug: str, slug: str, make: Callable[[SeasonView], HttpResponse]
) -> HttpResponse:
    """Respond with a tag: 304 if neither a tournament, a name nor the season itself has changed."""
    season = seen_season(request, club_slug, slug)
    is_shared = is_public(season)
    tag = page_tag(request.path, is_shared, *_version(season), version_shown(season.club))
    return unless_unchanged(request, tag, lambda: make(season_view(season)), is_shared=is_shared)


def _version(season: Season) -> tuple[Any, ...]:
    """Return the version of the season's content; it covers tournaments, formula and dates as last computed."""
    row: Any = season
    own = (season.pk, season.name, season.starts_on, season.ends_on, season.closed_at, season.formula)
    return (*own, season.club.name, season.club.timezone, row.table_computed_at, row.due != row.done)


def _page(request: HttpRequest, view: SeasonView) -> HttpResponse:
    season = view.season
    context = {
        **_context(view),
        "title": season.name,
        "description": gettext("{season} at {club}: standings over all tournaments, and how they are counted.").format(
            season=season.name, club=season.club.name
        ),
        "tables": tables_shown(view),
        "nights": tournaments_shown(view),
        "corrected": _corrected(view),
        "left": left_shown(view.left, zone_of(season.club.timezone)),
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
        "picture": reverse("pages:season_picture", args=[view.season.club.slug, view.season.slug])
        if is_public(view.season)
        else "",
        "drawn": view.position,
        "is_public": is_public(view.season),
        "span": span_text(view.season),
        "formula": view.formula,
        "categories": categories_shown(view.formula),
        "points_by_place": [plain(points) for points in view.formula.place_points],
        "tie_breaks": tie_breaks_text(view.formula.tie_breaks),
        "position": view.position,
        "computed": moment(view.computed_at, zone) if view.computed_at else None,
        "closed": moment(view.season.closed_at, zone) if view.season.closed_at else None,
        "has_factor": view.formula.points == "place" and view.formula.field_base is not None,
    }


def _corrected(view: SeasonView) -> list[dict[str, Any]]:
    """List tournaments corrected after they had been closed, and whether that was after the season was closed."""
    zone = zone_of(view.season.club.timezone)
    late = {result.tournament for result in view.corrected_since}
    return [
        {"night": result, "at": moment(result.corrected_at, zone), "is_late": result.tournament in late}
        for result in view.corrected
        if result.corrected_at is not None
    ]


# A season's standings for programs and spreadsheets.


def season_json(view: SeasonView) -> dict[str, Any]:
    """Return a season as data: every table, every tournament with each player's points."""
    season = view.season
    data = {
        "club": season.club.slug,
        "season": season.slug,
        "name": season.name,
        "starts_on": season.starts_on,
        "ends_on": season.ends_on,
        "is_closed": season.closed_at is not None,
        "position": view.position,
        "computed_at": view.computed_at,
        "formula": view.formula,
        "tables": [_table(table, view) for table in view.standings.tables],
    }
    corrected = [{"tournament": result.slug, "at": result.corrected_at} for result in view.corrected]
    dropped_results = [
        {
            "tournament": dropped.result.slug if dropped.result else None,
            "day": dropped.day,
            "why": dropped.why,
            "at": dropped.at,
        }
        for dropped in view.left
    ]
    rare = {"corrected": corrected, "left": dropped_results, "is_behind": view.is_behind, **left_out_count()}
    return data | {name: value for name, value in rare.items() if value}


def _table(table: CategoryTable, view: SeasonView) -> dict[str, Any]:
    nights = [
        {"tournament": view.results[key].slug if key in view.results else None, "players": field}
        | ({"name": past.name, "day": past.day} if (past := view.past.get(key)) else {})
        for key, field in zip(table.nights, table.fields, strict=True)
    ]
    data: dict[str, Any] = {"category": table.category} if table.category else {}
    return data | {"nights": nights, "standings": [_entry(row, view) for row in table.rows]}


def _entry(row: SeasonRow, view: SeasonView) -> dict[str, Any]:
    entry: dict[str, Any] = {"place": row.place}
    if row.is_tied:
        entry["is_tied"] = True
    if row.decided is not None:
        entry["decided"] = msgspec.structs.asdict(row.decided)
    entry |= {"name": view.names.get(row.player, ""), "player": row.player, "total": row.total}
    rare = {"attendance": row.attendance, "missing": row.missing}
    entry |= {name: value for name, value in rare.items() if value}
    entry["nights"] = [
        {
            "night": result.number,
            "place": result.place,
            "sharing": result.sharing,
            "points": result.points,
        }
        | ({} if result.counts else {"counts": False})
        for result in row.nights
    ]
    return entry
