"""A whole club in any order of actions: only refusals are raised, and after every few actions every proof holds.

Then some of the club's pages are looked at, too: public ones, the API's, and those of its owner.
Planted faults that this catches: a cash line that is undone and stays in the books; in the long run, a list of players
that fails once one was merged.
"""

import pytest

from tests.builders.any_order import AnyOrder
from tests.builders.samples import tries

pytestmark = pytest.mark.django_db
FEW, MANY = 1, 30
AT_ONCE = 20
FEW_PAGES, MANY_PAGES = 8, 24


def hold_in_any_order(seed: int, acts: int, *, pages: int) -> AnyOrder:
    """Take this many actions of a seed; the proofs hold all along, and pages answer."""
    club = AnyOrder(seed)
    for done in range(1, acts + 1):
        club.step()
        if done % AT_ONCE == 0:
            assert club.faults(pages=pages) == [], club.last[-AT_ONCE:]
    return club


@pytest.mark.parametrize("seed", range(1, 1 + FEW))
def test_any_order_of_acts_leaves_a_club_whose_proofs_hold(seed: int):
    club = hold_in_any_order(seed, acts=80, pages=FEW_PAGES)
    assert club.done.total() > club.refused.total() / 4


@pytest.mark.slow(long=True)
@pytest.mark.parametrize("seed", range(MANY))
def test_any_long_order_of_acts_leaves_a_club_whose_proofs_hold(seed: int):
    if seed >= tries(MANY):
        pytest.skip("tried with more TIMES, or on SQLite")
    hold_in_any_order(1000 + seed, acts=400, pages=MANY_PAGES)
