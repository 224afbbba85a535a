"""Stored events that cannot be read or applied: kept as they are, and nothing guessed."""

from typing import Any

import msgspec
import pytest

from scoring.events.reading import Unreadable, as_unreadable, fold_stored, read_stored, refuse_what_does_not_read_back
from scoring.events.table import EventLeftOut
from scoring.events.wire import DealCorrected, DealRecorded, PenaltyGiven, TableClosed, encode
from scoring.problems import Defect, EventRejected
from scoring.rules.table.table import Status, fold
from scoring.rules.variants import variant
from scoring.rules.variants.indian.outcomes import DealSheet, Outcome, OutcomeKind
from tests.builders.rules import Evening, deal, first_drop, penalty, pool, show

SHEET = DealSheet(outcomes={"asha": Outcome(how=OutcomeKind.SHOW), "bo": Outcome(how=OutcomeKind.FIRST_DROP)})
DEAL = DealRecorded(deal=1, sheet=SHEET)
STRANGE = Unreadable(stored_kind="penalty_given", stored_schema=1, body='{"seat":1}', why="no seat")
LOST = "record 3 cannot be read: a director must leave it out first, which cancels the table"


@pytest.mark.parametrize("event", [DEAL, PenaltyGiven(seat="asha", points=3), TableClosed()])
def test_an_event_within_its_bounds_reads_back(event):
    form = encode(event)
    refuse_what_does_not_read_back(event, form)
    assert read_stored(form.kind, form.schema, form.body, variant("pool")) == event


@pytest.mark.parametrize(
    ("event", "found"),
    [
        (
            PenaltyGiven(seat="asha", points=10_001),
            [("points", "points cannot be 10001: Expected `int` <= 10000")],
        ),
        (
            PenaltyGiven(seat=3, points=0),  # type: ignore[arg-type]
            [
                ("seat", "seat cannot be 3: Expected `str`, got `int`"),
                ("points", "points cannot be 0: Expected `int` >= 1"),
            ],
        ),
        (
            DealRecorded(deal=1, sheet=DealSheet(outcomes={"asha": Outcome(how="won")})),  # type: ignore[arg-type]
            [("sheet", "sheet cannot be an object: Invalid enum value 'won' - at `$.outcomes[...].how`")],
        ),
    ],
)
def test_an_event_beyond_its_bounds_is_refused_before_it_is_written_with_each_limit(event, found):
    with pytest.raises(EventRejected) as refused:
        refuse_what_does_not_read_back(event, encode(event))
    problems = refused.value.problems
    assert [(problem.field, problem.text()) for problem in problems] == found
    assert {problem.code for problem in problems} == {"out_of_range"}


def test_an_event_that_reads_back_as_another_is_our_defect():
    form = encode(PenaltyGiven(seat="asha", points=3))
    other = msgspec.structs.replace(form, body=form.body.replace("3", " 3"))
    with pytest.raises(Defect, match="a penalty_given does not read back as it was told"):
        refuse_what_does_not_read_back(PenaltyGiven(seat="asha", points=3), other)


@pytest.mark.parametrize("body", ['{"seat":1}', b'{"seat":1}', memoryview(b'{"seat":1}'), b"\xff"])
def test_a_row_that_cannot_be_read_is_kept_as_it_is(body):
    found = read_stored("penalty_given", 1, body)
    assert isinstance(found, Unreadable)
    text = "\ufffd" if body == b"\xff" else '{"seat":1}'
    assert (found.stored_kind, found.stored_schema, found.body) == ("penalty_given", 1, text)
    assert found.why.startswith("stored penalty_given (schema 1) cannot be read: ")
    form = encode(found)
    assert read_stored(form.kind, form.schema, form.body) == found


def test_events_that_follow_are_followed_and_the_one_that_does_not_is_left_where_it_stands():
    start = pool().table
    events: list[Any] = [(2, DEAL), (3, PenaltyGiven(seat="asha", points=5))]
    assert fold_stored(fold, start, events) == fold(start, events)
    stranger = PenaltyGiven(seat="zoe", points=5)
    table = fold_stored(fold, start, [(2, DEAL), (3, stranger), (4, PenaltyGiven(seat="asha", points=7))])
    assert (table.version, table.unreadable) == (4, (3,))
    assert {seat: view.total for seat, view in table.seats().items()} == {"asha": 7, "bo": 20}
    unread = table.timeline[1].event
    assert unread == as_unreadable(stranger, KeyError("zoe"))
    assert unread.why == "it does not follow from what stands before it (KeyError: 'zoe')"
    assert (unread.stored_kind, unread.body) == ("penalty_given", encode(stranger).body)


def test_a_table_with_an_event_that_cannot_be_read_waits_for_the_director():
    table = fold(pool().table, [(2, DEAL), (3, STRANGE)])
    assert table.unreadable == (3,)
    assert not table.is_lost
    assert [(conflict.version, conflict.code, str(conflict.message)) for conflict in table.conflicts] == [
        (3, "unreadable_fact", LOST)
    ]
    assert (table.winners(), table.payouts(), table.status) == ((), (), Status.OPEN)
    evening = Evening(table, table)
    for raw in (deal(2, show("asha"), first_drop("bo")), penalty("asha", 3), {"kind": "table_closed"}):
        assert [(problem.code, problem.text()) for problem in evening.considered(raw)[1]] == [("unreadable_fact", LOST)]
    closed = fold(table, [(4, TableClosed())])
    assert closed.status is Status.CLOSED
    assert fold(table, [(4, TableClosed()), (5, STRANGE)]).status is Status.CLOSED
    left_out = fold(table, [(4, EventLeftOut(version=3, reason="nobody can read it"))])
    assert left_out.unreadable == ()
    assert (left_out.status, left_out.conflicts) == (Status.CANCELLED, ())


def test_a_correction_leaves_what_cannot_be_read_where_it_stands():
    evening = pool(seats=2).after(show("asha"), first_drop("bo"))
    table = fold(evening.table, [(3, STRANGE), (4, DealCorrected(deal=1, sheet=SHEET, reason="misread"))])
    assert [(conflict.version, conflict.code) for conflict in table.conflicts] == [(3, "unreadable_fact")]
    given_up = fold(table, [(5, EventLeftOut(version=3, reason="")), (6, DealCorrected(deal=1, sheet=SHEET))])
    assert given_up.conflicts == ()


def test_a_table_whose_opening_cannot_be_read_is_lost():
    opened = pool().table
    assert not opened.is_lost
    assert not fold(opened, [(2, DEAL)]).is_lost
    lost = fold(opened, [(1, STRANGE)])
    assert lost.is_lost
    assert fold(lost, [(2, STRANGE)]).unreadable == (1, 2)
