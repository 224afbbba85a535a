"""How checks and rebuilds are run: number of processes, resuming after a stop, and progress output."""

import fcntl
import os
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import Any, Self

import msgspec
from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection

from tournaments.log.parts import D, InTurn, P, Report, Work
from tournaments.management.terminal import ProgressLine
from tournaments.management.workers import without_progress, workers

RUN_OPTIONS = ("processes", "resume", "progress")
HOW_TO_GO_ON = "; the same command goes on from there"
# The exit status that a shell reports for a command ended by Ctrl-C.
STOPPED = 130
MOST_PROCESSES = 64


def add_run_arguments(parser: ArgumentParser) -> None:
    """Add the options that every check and rebuild takes."""
    parser.add_argument(
        "--processes", type=_processes, default=1, metavar="N", help="work in N processes; 0 for one on each core"
    )
    parser.add_argument(
        "--resume", action="store_true", help="note how far it has come, and go on from there if it was stopped"
    )
    parser.add_argument("--progress", action="store_true", help="show progress where no terminal is, too")


def _processes(text: str) -> int:
    if not text.isdecimal() or int(text) > MOST_PROCESSES:
        raise ArgumentTypeError(f"{text!r} is no number from 0 to {MOST_PROCESSES}")
    return int(text) or os.cpu_count() or 1


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A finished part: its stage, the part itself, and its result, as JSON."""

    stage: str
    part: msgspec.Raw
    result: msgspec.Raw


class Noted:
    """A file with a line for each finished part. The first line names the command, database and release.

    A file of another command, database or release is ignored, and so is a line that was cut off in the middle.
    """

    def __init__(self, command: str) -> None:
        path = settings.VAR_DIR / "resume" / f"{command.split(maxsplit=1)[0]}.jsonl"
        self.path, self.known = path, dict[tuple[str, bytes], bytes]()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise CommandError(f"another process does the same, and notes in {path} how far it has come") from None
        self._file.seek(0)
        release = settings.SPECTACULAR_SETTINGS["VERSION"]
        head = msgspec.json.encode([command, str(connection.settings_dict["NAME"]), release]) + b"\n"
        end = self._read(head)
        self._file.truncate(end)
        if not end:
            self._file.write(head)
            self._file.flush()

    def _read(self, head: bytes) -> int:
        """Return how many bytes of the file are valid."""
        if self._file.readline() != head:
            return 0
        end = len(head)
        for line in self._file:
            try:
                note = msgspec.json.decode(line, type=Line)
            except msgspec.DecodeError:
                break
            if not line.endswith(b"\n"):
                break
            self.known[note.stage, bytes(note.part)] = bytes(note.result)
            end += len(line)
        return end

    def note(self, stage: str, part: bytes, result: bytes) -> None:
        """Record that a part is finished."""
        self._file.write(msgspec.json.encode(Line(stage=stage, part=msgspec.Raw(part), result=msgspec.Raw(result))))
        self._file.write(b"\n")
        self._file.flush()

    def close(self, *, is_over: bool) -> None:
        """Close the file, and delete it if the command has finished: nothing is left to resume."""
        if is_over:
            self.path.unlink(missing_ok=True)
        self._file.close()


class Runs(InTurn):
    """Runs the parts of one command, stage by stage. Use it as a context manager: it ends its processes on exit."""

    def __init__(self, command: str, *, processes: int = 1, resume: bool = False, progress: bool = False) -> None:
        self.line = ProgressLine("", is_asked=progress)
        super().__init__(self.line)
        self._noted = Noted(command) if resume else None
        self.processes = processes
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
        if self._noted:
            self._noted.close(is_over=kind is None)
        if kind is KeyboardInterrupt:
            raise CommandError(f"stopped{HOW_TO_GO_ON if self._noted else ''}", returncode=STOPPED) from None
        if isinstance(error, BrokenProcessPool):
            raise CommandError(f"a process was ended from outside{HOW_TO_GO_ON if self._noted else ''}") from error

    def results(self, stage: str, work: Work[P, D], parts: Sequence[P], kind: type[D], report: Report) -> Iterator[D]:
        """Yield the result of each part in order: recorded results as read from the file, the others computed now."""
        self.line.begin(stage)
        named = [(stage, msgspec.json.encode(part)) for part in parts]
        noted_results = self._noted.known if self._noted else {}
        open_parts = [part for part, name in zip(parts, named, strict=True) if name not in noted_results]
        if len(open_parts) < len(parts):
            self.line.say(f"{stage}: {len(parts) - len(open_parts)} of {len(parts)} parts were done before")
        fresh = self._fresh(work, open_parts, report)
        for name in named:
            if name in noted_results:
                yield msgspec.json.decode(noted_results[name], type=kind)
                continue
            result = next(fresh)
            self.line.events += result.events
            if self._noted:
                self._noted.note(*name, msgspec.json.encode(result))
            yield result

    def _fresh(self, work: Work[P, D], parts: Sequence[P], report: Report) -> Iterator[D]:
        if self.processes == 1 or len(parts) < 2:
            return (work(part, report) for part in parts)
        if self._pool is None:
            self._pool = workers(self.processes)
        return self._pool.map(partial(without_progress, work), parts)


@contextmanager
def run_of(command: str, *, run: Runs | None = None, **options: Any) -> Iterator[Runs]:
    """Return the `Runs` of a command: `run` where it is one of several commands that run together."""
    if run is not None:
        yield run
        return
    with Runs(command, **{name: options[name] for name in RUN_OPTIONS}) as begun:
        yield begun
