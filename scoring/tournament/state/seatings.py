"""Seatings from the events of a tournament: rounds as published, changed before a deal, and moved.

Rules: docs/events.md, "Tournaments"; docs/how-to/seating.md, section 9. Knows nothing of who may be seated.
"""

from collections.abc import Callable, Iterable

import msgspec

from scoring.events import wire
from scoring.events.tournament import SeatedTable
from scoring.tournament.state import Move, RoundSeating, TableSeating, TournamentState

replace = msgspec.structs.replace


def seated(state: TournamentState, event: wire.RoundSeated, version: int) -> TournamentState:
    seating = RoundSeating(
        stage=event.stage,
        round=event.round,
        version=version,
        tables=_tables(event.tables),
        method=event.method,
        seed=event.seed,
        sitting_out=event.sitting_out,
    )
    return replace(state, is_started=True, rounds=(*state.rounds, seating))


def unseated(state: TournamentState, event: wire.SeatingWithdrawn, version: int) -> TournamentState:
    rounds = tuple(seated for seated in state.rounds if seated.round != event.round)
    moves = tuple(move for move in state.moves if move.round != event.round)
    return replace(state, rounds=rounds, moves=moves, is_started=bool(rounds))


def seats_changed(state: TournamentState, event: wire.SeatsChanged, version: int) -> TournamentState:
    """Tables keep their places in the round; active players who lose their seat sit out."""
    before, now = dict(_seated_at(state, event)), {player for _, players in event.tables for player in players}
    lost = [player for players in before.values() for player in players if player not in now]

    def changed(seated: RoundSeating) -> RoundSeating:
        unchanged_tables = [table for table in seated.tables if table.number not in dict(event.tables)]
        opened = _tables((number, players) for number, players in event.tables if players)
        out = [player for player in seated.sitting_out if player not in now]
        out += [player for player in lost if state.entrants[player].plays]
        tables = tuple(sorted([*unchanged_tables, *opened], key=lambda table: table.number))
        return replace(seated, tables=tables, sitting_out=tuple(out))

    return replace(state, rounds=tuple(changed(r) if r.round == event.round else r for r in state.rounds))


def _seated_at(state: TournamentState, event: wire.SeatsChanged) -> Iterable[SeatedTable]:
    """Who sat at the tables before."""
    numbers = [number for number, _ in event.tables]
    seated = state.round_of(event.round)
    return ((table.number, table.players) for table in (seated.tables if seated else ()) if table.number in numbers)


def moved(state: TournamentState, event: wire.PlayersMoved, version: int) -> TournamentState:
    numbers = tuple(number for number, _ in event.tables)
    move = Move(version=version, round=event.round, instead_of=event.instead_of, numbers=numbers)

    def tables(seated: RoundSeating) -> tuple[TableSeating, ...]:
        seated_tables = tuple(replace(t, is_over=True) if t.number in event.instead_of else t for t in seated.tables)
        return (*seated_tables, *_tables(event.tables))

    return replace(_with_tables(state, event.round, tables), moves=(*state.moves, move))


def unmoved(state: TournamentState, event: wire.MoveUndone, version: int) -> TournamentState:
    move = next((move for move in state.moves if move.version == event.version), None)
    if move is None:
        return state

    def tables(seated: RoundSeating) -> tuple[TableSeating, ...]:
        remaining_tables = tuple(table for table in seated.tables if table.number not in move.numbers)
        return tuple(replace(t, is_over=False) if t.number in move.instead_of else t for t in remaining_tables)

    moves = tuple(other for other in state.moves if other.version != event.version)
    return replace(_with_tables(state, move.round, tables), moves=moves)


def with_instead(seated: RoundSeating, gone: str, comes: str) -> RoundSeating:
    """A round with one player in another's place, at a table or sitting out."""

    def named(players: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(comes if player == gone else player for player in players)

    tables = tuple(replace(table, players=named(table.players)) for table in seated.tables)
    return replace(seated, tables=tables, sitting_out=named(seated.sitting_out))


def _tables(tables: Iterable[SeatedTable]) -> tuple[TableSeating, ...]:
    return tuple(TableSeating(number=number, players=players) for number, players in tables)


def _with_tables(
    state: TournamentState, number: int, tables: Callable[[RoundSeating], tuple[TableSeating, ...]]
) -> TournamentState:
    rounds = tuple(replace(r, tables=tables(r)) if r.round == number else r for r in state.rounds)
    return replace(state, rounds=rounds)
