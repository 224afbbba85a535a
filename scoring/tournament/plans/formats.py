"""Tournament formats that clubs know by name: each makes a plan for a number of players, to edit before the start.

Rules: docs/rules/tournaments.md, "Formats". Knows nothing of who enters.
"""

from collections.abc import Callable

from scoring.messages import say, words
from scoring.rules.table.formats import TABLE_OF_SIX, Format, RawPlan, seatable, tables_for, through
from scoring.rules.variants import VARIANTS, variant


def every_format() -> tuple[Format, ...]:
    """The formats of any game, then those that each game defines itself."""
    return (*FORMATS, *(plan_format for rules in VARIANTS.values() for plan_format in rules.formats))


def format_named(name: str) -> Format | None:
    """A format by its name."""
    return next((plan_format for plan_format in every_format() if plan_format.name == name), None)


def format_for(players: int, game: str) -> tuple[Format, ...]:
    """The formats that suit so many players and a game, the most specific first."""
    rules = variant(game)
    fitting = (plan_format for plan_format in FORMATS if rules.adds_up or not plan_format.needs_adding_up)
    return tuple(plan_format for plan_format in (*fitting, *rules.formats) if players in plan_format.players)


def _two_cuts(players: int) -> RawPlan:
    """Half of the players qualify, then tables of six: three of each table, and the best of the others."""
    half = max(12, 6 * round(players / 12))
    first, second = tables_for(players, 6), tables_for(half, 6)
    return {
        "stages": [
            {"name": say("First round"), **TABLE_OF_SIX, **through(half, first, 3)},
            {"name": say("Semi-final"), **TABLE_OF_SIX, "seating": "snake", **through(6, second, 3)},
            {"name": say("Final"), **TABLE_OF_SIX, "seating": "standing"},
        ],
        "prizes_bp": [5000, 3000, 2000],
    }


def _single_table(players: int) -> RawPlan:
    size = {"smallest_table": players, "largest_table": players, "preferred_table": players}
    return {"stages": [{"name": say("Table"), **size}], "prizes_bp": [10_000] if players < 4 else [7000, 3000]}


def _sevens(players: int) -> RawPlan:
    """Seven rounds of four, all players in all of them; sitting at a table of three is no disadvantage."""
    stage = {
        "name": say("Seven rounds"),
        "rounds": 7,
        "smallest_table": 3,
        "largest_table": 5 if players == 6 else 4,
        "preferred_table": 4,
        "compares": "rank_points",
        "rank_points": [4, 3, 2, 1],
    }
    return {"stages": [seatable(stage, players)], "prizes_bp": [5000, 3000, 2000], "late_until_round": 2}


def _timed(players: int) -> RawPlan:
    """Four rounds against the clock: tables play as many deals as they can, and averages are compared."""
    stage = {
        "name": say("Timed rounds"),
        "rounds": 4,
        **TABLE_OF_SIX,
        "length": "minutes",
        "minutes": 45,
        "last_deal": "finish",
        "compares": "average",
    }
    return {"stages": [seatable(stage, players)], "prizes_bp": [5000, 3000, 2000], "late": "average"}


def _knockout(kept: int) -> Callable[[int], RawPlan]:
    """A number of each table qualify, again and again, until one table is left."""

    def make(players: int) -> RawPlan:
        stages: list[RawPlan] = []
        while players > 6:
            tables = tables_for(players, 6)
            stages.append({"name": say("Round {number}", number=len(stages) + 1), **TABLE_OF_SIX, "per_table": kept})
            stages[-1] = seatable(stages[-1], players)
            players = tables * kept
        stages.append({"name": say("Final"), "smallest_table": 2, "largest_table": 6, "preferred_table": 6})
        return {"stages": stages, "prizes_bp": [7000, 3000]}

    return make


FORMATS: tuple[Format, ...] = (
    Format(
        name="single_table",
        title=words("One table"),
        note=words("Everybody at one table until its game is over."),
        players=range(2, 7),
        make=_single_table,
    ),
    Format(
        name="48_24_6",
        title=words("48 to 24 to 6"),
        note=words("Half qualify, then a final table of six: the best of each table, then extra qualifiers."),
        players=range(24, 73),
        make=_two_cuts,
    ),
    Format(
        name="seven_rounds_of_four",
        title=words("Seven rounds of four"),
        note=words(
            "Everybody plays every round; points for the place at each table, so that tables of three are fair."
        ),
        players=range(6, 201),
        make=_sevens,
    ),
    Format(
        name="timed_rounds",
        title="Timed rounds",
        note=words("Four rounds of 45 minutes; the deal in play is finished, and the average per deal is compared."),
        players=range(4, 201),
        make=_timed,
        needs_adding_up=True,
    ),
    Format(
        name="winners_go_on",
        title=words("Winners qualify"),
        note=words("Knockout: winner of each table"),
        players=range(7, 501),
        make=_knockout(1),
    ),
    Format(
        name="two_go_on",
        title=words("Two of each table qualify"),
        note=words("Knockout: top two of each table"),
        players=range(7, 501),
        make=_knockout(2),
    ),
)
