"""Other players at tables of the round being played: somebody who comes late, does not come, or sat in another's seat.

Rules: docs/how-to/evening.md, "Late, missing and swapped players". A table at which no deal was played is given up and
opened again under its number; one with a deal keeps its players.
"""

from uuid import UUID

from django.db.models import Q

from scoring.evening import Evening
from scoring.evening.state.refusals import of_player
from scoring.facts import wire
from scoring.messages import Seat, say
from scoring.problems import FactRejected, Problem, refuse_if
from tournaments.books.commands import unpaid
from tournaments.evenings.commands.record import append_fact, evening_of, evening_turn
from tournaments.log.context import Order, tournament_turn
from tournaments.people.players import named
from tournaments.seating.commands.seat import brought_into, table_draft
from tournaments.seating.seats import round_now, seats_now, table_of
from tournaments.tables.commands.open_tables import open_tables
from tournaments.tables.commands.table_tokens import give_up, make_room, sheets_of_round

REASON = "seats changed before the first deal"


def change_seats(tournament_id: UUID, fact: wire.SeatsChanged, *, order: Order) -> Evening:
    """Open tables of the round again with these players. Refused where a deal was played at one of them.

    Raises FactRejected, OptionsRejected, KeyReused.
    """
    with evening_turn(tournament_id, fact, order=order) as turn:
        tournament, evening = turn.tournament, turn.evening
        if turn.is_replay:
            return evening
        numbers = [number for number, _ in fact.tables]
        there = {player for players in seats_now(evening).values() for player in players}
        new = [player for _, players in fact.tables for player in players if player not in there]
        refuse_if(named(tournament.club_id, list(unpaid(tournament, evening, new))), FactRejected)
        give_up(sheets_of_round(tournament, fact.round, numbers), fact.reason or REASON, field="tables", order=order)
        make_room(tournament, fact.round, Q(number__in=numbers))
        after = append_fact(tournament, fact, order, evening=evening).evening
        brought = brought_into(tournament, after)
        opened = [table_draft(after, fact.round, table, brought=brought) for table in fact.tables if table[1]]
        open_tables(tournament, opened, order)
    return after


def swap_seats(tournament_id: UUID, one: str, other: str, *, reason: str, order: Order) -> Evening:
    """Two players who sat in each other's seats: each has the other's. Refused once a deal was played there."""
    with tournament_turn(tournament_id) as tournament:
        evening = evening_of(tournament)
        refuse_if(named(tournament.club_id, _swap_problems(evening, one, other)), FactRejected)
        turned = {one: other, other: one}
        tables = tuple(
            (number, tuple(turned.get(player, player) for player in players))
            for number, players in seats_now(evening).items()
            if not turned.keys().isdisjoint(players)
        )
        fact = wire.SeatsChanged(round=round_now(evening), tables=tables, reason=reason.strip())
        return change_seats(tournament_id, fact, order=order)


def _swap_problems(evening: Evening, one: str, other: str) -> list[Problem]:
    if one == other:
        return [Problem(code="same_player", field="other", detail=say("choose two different players"))]
    return [
        of_player(player, "not_seated", say("{seat} has no seat in this round", seat=Seat(player)), field=field)
        for field, player in (("one", one), ("other", other))
        if table_of(evening, player) is None
    ]
