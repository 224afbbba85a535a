"""Runs the site's processes side by side: restarts one that crashes or hangs; Ctrl-C stops all of them.

One thread and no framework: it reads what the processes print, puts their name in front and prints it. A process that
has to report that it is well (rummy_site/worker/watchdog.py) must do so again and again. Knows nothing of Django, of
what the processes do, or of why one of them died.
"""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType
from typing import IO

from rummy_site.operations.preloading import Forked, Waiting, die_with_parent
from rummy_site.worker.watchdog import ALIVE, READY, Watchdog, notify

Say = Callable[[str], None]

TICK_SECONDS = 0.2
FIRST_DELAY_SECONDS = 1.0
LONGEST_DELAY_SECONDS = 30.0
# A program that follows does not wait longer for the others: they may be what does not come.
FOLLOW_SECONDS = 10.0
# A process that ran this long was well; it is restarted at once after its next crash.
WELL_AFTER_SECONDS = 60.0
# A hanging program is asked for its stacks by SIGABRT, as systemd does, and may take so long to write them.
ABORT_SECONDS = 2.0
# We were stopped ourselves (Ctrl-Z, a paused machine) if a tick took so long; the programs are not to blame then.
HELD_SECONDS = 10.0
CHUNK_BYTES = 65_536
LONGEST_LINE_BYTES = 1_048_576


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One process to keep running: its name in the log, and its command."""

    name: str
    command: Sequence[str]
    environment: dict[str, str] = field(default_factory=dict)
    # Seconds of silence after which it counts as hanging; 0 for a program that reports nothing.
    watchdog_seconds: float = 0
    # A process that has loaded most of it and waits to run it for the first time.
    waiting: Waiting | None = None
    # Whether it starts after the others: once they are there, or as late as FOLLOW_SECONDS after them.
    follows: bool = False
    # Open files of ours, by their numbers, that it has as well: the socket on which the site listens.
    files: Sequence[int] = ()


class Child:
    """One program as it runs, crashes and is restarted."""

    def __init__(self, program: Program, *, say: Say) -> None:
        self.program = program
        self.delay = FIRST_DELAY_SECONDS
        self.due_at = time.monotonic() + FOLLOW_SECONDS if program.follows else 0.0
        self.process: subprocess.Popen[bytes] | Forked | None = None
        self.watchdog = Watchdog(seconds=program.watchdog_seconds) if program.watchdog_seconds else None
        self._say = say
        self._started_at = 0.0
        self._aborted_at: float | None = None
        self._unfinished = b""
        self._waiting = program.waiting
        self._follows = program.follows

    def follow(self) -> None:
        """Be due now, unless it has been started already."""
        if self._follows:
            self.due_at = 0.0

    def start(self, *, now: float) -> None:
        """Start the program in a session of its own, so that Ctrl-C reaches us alone and we stop it in order."""
        self.process = self._waiting.start(self._environment()) if self._waiting else self._started()
        self._waiting, self._follows = None, False
        os.set_blocking(self.output.fileno(), False)
        self._started_at = now
        self._aborted_at = None
        self.forgive(now=now)

    def _started(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 (the commands are ours)
            self.program.command,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=self.program.files,
            preexec_fn=die_with_parent,  # noqa: PLW1509 (this process has one thread)
        )

    def _environment(self) -> dict[str, str]:
        """Our environment and the program's own, without systemd's socket: its reports would count as ours."""
        ours = {name: value for name, value in os.environ.items() if name not in {"NOTIFY_SOCKET", "WATCHDOG_USEC"}}
        return {**ours, **self.program.environment, **(self.watchdog.environment if self.watchdog else {})}

    def forgive(self, *, now: float) -> None:
        """Measure the program's silence from now on."""
        if self.watchdog:
            self.watchdog.begin(now=now)

    def end_if_hanging(self, *, now: float) -> None:
        """Ask a silent program for its stacks, and kill it a moment later: it may not react to any other signal."""
        if self.process is None or self.watchdog is None:
            return
        if self._aborted_at is not None:
            if now - self._aborted_at > ABORT_SECONDS:
                self.signal(signal.SIGKILL)
        elif self.watchdog.is_overdue(now=now):
            self._say(f"{self.program.name:<6} | said nothing for {self.watchdog.seconds:.0f} s; ending it")
            self._aborted_at = now
            self.signal(signal.SIGABRT)

    @property
    def output(self) -> IO[bytes]:
        """The output of the running program."""
        if self.process is None or self.process.stdout is None:
            raise RuntimeError(f"{self.program.name} was never started")
        return self.process.stdout

    @property
    def is_running(self) -> bool:
        """Whether the program was started and has not ended."""
        return self.process is not None and self.process.poll() is None

    def relay(self) -> bool:
        """Print the program's new output; false once there will never be more."""
        try:
            chunk = os.read(self.output.fileno(), CHUNK_BYTES)
        except BlockingIOError:
            return True
        *lines, self._unfinished = (self._unfinished + chunk).split(b"\n")
        if self._unfinished and (not chunk or len(self._unfinished) > LONGEST_LINE_BYTES):
            lines.append(self._unfinished)
            self._unfinished = b""
        for line in lines:
            text = line.decode(errors="replace")
            # Whoever collects lines of JSON reads nothing else; each has its logger.
            self._say(text if text.startswith("{") else f"{self.program.name:<6} | {text}")
        return bool(chunk)

    def bury(self, *, now: float) -> None:
        """Note the crash and when to restart: sooner for a program that had been running well."""
        if self.process is None:
            return
        status = self.process.wait()
        self.output.close()
        self.process = None
        if now - self._started_at > WELL_AFTER_SECONDS:
            self.delay = FIRST_DELAY_SECONDS
        self.due_at = now + self.delay
        self._say(f"{self.program.name:<6} | ended with status {status}; starting again in {self.delay:.0f} s")
        self.delay = min(self.delay * 2, LONGEST_DELAY_SECONDS)

    def end_waiting(self) -> None:
        """End the process of a program that was never started."""
        if self._waiting:
            self._waiting.end()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program and everything it started."""
        if self.process is None:
            return
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            return


class Supervisor:
    """Keeps programs running until it is asked to stop."""

    def __init__(self, programs: Sequence[Program], *, say: Say, patience: float = 10.0) -> None:
        self.children = [Child(program, say=say) for program in programs]
        self.patience = patience
        self.is_stopping = False
        self._say = say
        self._selector = selectors.DefaultSelector()
        self._looked_at = time.monotonic()

    def run(self, *, each_tick: Callable[[], None] = lambda: None) -> None:
        """Start everything and keep it running; returns when all have ended after `stop`."""
        previous = {number: signal.signal(number, self._on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
        notify(READY)
        try:
            while not self.is_stopping:
                self._start_due()
                self._listen()
                self._end_hanging()
                self._bury_fallen()
                each_tick()
        finally:
            self._stop_all()
            for number, handler in previous.items():
                signal.signal(number, handler)

    def stop(self) -> None:
        """Ask for the end; `run` does it."""
        self.is_stopping = True

    def start_followers(self) -> None:
        """Start the programs that wait for the others: those are there now."""
        for child in self.children:
            child.follow()

    def renew(self, name: str, environment: Mapping[str, str]) -> None:
        """End a program; it is restarted with these settings."""
        for child in self.children:
            if child.program.name == name:
                child.program.environment.update(environment)
                child.signal(signal.SIGTERM)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.stop()

    def _start_due(self) -> None:
        now = time.monotonic()
        for child in self.children:
            if child.process is None and now >= child.due_at:
                child.start(now=now)
                self._selector.register(child.output, selectors.EVENT_READ, child)

    def _listen(self) -> None:
        for key, _ in self._selector.select(TICK_SECONDS):
            if not key.data.relay():
                self._selector.unregister(key.fileobj)

    def _end_hanging(self) -> None:
        """Report that we are well ourselves, and end each program that has been silent for too long."""
        now = time.monotonic()
        notify(ALIVE)
        was_held, self._looked_at = now - self._looked_at > HELD_SECONDS, now
        for child in self.children:
            if was_held:
                child.forgive(now=now)
            child.end_if_hanging(now=now)

    def _bury_fallen(self) -> None:
        for child in self.children:
            if child.process is None or child.is_running:
                continue
            # Processes that a crashed program had started must not outlive it: they may still hold the port.
            child.signal(signal.SIGKILL)
            self._forget_output(child)
            child.bury(now=time.monotonic())

    def _forget_output(self, child: Child) -> None:
        if child.output in self._selector.get_map():
            child.relay()
            self._selector.unregister(child.output)

    def _stop_all(self) -> None:
        self._say("stopping")
        # Unless systemd holds the socket too, it is gone when the web process has let go of it: who connects then is
        # refused, and a proxy asks another one. Left open, what waits in it would be reset at the end.
        for number in {number for child in self.children for number in child.program.files}:
            os.close(number)
        for child in self.children:
            child.end_waiting()
            child.signal(signal.SIGTERM)
        deadline = time.monotonic() + self.patience
        while time.monotonic() < deadline and any(child.is_running for child in self.children):
            self._listen()
        for child in self.children:
            child.signal(signal.SIGKILL)
            if child.process is not None:
                child.process.wait()
                child.output.close()
            if child.watchdog:
                child.watchdog.close()
        self._selector.close()
        self._say("stopped")
