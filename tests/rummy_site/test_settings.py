"""The settings on one machine and in production, and what they refuse."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client

from rummy_site.database import default_database, forgetful_setting
from rummy_site.environment import address_without_secrets, backup_dir, broker_options, secret_key, var_dir

Manage = Callable[..., "subprocess.CompletedProcess[str]"]


def test_one_machine_makes_its_key_once_and_keeps_it_to_itself(tmp_path: Path):
    first = secret_key(folder=tmp_path, is_production=False)
    assert len(first) >= 50
    assert secret_key(folder=tmp_path, is_production=False) == first
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_a_folder_of_backups_is_made_inside_the_data_and_nowhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: one made below the mount point of a disk that is not mounted."""
    for name, is_there in (("data/backups", True), ("disk/backups", False)):
        monkeypatch.setenv("BACKUP_DIR", str(tmp_path / name))
        folder = backup_dir(var_dir=tmp_path / "data")
        assert folder == tmp_path / name
        assert folder.is_dir() is is_there
    (tmp_path / "link").symlink_to(tmp_path / "data")
    monkeypatch.setenv("VAR_DIR", str(tmp_path / "link"))
    monkeypatch.setenv("BACKUP_DIR", str(tmp_path / "link" / "more"))
    folder = backup_dir(var_dir=tmp_path / "data")
    assert folder is not None
    assert folder.is_dir()


def test_a_site_starts_although_the_share_of_its_backups_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: its links followed, which asks the server of the share."""
    for name in ("lstat", "stat", "mkdir"):
        monkeypatch.setattr(os, name, lambda *_, **__: pytest.fail("it would hang here"))
    monkeypatch.setenv("BACKUP_DIR", "/share/of/../backups")
    assert backup_dir(var_dir=tmp_path) == Path("/share/backups")


def test_a_data_folder_that_is_none_or_a_backup_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: a check of a backup that leaves a queue in it, so that it cannot be restored."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("VAR_DIR", str(tmp_path / "file"))
    with pytest.raises(ImproperlyConfigured, match=r"VAR_DIR is .*/file, no folder that can be used: File exists"):
        var_dir()
    (tmp_path / "manifest.json").touch()
    monkeypatch.setenv("VAR_DIR", str(tmp_path))
    with pytest.raises(ImproperlyConfigured, match="a backup: let it name an empty folder"):
        var_dir()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "manifest.json"]


@pytest.mark.slow
def test_mail_is_set_up_once_for_all_that_is_mailed(tmp_path: Path):
    """Planted faults: a service that resets no password; two senders; a local server taken for none."""
    code = (
        "from django.conf import settings as s; print(s.HAS_MAIL_SERVER, s.EMAIL_BACKEND.split('.')[-2], s.EMAIL_PORT,"
    )
    code += " s.DEFAULT_FROM_EMAIL, s.SERVER_EMAIL)"
    unset = {name: value for name, value in os.environ.items() if "MAIL" not in name}
    base = {**unset, "VAR_DIR": str(tmp_path / "var"), "DJANGO_SETTINGS_MODULE": "rummy_site.settings"}
    said = [
        subprocess.run(
            [sys.executable, "-c", code], env={**base, **given}, capture_output=True, text=True, check=True
        ).stdout.split()
        for given in (
            {},
            {"EMAIL_URL": "smtp://localhost", "DEFAULT_FROM_EMAIL": "a@b.example"},
            {"MAIL_SERVICE": "mailgun", "MAIL_FROM": "c@d.example", "DEFAULT_FROM_EMAIL": "a@b.example"},
        )
    ]
    assert said == [
        ["False", "dummy", "25", "rummy-evening@localhost", "rummy-evening@localhost"],
        ["True", "smtp", "25", "a@b.example", "a@b.example"],
        ["True", "mailgun", "25", "c@d.example", "c@d.example"],
    ]


@pytest.mark.slow
def test_two_processes_that_start_at_once_agree_on_one_key(tmp_path: Path):
    code = "import sys, pathlib; from rummy_site.environment import secret_key as s\n"
    code += "print(s(folder=pathlib.Path(sys.argv[1]), is_production=False))"
    command = [sys.executable, "-c", code, str(tmp_path)]
    racers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    keys = {racer.communicate()[0] for racer in racers}
    assert len(keys) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_production_without_a_key_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        secret_key(folder=tmp_path, is_production=True)


def test_a_data_folder_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: an address that ends at the `#`, so that the database lies beside its folder."""
    monkeypatch.delenv("DATABASE_URL", raising=False)
    for name in ("USB #1", "50% off", "a%41b", "who?", "a b"):
        folder = tmp_path / name
        assert default_database(folder=folder, is_web=False)["NAME"] == str(folder / "rummy.sqlite3")


def test_a_database_we_never_tried_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", "mysql://club@db/club")
    with pytest.raises(ImproperlyConfigured, match="mysql"):
        default_database(folder=tmp_path, is_web=False)


def test_only_the_web_process_pools_its_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://club@db/club")
    web = default_database(folder=tmp_path, is_web=True)
    worker = default_database(folder=tmp_path, is_web=False)
    assert (web["OPTIONS"]["pool"]["max_size"], web["CONN_MAX_AGE"]) == (8, 0)
    assert "pool" not in worker["OPTIONS"]
    assert worker["CONN_MAX_AGE"] > 0


def test_nobody_waits_for_a_database_whose_machine_is_switched_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Planted faults: a connection that nobody has ended, on which a request waits until its proxy gives up; a backup
    that a switch ends which restarts.
    """
    monkeypatch.setenv("DATABASE_URL", "postgres://club@db/club")
    for kind, seconds in (({"is_web": True}, 3), ({"is_web": False}, 60), ({"is_web": False, "is_worker": True}, 60)):
        options = default_database(folder=tmp_path, **kind)["OPTIONS"]
        ends = psycopg.conninfo.make_conninfo(tcp_user_timeout=options["tcp_user_timeout"])
        assert ends == f"tcp_user_timeout={seconds * 1000}"
        assert options["keepalives_idle"] + options["keepalives_interval"] <= seconds * 2


def test_a_worker_waits_for_no_lock_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://somebody@nowhere/rummy")
    worker = default_database(folder=tmp_path, is_web=False, is_worker=True)
    assert worker["OPTIONS"]["options"] == "-c lock_timeout=20000"
    assert "options" not in default_database(folder=tmp_path, is_web=False)["OPTIONS"]


def test_behind_a_pooler_nothing_is_left_in_a_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: a cursor of the server, which the next transaction looks for in the session of somebody else."""
    monkeypatch.setenv("DATABASE_URL", "postgres://club@db/club")
    assert not default_database(folder=tmp_path, is_web=True)["DISABLE_SERVER_SIDE_CURSORS"]
    monkeypatch.setenv("DATABASE_PREPARE", "false")
    for kind in ("is_web", "is_worker"):
        entry = default_database(folder=tmp_path, **{"is_web": False, kind: True})
        assert entry["DISABLE_SERVER_SIDE_CURSORS"]
        assert (entry["OPTIONS"]["prepare_threshold"], entry["OPTIONS"].get("options")) == (None, None)


def test_credentials_in_an_address_that_is_logged_are_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch):
    for name, given in (
        ("PUBLISH_TO", "s3://AKIAKEY:very-secret@bucket/prefix"),
        ("PUBLISH_S3_ENDPOINT", "https://AKIAKEY:very-secret@s3.example"),
        ("PUBLISH_SITE", "https://sam:very-secret@club.example/"),
    ):
        monkeypatch.setenv(name, given)
        with pytest.raises(ImproperlyConfigured, match=f"{name} holds a user name") as refused:
            address_without_secrets(name)
        assert "very-secret" not in str(refused.value)
    for given in ("", "/srv/copies@home", "s3://bucket/a@b", "https://s3.example"):
        monkeypatch.setenv("PUBLISH_TO", given)
        assert address_without_secrets("PUBLISH_TO") == given


def test_the_broker_in_a_folder_is_looked_into_often(tmp_path: Path):
    options = broker_options("filesystem://localhost", folder=tmp_path / "broker")
    assert options["polling_interval"] <= 0.1
    assert Path(options["data_folder_in"]).is_dir()


@pytest.mark.django_db
def test_the_database_of_this_run_keeps_what_it_acknowledges():
    assert forgetful_setting(connection) is None


@pytest.mark.django_db(transaction=True)
def test_a_database_set_to_forget_is_found_out():
    """The planted fault: the level below FULL on SQLite, synchronous_commit off on PostgreSQL."""
    weaken, restore = {
        "sqlite": ("PRAGMA synchronous=NORMAL", "PRAGMA synchronous=FULL"),
        "postgresql": ("SET synchronous_commit=off", "SET synchronous_commit=on"),
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(weaken)
        try:
            assert "loses acknowledged events" in (forgetful_setting(connection) or "")
        finally:
            cursor.execute(restore)


def test_a_forgetful_database_stops_the_start(manage: Manage, site_environment: dict[str, str]):
    weakened = {
        "sqlite": "?init_command=PRAGMA synchronous=NORMAL",
        "postgresql": "&options=-csynchronous_commit=off",
    }[connection.vendor]
    url = site_environment["DATABASE_URL"] + weakened
    answer = manage("check", "--database", "default", DATABASE_URL=url)
    assert answer.returncode != 0
    assert "rummy.E001" in answer.stderr


def test_production_settings_pass_the_deployment_checks(manage: Manage):
    production = {
        "PRODUCTION": "true",
        "SECRET_KEY": "correct-horse-battery-staple-" * 3,
        "ALLOWED_HOSTS": "club.example",
    }
    answer = manage("check", "--deploy", "--fail-level", "WARNING", **production)
    assert answer.returncode == 0, answer.stderr


@pytest.mark.django_db
def test_every_page_allows_our_own_files_and_nothing_inline(client: Client):
    for path in ("/healthz", "/admin/login/", "/no-such-page"):
        policy = client.get(path)["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "data:" not in policy


@pytest.mark.django_db
def test_only_the_description_of_the_api_may_style_inline(client: Client):
    policy = client.get("/api/v1/docs/")["Content-Security-Policy"]
    assert "style-src 'self' 'unsafe-inline'" in policy
    assert "script-src 'self';" in f"{policy};"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("DATABASE_URL", "nope", "DATABASE_URL names no database; only sqlite and postgres are supported."),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                ("API_ADDRESS_PER_MINUTE", "many", "API_ADDRESS_PER_MINUTE is 'many': give a number."),
                ("WORKER_HEARTBEAT_MAX_AGE", "", "WORKER_HEARTBEAT_MAX_AGE is '': give a number."),
                ("WEB_WORKERS", "two", "WEB_WORKERS is 'two': give a number."),
                ("WEB_THREADS", "0", "WEB_THREADS is 0: give a number from 1 to 256."),
                ("LOG_LEVEL", "loud", "LOG_LEVEL is 'LOUD': say DEBUG, INFO, WARNING or ERROR."),
            )
        ),
    ],
)
def test_what_the_environment_names_wrongly_is_told_in_a_line(manage: Manage, name: str, value: str, said: str):
    """Planted fault: each of them ended in a traceback of the library that reads it, or in a process
    that `serve` starts again and again; with no thread, in a site that answers nobody.
    """
    answer = manage("check", **{name: value})
    assert (answer.returncode, "Traceback" in answer.stderr) == (1, False)
    assert answer.stderr.endswith(f"not started: {said}\n")
