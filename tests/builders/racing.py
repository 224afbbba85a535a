"""Jobs done at the same moment in threads of their own, with the outcome of each."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection

from scoring.problems import KeyReused, RuleError, StaleTable
from tests.builders.patience import PATIENCE

REFUSALS = (RuleError, StaleTable, KeyReused)


def at_once(jobs: Sequence[Callable[[], object]]) -> list[Any]:
    """Run jobs in threads that start together; the result of each, or its refusal."""
    barrier = threading.Barrier(len(jobs))

    def run(job: Callable[[], object]) -> object:
        try:
            connection.ensure_connection()
            barrier.wait(PATIENCE)
            return job()
        except REFUSALS as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def beside(job: Callable[[], object]) -> bool:
    """Another user's action; whether it is done while this thread goes on. In vain it waits some 20 s for a lock."""
    done: list[bool] = []

    def act() -> None:
        try:
            job()
            done.append(True)
        finally:
            connection.close()

    thread = threading.Thread(target=act)
    thread.start()
    thread.join(PATIENCE)
    return bool(done)
