"""Concurrent writes: the log stays one sequence, and every writer gets the right answer.

Promises 2 and 3. On SQLite the single writer hides most races; PostgreSQL shows them.
"""

import random
import time
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from scoring.problems import StaleTable
from tests.builders.log_writers import Writer, an_event, new_club, open_table
from tests.builders.racing import at_once
from tests.builders.samples import each
from tests.builders.there import there
from tournaments import log
from tournaments.models.log import ClubHead

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
THREADS = 8
small_and_long = pytest.mark.parametrize("rounds", [40, pytest.param(1_000, marks=pytest.mark.slow(long=True))])


def rounds_of(writer: Writer, name: str, rounds: int) -> Callable[[], list[object]]:
    """Writes the same versions as all others, one after the other, and keeps the answers."""

    def play() -> list[object]:
        answers: list[object] = []
        for version in range(1, rounds + 1):
            try:
                answers.append(writer.writes(version, an_event(f'{{"by":"{name}"}}'), key=f"{name} {version}"))
            except StaleTable as refusal:
                answers.append(refusal)
            while there(log.head_of(writer.club.id, writer.stream_id)).version <= version:
                time.sleep(0.002)
        return answers

    return play


@small_and_long
def test_of_eight_who_write_the_same_version_one_is_stored_and_seven_are_told(rounds):
    """Promise 3: 8 threads on one table, 5 times 40 rounds (long: 5,000).

    Planted fault it catches: `AND version = in_expected` left out of the append (SQLite: of the SELECT), or a
    refusal answered by trying again at the new version.
    """
    for _ in range(5):
        table = open_table(new_club())
        answers = at_once([rounds_of(table, f"phone {number}", rounds) for number in range(THREADS)])
        assert table.versions() == list(range(1, rounds + 2))
        for version, told in enumerate(zip(*answers, strict=True), start=1):
            stored = [answer for answer in told if isinstance(answer, log.Appended)]
            losers = [answer for answer in told if isinstance(answer, StaleTable)]
            assert len(stored) == 1
            assert stored[0].stored == log.read(table.club.id, table.stream_id, after=version)[0]
            assert len(losers) == THREADS - 1
            assert all(loser.current > loser.expected == version for loser in losers)


def test_the_same_event_sent_eight_times_at_once_is_stored_once():
    """Planted fault it catches: looking the key up only before the append, without the unique constraint."""
    table = open_table(new_club())
    answers = at_once([lambda: table.writes(1, key="one tap too many")] * THREADS)
    assert [answer.is_replay for answer in answers].count(False) == 1
    assert len({answer.stored.hash for answer in answers}) == 1
    assert table.versions() == [1, 2]


def test_the_same_table_opened_eight_times_at_once_is_opened_once():
    club = new_club()
    writers = [Writer(club) for _ in range(THREADS)]
    answers = at_once([partial(writer.opens, key="open table 1") for writer in writers])
    assert [answer.is_replay for answer in answers].count(False) == 1
    assert ClubHead.objects.get(club=club).position == 1


@small_and_long
def test_tables_of_one_club_written_at_once_leave_no_gap_and_never_lock_each_other_up(rounds):
    """Planted fault it catches: positions taken from a sequence, which gives some to transactions that fail."""
    club = new_club()

    def play() -> list[int]:
        table = Writer(club)
        return [table.opens().stored.position] + [
            table.writes(version).stored.position for version in range(1, rounds + 1)
        ]

    answers = at_once([play] * THREADS)
    assert all(positions == sorted(positions) for positions in answers)
    count = THREADS * (rounds + 1)
    assert sorted(position for positions in answers for position in positions) == list(range(1, count + 1))
    assert [event.position for event in log.read_club(club.id, limit=count)] == list(range(1, count + 1))


@pytest.mark.slow
def test_imports_that_write_several_tables_in_any_order_never_lock_each_other_up():
    """Planted fault it catches: the stream's row taken before the club's head."""
    club = new_club()
    tables = [open_table(club) for _ in range(2)]

    def import_deals(order: list[Writer]) -> None:
        stored = 0
        while stored < 10:
            try:
                with transaction.atomic():
                    for table in order:
                        table.writes(there(log.head_of(table.club.id, table.stream_id)).version)
                stored += 1
            except StaleTable:
                continue

    orders = [tables, tables[::-1]] * (THREADS // 2)
    assert at_once([partial(import_deals, order) for order in orders]) == [None] * THREADS
    assert [len(table.versions()) for table in tables] == [1 + 10 * THREADS] * 2


def test_imports_that_open_the_same_tables_in_any_order_open_each_once():
    """Planted fault it catches: a stream opened before the club's head is taken."""
    club = open_table(new_club()).club
    names = [uuid.uuid4() for _ in range(10)]

    def import_night(order: list[uuid.UUID]) -> list[bool]:
        with transaction.atomic():
            return [Writer(club, name).opens(key=f"open {name}").is_replay for name in order]

    orders = [names, names[::-1]] * (THREADS // 2)
    answers = at_once([partial(import_night, order) for order in orders])
    assert sorted(map(all, answers)) == [False] + [True] * (THREADS - 1)
    assert ClubHead.objects.get(club=club).position == 1 + len(names)


@pytest.mark.slow
def test_who_follows_a_club_while_it_plays_misses_nothing():
    """Planted fault it catches: positions assigned before the lock is held (an identity column)."""
    club = new_club()
    tables = [open_table(club) for _ in range(4)]
    total = 4 * 31
    seen: list[Any] = []

    def play(table: Writer) -> None:
        for version in range(1, 31):
            table.writes(version)

    def follow() -> None:
        while len(seen) < total:
            seen.extend(event.position for event in log.read_club(club.id, seen[-1] if seen else 0))

    at_once([follow, *(partial(play, table) for table in tables)])
    assert seen == list(range(1, total + 1))


@pytest.mark.parametrize("deals", each(60, 300))
def test_a_client_that_loses_answers_and_sends_again_in_any_order_is_stored_once(deals: int):
    """Promise 2: 300 deals, 30 % of the answers lost, resends late and out of order.

    Planted fault it catches: the idempotency key written outside the append's transaction, or compared with the
    expected version before it is looked up.
    """
    chance = random.Random(6222)
    table, unsure = open_table(new_club()), []
    for deal in range(1, deals + 1):
        answer = table.writes(deal, an_event(f'{{"deal":{deal}}}'), key=f"deal {deal}", digest=f"{deal:064x}")
        if chance.random() < 0.3:
            unsure.append(answer)
        while unsure and chance.random() < 0.5:
            lost = unsure.pop(chance.randrange(len(unsure)))
            again = _sent_again(table, lost)
            assert again.is_replay
            assert again.stored == lost.stored
    for lost in unsure:
        assert _sent_again(table, lost).stored == lost.stored
    told = [stored_event.body for stored_event in log.read(table.club.id, table.stream_id, after=1)]
    assert told == [f'{{"deal":{deal}}}' for deal in range(1, deals + 1)]


def _sent_again(table: Writer, lost: log.Appended) -> log.Appended:
    deal = lost.stored.version - 1
    return table.writes(deal, an_event(lost.stored.body), key=f"deal {deal}", digest=f"{deal:064x}")
