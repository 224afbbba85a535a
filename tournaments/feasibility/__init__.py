"""Tries whether a plan can be played: simulates it from check-in to the last prize, at one or several field sizes.

Rules: docs/rules/tournaments.md; docs/decisions/0050-a-plan-is-rehearsed.md. Every event is checked and folded like a
stored one, table sizes come from the draw, cuts from the standings. Only seating partners and deals are made up. Leaves
out late entries, moves and re-entries, which a director decides. Pure: knows no database, no clock and no page.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import msgspec

from scoring.events import wire
from scoring.events.wire import Event
from scoring.messages import Message, say, say_many
from scoring.money.payouts import Stakes
from scoring.money.reasons import ClubAdds, ScaledDown
from scoring.options import read_options
from scoring.problems import OptionsRejected, Problem, RuleError, refuse_if
from scoring.rules.chance import Chance
from scoring.tournament import Plan, TournamentState, fold_tournament, problems_with
from scoring.tournament.plans import Stage
from scoring.tournament.prizes import PrizeSheet, prize_sheet
from scoring.tournament.standings import CutProposal, Finish, TieTask, finish_of, propose_cut, stage_standings
from scoring.tournament.standings.tiebreaks import Ranked
from scoring.tournament.state.fees import entries_of, limit_problems
from scoring.tournament.state.played import Game, SeatPlayed
from scoring.tournament.state.reentries import brought_into
from scoring.tournament.state.terms import Terms
from tournaments.draw import Player, SeatedRound, SeatingConstraints, Sizes
from tournaments.draw.by_standings import snake, top_together
from tournaments.feasibility.tables import Tables

FEWEST, MOST = 2, 500
MOST_TIES = 100
SMALL_TABLE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundShape:
    """The shape of a seated round: the sizes of its tables, the largest first, and how many sat out."""

    stage: int
    round: int
    sizes: tuple[int, ...]
    sits_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The result of a trial with a number of players: problems, notes on silent changes, rounds and prizes."""

    players: int
    problems: tuple[Problem, ...] = ()
    notes: tuple[Message, ...] = ()
    rounds: tuple[RoundShape, ...] = ()
    sheet: PrizeSheet | None = None


@dataclass(slots=True, kw_only=True)
class SimulatedPlan:
    """A plan with its terms, and a cache of the tables played for it at any number of players."""

    plan: Plan
    terms: Terms
    tables: dict[str, Tables] = field(default_factory=dict)

    @property
    def stakes(self) -> Stakes:
        """The stakes of the tournament. Raises OptionsRejected."""
        return read_options(Stakes, self.terms.stakes)

    def tables_of(self, stage: Stage) -> Tables:
        """The tables of a stage. Stages with the same game share them."""
        own = self.terms.of(stage)
        played = repr((own.variant, sorted(own.options.items()), own.stakes, stage.length, stage.deals))
        return self.tables.setdefault(played, Tables(stage=stage, terms=self.terms))

    def game(self, number: int) -> Game:
        """How the game of a stage counts."""
        return self.terms.in_plan(self.plan, number).game


@dataclass(slots=True, kw_only=True)
class _Playthrough:
    """The state of the simulation."""

    hall: SimulatedPlan
    state: TournamentState = field(default_factory=TournamentState)
    played: list[SeatPlayed] = field(default_factory=list)
    seated: list[SeatedRound] = field(default_factory=list)
    rounds: list[RoundShape] = field(default_factory=list)
    notes: list[Message] = field(default_factory=list)

    def record_events(self, *events: Event) -> None:
        """Add events. Raises OptionsRejected if the tournament does not allow one."""
        for event in events:
            refuse_if(problems_with(self.state, event), OptionsRejected)
            self.state = fold_tournament(self.state, [(self.state.version + 1, event)])

    def say(self, note: Message) -> None:
        if note not in self.notes:
            self.notes.append(note)

    @property
    def stage(self) -> Stage:
        return self.hall.plan.stages[self.state.stage - 1]


def try_plan(hall: SimulatedPlan, players: int) -> Trial:
    """Play a plan with that many players. A number outside the limits is reported as a problem."""
    if not FEWEST <= players <= MOST:
        return Trial(players=players, problems=(number_problem(players),))
    playthrough = _Playthrough(hall=hall)
    sheet: PrizeSheet | None = None
    problems: tuple[Problem, ...] = ()
    try:
        _let_in(playthrough, players)
        for number, stage in enumerate(playthrough.hall.plan.stages, 1):
            for _ in range(stage.rounds):
                _play_round(playthrough)
            if number < len(playthrough.hall.plan.stages):
                _cut(playthrough)
        sheet = _paid(playthrough)
    except RuleError as refused:
        problems = tuple(_in_stage(playthrough, problem) for problem in refused.problems)
    return Trial(
        players=players,
        problems=problems,
        notes=tuple(playthrough.notes),
        rounds=tuple(playthrough.rounds),
        sheet=sheet,
    )


def number_problem(players: int) -> Problem:
    """The problem with a number of players outside the limits."""
    detail = say("a tournament has {first} to {last} players, not {number}", first=FEWEST, last=MOST, number=players)
    return Problem("out_of_range", detail, field="players")


def _in_stage(playthrough: _Playthrough, problem: Problem) -> Problem:
    """A problem named with the stage that was being played, at a field that the stage has."""
    number = min(playthrough.state.stage, len(playthrough.hall.plan.stages))
    field = problem.field if problem.field in Stage.__struct_fields__ else "smallest_table"
    detail = say("stage {number}: {why}", number=number, why=problem.message)
    return replace(problem, code="cannot_be_played", field=f"stage {number}, {field}", seat=None, detail=detail)


def _let_in(playthrough: _Playthrough, players: int) -> None:
    """All players enter, are checked in and pay."""
    playthrough.record_events(wire.PlanMade(plan=msgspec.to_builtins(playthrough.hall.plan)))
    entry_minor = playthrough.hall.stakes.entry_minor
    for number in range(1, players + 1):
        player = f"p{number:03}"
        playthrough.record_events(wire.PlayerEntered(player=player), wire.CheckedIn(player=player))
        if entry_minor:
            playthrough.record_events(wire.EntryPaid(player=player, amount_minor=entry_minor))


def _play_round(playthrough: _Playthrough) -> None:
    """Seat a round as the stage asks for it, and play every table to its end."""
    stage, state = playthrough.stage, playthrough.state
    seated = _seated(playthrough)
    event = wire.RoundSeated(
        stage=state.stage,
        round=state.next_round,
        tables=tuple((table.number, table.seats) for table in seated.tables),
        method="draw" if stage.seating == "prepared" else stage.seating,
        sitting_out=seated.sits_out,
    )
    playthrough.record_events(event)
    playthrough.seated.append(seated)
    brought = _brought(playthrough)
    for table in seated.tables:
        played = playthrough.hall.tables_of(stage).played([brought.get(player, 0) for player in table.seats])
        playthrough.played += played.seats(table.seats, round_number=event.round, table=table.number)
    sizes = tuple(sorted((len(table.seats) for table in seated.tables), reverse=True))
    shape = RoundShape(stage=event.stage, round=event.round, sizes=sizes, sits_out=len(seated.sits_out))
    playthrough.rounds.append(shape)
    for note in _round_notes(playthrough, stage, shape):
        playthrough.say(note)


def _seated(playthrough: _Playthrough) -> SeatedRound:
    """The round with the draw's sizes and turns of sitting out; a drawn round is replaced by a shuffled one.

    Who met whom is left out: it changes no size, and the search for new meetings would take longer than the night.
    """
    stage, state = playthrough.stage, playthrough.state
    history = [SeatedRound(tables=(), sits_out=past.sits_out) for past in playthrough.seated]
    players = state.field()
    constraints = SeatingConstraints(
        players=tuple(Player(key=key) for key in players),
        sizes=Sizes(allowed=stage.sizes, preferred=stage.preferred_table),
    )
    if stage.seating in ("draw", "prepared"):
        row: Sequence[str] = Chance(f"round {state.next_round}").shuffled(players)
        return top_together(row, constraints, history=history)
    standing = [row.player for row in _standings(playthrough)] if state.rounds_of(state.stage) else []
    row = [*(p for p in standing if p in players), *(p for p in players if p not in standing)]
    return (snake if stage.seating == "snake" else top_together)(row, constraints, history=history)


def _standings(playthrough: _Playthrough) -> Sequence[Ranked]:
    number = playthrough.state.stage
    return stage_standings(playthrough.state, number, playthrough.played, playthrough.hall.game(number))


def _brought(playthrough: _Playthrough) -> Mapping[str, int]:
    """The totals brought to the tables, if the stage brings totals."""
    stage = playthrough.stage
    return (
        brought_into(playthrough.state, playthrough.state.stage) if playthrough.hall.terms.brings_totals(stage) else {}
    )


def _round_notes(playthrough: _Playthrough, stage: Stage, shape: RoundShape) -> Iterator[Message]:
    if shape.sits_out:
        yield say_many(
            "stage {number}: {count} player sits out in each round",
            "stage {number}: {count} players sit out in each round",
            count=shape.sits_out,
            number=shape.stage,
        )
    least = shape.sizes[-1]
    if least <= SMALL_TABLE and least < stage.preferred_table:
        count = shape.sizes.count(least)
        yield say_many(
            "stage {number}: {count} table of {size}",
            "stage {number}: {count} tables of {size}",
            count=count,
            number=shape.stage,
            size=least,
        )
    if shape.stage == len(playthrough.hall.plan.stages) > 1 and stage.rounds == 1 and len(shape.sizes) > 1:
        yield say("the last stage has {number} tables: their results are compared", number=len(shape.sizes))


def _cut(playthrough: _Playthrough) -> None:
    """Break ties at the cut by the first method of the plan, then make the cut."""
    stage, number = playthrough.stage, playthrough.state.stage
    game = playthrough.hall.game(number)
    proposal = propose_cut(playthrough.state, playthrough.played, game)
    for _ in range(MOST_TIES):
        if not proposal.tasks:
            break
        playthrough.record_events(*map(_settled, proposal.tasks))
        proposal = propose_cut(playthrough.state, playthrough.played, game)
    before = len(playthrough.state.field())
    if stage.at_least is not None:
        proposal = _reached(playthrough, proposal)
    elif len(proposal.advancing) == before:
        playthrough.say(say("stage {number}: nobody is eliminated, all players qualify", number=number))
    cut = wire.CutMade(
        stage=number, advancing=proposal.advancing, carried=dict(proposal.carried), left=dict(proposal.left)
    )
    playthrough.record_events(cut)


def _settled(task: TieTask) -> wire.TieSettled:
    """The result of a tie-break in the order given, by the plan's first method."""
    method: Literal["extra_deal", "high_card", "lots"] = "lots"
    match task.methods[0]:
        case "extra_deal" | "high_card" as named:
            method = named
    return wire.TieSettled(stage=task.stage, order=task.players, method=method, seed="trial")


def _reached(playthrough: _Playthrough, proposal: CutProposal) -> CutProposal:
    """With `at_least` the number of qualifiers is unknown: use as many as the next stage needs, if too few qualify."""
    number = playthrough.state.stage
    playthrough.say(say("stage {number}: how many players qualify depends on the scores", number=number))
    needed = playthrough.hall.plan.stages[number].smallest_table
    if len(proposal.advancing) >= needed:
        return proposal
    rows = [row.player for row in _standings(playthrough)][:needed]
    brought = {**proposal.left, **proposal.carried}
    carried = {player: brought[player] for player in rows if player in brought}
    left_scores = {player: score for player, score in brought.items() if player not in rows}
    return replace(proposal, advancing=tuple(rows), carried=carried, left=left_scores)


def _paid(playthrough: _Playthrough) -> PrizeSheet:
    """The prizes. Raises OptionsRejected if they exceed the limits."""
    hall, state, plan = playthrough.hall, playthrough.state, playthrough.hall.plan
    stakes = hall.stakes
    refuse_if(limit_problems(TournamentState(plan=Plan()), state, stakes.entry_minor, stakes.currency), OptionsRejected)
    finish = finish_of(state, playthrough.played, hall.game)
    sheet = prize_sheet(plan, entries_of(state, stakes.entry_minor, stakes.fee_bp), finish)
    for note in _prize_notes(plan, finish, sheet):
        playthrough.say(note)
    return sheet


def _prize_notes(plan: Plan, finish: Finish, sheet: PrizeSheet) -> Iterator[Message]:
    places = len(finish.places)
    shares = 0 if plan.paid_share_bp else len(plan.prizes_bp)
    promised = max(shares, len(plan.fixed_minor), len(plan.things))
    if promised > places:
        yield say_many(
            "{count} prize cannot be won: it has no player for its place",
            "{count} prizes cannot be won: they have no players for their places",
            count=promised - places,
        )
    amounts = {(prizes.stage, prizes.of == "each_table"): prizes.amounts_minor for prizes in plan.stage_prizes}
    for corner in finish.corners:
        beyond = len(amounts.get((corner.stage, corner.is_table), ())) - len(corner.placed)
        if beyond > 0:
            yield say_many(
                "stage {number}: {count} prize of a table cannot be won",
                "stage {number}: {count} prizes of a table cannot be won",
                count=beyond,
                number=corner.stage,
            )
    for line in sheet.because:
        if isinstance(line, ScaledDown):
            yield say("fixed prizes are more than the prize pool: each is paid in part")
        elif isinstance(line, ClubAdds):
            yield say("entry fees do not cover the prizes: the club adds the rest")
