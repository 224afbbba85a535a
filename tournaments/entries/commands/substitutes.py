"""Lets a substitute play on in a player's place, and undoes that.

Rules: docs/how-to/evening.md, "Late, missing and swapped players". A substitution cannot be undone once a deal was
recorded with the substitute; a table that was opened with them is cancelled and opened again for the player, under the
same number.
"""

from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Q

from scoring.events import wire
from scoring.messages import Seat, say
from scoring.problems import EventNotAllowed, Problem, refuse_if
from scoring.tournament import TournamentState, fold_tournament, problems_with
from scoring.tournament.state import Entrant, TableSeating
from scoring.tournament.state.refusals import ALREADY, of_player
from tournaments import log
from tournaments.entries.commands.enter import player_called
from tournaments.log.context import CommandContext, tournament_lock
from tournaments.models import Table, Tournament
from tournaments.people.players import named
from tournaments.running.commands.record import (
    TournamentRecorded,
    append_event,
    locked_tournament,
    record_in_tournament,
    tournament_state,
    was_answered,
)
from tournaments.running.commands.settle import problems_of_taking_again
from tournaments.seating import questions_of_joining, round_now, tables_now
from tournaments.seating.commands.seat import brought_into, table_draft
from tournaments.tables.carried import Carried, recorded_at
from tournaments.tables.commands.carry_over import record_again
from tournaments.tables.commands.open_tables import open_tables
from tournaments.tables.commands.table_tokens import give_up, make_room, played_problems, sheets_of_round


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """A player named `by` is to play on in a player's place; `adds_new` allows a new name.

    `asks` refuses suspended players and possible duplicates with a question.
    """

    player: str
    by: str
    reason: str
    adds_new: bool = False
    asks: bool = False


def substitute(tournament_id: UUID, wanted: StandIn, *, context: CommandContext) -> TournamentRecorded:
    """Let a substitute play on in a player's place."""
    with tournament_lock(tournament_id) as tournament:
        state = tournament_state(tournament)
        if was_answered(tournament, state, context):
            return TournamentRecorded(state=state, is_replay=True)
        other = player_called(tournament, wanted.by, adds_new=wanted.adds_new)
        playing = round_of_substitute(tournament, state, wanted.player)
        event = wire.PlayerSubstituted(player=wanted.player, by=str(other), round=playing, reason=wanted.reason)
        if wanted.asks and not problems_with(state, event):
            after = fold_tournament(state, [(state.version + 1, event)])
            questions = questions_of_joining(tournament, after, event.by)
            refuse_if(named(tournament.club_id, questions), EventNotAllowed)
        return record_in_tournament(tournament_id, event, context=context)


def round_of_substitute(tournament: Tournament, state: TournamentState, player: str) -> int | None:
    """The round in which a player sits at a table that is still in play, or None."""
    there = [table.sheet for table in tables_now(tournament, state) if player in table.players]
    return round_now(state) if there and not (there[0].is_finished or there[0].is_closed) else None


def may_be_substituted(state: TournamentState, player: str) -> list[Problem]:
    """Problems with any substitute for this player."""
    probe = wire.PlayerSubstituted(player=player, by="", reason="-")
    return [problem for problem in problems_with(state, probe) if problem.code != ALREADY]


def substitution_stands(tournament: Tournament, state: TournamentState, player: str) -> list[Problem]:
    """Problems with undoing a player's substitution: later events, and deals at the table."""
    problems = problems_with(state, wire.SubstitutionUndone(player=player, reason="-"))
    entrant = state.entrants.get(player)
    if problems or entrant is None or entrant.replaced_by is None:
        return problems
    table = _table_of(state, entrant.replaced_by)
    sheets = sheets_of_round(tournament, state.rounds[-1].round, [table.number]) if table is not None else []
    return [*played_problems(sheets, "player"), *_dealt_with(tournament, state, entrant)]


def _dealt_with(tournament: Tournament, state: TournamentState, known: Entrant) -> list[Problem]:
    """Problems with deals played since a substitute came in during a round: they belong to the substitute."""
    if known.replaced_in is None or known.replaced_by is None:
        return []
    club, named = tournament.club_id, known.player
    came = log.find(club=club, streams=[tournament.pk], kinds=[wire.PlayerSubstituted.kind], naming=named)
    since = came.last()
    tables = Table.objects.filter(
        tournament=tournament, round=known.replaced_in, seats__player__in=list(state.before(known.player))
    )
    dealt = log.spans(club=club, streams=tables.values("pk"), kinds=wire.PLAYED_KINDS)
    if since is None or all(span.last < since.position for span in dealt):
        return []
    by = known.replaced_by
    detail = say(
        "{seat} has played in round {round}: the substitution cannot be undone",
        seat=Seat(by),
        round=known.replaced_in,
    )
    return [of_player(by, "already_played", detail, field="player")]


def undo_substitution(tournament_id: UUID, player: str, *, reason: str, context: CommandContext) -> TournamentRecorded:
    """Give a player the place back. A substitute from the standby list pays as before, if they still have the money.

    Raises EventNotAllowed, StaleTable, KeyReused.
    """
    event = wire.SubstitutionUndone(player=player, reason=reason.strip())
    with locked_tournament(tournament_id, event, context=context, expected=context.seen) as turn:
        if turn.is_replay:
            return TournamentRecorded(state=turn.state, is_replay=True)
        undone = fold_tournament(turn.state, [(turn.state.version + 1, event)])
        refuse_if(named(turn.tournament.club_id, problems_of_taking_again(turn.tournament, undone)), EventNotAllowed)
        entrant = turn.state.entrants[player]
        refuse_if(named(turn.tournament.club_id, _dealt_with(turn.tournament, turn.state, entrant)), EventNotAllowed)
        table = _table_of(turn.state, entrant.replaced_by)
        carried = _give_up(turn.tournament, turn.state, table, context, event.reason) if table is not None else []
        after = append_event(turn.tournament, event, context, state=turn.state).state
        if table is not None:
            # What the substitute was given at the table, the player takes over with the place.
            back = [
                replace(record, player=player) if record.player == entrant.replaced_by else record for record in carried
            ]
            record_again(after, back, _open_again(turn.tournament, after, table.number, context), context)
        return TournamentRecorded(state=after, is_replay=False)


def _table_of(state: TournamentState, player: str | None) -> TableSeating | None:
    """A player's table in the current round."""
    tables = state.last_round.running if state.last_round is not None else ()
    return next((table for table in tables if player in table.players), None)


def _give_up(
    tournament: Tournament, state: TournamentState, taken: TableSeating, context: CommandContext, reason: str
) -> list[Carried]:
    number = state.rounds[-1].round
    sheets = sheets_of_round(tournament, number, [taken.number])
    give_up(sheets, reason, field="player", context=context)
    make_room(tournament, number, Q(number=taken.number))
    return recorded_at(sheets)


def _open_again(
    tournament: Tournament, state: TournamentState, number: int, context: CommandContext
) -> tuple[Table, ...]:
    """The same table with the same players, except for the substitute."""
    last = state.rounds[-1]
    table = next(table for table in last.running if table.number == number)
    brought = brought_into(tournament, state)
    draft = table_draft(state, last.round, (number, table.players), brought=brought)
    return open_tables(tournament, [draft], context)
