"""Seasons and ratings for a spreadsheet, as CSV and XLSX.

docs/how-to/publishing.md names every column. Points that are not whole numbers are rounded to two decimals.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from io import BytesIO

from scoring.exports.spreadsheets import Sheet, write_workbook
from scoring.seasons import CategoryTable, SeasonRow
from scoring.seasons.ratings import THOUSANDTHS
from scoring.tournament.state.played import score_text
from tournaments.models import Club
from tournaments.printing.files import Exact, csv_text
from tournaments.seasons.queries import RatingView, SeasonView

HEADING: tuple[Exact, ...] = (
    *("table", "place", "tied", "name", "player", "total", "nights", "nights_counted", "attendance", "nights_missing"),
    "decided_by",
)


def season_csv(view: SeasonView) -> str:
    """Return a season for a spreadsheet."""
    return csv_text(season_cells(view))


def season_cells(view: SeasonView) -> Iterator[list[Exact]]:
    """Yield the heading, then a row for each player of each table, with the tournaments of all tables as columns."""
    tournaments = view.standings.tables[0].nights
    days = (view.day_of(tournament) for tournament in tournaments)
    titles: list[Exact] = [f"{number} {day.isoformat()}" if day else str(number) for number, day in enumerate(days, 1)]
    yield [*HEADING, *titles]
    yield from (_cells(table, row, view, tournaments) for table in view.standings.tables for row in table.rows)


def season_workbook(view: SeasonView) -> bytes:
    """Return a season as XLSX: all of its tables in one sheet."""
    file = BytesIO()
    heading, *rows = season_cells(view)
    sheet = Sheet(title="Season", heading=[str(title) for title in heading], rows=rows)
    write_workbook(file, [sheet], made_at=view.computed_at or view.season.created_at)
    return file.getvalue()


def _cells(table: CategoryTable, row: SeasonRow, view: SeasonView, tournaments: tuple[str, ...]) -> list[Exact]:
    points = {table.nights[result.number]: result.points for result in row.nights}
    counted = sum(result.counts for result in row.nights)
    head: list[Exact] = [table.category, row.place, "yes" if row.is_tied else "no", view.names.get(row.player, "")]
    head += [row.player, _number(row.total), len(row.nights), counted, row.attendance, row.missing]
    head.append(row.decided.by if row.decided else None)
    return [*head, *(_number(points[tournament]) if tournament in points else None for tournament in tournaments)]


def _number(text: str) -> Exact:
    """Format a number: whole, or with two decimals."""
    exact = Fraction(text)
    return exact.numerator if exact.denominator == 1 else Decimal(score_text(exact))


RATINGS: tuple[Exact, ...] = ("place", "tied", "name", "player", "rating", "estimate", "deviation", "nights", "tables")


def ratings_csv(ratings: list[RatingView]) -> str:
    """Return a club's ratings for a spreadsheet, with two decimals."""
    return csv_text([RATINGS, *(list(_rating_cells(rating)) for rating in ratings)])


def ratings_workbook(club: Club, ratings: list[RatingView]) -> bytes:
    """Return the same as XLSX."""
    return _workbook(club, "Ratings", RATINGS, (list(_rating_cells(rating)) for rating in ratings))


def _rating_cells(rating: RatingView) -> Iterator[Exact]:
    yield from (rating.place, "yes" if rating.is_tied else "no", rating.name, rating.player)
    for thousandths in (rating.shown, rating.mu, rating.sigma):
        yield Decimal(score_text(Fraction(thousandths, THOUSANDTHS)))
    yield from (rating.nights, rating.tables)


PLAYERS: tuple[Exact, ...] = ("name", "player", "tournaments", "last_seen")


def players_csv(rows: list[list[Exact]]) -> str:
    """Return a club's public list of players for a spreadsheet."""
    return csv_text([PLAYERS, *rows])


def players_workbook(club: Club, rows: list[list[Exact]]) -> bytes:
    """Return the same as XLSX."""
    return _workbook(club, "Players", PLAYERS, rows)


def _workbook(club: Club, title: str, heading: tuple[Exact, ...], rows: Iterable[list[Exact]]) -> bytes:
    file = BytesIO()
    # One moment for all of them: the same cells are the same bytes.
    write_workbook(file, [Sheet(title=title, heading=list(map(str, heading)), rows=rows)], made_at=club.created_at)
    return file.getvalue()
