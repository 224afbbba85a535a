"""A box is one snapshot of a club that plays on, and of a club that comes in twice at once one comes in.

Planted faults: parts that are read in snapshots of their own; a club that is looked for outside the transaction alone.
"""

import os
import random
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction

from tests.builders.boxes import another_installation, packed
from tests.builders.playing import NOW, finished_pool, first_drop, loses, new_table, new_tournament, show
from tests.builders.racing import at_once, beside
from tournaments import log
from tournaments.books.commands import settle_table
from tournaments.boxes.arriving import Arrival, unbox
from tournaments.boxes.checking import BoxRefused
from tournaments.boxes.contents import CARRIED
from tournaments.boxes.packing import pack
from tournaments.models import Club

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
LATER = NOW + timedelta(days=1)


def test_a_box_that_is_written_while_deals_are_recorded_and_settled_is_whole(tmp_path: Path):
    """After each kind of row that was read, another deal is recorded and paid for."""
    table = new_table(new_tournament(preset="points", point_value_minor=200))
    club, box = table.row.tournament.club, tmp_path / "club.rummybox"
    table.deal(1, show, loses(30), first_drop, loses(2))
    before, written = log.last_position(club.pk), list[bool]()

    def record_and_settle() -> None:
        table.deal(table.seen, show, loses(30), first_drop, loses(2))
        settle_table(table.row.pk, now=NOW)

    with box.open("w+b") as file:
        manifest = pack(
            club.pk, file, now=LATER, report=lambda rows: written.append(beside(record_and_settle))
        ).manifest
    assert written == [True] * len(CARRIED), "nobody waits"
    assert (manifest.position, log.last_position(club.pk)) == (before, before + len(CARRIED))
    with transaction.atomic():
        another_installation()
    assert unbox(box, now=LATER).manifest.position == log.last_position(club.pk) == before


def boxed(path: Path) -> Path:
    """The box of a club with a settled table, which is not here any more."""
    table = finished_pool()
    table.close()
    settle_table(table.row.pk, now=NOW)
    packed(table.row.tournament.club, path, now=LATER)
    with transaction.atomic():
        another_installation()
    return path


def test_of_two_who_bring_in_a_box_at_once_one_is_refused(tmp_path: Path):
    box = boxed(tmp_path / "club.rummybox")
    outcomes = at_once([lambda: unbox(box, now=LATER)] * 2)
    assert {type(outcome) for outcome in outcomes} == {Arrival, BoxRefused}
    assert Club.objects.count() == 1
    verdict = log.verify_club(Club.objects.get().pk.hex, is_full=True, examine=list)
    assert verdict.faults == ()


def rows_stored() -> dict[str, int]:
    return {model._meta.label: model._base_manager.count() for model in apps.get_models()}


def before_each(act: Callable[[int], object]) -> Any:
    """Call `act` with its number before each statement of this connection."""
    numbers = count(1)

    def execute(go_on: Any, *statement: Any) -> Any:
        act(next(numbers))
        return go_on(*statement)

    return connection.execute_wrapper(execute)


def killed_at(number: int, box: Path) -> int:
    """Bring a box in by a process that is killed before this statement; the signal that ended it."""

    def die(current: int) -> None:
        if current == number:
            os.kill(os.getpid(), SIGKILL)

    connection.close()
    process = os.fork()
    if not process:
        try:
            with before_each(die):
                unbox(box, now=LATER)
        finally:
            os._exit(1)
    return os.WTERMSIG(os.waitpid(process, 0)[1])


@pytest.mark.slow
def test_of_a_box_whose_process_is_killed_anywhere_nothing_is_stored(tmp_path: Path):
    """Planted fault: a part that is stored in a transaction of its own."""
    box, statements = boxed(tmp_path / "club.rummybox"), list[int]()
    with before_each(statements.append):
        unbox(box, now=LATER, is_trial=True)
    empty = rows_stored()
    for number in [*random.Random(1).sample(statements, 8), statements[-1]]:
        assert killed_at(number, box) == SIGKILL
        assert rows_stored() == empty, f"killed before statement {number} of {len(statements)}"
    assert unbox(box, now=LATER).manifest.position
