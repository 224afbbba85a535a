"""A machine that boots in 2036, and is set right later: what it wrote meanwhile stops nothing until that year."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.utils.timezone import now

from rummy_site.backup_folder import Try, backups_in, note_try
from rummy_site.operations import doctor, restore
from rummy_site.operations.alarms import look
from rummy_site.operations.backup_rotation import Keeping, clear_leftovers, rotate
from rummy_site.operations.doctor import Level, examine
from rummy_site.operations.metrics import _age
from rummy_site.worker.nightly import is_backup_due, is_copy_due, is_restore_due
from tests.builders.admin_tables import person
from tests.builders.playing import context, finished_pool
from tests.builders.receivers import new_receiver
from tournaments import log
from tournaments.boxes.keeping import boxes_of, make_box, write_due_boxes
from tournaments.models import (
    ClubReadings,
    Device,
    FailedAttempts,
    PublishedCopy,
    SiteCheck,
    TableToken,
    Tournament,
    WorkerHeartbeat,
)
from tournaments.people.access import LOGIN, Attempt, begin
from tournaments.projections.stale import Settling, note_checks, site_state, unchecked_since, worker_state
from tournaments.running.commands.close import close_tournament
from tournaments.seasons.commands.update import clubs_to_read
from tournaments.tasks import end_claims_ahead, store_heartbeat

pytestmark = pytest.mark.django_db
AHEAD, NOW = datetime(2036, 1, 1, 3, 0, tzinfo=UTC), datetime(2026, 11, 21, 18, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def ahead() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(AHEAD, tick=False) as clock:
        yield clock


def backup_of(folder: Path, moment: datetime) -> Path:
    path = folder / f"rummy-{moment:%Y%m%dT%H%M%SZ}"
    path.mkdir()
    (path / "manifest.json").write_text("{}")
    return path


def test_backups_go_on(ahead: time_machine.Traveller, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch):
    """Planted faults: the last backup is of 2036, so none is due; that one is copied and tried for ever, and takes the
    place of a newer one; a try that failed then is tried again an hour after.
    """
    settings.BACKUP_DIR, settings.BACKUP_THEN = tmp_path, "copy"
    monkeypatch.setattr("rummy_site.operations.backup_rotation.is_good", lambda path: True)
    early, failed = backup_of(tmp_path, AHEAD), Try(at=AHEAD, good_at=AHEAD, problem="no room")
    note_try(tmp_path, backup=failed, elsewhere=failed, restore=failed)
    ahead.move_to(NOW)
    assert backups_in(tmp_path, now=NOW) == []
    assert is_backup_due(tmp_path, now=NOW)
    new, newest = backup_of(tmp_path, NOW - DAY), backup_of(tmp_path, NOW)
    assert not is_backup_due(tmp_path, now=NOW)
    assert is_backup_due(tmp_path, now=NOW + DAY)
    assert is_copy_due(tmp_path, now=NOW)
    assert is_restore_due(tmp_path, now=NOW)
    assert list(rotate(tmp_path, Keeping(last=1), taken=newest, now=NOW)) == []
    assert {early, new, newest} <= set(tmp_path.iterdir())
    ((level, text),) = [(found.level, found.text) for found in examine(now=NOW) if found.subject == "clock"]
    assert level is Level.WARNING
    assert text.startswith(f"{early} bears a moment that lies ahead")


def test_alarms_go_on(ahead: time_machine.Traveller, mailoutbox: list[Any], settings: Any):
    """Planted faults: what was told in 2036 is told again in 2036; a worker of then counts as alive; so does its look;
    an age below zero rings at nobody's.
    """
    settings.HAS_MAIL_SERVER, settings.ALARMS_TO = True, ["owner@club.example"]
    moment = AHEAD + timedelta(minutes=20)
    for minutes in (0, 10):
        look(now=AHEAD + timedelta(minutes=minutes), only=("worker",))
    assert len(mailoutbox) == 1
    SiteCheck.objects.update(good_at=AHEAD, held_until=moment)
    store_heartbeat("worker", at=AHEAD, broker_down_since=AHEAD)
    note_checks(now=AHEAD)
    ahead.move_to(NOW)
    assert worker_state(now=NOW).settling is Settling.NEVER
    assert site_state(now=NOW).bad == ()
    store_heartbeat("other", at=NOW)
    assert unchecked_since(now=NOW) is not None
    WorkerHeartbeat.objects.filter(name="other").delete()
    for minutes in (0, 10):
        look(now=NOW + timedelta(minutes=minutes), only=("worker",))
    assert len(mailoutbox) == 2
    row = SiteCheck.objects.get(subject="worker")
    assert (row.since, row.good_at) == (NOW, None)
    assert _age(AHEAD, NOW) > 9 * 365 * DAY.total_seconds()


def test_claims_and_locks_of_then_end(ahead: time_machine.Traveller):
    """Planted faults: a login locked until 2036; no message, no copy and no season until then."""
    table = finished_pool()
    club, tournament = table.row.tournament.club, table.row.tournament
    receiver = new_receiver(club, busy_until=AHEAD)
    waiting = receiver.deliveries.create(position=1, number=1, message_id="m", kind="test", body="{}", told_at=AHEAD)
    PublishedCopy.objects.create(tournament=tournament.pk, club=club.pk, busy_until=AHEAD, whole_at=AHEAD)
    ClubReadings.objects.update_or_create(club=club, defaults={"due": 9, "begun_at": AHEAD, "beat_at": AHEAD})
    Device.objects.create(club=club, table=table.row, key="d", actor="a", seen_at=AHEAD)
    tries = Attempt(kind=LOGIN, subject="asha", place="192.0.2.1")
    while begin(tries, now=AHEAD).is_admitted:
        pass
    ahead.move_to(NOW)
    assert not begin(tries, now=NOW).is_admitted
    end_claims_ahead(now=NOW)
    assert begin(tries, now=NOW).is_admitted
    receiver.refresh_from_db()
    waiting.refresh_from_db()
    copy = PublishedCopy.objects.get()
    assert (receiver.busy_until, waiting.next_try_at, copy.busy_until, copy.whole_at) == (NOW, NOW, NOW, None)
    assert Device.objects.get().seen_at == NOW
    assert ClubReadings.objects.get().beat_at is None
    assert club.pk in clubs_to_read()
    begin(tries, now=NOW)
    end_claims_ahead(now=NOW)
    assert FailedAttempts.objects.exists(), "what lies where it may stays"


def test_boxes_go_on(ahead: time_machine.Traveller, tmp_path: Path, settings: Any):
    """Planted faults: a box of 2036 is the newest until then; a tournament that closed then has a new one each time."""
    settings.BACKUP_DIR = tmp_path
    table = finished_pool()
    club = table.row.tournament.club
    make_box(club, now=AHEAD)
    table.close()
    close_tournament(table.row.tournament_id, context=context())
    Tournament.objects.update(closed_at=AHEAD)
    ahead.move_to(NOW)
    assert [write_due_boxes(now=NOW) for _ in range(2)] == [0, 0]
    Tournament.objects.update(closed_at=NOW - DAY)
    assert [write_due_boxes(now=NOW) for _ in range(2)] == [1, 0]
    assert len(boxes_of(club.pk)) == 2, "none of then is deleted"


def test_what_a_killed_backup_left_behind_goes(tmp_path: Path):
    """Planted fault: a copy of all data stays until a day after the moment at which it was made."""
    draft = tmp_path / ".unfinished-rummy-20360101T030000Z-1"
    draft.mkdir()
    assert list(clear_leftovers(tmp_path, now=NOW - 4_000 * DAY)) == [draft]


def test_a_restore_is_proven_although_a_worker_was_seen_in_2036(monkeypatch: pytest.MonkeyPatch):
    """Planted fault: `restore --here` refuses until then."""
    store_heartbeat("worker", at=now() + 3_000 * DAY)

    def begun(reason: str) -> list[str]:
        raise InterruptedError

    monkeypatch.setattr(restore, "statements_that_close", begun)
    with pytest.raises(InterruptedError):
        restore.prove_and_open([], write=print)


def test_the_doctor_says_what_was_recorded_then_and_what_lasts_too_long(ahead: time_machine.Traveller):
    """Planted fault: a table card of 2036 opens its table for ten years, and nobody knows."""
    table = finished_pool()
    by, lasting = person("dita"), {"created_at": NOW, "expires_at": AHEAD}
    club = table.row.tournament.club
    TableToken.objects.create(club=club, table=table.row, digest="d" * 64, created_by=by, table_version=1, **lasting)
    log.seal_club(club.pk, AHEAD)
    texts = [text for _, text in doctor.LOOKS["clock"](NOW)]
    assert len(texts) == 2
    assert "events and 1 seals bear a moment that lies ahead; they stay" in texts[0]
    assert texts[1] == "1 table cards last longer than any may: sign out, or revoke them"
