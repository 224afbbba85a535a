"""Taking a substitution back: the player has the place again, and the seat that the substitute was given since.

Rules: docs/how-to/evening.md, "Entries and the desk". Refused once a deal was recorded with the substitute. A table
that was opened with them is given up and opened again, under its number, for the player.
"""

from uuid import UUID

from django.db.models import Q

from scoring.evening import Evening, fold_evening
from scoring.evening.state import TableSeating
from scoring.facts import wire
from scoring.problems import FactRejected, refuse_if
from tournaments.evenings.commands.record import EveningRecorded, append_fact, evening_turn
from tournaments.evenings.commands.settle import problems_of_taking_again
from tournaments.log.context import Order
from tournaments.models import Tournament
from tournaments.people.players import named
from tournaments.seating.commands.seat import brought_into, table_draft
from tournaments.tables.commands.open_tables import open_tables
from tournaments.tables.commands.table_tokens import give_up, make_room, sheets_of_round


def undo_substitution(tournament_id: UUID, player: str, *, reason: str, order: Order) -> EveningRecorded:
    """Give a player the place back. A substitute from the standby list pays as before, if the money is still there.

    Raises FactRejected, StaleTable, KeyReused.
    """
    fact = wire.SubstitutionUndone(player=player, reason=reason.strip())
    with evening_turn(tournament_id, fact, order=order, expected=order.seen) as turn:
        if turn.is_replay:
            return EveningRecorded(evening=turn.evening, is_replay=True)
        undone = fold_evening(turn.evening, [(turn.evening.version + 1, fact)])
        refuse_if(named(turn.tournament.club_id, problems_of_taking_again(turn.tournament, undone)), FactRejected)
        taken = _table_of(turn.evening, turn.evening.entrants[player].replaced_by)
        if taken is not None:
            _give_up(turn.tournament, turn.evening, taken, order, fact.reason)
        after = append_fact(turn.tournament, fact, order, evening=turn.evening).evening
        if taken is not None:
            _open_again(turn.tournament, after, taken.number, order)
        return EveningRecorded(evening=after, is_replay=False)


def _table_of(evening: Evening, player: str | None) -> TableSeating | None:
    """Where somebody sits in the round being played."""
    tables = evening.last_round.running if evening.last_round is not None else ()
    return next((table for table in tables if player in table.players), None)


def _give_up(tournament: Tournament, evening: Evening, taken: TableSeating, order: Order, reason: str) -> None:
    number = evening.rounds[-1].round
    give_up(sheets_of_round(tournament, number, [taken.number]), reason, field="player", order=order)
    make_room(tournament, number, Q(number=taken.number))


def _open_again(tournament: Tournament, evening: Evening, number: int, order: Order) -> None:
    """The same table with the same players, but one."""
    last = evening.rounds[-1]
    table = next(table for table in last.running if table.number == number)
    brought = brought_into(tournament, evening)
    open_tables(tournament, [table_draft(evening, last.round, (number, table.players), brought=brought)], order)
