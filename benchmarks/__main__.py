"""Every benchmark, one after the other, each in a process of its own.

Figures are processor time or ratios against a reference of the same run, so that they can be compared between
machines and between a quiet hour and a busy one.

    python -m benchmarks [--json] [NAME ...]          for example: python -m benchmarks fold log
"""

import argparse
import json
import subprocess
import sys

NAMES = (
    "fold",
    "judge",
    "log",
    "ledger",
    "evening",
    "pages",
    "changes",
    "spectators",
    "many_tournaments",
    "memory",
    "start",
    "proofs",
    "seating",
    "corrections",
    "copies",
    "night",
    "night_load",
    "lighthouse",
    "season",
    "steps",
    "box",
    "thousand",
)


def main() -> int:
    """Run the benchmarks named, or all of them. Exit status 1 where one failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="as one JSON object, a member for each benchmark")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which ones: {', '.join(NAMES)}")
    wanted = parser.parse_args()
    unknown = [name for name in wanted.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(NAMES)}")
    found: dict[str, object] = {}
    failed = False
    for name in wanted.names or NAMES:
        if not wanted.json:
            print(f"\n{name}", flush=True)
        done = _run(name, as_json=wanted.json)
        failed = failed or done.returncode != 0
        if wanted.json:
            found[name] = _read(done)
    if wanted.json:
        print(json.dumps(found))
    return 1 if failed else 0


def _run(name: str, *, as_json: bool) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", f"benchmarks.bench_{name}", *(["--json"] if as_json else [])]
    return subprocess.run(words, stdout=subprocess.PIPE if as_json else None, text=True, check=False)


def _read(done: subprocess.CompletedProcess[str]) -> object:
    """A benchmark prints one object, or one for each database it ran on."""
    objects = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return objects[0] if len(objects) == 1 else objects


if __name__ == "__main__":
    sys.exit(main())
