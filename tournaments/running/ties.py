"""The ties that are open: those at the cut of the current stage, and those for a prize.

Rules: docs/rules/tournaments.md, "Ties". Knows nothing of how a tie is broken.
"""

from collections import Counter
from itertools import groupby

from scoring.messages import say
from scoring.tournament import TournamentState, standings
from scoring.tournament.prizes import PrizeSheet
from scoring.tournament.standings import TieTask, propose_cut
from scoring.tournament.standings.results import stage_of
from scoring.tournament.standings.tiebreaks import MANUAL
from scoring.tournament.state.played import SeatPlayed
from tournaments.models import Tournament
from tournaments.projections.boards import order_of, seats_played
from tournaments.projections.terms import game_of
from tournaments.running.prize_money import prizes_so_far


def open_ties(tournament: Tournament, state: TournamentState) -> tuple[TieTask, ...]:
    """The ties to break: those at the cut, then those for a prize; none before a round is seated."""
    if not state.rounds:
        return ()
    played = seats_played(tournament, state)
    stage = state.current
    tasks: tuple[TieTask, ...] = ()
    if stage is not None and stage.cuts and state.rounds_of(state.stage):
        tasks = propose_cut(state, played, game_of(tournament, state, state.stage)).tasks
    sheet = prizes_so_far(tournament, state, played)
    return (*tasks, *(prize_ties(tournament, state, sheet, played) if sheet is not None else ()))


def prize_ties(
    tournament: Tournament, state: TournamentState, sheet: PrizeSheet, played: tuple[SeatPlayed, ...]
) -> tuple[TieTask, ...]:
    """The ties for a prize that can be broken: by a tie-break by hand of the plan, once their stage is over.

    Without one in the plan they share the prizes. A tie of only some of those who were level in their stage stays too:
    a recorded order is about all of them.
    """
    plan = state.plan
    methods = tuple(name for name in plan.tie_breaks if name in MANUAL) if plan is not None else ()
    if plan is None or not methods or state.is_closed:
        return ()
    shared = {prize.first: prize.last for prize in sheet.won if prize.title is None and prize.first != prize.last}
    tasks: list[TieTask] = []
    for stage_places in order_of(tournament, state, played):
        number = stage_places.stage
        rounds = {seated.round for seated in state.rounds_of(number)}
        is_over = all(seat.is_finished for seat in played if seat.round in rounds)
        if len(rounds) < stage_of(plan, number).rounds or not is_over:
            continue
        # The players who go on decide it at the tables of the next stage.
        if number == standings.last_stage(state) < len(plan.stages):
            continue
        place_in_stage = {row.player: row.place for row in stage_places.standings}
        level = Counter(place_in_stage.values())
        for first, rows in groupby(stage_places.rows, key=lambda row: row.place):
            players = tuple(row.player for row in rows)
            if first in shared and level[place_in_stage[players[0]]] == len(players):
                where = say("places {first} to {last}", first=first, last=shared[first])
                tasks.append(TieTask(stage=number, where=where, players=players, places=len(players), methods=methods))
    return tuple(tasks)
