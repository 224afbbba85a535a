"""Correcting a table and drawing again what was seated on it since: one deed, all or nothing.

Rules: docs/how-to/evening.md, "Corrections". The seating of the latest round is taken back where no deal was played in
it; a cut that follows from other numbers now is recorded anew. Where that leaves level players to settle, the cut stays
open for the director.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import msgspec
from django.db import transaction

from scoring.evening import Evening
from scoring.evening.standings.places import propose_cut
from scoring.problems import FactRejected, Problem
from tournaments.evenings.commands.cut import make_cut, withdraw_cut
from tournaments.evenings.commands.stream import evening_of
from tournaments.log.context import Order, part, tournament_turn
from tournaments.models import Scoresheet, Tournament
from tournaments.projections.played import game_of, seats_played
from tournaments.seating.commands.seat import withdraw_seating
from tournaments.tables.commands.record import Recorded, record_wire_event

REASON = "a deal of an earlier round was corrected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redrawn:
    """The answer: what was stored, the round that is to be seated again, and the stage whose cut was made anew.

    `open_problems` say why a cut that was taken back could not be made again.
    """

    recorded: tuple[Recorded, ...]
    round: int | None = None
    cut: int | None = None
    open_problems: tuple[Problem, ...] = ()


def record_and_redraw(table_id: UUID, raws: Sequence[Mapping[str, object]], *, expected: int, order: Order) -> Redrawn:
    """Store corrections of one table, then take back what was seated or cut on them. All or nothing.

    Raises EventRejected, FactRejected, StaleTable, KeyReused as recording does, and FactRejected once a deal was played
    in the latest round. The same order again changes nothing more.
    """
    row = Scoresheet.objects.select_related("table").get(table_id=table_id).table
    with tournament_turn(row.tournament_id) as tournament:
        recorded = tuple(
            record_wire_event(table_id, raw, expected=expected + number, order=part(order, number) if number else order)
            for number, raw in enumerate(raws)
        )
        if any(each.is_replay for each in recorded):
            return Redrawn(recorded=recorded)
        evening = evening_of(tournament)
        seated = evening.last_round.round if evening.last_round else row.round
        if seated > row.round:
            evening = withdraw_seating(tournament.id, seated, reason=REASON, order=part(order, "seating"))
        cut, problems = _cut_again(tournament, evening, order)
    return Redrawn(recorded=recorded, round=seated if seated > row.round else None, cut=cut, open_problems=problems)


def _cut_again(tournament: Tournament, evening: Evening, order: Order) -> tuple[int | None, tuple[Problem, ...]]:
    """The last cut as it follows from what stands now, where its stage has not been seated."""
    if not evening.cuts or evening.rounds_of(evening.stage):
        return None, ()
    last = evening.cuts[-1]
    before = msgspec.structs.replace(evening, cuts=evening.cuts[:-1])
    proposed = propose_cut(before, seats_played(tournament, before), game_of(tournament, before, last.stage))
    # A cut of an earlier release does not say what was left, and needs no other one for that alone.
    as_made = (last.advancing, last.carried, last.left or proposed.left)
    if not proposed.tasks and (proposed.advancing, proposed.carried, proposed.left) == as_made:
        return None, ()
    withdraw_cut(tournament.id, last.stage, reason=REASON, order=part(order, "cut-back"))
    try:
        with transaction.atomic():
            make_cut(tournament.id, order=part(order, "cut"))
    except FactRejected as refused:
        return None, tuple(refused.problems)
    return last.stage, ()
