"""Waiting, without a guess at how long it takes: until something is so, until each phone has sent another deal."""

import time
from collections.abc import Callable

from tests.builders.patience import PATIENCE
from tests.builders.served_site import Phone


def wait_until(is_so: Callable[[], bool]) -> None:
    """Look again and again; only a hang fails."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def wait_for_more(phones: list[Phone]) -> None:
    """Wait until another write was acknowledged: a kill while no one is writing proves nothing."""
    before = sum(len(phone.acknowledged) for phone in phones)
    phones[0].site.until(
        lambda: sum(len(phone.acknowledged) for phone in phones) > before or any(phone.failure for phone in phones)
    )
