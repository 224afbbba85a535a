"""Programs forked from the process that has loaded their code, under a supervisor: processes like any other."""

import subprocess
import sys
from pathlib import Path

import pytest

from rummy_site.operations import supervisor
from rummy_site.operations.supervisor import Program, Supervisor
from tests.builders.patience import PATIENCE
from tests.builders.processes import is_alive, is_gone
from tests.builders.supervisor import program, run_until

ROOT = Path(__file__).resolve().parents[3]
# What is forked: it tells how it was started.
TELLING = """
import os, sys, time
how = "forked" if "BEGUN" in os.environ else "new"
files = sorted(map(int, os.listdir("/proc/self/fd")))
given = [os.environ.get(name) for name in ("AT", "NOTIFY_SOCKET")]
print(how, sys.argv[1:], given, os.getsid(0) == os.getpid(), files, flush=True)
time.sleep(float(os.environ.get("REST", 0)))
raise SystemExit(7)
"""
# What forks it and becomes its supervisor: in a process of its own, because pytest has threads.
START = """
import os, signal, sys
from rummy_site.operations.preloading import fork
from rummy_site.operations.supervisor import Program, Supervisor
os.environ["NOTIFY_SOCKET"] = "/of/the/supervisor"
command = [sys.executable, "-u", "-m", "telling", "word"]
waiting = fork([command[0], "-m", *command[3:]], lambda: os.environ.update(BEGUN="yes"))
other = fork([command[0], "-m", *command[3:]], lambda: None)
program = Program(name="web", command=command, environment={"AT": "10.0.0.7"}, waiting=waiting)
follower = Program(name="worker", command=command, waiting=other, follows=True)
said = []
site = Supervisor([program, follower], say=said.append)
"""
RUN = """
site.run(each_tick=lambda: said.count("web    | ended with status 7; starting again in 2 s") and site.stop())
print(*said, sep="\\n")
"""


def started(code: str, folder: Path) -> list[str]:
    """The lines that this process prints."""
    (folder / "telling.py").write_text(TELLING)
    environment = {"PYTHONPATH": f"{ROOT}:{folder}", "PATH": ""}
    called = [sys.executable, "-c", START + code]
    done = subprocess.run(called, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_a_forked_program_has_its_own_environment_session_and_files_and_a_new_process_follows_its_crash(tmp_path: Path):
    """Planted faults: the command's environment, its open files, its session, which Ctrl-C ends as a whole."""
    lines = [line for line in started(RUN, tmp_path) if line.startswith("web")]
    assert lines == [
        "web    | forked ['word'] ['10.0.0.7', None] True [0, 1, 2, 3]",
        "web    | ended with status 7; starting again in 1 s",
        "web    | new ['word'] ['10.0.0.7', None] True [0, 1, 2, 3]",
        "web    | ended with status 7; starting again in 2 s",
    ]


def test_one_that_was_killed_while_it_waited_is_started_as_a_new_process(tmp_path: Path):
    """Planted fault it catches: the broken pipe taken for the supervisor's own end."""
    killed = "os.kill(waiting.pid, signal.SIGKILL); os.waitid(os.P_PID, waiting.pid, os.WEXITED | os.WNOWAIT)"
    lines = started(f"{killed}\n{RUN}", tmp_path)
    web = [line for line in lines if line.startswith("web")]
    assert web[:2] == [
        "web    | ended with status -9; starting again in 1 s",
        "web    | new ['word'] ['10.0.0.7', None] True [0, 1, 2, 3]",
    ]


def test_one_that_was_never_needed_ends_with_the_supervisor(tmp_path: Path):
    """Planted fault it catches: only started programs are ended."""
    _, line = started("site.stop(); site.run(); print(); print(waiting.pid, other.pid)", tmp_path)
    assert not any(is_alive(int(number)) for number in line.split())


def test_neither_one_that_runs_nor_one_that_waits_outlives_a_supervisor_that_is_killed(tmp_path: Path):
    """Planted fault it catches: without the kernel's death signal, the one that runs keeps the port."""
    (tmp_path / "telling.py").write_text(TELLING)
    code = f"""{START}
program.environment["REST"] = "600"
print(waiting.pid, other.pid, flush=True)
site.run(each_tick=lambda: said and os.kill(os.getpid(), signal.SIGKILL))
"""
    environment = {"PYTHONPATH": f"{ROOT}:{tmp_path}"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True, check=False, timeout=PATIENCE
    )
    assert all(is_gone(int(number)) for number in done.stdout.split())


def test_a_program_that_follows_starts_when_the_others_are_there():
    said: list[str] = []
    web = program("web", "print('up'); import time; time.sleep(600)")
    worker = Program(
        name="worker", command=program("", "print('up'); import time; time.sleep(600)").command, follows=True
    )
    running = Supervisor([web, worker], say=said.append, patience=0.5)

    def is_there() -> bool:
        if "web    | up" in said:
            running.start_followers()
        return "worker | up" in said

    run_until(running, is_there)
    assert said[:2] == ["web    | up", "worker | up"]


def test_a_program_that_follows_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch):
    """Planted fault it catches: a worker that settles nothing while the web process cannot start."""
    monkeypatch.setattr(supervisor, "FOLLOW_SECONDS", 0.1)
    said: list[str] = []
    worker = Program(
        name="worker", command=program("", "print('up'); import time; time.sleep(600)").command, follows=True
    )
    run_until(Supervisor([worker], say=said.append, patience=0.5), lambda: "worker | up" in said)
    assert said[0] == "worker | up"
