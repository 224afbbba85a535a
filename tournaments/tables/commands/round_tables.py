"""The tables of a round as they stand: their sheets read, several given up at once, their numbers left to others."""

from collections.abc import Sequence

from django.db.models import F, Max, Q

from scoring.problems import FactRejected, Problem, refuse_if
from tournaments.log.context import Order, part
from tournaments.models import Scoresheet, Table, Tournament
from tournaments.tables.commands.record import record_wire_event

NUMBERS = 1_000


def sheets_of_round(
    tournament: Tournament, round_number: int, numbers: Sequence[int] | None = None
) -> list[Scoresheet]:
    """Sheets of a round in the order of their tables: of these tables, or of all that were not given up."""
    sheets = Scoresheet.objects.filter(table__tournament=tournament, table__round=round_number)
    wanted = sheets.filter(is_cancelled=False) if numbers is None else sheets.filter(table__number__in=numbers)
    return list(wanted.select_related("table").order_by("table__number"))


def give_up(sheets: Sequence[Scoresheet], reason: str, *, field: str, order: Order) -> None:
    """Give up tables at which nothing was played. Raises FactRejected with every table that has deals on its sheet.

    `field` is what the deed that asks for it goes by.
    """
    refuse_if(_played_problems(sheets, field), FactRejected)
    for sheet in sheets:
        cancelled = {"kind": "table_cancelled", "reason": reason}
        record_wire_event(sheet.table_id, cancelled, expected=sheet.version, order=part(order, sheet.table_id))


def make_room(tournament: Tournament, round_number: int, given_up: Q) -> None:
    """Tables that were given up leave their numbers to those that come after them, however often that happens."""
    tables = Table.objects.filter(tournament=tournament, round=round_number)
    most = tables.aggregate(most=Max("number"))["most"] or 0
    tables.filter(given_up).update(number=F("number") + max(NUMBERS, most))


def _played_problems(sheets: Sequence[Scoresheet], field: str) -> list[Problem]:
    return [
        Problem(
            code="already_played",
            field=field,
            detail=f"{sheet.table} has {sheet.deals} {'deal' if sheet.deals == 1 else 'deals'} on its sheet: "
            "void first what was played, or correct seats one by one",
        )
        for sheet in sheets
        if sheet.deals
    ]
