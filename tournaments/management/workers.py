"""Processes that do parts of a long work. Knows no model: a process that has just begun reads this before it is set up.

Each begins anew (spawn) with a connection of its own, leaves Ctrl-C to the one that began it, and ends when that one
is gone, however it ended.
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
    """As many processes, at work on the database of this one."""
    from django.db import connection  # noqa: PLC0415 - see above

    name = str(connection.settings_dict["NAME"])
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(count, mp_context=context, initializer=_begin, initargs=(name,))


def without_telling(work: Callable[[Given, Callable[[int], object]], Result], part: Given) -> Result:
    """Do a part whose progress nobody hears."""
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
