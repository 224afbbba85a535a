"""The formula of a season: points by place or by score, which tournaments count, and points for attendance.

Rules: docs/how-to/seasons.md, "The formula". A season stores its whole formula, so that no later default changes a
place. Knows nothing of nights or players.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from scoring.json_text import kept_as
from scoring.messages import say
from scoring.options import Options, about, read_options
from scoring.problems import OptionsRejected, Problem, refuse_if

MOST_NIGHTS = 400
MOST_CATEGORIES = 12
TieBreak = Literal["best_night", "second_night", "most_wins", "more_nights", "fewer_nights", "head_to_head"]
TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)
# These are mutually exclusive: more tournaments and fewer tournaments cannot both be better.
MOST_TIE_BREAKS = len(TIE_BREAKS) - 1


class Category(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Nights that have a table of their own beside the season's: those of some games, or of some presets."""

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    variants: Annotated[tuple[str, ...], Meta(max_length=20)] = ()
    presets: Annotated[tuple[str, ...], Meta(max_length=60)] = ()

    def takes(self, variant: str, preset: str) -> bool:
        """Whether a tournament of this game counts here."""
        return variant in self.variants or (preset != "" and preset in self.presets)


class Formula(Options, frozen=True, kw_only=True):
    """How a season counts, for all of its tables alike."""

    points: Annotated[
        Literal["place", "score"], about("A night is worth points for the place, or what was scored that night")
    ] = "place"
    place_points: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=100_000)], ...],
        about("Points for the places of a night, the winner's first", min_length=1, max_length=200),
    ] = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
    field_base: Annotated[
        Annotated[int, Meta(ge=2, le=1000)] | None,
        about("A night of so many players counts once, of twice as many twice; none: all nights alike"),
    ] = None
    best: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_NIGHTS)] | None,
        about("So many of a player's best nights count; none: all of them"),
    ] = None
    drop_worst: Annotated[
        int, about("So many of the worst nights do not count; missed ones go first", ge=0, le=MOST_NIGHTS)
    ] = 0
    minimum_nights: Annotated[int, about("Whoever came to fewer nights has no place", ge=0, le=MOST_NIGHTS)] = 0
    attendance: Annotated[
        int, about("Points for each night that a player came to, whether it counts or not", ge=0, le=100_000)
    ] = 0
    tie_breaks: Annotated[
        tuple[TieBreak, ...], about("What decides between players level on points", max_length=MOST_TIE_BREAKS)
    ] = ()
    categories: Annotated[
        tuple[Category, ...], about("Tables of their own for some games", max_length=MOST_CATEGORIES)
    ] = ()


def read_formula(raw: Mapping[str, object]) -> Formula:
    """A formula from untrusted JSON. Raises OptionsRejected with every problem."""
    formula = read_options(Formula, raw)
    refuse_if(formula_problems(formula), OptionsRejected)
    return formula


def formula_problems(formula: Formula) -> list[Problem]:
    """Settings of a formula that contradict each other."""
    problems = []
    if any(later > earlier for earlier, later in pairwise(formula.place_points)):
        detail = say("a later place cannot be worth more than an earlier one")
        problems.append(Problem("out_of_range", detail, field="place_points"))
    if formula.points == "score" and formula.field_base is not None:
        detail = say("the number of players changes points for places; here the score counts")
        problems.append(Problem("not_a_choice", detail, field="field_base"))
    problems += _tie_break_problems(formula.tie_breaks)
    names = Counter(category.name.strip().casefold() for category in formula.categories)
    if "" in names or max(names.values(), default=0) > 1:
        problems.append(Problem("missing_name", say("each category needs a name of its own"), field="categories"))
    problems += [
        Problem("missing_field", say("{name}: choose which games count", name=category.name), field="categories")
        for category in formula.categories
        if not (category.variants or category.presets)
    ]
    return problems


def _tie_break_problems(breaks: Sequence[str]) -> list[Problem]:
    problems = []
    if len(set(breaks)) < len(breaks):
        problems.append(Problem("not_a_choice", say("a tie-break is listed twice"), field="tie_breaks"))
    if {"more_nights", "fewer_nights"} <= set(breaks):
        detail = say("more tournaments and fewer tournaments cannot both be better")
        problems.append(Problem("not_a_choice", detail, field="tie_breaks"))
    return problems


# A tournament as seasons and ratings need it: who attended, with place and score, and how each table ended.


class Came(msgspec.Struct, frozen=True, array_like=True):
    """One player who attended a tournament: the place, how many share it, and the score, of which more is better."""

    player: str
    place: int
    sharing: int
    score: int


class TablePlayed(msgspec.Struct, frozen=True, array_like=True):
    """A table with a result: its players, and each one's place. Those with the same place were tied."""

    players: tuple[str, ...]
    places: tuple[int, ...]


class TournamentResult(msgspec.Struct, frozen=True):
    """The stored data of a tournament. Tables are in the order of rounds and numbers."""

    came: tuple[Came, ...]
    tables: tuple[TablePlayed, ...]


class PastStandings(msgspec.Struct, frozen=True, omit_defaults=True):
    """The stored data of an imported tournament: places by player, and points in hundredths where the club counted."""

    places: dict[str, int]
    points: dict[str, int] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonTournament:
    """A tournament of a season: its number, what was played, and who attended.

    An imported one has no game, and may have the `points` that the club counted itself.
    """

    id: str
    variant: str
    preset: str
    came: tuple[Came, ...]
    points: Mapping[str, Fraction] = field(default_factory=dict)


def past_tournament(tournament_id: str, standings: PastStandings) -> SeasonTournament:
    """An imported tournament as a season counts it."""
    sharing = Counter(standings.places.values())
    return SeasonTournament(
        id=tournament_id,
        variant="",
        preset="",
        came=tuple(
            Came(player, place, sharing[place], 0)
            for player, place in sorted(standings.places.items(), key=lambda item: (item[1], item[0]))
        ),
        points={player: Fraction(hundredths, 100) for player, hundredths in standings.points.items()},
    )


dump_formula, load_formula = kept_as(Formula)
dump_result, load_result = kept_as(TournamentResult)
dump_past, load_past = kept_as(PastStandings)
