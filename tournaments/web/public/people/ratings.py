"""A club's ratings: every player's number with its uncertainty, its history, and the same for programs.

Rules: docs/how-to/seasons.md, "Ratings"; docs/how-to/publishing.md lists every field of the files. A rating is kept in
thousandths; pages show one decimal, spreadsheets two.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta
from fractions import Fraction
from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from scoring.seasons.ratings import CAUTION
from tournaments.models import Club, ClubReadings
from tournaments.printing.season_files import ratings_csv, ratings_workbook
from tournaments.projections.shown import version_shown
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.formatting import place_text, zone_of
from tournaments.seasons.dropped_results import left_after
from tournaments.seasons.queries import RatingView, player_rating, ratings_of_club, readings_of
from tournaments.web.public.base.answers import Context, page_tag, sealed_context, seen_club, unless_unchanged
from tournaments.web.public.base.exports import export_answer, left_out_count
from tournaments.web.public.base.words import moment, plain
from tournaments.web.public.people.season_rows import left_shown

Make = Callable[[Club, ClubReadings | None], HttpResponse]
TRAIL_WIDTH, TRAIL_HEIGHT, MOST_TRAIL = 60, 16, 12
TRAIL_BOX = f"-2 -2 {TRAIL_WIDTH + 4} {TRAIL_HEIGHT + 4}"
HUNDRED = 100
# How long a dropped tournament is named above the ratings.
LISTED_FOR = timedelta(days=31)


@require_safe
def ratings(request: HttpRequest, club_slug: str) -> HttpResponse:
    """List all ratings, the strongest first."""
    return _answer(request, club_slug, partial(_page, request))


@require_safe
def ratings_file(request: HttpRequest, club_slug: str, kind: str) -> HttpResponse:
    """Return the ratings as data, with their values after each tournament, or for a spreadsheet."""

    def make(club: Club, _: ClubReadings | None) -> HttpResponse:
        ratings = ratings_of_club(club)
        as_kind: dict[str, Callable[[list[RatingView]], Any]] = {
            "json": partial(ratings_json, club),
            "csv": ratings_csv,
            "xlsx": partial(ratings_workbook, club),
        }
        return export_answer(as_kind[kind](ratings), f"{club_slug}-ratings", kind)

    return _answer(request, club_slug, make)


def rating_shown(rating: RatingView) -> Context:
    """Format a rating in the language. `trail` is the path of a small chart; empty before the second tournament."""
    change = rating.change
    return {
        "place": place_text(rating.place, is_tied=rating.is_tied),
        "player": rating.player,
        "name": rating.name,
        "rating": tenths(rating.shown),
        "estimate": tenths(rating.mu),
        "doubt": tenths(CAUTION * rating.sigma),
        "nights": plain(rating.nights),
        "tables": plain(rating.tables),
        "change": "" if change is None else ("+" if change >= 0 else "") + tenths(change),
        "rises": change is not None and change >= 0,
        "trail": trail_path(rating.trail[-MOST_TRAIL:]),
        "has_page": rating.has_page,
    }


def rating_of_player(player_id: UUID) -> Context:
    """Return the context for the rating on a player's page; None before the first table that counts."""
    rating = player_rating(player_id)
    return {"rating": rating_shown(rating) if rating else None, "trail_box": TRAIL_BOX}


def tenths(thousandths: int) -> str:
    """Format a rating with one decimal, rounded half away from zero."""
    whole = (2 * abs(thousandths) + HUNDRED) // (2 * HUNDRED)
    return formatting.decimal(f"{'-' if thousandths < 0 and whole else ''}{whole // 10}.{whole % 10}")


def trail_path(trail: Sequence[int]) -> str:
    """Return the path of a rating over its last tournaments, from left to right; empty for a single one."""
    if len(trail) < 2:
        return ""
    low, high = min(trail), max(trail)
    span = max(high - low, 1)
    steps = [
        (Fraction(TRAIL_WIDTH * number, len(trail) - 1), TRAIL_HEIGHT - Fraction(TRAIL_HEIGHT * (value - low), span))
        for number, value in enumerate(trail)
    ]
    return "M" + "L".join(f"{round(x)} {round(y)}" for x, y in steps)


def _answer(request: HttpRequest, club_slug: str, make: Make) -> HttpResponse:
    """Respond with a tag: 304 while no tournament was added or changed, and no player renamed."""
    club = seen_club(request, club_slug)
    readings = readings_of(club.pk)
    version = (readings.computed_at, readings.due, readings.done) if readings else None
    tag = page_tag(request.path, club.name, club.timezone, club.is_published, version, version_shown(club))
    return unless_unchanged(request, tag, lambda: make(club, readings), is_shared=club.is_published)


def _page(request: HttpRequest, club: Club, readings: ClubReadings | None) -> HttpResponse:
    computed, zone = readings.computed_at if readings else None, zone_of(club.timezone)
    context = {
        "club": club,
        **sealed_context(club),
        "title": gettext("Ratings"),
        "description": gettext("Player ratings at {club}").format(club=club.name),
        "ratings": [rating_shown(rating) for rating in ratings_of_club(club)],
        "is_behind": readings is not None and readings.is_behind,
        "left": left_shown(left_after(club, computed - LISTED_FOR), zone) if computed else [],
        "computed": moment(computed, zone) if computed else None,
        "trail_box": TRAIL_BOX,
    }
    return render(request, "pages/ratings.html", context)


# The ratings for programs.


def ratings_json(club: Club, ratings: list[RatingView]) -> dict[str, Any]:
    """Return a club's ratings as data, in whole thousandths, with their values after each tournament."""
    data = {"club": club.slug, "unit": "thousandths", "ratings": [_rating(rating) for rating in ratings]}
    return data | left_out_count()


def _rating(rating: RatingView) -> dict[str, Any]:
    entry: dict[str, Any] = {"place": rating.place}
    if rating.is_tied:
        entry["is_tied"] = True
    return entry | {
        "name": rating.name,
        "player": rating.player,
        "rating": rating.shown,
        "estimate": rating.mu,
        "deviation": rating.sigma,
        "nights": rating.nights,
        "tables": rating.tables,
        "trail": rating.trail,
    }
