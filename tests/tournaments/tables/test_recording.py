"""Recording an event: stored once or refused whole; conflicting entries are never merged.

Planted faults these catch: looking keys up by version alone (a resend is stored twice), a refusal after the write
(the log grows), a snapshot that is not written with the event (totals stay behind).
"""

import threading
from functools import partial

import pytest

from scoring.problems import EventNotAllowed, EventRejected, KeyReused, RummyError, StaleTable
from tests.builders.playing import NOW, context, deal, finished_pool, first_drop, loses, new_table, new_tournament, show
from tests.builders.racing import at_once
from tests.builders.there import there
from tournaments import log
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.log.context import CommandContext
from tournaments.running.commands.close import close_tournament, reopen_tournament
from tournaments.tables.commands.record import record_wire_event

pytestmark = pytest.mark.django_db

FIRST = deal(1, show, loses(34), first_drop, loses(12))


def test_a_deal_is_on_the_board_with_the_answer_and_sent_again_gets_the_first_one():
    table = new_table()
    first = table.record(FIRST, key="a")
    assert first.stored.version == 2
    assert table.totals() == [0, 34, 20, 12]
    table.deal(2, show, loses(1), loses(2), loses(3))
    again = table.record(FIRST, key="a", expected=1)
    assert again.is_replay
    assert again.stored == first.stored
    assert table.totals() == [0, 35, 22, 15]


def test_a_key_with_another_deal_is_refused():
    table = new_table()
    table.record(FIRST, key="a")
    with pytest.raises(KeyReused):
        table.record(deal(1, show, loses(35), first_drop, loses(12)), key="a", expected=1)
    with pytest.raises(KeyReused):
        table.record(deal(2, show, loses(35), first_drop, loses(12)), key="a")
    assert len(log.read(table.row.tournament.club_id, table.row.id)) == 2


def test_who_is_second_or_claims_to_have_seen_more_is_told_where_the_table_stands():
    table = new_table()
    table.record(FIRST)
    for expected in (1, 7):
        with pytest.raises(StaleTable) as told:
            table.record(deal(1, loses(5), show, loses(6), loses(7)), expected=expected)
        assert told.value.current == 2
    assert table.totals() == [0, 34, 20, 12]


def test_a_sheet_that_cannot_be_is_refused_with_every_problem_and_nothing_is_stored():
    table = new_table()
    for event, codes in (
        (deal(1, show, show, loses(3), loses(4)), {"two_winners"}),
        (deal(1, loses(1), loses(2), loses(3), loses(4)), {"no_winner"}),
        (deal(1, {"how": "show", "count": 12}, loses(2), loses(3), loses(4)), {"winner_has_points"}),
        (deal(1, show, loses(81), loses(-3), loses(4)), {"count_over_cap", "negative_count"}),
        (deal(1, show, loses(2), loses(3)), {"missing_seat"}),
        (deal(4, show, loses(2), loses(3), loses(4)), {"deal_number_jumps"}),
        (deal(1, show, loses(2), loses(3), loses(4), loses(5)), {"unknown_seat"}),
        ({"kind": "rejoined", "seat": "1"}, {"rejoin_too_late"}),
        ({"kind": "table_closed"}, {"not_finished"}),
    ):
        with pytest.raises((EventRejected, EventNotAllowed)) as refused:
            table.record(event)
        assert codes <= {problem.code for problem in refused.value.problems}
    assert len(log.read(table.row.tournament.club_id, table.row.id)) == 1
    assert table.sheet.version == 1


def test_a_table_of_a_closed_tournament_cannot_go_on_before_the_tournament_does():
    table = finished_pool()
    closing = table.close().stored.version
    home = table.row.tournament_id
    close_tournament(home, context=context())
    going_on = {"kind": "fact_withdrawn", "version": closing, "reason": "one more deal was played"}
    with pytest.raises(EventNotAllowed, match="the tournament is closed: reopen it before its tables"):
        table.record(going_on)
    assert there(log.head_of(table.row.tournament.club_id, table.row.id)).version == closing
    reopen_tournament(home, reason="one more deal was played", context=context())
    table.record(going_on)
    assert not table.sheet.is_closed


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.parametrize("rounds", [20, pytest.param(900, marks=pytest.mark.slow(long=True))])
@pytest.mark.django_db(transaction=True)
def test_of_eight_who_write_the_same_version_one_is_stored_each_round(rounds):
    table = new_table(new_tournament(preset="points", point_value_minor=100))
    barrier = threading.Barrier(8)

    def write(seat: int) -> list[str]:
        answers = []
        for number in range(rounds):
            barrier.wait()
            hands = [loses(seat + 1)] * 4
            hands[number % 4] = show
            answers.append(_attempt(table.row.id, deal(number + 1, *hands), number + 1))
        return answers

    answers = at_once([partial(write, seat) for seat in range(8)])
    assert [sorted(told) for told in zip(*answers, strict=True)] == [["stale_table"] * 7 + ["stored"]] * rounds
    stored = log.read(table.row.tournament.club_id, table.row.id)
    assert [event.version for event in stored] == list(range(1, rounds + 2))
    assert rebuild_differences() == []


def test_recording_takes_few_statements_however_long_the_table(django_assert_max_num_queries):
    table = new_table(new_tournament(preset="points", point_value_minor=100))
    for number in range(1, 12):
        table.deal(number, show, loses(2), loses(3), loses(4))
    with django_assert_max_num_queries(14):
        table.deal(12, show, loses(2), loses(3), loses(4))


def _attempt(table_id, event, expected) -> str:
    context = CommandContext(actor="user:sam", now=NOW)
    try:
        record_wire_event(table_id, event, expected=expected, context=context)
    except RummyError as refused:
        return refused.code
    return "stored"
