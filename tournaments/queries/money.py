"""What of a tournament's money is settled, pending or failed, and why."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from tournaments.models import Player, Scoresheet

CONTRADICTION = "facts of this table contradict each other: nothing is paid until the director has resolved it"


class Settlement(StrEnum):
    """Where the settlement of a table stands."""

    OPEN = "open"
    PENDING = "pending"
    FAILED = "failed"
    SETTLED = "settled"
    CANCELLED = "cancelled"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementState:
    """One table's settlement, with the reason where it failed."""

    table_id: UUID
    table: str
    state: Settlement
    problem: str
    attempts: int
    settled_at: datetime | None


def settlement_state(tournament_id: UUID) -> tuple[SettlementState, ...]:
    """Every table of a tournament, in one query."""
    sheets = (
        Scoresheet.objects.filter(table__tournament_id=tournament_id)
        .select_related("table")
        .order_by("table__round", "table__number")
        .defer("state")
    )
    return tuple(
        SettlementState(
            table_id=sheet.table_id,
            table=str(sheet.table),
            state=state_of(sheet),
            problem=CONTRADICTION if sheet.has_conflict else sheet.settle_problem,
            attempts=sheet.settle_attempts,
            settled_at=sheet.settled_at,
        )
        for sheet in sheets
    )


def state_of(sheet: Scoresheet) -> Settlement:
    """Where one table's settlement stands."""
    if sheet.has_conflict:
        return Settlement.CONFLICT
    if sheet.settle_problem:
        return Settlement.FAILED
    if sheet.due_version > sheet.settled_version:
        return Settlement.PENDING
    if sheet.is_cancelled:
        return Settlement.CANCELLED
    return Settlement.SETTLED if sheet.is_closed else Settlement.OPEN


def seated_players(tournament_id: UUID) -> tuple[tuple[UUID, str], ...]:
    """Everybody who sat at a table of a tournament, by name, in one query."""
    players = Player.objects.filter(seats__table__tournament_id=tournament_id).distinct().order_by("name_key")
    return tuple(players.values_list("id", "name"))
