"""Seating: the current round, seat by seat, and the tables at which seats can still change.

Rules: docs/how-to/evening.md, "Late, missing and swapped players". A table at which a deal was played, or that was
created by a move, keeps its players. Drafts, seating rounds and moving players are in the modules of this package, the
draw itself in `tournaments.draw`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from scoring.events.tournament import SeatedTable
from scoring.messages import say
from scoring.problems import EventNotAllowed, Problem
from scoring.tournament import TournamentState
from scoring.tournament.checks.rounds import to_ask_about
from tournaments.models import Scoresheet, Tournament
from tournaments.people.known_names import doubts_about
from tournaments.projections.terms import stage_terms


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedAt:
    """A table of the round: its players in seat order, and how many more it can take while seats can change."""

    sheet: Scoresheet
    players: tuple[str, ...]
    may_change: bool
    free: int

    @property
    def number(self) -> int:
        return self.sheet.table.number


def round_now(state: TournamentState) -> int:
    """Return the number of the current round; 0 where there is none."""
    last = state.last_round
    return last.round if last is not None and last.stage == state.stage else 0


def seats_now(state: TournamentState) -> dict[int, tuple[str, ...]]:
    """Return the players at each table of the round: substitutes instead of those they replace, no one who left."""
    last = state.last_round if round_now(state) else None
    tables = last.running if last is not None else ()
    return {table.number: tuple(_here(state, table.players)) for table in tables}


def table_of(state: TournamentState, player: str) -> int | None:
    """Return a player's table in the round; None without one."""
    return next((number for number, players in seats_now(state).items() if player in players), None)


def tables_now(tournament: Tournament, state: TournamentState) -> tuple[SeatedAt, ...]:
    """Return the tables of the round, in one query."""
    number = round_now(state)
    moved = {table_number for move in state.moves if move.round == number for table_number in move.numbers}
    round_sheets = Scoresheet.objects.filter(table__tournament=tournament, table__round=number, is_cancelled=False)
    sheets = {sheet.table.number: sheet for sheet in round_sheets.select_related("table").defer("state")}
    most = max(stage_terms(tournament, state, state.stage).rules.seats_allowed)
    return tuple(
        SeatedAt(
            sheet=sheets[table],
            players=players,
            may_change=(can_change := not (sheets[table].has_begun or sheets[table].is_closed or table in moved)),
            free=max(0, most - len(players)) if can_change else 0,
        )
        for table, players in seats_now(state).items()
        if table in sheets
    )


def without_player(state: TournamentState, player: str, tables: Sequence[SeatedAt]) -> tuple[SeatedTable, ...]:
    """Return the changed tables when a player leaves their seat.

    Where only one player is left at the table, they move to the smallest table with a seat. Raises EventNotAllowed
    where there is none.
    """
    seats, number = seats_now(state), table_of(state, player)
    if number is None:
        return ()
    staying = tuple(neighbour for neighbour in seats[number] if neighbour != player)
    if len(staying) != 1:
        return ((number, staying),)
    return tuple(sorted(((number, ()), _joined(seats, number, staying, tables))))


def _joined(
    seats: Mapping[int, tuple[str, ...]], number: int, staying: tuple[str, ...], tables: Sequence[SeatedAt]
) -> SeatedTable:
    others = [table for table in tables if table.free and table.number != number]
    if not others:
        detail = say(
            "table {table} would have 1 player left, and no other table without a deal has a seat: undo the seating",
            table=number,
        )
        raise EventNotAllowed([Problem(code="table_too_small", field="player", detail=detail)])
    goal = min(others, key=lambda other: (len(other.players), other.number)).number
    return goal, (*seats[goal], *staying)


def _here(state: TournamentState, players: Sequence[str]) -> list[str]:
    playing = [state.playing_for(player) for player in players if player in state.entrants]
    return [player for player in playing if state.entrants[player].plays]


def questions_about(tournament: Tournament, state: TournamentState, players: Collection[str]) -> list[Problem]:
    """Return the reasons to ask before seating these players: not here, not paid, suspended, twice in the list.

    One query.
    """
    doubts = doubts_about(tournament.club_id, players)
    return to_ask_about(
        state, tuple(players), entry_minor=tournament.entry_minor, suspended=doubts.suspended, alike=doubts.alike
    )


def questions_of_joining(tournament: Tournament, state: TournamentState, *players: str) -> list[Problem]:
    """What to ask about players who join: suspended or same name; presence and payment are seen at the desk."""
    problems = questions_about(tournament, state, dict.fromkeys([*state.field(), *players])) if players else []
    return [problem for problem in problems if problem.seat in players and problem.code in ("suspended", "same_name")]
