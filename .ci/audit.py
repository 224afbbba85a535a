"""Looks for known vulnerabilities in what we ship, and says plainly what it could not look up, and why.

pip-audit ends well, with a line that looks clean, when it could audit nothing at all; this counts what it skipped.
With REQUIRE_AUDIT set, as in CI, what was not looked up is a failure, unless nobody answered: a line that is down is no
fault of ours, an index that answers and knows nothing of the packages we ship is.
"""

import json
import os
import re
import subprocess
import sys
from typing import Any

COMMAND = ("-m", "pip_audit", "--requirement", "requirements/run.txt", "--disable-pip", "--format", "json")
PATIENCE_SECONDS = 90
# What pip-audit says, or dies of, when nobody answers. A certificate that is not believed is not among them.
UNREACHABLE = re.compile(
    r"(?:\.|\b)(?:ConnectionError|ConnectTimeout|ReadTimeout|ProxyError|NewConnectionError|NameResolutionError)\b"
    r"|Could not connect to"
)
CERTIFICATE = re.compile(r"SSLError|CERTIFICATE_VERIFY_FAILED")
SHOWN = 5


def main() -> int:
    """0 when nothing is known, or nobody answers; 1 when something is known, or was not looked up where it must be."""
    try:
        done = subprocess.run(  # noqa: S603
            [sys.executable, *COMMAND, "--progress-spinner", "off"],
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return _out_of_reach(f"no answer within {PATIENCE_SECONDS} s")
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (json.JSONDecodeError, KeyError, TypeError):
        return _broken(done.stderr)
    return _report(packages)


def _report(packages: list[dict[str, Any]]) -> int:
    looked_at = [package for package in packages if "skip_reason" not in package]
    known = [(package["name"], found["id"]) for package in looked_at for found in package["vulns"]]
    for name, number in known:
        _say(f"audit: {name} has {number}")
    _say(f"audit: {len(looked_at)} of {len(packages)} packages looked up, {len(known)} vulnerabilities known")
    left_out = [package for package in packages if "skip_reason" in package]
    if known:
        return 1
    if packages and not looked_at:
        return _out_of_reach("the index answers and knows none of them: a mirror without advisories")
    return _not_audited(left_out) if left_out or not packages else 0


def _not_audited(left_out: list[dict[str, Any]]) -> int:
    """The source knew others and not these, or there was nothing to look up."""
    for package in left_out[:SHOWN]:
        _say(f"audit: NOT AUDITED: {package['skip_reason']}")
    if len(left_out) > SHOWN:
        _say(f"audit: NOT AUDITED: and {len(left_out) - SHOWN} more")
    return _failure("the source of advisories knows others and not these packages")


def _broken(said: str) -> int:
    last = (said.strip().splitlines() or ["it said nothing"])[-1]
    if UNREACHABLE.search(said) and not CERTIFICATE.search(said):
        return _out_of_reach(last)
    return _failure(f"pip-audit did not finish: {last}")


def _out_of_reach(why: str) -> int:
    _say(f"audit: NOTHING AUDITED, the source of advisories is out of reach ({why})")
    return 0


def _failure(why: str) -> int:
    is_required = bool(os.environ.get("REQUIRE_AUDIT"))
    _say(f"audit: {'FAILED' if is_required else 'no proof of anything'}: {why}")
    return 1 if is_required else 0


def _say(line: str) -> None:
    print(line)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
