"""The order of a whole tournament: the last stage first, then of each earlier one the players who did not qualify.

Rules: docs/rules/tournaments.md, "The leaderboard" and "Prizes". A player who qualified is placed above one who did
not, whatever the scores. Leaderboards and prizes both come from here, so that the place paid is the place shown.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from scoring.messages import Message, say
from scoring.money.payouts import Placed
from scoring.tournament.plans import Plan, Stage
from scoring.tournament.standings.results import Memory, Result, stage_of, stage_results
from scoring.tournament.standings.tiebreaks import Chain, Ranked, chain_of, ranked
from scoring.tournament.state import TournamentState
from scoring.tournament.state.played import Game, Score, SeatPlayed, score_text

# Who qualifies from a stage: a number of each table, the best of the others, a number in all, or by a score.


@dataclass(frozen=True, slots=True, kw_only=True)
class TieTask:
    """Tied players of whom only `places` qualify. Broken by an extra deal, a high card or lots, and recorded.

    Where there is a place for each of them only their order, and so the prize of each, is open.
    """

    stage: int
    where: Message
    players: tuple[str, ...]
    places: int
    methods: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CutProposal:
    """Who qualifies, the best first, what they carry over, and the ties to break before the cut can be made.

    `left` is what all other players ended the stage with. `reasons` names for each qualifier the rule that applied,
    `scores` the score of each in the stage, the best first. Extra qualifiers wait until the ties at tables are broken.
    """

    stage: int
    advancing: tuple[str, ...]
    carried: dict[str, int] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)
    tasks: tuple[TieTask, ...] = ()
    reasons: dict[str, Message] = field(default_factory=dict)
    scores: dict[str, Score] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """The selection so far: who qualifies for certain, by what rule, and the ties that must be broken."""

    stage: int
    chain: Chain
    reasons: dict[str, Message] = field(default_factory=dict)
    tasks: list[TieTask] = field(default_factory=list)

    def take(self, rows: Sequence[Ranked], places: int, where: Message) -> None:
        """Take the best of some players; add a task where the last places fall among tied ones.

        They are ranked among themselves: a broken tie says nothing of others who are tied with them.
        """
        rows = ranked([row.result for row in rows], self.chain)
        for row in rows[:places]:
            level = [other for other in rows if other.place == row.place]
            inside = [other for other in rows[:places] if other.place == row.place]
            if len(inside) < len(level):
                if row.player not in self.reasons:
                    players, methods = tuple(other.player for other in level), self.chain.methods
                    task = TieTask(stage=self.stage, where=where, players=players, places=len(inside), methods=methods)
                    self.tasks.append(task)
                return
            self.reasons[row.player] = where


def propose_cut(state: TournamentState, played: Sequence[SeatPlayed], game: Game) -> CutProposal:
    """The cut that the plan makes of the stage being played."""
    number, plan = state.stage, state.plan or Plan()
    stage, chain = stage_of(plan, number), chain_of(state, number, game)
    everybody = stage_results(state, number, played, game)
    rows = ranked([result for result in everybody if result.is_here and result.took_part], chain)
    chosen = _Chosen(stage=number, chain=chain)
    _reached(chosen, rows, stage, chain)
    for table in _last_tables(state, number) if stage.per_table else ():
        there = [row for row in rows if _sat_at(state, row, table)]
        chosen.take(
            there, stage.per_table, say("best {number} of table {table}", number=stage.per_table, table=table[1])
        )
    if stage.advancing:
        chosen.take(rows, stage.advancing, say("best {number} over all tables", number=stage.advancing))
    if stage.wild_cards and not chosen.tasks:
        others = [row for row in rows if row.player not in chosen.reasons]
        chosen.take(others, stage.wild_cards, say("extra qualifier"))
    through = [row for row in rows if row.player in chosen.reasons]
    return CutProposal(
        stage=number,
        advancing=tuple(row.player for row in through),
        carried=_brought([row.result for row in through], plan, number),
        left=_brought([result for result in everybody if result.player not in chosen.reasons], plan, number),
        tasks=tuple(chosen.tasks),
        reasons={row.player: chosen.reasons[row.player] for row in through},
        scores={row.player: row.result.score for row in rows},
    )


def _reached(chosen: _Chosen, rows: Sequence[Ranked], stage: Stage, chain: Chain) -> None:
    """All players with the required score. A player with a forfeited round qualifies by place only."""
    if stage.at_least is None:
        return
    low_is_good = chain.game.low_is_good and stage.compares != "rank_points"
    for row in rows:
        score = row.result.score
        is_enough = score <= stage.at_least if low_is_good else score >= stage.at_least
        if is_enough and not row.result.forfeits:
            chosen.reasons[row.player] = _enough(score, stage.at_least, low_is_good=low_is_good)


def _enough(score: int | Fraction, asked: int, *, low_is_good: bool) -> Message:
    if low_is_good:
        return say("{score}, and {number} or fewer are required", score=score_text(score), number=asked)
    return say("{score}, and {number} or more are required", score=score_text(score), number=asked)


def _last_tables(state: TournamentState, stage: int) -> list[tuple[int, int]]:
    """The tables at which the last round of a stage ended."""
    rounds = state.rounds_of(stage)
    return [(rounds[-1].round, table.number) for table in rounds[-1].running] if rounds else []


def _sat_at(state: TournamentState, row: Ranked, table: tuple[int, int]) -> bool:
    """Sat at a table at the end; a player who was out before a move belongs to the first table that took over."""
    seats = [seat for seat in row.result.seats if seat.round == table[0]]
    if not seats:
        return False
    return _heir(state, seats[-1].round, seats[-1].table) == table[1]


def _heir(state: TournamentState, number: int, table: int) -> int:
    """The table that replaced this one, followed to the last."""
    for move in state.moves:
        if move.round == number and table in move.instead_of:
            table = move.numbers[0]
    return table


def _brought(results: Iterable[Result], plan: Plan, number: int) -> dict[str, int]:
    """What they carry to the next stage, where it counts on: whole points, rounded against the player."""
    if number >= len(plan.stages) or plan.stages[number].carries != "score":
        return {}
    return {result.player: result.brings for result in results}


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlaces:
    """Players whose tournament ended in a stage, with their places in the whole tournament.

    `standings` is the stage as it was played, with the players who qualified.
    """

    stage: int
    standings: tuple[Ranked, ...]
    rows: tuple[Ranked, ...]


def tournament_places(
    state: TournamentState, played: Sequence[SeatPlayed], game_of: Callable[[int], Game], memory: Memory | None = None
) -> Iterator[StagePlaces]:
    """All players who have had a seat, stage by stage, the latest first. Tied ones share a place."""
    before, placed_players = 0, set[str]()
    for stage in range(min(state.stage, last_stage(state)), 0, -1):
        standings = stage_standings(state, stage, played, game_of(stage), memory)
        unplaced_rows = [row for row in standings if row.result.seats and placed_players.isdisjoint(row.result.people)]
        rows: list[Ranked] = []
        for group in _through_first(state, stage, unplaced_rows):
            rows += _placed(group, before + len(rows))
        yield StagePlaces(stage=stage, standings=standings, rows=tuple(rows))
        before += len(rows)
        placed_players |= {player for row in unplaced_rows for player in row.result.people}


def final_places(
    state: TournamentState, played: Sequence[SeatPlayed], game_of: Callable[[int], Game]
) -> tuple[Placed, ...]:
    """Every player with a place, the best first."""
    return tuple(
        (row.player, row.place)
        for stage_places in tournament_places(state, played, game_of)
        for row in stage_places.rows
    )


def stage_standings(
    state: TournamentState, stage: int, played: Sequence[SeatPlayed], game: Game, memory: Memory | None = None
) -> tuple[Ranked, ...]:
    """A stage in order, ties broken as far as the plan's chain and recorded tie-breaks go."""
    return ranked(stage_results(state, stage, played, game, memory), chain_of(state, stage, game))


def last_stage(state: TournamentState) -> int:
    """The latest stage that was seated."""
    return max((seated.stage for seated in state.rounds), default=0)


def _placed(group: Sequence[Ranked], before: int) -> Iterator[Ranked]:
    """A group with its places after those of the players before it."""
    level = Counter(row.place for row in group)
    first: dict[int, int] = {}
    for place in sorted(level):
        first[place] = before + 1
        before += level[place]
    for row in group:
        yield replace(row, place=first[row.place], is_tied=level[row.place] > 1)


def _through_first(state: TournamentState, stage: int, rows: Sequence[Ranked]) -> Iterator[list[Ranked]]:
    """Those who qualified, until the next stage is seated; then players who left before it, and the others."""
    going_on = {player for cut in state.cuts if cut.stage == stage for player in cut.advancing}
    through: list[Ranked] = []
    others: list[Ranked] = []
    for row in rows:
        (others if going_on.isdisjoint(row.result.people) else through).append(row)
    yield [row for row in through if row.result.is_here]
    yield [row for row in through if not row.result.is_here]
    yield others


# Places for prizes: in the whole tournament, in stages with prizes of their own, and at each of their tables.


@dataclass(frozen=True, slots=True, kw_only=True)
class Corner:
    """A stage, or one of its tables, that has prizes of its own. `title` names it; None is the whole tournament."""

    stage: int
    title: Message | None
    placed: tuple[Placed, ...]
    is_table: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """All players in their order, tied ones in order of seats."""

    places: tuple[Placed, ...]
    corners: tuple[Corner, ...] = ()


def finish_of(
    state: TournamentState,
    played: Sequence[SeatPlayed],
    game_of: Callable[[int], Game],
    placed: tuple[Placed, ...] | None = None,
) -> Finish:
    """Who would be paid for which place if the tournament ended now. `placed` are the final places, if known."""
    stage_prizes = state.plan.stage_prizes if state.plan else ()
    corners: list[Corner] = []
    for prizes in sorted(stage_prizes, key=lambda one: (one.stage, one.of)):
        if prizes.of == "each_table":
            corners += _tables(state, prizes.stage, played)
        elif state.rounds_of(prizes.stage):
            corners.append(_whole_stage(state, prizes.stage, played, game_of(prizes.stage)))
    places = final_places(state, played, game_of) if placed is None else placed
    return Finish(places=places, corners=tuple(corners))


def expected_finish(plan: Plan, players: int) -> Finish:
    """A finish without ties of so many players, named by their places: for a preview of the prizes."""
    corners: list[Corner] = []
    players_left = players
    for number, stage in enumerate(plan.stages, 1):
        tables = -(-players_left // stage.preferred_table)
        for prizes in plan.stage_prizes:
            if prizes.stage == number and prizes.of == "stage":
                corners.append(
                    Corner(stage=number, title=say("stage {number}", number=number), placed=_in_order(players_left))
                )
            elif prizes.stage == number:
                seats = _in_order(min(players_left, stage.preferred_table))
                titles = [say("table {table}", table=table) for table in range(1, 1 + tables * stage.rounds)]
                corners += [Corner(stage=number, title=title, placed=seats, is_table=True) for title in titles]
        going_on = stage.advancing or stage.per_table * tables + stage.wild_cards
        players_left = min(players_left, going_on) if going_on else players_left
    return Finish(places=_in_order(players), corners=tuple(corners))


def _whole_stage(state: TournamentState, stage: int, played: Sequence[SeatPlayed], game: Game) -> Corner:
    rows = [row for row in stage_standings(state, stage, played, game) if row.result.seats]
    return Corner(
        stage=stage, title=say("stage {number}", number=stage), placed=tuple((row.player, row.place) for row in rows)
    )


def _tables(state: TournamentState, stage: int, played: Sequence[SeatPlayed]) -> Iterator[Corner]:
    for seated in state.rounds_of(stage):
        for table in seated.running:
            seats = [seat for seat in played if (seat.round, seat.table) == (seated.round, table.number)]
            placed = tuple((seat.player, seat.place) for seat in sorted(seats, key=lambda seat: seat.place))
            title = say("round {round}, table {table}", round=seated.round, table=table.number)
            yield Corner(stage=stage, title=title, placed=placed, is_table=True)


def _in_order(players: int) -> tuple[Placed, ...]:
    return tuple((str(place), place) for place in range(1, players + 1))
