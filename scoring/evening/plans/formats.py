"""Evenings that clubs know by name: each makes a whole plan for a number of players, to be changed before the start.

Rules: docs/rules/tournaments.md, "Formats". Knows nothing of who enters.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

RawPlan = dict[str, Any]
SUM_UP = ("points", "deals", "rum", "block", "rummy500", "romme", "gin", "rummy_royal")
CHIPS_LEVELS = ((-200, 2), (-100, 2), (0, 2))
TABLE_OF_SIX = {"smallest_table": 4, "largest_table": 6, "preferred_table": 6}


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A named evening: for how many players, for which games (any where none is named), and the plan it makes."""

    name: str
    title: str
    note: str
    players: range
    make: Callable[[int], RawPlan]
    games: tuple[str, ...] = ()

    def plan(self, players: int) -> RawPlan:
        """The plan for so many players, as `plan_made` takes it."""
        return self.make(players)


def format_named(name: str) -> Format | None:
    """A format by its name."""
    return next((known for known in FORMATS if known.name == name), None)


def format_for(players: int, game: str | None = None) -> tuple[Format, ...]:
    """The formats that suit so many players and a game, the most telling first."""
    return tuple(
        known
        for known in FORMATS
        if players in known.players and (game is None or not known.games or game in known.games)
    )


def tables_for(players: int, largest: int) -> int:
    """The fewest tables that so many players need."""
    return -(-players // largest)


def _two_cuts(players: int) -> RawPlan:
    """Half of the field goes on, then a table of six: three of each table, and the best of the others."""
    half = max(12, 6 * round(players / 12))
    first, second = tables_for(players, 6), tables_for(half, 6)
    return {
        "stages": [
            {"name": "First round", **TABLE_OF_SIX, **_through(half, first, 3)},
            {"name": "Semi-final", **TABLE_OF_SIX, "seating": "snake", **_through(6, second, 3)},
            {"name": "Final", **TABLE_OF_SIX, "seating": "standing"},
        ],
        "prizes_bp": [5000, 3000, 2000],
    }


def _through(places: int, tables: int, most: int) -> RawPlan:
    """As many of each table as divide evenly, and wild cards for the rest."""
    per_table = min(most, places // tables)
    return {"per_table": per_table, "wild_cards": places - per_table * tables}


def _single_table(players: int) -> RawPlan:
    size = {"smallest_table": players, "largest_table": players, "preferred_table": players}
    return {"stages": [{"name": "Table", **size}], "prizes_bp": [10_000] if players < 4 else [7000, 3000]}


def _sevens(players: int) -> RawPlan:
    """Seven rounds of four, everybody in all of them; whoever sits at a table of three loses nothing by it."""
    stage = {
        "name": "Seven rounds",
        "rounds": 7,
        "smallest_table": 3,
        "largest_table": 5 if players == 6 else 4,
        "preferred_table": 4,
        "compares": "rank_points",
        "rank_points": [4, 3, 2, 1],
    }
    return {"stages": [_small(stage, players)], "prizes_bp": [5000, 3000, 2000], "late_until_round": 2}


def _timed(players: int) -> RawPlan:
    """Four rounds against the clock: tables play as many deals as they can, and averages are compared."""
    stage = {
        "name": "Timed rounds",
        "rounds": 4,
        **TABLE_OF_SIX,
        "length": "minutes",
        "minutes": 45,
        "last_deal": "finish",
        "compares": "average",
    }
    return {"stages": [_small(stage, players)], "prizes_bp": [5000, 3000, 2000], "late": "average"}


def _knockout(kept: int) -> Callable[[int], RawPlan]:
    """So many of each table go on, again and again, until one table is left."""

    def make(players: int) -> RawPlan:
        stages: list[RawPlan] = []
        while players > 6:
            tables = tables_for(players, 6)
            stages.append({"name": f"Round {len(stages) + 1}", **TABLE_OF_SIX, "per_table": kept})
            stages[-1] = _small(stages[-1], players)
            players = tables * kept
        stages.append({"name": "Final", "smallest_table": 2, "largest_table": 6, "preferred_table": 6})
        return {"stages": stages, "prizes_bp": [7000, 3000]}

    return make


def _deals_as_seats(players: int) -> RawPlan:
    """Every table plays as many deals as it has seats; two of each table, then the final."""
    tables = tables_for(players, 6)
    first = {"name": "Tables", **TABLE_OF_SIX, "length": "deals_as_seats", **_through(6, tables, 2)}
    final = {"name": "Final", **TABLE_OF_SIX, "length": "deals_as_seats", "seating": "standing"}
    return {"stages": [_small(first, players), final], "prizes_bp": [6000, 2500, 1500]}


def _levels(players: int) -> RawPlan:
    """Chips run on from level to level; whoever has lost too many is out, or buys back in before the final level."""
    stages: list[RawPlan] = []
    for number, (least, rounds) in enumerate(CHIPS_LEVELS, 1):
        stage = {"name": f"Level {number}", "rounds": rounds, **TABLE_OF_SIX, "length": "minutes", "minutes": 15}
        carries = {"carries": "score", "seating": "snake"} if stages else {}
        stages.append(_small({**stage, **carries, "at_least": least}, players))
    for number in (2, 3):
        first_round = 1 + sum(rounds for _, rounds in CHIPS_LEVELS[: number - 1])
        again = {"reentry_minor": 1000, "reentry_until_round": first_round, "reentry_begins": "least_score"}
        stages[number - 1] |= again
    final = {"name": "Final level", "smallest_table": 2, "largest_table": 6, "preferred_table": 6}
    stages.append({**final, "carries": "score", "seating": "standing", "length": "minutes", "minutes": 30})
    return {"stages": stages, "late_until_round": 2, "prizes_bp": [5000, 3000, 2000]}


def _session(players: int) -> RawPlan:
    """Points rummy for an evening: new tables every hour, and every point counts."""
    stage = {"name": "Session", "rounds": 3, **TABLE_OF_SIX, "length": "minutes", "minutes": 60}
    return {"stages": [_small(stage, players)], "leaving": "forfeit", "late_until_round": 3}


def _small(stage: RawPlan, players: int) -> RawPlan:
    """Smaller tables where so few players, or so awkward a number, cannot be seated otherwise."""
    if _can_be_seated(players, range(stage["smallest_table"], stage["largest_table"] + 1)):
        return stage
    smallest = next(size for size in (3, 2) if _can_be_seated(players, range(size, stage["largest_table"] + 1)))
    return {**stage, "smallest_table": smallest}


def _can_be_seated(players: int, sizes: Sequence[int]) -> bool:
    """A number of tables exists for which everybody has a seat."""
    return any(tables * sizes[0] <= players <= tables * sizes[-1] for tables in range(1, players + 1))


FORMATS: tuple[Format, ...] = (
    Format(
        name="single_table",
        title="One table",
        note="Everybody at one table until its game is over.",
        players=range(2, 7),
        make=_single_table,
    ),
    Format(
        name="48_24_6",
        title="48 to 24 to 6",
        note="Half of the field goes on, then a final table of six: the best of each table, then wild cards.",
        players=range(24, 73),
        make=_two_cuts,
    ),
    Format(
        name="seven_rounds_of_four",
        title="Seven rounds of four",
        note="Everybody plays every round; points for the place at each table, so that tables of three are fair.",
        players=range(6, 201),
        make=_sevens,
    ),
    Format(
        name="timed_rounds",
        title="Timed rounds",
        note="Four rounds of 45 minutes; the deal in play is finished, and the average per deal is compared.",
        players=range(4, 201),
        make=_timed,
        games=SUM_UP,
    ),
    Format(
        name="winners_go_on",
        title="Winners go on",
        note="A straight tree: the winner of each table goes on until one table is left.",
        players=range(7, 501),
        make=_knockout(1),
    ),
    Format(
        name="two_go_on",
        title="Two of each table go on",
        note="A straight tree: the first two of each table go on until one table is left.",
        players=range(7, 501),
        make=_knockout(2),
    ),
    Format(
        name="deals_as_seats",
        title="As many deals as seats",
        note="Each table plays one deal for every seat, as big card rooms do; then a final of six.",
        players=range(12, 37),
        make=_deals_as_seats,
        games=("deals",),
    ),
    Format(
        name="chips_levels",
        title="Levels with re-entry",
        note="Points won and lost run on like chips; the lowest are out at each level, and may buy back in until the "
        "final level.",
        players=range(8, 201),
        make=_levels,
        games=("points",),
    ),
    Format(
        name="points_session",
        title="Points rummy session",
        note="Three hours at changing tables; every point counts.",
        players=range(4, 201),
        make=_session,
        games=("points",),
    ),
)
