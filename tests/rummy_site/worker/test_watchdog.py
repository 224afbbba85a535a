"""A program that hangs is ended and started again; one that reports that it is well is left alone."""

import os
import signal
import sys
from pathlib import Path

import pytest

from rummy_site.operations import supervisor
from rummy_site.operations.supervisor import Program, Supervisor
from rummy_site.worker.watchdog import ALIVE, READY, Watchdog, notify
from tests.builders.supervisor import run_until

SAYS = """
import faulthandler, os, signal, sys, time
from rummy_site.worker.watchdog import ALIVE, notify
faulthandler.enable(file=2)
print("up", flush=True)
for _ in range(int(sys.argv[1])):
    notify(ALIVE)
    time.sleep(0.1)
def deep_in_thought():
    {how}
deep_in_thought()
"""


def program(words: int, how: str = "time.sleep(600)", *, seconds: float = 2.0) -> Program:
    command = [sys.executable, "-u", "-c", SAYS.format(how=how), str(words)]
    return Program(name="worker", command=command, watchdog_seconds=seconds)


@pytest.mark.parametrize("how", ["time.sleep(600)", "os.kill(os.getpid(), signal.SIGSTOP)"])
def test_a_program_that_falls_silent_is_ended_and_comes_back(how: str):
    """Planted faults it catches: a living process taken for a working one; a stopped one that no signal but SIGKILL
    reaches.
    """
    said: list[str] = []
    run_until(Supervisor([program(5, how)], say=said.append, patience=0.5), lambda: said.count("worker | up") >= 2)
    assert "worker | said nothing for 2 s; ending it" in said
    assert said.count("worker | up") >= 2
    # A hanging program prints its stack, unless it cannot print any more.
    assert any("deep_in_thought" in line for line in said) is ("sleep" in how)


def test_a_program_that_says_that_it_is_well_is_left_alone():
    """Planted fault it catches: the time since the start taken for silence."""
    said: list[str] = []
    run_until(Supervisor([program(60)], say=said.append, patience=0.5), lambda: any("ending it" in s for s in said))
    assert said.count("worker | up") == 1


def test_a_supervisor_that_was_held_itself_blames_nobody(monkeypatch: pytest.MonkeyPatch):
    """Planted fault it catches: a whole process group that was stopped and continued, answered with a restart."""
    said: list[str] = []
    watched = Supervisor([program(10_000, seconds=30.0)], say=said.append, patience=0.5)
    clock = [1_000.0]
    monkeypatch.setattr("rummy_site.operations.supervisor.time.monotonic", lambda: clock[0])
    child = watched.children[0]
    child.start(now=clock[0])
    try:
        watched._looked_at = clock[0]
        clock[0] += 300
        watched._end_hanging()
        assert said == []
        clock[0] += supervisor.HELD_SECONDS - 1
        watched._end_hanging()
        assert said == []
    finally:
        child.signal(signal.SIGKILL)
        child.bury(now=clock[0])


@pytest.mark.slow
def test_who_watches_the_supervisor_hears_of_it_alone(monkeypatch: pytest.MonkeyPatch):
    """Under systemd both report. Planted fault it catches: systemd taking the worker's notice for the supervisor's."""
    systemd = Watchdog(seconds=100)
    monkeypatch.setenv("NOTIFY_SOCKET", systemd.environment["NOTIFY_SOCKET"])
    said: list[str] = []
    quiet = Program(
        name="web", command=[sys.executable, "-c", "import os; print(os.environ.get('NOTIFY_SOCKET')); input()"]
    )
    watched = Supervisor([program(10_000, seconds=60), quiet], say=said.append, patience=0.5)
    run_until(watched, lambda: {"worker | up", "web    | None"} <= set(said))
    assert {"worker | up", "web    | None"} <= set(said)
    heard = []
    while True:
        try:
            heard.append(systemd._socket.recv(100).decode())
        except BlockingIOError:
            break
    assert heard[0] == READY
    assert set(heard[1:]) == {ALIVE}
    folder = Path(systemd.environment["NOTIFY_SOCKET"]).parent
    systemd.close()
    assert not folder.exists()


def test_a_word_to_nobody_costs_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    for address in ("", str(tmp_path / "nobody"), "@nobody-is-here"):
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        notify(ALIVE)


def test_nobody_else_can_say_that_a_program_is_well():
    watchdog = Watchdog(seconds=1)
    folder = Path(watchdog.environment["NOTIFY_SOCKET"]).parent
    assert os.stat(folder).st_mode & 0o077 == 0
    watchdog.close()
