"""Formats a season's standings: each row with its latest tournaments, each number in the language of the page.

Rules: docs/how-to/seasons.md. Knows nothing of requests.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import tzinfo

from django.utils.translation import gettext, gettext_noop

from scoring.rules.variants import PRESETS, VARIANTS
from scoring.seasons import CategoryTable, Counted, SeasonRow, place_worth
from scoring.seasons.formula import Category, Formula, load_past
from tournaments.models.people import search_key
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.formatting import has_decimals, number_text, place_text, zone_of
from tournaments.rendering.i18n.translating import decided_text, translate
from tournaments.seasons.dropped_results import DroppedResult
from tournaments.seasons.queries import PlaceChange, SeasonView
from tournaments.seasons.results import StoredResult
from tournaments.web.public.base.answers import Context
from tournaments.web.public.base.words import moment, plain

LEFT = {
    "reopened": gettext_noop("Reopened on {day}"),
    "given_up": gettext_noop("Abandoned on {day}"),
    "unpublished": gettext_noop("No longer published since {day}"),
}
# Columns of tournaments in a table: more do not fit, and each player's own page has all of them.
MOST_COLUMNS = 8


def tables_shown(view: SeasonView) -> list[Context]:
    """Return every table of a season; a category without a tournament is omitted."""
    tables = view.standings.tables
    return [_table(table, view) for number, table in enumerate(tables) if number == 0 or table.nights]


def tournaments_of_player(view: SeasonView, row: SeasonRow, hidden: Collection[str]) -> list[Context]:
    """Return all of a player's tournaments in the table of all tournaments, the latest first.

    Those where the player is `hidden` count, but have no name: that would lead to a leaderboard without the player.
    """
    table = view.standings.tables[0]
    shown = [
        tournament | {"name": "", "slug": ""} if key in hidden else tournament
        for key, tournament in zip(table.nights, _tournaments(table, view), strict=True)
    ]
    decimals = has_decimals(result.points for result in row.nights)
    return [
        _tournament_of_player(view.formula, result, shown, table, decimals=decimals)
        | {"is_counted_by_club": _has_own_points(view, table.nights[result.number])}
        for result in reversed(row.nights)
    ]


def moved_shown(view: SeasonView) -> list[Context]:
    """Format the places and totals that would be different today."""
    return [_moved(change, view.names) for change in view.moved]


def decided_shown(row: SeasonRow, formula: Formula) -> str:
    """Describe what separated a player from others with the same total, or that no tie-break did."""
    if row.decided is not None:
        return decided_text(row.decided)
    return gettext("tied on every tie-break") if row.is_tied and formula.tie_breaks else ""


def categories_shown(formula: Formula) -> list[tuple[str, str]]:
    """Return each category with a table of its own, and the games that count there."""
    return [(category.name, formatting.listed(_games(category))) for category in formula.categories]


def left_shown(left: Iterable[DroppedResult], zone: tzinfo) -> list[Context]:
    """Return the tournaments that no longer count, with reason and time on the club's clock, for display.

    The name is empty where it is no longer public; a tournament `may_return` where it only has to be closed again.
    """
    return [
        {
            "text": _left_text(dropped, zone),
            "name": dropped.result.name if dropped.result else "",
            "slug": dropped.result.slug if dropped.result else "",
            "day": formatting.day(dropped.day),
            "may_return": dropped.why == "reopened",
        }
        for dropped in left
    ]


def tournaments_shown(view: SeasonView) -> list[Context]:
    """Return the tournaments of the season, the latest first."""
    return list(_tournaments(view.standings.tables[0], view))[::-1]


def _table(table: CategoryTable, view: SeasonView) -> Context:
    latest = range(max(0, len(table.nights) - MOST_COLUMNS), len(table.nights))
    tournaments = list(_tournaments(table, view))
    # Tied players are in the order of their names.
    placed = [row for row in table.rows if row.place is not None]
    placed.sort(key=lambda row: (row.place or 0, search_key(view.names.get(row.player, ""))))
    waiting = [row for row in table.rows if row.place is None]
    decimals = has_decimals(row.total for row in table.rows)
    points: dict[int, list[str]] = {}
    for row in table.rows:
        for result in row.nights:
            points.setdefault(result.number, []).append(result.points)
    with_decimals = {number for number in latest if has_decimals(points.get(number, ()))}
    rows = tuple(_row(row, view, latest, decimals=decimals, with_decimals=with_decimals) for row in (*placed, *waiting))
    return {
        "category": table.category,
        "columns": tuple(tournaments[number] for number in latest),
        "rows": rows,
        "nights": len(table.nights),
        "has_older": len(table.nights) > MOST_COLUMNS,
        "has_attendance": view.formula.attendance > 0,
        "has_decided": any(row["decided"] for row in rows),
    }


def _games(category: Category) -> list[str]:
    """List whole games, then presets; those no longer offered by their stored name."""
    titles = {name: rules.title for name, rules in VARIANTS.items()}
    whole = [_offered(titles.get(name), name) for name in category.variants]
    presets = {name: preset.title for name, (_, preset) in PRESETS.items()}
    return whole + [_offered(presets.get(name), name) for name in category.presets]


def _offered(title: str | None, name: str) -> str:
    return translate(title) if title is not None else gettext("{game} (no longer offered)").format(game=name)


def _row(row: SeasonRow, view: SeasonView, latest: range, *, decimals: bool, with_decimals: Collection[int]) -> Context:
    """Format a row; `decimals` are those of the totals, `with_decimals` the tournaments whose points have them."""
    own = {result.number: result for result in row.nights}
    return {
        "place": "" if row.place is None else place_text(row.place, is_tied=row.is_tied),
        "player": row.player,
        "name": view.names.get(row.player, ""),
        "total": number_text(row.total, decimals=decimals),
        "came": plain(len(row.nights)),
        "counted": plain(sum(result.counts for result in row.nights)),
        "attendance": plain(row.attendance),
        "missing": row.missing,
        "is_first": row.place == 1,
        "decided": decided_shown(row, view.formula),
        "cells": tuple(_cell(own.get(number), decimals=number in with_decimals) for number in latest),
    }


def _cell(result: Counted | None, *, decimals: bool) -> Context:
    """Format a player's result of one tournament in the table: empty for a missed one."""
    points = number_text(result.points, decimals=decimals) if result else ""
    return {"points": points, "counts": bool(result and result.counts)}


def _tournaments(table: CategoryTable, view: SeasonView) -> Iterator[Context]:
    """Return the tournaments of a table by their numbers. An unpublished one has no name here, but still counts."""
    zone = zone_of(view.season.club.timezone)
    left_by_id = {dropped.id: dropped for dropped in view.left}
    for number, (key, field) in enumerate(zip(table.nights, table.fields, strict=True), 1):
        result: StoredResult | None = view.results.get(key)
        past = view.past.get(key)
        corrected = result.corrected_at if result else None
        day = view.day_of(key)
        yield {
            "number": plain(number),
            "name": result.name if result else past.name if past else "",
            "slug": result.slug if result else "",
            "is_imported": past is not None,
            "day": formatting.day(day) if day else "",
            "players": plain(field),
            "corrected": moment(corrected, zone) if corrected else None,
            "left": _left_text(left_by_id[key], zone) if key in left_by_id else "",
        }


def _left_text(left: DroppedResult, zone: tzinfo) -> str:
    """Describe what happened to a tournament, and when."""
    if left.at is None:
        return gettext("No longer published")
    return gettext(LEFT[left.why]).format(day=moment(left.at, zone).day)


def _tournament_of_player(
    formula: Formula, own: Counted, tournaments: list[Context], table: CategoryTable, *, decimals: bool
) -> Context:
    worth = place_worth(formula, own.place, own.sharing)
    return {
        "night": tournaments[own.number],
        "place": place_text(own.place, is_tied=own.sharing > 1),
        "points": number_text(own.points, decimals=decimals),
        "counts": own.counts,
        "shares": own.sharing,
        "worth": number_text(str(worth)),
        "field": plain(table.fields[own.number]),
        "base": plain(formula.field_base or 0),
    }


def _has_own_points(view: SeasonView, tournament: str) -> bool:
    """Whether the points of a tournament are those that the club counted before it was imported."""
    past = view.past.get(tournament)
    return past is not None and bool(load_past(past.state).points)


def _moved(moved: PlaceChange, names: dict[str, str]) -> Context:
    def place(row: SeasonRow | None) -> str:
        return place_text(row.place, is_tied=row.is_tied) if row and row.place is not None else "–"

    return {
        "name": names.get(moved.player, ""),
        "before": number_text(moved.before.total) if moved.before else "–",
        "after": number_text(moved.after.total) if moved.after else "–",
        "place_before": place(moved.before),
        "place_after": place(moved.after),
    }
