"""Corrections as the public pages tell them: which deal, of which table, and at what time by the club's clock."""

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from uuid import UUID

from tournaments.pages.words import moment
from tournaments.queries import Board
from tournaments.queries.fingerprints import Change

MOST_TOLD = 6


def board_changes(shown: Board, zone: tzinfo) -> list[str]:
    """The latest corrections of a tournament."""
    has_rounds = len({table.round for table in shown.tables}) > 1
    tables = {
        table.id: (table.name or f"table {table.number}") + (f", round {table.round}" if has_rounds else "")
        for table in shown.tables
    }
    return changes_said(shown.changes, zone, tables)


def changes_said(changes: Sequence[Change], zone: tzinfo, tables: Mapping[UUID, str] | None = None) -> list[str]:
    """Each change in a sentence, the latest first; how many more there were, where they are many."""
    said = [_said(change, zone, (tables or {}).get(change.table, "")) for change in changes[:MOST_TOLD]]
    more = len(changes) - len(said)
    return [*said, f"And {more} earlier."] if more else said


def _said(change: Change, zone: tzinfo, table: str) -> str:
    where = f" of {table}" if table else ""
    done = "voided" if change.is_void else "corrected"
    return f"Deal {change.deal}{where} was {done} at {moment(change.recorded_at, zone).clock[:5]}."
