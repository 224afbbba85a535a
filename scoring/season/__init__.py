"""Seasons and ratings: what many nights come to, worked out from each night's places and tables.

Rules: docs/seasons.md. Pure: knows no clock, no names, no pages and no storage.
"""

from scoring.season.formula import Category, Formula, dump_formula, load_formula, read_formula
from scoring.season.nights import Came, Night, SeasonNight, TablePlayed, dump_night, load_night
from scoring.season.standings import (
    CategoryTable,
    Counted,
    SeasonRow,
    SeasonStandings,
    dump_standings,
    load_standings,
    season_standings,
)
from scoring.season.tie_breaks import Decided

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
