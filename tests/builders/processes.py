"""What the kernel knows of a process; a zombie counts as dead."""

import os
import time
from pathlib import Path

from tests.builders.patience import PATIENCE


def is_alive(number: int) -> bool:
    try:
        os.kill(number, 0)
        return _fields(number)[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def is_gone(number: int) -> bool:
    """Whether it ends within our timeout."""
    deadline = time.monotonic() + PATIENCE
    while is_alive(number) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not is_alive(number)


def parent(number: int) -> int:
    return int(_fields(number)[1])


def called(number: int) -> str:
    """The words by which it can be found in a list of processes: its name and its command."""
    return " ".join(Path(f"/proc/{number}/{name}").read_text() for name in ("comm", "cmdline"))


def state(number: int) -> str:
    """The kernel's letter for its state: S where it waits, T where it was stopped."""
    return _fields(number)[0]


def family(number: int) -> list[int]:
    """A process and all its descendants."""
    found = [number]
    for member in found:
        for listing in Path(f"/proc/{member}/task").glob("*/children"):
            found += [int(word) for word in listing.read_text().split()]
    return found


def memory_kb(number: int) -> int:
    """Its share of the memory, pages it shares with others divided among them."""
    lines = Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def _fields(number: int) -> list[str]:
    return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
