"""The standings of one stage before ties are broken: each player's score, and the parts it consists of.

Rules: docs/rules/tournaments.md, "Scores" and "Policies". Scores are compared as the stage says: the sum, the average
per deal, or points for the place at each table; all exact. Knows nothing of tie-breaks, cuts or names.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from math import ceil, floor
from typing import NamedTuple

from scoring.messages import say
from scoring.tournament.plans import Plan, Stage
from scoring.tournament.standings.policies import (
    GivenScore,
    Line,
    MissedRounds,
    Named,
    RoundScore,
    forfeit,
    late_start,
    lines_of,
    missed_rounds,
    named_in,
    own_average,
)
from scoring.tournament.state import TournamentState
from scoring.tournament.state.played import Game, Part, PartKind, Score, SeatPlayed, average, score_text
from scoring.tournament.state.reentries import Start, brought_into, starts

# Behind all players who are in or out: has not sat at a table yet.
UNPLAYED = (2, 0, 0)
# Some 50 nights of 200 players over seven rounds.
MOST_REMEMBERED = 65_536
Key = tuple[Score, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A line of a stage. A lower `key` is ranked higher; equal keys are tied. `brings` is the score in whole points."""

    player: str
    people: tuple[str, ...]
    key: Key
    score: Score
    brings: int
    parts: tuple[Part, ...]
    seats: tuple[SeatPlayed, ...]
    forfeits: int
    is_here: bool

    @property
    def took_part(self) -> bool:
        """Had a table, or sat out with an average: a player who only waits for a seat has not taken part."""
        return bool(self.seats) or any(part.what is PartKind.SIT_OUT for part in self.parts)

    @property
    def deals(self) -> int:
        return sum(seat.deals_taken_part for seat in self.seats)

    def counted(self, name: str) -> int:
        """One of the counters of a standing, over all tables."""
        return sum(getattr(seat, name) for seat in self.seats)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ground:
    """All inputs from which the scores of one stage are calculated."""

    state: TournamentState
    number: int
    stage: Stage
    plan: Plan
    game: Game
    carried: Mapping[str, int]
    starts: Mapping[str, Start]
    brought: Mapping[str, int]
    pooled: Mapping[tuple[int, int, int], Score]
    earlier_deals: Mapping[str, int]
    named: Named

    @property
    def latest_stands(self) -> bool:
        """Only the table played last counts."""
        return not self.game.adds_up and self.stage.compares == "score"

    @property
    def counting(self) -> Game:
        """Higher is better for points for places, whatever the game."""
        return Game(adds_up=True, low_is_good=False) if self.stage.compares == "rank_points" else self.game


class _Worked(NamedTuple):
    """One line and the inputs of its calculation. No `result` is stored where it depends on other lines' scores."""

    asked: object
    scores: Mapping[int, RoundScore]
    result: Result | None


class Memory(NamedTuple):
    """Cached lines by stage and player: as calculated before for the same tournament and games, and as of now."""

    before: Mapping[tuple[int, str], _Worked]
    now: dict[tuple[int, str], _Worked]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Others:
    """All players' scores in each round, and the score for a forfeited one: the same for every line."""

    field: Sequence[Mapping[int, RoundScore]]
    forfeited: Callable[[int], GivenScore]


def stage_results(
    state: TournamentState, number: int, played: Sequence[SeatPlayed], game: Game, memory: Memory | None = None
) -> tuple[Result, ...]:
    """All lines of a stage, best first; tied ones in the order of their seats. `played` may contain other stages too.

    Lines whose inputs have not changed come from the cache: a deal changes only those of one table.
    """
    ground, memory = _ground(state, number, played, game), memory or Memory({}, {})
    by_player = _by_player(played, set(ground.named))
    lines: list[tuple[Line, tuple[SeatPlayed, ...], _Worked]] = []
    for line in lines_of(state, number, ground.plan.substitute):
        seats = _seats_of(line, by_player)
        inputs, was = (line, seats, _others_for(ground, line, seats)), memory.before.get((number, line.player))
        if was is None or was.asked != inputs:
            was = _Worked(inputs, dict(_round_scores(ground, seats)), None)
        lines.append((line, seats, was))
    field = [worked.scores for _, _, worked in lines]
    is_points = ground.stage.compares == "rank_points"
    forfeited = cache(lambda number: forfeit(number, field, ground.counting, is_points=is_points))
    others, results = _Others(field=field, forfeited=forfeited), []
    for line, seats, worked in lines:
        result, is_own = (worked.result, True) if worked.result else _result(ground, line, seats, worked.scores, others)
        memory.now[number, line.player] = worked._replace(result=result if is_own else None)
        results.append(result)
    return tuple(sorted(results, key=lambda result: result.key))


def _others_for(ground: _Ground, line: Line, seats: Sequence[SeatPlayed]) -> object:
    """Further inputs of a line's own scores: the points shared for its places, and the deals of earlier stages."""
    points = [ground.pooled[seat.round, seat.table, seat.place] for seat in seats] if ground.pooled else []
    return points, [ground.earlier_deals.get(player, 0) for player in line.people]


def stage_of(plan: Plan, number: int) -> Stage:
    """The settings of a stage; after the last one, those of the last."""
    return plan.stages[min(number, len(plan.stages)) - 1]


def _ground(state: TournamentState, number: int, played: Sequence[SeatPlayed], game: Game) -> _Ground:
    plan = state.plan or Plan()
    stage = stage_of(plan, number)
    carries = stage.carries == "score" and 2 <= number <= len(state.cuts) + 1
    named = named_in(state.rounds_of(number))
    before = {seated.round for seated in state.rounds if seated.stage < number}
    deals: Counter[str] = Counter()
    for seat in played:
        if carries and seat.round in before:
            deals[seat.player] += seat.deals_taken_part
    by_place = stage.compares == "rank_points"
    return _Ground(
        state=state,
        number=number,
        stage=stage,
        plan=plan,
        game=game,
        carried=state.cuts[number - 2].carried if carries else {},
        starts=starts(state, number) if carries else {},
        brought=brought_into(state, number) if carries else {},
        pooled=_pooled(stage, [seat for seat in played if seat.round in named]) if by_place else {},
        earlier_deals=deals,
        named=named,
    )


def _pooled(stage: Stage, seats: Sequence[SeatPlayed]) -> dict[tuple[int, int, int], Score]:
    """Points for each place of each table; players who share places share their points."""
    shared = Counter((seat.round, seat.table, seat.place) for seat in seats)
    points: dict[tuple[int, int, int], Score] = {}
    for (number, table, place), many in shared.items():
        shared_points = stage.rank_points[place - 1 : place - 1 + many]
        # A place held alone is not shared: a whole number, which is added many times as fast.
        points[number, table, place] = sum(shared_points) if many == 1 else Fraction(sum(shared_points), many)
    return points


def _by_player(played: Sequence[SeatPlayed], rounds: set[int]) -> Mapping[str, list[SeatPlayed]]:
    """The seats of a stage's rounds, player by player."""
    seats_by_player: dict[str, list[SeatPlayed]] = {}
    for seat in played:
        if seat.round in rounds:
            seats_by_player.setdefault(seat.player, []).append(seat)
    return seats_by_player


def _seats_of(line: Line, by_player: Mapping[str, list[SeatPlayed]]) -> tuple[SeatPlayed, ...]:
    """A line's seats in the order in which they were played; a table to which players were moved has a later number."""
    own = [seat for player in line.people for seat in by_player.get(player, ())]
    return tuple(sorted(own, key=lambda seat: (seat.round, seat.table)))


def _round_scores(ground: _Ground, seats: Sequence[SeatPlayed]) -> Iterator[tuple[int, RoundScore]]:
    """The score in each round; at the last table of the round, where players were moved."""
    for number in dict.fromkeys(seat.round for seat in seats):
        there = [seat for seat in seats if seat.round == number]
        last, deals = there[-1], sum(seat.deals_taken_part for seat in there)
        if ground.stage.compares == "rank_points":
            points = ground.pooled[last.round, last.table, last.place] if deals else 0
            yield number, RoundScore(amount=points, deals=deals)
            continue
        own = last.score - _brought(ground, last.player)
        behind = last.rank_key[0] - ground.game.signed(last.score) if ground.game.adds_up else 0
        yield number, RoundScore(amount=own, deals=deals, offset=behind)


def _brought(ground: _Ground, player: str) -> int:
    """The scores with which this stage's sheets begin: only running totals carry over, and points for places never."""
    if ground.game.adds_up or ground.stage.compares == "rank_points":
        return 0
    return ground.brought.get(player, 0)


def _result(
    ground: _Ground,
    line: Line,
    seats: tuple[SeatPlayed, ...],
    own: Mapping[int, RoundScore],
    others: _Others,
) -> tuple[Result, bool]:
    """One line from its parts, and whether it is independent of other lines' scores in the rounds that it counts."""
    missed = missed_rounds(ground.state, line, ground.named, ground.plan)
    counted_scores = {number: score for number, score in own.items() if number not in missed.forfeited}
    if ground.latest_stands:
        counted_scores = {number: score for number, score in counted_scores.items() if number == max(counted_scores)}
    given_scores = [
        *_carried(ground, line),
        *_tables(counted_scores, seats),
        *_instead(ground, missed, counted_scores, others),
    ]
    total = sum(given_score.part.points for given_score in given_scores)
    deals = sum(given_score.deals for given_score in given_scores)
    score, parts = total, tuple(given_score.part for given_score in given_scores)
    if ground.stage.compares == "average":
        over = Fraction(1) / max(deals, 1)
        score, parts = total * over, tuple(replace(part, amount=part.points * over) for part in parts)
    value = ground.counting.signed(score) + sum(round_score.offset for round_score in counted_scores.values())
    counting = tuple(seat for seat in seats if seat.round in counted_scores)
    result = Result(
        player=line.player,
        people=line.people,
        key=(len(missed.forfeited), *_order(ground, counting, value)),
        score=score,
        brings=ceil(total) if ground.counting.low_is_good else floor(total),
        parts=parts,
        seats=seats,
        forfeits=len(missed.forfeited),
        is_here=line.is_here,
    )
    return result, ground.latest_stands or counted_scores.keys() >= ground.named.keys()


def _order(ground: _Ground, seats: Sequence[SeatPlayed], value: Score) -> Key:
    """Order by score; in games with elimination, players who are in come first, then those who went out later."""
    if ground.game.adds_up or ground.stage.compares == "rank_points":
        return (value,)
    if not seats:
        return UNPLAYED
    last = seats[-1]
    before = sum(seat.deals_taken_part for seat in seats if seat.round == last.round) - last.deals_taken_part
    is_out = last.rank_key[0]
    if not ground.latest_stands:
        return (is_out, value)
    return (is_out, last.rank_key[1] - (before if is_out else 0), *last.rank_key[2:])


def _carried(ground: _Ground, line: Line) -> Iterator[GivenScore]:
    """The score carried over. A player who comes in between starts with nothing, but not better than the average."""
    if not ground.brought:
        return
    bringer = next((player for player in line.people if player in ground.carried), None)
    again = next((ground.starts[player] for player in line.people if player in ground.starts), None)
    if bringer is None and again is not None:
        yield from _reentry(ground, line, again)
        return
    if bringer is None:
        mean = average(list(ground.carried.values()))
        points, text = ground.counting.worse(0, mean), say("Entered between stages: starts with the average")
        text = text if points else say("Entered between stages: starts with 0")
        yield GivenScore(part=Part(what=PartKind.CARRIED, amount=points, points=points, text=text))
        return
    yield _from_stage(ground, line, ground.number - 1, ground.carried[bringer])


def _reentry(ground: _Ground, line: Line, start: Start) -> Iterator[GivenScore]:
    """What the plan gives to a re-entry, after the own score where that is carried over."""
    text = say("Re-entry: starts with {score}", score=score_text(start.given))
    if start.left is not None:
        yield _from_stage(ground, line, start.left.stage, start.left.score)
        text = say("Re-entry: {score} added", score=score_text(start.given))
    yield GivenScore(part=Part(what=PartKind.REENTRY, amount=start.given, points=start.given, text=text))


def _from_stage(ground: _Ground, line: Line, stage: int, points: int) -> GivenScore:
    deals = sum(ground.earlier_deals.get(player, 0) for player in line.people)
    text = say("Brought from stage {number}: {score}", number=stage, score=score_text(points))
    return GivenScore(part=Part(what=PartKind.CARRIED, amount=points, points=points, text=text), deals=deals)


def _tables(kept: Mapping[int, RoundScore], seats: Sequence[SeatPlayed]) -> Iterator[GivenScore]:
    """The scores at the tables, round by round."""
    for number, score in kept.items():
        tables = tuple([seat.table for seat in seats if seat.round == number])
        yield _at_tables(number, tables, score.amount, score.deals)


@lru_cache(MOST_REMEMBERED, typed=True)
def _at_tables(number: int, tables: tuple[int, ...], amount: Score, deals: int) -> GivenScore:
    """The scores of a round; cached in the process, for a deal changes only one table's."""
    text = say("Round {round}, tables {tables}", round=number, tables=tables)
    if len(tables) == 1:
        text = say("Round {round}, table {table}", round=number, table=tables[0])
    part = Part(what=PartKind.TABLE, amount=amount, points=amount, text=text, round=number, tables=tables)
    return GivenScore(part=part, deals=deals)


def _instead(
    ground: _Ground, missed: MissedRounds, kept: Mapping[int, RoundScore], others: _Others
) -> Iterator[GivenScore]:
    """What the policies give for rounds without a table. Nothing where only the latest table counts."""
    if ground.latest_stands:
        return
    counting, compares = ground.counting, ground.stage.compares
    late = late_start(missed.late, others.field, ground.plan, counting)
    if late is not None:
        yield late
    for number in missed.forfeited:
        yield others.forfeited(number)
    covered = {*kept, *missed.late, *missed.forfeited, *missed.averaged}
    idle = [number for number in ground.named if number not in covered]
    for what, numbers in ((PartKind.LEAVING, missed.averaged), (PartKind.SIT_OUT, idle)):
        for number in numbers:
            there = [scores[number] for scores in others.field if number in scores]
            own_score = own_average(number, what, kept.values(), there)
            if compares != "average":
                yield own_score
