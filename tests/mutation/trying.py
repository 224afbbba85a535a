"""Trying one mutant: a fork of the collected test run, one function's code replaced, tests until one fails."""

import gc
import os
import select
import signal
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from coverage.numbits import numbits_to_nums

from tests.mutation.mutants import Mutant

# A mutant may loop for ever; so may one that only makes many tests slow. Both are cut off here.
SECONDS_A_TEST = 20
SECONDS_A_MUTANT = 240
Reached = Mapping[tuple[str, int], frozenset[str]]


def reached_lines(data: Path) -> Reached:
    """Which tests ran through each line of each file, from coverage's own file."""
    found: dict[tuple[str, int], set[str]] = defaultdict(set)
    with closing(sqlite3.connect(data)) as rows:
        query = (
            "SELECT path, context, numbits FROM line_bits "
            "JOIN file ON file.id = file_id JOIN context ON context.id = context_id"
        )
        for path, context, bits in rows.execute(query):
            for line in numbits_to_nums(bits):
                found[path, line].add(context.rpartition("|")[0])
    return {place: frozenset(tests - {""}) for place, tests in found.items()}


@dataclass
class Trial:
    """A plugin that tries mutants where pytest would have run the collected tests."""

    mutants: Sequence[Mutant]
    reached: Reached
    report: Path
    outcomes: Counter[str] = field(default_factory=Counter)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try each mutant in turn; no test runs in this process but the first, which makes the database."""
        gc.unfreeze()  # frozen functions would not be found
        items = {item.nodeid: item for item in session.items}
        weights = Counter(test for tests in self.reached.values() for test in tests)
        _make_the_database(session)
        with self.report.open("a") as report:
            for mutant in self.mutants:
                tests = self._reaching(mutant)
                near = sorted(
                    (t for t in tests if t in items), key=lambda t: (not _is_near(t, mutant.path), weights[t])
                )
                outcome = _tried(mutant, [items[test] for test in near]) if near else "unreached"
                self.outcomes[outcome.split()[0]] += 1
                report.write(
                    f"{outcome.split()[0]} {mutant}{' by ' + outcome.split(' ', 1)[1] if ' ' in outcome else ''}\n"
                )
                report.flush()
        return True

    def _reaching(self, mutant: Mutant) -> frozenset[str]:
        """Tests that run through its line, or, where an expression has several, through the nearest line above."""
        path = str(mutant.path.resolve())
        above = (self.reached.get((path, line)) for line in range(mutant.line, mutant.line - 6, -1))
        return next(filter(None, above), frozenset())

    def summary(self) -> str:
        """How many of each."""
        return ", ".join(f"{number} {outcome}" for outcome, number in sorted(self.outcomes.items()))


def _is_near(test: str, path: Path) -> bool:
    """Whether a test stands where tests of this file stand."""
    return path.stem.split("_")[0] in Path(test.partition("::")[0]).stem


def _make_the_database(session: pytest.Session) -> None:
    for item in session.items:
        if item.get_closest_marker("database"):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            break
    from django.db import connections

    connections.close_all()


def _tried(mutant: Mutant, tests: Sequence[pytest.Item]) -> str:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.setsid()
        os._exit(_in_the_child(mutant, tests, writing))
    os.close(writing)
    try:
        return _verdict(reading, child)
    finally:
        os.close(reading)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _verdict(reading: int, child: int) -> str:
    """What the child said; endless where it says nothing for too long."""
    said, end = b"", time.monotonic() + SECONDS_A_MUTANT
    while True:
        ready, _, _ = select.select([reading], [], [], SECONDS_A_TEST)
        if not ready or time.monotonic() > end:
            return "endless"
        chunk = os.read(reading, 65_536)
        if not chunk:
            break
        said += chunk
    lines = [line for line in said.decode().splitlines() if line and line != "."]
    return lines[-1] if lines else "killed by-its-process-ending"


def _in_the_child(mutant: Mutant, tests: Sequence[pytest.Item], writing: int) -> int:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    _own_database()
    if not _replace(mutant):
        os.write(writing, b"unreached\n")
        return 0
    for test in tests:
        os.write(writing, b".\n")
        if _fails(test):
            os.write(writing, f"killed {test.nodeid}\n".encode())
            return 0
    os.write(writing, b"survived\n")
    return 0


def _fails(test: pytest.Item) -> bool:
    failed: list[bool] = []

    class Listener:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            failed.append(report.failed)

    listener = Listener()
    test.config.pluginmanager.register(listener)
    try:
        test.config.hook.pytest_runtest_protocol(item=test, nextitem=None)
    except BaseException:  # noqa: BLE001 (whatever a mutant breaks, it was noticed)
        return True
    finally:
        test.config.pluginmanager.unregister(listener)
    return any(failed)


def _own_database() -> None:
    """Two mutants at once, and one that was cut off, must not meet in one file."""
    from django.db import connection

    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite" and Path(name).exists():
        own = f"{name}-{os.getpid()}"
        Path(own).write_bytes(Path(name).read_bytes())
        connection.settings_dict["NAME"] = own


def _replace(mutant: Mutant) -> bool:
    """Give the functions that stand in this process the code of the mutant; false where none of them does."""
    path = str(mutant.path.resolve())
    fresh = {_name(code): code for code in _codes(compile(mutant.tree, path, "exec"))}
    replaced = False
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__.co_filename == path:
            code = fresh.get(_name(function.__code__))
            if code is not None and code.co_freevars == function.__code__.co_freevars:
                replaced = (
                    replaced
                    or code.co_code != function.__code__.co_code
                    or code.co_consts != function.__code__.co_consts
                )
                function.__code__ = code
    return replaced


def _name(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[CodeType]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _codes(const)
