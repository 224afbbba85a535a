"""A season's standings and a club's ratings for machines and spreadsheets.

docs/how-to/publishing.md lists every field. Points that are no whole number are exact fractions as text in JSON, and
rounded to two decimals in CSV.
"""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from io import BytesIO
from typing import Any

import msgspec

from scoring.evening.state.played import said
from scoring.exports.spreadsheets import Sheet, write_workbook
from scoring.seasons import CategoryTable, SeasonRow
from scoring.seasons.ratings import THOUSANDTHS
from tournaments.models import Club
from tournaments.printing.files import Exact, csv_text
from tournaments.rendering.left_out import left_out
from tournaments.seasons.queries import RatingView, SeasonView

HEADING: tuple[Exact, ...] = (
    *("table", "place", "tied", "name", "player", "total", "nights", "nights_counted", "attendance", "nights_missing"),
    "decided_by",
)
RATINGS: tuple[Exact, ...] = ("place", "tied", "name", "player", "rating", "estimate", "deviation", "nights", "tables")


def season_json(view: SeasonView) -> dict[str, Any]:
    """A season as data: every table, every night with what it was worth to whom."""
    season = view.season
    told = {
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
    corrected = [{"tournament": night.slug, "at": night.corrected_at} for night in view.corrected]
    left = [
        {"tournament": each.night.slug if each.night else None, "day": each.day, "why": each.why, "at": each.at}
        for each in view.left
    ]
    rare = {"corrected": corrected, "left": left, "is_behind": view.is_behind, **_missing()}
    return told | {name: value for name, value in rare.items() if value}


def season_csv(view: SeasonView) -> str:
    """A season for a spreadsheet."""
    return csv_text(season_cells(view))


def season_cells(view: SeasonView) -> Iterator[list[Exact]]:
    """The heading, then a row for each player of each table, with the nights of all of them as columns."""
    nights = view.standings.tables[0].nights
    days = (view.day_of(night) for night in nights)
    titles: list[Exact] = [f"{number} {day.isoformat()}" if day else str(number) for number, day in enumerate(days, 1)]
    yield [*HEADING, *titles]
    yield from (_cells(table, row, view, nights) for table in view.standings.tables for row in table.rows)


def ratings_json(club: Club, ratings: list[RatingView]) -> dict[str, Any]:
    """A club's ratings as data, in whole thousandths, with what they were after each night."""
    told = {"club": club.slug, "unit": "thousandths", "ratings": [_rating(each) for each in ratings]}
    return told | _missing()


def ratings_csv(ratings: list[RatingView]) -> str:
    """A club's ratings for a spreadsheet, with two decimals."""
    return csv_text([RATINGS, *(list(_rating_cells(each)) for each in ratings)])


def _missing() -> dict[str, int]:
    """How many lines cannot be shown, where some cannot."""
    return {"left_out": missing} if (missing := left_out()) else {}


def _table(table: CategoryTable, view: SeasonView) -> dict[str, Any]:
    nights = [
        {"tournament": view.nights[night].slug if night in view.nights else None, "players": field}
        for night, field in zip(table.nights, table.fields, strict=True)
    ]
    told: dict[str, Any] = {"category": table.category} if table.category else {}
    return told | {"nights": nights, "standings": [_entry(row, view) for row in table.rows]}


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
        {"night": each.night, "place": each.place, "sharing": each.sharing, "points": each.points}
        | ({} if each.counts else {"counts": False})
        for each in row.nights
    ]
    return entry


def _cells(table: CategoryTable, row: SeasonRow, view: SeasonView, nights: tuple[str, ...]) -> list[Exact]:
    points = {table.nights[each.night]: each.points for each in row.nights}
    counted = sum(each.counts for each in row.nights)
    head: list[Exact] = [table.category, row.place, "yes" if row.is_tied else "no", view.names.get(row.player, "")]
    head += [row.player, _number(row.total), len(row.nights), counted, row.attendance, row.missing]
    head.append(row.decided.by if row.decided else None)
    return [*head, *(_number(points[night]) if night in points else None for night in nights)]


def _number(text: str) -> Exact:
    """Whole, or with two decimals."""
    exact = Fraction(text)
    return exact.numerator if exact.denominator == 1 else Decimal(said(exact))


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


def _rating_cells(rating: RatingView) -> Iterator[Exact]:
    yield from (rating.place, "yes" if rating.is_tied else "no", rating.name, rating.player)
    yield from (_decimal(number) for number in (rating.shown, rating.mu, rating.sigma))
    yield from (rating.nights, rating.tables)


def _decimal(thousandths: int) -> Decimal:
    return Decimal(said(Fraction(thousandths, THOUSANDTHS)))


def season_workbook(view: SeasonView) -> bytes:
    """A season in XLSX: all of its tables in one sheet."""
    file = BytesIO()
    heading, *rows = season_cells(view)
    sheet = Sheet(title="Season", heading=[str(title) for title in heading], rows=rows)
    write_workbook(file, [sheet], made_at=view.computed_at or view.season.created_at)
    return file.getvalue()
