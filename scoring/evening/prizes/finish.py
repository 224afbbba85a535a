"""Who stands where for prizes: in the whole evening, in stages with prizes of their own, and at each of their tables.

Rules: docs/rules/tournaments.md, "Prizes". Knows nothing of money.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scoring.evening.plans.plan import Plan
from scoring.evening.standings.places import final_places, stage_standings
from scoring.evening.state.played import Game, SeatPlayed
from scoring.evening.state.state import Evening
from scoring.messages import Message, say
from scoring.money.payouts import Placed


@dataclass(frozen=True, slots=True, kw_only=True)
class Corner:
    """A stage, or one of its tables, that has prizes of its own. `title` says which; None is the whole evening."""

    stage: int
    title: Message | None
    placed: tuple[Placed, ...]
    is_table: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """Everybody in the order in which they stand, level ones in order of seats."""

    places: tuple[Placed, ...]
    corners: tuple[Corner, ...] = ()


def finish_of(evening: Evening, played: Sequence[SeatPlayed], game_of: Callable[[int], Game]) -> Finish:
    """Who would be paid for which place if the evening ended as it stands."""
    wanted = evening.plan.stage_prizes if evening.plan else ()
    corners: list[Corner] = []
    for prizes in sorted(wanted, key=lambda one: (one.stage, one.of)):
        if prizes.of == "each_table":
            corners += _tables(evening, prizes.stage, played)
        elif evening.rounds_of(prizes.stage):
            corners.append(_whole_stage(evening, prizes.stage, played, game_of(prizes.stage)))
    return Finish(places=final_places(evening, played, game_of), corners=tuple(corners))


def expected_finish(plan: Plan, players: int) -> Finish:
    """A finish without ties of so many players, who are called by their places: for a preview of the prizes."""
    corners: list[Corner] = []
    left = players
    for number, stage in enumerate(plan.stages, 1):
        tables = -(-left // stage.preferred_table)
        for prizes in plan.stage_prizes:
            if prizes.stage == number and prizes.of == "stage":
                corners.append(Corner(stage=number, title=say("stage {number}", number=number), placed=_in_order(left)))
            elif prizes.stage == number:
                seats = _in_order(min(left, stage.preferred_table))
                titles = [say("table {table}", table=table) for table in range(1, 1 + tables * stage.rounds)]
                corners += [Corner(stage=number, title=title, placed=seats, is_table=True) for title in titles]
        going_on = stage.advancing or stage.per_table * tables + stage.wild_cards
        left = min(left, going_on) if going_on else left
    return Finish(places=_in_order(players), corners=tuple(corners))


def _whole_stage(evening: Evening, stage: int, played: Sequence[SeatPlayed], game: Game) -> Corner:
    rows = [row for row in stage_standings(evening, stage, played, game) if row.result.seats]
    return Corner(
        stage=stage, title=say("stage {number}", number=stage), placed=tuple((row.player, row.place) for row in rows)
    )


def _tables(evening: Evening, stage: int, played: Sequence[SeatPlayed]) -> Iterator[Corner]:
    for seated in evening.rounds_of(stage):
        for table in seated.running:
            seats = [seat for seat in played if (seat.round, seat.table) == (seated.round, table.number)]
            placed = tuple((seat.player, seat.place) for seat in sorted(seats, key=lambda seat: seat.place))
            title = say("round {round}, table {table}", round=seated.round, table=table.number)
            yield Corner(stage=stage, title=title, placed=placed, is_table=True)


def _in_order(players: int) -> tuple[Placed, ...]:
    return tuple((str(place), place) for place in range(1, players + 1))
