"""Opening a table: the players sit down, and the house options are frozen into its first fact."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import msgspec

from scoring.rules import events
from scoring.rules.facts import Confirmation
from scoring.rules.problems import OptionsRejected, Problem, refuse_if
from scoring.rules.variants import opening, table_from
from tournaments import log
from tournaments.commands.boards import sheet_values, standings_of, write_standings
from tournaments.commands.orders import Order
from tournaments.commands.turns import tournament_turn
from tournaments.models import EveningSheet, Player, Scoresheet, Seat, Table, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedPlayer:
    """A player at a place of the table, counted from 1 clockwise."""

    number: int
    player: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDraft:
    """A table about to be opened: its number in a round, and who sits where.

    `options` are those of a stage, over the tournament's; `carried` what players bring from an earlier table. With
    `pays_entry` false the entry fee was paid to the tournament, and the table has no pot of its own.
    """

    number: int
    seats: Sequence[SeatedPlayer]
    round: int = 1
    name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    carried: Mapping[UUID, int] = field(default_factory=dict)
    pays_entry: bool = True
    confirmation: Confirmation = "at_once"


def open_table(tournament: Tournament, draft: TableDraft, *, order: Order) -> Table:
    """Seat the players and open the table. Raises OptionsRejected with every problem; all or nothing.

    The same order key again returns the table that it opened.
    """
    seated = {str(seat.number): str(seat.player) for seat in sorted(draft.seats, key=lambda seat: seat.number)}
    digest = events.request_digest(str(tournament.id), str(draft.round), str(draft.number), repr(seated))
    with tournament_turn(tournament.id) as home:
        first = log.first_answer(home.club_id, order.key, digest)
        if first is not None:
            return Table.objects.get(id=first.stream_id)
        refuse_if(_seating_problems(home, draft), OptionsRejected)
        row = Table(
            id=uuid4(),
            tournament=home,
            round=draft.round,
            number=draft.number,
            name=draft.name,
            created_at=order.now,
        )
        _store(row, draft.seats, _opening_of(home, draft, seated), order.request(digest))
    return row


def _opening_of(tournament: Tournament, draft: TableDraft, seated: dict[str, str]) -> events.TableOpened:
    """What the table is opened with: the options and stakes of its tournament and its stage."""
    carried = {player: score for player, score in draft.carried.items() if score}
    opened = opening(
        tournament.variant,
        options={**tournament.options, **draft.options},
        stakes={
            "currency": tournament.currency,
            "entry_minor": tournament.entry_minor if draft.pays_entry else 0,
            "fee_bp": tournament.fee_bp,
            "point_value_minor": tournament.point_value_minor,
        },
        seats=seated,
    )
    brought = {seat: carried[UUID(player)] for seat, player in seated.items() if UUID(player) in carried}
    return msgspec.structs.replace(opened, carried=brought, confirmation=draft.confirmation)


def _store(row: Table, seats: Sequence[SeatedPlayer], opened: events.TableOpened, request: log.Request) -> None:
    """The table's row, its seats, its first fact and its boards."""
    form = events.encode(opened)
    table = table_from(opened)

    def also(stored: log.StoredEvent) -> None:
        Scoresheet.objects.create(
            table=row,
            club_id=row.tournament.club_id,
            last_position=stored.position,
            last_recorded_at=stored.recorded_at,
            **sheet_values(table),
        )
        write_standings(standings_of(row, table, position=stored.position))
        Tournament.objects.filter(id=row.tournament_id).update(board_position=stored.position)

    row.save(force_insert=True)
    Seat.objects.bulk_create(Seat(table=row, number=seat.number, player_id=seat.player) for seat in seats)
    log.open_stream(
        log.Place(club_id=row.tournament.club_id, stream_id=row.id, expected=0),
        "table",
        log.NewEvent(kind=form.kind, schema=form.schema, body=form.body, occurred_at=request.received_at),
        request=request,
        also=also,
    )


def _seating_problems(tournament: Tournament, draft: TableDraft) -> list[Problem]:
    """Everything wrong with who sits where, before anything is stored."""
    problems = [
        Problem(code="seat_taken_twice", seat=str(place), field="seats", detail=f"seat {place} is given {times} times")
        for place, times in Counter(seat.number for seat in draft.seats).items()
        if times > 1
    ]
    problems += [
        Problem(code="no_such_seat", seat=str(seat.number), field="seats", detail="seats are numbered from 1 to 10")
        for seat in draft.seats
        if not 1 <= seat.number <= 10
    ]
    problems += _player_problems(tournament, draft)
    if Table.objects.filter(tournament=tournament, round=draft.round, number=draft.number).exists():
        detail = f"round {draft.round} has a table {draft.number} already"
        problems.append(Problem(code="table_exists", field="number", detail=detail))
    if tournament.closed_at is not None:
        problems.append(Problem(code="tournament_closed", field="tournament", detail="the tournament is closed"))
    if draft.pays_entry and EveningSheet.objects.filter(tournament=tournament, has_plan=True).exists():
        detail = "the tournament has a plan: its tables are opened by seating a round, and have no pot of their own"
        problems.append(Problem(code="has_a_plan", field="tournament", detail=detail))
    return problems


def _player_problems(tournament: Tournament, draft: TableDraft) -> list[Problem]:
    """Every player is of this club, sits once at this table, and at no other of the round that was not given up."""
    times = Counter(seat.player for seat in draft.seats)
    names = dict(Player.objects.filter(club_id=tournament.club_id, id__in=times).values_list("id", "name"))
    elsewhere = dict(
        Seat.objects.filter(table__tournament=tournament, table__round=draft.round, player_id__in=times)
        .exclude(table__scoresheet__is_cancelled=True)
        .values_list("player_id", "table__number")
    )
    problems = []
    for seat in draft.seats:
        place, player = str(seat.number), seat.player
        if player not in names:
            detail = f"seat {place}: there is no such player in this club"
            problems.append(Problem(code="unknown_player", seat=place, field="seats", detail=detail))
        elif times[player] > 1:
            detail = f"seat {place}: {names[player]} sits at this table {times[player]} times"
            problems.append(Problem(code="player_seated_twice", seat=place, field="seats", detail=detail))
        elif player in elsewhere:
            detail = f"seat {place}: {names[player]} sits at table {elsewhere[player]} in this round"
            problems.append(Problem(code="player_seated_elsewhere", seat=place, field="seats", detail=detail))
    return problems
