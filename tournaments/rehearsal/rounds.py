"""One round of a rehearsal: seating, all tables deal by deal, balancing of short tables, and the clock.

Rules: docs/how-to/rehearsal.md, section 6 (the night). Knows nothing of stages other than the current one.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from scoring.events import wire
from scoring.problems import RuleError
from scoring.rules.table.dealing import misread, next_deal, next_dealer
from scoring.rules.table.table import Status, Table
from scoring.sheets.snapshots import load_table
from scoring.tournament import Stage
from tournaments.draw import Player, SeatedRound, SeatingConstraints, Sizes
from tournaments.draw.balance import RunningTable, proposals
from tournaments.draw.by_standings import snake, top_together
from tournaments.draw.drawing import draw_rounds
from tournaments.models import Scoresheet
from tournaments.rehearsal import SECOND_ACTOR, Draw, Room, sizes_for
from tournaments.seating.commands.seat import move_players, seat_round, undo_move, withdraw_seating
from tournaments.seating.drafts import Step, history_of, seating_event
from tournaments.tables.commands.record import record_wire_event

# One table of a rehearsal as its scorer records it: deals, typing mistakes and their corrections, and its end.

Wire = dict[str, Any]
IS_MISREAD, IS_NOTICED, IS_VOIDED = 0.03, 0.5, 0.005
REJOINS, SPLITS, LEAVES, IS_PENALISED = 0.7, 0.15, 0.002, 0.003
TIMED_DEALS = (3, 6)


class PlayedTable:
    """A table in play. `right` holds what a misread sheet should have said, by deal."""

    def __init__(self, row: UUID, number: int, table: Table, room: Room) -> None:
        self.id, self.number, self.table, self.room = row, number, table, room
        self.right: dict[int, Wire] = {}
        self.left: list[str] = []
        self._most = _most_deals(room.stage, table, room)

    @property
    def is_open(self) -> bool:
        return self.table.status is Status.OPEN

    @property
    def is_running(self) -> bool:
        """Whether another deal is to come."""
        return self.is_open and not self.table.is_finished

    def turn(self) -> None:
        """Take one turn at this table: close it, or do something between deals and then play a deal."""
        if (self.table.is_finished or self.table.deals >= self._most) and self._closes():
            return
        self._between_deals()
        if self.is_running:
            self._deal()

    def correct_what_was_misread(self) -> None:
        """Correct misread sheets; a correction with larger consequences is skipped, as if no one had noticed.

        A corrected deal has to be confirmed again, and no player qualifies from a table with unconfirmed deals.
        """
        for deal, sheet in self.right.items():
            event = {**sheet, "kind": "deal_corrected", "deal": deal, "reason": "misread from the sheet"}
            if self._changes_little(event):
                self._write(event)
        self.right = {}
        self._confirm()

    def _deal(self) -> None:
        chance, table = self.room.chance, self.table
        event = next_deal(table, chance, is_last=table.deals + 1 >= self._most)
        wrong = misread(table, event, chance) if chance.happens(IS_MISREAD) else None
        self._write(wrong or event)
        if wrong is not None and event["kind"] == "deal_recorded":
            self.right[event["deal"]] = event
        self._confirm()
        if self.right and (self.table.is_finished or chance.happens(IS_NOTICED)):
            self.correct_what_was_misread()

    def _between_deals(self) -> None:
        """Rejoins, splits, a penalty, a voided deal, a player who leaves."""
        chance = self.room.chance
        for seat in [seat for seat, view in self.table.seats().items() if view.may_rejoin]:
            if chance.happens(REJOINS):
                self._try({"kind": "rejoined", "seat": seat})
        somebody = chance.one_of(self.table.in_play or self.table.setup.seats)
        if chance.happens(SPLITS):
            self._try({"kind": "split_agreed"})
        if chance.happens(IS_PENALISED):
            self._try({"kind": "penalty_given", "seat": somebody, "points": 10, "reason": "came back late"})
        if self.table.deals and chance.happens(IS_VOIDED):
            event = {"kind": "deal_voided", "deal": self.table.next_deal - 1, "reason": "a card was missing"}
            if self._changes_little(event):
                self.right.pop(self.table.next_deal - 1, None)
                self._write(event)
        if (
            len(self.table.in_play) > 2
            and chance.happens(LEAVES)
            and self._try({"kind": "seat_left", "seat": somebody})
        ):
            self.left.append(self.table.players[somebody])

    def _closes(self) -> bool:
        self.correct_what_was_misread()
        time_called = {} if self.table.is_finished else {"time_called": True}
        return self._try({"kind": "table_closed", **time_called})

    def _confirm(self) -> None:
        """Confirm the deals as a second person, where the plan requires it."""
        for deal in self.table.unconfirmed:
            word = {"kind": "deal_confirmed", "deal": deal, "seat": self.table.setup.seats[-1]}
            self._write(word, actor=SECOND_ACTOR)

    def _changes_little(self, raw: Wire) -> bool:
        """Whether a change causes no conflict, and leaves the players still in and the table's end as they were."""
        try:
            after = self.table.record(raw)
        except RuleError:
            return False
        same = (after.in_play, after.is_finished) == (self.table.in_play, self.table.is_finished)
        return same and not after.conflicts

    def _try(self, event: Wire) -> bool:
        """Record the event if the table allows it; returns whether it did."""
        if self.table.problems(event):
            return False
        self._write(event)
        return True

    def _write(self, event: Mapping[str, Any], actor: str = "") -> None:
        context = self.room.context(actor) if actor else self.room.context()
        recorded = record_wire_event(self.id, event, expected=self.table.version, context=context)
        self.table = recorded.table or self.table
        self.room.recorded[event["kind"]] += 1
        for outcome in event.get("outcomes", {}).values():
            self.room.recorded[outcome["how"]] += 1


def tables_of(room: Room, round_number: int, numbers: frozenset[int] | set[int]) -> list[PlayedTable]:
    """Return tables of a round from their current score sheets, in one query."""
    sheets = Scoresheet.objects.filter(
        table__tournament_id=room.id, table__round=round_number, table__number__in=numbers
    ).order_by("table__number")
    rows = sheets.values_list("table_id", "table__number", "state")
    return [PlayedTable(row, number, load_table(state), room) for row, number, state in rows]


def _most_deals(stage: Stage, table: Table, room: Room) -> int:
    """Return the number of deals after which a table closes even without a result."""
    if stage.length == "minutes":
        return room.chance.number(*TIMED_DEALS)
    return table.rules.rehearsed_deals


SEATED_AGAIN, PUT_TOGETHER, MOVED_BACK = 0.04, 0.5, 0.15
SHORT_TABLE = 2


def play_round(room: Room, playable: Sequence[int]) -> None:
    """Play one round of the current stage, from the seating until the last table closes."""
    _seat(room, playable)
    if room.chance.happens(SEATED_AGAIN):
        number = room.state.rounds[-1].round
        room.state = withdraw_seating(room.id, number, reason="somebody was forgotten", context=room.context())
        room.recorded["seating_withdrawn"] += 1
        _seat(room, playable)
    seated = room.state.rounds[-1]
    is_timed = room.stage.length == "minutes"
    if is_timed:
        room.record_events(
            wire.ClockStarted(round=seated.round, at=int(room.now.timestamp()), seconds=60 * room.stage.minutes)
        )
    tables = tables_of(room, seated.round, {table.number for table in seated.tables})
    everybody = list(tables)
    is_called = not is_timed
    while any(table.is_open for table in tables):
        for table in tables:
            if table.is_open:
                table.turn()
        if not is_called and any(not table.is_open for table in tables):
            room.record_events(wire.LastDealCalled(round=seated.round, at=int(room.now.timestamp())))
            is_called = True
        tables = _evened_out(room, tables, playable)
        everybody += [table for table in tables if table not in everybody]
    gone = [player for table in everybody for player in table.left if room.state.entrants[player].plays]
    room.record_events(*(wire.PlayerLeft(player=player) for player in gone))


def _seat(room: Room, playable: Sequence[int]) -> None:
    """Seat the round as the stage requires, and publish it."""
    stage, field = room.stage, room.state.field()
    constraints = SeatingConstraints(
        players=tuple(Player(key=key) for key in field), sizes=sizes_for(stage, len(field), playable)
    )
    method = "draw" if stage.seating == "prepared" else stage.seating
    seed, drawn = _draw(room, stage, constraints) if method == "draw" else ("", _by_standing(room, stage, constraints))
    step = Step(round=drawn, method=method, seed=seed)
    event = seating_event(step, stage=room.state.stage, number=room.state.next_round)
    room.state = seat_round(room.id, event, context=room.context(), seats_absent=True).state
    room.recorded["round_seated"] += 1


def _draw(room: Room, stage: Stage, constraints: SeatingConstraints) -> tuple[str, SeatedRound]:
    """Return the next round of the stage's draw; a draw for this round alone if the field has changed since."""
    played = history_of(room.state, room.state.stage)
    if not played:
        seed = room.seed()
        room.drawn = Draw(
            seed=seed, constraints=constraints, rounds=draw_rounds(constraints, seed=seed, rounds=stage.rounds)
        )
    whole = room.drawn
    if whole is not None and whole.constraints == constraints and whole.rounds[: len(played)] == played:
        return whole.seed, whole.rounds[len(played)]
    seed = room.seed()
    return seed, draw_rounds(constraints, seed=seed, rounds=1, history=played)[0]


def _by_standing(room: Room, stage: Stage, constraints: SeatingConstraints) -> SeatedRound:
    """Seat the first round of a stage by the cut, the others by the standings of the stage."""
    played = history_of(room.state, room.state.stage)
    order = [row.player for row in room.standings()] if played else []
    standing = [player for player in order if player in constraints.keys]
    standing += [player for player in constraints.keys if player not in standing]
    by_standing = snake if stage.seating == "snake" else top_together
    return by_standing(standing, constraints, history=played)


def _evened_out(room: Room, tables: list[PlayedTable], playable: Sequence[int]) -> list[PlayedTable]:
    """Move players together where a game eliminates players and a table is short."""
    running = [table for table in tables if table.is_running]
    is_short = any(len(table.table.in_play) <= SHORT_TABLE for table in running)
    puts_out = bool(running) and not running[0].table.rules.adds_up
    if not (puts_out and is_short and len(running) > 1 and room.chance.happens(PUT_TOGETHER)):
        return tables
    for table in running:
        table.correct_what_was_misread()
    move = _proposed(room, running, playable)
    if move is None:
        return tables
    opened = move_players(room.id, move, context=room.context())
    room.state, room.recorded["players_moved"] = opened.state, room.recorded["players_moved"] + 1
    staying_tables = [table for table in tables if table.number not in move.instead_of]
    if room.chance.happens(MOVED_BACK):
        version = room.state.moves[-1].version
        room.state = undo_move(room.id, version, reason="they would rather stay", context=room.context())
        room.recorded["move_undone"] += 1
        back = tables_of(room, move.round, set(move.instead_of))
        return [*staying_tables, *back]
    return [*staying_tables, *tables_of(room, move.round, {number for number, _ in move.tables})]


def _proposed(room: Room, running: Sequence[PlayedTable], playable: Sequence[int]) -> wire.PlayersMoved | None:
    """Return the first proposed way to balance the tables; the tables that change get new numbers."""
    now = [_running(table) for table in running]
    allowed = tuple(size for size in playable if size <= room.stage.largest_table)
    sizes = Sizes(allowed=allowed, preferred=max(allowed))
    ways = proposals(now, sizes)
    if not ways:
        return None
    seats = {table.number: table.seats for table in now}
    changed = [table for table in ways[0].tables if seats[table.number] != table.seats]
    last = room.state.rounds[-1]
    first_free = 1 + max(table.number for table in last.tables)
    return wire.PlayersMoved(
        round=last.round,
        instead_of=tuple(sorted([*ways[0].closes, *(table.number for table in changed)])),
        tables=tuple((first_free + place, table.dealing_order) for place, table in enumerate(changed)),
    )


def _running(played: PlayedTable) -> RunningTable:
    table = played.table
    dealer = next_dealer(table) or table.in_play[0]
    return RunningTable(
        number=played.number,
        seats=tuple(table.players[seat] for seat in table.in_play),
        next_dealer=table.players[dealer],
    )
