"""Corrections as the public pages tell them: which deal, of which table, and at what time by the club's clock."""

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from uuid import UUID

from django.utils.translation import gettext

from tournaments.boards.boards import Board, TableLine
from tournaments.log.evidence.fingerprints import Change
from tournaments.web.public.base.words import moment, plain

MOST_TOLD = 6


def board_changes(shown: Board, zone: tzinfo) -> list[str]:
    """The latest corrections of a tournament."""
    has_rounds = len({table.round for table in shown.tables}) > 1
    tables = {table.id: _called(table, has_rounds=has_rounds) for table in shown.tables}
    return changes_said(shown.changes, zone, tables)


def changes_said(changes: Sequence[Change], zone: tzinfo, tables: Mapping[UUID, str] | None = None) -> list[str]:
    """Each change in a sentence, the latest first; how many more there were, where they are many."""
    said = [_said(change, zone, (tables or {}).get(change.table, "")) for change in changes[:MOST_TOLD]]
    more = len(changes) - len(said)
    return [*said, gettext("And {number} earlier.").format(number=plain(more))] if more else said


def _said(change: Change, zone: tzinfo, table: str) -> str:
    if table:
        said = gettext("Deal {deal} of {table} was corrected at {time}.")
        said = gettext("Deal {deal} of {table} was voided at {time}.") if change.is_void else said
    else:
        said = gettext("Deal {deal} was corrected at {time}.")
        said = gettext("Deal {deal} was voided at {time}.") if change.is_void else said
    return said.format(deal=plain(change.deal), table=table, time=moment(change.recorded_at, zone).short)


def _called(table: TableLine, *, has_rounds: bool) -> str:
    name = table.name or gettext("table {number}").format(number=plain(table.number))
    return gettext("{table}, round {round}").format(table=name, round=plain(table.round)) if has_rounds else name
