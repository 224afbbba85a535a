"""Who runs the site is told what is bad: once, then once a day, and when it is fine again."""

import logging
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
import time_machine
from amqp.exceptions import AccessRefused
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now
from prometheus_client import CollectorRegistry, generate_latest

from rummy_site.backup_folder import Tries, Try
from rummy_site.celery import app
from rummy_site.operations import alarms, doctor
from rummy_site.operations.alarms import look
from rummy_site.operations.doctor import Level, examine, told_addresses
from rummy_site.operations.metrics import Site
from rummy_site.server.worker_watch import WorkerWatch
from tests.builders.admin_tables import club_called, person
from tournaments import transient_errors
from tournaments.models import Role, SiteCheck
from tournaments.projections.stale import unchecked_since
from tournaments.tasks import store_heartbeat

pytestmark = pytest.mark.django_db
BEGAN = datetime(2026, 11, 21, 18, 0, tzinfo=UTC)
OWNER = "owner@club.example"


@pytest.fixture
def sends_mail(settings: Any) -> None:
    settings.HAS_MAIL_SERVER, settings.ALARMS_TO = True, [OWNER]


def after(minutes: float) -> datetime:
    return BEGAN + timedelta(minutes=minutes)


def look_at(*minutes: float, only: tuple[str, ...] = ("worker",)) -> None:
    for minute in minutes:
        look(now=after(minute), only=only)


def subjects(mailoutbox: list[Any]) -> list[str]:
    return [sent.subject.partition(": ")[2] for sent in mailoutbox]


def test_what_is_bad_is_told_once_each_day_and_when_it_is_fine_again(sends_mail: None, mailoutbox: list[Any]):
    """Planted faults: a mail with each look; one only, and a week of silence; nobody hears that it is fine."""
    look_at(0, 5)
    assert mailoutbox == [], "a restart is nothing to be told of"
    look_at(10, 15, 600)
    assert subjects(mailoutbox) == ["worker"]
    assert mailoutbox[0].to == [OWNER]
    assert "worker, since 2026-11-21 18:00 UTC:\n  warning: nothing is settled: no worker has run" in mailoutbox[0].body
    look_at(10 + 24 * 60)
    assert subjects(mailoutbox) == ["worker", "worker"]
    ended = 10 + 24 * 60
    store_heartbeat("worker", at=after(ended + 300))
    for minute in (ended + 300, ended + 301):
        look_at(minute)
    assert subjects(mailoutbox) == ["worker", "worker", "fine again: worker"]
    assert "From 2026-11-21 18:00 UTC to 2026-11-22 18:10 UTC" in mailoutbox[2].body
    assert SiteCheck.objects.get().since is None


def test_what_comes_and_goes_is_told_once(sends_mail: None, mailoutbox: list[Any]):
    """Planted fault: a disk of one of two machines, or a network that fails now and then: two mails for each time."""
    look_at(0, 10)
    for minute in range(20, 200, 20):
        store_heartbeat("worker", at=after(minute))
        look_at(minute, minute + 5)
    assert subjects(mailoutbox) == ["worker"]


def test_a_mail_that_did_not_leave_is_sent_later_and_also_if_it_is_fine_by_then(
    sends_mail: None, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch, caplog: Any
):
    """Planted fault: a mail server that was down in the night, and nobody knows that no backup was made."""
    with monkeypatch.context() as broken:
        broken.setattr(alarms, "send_mail", lambda *_: (_ for _ in ()).throw(ConnectionRefusedError()))
        look_at(0, 10, 15)
    assert "nobody could be told by mail, it is tried again: ConnectionRefusedError" in caplog.text
    look_at(20)
    assert subjects(mailoutbox) == ["worker"]
    SiteCheck.objects.update(told_at=None)
    store_heartbeat("worker", at=after(120))
    look_at(120)
    assert subjects(mailoutbox) == ["worker", "fine again: worker"]


def test_of_two_processes_one_tells(sends_mail: None, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch):
    """Planted faults: both send while neither has noted it; one that was killed while it sent keeps it for ever."""
    real, looks = mail.send_mail, iter([True])

    def slow(*words: Any) -> int:
        if next(looks, False):
            look_at(10)
        return real(*words)

    monkeypatch.setattr(alarms, "send_mail", slow)
    look_at(0, 10)
    assert subjects(mailoutbox) == ["worker"]
    SiteCheck.objects.update(told_at=None, held_until=after(12))
    look_at(11, 15)
    assert subjects(mailoutbox) == ["worker", "worker"]


def test_site_administrators_are_told_unless_addresses_are_named(settings: Any):
    """Planted fault: the owner of each club is told of a machine that is not theirs."""
    settings.HAS_MAIL_SERVER = True
    club = club_called("Asha's club", "asha")
    person("asha", Role.OWNER, club, email="asha@club.example")
    person("root", is_superuser=True, email="root@club.example")
    person("gone", is_superuser=True, is_active=False, email="gone@club.example")
    person("silent", is_superuser=True)
    assert told_addresses() == ["root@club.example"]
    settings.ALARMS_TO = [OWNER]
    assert told_addresses() == [OWNER]
    settings.HAS_MAIL_SERVER = False
    assert told_addresses() == []


def test_a_worker_that_is_dead_is_told_of_by_a_web_process(
    sends_mail: None, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch
):
    """Planted faults: only a worker looks; each web process looks at disks and backups that the worker's machine has;
    it looks although a worker does.
    """
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr("rummy_site.management.commands.doctor.look", lambda *, now, only: asked.append(tuple(only)))
    store_heartbeat("worker", at=now())
    WorkerWatch().look()
    assert asked == []
    store_heartbeat("worker", at=now() - timedelta(minutes=5))
    WorkerWatch().look()
    assert asked == [("settlements", "worker", "seals")]


def test_a_worker_that_hangs_in_its_checks_is_told_of_by_a_web_process(
    sends_mail: None, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch
):
    """Planted faults: a worker that beats, and never ends its look, counts as one that looks; a dead one is told twice;
    a look of a web process passes for one of a worker.
    """
    monkeypatch.setattr(doctor, "LOOKS", {"checks": doctor.LOOKS["checks"]})
    look(now=now() - timedelta(minutes=45))
    WorkerWatch().look()
    assert SiteCheck.objects.get().since is None, "no worker is at work: that is told"
    for minutes in (0, 10):
        with time_machine.travel(now() + timedelta(minutes=minutes)):
            store_heartbeat("worker", at=now())
            WorkerWatch().look()
    assert subjects(mailoutbox) == ["checks"]
    assert "  bad: no worker has finished its checks for 55 min" in mailoutbox[0].body
    look(now=now())
    assert unchecked_since(now=now()) is None


def test_what_becomes_worse_is_told_with_the_next_look_and_what_alternates_is_not(
    sends_mail: None, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch
):
    """Two machines look in turns. Planted faults: a disk that is full is told a day after it was nearly full; a second
    step that fails; a mail with each look of the worse of two disks.
    """
    one, worst, two = [Level.WARNING], [Level.BAD], [Level.BAD, Level.WARNING]
    levels: list[Level] = []
    monkeypatch.setitem(doctor.LOOKS, "room", lambda now: ((level, f"{level} room") for level in levels))
    day = 24 * 60
    for minute, seen, mails in (
        (0, one, 0),
        (10, one, 1),
        (15, worst, 2),
        (20, one, 2),
        (25, worst, 2),
        (30, two, 3),
        (35, worst, 3),
        (31 + day, one, 4),
        (36 + day, one, 4),
        (41 + day, worst, 5),
    ):
        levels[:] = seen
        look_at(minute, only=("room",))
        assert len(mailoutbox) == mails, minute
    assert "  bad: bad room\n  warning: warning room\n" in mailoutbox[2].body


def test_a_folder_of_backups_that_answers_with_an_error_is_told_and_hides_nothing_else(settings: Any, tmp_path: Path):
    """As a share that was made anew, or a disk that was pulled out. Planted fault: no check is noted any more."""
    # The kernel's word for it is another one; Path.is_dir raises it as well.
    settings.BACKUP_DIR = tmp_path / ("long" * 99)
    look_at(0, only=())
    rows = dict(SiteCheck.objects.values_list("subject", "problem"))
    assert "cannot be read" in rows["backups"]
    assert {"worker", "checks"} <= rows.keys()
    assert rows.keys().isdisjoint({"restores", "boxes"})
    look_at(5, only=("worker",))


def test_a_share_that_hangs_is_told_and_holds_neither_metrics_nor_pages(
    sends_mail: None, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
):
    """A hard mount whose server is gone. Planted faults: whoever reads the folder, in the worker or for a request; what
    is not known of it counts as fine again.
    """
    settings.BACKUP_DIR = tmp_path / "share"
    failed = Tries(restore=Try(at=after(-5), problem="broken"))
    settings.BACKUP_DIR.mkdir()
    (settings.BACKUP_DIR / "tries.json").write_bytes(msgspec.json.encode(failed))
    look_at(0, 10, only=("restores",))
    server, real = threading.Event(), Path.stat
    monkeypatch.setattr(transient_errors, "ANSWERS_WITHIN_SECONDS", 0.01)
    monkeypatch.setattr(transient_errors, "_ask", lambda folder: server.wait(60))

    def stat(path: Path, **options: Any) -> Any:
        assert not path.is_relative_to(settings.BACKUP_DIR), "it would hang here"
        return real(path, **options)

    monkeypatch.setattr(Path, "stat", stat)
    monkeypatch.setattr(Path, "glob", lambda path, pattern: pytest.fail("it would hang here"))
    try:
        look_at(20, 30, 90, only=("backups", "restores", "room", "boxes"))
        assert "share does not answer, and whoever reads it hangs" in mailoutbox[-1].body
        assert subjects(mailoutbox) == ["restores", "backups"]
        registry = CollectorRegistry()
        registry.register(Site())
        assert "rummy_check_bad" in generate_latest(registry).decode()
        club = club_called("Asha's club", "asha")
        client = Client()
        client.force_login(person("asha", Role.OWNER, club))
        assert client.get("/admin/").status_code == 200
        client.raise_request_exception = False
        for page in ("", "file/"):
            assert client.get(f"/admin/tournaments/club/{club.pk}/box/{page}").status_code == 503
        told = {finding.subject for finding in examine(now=after(90)) if "answer" in finding.text}
        assert {"backups", "restores", "elsewhere", "boxes"} <= told
    finally:
        server.set()


# Each of what an installation meets: what is wrong, and the check and the words that tell of it.


@pytest.fixture
def ended_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = "browsers refuse the certificate of club.example: certificate has expired"
    monkeypatch.setitem(doctor.LOOKS, "certificate", lambda now: iter([(Level.BAD, refused)]))


@pytest.fixture
def other_password(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        def __enter__(self) -> None:
            raise AccessRefused("Login was refused")

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(app, "connection_for_write", Refusing)


@pytest.fixture
def disk_not_mounted(settings: Any, tmp_path: Path) -> None:
    settings.BACKUP_DIR = tmp_path / "mnt" / "backups"


@pytest.fixture
def copy_failed(settings: Any, tmp_path: Path) -> None:
    settings.BACKUP_DIR = tmp_path
    failed = Try(at=now(), problem="restic: no space left")
    (tmp_path / "tries.json").write_bytes(msgspec.json.encode(Tries(elsewhere=failed)))


@pytest.mark.usefixtures("sends_mail")
@pytest.mark.parametrize(
    ("bad_input", "subject", "said"),
    [
        (
            "ended_certificate",
            "certificate",
            "browsers refuse the certificate of club.example: certificate has expired",
        ),
        ("other_password", "broker", "the broker refuses user, password or virtual host of CELERY_BROKER_URL"),
        ("disk_not_mounted", "backups", "backups is not there. Mount its disk, or make the folder"),
        ("copy_failed", "restores", "the last copy elsewhere failed, 0 s ago: restic: no space left"),
    ],
)
def test_what_an_installation_meets_is_on_the_page_in_the_log_a_metric_and_a_mail(
    bad_input: str, subject: str, said: str, request: Any, caplog: Any
):
    request.getfixturevalue(bad_input)
    began = now() - timedelta(minutes=10)
    with caplog.at_level(logging.ERROR):
        look(now=began, only=[subject])
        look(now=now(), only=[subject])
    assert said in mail.outbox[0].body
    assert any(said in line and line.startswith(f"{subject}, since ") for line in caplog.messages)
    registry = CollectorRegistry()
    registry.register(Site())
    serious = 1.0 if subject == "broker" else 2.0
    assert f'rummy_check_bad{{subject="{subject}"}} {serious}' in generate_latest(registry).decode()
    client = Client()
    client.force_login(person("asha", Role.OWNER, club_called("Asha's club", "asha")))
    page = client.get("/admin/").content.decode()
    # Directors and owners read of worker and broker in a line of its own, as of now.
    assert (SiteCheck(subject=subject).get_subject_display() in page) is (subject != "broker")
    if subject == "broker":
        store_heartbeat("worker", at=now(), broker_down_since=began)
        assert "Message queue out of reach for 10 minutes. Start the broker or correct its password" in " ".join(
            client.get("/admin/").content.decode().split()
        )


def test_what_went_well_is_noted_for_pages_of_other_machines(settings: Any, tmp_path: Path):
    """Planted faults: a web machine looks for backups on its own disk; a disk that is away takes the date with it; the
    date of another disk, or machine, stays where there is no backup.
    """
    settings.BACKUP_DIR = tmp_path
    backup = tmp_path / "rummy-20261120T031500Z"
    backup.mkdir()
    (backup / "manifest.json").touch()
    proven = datetime(2026, 11, 19, 4, 0, tzinfo=UTC)
    (tmp_path / "tries.json").write_bytes(msgspec.json.encode(Tries(restore=Try(at=proven, good_at=proven))))
    look_at(0, only=("backups", "restores"))
    settings.BACKUP_DIR = tmp_path / "gone"
    look_at(5, only=("backups", "restores"))
    found = dict(SiteCheck.objects.values_list("subject", "good_at"))
    assert found == {"backups": datetime(2026, 11, 20, 3, 15, tzinfo=UTC), "restores": proven}
    settings.BACKUP_DIR.mkdir()
    look_at(10, only=("backups", "restores"))
    assert set(SiteCheck.objects.values_list("good_at", flat=True)) == {None}, "the folder is empty"


def test_owners_read_on_today_when_a_backup_was_made_and_proven_and_others_cost_nothing_more(settings: Any):
    """Planted faults: a statement more for each director and scorer; a moment in UTC that no clock in the club shows; a
    date without whether it was ever proven; a new site whose trial restore is said to have failed because the first
    look came before it."""
    club = club_called("Asha's club", "asha", timezone="Asia/Kolkata")
    owner, director = Client(), Client()
    owner.force_login(person("asha", Role.OWNER, club))
    director.force_login(person("dita", Role.DIRECTOR, club))
    SiteCheck.objects.create(subject="backups", good_at=datetime(2026, 11, 20, 3, 15, tzinfo=UTC))
    page = " ".join(owner.get("/admin/").content.decode().split())
    assert "Last backup: Fri 20 Nov 2026, 08:45. No backup has been restored on trial yet." in page
    proven, looked = datetime(2026, 11, 19, 4, 0, tzinfo=UTC), now()
    SiteCheck.objects.create(subject="restores", good_at=proven, since=looked, bad_at=looked)
    page = " ".join(owner.get("/admin/").content.decode().split())
    assert "Last restored on trial and verified: Thu 19 Nov 2026, 09:30." in page
    assert "The site needs attention." not in page
    with CaptureQueriesContext(connection) as caught:
        assert "Last backup" not in director.get("/admin/").content.decode()
    assert not [query for query in caught if "sitecheck" in query["sql"]]


def test_a_site_without_a_folder_for_backups_is_not_told_of_it_each_day(settings: Any):
    settings.BACKUP_DIR = None
    look(now=BEGAN)
    assert not {"backups", "restores", "boxes"} & set(SiteCheck.objects.values_list("subject", flat=True))
