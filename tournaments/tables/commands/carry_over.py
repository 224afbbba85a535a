"""Records again, at the tables where players sit now, what was recorded at tables without a deal before."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import msgspec

from scoring.events import wire
from scoring.sheets.snapshots import load_table
from scoring.tournament import TournamentState
from tournaments.log.context import CommandContext, part
from tournaments.models import Scoresheet, Table
from tournaments.tables.carried import Carried, playing_now
from tournaments.tables.commands.record import record_wire_event


def record_again(
    state: TournamentState, carried: Sequence[Carried], tables: Iterable[Table], context: CommandContext
) -> None:
    """Record this at the tables where the players sit now, as it was said then; what has no seat there is left out.

    Who left a table has left this one too, unless a substitute came. Raises EventNotAllowed where the rules refuse it.
    """
    if not carried:
        return
    for sheet in Scoresheet.objects.filter(table__in=[table.pk for table in tables]):
        seats = {playing_now(state, player): seat for seat, player in load_table(sheet.state).players.items()}
        here = [record for record in carried if playing_now(state, record.player) in seats]
        version = sheet.version
        for record in here:
            player = playing_now(state, record.player)
            if isinstance(record.event, wire.SeatLeft) and player != record.player:
                continue
            raw = {"kind": record.event.kind, **msgspec.to_builtins(record.event), "seat": seats[player]}
            if isinstance(record.event, wire.PenaltyGiven):
                raw["reason"] = record.reason
            again = replace(part(context, f"again:{record.stored.position}"), occurred_at=record.stored.occurred_at)
            version = record_wire_event(sheet.table_id, raw, expected=version, context=again).stored.version
