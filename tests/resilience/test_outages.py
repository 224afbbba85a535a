"""Promise 17: a full disk and a missing broker are reported plainly, and everything continues afterwards."""

import errno
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from celery import Celery
from django.conf import settings
from django.db import Error, IntegrityError, InterfaceError, InternalError, OperationalError, connection
from django.test import Client
from django.urls import reverse

from rummy_site.authentication.sessions import SessionStore
from rummy_site.environment import broker_options
from tests.builders.club_at_play import Evening, Write, deal, new_evening
from tests.builders.phones import NearPhone
from tests.builders.proofs import complaints, is_settled, stored_keys
from tournaments.tasks import sweep_settlements
from tournaments.transient_errors import is_outage, outage_of
from tournaments.web.api import authentication

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
MANY = 400
LONGEST_WAIT_SECONDS = 30


@pytest.fixture
def evening() -> Evening:
    return new_evening()


@contextmanager
def full_disk() -> Iterator[None]:
    """SQLite may not grow by a page; PostgreSQL raises for each new event what it raises when its disk is full."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            # Pages that earlier tests left free would be filled first.
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA page_count")
            cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
        else:
            cursor.execute(
                "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION "
                "'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$"
            )
            cursor.execute(
                "CREATE TRIGGER no_room BEFORE INSERT ON tournaments_event EXECUTE FUNCTION no_room();"
                "CREATE TRIGGER no_room BEFORE UPDATE ON tournaments_apitoken EXECUTE FUNCTION no_room()"
            )
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("PRAGMA max_page_count = 1073741823")
            else:
                cursor.execute("DROP FUNCTION no_room CASCADE")


def write_until_refused(phone: NearPhone, table_id: object) -> tuple[list[Write], Write, Any]:
    """Deal after deal until the disk is full: what was acknowledged, what was not, and the error."""
    acknowledged: list[Any] = []
    for number in range(1, MANY):
        write = deal(table_id, number, random.Random(number))
        answer = phone.send(write)
        if answer.status_code != 201:
            return acknowledged, write, answer
        acknowledged.append(write)
    raise AssertionError("the disk was never full")


@pytest.mark.slow
def test_a_full_disk_refuses_the_deal_keeps_the_board_and_goes_on_when_there_is_room(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
):
    """Planted faults it catches: 500 for a full disk; an event acknowledged that the rolled-back transaction took
    along; a reading view that writes (a token's last use) and so fails with the disk.
    """
    monkeypatch.setattr(authentication, "NOTED_EVERY", timedelta(0))
    phone, table = NearPhone(evening), evening.new_table()
    board_page = reverse("pages:tournament", args=[evening.club.slug, evening.tournament.slug])
    with full_disk():
        acknowledged, refused, answer = write_until_refused(phone, table.id)
        assert answer.status_code == 503
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == "unavailable"
        assert phone.board().status_code == 200
        assert phone.client.get(board_page).status_code == 200
        with_token = phone.client.get(evening.board_path, headers={"Authorization": f"Bearer {evening.secret}"})
        assert with_token.status_code == 200
    again = phone.send(refused)
    assert (again.status_code, "Idempotency-Replayed" in again.headers) == (201, False)
    keys = stored_keys(evening.club)
    assert [keys[write.key] for write in [*acknowledged, refused]] == [1] * (len(acknowledged) + 1)
    assert complaints() == []


def test_a_database_that_does_not_answer_is_waited_for_once(monkeypatch: pytest.MonkeyPatch):
    """Planted fault: the session that could not be read is asked for again when the answer is there, to renew it."""
    waited: list[object] = []

    def load(session: SessionStore) -> None:
        waited.append(session)
        raise OperationalError("connection failed")

    monkeypatch.setattr(SessionStore, "load", load)
    client = Client(raise_request_exception=False)
    client.cookies[settings.SESSION_COOKIE_NAME] = "a" * 32
    for number, path in enumerate(("/admin/", "/api/v1/me/"), start=1):
        assert client.get(path).status_code == 503
        assert len(waited) == number


def test_a_broker_that_is_gone_costs_time_and_not_the_event(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """The deal is saved and its money shown as waiting; the sweep settles it. No request waits long for the message.

    Planted faults it catches: the message's failure passed on to the writer; publishing retried in front of the form;
    the obligation written by the worker that takes the message.
    """
    address = f"redis+socket://{tmp_path}/nobody.sock"
    gone = Celery("gone", set_as_current=False)
    gone.config_from_object("django.conf:settings", namespace="CELERY")
    gone.conf.update(broker_url=address, broker_transport_options=broker_options(address, folder=tmp_path))
    monkeypatch.setattr("rummy_site.celery.app", gone)
    phone, table = NearPhone(evening), evening.new_table()
    assert phone.send(deal(table.id, 1, random.Random(1))).status_code == 201
    began = time.monotonic()
    assert phone.send(deal(table.id, 2, random.Random(2))).status_code == 201
    assert time.monotonic() - began < LONGEST_WAIT_SECONDS
    assert not is_settled(evening.club)
    sweep_settlements()
    assert is_settled(evening.club)
    assert complaints() == []


def caused(error: Error, cause: BaseException) -> Error:
    """The error as Django raises it, chained to the driver's own."""
    error.__cause__ = cause
    return error


def sqlite_says(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("as SQLite says it")
    error.sqlite_errorcode = code
    return error


def test_an_outage_is_told_from_a_defect_and_says_what_failed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Planted faults it catches: every OperationalError taken for an outage (a missing table raises it on SQLite too);
    a full disk of the backups told as a database that does not answer; a path shown to strangers.
    """
    monkeypatch.setattr(settings, "BACKUP_DIR", tmp_path)
    box = str(tmp_path / "club.rummybox")
    for error, expected in (
        (caused(OperationalError(), sqlite_says(sqlite3.SQLITE_FULL)), "the disk of the database is full"),
        (
            caused(OperationalError(), sqlite_says(sqlite3.SQLITE_IOERR_WRITE)),
            "the database cannot read or write its files",
        ),
        (caused(OperationalError(), sqlite_says(sqlite3.SQLITE_BUSY_SNAPSHOT)), "the database is busy"),
        (caused(OperationalError(), sqlite_says(sqlite3.SQLITE_READONLY)), "the database is read-only"),
        (caused(OperationalError("no such table"), sqlite_says(sqlite3.SQLITE_ERROR)), None),
        (caused(OperationalError(), psycopg.errors.AdminShutdown()), "the database does not answer"),
        (caused(OperationalError(), psycopg.errors.DiskFull()), "the disk of the database is full"),
        (caused(OperationalError(), psycopg.errors.LockNotAvailable()), "the database is busy"),
        (caused(InternalError(), psycopg.errors.ReadOnlySqlTransaction()), "the database is read-only"),
        (InterfaceError("the connection is closed"), "the database does not answer"),
        (IntegrityError("a rule of the database"), None),
        (OSError(errno.ENOSPC, "No space left on device"), "a disk of the server is full"),
        (OSError(errno.ENOSPC, "No space left on device", box), "a disk of the server is full: BACKUP_DIR"),
        (OSError(errno.EROFS, "Read-only file system", "/elsewhere"), "a disk of the server is read-only"),
        (OSError(errno.EIO, "Input/output error", box), "a disk of the server is not there, or fails: BACKUP_DIR"),
        (
            PermissionError(errno.EACCES, "Permission denied", box),
            "the service may not use a folder of the server: BACKUP_DIR",
        ),
        (PermissionError(errno.EACCES, "a firewall, for a connection"), None),
        (FileNotFoundError(errno.ENOENT, "no such file"), None),
        (KeyError("a defect"), None),
    ):
        told = outage_of(error)
        assert (told and str(told)) == expected, repr(error)
        assert is_outage(error) is (expected is not None)


@pytest.mark.parametrize("path", ["/en-gb/", "/api/v1/clubs/"])
def test_an_outage_is_told_with_what_failed(path: str, client: Client, monkeypatch: pytest.MonkeyPatch):
    """Planted fault it catches: "The database does not answer", whatever failed."""

    def full(*args: Any, **kwargs: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(settings.VAR_DIR / "a file"))

    client.raise_request_exception = False
    monkeypatch.setattr(connection, "cursor", full)
    answer = client.get(path, headers={"Authorization": "Bearer x"})
    monkeypatch.undo()
    assert answer.status_code == 503
    assert "A disk of the server is full: VAR_DIR." in answer.content.decode()


def test_a_sign_in_that_meets_an_outage_does_not_repeat_the_password(monkeypatch: pytest.MonkeyPatch):
    """Planted fault it catches: every posted field put into the page that offers to send again."""

    def gone(*args: Any, **kwargs: Any) -> None:
        raise OperationalError("gone")

    client = Client(raise_request_exception=False)
    monkeypatch.setattr(connection, "cursor", gone)
    page = client.post("/admin/login/", {"username": "dita", "password": "correct horse"})
    monkeypatch.undo()
    assert page.status_code == 503
    assert "correct horse" not in page.content.decode()
    assert "Try again" in page.content.decode()
