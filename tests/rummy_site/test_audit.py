"""`make audit` never reports success when nothing was audited."""

import json
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

SPEC = spec_from_file_location("audit", Path(__file__).parents[2] / ".ci" / "audit.py")
assert SPEC is not None
assert SPEC.loader is not None
audit = module_from_spec(SPEC)
SPEC.loader.exec_module(audit)

CLEAN = {"name": "django", "version": "5.2", "vulns": []}
KNOWN = {"name": "django", "version": "1.0", "vulns": [{"id": "CVE-2007-0404"}]}
LEFT_OUT = {"name": "celery", "skip_reason": "Dependency not found and could not be audited: celery (5.7.0)"}
NO_NAME = "urllib3.exceptions.NameResolutionError: Failed to resolve the host"
REFUSED = "requests.exceptions.ConnectionError: HTTPSConnectionPool(...): Max retries exceeded"
FOREIGN_CERTIFICATE = (
    "requests.exceptions.ConnectionError: SSLError(SSLCertVerificationError(CERTIFICATE_VERIFY_FAILED))"
)


def says(monkeypatch: pytest.MonkeyPatch, *, packages: Any = None, stderr: str = "") -> int:
    """What audit makes of an answer of pip-audit."""
    out = "" if packages is None else json.dumps({"dependencies": packages})
    answer = subprocess.CompletedProcess([], 1, stdout=out, stderr=stderr)
    monkeypatch.setattr(audit.subprocess, "run", lambda *words, **more: answer)
    return int(audit.main())


def test_nothing_looked_up_is_a_failure_in_ci_unless_nobody_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Planted faults: 0 of 53 ignored; one of 53 ignored; a failure taken for a missing network."""
    answers: list[tuple[Any, str, tuple[int, int], str]] = [
        ([CLEAN, CLEAN], "", (0, 0), "2 of 2 packages looked up, 0 vulnerabilities"),
        ([CLEAN, KNOWN], "", (1, 1), "django has CVE-2007-0404"),
        ([KNOWN, LEFT_OUT], "", (1, 1), "1 of 2 packages looked up"),
        ([LEFT_OUT] * 53, "", (0, 0), "NOTHING AUDITED, the source of advisories is out of reach (the index answers"),
        ([CLEAN, LEFT_OUT], "", (1, 0), "NOT AUDITED: Dependency not found"),
        ([], "", (1, 0), "0 of 0 packages"),
        (None, NO_NAME, (0, 0), "out of reach (urllib3.exceptions.NameResolutionError"),
        (None, REFUSED, (0, 0), "NOTHING AUDITED"),
        (None, "ERROR:pip_audit:Could not connect to the vulnerability feed", (0, 0), "out of reach"),
        (None, FOREIGN_CERTIFICATE, (1, 0), "did not finish"),
        (None, "pip_audit: error: unrecognized arguments", (1, 0), "did not finish"),
        (None, "", (1, 0), "did not finish"),
    ]
    for packages, stderr, (in_ci, by_hand), said in answers:
        monkeypatch.setenv("REQUIRE_AUDIT", "1")
        assert says(monkeypatch, packages=packages, stderr=stderr) == in_ci
        assert said in capsys.readouterr().out
        monkeypatch.delenv("REQUIRE_AUDIT")
        assert says(monkeypatch, packages=packages, stderr=stderr) == by_hand
        capsys.readouterr()


def test_a_source_that_never_answers_is_out_of_reach(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def never(*words: object, **more: object) -> None:
        raise subprocess.TimeoutExpired([], 90)

    monkeypatch.setattr(audit.subprocess, "run", never)
    assert audit.main() == 0
    assert "out of reach (no answer within 90 s)" in capsys.readouterr().out


@pytest.mark.slow
def test_pip_audit_as_it_is_installed_here_names_a_dead_line_as_we_expect(tmp_path: Path):
    """No stub: pip-audit is sent through a proxy that no one listens on.

    Planted fault it catches: a release of pip-audit with another message.
    """
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
        "REQUIRE_AUDIT": "1",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "XDG_CACHE_HOME": str(tmp_path),
        "PIP_CACHE_DIR": str(tmp_path),
    }
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, ".ci/audit.py"], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "out of reach" in done.stdout) == (0, True), done.stdout + done.stderr
