"""The message to a worker: after the commit, once; the sweep is the guarantee.

Planted faults that this catches: a message left out, sent before the commit, retried while the request waits, or
for an event that owes nothing; a broker that is away reported as a failure of the event.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

import pytest

from tests.builders.playing import context, deal, first_drop, loses, new_table, new_tournament, show
from tests.builders.prize_evening import Evening
from tournaments.projections import stale
from tournaments.projections.stale import READ_NIGHTS, SETTLE, SETTLE_EVENING
from tournaments.running.commands.close import close_tournament

pytestmark = pytest.mark.django_db
Captured = Callable[..., AbstractContextManager[list[Any]]]


@pytest.fixture
def sent() -> Any:
    with mock.patch("rummy_site.celery.app.send_task") as sent:
        yield sent


def messages(sent: mock.Mock) -> list[tuple[str, list[str], bool]]:
    return [(call.args[0], call.kwargs["args"], call.kwargs["retry"]) for call in sent.call_args_list]


BELLS: dict[str, Callable[[Any], None]] = {
    SETTLE: stale.enqueue_settlement,
    SETTLE_EVENING: stale.enqueue_prizes,
    READ_NIGHTS: stale.enqueue_readings,
}


def test_each_bell_rings_after_the_commit_once_and_never_again(sent: Any, django_capture_on_commit_callbacks: Captured):
    with django_capture_on_commit_callbacks(execute=True):
        for enqueue in BELLS.values():
            enqueue("an-id")
        assert messages(sent) == []
    assert messages(sent) == [(task, ["an-id"], False) for task in BELLS]


@pytest.mark.parametrize("enqueue", BELLS.values())
def test_a_broker_that_is_away_and_a_bell_that_breaks_are_warnings(
    enqueue: Any, sent: Any, django_capture_on_commit_callbacks: Captured, caplog: Any
):
    sent.side_effect = OSError("nobody listens")
    with django_capture_on_commit_callbacks(execute=False) as waiting:
        enqueue("an-id")
    waiting[0]()
    assert "no message could be sent" in caplog.text


def test_a_deal_rings_where_it_owes_something_and_nowhere_else(sent: Any, django_capture_on_commit_callbacks: Captured):
    points = new_table(new_tournament(preset="points", point_value_minor=200))
    pool = new_table(new_tournament(entry_minor=10_000))
    with django_capture_on_commit_callbacks(execute=True):
        points.deal(1, show, loses(20), first_drop, loses(10))
        pool.deal(1, show, loses(20), first_drop, loses(10))
    assert messages(sent) == [(SETTLE, [str(points.row.id)], False)]


def corrected(count: int) -> dict[str, Any]:
    return deal(3, show, loses(count), {"how": "not_in_deal"}, kind="deal_corrected", reason="misread")


def test_a_correction_at_a_closed_table_of_a_closed_evening_asks_for_its_prizes_again(
    sent: Any, django_capture_on_commit_callbacks: Captured
):
    evening = Evening().played()
    with django_capture_on_commit_callbacks(execute=True):
        evening.table.record(corrected(21))
    assert SETTLE_EVENING not in [task for task, _, _ in messages(sent)], "the evening is not closed yet"
    assert READ_NIGHTS not in [task for task, _, _ in messages(sent)]
    close_tournament(evening.tournament.id, context=context())
    sent.reset_mock()
    with django_capture_on_commit_callbacks(execute=True):
        evening.table.record(corrected(22))
    assert (SETTLE_EVENING, [str(evening.tournament.id)], False) in messages(sent)
