"""Trying one mutant: a fork of the collected test run, one function's code replaced, tests until one fails."""

import functools
import gc
import math
import os
import select
import signal
import sqlite3
import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import pairwise
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
    seconds: float = SECONDS_A_MUTANT
    outcomes: Counter[str] = field(default_factory=Counter)
    _killers: dict[Path, deque[str]] = field(default_factory=lambda: defaultdict(lambda: deque(maxlen=8)))

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try each mutant; no test runs in this process but the first, which makes the database."""
        items = {item.nodeid: item for item in session.items}
        weights = Counter(test for tests in self.reached.values() for test in tests)
        _make_the_database(session)
        changeable = Changeable.here({mutant.path for mutant in self.mutants})
        # The first test of each file without a fault: a test that fails anyway would seem to notice every one.
        firsts = {item.path: item for item in items.values() if item.nodeid in weights}
        found = _outcome(None, changeable, list(firsts.values()), seconds=math.inf, silence=10 * SECONDS_A_TEST)
        if found != "survived":
            pytest.exit(f"without any fault: {found}", returncode=2)
        with self.report.open("a") as report:
            for mutant in self.mutants:
                tests = [items[test] for test in self._in_order(mutant, weights) if test in items]
                outcome = _outcome(mutant, changeable, tests, seconds=self.seconds) if tests else "unreached"
                self._note(report, mutant, outcome)
        return True

    def _in_order(self, mutant: Mutant, weights: Mapping[str, int]) -> list[str]:
        """First the tests that killed its neighbours, then those in its folder, then those that run fewest lines."""
        killers = self._killers[mutant.path]
        return sorted(
            self._reaching(mutant),
            key=lambda test: (test not in killers, not _is_near(test, mutant.path), weights[test]),
        )

    def _reaching(self, mutant: Mutant) -> frozenset[str]:
        """Tests that run through its line, or, where an expression has several, through the nearest line above."""
        path = str(mutant.path.resolve())
        above = (self.reached.get((path, line)) for line in range(mutant.line, mutant.line - 6, -1))
        return next(filter(None, above), frozenset())

    def _note(self, report, mutant: Mutant, outcome: str) -> None:
        kind, _, test = outcome.partition(" ")
        self.outcomes[kind] += 1
        if kind == "killed" and test not in self._killers[mutant.path]:
            self._killers[mutant.path].append(test)
        report.write(f"{kind} {mutant}{' by ' + test if test else ''}\n")
        report.flush()

    def summary(self) -> str:
        """How many of each."""
        return ", ".join(f"{number} {outcome}" for outcome, number in sorted(self.outcomes.items()))


def _is_near(test: str, path: Path) -> bool:
    """Whether a test is in the folder for tests of this file."""
    return path.stem.split("_")[0] in Path(test.partition("::")[0]).stem


def _make_the_database(session: pytest.Session) -> None:
    """Run a test that needs it, as if one of another file came next: only what the whole session shares is kept."""
    needing = [item for item in session.items if item.get_closest_marker("django_db")]
    other = next((item for item in session.items if needing and item.path != needing[0].path), None)
    if needing:
        needing[0].config.hook.pytest_runtest_protocol(item=needing[0], nextitem=other)
    from django.db import connections

    connections.close_all()


@dataclass(frozen=True)
class Changeable:
    """The functions of this process in which a fault can be planted: looked up once, for thousands of mutants."""

    functions: Mapping[str, Sequence[FunctionType]]
    remembering: Sequence[functools._lru_cache_wrapper]  # type: ignore[type-arg]

    @classmethod
    def here(cls, paths: set[Path]) -> "Changeable":
        """Every function of these files, and every cache of results computed without a fault."""
        gc.unfreeze()  # frozen functions would not be found
        kept = gc.get_objects()  # asked for their very type: a lazy object would wake up
        files = {str(path.resolve()) for path in paths}
        functions: dict[str, list[FunctionType]] = defaultdict(list)
        for each in kept:
            if type(each) is FunctionType and each.__code__.co_filename in files:
                functions[each.__code__.co_filename].append(each)
        remembering = [each for each in kept if type(each) is functools._lru_cache_wrapper]
        del kept
        gc.freeze()
        return cls(functions, remembering)


def _outcome(
    mutant: Mutant | None,
    changeable: Changeable,
    tests: Sequence[pytest.Item],
    *,
    seconds: float,
    silence: float = SECONDS_A_TEST,
) -> str:
    """What a process of its own says last that tries the mutant; one that says nothing for too long is endless."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.setsid()
        os._exit(_in_the_child(mutant, changeable, tests, writing))
    os.close(writing)
    said, end = b"", time.monotonic() + seconds
    try:
        while time.monotonic() < end and select.select([reading], [], [], silence)[0]:
            chunk = os.read(reading, 65_536)
            if not chunk:
                lines = [line for line in said.decode().splitlines() if line and line != "."]
                # A process that ends without a word has met a fault too.
                return lines[-1] if lines else "killed by-its-process-ending"
            said += chunk
        return "endless"
    finally:
        os.close(reading)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _in_the_child(mutant: Mutant | None, changeable: Changeable, tests: Sequence[pytest.Item], writing: int) -> int:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    _own_database()
    if mutant is not None and not _replace(mutant, changeable):
        os.write(writing, b"unreached\n")
        return 0
    # Session fixtures, the database above all, are kept as long as another test follows; one always does. Fixtures that
    # the parent's test shared with its neighbours alone are torn down.
    tests[0].session._setupstate.teardown_exact(tests[0])
    for test, following in pairwise([*tests, tests[0]]):
        os.write(writing, b".\n")
        if _fails(test, following):
            os.write(writing, f"killed {test.nodeid}\n".encode())
            return 0
    os.write(writing, b"survived\n")
    return 0


def _fails(test: pytest.Item, following: pytest.Item) -> bool:
    failed: list[bool] = []

    class Listener:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            failed.append(report.failed)

    listener = Listener()
    test.config.pluginmanager.register(listener)
    try:
        test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
    except BaseException:  # noqa: BLE001 (whatever a mutant breaks, it was noticed)
        return True
    finally:
        test.config.pluginmanager.unregister(listener)
    return any(failed)


def _own_database() -> None:
    """A mutant must not write into the database file of the next, nor two processes share one connection."""
    from django.db import connection

    if connection.vendor == "postgresql":
        connection.connection = None
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite" and Path(name).exists():
        own = f"{name}-{os.getpid()}"
        Path(own).write_bytes(Path(name).read_bytes())
        connection.settings_dict["NAME"] = own


def _replace(mutant: Mutant, changeable: Changeable) -> bool:
    """Give the functions of this process the code of the mutant; false where there are none."""
    path = str(mutant.path.resolve())
    fresh = {_name(code): code for code in _codes(compile(mutant.tree(), path, "exec"))}
    replaced = False
    for function in changeable.functions.get(path, ()):
        code = fresh.get(_name(function.__code__))
        if code is not None and code.co_freevars == function.__code__.co_freevars:
            replaced |= code != function.__code__
            function.__code__ = code
    for remembering in changeable.remembering:
        remembering.cache_clear()
    return replaced


def _name(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[CodeType]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _codes(const)
