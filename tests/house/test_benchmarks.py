"""Every benchmark still runs to its end, so that none rots when the tables change."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import NAMES

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_runs_to_its_end_and_gives_its_figures(name):
    words = [sys.executable, "-m", f"benchmarks.bench_{name}", "--json"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4_000:]
    assert [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
