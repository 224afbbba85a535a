"""A seat's lines add up to its score, and the house's option is named with each price."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rules.table.fields import SeatMark
from scoring.rules.table.table import fold
from scoring.rules.variants.indian.outcomes import DealOptions
from scoring.rules.variants.indian.prices import price_messages
from scoring.sheets.scoresheet import NUMBERS, reckoned
from scoring.sheets.snapshots import as_known
from tests.builders.all_games import GAMES, of

FEW = settings(max_examples=12)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@FEW
@given(st.data())
def test_the_lines_of_a_seat_add_up_to_each_of_its_numbers(name: str, data: st.DataObject):
    """Planted faults it catches: a line left out for a seat that had no part; a cancelled line that counts."""
    table = data.draw(of(name, changes=True)).table
    for seat, view in table.seats().items():
        told = reckoned(table, seat)
        for number in NUMBERS:
            start = getattr(told.starts, number) or 0
            moved = sum(line.changes.get(number, 0) for line in told.lines)
            assert start + moved == (getattr(view, number) or 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@FEW
@given(st.data())
def test_without_corrections_what_is_known_now_is_what_stood_then(name: str, data: st.DataObject):
    """Planted fault it catches: the present state of the game kept beside the lines of then."""
    history = data.draw(of(name))
    for many in range(len(history.events) + 1):
        then = fold(history.start, history.events[:many])
        known = as_known(history.table, then.version.__ge__)
        assert (known.timeline, known.game, known.seats()) == (then.timeline, then.game, then.seats())


@pytest.mark.parametrize(
    ("how", "count", "said"),
    [
        ("first_drop", None, ["house rule: first drop 25"]),
        ("three_misses", None, ["house rule: middle drop 50"]),
        ("wrong_show", None, ["house rule: wrong show 80"]),
        ("left_after_draw", None, ["house rule: cap 80"]),
        ("absent", None, ["house rule: absent 25"]),
        ("loss", 92, ["92 hand points, capped at 80"]),
        ("loss", 80, []),
        ("half_count", 31, ["half the hand points, rounded up"]),
        ("show", None, []),
    ],
)
def test_each_price_is_reported_with_the_option_that_sets_it(how: str, count: int | None, said: list[str]):
    options = DealOptions(first_drop=25, middle_drop=50, leave_after_draw="full")
    found = price_messages(SeatMark(how=how, title="", short="", count=count), options)
    assert list(map(str, found)) == said
