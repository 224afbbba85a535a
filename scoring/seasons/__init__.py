"""The standings of a season: each player's tournaments with their points, which of them count, and the places.

Rules: docs/how-to/seasons.md, "Standings". All numbers are exact: points that are shared or scaled are fractions and
are stored as text. Knows nothing of names, dates or pages.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

import msgspec

from scoring.json_text import kept_as
from scoring.seasons.formula import Came, Formula, SeasonTournament

# Players with the same points in a season: the formula's tie-breaks in their order, and the result of each.

# The value of a player without such a tournament: below all others.
NOTHING = ""


class Decided(msgspec.Struct, frozen=True, array_like=True):
    """The tie-break that separated players with the same points, the player's value in it, and the others'.

    Both are exact numbers as text; empty for a player without such a tournament.
    """

    by: str
    own: str
    against: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A player's place and points in one tournament."""

    number: int
    place: int
    sharing: int
    points: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A player with all tournaments attended. `broken_by` is the value in each tie-break; a higher one is better."""

    player: str
    results: Sequence[Scored]
    broken_by: tuple[tuple[str, Fraction | None], ...] = ()


Group = Sequence[Contender]


def parted(level: Group, breaks: Sequence[str]) -> Iterator[list[Contender]]:
    """Tied players as smaller groups, best first: those of one group stay tied."""
    if len(level) < 2 or not breaks:
        yield list(level)
        return
    numbers = _RULES[breaks[0]](level)
    contenders = [
        Contender(
            player=contender.player,
            results=contender.results,
            broken_by=(*contender.broken_by, (breaks[0], numbers[contender.player])),
        )
        for contender in level
    ]
    for _, group in groupby(sorted(contenders, key=_last), key=_last):
        yield from parted(list(group), breaks[1:])


def decided(groups: Sequence[Group]) -> Iterator[Decided | None]:
    """For each group of tied players: what put it behind the one before, or before the next; None for the only one."""
    for number, group in enumerate(groups):
        other = groups[number - 1] if number else next(iter(groups[1:]), None)
        yield None if other is None else _decided(group[0], other[0])


def _decided(one: Contender, other: Contender) -> Decided | None:
    for (name, own), (_, against) in zip(one.broken_by, other.broken_by, strict=False):
        if own != against:
            return Decided(by=name, own=_written(name, own), against=_written(name, against))
    return None


def _last(contender: Contender) -> tuple[bool, Fraction]:
    """The value of the last tie-break, for sorting best first; players without one come last."""
    number = contender.broken_by[-1][1]
    return number is None, -(number or Fraction(0))


def _written(name: str, number: Fraction | None) -> str:
    if number is None:
        return NOTHING
    return str(-number if name == "fewer_nights" else number)


# --- The values of everyone in a group for each tie-break ---------------------------------------------------------


def _each(number: Callable[[Sequence[Scored]], Fraction | int | None]) -> Callable[[Group], dict[str, Fraction | None]]:
    """A tie-break that looks at each player alone."""

    def numbers(group: Group) -> dict[str, Fraction | None]:
        own = {contender.player: number(contender.results) for contender in group}
        return {player: None if value is None else Fraction(value) for player, value in own.items()}

    return numbers


def _best(rank: int) -> Callable[[Sequence[Scored]], Fraction | None]:
    """The points of the best tournament, or of the second-best."""

    def points(results: Sequence[Scored]) -> Fraction | None:
        ordered = sorted((result.points for result in results), reverse=True)
        return ordered[rank - 1] if len(ordered) >= rank else None

    return points


def _head_to_head(group: Group) -> dict[str, Fraction | None]:
    """How many of the others each one beat; nothing for all where that does not put the whole group in order."""
    places = {contender.player: {result.number: result.place for result in contender.results} for contender in group}
    wins = {
        player: sum(_beats(places[player], places[other]) for other in places if other != player) for player in places
    }
    is_order = sorted(wins.values()) == list(range(len(group)))
    return {player: Fraction(won) if is_order else None for player, won in wins.items()}


def _beats(one: Mapping[int, int], other: Mapping[int, int]) -> bool:
    """Placed before the other more often than behind, in the tournaments that both attended."""
    both = one.keys() & other.keys()
    return sum(one[number] < other[number] for number in both) > sum(one[number] > other[number] for number in both)


_RULES: Mapping[str, Callable[[Group], dict[str, Fraction | None]]] = {
    "best_night": _each(_best(1)),
    "second_night": _each(_best(2)),
    "most_wins": _each(lambda results: sum(result.place == 1 for result in results)),
    "more_nights": _each(len),
    "fewer_nights": _each(lambda results: -len(results)),
    "head_to_head": _head_to_head,
}

# The category of the table in which every tournament counts.
ALL_TOURNAMENTS = ""


class Counted(msgspec.Struct, frozen=True, array_like=True):
    """One tournament of a player: its number in the table, from 0, place, how many share it, points, and whether
    they count. `points` is an exact fraction as text."""

    number: int
    place: int
    sharing: int
    points: str
    counts: bool


class SeasonRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One player of a season. `place` is None while tournaments are `missing` for one; `attendance` is in points.

    `decided` is what separated the player from others with the same total.
    """

    player: str
    total: str
    nights: tuple[Counted, ...]
    place: int | None = None
    is_tied: bool = False
    attendance: int = 0
    missing: int = 0
    decided: Decided | None = None


class CategoryTable(msgspec.Struct, frozen=True, kw_only=True):
    """The standings over some tournaments, oldest first, each with the number of its players."""

    category: str
    nights: tuple[str, ...]
    fields: tuple[int, ...]
    rows: tuple[SeasonRow, ...]


class SeasonStandings(msgspec.Struct, frozen=True, kw_only=True):
    """Every table of a season, that of all its tournaments first."""

    tables: tuple[CategoryTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """A player's row before its place, with the total as a number."""

    row: SeasonRow
    total: Fraction


def season_standings(formula: Formula, tournaments: Sequence[SeasonTournament]) -> SeasonStandings:
    """Every table of a season. `tournaments` are those that count, oldest first."""
    tables = [_table(formula, ALL_TOURNAMENTS, tournaments)]
    for category in formula.categories:
        own = [tournament for tournament in tournaments if category.takes(tournament.variant, tournament.preset)]
        tables.append(_table(formula, category.name, own))
    return SeasonStandings(tables=tuple(tables))


def tournament_points(formula: Formula, came: Sequence[Came]) -> dict[str, Fraction]:
    """The points of each player who attended a tournament. Players who share places share their points evenly."""
    if formula.points == "score":
        return {attendee.player: Fraction(attendee.score) for attendee in came}
    factor = Fraction(len(came), formula.field_base) if formula.field_base else Fraction(1)
    shared = {attendee.place: attendee.sharing for attendee in came}
    worth = {place: place_worth(formula, place, sharing) * factor for place, sharing in shared.items()}
    return {attendee.player: worth[attendee.place] for attendee in came}


def place_worth(formula: Formula, place: int, sharing: int) -> Fraction:
    """The points of a place before the size of the field: the mean of the places that are shared."""
    return Fraction(sum(formula.place_points[place - 1 : place - 1 + sharing]), sharing)


def number_that_counts(formula: Formula, attended: int, held: int) -> int:
    """How many of a player's tournaments count. Missed ones are dropped first, and one always counts."""
    dropped = min(max(0, formula.drop_worst - (held - attended)), max(0, attended - 1))
    remaining = attended - dropped
    return remaining if formula.best is None else min(remaining, formula.best)


def _table(formula: Formula, category: str, tournaments: Sequence[SeasonTournament]) -> CategoryTable:
    results: dict[str, list[Scored]] = {}
    for number, tournament in enumerate(tournaments):
        points = tournament.points or tournament_points(formula, tournament.came)
        for came in tournament.came:
            scored = Scored(number=number, place=came.place, sharing=came.sharing, points=points[came.player])
            results.setdefault(came.player, []).append(scored)
    return CategoryTable(
        category=category,
        nights=tuple(tournament.id for tournament in tournaments),
        fields=tuple(len(tournament.came) for tournament in tournaments),
        rows=tuple(_rows(formula, results, len(tournaments))),
    )


def _rows(formula: Formula, results: Mapping[str, Sequence[Scored]], held: int) -> Iterator[SeasonRow]:
    """Players with a place, best first, then those who still miss tournaments. Tied players share a place."""
    made_rows = sorted((_made(formula, player, own, held) for player, own in results.items()), key=_by_total)
    place = 1
    for _, level in groupby(
        (made_row for made_row in made_rows if not made_row.row.missing), key=lambda each: each.total
    ):
        rows = {made_row.row.player: made_row.row for made_row in level}
        contenders = [Contender(player=player, results=results[player]) for player in rows]
        groups = list(parted(contenders, formula.tie_breaks))
        for group, why in zip(groups, decided(groups), strict=True):
            for player in sorted(contender.player for contender in group):
                yield msgspec.structs.replace(rows[player], place=place, is_tied=len(group) > 1, decided=why)
            place += len(group)
    yield from (made_row.row for made_row in made_rows if made_row.row.missing)


def _by_total(made: _Made) -> tuple[Fraction, str]:
    return -made.total, made.row.player


def _made(formula: Formula, player: str, own: Sequence[Scored], held: int) -> _Made:
    """A player's row without its place. Of tournaments worth the same the earlier one counts."""
    best = sorted(own, key=lambda scored: (-scored.points, scored.number))[
        : number_that_counts(formula, len(own), held)
    ]
    counting = {scored.number for scored in best}
    attendance = formula.attendance * len(own)
    total = sum((scored.points for scored in best), Fraction(attendance))
    row = SeasonRow(
        player=player,
        total=str(total),
        attendance=attendance,
        missing=max(0, formula.minimum_nights - len(own)),
        nights=tuple(
            Counted(
                number=scored.number,
                place=scored.place,
                sharing=scored.sharing,
                points=str(scored.points),
                counts=scored.number in counting,
            )
            for scored in own
        ),
    )
    return _Made(row=row, total=total)


dump_standings, load_standings = kept_as(SeasonStandings)
