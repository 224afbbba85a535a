"""Every benchmark still runs to its end, so that none rots when the tables change."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import NAMES
from benchmarks.bench_night import AT_MOST

ROOT = Path(__file__).resolve().parents[2]
NIGHT_ALONE = {"night_s", "seven_rounds_s"}
pytestmark = pytest.mark.slow


def test_every_benchmark_is_named():
    assert {path.stem for path in (ROOT / "benchmarks").glob("bench_*.py")} == {f"bench_{name}" for name in NAMES}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow(long=True)] if name == "thousand" else []) for name in NAMES],
)
def test_a_benchmark_runs_to_its_end_and_gives_its_figures(name):
    figures = _figures(name)
    assert len(figures) >= 1
    assert name != "night" or AT_MOST.keys() <= figures[0].keys()


@pytest.mark.parametrize("night", ["--players 8 --preset gin", "--players 14 --preset rummy500 --format two_go_on"])
def test_the_night_of_another_game_gives_the_same_figures(night):
    """Planted fault: a correction made only to sheets of Indian rummy."""
    [figures] = _figures("night", *night.split(), "--seed", "7")
    assert AT_MOST.keys() - figures.keys() == NIGHT_ALONE


def _figures(name: str, *options: str) -> list[dict[str, float]]:
    words = [sys.executable, "-m", f"benchmarks.bench_{name}", "--json", *options]
    smallest = {**os.environ, "BENCH_SMALLEST": "1"}
    done = subprocess.run(words, cwd=ROOT, env=smallest, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4_000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
