"""Looks for known vulnerabilities in what we ship, and says plainly when it could not look.

pip-audit ends well, with a line that looks clean, when it could audit nothing at all; this counts what it skipped.
"""

import json
import subprocess
import sys
from typing import Any

COMMAND = ("-m", "pip_audit", "--requirement", "requirements/run.txt", "--disable-pip", "--format", "json")
PATIENCE_SECONDS = 90


def main() -> int:
    """0 when nothing is known, or when nothing could be looked up; 1 when something is known."""
    try:
        done = subprocess.run(  # noqa: S603
            [sys.executable, *COMMAND, "--progress-spinner", "off"],
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_SECONDS,
        )
        packages = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, json.JSONDecodeError) as error:
        return _say(f"audit: skipped, the vulnerability data cannot be reached ({type(error).__name__})")
    return _report(packages)


def _report(packages: list[dict[str, Any]]) -> int:
    looked_at = [package for package in packages if "skip_reason" not in package]
    if not looked_at:
        return _say(f"audit: skipped, none of {len(packages)} packages could be looked up")
    known = [(package["name"], found["id"]) for package in looked_at for found in package["vulns"]]
    for name, number in known:
        _say(f"audit: {name} has {number}")
    _say(f"audit: {len(looked_at)} of {len(packages)} packages looked up, {len(known)} vulnerabilities known")
    return 1 if known else 0


def _say(line: str) -> int:
    print(line)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
