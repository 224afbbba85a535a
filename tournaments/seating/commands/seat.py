"""Seating a round: the published plan as one fact, and a table opened for each of its tables, all or nothing.

Rules: docs/how-to/seating.md, section 8. Nobody is given a seat who still plays at a table of an earlier round.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from scoring.evening import Evening
from scoring.evening.checks.playable import stage_options
from scoring.evening.checks.rounds import not_here
from scoring.evening.state.reentries import brought_into as stage_brought
from scoring.evening.state.refusals import of_player
from scoring.facts import wire
from scoring.messages import Seat, say
from scoring.problems import FactRejected, Problem, refuse_if
from scoring.rules.variants import variant
from tournaments.books.commands import unpaid
from tournaments.evenings.commands.record import evening_turn
from tournaments.evenings.commands.stream import append_fact
from tournaments.log.context import Order
from tournaments.models import Standing, Table, Tournament
from tournaments.people.names import named
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_tables
from tournaments.tables.commands.table_tokens import NUMBERS, contradicting, give_up, make_room, sheets_of_round


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOpened:
    """The answer: the evening with its new round, the tables in their order, and whether they stood already."""

    evening: Evening
    tables: tuple[Table, ...]
    is_replay: bool


def seat_round(
    tournament_id: UUID,
    seating: wire.RoundSeated,
    *,
    order: Order,
    expected: int | None = None,
    seats_absent: bool = False,
) -> RoundOpened:
    """Publish a seating and open its tables. Raises FactRejected, OptionsRejected, StaleTable, KeyReused.

    `seats_absent` answers the question about players who have not come to a final for money: seat them all the same.
    """
    with evening_turn(tournament_id, seating, order=order, expected=expected) as turn:
        tournament, evening = turn.tournament, turn.evening
        if turn.is_replay:
            return RoundOpened(evening=evening, tables=_tables_of(tournament, seating.round), is_replay=True)
        players = [player for _, seated in seating.tables for player in seated]
        problems = [*_still_playing(tournament, evening, seating), *unpaid(tournament, evening, players)]
        problems += [] if seats_absent else not_here(evening, players)
        refuse_if(named(tournament.club_id, problems), FactRejected)
        written = append_fact(tournament, seating, order, evening=evening)
        brought = brought_into(tournament, evening)
        drafts = [table_draft(evening, seating.round, table, brought=brought) for table in seating.tables]
        tables = open_tables(tournament, drafts, order)
    return RoundOpened(evening=written.evening, tables=tables, is_replay=False)


def withdraw_seating(tournament_id: UUID, round_number: int, *, reason: str, order: Order) -> Evening:
    """Take a published seating back; its tables are given up. Refused once a deal was played at one of them."""
    fact = wire.SeatingWithdrawn(round=round_number, reason=reason.strip())
    with evening_turn(tournament_id, fact, order=order) as turn:
        if turn.is_replay:
            return turn.evening
        give_up(sheets_of_round(turn.tournament, round_number), fact.reason, field="round", order=order)
        make_room(turn.tournament, round_number, Q(number__lt=NUMBERS))
        return append_fact(turn.tournament, fact, order, evening=turn.evening).evening


def table_draft(
    evening: Evening,
    round_number: int,
    table: tuple[int, Sequence[str]],
    *,
    brought: Mapping[str, int],
) -> TableDraft:
    """A table of a round: the stage's own options, and what its players bring from earlier tables."""
    stage, (number, players) = evening.current, table
    return TableDraft(
        number=number,
        round=round_number,
        seats=[SeatedPlayer(number=place, player=UUID(player)) for place, player in enumerate(players, start=1)],
        options=stage_options(stage, len(players)) if stage else {},
        carried={UUID(player): brought[player] for player in players if player in brought},
        pays_entry=evening.plan is None,
        confirmation="at_once" if evening.plan is None else evening.plan.confirmation,
    )


def brought_into(tournament: Tournament, evening: Evening) -> Mapping[str, int]:
    """What players bring into a stage whose totals run on. Where tables are added up, the standings add it instead."""
    stage = evening.current
    if stage is None or stage.carries == "nothing" or not evening.cuts or variant(tournament.variant).adds_up:
        return {}
    if stage.compares == "rank_points":
        return {}
    return stage_brought(evening, evening.stage)


def _still_playing(tournament: Tournament, evening: Evening, seating: wire.RoundSeated) -> Iterator[Problem]:
    """Whoever is to be seated and is not free. Tables that play late go on beside a round that does without them.

    A table whose facts contradict each other has no result, closed or not: it is named once for all of its players.
    """
    seats = Standing.objects.filter(tournament=tournament, round__lt=seating.round, is_in=True)
    sheets = {"is_finished": False, "is_cancelled": False, "has_moved_on": False}
    playing = seats.filter(**{f"table__scoresheet__{name}": value for name, value in sheets.items()})
    found = playing.order_by("round").select_related("table__scoresheet").defer("table__scoresheet__state")
    tables = {str(standing.player_id): standing.table for standing in found}
    torn: dict[UUID, Problem] = {}
    for player in [player for _, players in seating.tables for player in players]:
        # A substitute plays on where the player sat.
        table = next((tables[one] for one in evening.before(player) if one in tables), None)
        if table is None:
            continue
        if table.scoresheet.has_conflict:
            torn[table.id] = contradicting(table.scoresheet)
            continue
        detail = say(
            "{seat} still plays at table {table} of round {round}: finish that table first, or let them sit out",
            seat=Seat(player),
            table=table.number,
            round=table.round,
        )
        yield of_player(player, "still_playing", detail, field="tables")
    yield from torn.values()


def _tables_of(tournament: Tournament, round_number: int) -> tuple[Table, ...]:
    return tuple(Table.objects.filter(tournament=tournament, round=round_number).order_by("number"))
