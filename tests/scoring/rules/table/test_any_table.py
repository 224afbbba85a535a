"""What holds for every table that could have happened, whatever was played and corrected."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from scoring.events import wire
from scoring.money.payouts import divide, house_fee
from scoring.rules.table.admission import considered
from scoring.rules.table.table import Status, Table, fold, places, steps
from scoring.rules.variants import opening, table_from
from scoring.sheets.snapshots import dump_table, load_table
from tests.builders.all_games import another_sheet
from tests.builders.any_table import standing
from tests.builders.histories import History, histories, openings
from tests.builders.western_histories import western_histories

FAMILIES: dict[str, Callable[..., SearchStrategy[History]]] = {"indian": histories, "western": western_histories}
EVERY = pytest.mark.parametrize("family", FAMILIES)
BY_SEAT = ("counts", "in_hand", "melded", "cards_left", "antes", "bought", "outcomes")
BY_BOX = ("boxes", "last_hearts")
SEATS = ("seat", "out", "dealer", "buyer", "knocker", "defender")


@pytest.mark.slow
@EVERY
@given(st.data())
def test_a_table_kept_half_way_or_read_again_from_its_stored_events_is_the_same(family: str, data: st.DataObject):
    history = data.draw(FAMILIES[family]())
    cut = data.draw(st.integers(0, len(history.events)))
    resumed = fold(load_table(dump_table(fold(history.start, history.events[:cut]))), history.events[cut:])
    assert standing(resumed) == standing(history.table)
    assert dump_table(resumed) == dump_table(history.table)
    stored = [(version, wire.encode(event)) for version, event in history.events]
    read = [(version, wire.decode(form.kind, form.schema, form.body, history.start.rules)) for version, form in stored]
    assert standing(fold(history.start, read)) == standing(history.table)


@pytest.mark.slow
@EVERY
@given(st.data())
def test_a_correction_leaves_what_the_right_number_at_once_would_have_left(family: str, data: st.DataObject):
    history = data.draw(FAMILIES[family](changes=False))
    deals = [index for index, (_, event) in enumerate(history.events) if isinstance(event, wire.DealRecorded)]
    assume(deals)
    index = data.draw(st.sampled_from(deals))
    version, right = history.events[index]
    assert isinstance(right, wire.DealRecorded)
    before = fold(history.start, history.events[:index])
    raw = {"kind": "deal_recorded", "deal": right.deal, **another_sheet(data.draw, before)}
    wrong, problems = considered(before, raw)
    assume(not problems)
    assert wrong is not None
    misread = [*history.events[:index], (version, wrong), *history.events[index + 1 :]]
    correction = wire.DealCorrected(deal=right.deal, sheet=right.sheet, reason="misread")
    fixed = fold(history.start, [*misread, (len(misread) + 2, correction)])
    splits = [(v, event) for v, event in history.events if isinstance(event, wire.SplitAgreed)]
    if splits and fixed.conflicts:
        assert {(conflict.version, conflict.code) for conflict in fixed.conflicts} >= {
            (splits[0][0], "split_on_other_totals")
        }
        assert fixed.payouts() == ()
        return
    assert standing(fixed) == standing(history.table)


@pytest.mark.slow
@EVERY
@given(st.data())
def test_folding_never_fails_whatever_is_left_out_of_the_events(family: str, data: st.DataObject):
    history = data.draw(FAMILIES[family]())
    deals = [pair for pair in history.events if not isinstance(pair[1], wire.DealCorrected | wire.DealVoided)]
    kept = data.draw(st.lists(st.sampled_from(deals), unique_by=lambda pair: pair[0])) if deals else []
    table = fold(history.start, sorted(kept, key=lambda pair: pair[0]))
    assert set(table.seats()) == set(table.setup.seats)
    assert family == "indian" or all(payout.is_balanced for payout in table.payouts())
    for _ in steps(table):
        pass


@pytest.mark.slow
@EVERY
@given(st.data())
def test_steps_end_where_the_fold_ends_and_every_payout_balances_in_a_slot_of_its_own(family: str, data: st.DataObject):
    table = data.draw(FAMILIES[family]()).table
    last = table.rules.start(table.setup)
    for _, before, after in steps(table):
        assert before == last
        last = after
    assert last == table.game
    payouts = table.payouts()
    for payout in payouts:
        assert payout.is_balanced
        assert min((payout.fee, *payout.charges.values(), *payout.awards.values())) >= 0
    assert len({payout.slot for payout in payouts}) == len(payouts)


@pytest.mark.slow
@given(histories(("pool", "deals")))
def test_prizes_and_fee_are_all_entries_and_rejoins_and_the_fee_is_the_rate_of_the_pot(history: History):
    table = history.table
    for payout in table.payouts():
        rejoins = sum(getattr(table.game, "rejoins", {}).values())
        money_in = table.setup.stakes.entry_minor * (len(table.setup.seats) + rejoins)
        assert sum(payout.awards.values()) + payout.fee == money_in
        if payout.slot == "table":
            assert payout.fee == house_fee(sum(payout.charges.values()), table.setup.stakes.fee_bp)


@pytest.mark.slow
@given(histories(("points",)))
def test_in_points_rummy_what_is_won_is_what_is_lost(history: History):
    table = history.table
    penalties = sum(entry.event.points for entry in table.timeline if isinstance(entry.event, wire.PenaltyGiven))
    assert sum(table.game.net.values()) == -penalties
    worst = max(table.setup.options.cap, table.setup.options.wrong_show) * table.setup.stakes.point_value_minor
    for deal in table.game.paid:
        assert max(deal.points.values(), default=0) * table.setup.stakes.point_value_minor <= worst


@pytest.mark.slow
@given(histories(("deals",)))
def test_chips_are_never_made_nor_lost_but_by_penalties(history: History):
    table = history.table
    penalties = sum(entry.event.points for entry in table.timeline if isinstance(entry.event, wire.PenaltyGiven))
    options = table.setup.options
    assert sum(table.game.chips.values()) + penalties == len(table.setup.seats) * options.deals * options.chips_per_deal


@pytest.mark.slow
@given(histories(("deals",), changes=False))
def test_nobody_falls_below_nothing_in_the_deals_while_nothing_costs_more_than_a_full_count(history: History):
    table = history.table
    assume(not any(isinstance(event, wire.PenaltyGiven | wire.TiebreakRecorded) for _, event in history.events))
    assert min(table.game.chips.values()) >= 0


@pytest.mark.slow
@given(histories(("pool",)))
def test_a_pool_is_played_below_its_limit_by_those_who_are_in(history: History):
    """Totals only rise, but by coming back; who reached the limit is out; who may rejoin could still drop once."""
    table = history.table
    options, views = table.setup.options, table.seats()
    for entry, before, after in steps(table):
        for seat in table.setup.seats:
            was, now = before.tally.points[seat], after.tally.points[seat]
            came_back = seat in before.out and seat not in after.out
            if isinstance(entry.event, wire.Rejoined) and entry.event.seat == seat and came_back:
                assert now <= options.highest_in
            else:
                assert now == was if seat in before.out else now >= was
    survivors = [view.total or 0 for seat, view in views.items() if view.is_in and seat not in table.game.back]
    for seat, view in views.items():
        assert view.is_in == (seat not in table.game.out)
        if view.is_in:
            assert view.total <= options.highest_in
        elif seat not in table.game.gone:
            assert view.total > options.highest_in
        if view.may_rejoin:
            back = fold(table, [(table.version + 1, wire.Rejoined(seat=seat))]).seats()[seat]
            assert back.is_in
            assert back.total is not None
            assert max(survivors, default=0) < back.total <= options.highest_in - options.first_drop
    if table.game.split == "auto" and options.auto_split_when == "no_drop_left":
        assert all(view.drops_left == 0 for view in views.values())


@given(openings(("pool",)), st.data())
def test_thresholds_of_a_pool_agree_with_its_drops(table: Table, data: st.DataObject):
    options = table.setup.options
    total = data.draw(st.integers(0, options.highest_in))
    assert (options.drops_left(total) == 0) is (total + options.first_drop > options.highest_in)
    assert (total <= options.rejoin_threshold) is (total + 1 + options.first_drop <= options.highest_in)


@pytest.mark.slow
@given(histories())
def test_nobody_who_is_out_plays_and_a_deal_costs_no_more_than_it_may(history: History):
    table = history.table
    options = table.setup.options
    dearest = max(options.cap, options.wrong_show)
    for entry, before, _ in steps(table):
        if isinstance(entry.event, wire.DealRecorded) and not entry.is_void and not table.conflicts:
            outcomes, staying = entry.event.sheet.outcomes, set(table.rules.in_play(table.setup, before))
            # A seat that has left may stand on the sheet as absent; it changes nothing.
            left = {s for s, outcome in outcomes.items() if outcome.how == "absent" and s not in staying}
            playing = {s for s, outcome in outcomes.items() if outcome.how != "not_in_deal"} - left
            assert playing <= staying
            result = table.rules.apply(table.setup, before, entry.event)
            for seat in playing:
                assert 0 <= result.tally.points[seat] - before.tally.points[seat] <= dearest


@pytest.mark.slow
@EVERY
@given(st.data())
def test_a_void_deal_changes_nothing(family: str, data: st.DataObject):
    history = data.draw(FAMILIES[family](changes=False))
    table = history.table
    assume(table.status is Status.OPEN and not table.is_finished and (len(table.in_play) > 1 or family == "western"))
    raw = {"kind": "deal_recorded", "deal": table.next_deal, **another_sheet(data.draw, table)}
    event, problems = considered(table, raw)
    assume(not problems and event is not None)
    assert event is not None
    void = wire.DealVoided(deal=table.next_deal, reason="misdeal")
    voided = fold(table, [(table.version + 1, event), (table.version + 2, void)])
    assert standing(voided) == standing(table)


@pytest.mark.slow
@EVERY
@given(st.data())
def test_seats_that_change_names_change_nothing_else(family: str, data: st.DataObject):
    history = data.draw(FAMILIES[family](changes=False))
    old = history.start.setup.seats
    names = data.draw(st.randoms(use_true_random=False)).sample(
        [f"Spieler {number}" for number in range(len(old))], len(old)
    )
    renamed = dict(zip(old, names, strict=True))
    start = history.start
    opened = opening(
        start.rules.name,
        options=_given(start.setup.options),
        stakes=_given(start.setup.stakes),
        seats={renamed[seat]: start.players[seat] for seat in old},
    )
    table = table_from(opened)
    for raw in history.raws:
        event, problems = considered(table, _renamed(raw, renamed))
        assert not problems
        assert event is not None
        table = fold(table, [(table.version + 1, event)])
    was = history.table
    assert {renamed[seat]: view for seat, view in was.seats().items()} == table.seats()
    assert [renamed[seat] for seat in was.winners()] == list(table.winners())


def _given(options: Any) -> dict[str, Any]:
    kept: dict[str, Any] = msgspec.to_builtins(options)
    return kept


def _renamed(raw: Any, names: dict[str, str]) -> dict[str, Any]:
    """The same event with other names for the seats, wherever a sheet names one."""
    changed = dict(raw)
    for field in changed.keys() & {*SEATS}:
        changed[field] = names.get(raw[field], raw[field])
    for field in changed.keys() & {*BY_SEAT}:
        changed[field] = {names[seat]: value for seat, value in raw[field].items()}
    for field in changed.keys() & {*BY_BOX}:
        changed[field] = {box: names[seat] for box, seat in raw[field].items()}
    if "unmelded" in changed:
        changed["unmelded"] = [names[seat] for seat in raw["unmelded"]]
    if "hands" in changed:
        changed["hands"] = [_renamed(hand, names) for hand in raw["hands"]]
    return changed


@pytest.mark.slow
@EVERY
@given(st.data())
def test_a_player_who_won_stands_first_and_places_are_those_of_a_competition(family: str, data: st.DataObject):
    history = data.draw(FAMILIES[family]())
    views = history.table.seats()
    found = places(views)
    for seat, place in found.items():
        better = sum(1 for other in views.values() if other.rank_key < views[seat].rank_key)
        assert place == better + 1
    if history.table.winners():
        assert {seat for seat, place in found.items() if place == 1} == set(history.table.winners())


@given(st.integers(0, 10**12), st.integers(1, 10))
def test_equal_parts_add_up_and_differ_by_one_unit_at_most(amount: int, heirs: int):
    parts = list(divide(amount, [str(number) for number in range(heirs)]).values())
    assert sum(parts) == amount
    assert parts == sorted(parts, reverse=True)
    assert parts[0] - parts[-1] <= 1
