"""Deals that wait for a confirmation, disputes, and tables that are abandoned."""

import msgspec

from scoring.problems import EventNotAllowed, refuse_if
from scoring.rules.table.admission import considered
from scoring.rules.table.table import Status, Table, fold
from scoring.rules.variants import opening, table_from
from scoring.sheets.snapshots import dump_table, load_table

STAKES = {"currency": "INR"}


def pool(confirmation="second_seat", **stakes) -> Table:
    seats = {"1": "p-asha", "2": "p-bo", "3": "p-cy"}
    opened = opening("pool", options={"limit": 101}, stakes=STAKES | stakes, seats=seats)
    return table_from(msgspec.structs.replace(opened, confirmation=confirmation))


def after(table: Table, *raws) -> Table:
    for raw in raws:
        event, problems = considered(table, raw)
        refuse_if(problems, EventNotAllowed)
        assert event is not None
        table = fold(table, [(table.version + 1, event)])
    return table


def deal(number, *counts, kind="deal_recorded", **more):
    outcomes = {"1": {"how": "show"}} | {str(n): {"how": "loss", "count": count} for n, count in enumerate(counts, 2)}
    return {"kind": kind, "deal": number, "outcomes": outcomes, **more}


confirm = {"kind": "deal_confirmed", "deal": 1, "seat": "2"}
dispute = {"kind": "deal_disputed", "deal": 1, "reason": "I held 24"}
settle = {"kind": "dispute_settled", "deal": 1, "reason": "counted together"}
DECIDED = (deal(1, 80, 80), deal(2, 30, 30))


def refused(table, raw):
    return [problem.code for problem in considered(table, raw)[1]]


def test_a_table_is_not_closed_on_deals_that_nobody_else_has_read():
    table = after(pool(), *DECIDED, confirm)
    assert table.unconfirmed == (2,)
    assert refused(table, {"kind": "table_closed"}) == ["deal_unconfirmed"]
    table = after(table, confirm | {"deal": 2}, {"kind": "table_closed"})
    assert table.status is Status.CLOSED


def test_a_deal_that_is_corrected_waits_for_a_word_again_and_a_voided_one_for_nobody():
    table = after(pool(), deal(1, 80, 12), confirm)
    assert table.unconfirmed == ()
    assert after(table, deal(1, 80, 21, kind="deal_corrected", reason="12 was 21")).unconfirmed == (1,)
    voided = after(pool(), deal(1, 80, 12), {"kind": "deal_voided", "deal": 1, "reason": "misdeal"})
    assert (voided.unconfirmed, refused(voided, confirm)) == ((), ["no_such_deal"])


def test_a_disputed_deal_waits_for_the_director_even_where_deals_count_at_once():
    plain = after(pool("at_once"), *DECIDED)
    assert (plain.unconfirmed, refused(plain, confirm)) == ((), ["deal_confirmed"])
    table = after(plain, dispute)
    assert table.disputed == (1,)
    assert refused(table, {"kind": "table_closed"}) == refused(table, confirm) == ["deal_disputed"]
    assert refused(plain, settle) == ["not_disputed"]
    for bare in (dispute | {"reason": " "}, {"kind": "deal_disputed", "deal": 1}):
        assert refused(plain, bare)


def test_a_disputed_deal_is_not_also_called_unconfirmed_and_no_correction_settles_it():
    table = after(pool(), *DECIDED, dispute)
    assert [(problem.code, problem.text()) for problem in considered(table, {"kind": "table_closed"})[1]] == [
        ("deal_disputed", "deal 1 is disputed: the director must resolve it first"),
        ("deal_unconfirmed", "deal 2 has not been confirmed by anybody else"),
    ]
    table = after(pool(), deal(1, 80, 12), dispute, deal(1, 80, 21, kind="deal_corrected", reason="12 was 21"))
    assert table.disputed == (1,)
    table = after(table, settle)
    assert (table.disputed, table.unconfirmed) == ((), ())


def test_a_word_on_a_deal_stands_beside_the_events_that_count_and_is_kept_in_a_snapshot():
    table = after(pool(), *DECIDED, confirm, dispute | {"deal": 2})
    assert ([entry.version for entry in table.timeline], table.version) == ([2, 3], 5)
    again = load_table(dump_table(table))
    assert (again.unconfirmed, again.disputed) == ((2,), (2,))


def test_the_word_of_others_changes_no_score():
    plain = after(pool("at_once"), *DECIDED)
    told = after(pool("at_once"), DECIDED[0], dispute, settle, DECIDED[1])
    assert {seat: view.total for seat, view in told.seats().items()} == {
        seat: view.total for seat, view in plain.seats().items()
    }


def test_a_table_that_is_broken_up_pays_nobody_and_has_no_winner():
    table = after(pool("at_once", entry_minor=10_000), deal(1, 80, 12), {"kind": "table_moved_on"})
    assert table.has_moved_on
    assert (table.winners(), table.payouts()) == ((), ())
    assert refused(table, deal(2, 1, 1)) == ["table_closed"]


def test_a_table_with_a_result_or_with_deals_that_are_paid_one_by_one_is_not_broken_up():
    moved_on = {"kind": "table_moved_on"}
    assert "table_finished" in refused(after(pool("at_once"), *DECIDED), moved_on)
    stakes = STAKES | {"point_value_minor": 100}
    points = table_from(opening("points", options={}, stakes=stakes, seats={"1": "p-asha", "2": "p-bo"}))
    assert refused(after(points, deal(1, 12)), moved_on) == ["money_has_moved"]
