"""Moving players between running tables: the old tables are broken up, new ones go on with the scores they had.

Where a game starts each sheet anew, only tables without a deal are broken up.
Every move is one fact in the tournament's stream and one in each table's, all or nothing; it can be taken back until a
deal is played at one of the new tables.
"""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from django.db.models import Q

from scoring.evening import Evening
from scoring.facts import wire
from scoring.messages import Message, Seat, say, say_many
from scoring.problems import FactRejected, Problem, refuse_if
from scoring.rules.table.table import Table
from scoring.sheets.snapshots import load_table
from tournaments.evenings.commands.record import evening_turn
from tournaments.evenings.commands.stream import append_fact
from tournaments.log.context import Order, part
from tournaments.people.names import named
from tournaments.seating.commands.seat import RoundOpened, table_draft
from tournaments.tables.commands.open_tables import TableDraft, open_tables
from tournaments.tables.commands.record import record_wire_event
from tournaments.tables.commands.table_tokens import give_up, make_room, sheets_of_round


def move_players(
    tournament_id: UUID,
    move: wire.PlayersMoved,
    *,
    order: Order,
    expected: int | None = None,
    titles: Mapping[int, str] | None = None,
) -> RoundOpened:
    """Break tables up and open others with the same players, called by `titles` where they are given.

    Raises FactRejected, StaleTable, KeyReused.
    """
    with evening_turn(tournament_id, move, order=order, expected=expected) as turn:
        tournament, evening = turn.tournament, turn.evening
        if turn.is_replay:
            return RoundOpened(evening=evening, tables=(), is_replay=True)
        sheets = sheets_of_round(tournament, move.round, move.instead_of)
        tables = {sheet.table.number: load_table(sheet.state) for sheet in sheets}
        refuse_if(named(tournament.club_id, _moved_problems(move, tables)), FactRejected)
        for sheet in sheets:
            broken_up = {"kind": "table_moved_on"}
            record_wire_event(sheet.table_id, broken_up, expected=sheet.version, order=part(order, sheet.table_id))
        written = append_fact(tournament, move, order, evening=evening)
        drafts = [replace(draft, name=(titles or {}).get(draft.number, "")) for draft in _drafts(evening, move, tables)]
        opened = open_tables(tournament, drafts, order)
    return RoundOpened(evening=written.evening, tables=opened, is_replay=False)


def undo_move(tournament_id: UUID, version: int, *, reason: str, order: Order) -> Evening:
    """Take the last move back: the tables that were broken up go on. Refused once a deal was played at a new one."""
    fact = wire.MoveUndone(version=version, reason=reason.strip())
    with evening_turn(tournament_id, fact, order=order) as turn:
        tournament, evening = turn.tournament, turn.evening
        if turn.is_replay:
            return evening
        move = evening.moves[-1]
        give_up(sheets_of_round(tournament, move.round, move.numbers), fact.reason, field="version", order=order)
        make_room(tournament, move.round, Q(number__in=move.numbers))
        for sheet in sheets_of_round(tournament, move.round, move.instead_of):
            withdrawn = {"kind": "fact_withdrawn", "version": sheet.version, "reason": fact.reason}
            record_wire_event(sheet.table_id, withdrawn, expected=sheet.version, order=part(order, sheet.table_id))
        return append_fact(tournament, fact, order, evening=evening).evening


def _drafts(evening: Evening, move: wire.PlayersMoved, tables: Mapping[int, Table]) -> list[TableDraft]:
    """The new tables, each player with the score of the table they come from."""
    brought = {
        table.players[seat]: getattr(view, table.rules.race) or 0
        for table in tables.values()
        for seat, view in table.seats().items()
    }
    return [table_draft(evening, move.round, table, brought=brought) for table in move.tables]


def _moved_problems(move: wire.PlayersMoved, tables: Mapping[int, Table]) -> list[Problem]:
    """Whoever is still in has a seat afterwards, and nobody who is out has one."""
    still_in = {table.players[seat] for table in tables.values() for seat, view in table.seats().items() if view.is_in}
    moved = [player for _, players in move.tables for player in players]
    problems = [
        Problem(
            code="seat_is_out",
            seat=player,
            field="tables",
            detail=say("{seat} is out, and does not play on", seat=Seat(player)),
        )
        for player in moved
        if player not in still_in
    ]
    problems += [
        Problem(
            code="not_seated",
            seat=player,
            field="tables",
            detail=say("{seat} is still in, and has no seat", seat=Seat(player)),
        )
        for player in sorted(still_in - set(moved))
    ]
    return problems + _lost_scores(tables)


def _lost_scores(tables: Mapping[int, Table]) -> list[Problem]:
    """Where a new sheet cannot go on from a score, nobody moves away from one."""
    return [
        Problem(
            code="score_stays",
            field="instead_of",
            detail=say(
                "table {table} has {what} on its sheet, and {kind} scores cannot move to another table: "
                "finish the round first",
                table=number,
                what=say_many("{count} deal", "{count} deals", count=table.deals),
                kind=Message(table.rules.title),
            ),
        )
        for number, table in tables.items()
        if table.deals and not table.rules.counts_on
    ]
