"""Whole random nights, of every game, and what must hold after each of them.

Planted faults these catch: a cut that loses a player who was moved, a tie that can never be broken, a rejoin that
leaves two seats, a board that is not what its log says, a prize that is not what was paid in.
"""

from io import StringIO

import pytest
from django.core.management import call_command

from tests.builders.playing import new_club
from tests.builders.random_tournaments import broken, played
from tests.builders.samples import tries
from tournaments.integrity.rebuild import rebuild_differences

pytestmark = pytest.mark.django_db
# The last of them was once broken: a deal that was corrected before a move, and still waited for its confirmation.
MANY = (*range(1000, 1000 + tries(200)), 7034)


@pytest.mark.slow
@pytest.mark.parametrize("number", [6, 9, 31, *(pytest.param(n, marks=pytest.mark.slow(long=True)) for n in MANY)])
def test_a_night_that_nobody_thought_of_holds(number: int):
    """Play the night of a seed; everything holds, and everything that is read equals the log."""
    night = played(number, new_club())
    assert broken(night) == []
    assert rebuild_differences() == []
    call_command("verify_log", stdout=StringIO())
    call_command("check_ledger", stdout=StringIO())
