"""Worker processes for long jobs. Imports no model: a process that has just started reads this before Django is set up.

Each starts fresh (spawn) with its own connection, leaves Ctrl-C to its parent process, and ends when the parent ends,
however that happens.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import TypeVar

Result = TypeVar("Result")
Given = TypeVar("Given")


def workers(count: int) -> ProcessPoolExecutor:
    """Return a pool of `count` processes that use the same database as this one."""
    from django.db import connection  # noqa: PLC0415 - see above

    name = str(connection.settings_dict["NAME"])
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(count, mp_context=context, initializer=_begin, initargs=(name,))


def without_progress(work: Callable[[Given, Callable[[int], object]], Result], part: Given) -> Result:
    """Run a part without reporting progress."""
    return work(part, lambda done: None)


def _begin(database: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    import django  # noqa: PLC0415 - see above

    django.setup()
    from django.db import connection  # noqa: PLC0415 - see above

    connection.settings_dict["NAME"] = database


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
