"""Late sheets that wait for a director: at one table in words, and which tables of a tournament have any."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, Q

from scoring.rules.table.admission import considered
from tournaments.models import LateSheet, Table
from tournaments.people.players import actor_names
from tournaments.tables.queries.sheets import Desk

WAITING = Q(late_sheets__answer=LateSheet.Answer.WAITING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """A sheet that waits, what it says, and who typed it."""

    sheet: LateSheet
    deal: int
    said: str
    who: str


def late_at(seen: Desk) -> Sequence[Late]:
    """What waits at a table, by deals, in two queries."""
    waiting = list(LateSheet.objects.filter(table=seen.row, answer=LateSheet.Answer.WAITING))
    names = actor_names({late.actor for late in waiting})
    found = []
    for late in waiting:
        fact, _ = considered(seen.table, event := late.event)
        said = seen.said(fact) if fact is not None else late.body
        who = names.get(late.actor, late.actor)
        found.append(Late(sheet=late, deal=int(str(event.get("deal", 0))), said=said, who=who))
    return sorted(found, key=lambda late: late.deal)


class LateTable(NamedTuple):
    """A table at which sheets wait, and how many."""

    table: Table
    sheets: int


def tables_with_late_sheets(tournament_id: UUID) -> Sequence[LateTable]:
    """Where sheets wait, in one query."""
    tables = Table.objects.filter(WAITING, tournament_id=tournament_id).annotate(late=Count("late_sheets"))
    return [LateTable(table, table.late) for table in tables.order_by("round", "number")]
