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
FEW = (6, 9, 31)
MANY = 200
# A deal that was corrected before a move, and still waited for its confirmation.
ONCE_BROKEN = (7034,)


def hold_to_its_word(number: int) -> None:
    """Play the night of a seed; everything holds, and everything that is read equals the log."""
    night = played(number, new_club())
    assert broken(night) == []
    assert rebuild_differences() == []
    call_command("verify_log", stdout=StringIO())
    call_command("check_ledger", stdout=StringIO())


@pytest.mark.parametrize("number", FEW)
def test_a_night_that_nobody_thought_of_holds(number):
    hold_to_its_word(number)


@pytest.mark.slow(long=True)
@pytest.mark.parametrize("number", ONCE_BROKEN)
def test_a_night_that_broke_once_holds(number):
    hold_to_its_word(number)


@pytest.mark.slow(long=True)
@pytest.mark.parametrize("number", range(MANY))
def test_so_many_nights_hold(number):
    if number >= tries(MANY):
        pytest.skip("tried with more TIMES, or on SQLite")
    hold_to_its_word(1000 + number)
