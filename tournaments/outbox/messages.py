"""What an event tells: a pure function from an event, and the state before and after it, to messages.

Messages name players by id; what is shown of a player is decided when a message is sent. Kinds and fields are stable:
docs/how-to/messages.md, "What is told".
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from scoring.events import wire
from scoring.events.wire import Event
from scoring.rules.table.table import Table
from scoring.tournament import TournamentState
from scoring.tournament.state import Standing
from tournaments.models import MessageKind

# What only the club and the player may know; the others tell what the public pages of a tournament show.
PRIVATE = frozenset({MessageKind.BALANCE_DUE, MessageKind.NIGHT_REPORT})
# The events that tell something; all others are passed without reading a state.
OF_TOURNAMENTS = (
    *(wire.RoundSeated, wire.SeatsChanged, wire.PlayersMoved, wire.MoveUndone, wire.SeatingWithdrawn),
    *(wire.ClockStarted, wire.PlayerEntered, wire.EntryWithdrawn, wire.TournamentClosed),
)
OF_TABLES = (wire.TableClosed, wire.DealCorrected, wire.DealVoided, wire.TotalsCorrected)
TELLING = frozenset(event.kind for event in (*OF_TOURNAMENTS, *OF_TABLES))


class OutboxMessage(msgspec.Struct, frozen=True, kw_only=True):
    """One message: its kind, the players whom it is about, and its data as webhooks get it, without names."""

    kind: MessageKind
    players: tuple[str, ...] = ()
    data: dict[str, Any] = {}


def told_of_tournament(
    event: Event, before: Callable[[], TournamentState], after: Callable[[], TournamentState]
) -> Iterator[OutboxMessage]:
    """Yield the messages of an event of a tournament. The states are asked for only where they are needed."""
    match event:
        case wire.RoundSeated(round=number, tables=tables, sitting_out=sitting_out):
            yield _seating(number, tables, sitting_out)
        case wire.SeatsChanged() | wire.PlayersMoved() | wire.MoveUndone():
            yield from _moved(before(), after())
        case wire.SeatingWithdrawn(round=number):
            players = tuple(_seats(before(), number))
            yield OutboxMessage(kind=MessageKind.SEATING_WITHDRAWN, players=players, data={"round": number})
        # After a pause the clock runs on: the round began before.
        case wire.ClockStarted(round=number) if str(number) not in before().clocks:
            data = {"round": number, "seconds": after().clocks[str(number)].seconds}
            players = tuple(_seats(after(), number))
            yield OutboxMessage(kind=MessageKind.ROUND_STARTED, players=players, data=data)
        case wire.PlayerEntered(player=player, is_standby=False):
            yield OutboxMessage(kind=MessageKind.ENTRY_RECEIVED, players=(player,), data={"player": player})
            yield from _moved_up(before(), after())
        case wire.PlayerEntered() | wire.EntryWithdrawn():
            yield from _moved_up(before(), after())
        case wire.TournamentClosed():
            yield OutboxMessage(kind=MessageKind.NIGHT_REPORT)
            for player in after().entrants:
                yield OutboxMessage(kind=MessageKind.BALANCE_DUE, players=(player,), data={"player": player})


def told_of_table(event: Event, before: Callable[[], Table], after: Callable[[], Table]) -> Iterator[OutboxMessage]:
    """Yield the messages of an event of a table."""
    match event:
        case wire.TableClosed():
            table = after()
            won = table.won_in_books()
            rows = [
                {"seat": seat, "player": table.players[seat], "place": standing.place, **_score(standing)}
                | {"won_minor": won[seat]}
                for seat, standing in table.standings().items()
            ]
            winners = [table.players[seat] for seat in table.winners()]
            data = {"seats": rows, "winners": winners, "currency": table.setup.stakes.currency}
            yield OutboxMessage(kind=MessageKind.TABLE_RESULT, players=tuple(table.players.values()), data=data)
        case wire.DealCorrected() | wire.DealVoided() | wire.TotalsCorrected():
            was, now = before().standings(), after().standings()
            changes = [
                {"player": player, "before": _score(was[seat]), "after": _score(now[seat])}
                for seat, player in after().players.items()
                if _score(was[seat]) != _score(now[seat])
            ]
            if changes:
                data = {"deal": getattr(event, "deal", None), "changes": changes}
                players = tuple(str(change["player"]) for change in changes)
                yield OutboxMessage(kind=MessageKind.DEAL_CORRECTED, players=players, data=data)


def _score(standing: Any) -> dict[str, int | None]:
    """Points, chips or net points, whichever the game counts."""
    return {"total": standing.total, "chips": standing.chips, "net_points": standing.net_points}


def _seating(
    number: int,
    tables: Sequence[tuple[int, Sequence[str]]],
    sitting_out: Sequence[str],
    about: set[str] | None = None,
) -> OutboxMessage:
    rows = [
        {"table": at, "seats": [{"seat": seat, "player": player} for seat, player in enumerate(players, start=1)]}
        for at, players in tables
    ]
    everybody = [player for _, players in tables for player in players] + list(sitting_out)
    return OutboxMessage(
        kind=MessageKind.SEATING_PUBLISHED,
        players=tuple(player for player in everybody if about is None or player in about),
        data={"round": number, "is_change": about is not None, "tables": rows, "sitting_out": list(sitting_out)},
    )


def _moved(before: TournamentState, after: TournamentState) -> Iterator[OutboxMessage]:
    """Yield the new seats of those who were moved in the last round, with the tables that they sit at now."""
    seated = after.last_round
    if seated is None:
        return
    was, now = _seats(before, seated.round), _seats(after, seated.round)
    moved = {player for player in was.keys() | now.keys() if was.get(player) != now.get(player)}
    tables = [(table.number, table.players) for table in seated.running if moved.intersection(table.players)]
    if moved:
        yield _seating(seated.round, tables, sorted(moved - now.keys()), moved)


def _seats(state: TournamentState, number: int) -> dict[str, tuple[int, int]]:
    """Table and seat of each player in a round."""
    seated = state.round_of(number)
    return {
        player: (table.number, seat)
        for table in (seated.running if seated is not None else ())
        for seat, player in enumerate(table.players, start=1)
    }


def _moved_up(before: TournamentState, after: TournamentState) -> Iterator[OutboxMessage]:
    """Yield the place of each player whose place on the standby list changed."""
    was, now = _standby(before), _standby(after)
    for player, place in now.items():
        if was.get(player) != place:
            data = {"player": player, "place": place}
            yield OutboxMessage(kind=MessageKind.STANDBY_PLACE, players=(player,), data=data)


def _standby(state: TournamentState) -> dict[str, int]:
    players = (player for player, entrant in state.entrants.items() if entrant.standing is Standing.STANDBY)
    return {player: place for place, player in enumerate(players, start=1)}
