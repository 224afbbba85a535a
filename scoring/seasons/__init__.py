"""Seasons and ratings: what many nights come to, worked out from each night's places and tables.

Rules: docs/how-to/seasons.md. Pure: knows no clock, no names, no pages and no storage.
"""

from scoring.seasons.formula import (
    Came,
    Category,
    Formula,
    Night,
    SeasonNight,
    TablePlayed,
    dump_formula,
    dump_night,
    load_formula,
    load_night,
    read_formula,
)
from scoring.seasons.standings import (
    CategoryTable,
    Counted,
    Decided,
    SeasonRow,
    SeasonStandings,
    dump_standings,
    load_standings,
    season_standings,
)

__all__ = [
    "Came",
    "Category",
    "CategoryTable",
    "Counted",
    "Decided",
    "Formula",
    "Night",
    "SeasonNight",
    "SeasonRow",
    "SeasonStandings",
    "TablePlayed",
    "dump_formula",
    "dump_night",
    "dump_standings",
    "load_formula",
    "load_night",
    "load_standings",
    "read_formula",
    "season_standings",
]
