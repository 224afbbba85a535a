"""A test that tries some of many like cases is marked `walk`, so that `make test-long` tries each of them."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import samples

ROOT = Path(__file__).resolve().parents[1]
ALIKE = [f"page {number}" for number in range(11)]


def test_the_parts_of_tests_that_walk_the_same_way_are_all_of_it_together(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(samples, "EVERY_ONE", False)
    parts = [samples.some_of(ALIKE, one_in=3, part=part) for part in range(6)]
    assert parts[:3] == parts[3:]
    assert sorted((each for part in parts[:3] for each in part), key=ALIKE.index) == ALIKE
    assert {len(part) for part in parts} == {3, 4}


def test_the_long_run_tries_each_of_them(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(samples, "EVERY_ONE", True)
    assert samples.some_of(iter(ALIKE), one_in=3, part=2) == ALIKE


@pytest.mark.parametrize(
    ("times", "vendor", "number"), [(1, "sqlite", 20), (10, "sqlite", 200), (10, "postgresql", 20)]
)
def test_the_long_run_makes_up_a_tenth_of_its_cases_for_each_of_its_times(
    monkeypatch: pytest.MonkeyPatch, times: int, vendor: str, number: int
):
    monkeypatch.setattr(samples, "EVERY_ONE", False)
    assert samples.tries(200) == 200
    monkeypatch.setattr(samples, "EVERY_ONE", True)
    monkeypatch.setattr(samples, "TIMES", times)
    monkeypatch.setattr(samples, "connection", SimpleNamespace(vendor=vendor))
    assert samples.tries(200) == number
    assert (samples.tries(1), samples.on_both(10)) == (1, times)


def test_whatever_tries_some_runs_again_in_the_long_run():
    files = {path: path.read_text() for path in ROOT.rglob("test_*.py") if path != Path(__file__)}
    trying_some = {path for path, text in files.items() if re.search(r"\b(some_of|so_many)\(", text)}
    assert trying_some
    assert {str(path) for path in trying_some if "mark.walk" not in files[path]} == set()


def test_each_value_of_each_axis_is_in_a_case_that_is_tried():
    cases = [(case.values, bool(case.marks)) for case in samples.crossed("abcde", [1, 2])]
    assert [values for values, _ in cases] == [(letter, number) for letter in "abcde" for number in (1, 2)]
    tried = [values for values, is_long in cases if not is_long]
    assert tried == [("a", 1), ("b", 2), ("c", 1), ("d", 2), ("e", 1)]
