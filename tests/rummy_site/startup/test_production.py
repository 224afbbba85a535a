"""Promise 16: what production refuses to start with, and who else on the machine may read what the club owns."""

import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils.timezone import now

from rummy_site.operations.doctor import Level, examine
from rummy_site.startup import close, is_in_reach, private_paths, too_open, unsafe_settings
from tests.builders.loaded_site import Loaded
from tests.builders.samples import each

# Settings, files and permissions: no database is involved.
Manage = Callable[..., "subprocess.CompletedProcess[str]"]
ROOT = Path(__file__).parents[3]
KEY = "correct-horse-battery-staple-" * 3
SOUND = {"PRODUCTION": "true", "SECRET_KEY": KEY, "ALLOWED_HOSTS": "club.example"}


def test_all_that_is_wrong_is_said_at_once_and_without_a_traceback(manage: Manage):
    """Planted faults it catches: only the first problem; the key itself in the message."""
    answer = manage(
        "check",
        PRODUCTION="true",
        SECRET_KEY="x",
        SECRET_KEY_FALLBACKS="old-and-short",
        ALLOWED_HOSTS="*",
        DEBUG="true",
        CSRF_TRUSTED_ORIGINS="http://club.example,https://*",
    )
    assert answer.returncode == 1
    lines = answer.stderr.splitlines()
    assert lines[0] == "not started: PRODUCTION is on, and the site does not start with these settings:"
    named = [re.match(r"  - ([A-Z_]+)", line) for line in lines[1:]]
    assert [found and found[1] for found in named] == [
        "SECRET_KEY",
        "SECRET_KEY_FALLBACKS",
        "DEBUG",
        "ALLOWED_HOSTS",
        "CSRF_TRUSTED_ORIGINS",
        "CSRF_TRUSTED_ORIGINS",
    ]
    assert "old-and-short" not in answer.stderr


def test_each_of_them_is_refused_and_a_host_by_its_name_or_address_is_fine(monkeypatch: pytest.MonkeyPatch):
    for known, sound in SOUND.items():
        monkeypatch.setenv(known, sound)
    for name, value in (
        ("SECRET_KEY", ""),
        ("SECRET_KEY", "x" * 80),
        ("SECRET_KEY", "django-insecure-" + KEY),
        ("SECRET_KEY", KEY[:49]),
        ("ALLOWED_HOSTS", ""),
        ("ALLOWED_HOSTS", "club.example,*"),
        ("ALLOWED_HOSTS", "*.club.example"),
        ("ALLOWED_HOSTS", ".example"),
        ("ALLOWED_HOSTS", "https://club.example"),
        ("ALLOWED_HOSTS", "club.example:8000"),
        ("DEBUG", "1"),
        ("CSRF_TRUSTED_ORIGINS", "club.example"),
        ("CSRF_TRUSTED_ORIGINS", "https://*.example"),
    ):
        with monkeypatch.context() as one:
            one.setenv(name, value)
            (said,) = unsafe_settings()
            assert said.startswith(name), value
    for hosts in ("club.example", ".club.example", "[2001:db8::1]", "192.0.2.7,club.example"):
        monkeypatch.setenv("ALLOWED_HOSTS", hosts)
        assert list(unsafe_settings()) == [], hosts


def test_the_same_settings_start_a_demo(manage: Manage):
    answer = manage("check", SECRET_KEY="x", ALLOWED_HOSTS="*", DEBUG="true")
    assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize("name", each("PRODUCTION", "DEBUG"))
def test_a_slip_in_a_switch_is_no_no(manage: Manage, name: str):
    """Planted fault it catches: every word but `true` taken for false, and production not protected at all."""
    answer = manage("check", **{name: "ture"})
    assert (answer.returncode, answer.stderr) == (1, f"not started: {name} is 'ture': say true or false.\n")


@pytest.mark.parametrize("given", each("many", "0.0.0.0/0"))
def test_proxies_that_cannot_be_read_are_refused(manage: Manage, given: str):
    answer = manage("check", PROXIES=given)
    assert answer.returncode == 1
    assert "not started: PROXIES is" in answer.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["-m", "granian", "rummy_site.wsgi:application", "--interface", "wsgi", "--port", "0"],
        ["-m", "celery", "-A", "rummy_site", "worker", "--pool", "threads", "--concurrency", "1"],
    ],
    ids=["web", "worker"],
)
def test_web_and_worker_do_not_start_with_them_either(site_environment: dict[str, str], command: list[str]):
    """Planted fault it catches: only checked by `check`, which is not run before a web server."""
    environment = {**site_environment, **SOUND, "SECRET_KEY": "x"}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode != 0
    assert "SECRET_KEY has 1 characters" in done.stdout + done.stderr


def test_what_a_command_writes_its_owner_alone_can_read(manage: Manage, tmp_path: Path):
    """A folder that was there before, with the usual permissions, and a database that is made in it.

    Planted fault it catches: the umask of the user who typed the command.
    """
    folder = tmp_path / "wide"
    folder.mkdir(mode=0o755)
    answer = manage("migrate", "contenttypes", VAR_DIR=str(folder), DATABASE_URL=f"sqlite:///{folder}/c.sqlite3")
    assert answer.returncode == 0, answer.stderr
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir() if path.is_file()}
    assert set(modes) >= {"c.sqlite3", "secret_key"}
    assert set(modes.values()) == {0o600}


@pytest.mark.parametrize(
    "program",
    each(
        "import rummy_site.wsgi",
        "import rummy_site.asgi",
        "from rummy_site.celery import write_for_the_owner_alone as w; w()",
    ),
)
def test_the_processes_that_others_start_write_for_their_owner_alone_too(
    site_environment: dict[str, str], loaded_site: Loaded, program: str
):
    """Planted fault it catches: the umask set by `manage.py` alone, and a web server started by systemd."""
    code = f"import os; os.umask(0o022)\n{program}\nprint(oct(os.umask(0)))"
    done = loaded_site.run(["-c", code], site_environment)
    assert done.stdout.splitlines()[-1] == "0o77"


def test_files_that_stood_open_are_closed_and_it_is_said(tmp_path: Path):
    """Planted fault it catches: the write-ahead log forgotten, which holds what was written last."""
    var, database = tmp_path / "var", tmp_path / "var" / "rummy.sqlite3"
    var.mkdir(mode=0o755)
    for name in ("rummy.sqlite3", "rummy.sqlite3-wal", "secret_key"):
        (var / name).touch(mode=0o644)
    said = list(close(private_paths(var, database)))
    assert len(said) == 4
    assert "mode 0755" in said[0]
    assert list(too_open(private_paths(var, database))) == []
    assert list(close(private_paths(var, database))) == []


@pytest.mark.django_db
def test_the_doctor_tells_of_data_that_others_can_read(settings, tmp_path: Path):
    """Planted fault it catches: readable files in a private folder reported as severely as in an open one."""
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir(mode=0o700)
    key = settings.VAR_DIR / "secret_key"
    key.touch()
    key.chmod(0o644)
    assert not is_in_reach(key, 0o644)
    settings.VAR_DIR.chmod(0o755)
    assert is_in_reach(key, 0o644)
    found = [finding for finding in examine(now=now()) if finding.subject == "files"]
    assert {finding.level for finding in found if str(settings.VAR_DIR) in finding.text} == {Level.BAD}
    settings.VAR_DIR.chmod(0o700)
    key.chmod(0o600)
    found = [finding for finding in examine(now=now()) if finding.subject == "files"]
    assert not [finding for finding in found if str(settings.VAR_DIR) in finding.text]


@pytest.mark.django_db
def test_the_doctor_warns_where_production_would_refuse(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ALLOWED_HOSTS", "*")
    said = [finding.text for finding in examine(now=now()) if finding.subject == "settings"]
    assert any("ALLOWED_HOSTS has *" in line for line in said)


@pytest.mark.parametrize("promised", each(False, True))
def test_other_sites_under_the_domain_keep_working_without_https(manage: Manage, promised: bool):
    """Planted fault: a browser that asked for HTTPS below the whole domain, for a year, without anybody's wish."""
    asked = {"SECURE_HSTS_INCLUDE_SUBDOMAINS": "true"} if promised else {}
    answer = manage("diffsettings", "--all", **SOUND, **asked)
    assert f"SECURE_HSTS_INCLUDE_SUBDOMAINS = {promised}" in answer.stdout, answer.stderr
    assert "SECURE_HSTS_PRELOAD = False" in answer.stdout
