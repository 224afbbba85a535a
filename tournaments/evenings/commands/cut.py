"""Cutting a stage: who goes on is worked out from what was played, stored as one fact, and can be taken back.

Rules: docs/rules/tournaments.md, "Cuts". Nothing is cut while a table of the stage is open, a fact contradicts
another, a deal waits for a word, or level players at the cut have not been settled.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from scoring.evening import Evening
from scoring.evening.standings.cuts import CutProposal, propose_cut
from scoring.evening.state.state import Cut
from scoring.facts import wire
from scoring.problems import FactRejected, Problem, refuse_if
from tournaments.evenings.commands.record import admit, record_in_evening
from tournaments.evenings.commands.stream import append_fact, evening_of, refuse_stale, was_stored
from tournaments.log.context import Order
from tournaments.log.turns import tournament_turn
from tournaments.models import Player, Scoresheet, Tournament
from tournaments.projections.played import game_of, seats_played
from tournaments.tables.commands.unfinished import contradicting, disputed, still_open, unconfirmed


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCut:
    """The answer: the evening after the cut, and whether it had been made before."""

    evening: Evening
    is_replay: bool


def make_cut(tournament_id: UUID, *, order: Order, expected: int | None = None) -> StageCut:
    """Cut the stage that is being played. Raises FactRejected with everything in the way, StaleTable, KeyReused."""
    with tournament_turn(tournament_id) as tournament:
        evening = evening_of(tournament)
        if _was_answered(tournament, evening, order):
            return StageCut(evening=evening, is_replay=True)
        refuse_stale(evening, expected)
        refuse_if(list(_unfinished_problems(tournament, evening)), FactRejected)
        game = game_of(tournament, evening, evening.stage)
        proposal = propose_cut(evening, seats_played(tournament, evening), game)
        refuse_if(_tie_problems(tournament, proposal), FactRejected)
        fact = _fact(proposal)
        admit(tournament, evening, fact)
        return StageCut(evening=append_fact(tournament, fact, order, evening=evening).evening, is_replay=False)


def withdraw_cut(tournament_id: UUID, stage: int, *, reason: str, order: Order) -> Evening:
    """Take a cut back before the next stage is seated. Raises FactRejected, KeyReused."""
    fact = wire.CutWithdrawn(stage=stage, reason=reason.strip())
    return record_in_evening(tournament_id, fact, order=order).evening


def _fact(cut: CutProposal | Cut) -> wire.CutMade:
    return wire.CutMade(stage=cut.stage, advancing=cut.advancing, carried=dict(cut.carried), left=dict(cut.left))


def _was_answered(tournament: Tournament, evening: Evening, order: Order) -> bool:
    """The same order has made the last cut. What it asked for follows from what was played, so it is that cut."""
    if not evening.cuts:
        return False
    return was_stored(tournament, _fact(evening.cuts[-1]), order)


def _unfinished_problems(tournament: Tournament, evening: Evening) -> Iterator[Problem]:
    """Rounds that were not seated, and tables of the stage that are open, contradict themselves or wait for a word."""
    rounds, stage = evening.rounds_of(evening.stage), evening.current
    if stage is not None and len(rounds) < stage.rounds:
        detail = (
            f"{len(rounds)} of {stage.rounds} {'round' if stage.rounds == 1 else 'rounds'} of stage {evening.stage} "
            "are seated"
        )
        yield Problem(code="rounds_left", field="round", detail=detail)
    running = {(seated.round, table.number) for seated in rounds for table in seated.running}
    sheets = Scoresheet.objects.filter(
        table__tournament_id=tournament.id, table__round__in={number for number, _ in running}
    )
    for sheet in sheets.select_related("table").defer("state").order_by("table__round", "table__number"):
        if (sheet.table.round, sheet.table.number) in running and not sheet.is_cancelled:
            yield from _table_problems(sheet)


def _table_problems(sheet: Scoresheet) -> Iterator[Problem]:
    if sheet.has_conflict:
        yield contradicting(sheet)
    if sheet.has_dispute:
        yield disputed(sheet)
    if sheet.unconfirmed:
        yield unconfirmed(sheet)
    if not sheet.is_closed:
        yield still_open(sheet)


def _tie_problems(tournament: Tournament, proposal: CutProposal) -> list[Problem]:
    """Every tie that the cut would have to break, with the players' names, in one query."""
    level = [player for task in proposal.tasks for player in task.players]
    found = Player.objects.filter(club_id=tournament.club_id, id__in=level).values_list("id", "name")
    names = {str(player): name for player, name in found}
    return [
        Problem(
            code="tie_to_settle",
            field="advancing",
            detail=f"{', '.join(names.get(player, player) for player in task.players)} are level at the cut "
            f"({task.where}), and {task.places} of them {'goes' if task.places == 1 else 'go'} on: "
            f"settle it by {' or by '.join(method.replace('_', ' ') for method in task.methods)}",
        )
        for task in proposal.tasks
    ]
