"""Seating a round, changing seats, moving players, and withdrawing seatings that a correction has made wrong.

Rules: docs/how-to/seating.md, sections 8 and 9; docs/how-to/evening.md, "Corrections". Each is one event of the
tournament, and one of each table, all or nothing.

No player is seated who still plays at a table of an earlier round. A move breaks tables up, and the new tables continue
with their scores; where a game starts every sheet from zero, only tables without a deal are broken up. It can be undone
until a deal is played at one of the new tables. A correction withdraws the seating of the latest round if no deal was
played in it, and makes a cut again whose numbers have changed; if that leaves ties to break, the cut stays open for the
director.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import Q

from scoring.events import wire
from scoring.messages import Message, Seat, say, say_many
from scoring.problems import EventNotAllowed, Problem, refuse_if
from scoring.rules.table.table import Table
from scoring.sheets.snapshots import load_table
from scoring.tournament import TournamentState
from scoring.tournament.checks.rounds import not_here
from scoring.tournament.standings import propose_cut
from scoring.tournament.state.reentries import brought_into as stage_brought
from scoring.tournament.state.refusals import of_player
from tournaments.books.commands import unpaid
from tournaments.log.context import CommandContext, part, tournament_lock
from tournaments.models import Scoresheet, Standing, Tournament
from tournaments.models import Table as TableRow
from tournaments.people.players import named
from tournaments.projections.boards import seats_played
from tournaments.projections.terms import game_of, terms_of
from tournaments.running.commands.cut import make_cut, withdraw_cut
from tournaments.running.commands.record import append_event, locked_tournament, tournament_state, was_answered
from tournaments.seating import round_now, seats_now, table_of
from tournaments.tables.carried import (
    LOST,
    Carried,
    changed_since,
    named_loss,
    playing_now,
    recorded_at,
    recorded_before_undoing,
    without_seat,
)
from tournaments.tables.commands.carry_over import record_again
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_tables
from tournaments.tables.commands.record import NUMBERS, RecordedEvent, record_all, record_wire_event
from tournaments.tables.commands.table_tokens import contradicting, give_up, make_room, sheets_of_round

REASON = "a deal of an earlier round was corrected"
SEATS_CHANGED = "seats changed before the first deal"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOpened:
    """The result: the tournament with its new round, the tables in order, and whether they had already been opened."""

    state: TournamentState
    tables: tuple[TableRow, ...]
    is_replay: bool


def seat_round(
    tournament_id: UUID,
    seating: wire.RoundSeated,
    *,
    context: CommandContext,
    expected: int | None = None,
    seats_absent: bool = False,
) -> RoundOpened:
    """Publish a seating and open its tables. Raises EventNotAllowed, OptionsRejected, StaleTable, KeyReused.

    `seats_absent` confirms seating players who are absent from a final for money, and losing penalties and buy-ins of
    the undone seating whose players have no seat any more.
    """
    with locked_tournament(tournament_id, seating, context=context, expected=expected) as turn:
        tournament, state = turn.tournament, turn.state
        if turn.is_replay:
            there = TableRow.objects.filter(tournament=tournament, round=seating.round).order_by("number")
            return RoundOpened(state=state, tables=tuple(there), is_replay=True)
        players = [player for _, seated in seating.tables for player in seated]
        problems = [*_still_playing(tournament, state, seating), *unpaid(tournament, state, players)]
        carried = recorded_before_undoing(tournament, seating.round)
        if not seats_absent:
            problems += [
                *not_here(state, players),
                *_lost_by_seating(tournament, state, without_seat(state, carried, players)),
            ]
        refuse_if(named(tournament.club_id, problems), EventNotAllowed)
        appended_event = append_event(tournament, seating, context, state=state)
        brought = brought_into(tournament, state)
        drafts = [table_draft(state, seating.round, table, brought=brought) for table in seating.tables]
        tables = open_tables(tournament, drafts, context)
        record_again(state, carried, tables, context)
    return RoundOpened(state=appended_event.state, tables=tables, is_replay=False)


def _lost_by_seating(tournament: Tournament, state: TournamentState, lost: Iterable[Carried]) -> list[Problem]:
    """What was recorded at tables of the undone seating for players who have no seat in the new one."""
    return [
        of_player(
            player,
            LOST,
            say(
                "{seat} had {what} before the seating was undone, and has no seat now",
                seat=Seat(player),
                what=named_loss(carried_record, tournament.currency),
            ),
            field="tables",
        )
        for carried_record in lost
        for player in [playing_now(state, carried_record.player)]
    ]


def withdraw_seating(
    tournament_id: UUID, round_number: int, *, reason: str, context: CommandContext
) -> TournamentState:
    """Withdraw a published seating and abandon its tables. Refused once a deal was played at one of them.

    Penalties and buy-ins recorded there follow their players when the round is seated again.
    """
    event = wire.SeatingWithdrawn(round=round_number, reason=reason.strip())
    with locked_tournament(tournament_id, event, context=context) as turn:
        if turn.is_replay:
            return turn.state
        give_up(sheets_of_round(turn.tournament, round_number), event.reason, field="round", context=context)
        make_room(turn.tournament, round_number, Q(number__lt=NUMBERS))
        return append_event(turn.tournament, event, context, state=turn.state).state


def table_draft(
    state: TournamentState,
    round_number: int,
    table: tuple[int, Sequence[str]],
    *,
    brought: Mapping[str, int],
) -> TableDraft:
    """Draft a table of a round: what its stage plays, and what its players bring from earlier tables."""
    number, players = table
    return TableDraft(
        number=number,
        round=round_number,
        seats=[SeatedPlayer(number=place, player=UUID(player)) for place, player in enumerate(players, start=1)],
        stage=state.current,
        carried={UUID(player): brought[player] for player in players if player in brought},
        pays_entry=state.plan is None,
        confirmation="at_once" if state.plan is None else state.plan.confirmation,
    )


def brought_into(tournament: Tournament, state: TournamentState) -> Mapping[str, int]:
    """Return what players bring into a stage whose totals run on. If tables are added up, the standings add it."""
    stage = state.current
    if stage is None or not state.cuts or not terms_of(tournament).brings_totals(stage):
        return {}
    return stage_brought(state, state.stage)


def _still_playing(tournament: Tournament, state: TournamentState, seating: wire.RoundSeated) -> Iterator[Problem]:
    """Report players to be seated who still play. Late tables may go on beside a round without their players.

    A table whose events contradict each other has no result, closed or not: it is reported once for all of its players.
    """
    seats = Standing.objects.filter(tournament=tournament, round__lt=seating.round, is_in=True)
    sheets = {"is_finished": False, "is_cancelled": False, "has_moved_on": False}
    playing = seats.filter(**{f"table__scoresheet__{name}": value for name, value in sheets.items()})
    standings = playing.order_by("round").select_related("table__scoresheet").defer("table__scoresheet__state")
    tables = {str(standing.player_id): standing.table for standing in standings}
    torn: dict[UUID, Problem] = {}
    for player in [player for _, players in seating.tables for player in players]:
        # A substitute continues for the player.
        table = next((tables[predecessor] for predecessor in state.before(player) if predecessor in tables), None)
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


def move_players(
    tournament_id: UUID,
    move: wire.PlayersMoved,
    *,
    context: CommandContext,
    expected: int | None = None,
    titles: Mapping[int, str] | None = None,
) -> RoundOpened:
    """Break up tables and open others with the same players, named by `titles` where given.

    Raises EventNotAllowed, StaleTable, KeyReused.
    """
    with locked_tournament(tournament_id, move, context=context, expected=expected) as turn:
        tournament, state = turn.tournament, turn.state
        if turn.is_replay:
            return RoundOpened(state=state, tables=(), is_replay=True)
        sheets = sheets_of_round(tournament, move.round, move.instead_of)
        tables = {sheet.table.number: load_table(sheet.state) for sheet in sheets}
        refuse_if(named(tournament.club_id, _moved_problems(move, tables)), EventNotAllowed)
        for sheet in sheets:
            broken_up = {"kind": "table_moved_on"}
            record_wire_event(sheet.table_id, broken_up, expected=sheet.version, context=part(context, sheet.table_id))
        appended_event = append_event(tournament, move, context, state=state)
        drafts = [replace(draft, name=(titles or {}).get(draft.number, "")) for draft in _drafts(state, move, tables)]
        opened = open_tables(tournament, drafts, context)
        record_again(state, recorded_at(sheets), opened, context)
    return RoundOpened(state=appended_event.state, tables=opened, is_replay=False)


def undo_move(tournament_id: UUID, version: int, *, reason: str, context: CommandContext) -> TournamentState:
    """Undo the last move: the tables that were broken up continue. Refused once a deal was played at a new one."""
    event = wire.MoveUndone(version=version, reason=reason.strip())
    with locked_tournament(tournament_id, event, context=context) as turn:
        tournament, state = turn.tournament, turn.state
        if turn.is_replay:
            return state
        move = state.moves[-1]
        opened = sheets_of_round(tournament, move.round, move.numbers)
        broken_up = sheets_of_round(tournament, move.round, move.instead_of)
        new = changed_since(recorded_at(broken_up), recorded_at(opened))
        give_up(opened, event.reason, field="version", context=context)
        make_room(tournament, move.round, Q(number__in=move.numbers))
        for sheet in broken_up:
            withdrawn = {"kind": "fact_withdrawn", "version": sheet.version, "reason": event.reason}
            record_wire_event(sheet.table_id, withdrawn, expected=sheet.version, context=part(context, sheet.table_id))
        record_again(state, new, [sheet.table for sheet in broken_up], context)
        return append_event(tournament, event, context, state=state).state


def _drafts(state: TournamentState, move: wire.PlayersMoved, tables: Mapping[int, Table]) -> list[TableDraft]:
    """Draft the new tables, each player with the score of the table they come from.

    From a table without a deal they bring what they had brought there: its penalties are recorded again.
    """
    brought = {
        table.players[seat]: (getattr(view, table.rules.race) or 0)
        if table.has_begun
        else table.setup.carried.get(seat, 0)
        for table in tables.values()
        for seat, view in table.seats().items()
    }
    return [table_draft(state, move.round, table, brought=brought) for table in move.tables]


def _moved_problems(move: wire.PlayersMoved, tables: Mapping[int, Table]) -> list[Problem]:
    """Check that each player who is still in has a seat afterwards, and no eliminated player has one."""
    still_in = {table.players[seat] for table in tables.values() for seat, view in table.seats().items() if view.is_in}
    moved = [player for _, players in move.tables for player in players]
    problems = [
        of_player(player, "seat_is_out", say("{seat} is out, and does not play on", seat=Seat(player)), field="tables")
        for player in moved
        if player not in still_in
    ]
    problems += [
        of_player(player, "not_seated", say("{seat} is still in, and has no seat", seat=Seat(player)), field="tables")
        for player in sorted(still_in - set(moved))
    ]
    return problems + _lost_scores(tables)


def _lost_scores(tables: Mapping[int, Table]) -> list[Problem]:
    """Report tables with deals or totals whose scores cannot be continued on a new sheet: their players cannot move."""
    return [
        Problem(
            code="score_stays",
            field="instead_of",
            detail=say(
                "table {table} has {what} on its sheet, and {kind} scores cannot move to another table: "
                "finish the round first",
                table=number,
                what=say("totals")
                if table.has_totals
                else say_many("{count} deal", "{count} deals", count=table.deals),
                kind=Message(table.rules.title),
            ),
        )
        for number, table in tables.items()
        if table.has_begun and not table.rules.counts_on
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Redrawn:
    """What was stored, the round to seat again, the stage cut again, and why a withdrawn cut could not be made."""

    recorded: tuple[RecordedEvent, ...]
    round: int | None = None
    cut: int | None = None
    open_problems: tuple[Problem, ...] = ()


def record_and_redraw(
    table_id: UUID, raws: Sequence[Mapping[str, object]], *, expected: int, context: CommandContext
) -> Redrawn:
    """Store corrections of one table, then withdraw the seating or cut that followed from it. All or nothing.

    Raises EventRejected, EventNotAllowed, StaleTable, KeyReused as recording does, and EventNotAllowed once a deal was
    played in the latest round. The same request again changes nothing more.
    """
    row = Scoresheet.objects.select_related("table").get(table_id=table_id).table
    with tournament_lock(row.tournament_id) as tournament:
        recorded = record_all(table_id, raws, expected=expected, context=context)
        if any(record.is_replay for record in recorded):
            return Redrawn(recorded=recorded)
        state = tournament_state(tournament)
        seated = state.last_round.round if state.last_round else row.round
        if seated > row.round:
            state = withdraw_seating(tournament.id, seated, reason=REASON, context=part(context, "seating"))
        cut, problems = _recut(tournament, state, context)
    return Redrawn(recorded=recorded, round=seated if seated > row.round else None, cut=cut, open_problems=problems)


def _recut(
    tournament: Tournament, state: TournamentState, context: CommandContext
) -> tuple[int | None, tuple[Problem, ...]]:
    """Make the last cut again if its numbers have changed and its stage has not been seated."""
    if not state.cuts or state.rounds_of(state.stage):
        return None, ()
    last = state.cuts[-1]
    before = msgspec.structs.replace(state, cuts=state.cuts[:-1])
    proposed = propose_cut(before, seats_played(tournament, before), game_of(tournament, before, last.stage))
    # A cut of an earlier release does not store who was left out; that alone is no reason to make it again.
    as_made = (last.advancing, last.carried, last.left or proposed.left)
    if not proposed.tasks and (proposed.advancing, proposed.carried, proposed.left) == as_made:
        return None, ()
    withdraw_cut(tournament.id, last.stage, reason=REASON, context=part(context, "cut-back"))
    try:
        with transaction.atomic():
            make_cut(tournament.id, context=part(context, "cut"))
    except EventNotAllowed as refused:
        return None, tuple(refused.problems)
    return last.stage, ()


# Other players at tables of the round being played: a player who comes late, does not come, or sat in another's seat.
# Rules: docs/how-to/evening.md, "Late, missing and swapped players". A table at which no deal was played is cancelled
# and opened again under its number; one with a deal keeps its players.


def change_seats(
    tournament_id: UUID, event: wire.SeatsChanged, *, context: CommandContext, drops_recorded: bool = False
) -> TournamentState:
    """Open tables of the round again with these players. Refused where a deal was played at one of them.

    Penalties and buy-ins follow their players; `drops_recorded` confirms losing those of players without a seat. Raises
    EventNotAllowed, OptionsRejected, KeyReused.
    """
    with locked_tournament(tournament_id, event, context=context) as turn:
        tournament, state = turn.tournament, turn.state
        if turn.is_replay:
            return state
        numbers = [number for number, _ in event.tables]
        there = {player for players in seats_now(state).values() for player in players}
        new = [player for _, players in event.tables for player in players if player not in there]
        refuse_if(named(tournament.club_id, list(unpaid(tournament, state, new))), EventNotAllowed)
        sheets, reason = sheets_of_round(tournament, event.round, numbers), event.reason or SEATS_CHANGED
        carried = recorded_at(sheets)
        seated = {player for _, players in event.tables for player in players}
        lost = () if drops_recorded else without_seat(state, carried, seated)
        refuse_if(named(tournament.club_id, _lost_with_the_seat(tournament, state, lost)), EventNotAllowed)
        give_up(sheets, reason, field="tables", context=context)
        make_room(tournament, event.round, Q(number__in=numbers))
        after = append_event(tournament, event, context, state=state).state
        brought = brought_into(tournament, after)
        drafts = [table_draft(after, event.round, table, brought=brought) for table in event.tables if table[1]]
        record_again(after, carried, open_tables(tournament, drafts, context), context)
    return after


def _lost_with_the_seat(tournament: Tournament, state: TournamentState, lost: Iterable[Carried]) -> list[Problem]:
    """What was recorded before the first deal for players who are to lose their seat."""
    return [
        of_player(
            player,
            LOST,
            say(
                "{seat} has {what} at table {table}, which would no longer count: undo it at the table first",
                seat=Seat(player),
                what=named_loss(carried_record, tournament.currency),
                table=carried_record.table,
            ),
        )
        for carried_record in lost
        for player in [playing_now(state, carried_record.player)]
    ]


def swap_seats(tournament_id: UUID, one: str, other: str, *, reason: str, context: CommandContext) -> TournamentState:
    """Swap two players who sat in each other's seats, once for each key. Refused once a deal was played there."""
    context = replace(context, asked=wire.request_digest(str(tournament_id), "swap", one, other, reason))
    with tournament_lock(tournament_id) as tournament:
        if was_answered(tournament, state := tournament_state(tournament), context):
            return state
        refuse_if(named(tournament.club_id, _swap_problems(state, one, other)), EventNotAllowed)
        turned = {one: other, other: one}
        tables = tuple(
            (number, tuple(turned.get(player, player) for player in players))
            for number, players in seats_now(state).items()
            if not turned.keys().isdisjoint(players)
        )
        event = wire.SeatsChanged(round=round_now(state), tables=tables, reason=reason.strip())
        return change_seats(tournament_id, event, context=context)


def _swap_problems(state: TournamentState, one: str, other: str) -> list[Problem]:
    if one == other:
        return [Problem(code="same_player", field="other", detail=say("choose two different players"))]
    return [
        of_player(player, "not_seated", say("{seat} has no seat in this round", seat=Seat(player)), field=field)
        for field, player in (("one", one), ("other", other))
        if table_of(state, player) is None
    ]
