"""`manage.py doctor`: problems that would otherwise go unnoticed until a tournament."""

import errno
import random
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.utils.timezone import now

from rummy_site.operations import doctor
from rummy_site.operations.doctor import LOOKS, Level, examine, room_left, sqlite_release
from tests.builders.certificates import write_certificate
from tests.builders.club_at_play import Evening, deal, new_evening
from tests.builders.phones import NearPhone
from tests.flushing.management.commands.flush import lifted
from tournaments.models import Scoresheet, WorkerHeartbeat
from tournaments.tasks import seal_logs, store_heartbeat, sweep_settlements

Manage = Callable[..., "subprocess.CompletedProcess[str]"]


def found(subject: str, *, later: timedelta = timedelta(0)) -> list[tuple[Level, str]]:
    """What the doctor reports on one subject."""
    return [(finding.level, finding.text) for finding in examine(now=now() + later) if finding.subject == subject]


def level_of(subject: str, **when: timedelta) -> Level:
    ((level, _),) = found(subject, **when)
    return level


def played(evening: Evening) -> None:
    phone, table = NearPhone(evening), evening.new_table()
    assert phone.send(deal(table.id, 1, random.Random(1))).status_code == 201


def test_a_sqlite_that_may_damage_its_log_is_warned_of():
    """Planted fault it catches: releases compared as text, where 3.9 comes after 3.51."""
    for release, expected in (
        ((3, 9, 0), Level.WARNING),
        ((3, 40, 1), Level.WARNING),
        ((3, 51, 2), Level.WARNING),
        ((3, 51, 3), Level.FINE),
        ((4, 0, 0), Level.FINE),
    ):
        assert sqlite_release(release)[0] is expected


def test_little_room_is_warned_of_and_none_is_bad(tmp_path: Path):
    levels = [room_left(free, tmp_path)[0] for free in (10**8, 10**9, 10**11)]
    assert levels == [Level.BAD, Level.WARNING, Level.FINE]


@pytest.mark.django_db
def test_a_worker_that_never_came_or_fell_silent_is_reported():
    """With instructions. Planted fault it catches: the age of the heartbeat not looked at."""
    assert found("worker")[0][1].startswith("nothing is settled: no worker has run yet. Start the service")
    store_heartbeat("worker", at=now())
    assert level_of("worker") is Level.FINE
    ((level, said),) = found("worker", later=timedelta(minutes=10))
    assert level is Level.WARNING
    assert said.startswith("nothing is settled: no worker for 10 min. Start the service")


@pytest.mark.django_db
def test_a_worker_that_misses_its_broker_is_reported():
    """Planted fault it catches: a worker that settles without its broker counted as connected."""
    store_heartbeat("worker", at=now(), broker_down_since=now() - timedelta(minutes=12))
    (_, fine), (level, said) = found("worker")
    assert fine.startswith("a worker was well")
    assert level is Level.WARNING
    assert said.startswith("no worker has reached the broker for 12 min: it settles every ten seconds, not at once.")


@pytest.mark.django_db
def test_a_worker_that_came_under_another_name_makes_old_ones_forgotten():
    store_heartbeat("worker@old", at=now() - timedelta(days=2))
    store_heartbeat("worker@other", at=now() - timedelta(hours=2))
    store_heartbeat("worker@new", at=now())
    assert sorted(WorkerHeartbeat.objects.values_list("name", flat=True)) == ["worker@new", "worker@other"]


@pytest.mark.django_db
def test_money_that_waits_too_long_is_reported():
    """Planted fault it catches: only settlements with a noted problem counted."""
    played(new_evening())
    assert level_of("settlements") is Level.FINE
    assert level_of("settlements", later=timedelta(minutes=6)) is Level.WARNING
    Scoresheet.objects.update(settle_problem="the books are locked")
    assert level_of("settlements") is Level.WARNING
    sweep_settlements()
    assert found("settlements") == [(Level.FINE, "no table and no tournament waits for its money")]


@pytest.mark.django_db
def test_events_that_no_seal_covers_are_reported():
    """Planted fault it catches: any seal at all taken for a covering one."""
    evening = new_evening()
    phone, table = NearPhone(evening), evening.new_table()
    seal_logs()
    assert phone.send(deal(table.id, 1, random.Random(1))).status_code == 201
    assert level_of("seals") is Level.FINE
    assert level_of("seals", later=timedelta(hours=1)) is Level.WARNING
    seal_logs()
    assert level_of("seals", later=timedelta(hours=1)) is Level.FINE


@pytest.mark.django_db(transaction=True)
def test_a_guard_that_is_down_makes_the_machine_unfit():
    """Planted fault it catches: the log's guards looked at and the books' forgotten."""
    assert level_of("guards") is Level.FINE
    with lifted(connection):
        names = [said.split()[2] for level, said in found("guards") if level is Level.BAD]
    assert {name.partition("_")[0] for name in names} == {"tournaments", "scoring"}


OK, BAD_GATEWAY = (
    f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode() for status in ("200 OK", "502 Bad Gateway")
)
LASTS = "fine: the certificate of club.example ends in 59 days"
HANGS = "bad: https://club.example is open and does not answer (The read operation timed out). Restart the web process"


@pytest.mark.parametrize(
    ("name", "days", "answer", "told"),
    [
        ("club.example", 60, OK, [LASTS, "fine: https://club.example answers 200"]),
        ("club.example", 13, OK, ["warning: the certificate of club.example ends in 12 days", "fine: "]),
        ("club.example", -1, OK, ["bad: browsers refuse the certificate of club.example: certificate has expired"]),
        ("old.example", 60, OK, ["bad: browsers refuse the certificate of club.example: Hostname mismatch"]),
        (None, 0, OK, ["warning: https://club.example cannot be reached from here"]),
        ("club.example", 60, b"", [LASTS, HANGS]),
        ("club.example", 60, BAD_GATEWAY, [LASTS, "bad: https://club.example answers 502: no web process serves"]),
    ],
)
def test_a_certificate_that_ends_or_is_for_another_name_and_a_site_that_hangs_are_reported(
    name: str | None, days: int, answer: bytes, told: list[str], *, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Planted faults it catches: the end read without a look at whether browsers accept it; no wait for an answer."""
    monkeypatch.setattr(settings, "PRODUCTION", True)
    monkeypatch.setattr(settings, "ALLOWED_HOSTS", ["club.example"])
    monkeypatch.setattr(doctor, "ANSWER_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port, connect = listener.getsockname()[1], socket.create_connection
        monkeypatch.setattr("socket.create_connection", lambda _, *more: connect(("127.0.0.1", port), *more))
        if name is None:
            listener.close()
        else:
            file = write_certificate(tmp_path, name, days=days)
            monkeypatch.setenv("SSL_CERT_FILE", str(file))
            served = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            served.load_cert_chain(file, tmp_path / "privkey.pem")
            threading.Thread(target=_answer_once, args=(listener, served, answer)).start()
        findings = [f"{level}: {text}" for level, text in doctor.LOOKS["certificate"](now())]
    assert len(findings) == len(told)
    assert all(map(str.startswith, findings, told)), findings


def _answer_once(listener: socket.socket, served: ssl.SSLContext, answer: bytes) -> None:
    with suppress(OSError), served.wrap_socket(listener.accept()[0], server_side=True) as line:
        line.recv(9999)
        line.sendall(answer)
        line.recv(9999)


@pytest.mark.django_db
def test_a_database_that_does_not_answer_is_a_finding(monkeypatch: pytest.MonkeyPatch):
    """Planted fault it catches: the doctor itself fails."""

    def gone(connection: object) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(doctor, "forgetful_setting", gone)
    assert level_of("durability") is Level.BAD


@pytest.mark.django_db(transaction=True)
def test_the_exit_status_tells_a_fit_machine_from_one_that_is_not(manage: Manage, site_environment: dict[str, str]):
    """Warnings are no reason to fail; a database that loses commits is.

    Planted fault it catches: findings printed and the exit status left at 0.
    """
    fit = manage("doctor")
    assert fit.returncode == 0, fit.stdout + fit.stderr
    weak = {"sqlite": "?init_command=PRAGMA synchronous=NORMAL", "postgresql": "&options=-csynchronous_commit=off"}
    unfit = manage("doctor", DATABASE_URL=site_environment["DATABASE_URL"] + weak[connection.vendor])
    assert unfit.returncode == 1
    assert "not fit for a club night: durability" in unfit.stderr


@pytest.mark.django_db
def test_a_disk_that_was_pulled_out_is_one_finding_and_silences_no_other(monkeypatch: pytest.MonkeyPatch):
    """Planted fault: an error of the operating system ends all checks, and with them every alarm."""

    def pulled_out(_: datetime) -> Iterator[tuple[Level, str]]:
        raise OSError(errno.EIO, "Input/output error")
        yield

    monkeypatch.setitem(LOOKS, "room", pulled_out)
    findings = {finding.subject: finding for finding in examine(now=now(), only=("room", "certificate", "worker"))}
    assert findings.keys() == {"room", "certificate", "worker"}
    assert (findings["room"].level, "Input/output error" in findings["room"].text) == (Level.BAD, True)
