"""What was recorded at a table before its first deal, and is recorded again where the table's players sit afterwards.

Rules: docs/how-to/evening.md, "Late, missing and swapped players". A penalty, a buy-in and a player's leaving belong to
the player: a table that is cancelled to be opened again, or broken up, must not take them along.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from scoring.events import wire
from scoring.messages import Amount, Message, say
from scoring.problems import EventNotAllowed, Problem, refuse_if
from scoring.sheets.snapshots import load_table
from scoring.tournament import TournamentState
from tournaments import log
from tournaments.models import Scoresheet, Tournament

OF_A_PLAYER = (wire.PenaltyGiven, wire.BoughtIn, wire.SeatLeft)
# A reason that was erased, where the rules ask for one.
ERASED = "-"
LOST = "recorded_before"


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What was recorded for a player at a table without a deal: the event as it was stored, and its reason."""

    player: str
    table: int
    event: wire.PenaltyGiven | wire.BoughtIn | wire.SeatLeft
    stored: log.StoredEvent

    @property
    def reason(self) -> str:
        return ERASED if self.stored.note is None else self.stored.note

    @property
    def same(self) -> tuple[object, ...]:
        """Equal for two records of the same, whichever seat the player had."""
        return self.player, self.event.kind, _size(self.event), self.reason


def recorded_at(sheets: Iterable[Scoresheet]) -> list[Carried]:
    """What was recorded at those of these tables that have no deal, in the order of recording.

    `sheets` must carry their tables.
    """
    records: list[Carried] = []
    for sheet in sheets:
        if sheet.has_begun or sheet.version == 1:
            continue
        table = load_table(sheet.state)
        live = {entry.version: entry.event for entry in table.timeline if not entry.is_void}
        events = {version: event for version, event in live.items() if isinstance(event, OF_A_PLAYER)}
        for stored_event in log.read(sheet.club_id, sheet.table_id) if events else []:
            if (event := events.get(stored_event.version)) is not None:
                player = table.players[event.seat]
                records.append(Carried(player=player, table=sheet.table.number, event=event, stored=stored_event))
    return sorted(records, key=lambda carried: carried.stored.position)


def recorded_before_undoing(tournament: Tournament, round_number: int) -> list[Carried]:
    """What was recorded at the tables of a round whose seating was undone last, until the round is seated again.

    The seating's own tables were cancelled by the same command, one event each, right before it: what a director
    cancelled at the table is not among them.
    """
    cancelled = Scoresheet.objects.filter(table__tournament=tournament, table__round=round_number, is_cancelled=True)
    sheets = list(cancelled.select_related("table").order_by("-last_position"))
    # An opening and a cancelling: nothing was recorded in between.
    if all(sheet.version <= 2 for sheet in sheets):
        return []
    undone = log.find(club=tournament.club_id, streams=[tournament.pk], kinds=[wire.SeatingWithdrawn.kind]).last()
    if undone is None:
        return []
    return recorded_at(
        sheet
        for number, sheet in enumerate(sheets, start=1)
        if (sheet.last_position, sheet.last_recorded_at) == (undone.position - number, undone.recorded_at)
    )


def without_seat(state: TournamentState, carried: Iterable[Carried], players: Collection[str]) -> list[Carried]:
    """The penalties and buy-ins that would be lost: those of a player who has no seat among these players."""
    return [
        record
        for record in carried
        if not isinstance(record.event, wire.SeatLeft) and playing_now(state, record.player) not in players
    ]


def changed_since(before: Sequence[Carried], now: Sequence[Carried]) -> list[Carried]:
    """What is recorded now and was not before. Raises EventNotAllowed where something of before was undone since."""
    unmatched, new = list(before), []
    for record in now:
        same = next((other for other in unmatched if other.same == record.same), None)
        new += [record] if same is None else []
        unmatched = [other for other in unmatched if other is not same]
    detail = say("a penalty or a buy-in was undone since at a new table: the players stay there")
    refuse_if([Problem(LOST, detail, field="version")] if unmatched else [], EventNotAllowed)
    return new


def playing_now(state: TournamentState, player: str) -> str:
    """The player, or who plays in their place by now."""
    return state.playing_for(player) if player in state.entrants else player


def _size(event: wire.PenaltyGiven | wire.BoughtIn | wire.SeatLeft) -> int:
    match event:
        case wire.PenaltyGiven():
            return event.points
        case wire.BoughtIn():
            return event.amount_minor
        case wire.SeatLeft():
            return 0


def named_loss(carried: Carried, currency: str) -> Message:
    """What would be lost, to be named in a sentence."""
    if isinstance(carried.event, wire.BoughtIn):
        return say("a buy-in of {amount}", amount=Amount(carried.event.amount_minor, currency))
    return say("a penalty of {number}", number=_size(carried.event))
