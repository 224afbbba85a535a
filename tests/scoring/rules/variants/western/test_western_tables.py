"""Properties of every random table of the Western games, whatever was played and corrected."""

from typing import Any

import msgspec
from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.facts import wire
from scoring.rules.table.admission import considered, problems_with
from scoring.rules.table.dealing import announce
from scoring.rules.table.previews import preview
from scoring.rules.table.table import Status, Table, fold, places, steps
from scoring.rules.variants import opening, table_from
from scoring.sheets.scoresheet import race, sheet_lines
from scoring.sheets.snapshots import dump_table, load_table
from tests.builders.histories import History
from tests.builders.western_histories import draw_sheet, tables, western_histories

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["asha", "bo"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["asha", "bo", "AH"]), inner, max_size=3)
    ),
    max_leaves=6,
)
BY_SEAT = ("counts", "in_hand", "melded", "cards_left", "antes", "bought")
SEATS = ("seat", "out", "dealer", "buyer", "knocker", "defender")


def standing(table: Table) -> dict[str, Any]:
    """Everything that a table reports, except the facts that led to it."""
    return {
        "game": table.game,
        "status": table.status,
        "deals": table.deals,
        "seats": table.seats(),
        "winners": table.winners(),
        "payouts": table.payouts(),
        "conflicts": [(conflict.code, conflict.seat) for conflict in table.conflicts],
    }


@given(western_histories(), st.data())
def test_a_prefix_and_then_the_rest_is_the_whole(history: History, data: st.DataObject):
    cut = data.draw(st.integers(0, len(history.facts)))
    resumed = fold(load_table(dump_table(fold(history.start, history.facts[:cut]))), history.facts[cut:])
    assert standing(resumed) == standing(history.table)
    assert dump_table(resumed) == dump_table(history.table)


@given(western_histories())
def test_what_is_stored_and_read_again_folds_to_the_same(history: History):
    stored = [(version, wire.encode(fact)) for version, fact in history.facts]
    rules = history.start.rules
    read = [(version, wire.decode(form.kind, form.schema, form.body, rules)) for version, form in stored]
    assert standing(fold(history.start, read)) == standing(history.table)


@given(western_histories(changes=False), st.data())
def test_a_correction_leaves_what_the_right_number_at_once_would_have_left(history: History, data: st.DataObject):
    deals = [index for index, (_, fact) in enumerate(history.facts) if isinstance(fact, wire.DealRecorded)]
    assume(deals)
    index = data.draw(st.sampled_from(deals))
    version, right = history.facts[index]
    assert isinstance(right, wire.DealRecorded)
    before = fold(history.start, history.facts[:index])
    raw = {"kind": "deal_recorded", "deal": right.deal, **draw_sheet(data.draw, before)}
    wrong, problems = considered(before, raw)
    assume(not problems)
    assert wrong is not None
    misread = [*history.facts[:index], (version, wrong), *history.facts[index + 1 :]]
    correction = wire.DealCorrected(deal=right.deal, sheet=right.sheet, reason="misread")
    assert standing(fold(history.start, [*misread, (len(misread) + 2, correction)])) == standing(history.table)


@given(western_histories())
def test_a_correction_and_its_reversal_change_nothing(history: History):
    table = history.table
    for entry in table.timeline:
        if isinstance(entry.fact, wire.DealRecorded) and not entry.is_void:
            same = wire.DealCorrected(deal=entry.fact.deal, sheet=entry.fact.sheet, reason="as it was")
            if not problems_with(table, same):
                assert standing(fold(table, [(table.version + 1, same)])) == standing(table)


@given(western_histories(changes=False), st.data())
def test_a_void_deal_changes_nothing(history: History, data: st.DataObject):
    table = history.table
    assume(table.status is Status.OPEN and not table.is_finished)
    fact, problems = considered(
        table, {"kind": "deal_recorded", "deal": table.next_deal, **draw_sheet(data.draw, table)}
    )
    assume(not problems and fact is not None)
    assert fact is not None
    void = wire.DealVoided(deal=table.next_deal, reason="misdeal")
    assert standing(fold(table, [(table.version + 1, fact), (table.version + 2, void)])) == standing(table)


@given(western_histories(), st.data())
def test_folding_never_fails_whatever_is_left_out_of_the_facts(history: History, data: st.DataObject):
    facts = [pair for pair in history.facts if not isinstance(pair[1], wire.DealCorrected | wire.DealVoided)]
    kept = data.draw(st.lists(st.sampled_from(facts), unique_by=lambda pair: pair[0])) if facts else []
    table = fold(history.start, sorted(kept, key=lambda pair: pair[0]))
    assert set(table.seats()) == set(table.setup.seats)
    assert all(payout.is_balanced for payout in table.payouts())
    for _ in steps(table):
        pass


@given(western_histories())
def test_every_payout_balances_and_every_slot_is_paid_once(history: History):
    payouts = history.table.payouts()
    for payout in payouts:
        assert payout.is_balanced
        assert min((payout.fee, *payout.charges.values(), *payout.awards.values())) >= 0
    slots = [payout.slot for payout in payouts]
    assert len(set(slots)) == len(slots)


@given(western_histories())
def test_a_player_who_gets_a_part_of_something_has_a_line_with_that_amount(history: History):
    """Planted faults: two who share a pot, and a payout that ends with the fee. Chips are not divided, but cashed."""
    for payout in history.table.payouts():
        if len(payout.awards) > 1 and payout.slot != "chips":
            parts = {f"seat {seat}: {amount} as an equal part" for seat, amount in payout.awards.items()}
            assert parts <= set(map(str, payout.because))


@given(western_histories())
def test_what_seats_pay_each_other_sums_to_nothing_but_the_fee(history: History):
    changes = [payout for payout in history.table.payouts() if payout.is_change]
    said = announce(history.table)
    prizes = sum(sum(payout.awards.values()) for payout in history.table.payouts() if not payout.is_change)
    if history.table.is_finished:
        assert sum(said.payouts_minor.values()) == prizes - sum(payout.fee for payout in changes)


@given(western_histories())
def test_a_player_who_won_stands_first_and_places_are_those_of_a_competition(history: History):
    table, views = history.table, history.table.seats()
    found = places(views)
    for seat, place in found.items():
        assert place == 1 + sum(1 for other in views.values() if other.rank_key < views[seat].rank_key)
    if table.winners():
        assert {seat for seat, place in found.items() if place == 1} == set(table.winners())


@given(western_histories(("rum", "block", "rummy500", "romme")))
def test_who_is_out_or_has_left_plays_no_more(history: History):
    table = history.table
    for entry, before, after in steps(table):
        gone = {seat for seat, view in table.rules.seats(table.setup, before).items() if not view.is_in}
        if isinstance(entry.fact, wire.DealRecorded) and not entry.is_void:
            assert all(before.scores[seat] == after.scores[seat] for seat in gone)


@given(western_histories(("rum", "block"), changes=False))
def test_cash_sums_to_nothing(history: History):
    penalties = sum(fact.points for _, fact in history.facts if isinstance(fact, wire.PenaltyGiven))
    if history.start.setup.options.mode == "cash":
        assert sum(history.table.game.scores.values()) == -penalties


@given(western_histories(("rummy_royal",)))
def test_chips_of_rummy_royal_are_conserved_after_every_fact(history: History):
    for _, _, after in steps(history.table):
        chips = after.chips
        assert sum(chips.stacks.values()) + chips.on_board + chips.house == sum(chips.issued.values())


@given(western_histories(("gin",)))
def test_in_gin_what_one_side_is_ahead_the_other_is_behind(history: History):
    seats = history.table.setup.seats
    views = history.table.seats()
    ahead, behind = views[seats[0]].net_points, views[seats[1]].net_points
    assert ahead is not None
    assert behind == -ahead
    assert len({views[seat].net_points for seat in seats[::2]}) == 1


@given(western_histories())
def test_sheets_races_and_previews_can_be_made_of_every_table(history: History):
    table = history.table
    lines = sheet_lines(table)
    assert len(race(table, lines)) == len(table.setup.seats)
    if history.raws:
        before = fold(history.start, history.facts[:-1])
        assert preview(before, history.raws[-1]).after is not None or before.conflicts


@given(tables(), st.data())
def test_whatever_stands_on_a_sheet_is_answered_and_never_breaks_the_fold(table: Table, data: st.DataObject):
    fields = st.sampled_from([*table.rules.sheet_type.__struct_fields__, "knocker", "ending", "knocker_deadwood"])
    sheet = draw_sheet(data.draw, table) | data.draw(st.dictionaries(fields, ANYTHING, min_size=1, max_size=3))
    fact, problems = considered(table, {"kind": "deal_recorded", "deal": 1, **sheet})
    assert all(problem.code and problem.text() for problem in problems)
    if fact is not None:
        assert fold(table, [(2, fact)]).deals == 1


@given(western_histories(changes=False), st.randoms(use_true_random=False))
def test_seats_that_change_names_change_nothing_else(history: History, random: Any):
    old, start = history.start.setup.seats, history.start
    renamed = dict(zip(old, random.sample([f"Spieler {number}" for number in range(len(old))], len(old)), strict=True))
    opened = opening(
        start.rules.name,
        options=msgspec.to_builtins(start.setup.options),
        stakes={name: getattr(start.setup.stakes, name) for name in start.setup.stakes.__struct_fields__},
        seats={renamed[seat]: start.players[seat] for seat in old},
    )
    table = table_from(opened)
    for raw in history.raws:
        fact, problems = considered(table, _renamed(raw, renamed))
        assert not problems
        assert fact is not None
        table = fold(table, [(table.version + 1, fact)])
    was = history.table
    assert {renamed[seat]: view for seat, view in was.seats().items()} == table.seats()
    assert [renamed[seat] for seat in was.winners()] == list(table.winners())


def _renamed(raw: Any, names: dict[str, str]) -> dict[str, Any]:
    """The same event with other names for the seats, wherever a sheet names one."""
    changed = dict(raw)
    for field in changed.keys() & {*SEATS}:
        changed[field] = names.get(raw[field], raw[field])
    for field in changed.keys() & {*BY_SEAT}:
        changed[field] = {names[seat]: value for seat, value in raw[field].items()}
    for field in changed.keys() & {"boxes", "last_hearts"}:
        changed[field] = {box: names[seat] for box, seat in raw[field].items()}
    if "unmelded" in changed:
        changed["unmelded"] = [names[seat] for seat in raw["unmelded"]]
    if "hands" in changed:
        changed["hands"] = [_renamed(hand, names) for hand in raw["hands"]]
    return changed
