"""Programs for the supervisor, and a run of it that ends."""

import sys
import time
from collections.abc import Callable

from rummy_site.operations.supervisor import Program, Supervisor
from tests.builders.patience import PATIENCE


def program(name: str, code: str) -> Program:
    return Program(name=name, command=[sys.executable, "-u", "-c", code])


def run_until(supervisor: Supervisor, is_enough: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE

    def each_tick() -> None:
        if is_enough() or time.monotonic() > deadline:
            supervisor.stop()

    supervisor.run(each_tick=each_tick)
