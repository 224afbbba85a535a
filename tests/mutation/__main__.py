"""`python -m tests.mutation FILE...`: report small faults in these files that no test would notice.

The tests are collected once. Each mutant gets a process of its own, forked from there, in which the code of one
function is replaced and the tests that run through its line are tried, until one fails.
`--sample N --seed S` takes that many random mutants. `--coverage FILE` keeps the coverage of the traced run for the
next time. An interrupted report is continued; `--again REPORT` tries what an earlier one found alive.

Writes a line for each mutant: killed (and by which test), survived, unreached (no test runs through it) or endless.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.mutation.mutants import mutants_of
from tests.mutation.trying import SECONDS_A_MUTANT, Trial, reached_lines

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Try every mutant, or a sample, and write the outcome of each."""
    asked = _asked()
    files = [file for path in asked.paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    mutants = [mutant for file in files for mutant in mutants_of(file)]
    if asked.again:
        alive = {
            line.split(" ", 1)[1] for line in asked.again.read_text().splitlines() if not line.startswith("killed")
        }
        mutants = [mutant for mutant in mutants if str(mutant) in alive]
    if asked.sample and asked.sample < len(mutants):
        chosen = random.Random(asked.seed).sample(range(len(mutants)), asked.sample)
        mutants = [mutants[at] for at in sorted(chosen)]
    if asked.report.exists():
        done = {" ".join(line.split(" by tests/")[0].split(" ")[1:]) for line in asked.report.read_text().splitlines()}
        mutants = [mutant for mutant in mutants if str(mutant) not in done]
    print(f"{len(mutants)} mutants of {len(files)} files", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        data = asked.coverage or Path(folder) / "coverage"
        if not data.exists():
            _watch(asked, data)
        trial = Trial(mutants, reached_lines(data), asked.report, seconds=asked.seconds)
    options = ["-q", "--tb=no", "-p", "no:randomly", "-p", "no:cacheprovider", "-m", asked.marks, *asked.tests]
    pytest.main(options, plugins=[trial])
    print(trial.summary())
    return 0


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--tests", nargs="+", default=["tests/scoring"])
    parser.add_argument("--marks", default="not browser and not slow")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--again", type=Path)
    parser.add_argument("--coverage", type=Path)
    parser.add_argument("--seconds", type=float, default=SECONDS_A_MUTANT, help="after which a mutant is endless")
    parser.add_argument("--report", type=Path, default=Path("mutants.txt"))
    return parser.parse_args()


def _watch(asked: argparse.Namespace, data: Path) -> None:
    """Run the tests once, unchanged, and record which of them runs through which line."""
    options = [f"--cov={room}" for room in sorted({path.parts[0] for path in asked.paths})]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "--cov-context=test", "--cov-report="]
    environment = {**os.environ, "COVERAGE_FILE": str(data)}
    subprocess.run([*command, *options, "-m", asked.marks, *asked.tests], cwd=ROOT, env=environment, check=True)


if __name__ == "__main__":
    sys.exit(main())
