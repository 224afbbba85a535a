"""Which tables need a director is asked of the database and of a row that was read: both say the same."""

from itertools import product

import pytest

from tournaments.books.queries import state_of
from tournaments.models import Scoresheet, Tournament
from tournaments.running.queries.today import IN_NEED, TodaysTable, next_step

STATES = ("has_conflict", "has_dispute", "is_finished", "is_closed", "is_cancelled")


@pytest.mark.django_db
def test_the_database_picks_the_tables_that_need_somebody():
    """Planted fault that this catches: a table whose settlement failed left out of `IN_NEED`."""
    found = []
    for *states, problem in product(*[(False, True)] * len(STATES), ("", "busy")):
        row = dict(zip(STATES, states, strict=True), settle_problem=problem)
        sheet = Scoresheet(**row)
        table = TodaysTable(tournament=Tournament(), sheet=sheet, step=next_step(sheet), settlement=state_of(sheet))
        found.append(table.needs_somebody)
        assert IN_NEED.check(row) == table.needs_somebody, row
    assert {True, False} == set(found)
