"""One table of a rehearsal as its scorer keeps it: deals, slips of the pen and their corrections, and its end.

Rules: docs/rehearsal.md, section 5 (what goes wrong). Knows nothing of other tables or of rounds.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from scoring.evening import Stage
from scoring.rules.table.admission import considered
from scoring.rules.table.table import Status, Table, fold
from scoring.rules.variants.simulate import misread, next_deal
from scoring.sheets.snapshots import load_table
from tournaments.models import Scoresheet
from tournaments.rehearsal.room import SECOND_ACTOR, Room
from tournaments.tables.commands.record import record_wire_event

Wire = dict[str, Any]
IS_MISREAD, IS_NOTICED, IS_VOIDED = 0.03, 0.5, 0.005
REJOINS, SPLITS, LEAVES, IS_PENALISED = 0.7, 0.15, 0.002, 0.003
POINTS_DEALS, BOARD_DEALS, MOST_DEALS = 6, 5, 120
TIMED_DEALS = (3, 6)


class PlayedTable:
    """A table that is being played at. `right` holds what a misread sheet should have said, by deal."""

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
        """Another deal is to come."""
        return self.is_open and not self.table.is_finished

    def turn(self) -> None:
        """What happens next at this table: it is closed, or something else and then a deal is played."""
        if (self.table.is_finished or self.table.deals >= self._most) and self._closes():
            return
        self._between_deals()
        if self.is_running:
            self._deal()

    def correct_what_was_misread(self) -> None:
        """Bring misread sheets to what they should say; where much would follow from it, nobody has noticed.

        What was corrected waits for somebody's word again, and nobody goes on from a table that waits for one.
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
        """Rejoins, splits, a penalty, a void deal, somebody who goes home."""
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
        """Somebody else reads what was written, where the plan asks for that."""
        for deal in self.table.unconfirmed:
            word = {"kind": "deal_confirmed", "deal": deal, "seat": self.table.setup.seats[-1]}
            self._write(word, actor=SECOND_ACTOR)

    def _changes_little(self, event: Wire) -> bool:
        """A correction after which nothing contradicts, and nobody is in or out otherwise than before."""
        fact, problems = considered(self.table, event)
        if fact is None or problems or self.table.rules.typing_problems(self.table.setup, fact):
            return False
        after = fold(self.table, [(self.table.version + 1, fact)])
        same = (after.in_play, after.is_finished) == (self.table.in_play, self.table.is_finished)
        return same and not after.conflicts

    def _try(self, event: Wire) -> bool:
        """Do what the table admits; whether it was done."""
        if considered(self.table, event)[1]:
            return False
        self._write(event)
        return True

    def _write(self, event: Mapping[str, Any], actor: str = "") -> None:
        order = self.room.order(actor) if actor else self.room.order()
        recorded = record_wire_event(self.id, event, expected=self.table.version, order=order)
        self.table = recorded.table or self.table
        self.room.told[event["kind"]] += 1
        for outcome in event.get("outcomes", {}).values():
            self.room.told[outcome["how"]] += 1


def tables_of(room: Room, round_number: int, numbers: frozenset[int] | set[int]) -> list[PlayedTable]:
    """Tables of a round as their score sheets stand, in one query."""
    sheets = Scoresheet.objects.filter(
        table__tournament_id=room.id, table__round=round_number, table__number__in=numbers
    ).order_by("table__number")
    rows = sheets.values_list("table_id", "table__number", "state")
    return [PlayedTable(row, number, load_table(state), room) for row, number, state in rows]


def _most_deals(stage: Stage, table: Table, room: Room) -> int:
    """After how many deals a table closes that has no result yet."""
    if stage.length == "minutes":
        return room.chance.number(*TIMED_DEALS)
    match table.rules.name:
        case "points":
            return POINTS_DEALS
        case "rummy_royal":
            return BOARD_DEALS
    return MOST_DEALS
