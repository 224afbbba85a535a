"""An evening is settled once: by two workers at the same moment, and after one that was killed half-way."""

import os
import random
import signal
import time
from collections import Counter

import pytest
from django.db import connections

from scoring.ledger import ledger_problems
from scoring.models import JournalEntry, Posting
from tests.builders.playing import NOW, context
from tests.builders.prize_evening import Evening
from tests.builders.racing import at_once
from tests.builders.samples import few_or_many
from tournaments.integrity.audit import compare_books
from tournaments.running.commands.close import close_tournament, reopen_tournament
from tournaments.running.commands.settle import settle_tournament
from tournaments.tasks import settle_tournament as worker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


class Night:
    """An evening with paid entries, played and closed; each turn changes what it owes, and to whom."""

    def __init__(self) -> None:
        self.state = Evening().paid(2).closed()
        self.home = self.state.tournament.id
        self.turns = 0

    def turn(self) -> None:
        """Reopened or closed again, or Bo and Cy exchanged in two deals: the prizes are owed again."""
        self.turns += 1
        if self.turns % 3 == 1:
            reopen_tournament(self.home, reason="too early", context=context())
        elif self.turns % 3 == 2:
            close_tournament(self.home, context=context())
        else:
            self.state.exchange(is_back=bool(self.turns % 2))

    def settle(self) -> None:
        assert settle_tournament(self.home, now=NOW).problem is None

    def journal(self) -> Counter[tuple[str, str, str, int]]:
        """Every posting by what it is for, without the versions."""
        owners = dict(zip(self.state.players, ("Asha", "Bo", "Cy"), strict=True))
        rows = Posting.objects.filter(entry__club=self.state.club.id).values_list(
            "entry__slot", "account__kind", "account__owner", "amount_minor"
        )
        return Counter((slot, kind, owners.get(owner, ""), amount) for slot, kind, owner, amount in rows)


@pytest.mark.parametrize("times", few_or_many(12, 200))
def test_two_workers_on_one_evening_post_one_set_of_entries(times: int):
    """Planted fault it catches: the evening's row read without a lock, and the version of its causes not compared."""
    night = Night()
    for _ in range(times):
        before = JournalEntry.objects.count()
        done = at_once([lambda: settle_tournament(night.home, now=NOW)] * 2)
        posted = sorted(each.posted + each.reversed for each in done)
        assert posted[0] == 0
        assert JournalEntry.objects.count() == before + posted[1]
        night.turn()
    night.settle()
    assert compare_books().faults == ()
    assert ledger_problems() == []


def killed(home: object, after: float) -> bool:
    """A worker of its own takes the task, and is killed after so many seconds. Returns whether it was still working."""
    connections.close_all()
    child = os.fork()
    if child == 0:
        try:
            worker(str(home))
        finally:
            os._exit(0)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


@pytest.mark.slow
@pytest.mark.parametrize("kills", few_or_many(10, 200))
def test_a_worker_killed_in_the_middle_of_an_evening_leaves_the_entries_of_an_undisturbed_one(kills: int):
    """Planted fault it catches: entries and prizes settled in two transactions, the row noted in a third."""
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    night, undisturbed = Night(), Night()
    undisturbed.settle()
    hits, longest = 0, 0.05
    while hits < kills:
        began = time.monotonic()
        was_killed = killed(night.home, chance.uniform(0, longest))
        hits += was_killed
        # Where the worker was done before the kill, the next kill comes sooner.
        longest = min(1.0, longest * 1.1) if was_killed else max(0.005, longest * 0.8)
        assert time.monotonic() - began < 30
        night.settle()
        assert night.journal() == undisturbed.journal(), f"seed {seed}"
        night.turn()
        undisturbed.turn()
        undisturbed.settle()
    night.settle()
    assert night.journal() == undisturbed.journal(), f"seed {seed}"
    assert compare_books().faults == (), f"seed {seed}"
    assert ledger_problems() == [], f"seed {seed}"
