"""Properties of every random table of the Western games, whatever was played and corrected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.events import wire
from scoring.rules.table.admission import considered
from scoring.rules.table.dealing import announce
from scoring.rules.table.previews import preview
from scoring.rules.table.table import Table, fold, steps
from scoring.sheets.scoresheet import race, sheet_lines
from tests.builders.histories import History
from tests.builders.western_histories import draw_sheet, tables, western_histories

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["asha", "bo"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["asha", "bo", "AH"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.slow
@given(western_histories())
def test_who_gets_a_part_has_a_line_with_it_and_what_seats_pay_each_other_sums_to_nothing_but_the_fee(history: History):
    """Planted faults: two who share a pot, and a payout that ends with the fee. Chips are not divided, but cashed."""
    payouts = history.table.payouts()
    for payout in payouts:
        if len(payout.awards) > 1 and payout.slot != "chips":
            parts = {f"seat {seat}: {amount} as an equal part" for seat, amount in payout.awards.items()}
            assert parts <= set(map(str, payout.because))
    if history.table.is_finished:
        prizes = sum(sum(payout.awards.values()) for payout in payouts if not payout.is_change)
        fees = sum(payout.fee for payout in payouts if payout.is_change)
        assert sum(announce(history.table).payouts_minor.values()) == prizes - fees


@pytest.mark.slow
@given(western_histories(("rum", "block", "rummy500", "romme")))
def test_who_is_out_or_has_left_plays_no_more(history: History):
    table = history.table
    for entry, before, after in steps(table):
        gone = {seat for seat, view in table.rules.seats(table.setup, before).items() if not view.is_in}
        if isinstance(entry.event, wire.DealRecorded) and not entry.is_void:
            assert all(before.scores[seat] == after.scores[seat] for seat in gone)


@given(western_histories(("rum", "block"), changes=False))
def test_cash_sums_to_nothing(history: History):
    penalties = sum(event.points for _, event in history.events if isinstance(event, wire.PenaltyGiven))
    if history.start.setup.options.mode == "cash":
        assert sum(history.table.game.scores.values()) == -penalties


@pytest.mark.slow
@given(western_histories(("rummy_royal",)))
def test_chips_of_rummy_royal_are_conserved_after_every_event(history: History):
    for _, _, after in steps(history.table):
        chips = after.chips
        assert sum(chips.stacks.values()) + chips.on_board + chips.house == sum(chips.issued.values())


@pytest.mark.slow
@given(western_histories(("gin",)))
def test_in_gin_what_one_side_is_ahead_the_other_is_behind(history: History):
    seats = history.table.setup.seats
    views = history.table.seats()
    ahead, behind = views[seats[0]].net_points, views[seats[1]].net_points
    assert ahead is not None
    assert behind == -ahead
    assert len({views[seat].net_points for seat in seats[::2]}) == 1


@pytest.mark.slow
@given(western_histories())
def test_sheets_races_and_previews_can_be_made_of_every_table(history: History):
    table = history.table
    lines = sheet_lines(table)
    assert len(race(table, lines)) == len(table.setup.seats)
    if history.raws:
        before = fold(history.start, history.events[:-1])
        assert preview(before, history.raws[-1]).after is not None or before.conflicts


@pytest.mark.slow
@given(tables(), st.data())
def test_whatever_stands_on_a_sheet_is_answered_and_never_breaks_the_fold(table: Table, data: st.DataObject):
    fields = st.sampled_from([*table.rules.sheet_type.__struct_fields__, "knocker", "ending", "knocker_deadwood"])
    sheet = draw_sheet(data.draw, table) | data.draw(st.dictionaries(fields, ANYTHING, min_size=1, max_size=3))
    event, problems = considered(table, {"kind": "deal_recorded", "deal": 1, **sheet})
    assert all(problem.code and problem.text() for problem in problems)
    if event is not None:
        assert fold(table, [(2, event)]).deals == 1
