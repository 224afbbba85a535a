"""The supervisor with tiny programs: output is passed on, a program that ends is restarted, all stop at the end."""

import signal
import subprocess
import sys
import time

import pytest

from rummy_site.operations.supervisor import Supervisor
from tests.builders.patience import PATIENCE
from tests.builders.processes import is_alive, is_gone
from tests.builders.supervisor import program, run_until


def test_each_line_carries_the_name_of_the_program_that_said_it():
    said: list[str] = []
    programs = [program("web", "print('hello'); input()"), program("worker", "print('ready', end='')")]
    supervisor = Supervisor(programs, say=said.append)
    run_until(supervisor, lambda: {"web    | hello", "worker | ready"} <= set(said))
    assert {"web    | hello", "worker | ready"} <= set(said)


@pytest.mark.slow
def test_one_that_keeps_falling_is_given_longer_and_longer():
    said: list[str] = []
    supervisor = Supervisor([program("web", "raise SystemExit(1)")], say=said.append)
    run_until(supervisor, lambda: sum("ended" in line for line in said) >= 2)
    delays = [line.rpartition(" in ")[2] for line in said if "ended" in line]
    assert delays[:2] == ["1 s", "2 s"]


def test_the_end_reaches_a_program_that_does_not_want_to_hear_it():
    said: list[str] = []
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('stubborn'); time.sleep(600)"
    supervisor = Supervisor([program("web", stubborn)], say=said.append, patience=0.5)
    started = time.monotonic()
    run_until(supervisor, lambda: "web    | stubborn" in said)
    assert time.monotonic() - started < PATIENCE
    assert not any(child.is_running for child in supervisor.children)


def test_the_end_reaches_what_a_program_has_started_itself():
    said: list[str] = []
    code = "import subprocess; print(subprocess.Popen(['sleep', '600']).pid); input()"
    supervisor = Supervisor([program("web", f"{code}; import time; time.sleep(600)")], say=said.append, patience=0.5)
    run_until(supervisor, lambda: len(said) >= 1)
    assert is_gone(int(said[0].split()[-1]))


def test_a_supervisor_that_is_killed_outright_leaves_nobody_behind():
    """The planted fault is the kill itself: without the kernel's death signal the children would live on."""
    code = (
        "import sys; from rummy_site.operations.supervisor import Program, Supervisor\n"
        "nap = [sys.executable, '-u', '-c', 'import os, time; print(os.getpid()); time.sleep(600)']\n"
        "Supervisor([Program(name='web', command=nap)], say=lambda line: print(line, flush=True)).run()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        number = int(process.stdout.readline().split()[-1])
        assert is_alive(number)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert is_gone(number)


def test_a_program_that_is_renewed_comes_back_with_its_settings():
    said: list[str] = []
    supervisor = Supervisor(
        [program("web", "import os, time; print(os.environ.get('AT')); time.sleep(600)")], say=said.append
    )

    def is_back() -> bool:
        if "web    | None" in said and "AT" not in supervisor.children[0].program.environment:
            supervisor.renew("web", {"AT": "10.0.0.7"})
        return "web    | 10.0.0.7" in said

    run_until(supervisor, is_back)
    assert "web    | 10.0.0.7" in said
