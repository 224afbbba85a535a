"""Comparing the books with the log costs the same few statements, however many evenings there are."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.builders.playing import new_club
from tests.builders.prize_evening import Evening
from tournaments.integrity.audit import compare_books

pytestmark = pytest.mark.django_db
# These need what each player scored in the last deal, which is in the score sheets.
TIES = {"tie_breaks": ["deals_won", "last_deal"]}


def statements() -> int:
    with CaptureQueriesContext(connection) as asked:
        assert compare_books().faults == ()
    return len(asked)


@pytest.mark.slow
def test_no_evening_costs_a_statement_of_its_own():
    club = new_club()
    Evening(club, **TIES).closed().settle()
    with_one = statements()
    for plan in (TIES, {}, TIES):
        Evening(club, **plan).closed().settle()
    assert statements() == with_one
