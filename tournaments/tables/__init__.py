"""A table of a tournament: opening it, recording its deals, reading its sheet and its history."""

from typing import NamedTuple

from django.db.models import Count, QuerySet

from tournaments.models import LateSheet, Table


class LateTable(NamedTuple):
    """A table with waiting sheets, and their number."""

    table: Table
    sheets: int


def tables_with_late_sheets(tables: QuerySet[Table]) -> list[LateTable]:
    """Those of the tables that have sheets which no director has accepted or refused, in one query."""
    waiting = tables.filter(late_sheets__answer=LateSheet.Answer.WAITING).annotate(late=Count("late_sheets"))
    return [LateTable(table, table.late) for table in waiting.order_by("round", "number")]
