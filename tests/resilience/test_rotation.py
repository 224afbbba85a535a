"""Which backups are kept, and how old the newest one is."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from rummy_site.backup_folder import backups_in
from rummy_site.database import database_file
from rummy_site.environment import MANIFEST
from rummy_site.operations.backup import digest_of
from rummy_site.operations.backup_rotation import Keeping, clear_leftovers, rotate, staying
from rummy_site.operations.doctor import Level, examine
from rummy_site.worker.nightly import keep_backups

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
NIGHTS = [NOON - timedelta(days=days) for days in range(100)]


def put(folder: Path, moment: datetime, *, is_damaged: bool = False) -> Path:
    """A backup as the command leaves it."""
    backup = folder / f"rummy-{moment:%Y%m%dT%H%M%SZ}"
    backup.mkdir(parents=True)
    (backup / "rummy.sqlite3").write_bytes(b"all of it")
    manifest = {"file": "rummy.sqlite3", "sha256": digest_of(backup / "rummy.sqlite3")}
    (backup / MANIFEST).write_text(json.dumps(manifest))
    if is_damaged:
        (backup / "rummy.sqlite3").write_bytes(b"all of iT")
    return backup


def days_kept(keeping: Keeping) -> list[int]:
    return sorted((NOON - moment).days for moment in staying(NIGHTS, keeping))


def test_so_many_of_the_last_days_weeks_and_months_stay():
    assert days_kept(Keeping(last=3)) == [0, 1, 2]
    assert days_kept(Keeping(daily=2)) == [0, 1]
    assert days_kept(Keeping(weekly=3)) == [0, 7, 14]
    assert days_kept(Keeping(monthly=3)) == [0, 22, 53]
    assert days_kept(Keeping(last=1, daily=3, monthly=2)) == [0, 1, 2, 22]


def test_of_one_day_the_newest_stays():
    hours = [NOON - timedelta(hours=hour) for hour in range(6)]
    assert staying(hours, Keeping(daily=1)) == {NOON}


@given(
    keeping=st.builds(Keeping, last=st.integers(0, 3), daily=st.integers(0, 3), weekly=st.integers(0, 3)),
    ages=st.lists(st.integers(0, 4_000), min_size=2, max_size=12, unique=True),
    damaged=st.sets(st.integers(0, 11)),
)
def test_the_last_good_one_never_goes(tmp_path_factory: Any, keeping: Keeping, ages: list[int], damaged: set[int]):
    """Whatever number is asked for, whichever are damaged, and whatever clock named them.

    Planted faults it catches: the newest by its name kept instead of the one just proven; a damaged one counted as
    one that is kept; all deleted where nothing was asked for.
    """
    folder = tmp_path_factory.mktemp("backups")
    taken, *others = [
        put(folder, NOON - timedelta(hours=age), is_damaged=number in damaged and number > 0)
        for number, age in enumerate(ages)
    ]
    good = {path for number, path in enumerate(others, start=1) if number not in damaged}
    gone = set(rotate(folder, keeping, taken=taken, now=NOON))
    assert taken.is_dir()
    assert gone <= good
    assert not good or good - gone, "one good one before it stays"
    assert gone == set() or keeping.is_asked_for
    assert {path for _, path in backups_in(folder, now=NOON)} == {taken, *others} - gone


def test_what_is_no_backup_is_left_alone_and_one_half_taken_away_is_none(tmp_path: Path, monkeypatch: Any):
    """Planted fault it catches: a folder emptied file by file under the name of a whole backup."""
    taken, _, old = (put(tmp_path, NOON - timedelta(days=days)) for days in range(3))
    for name in ("rummy-notes", "photos", ".unfinished-rummy-20260101T000000Z-1"):
        (tmp_path / name).mkdir()

    def killed(path: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rummy_site.operations.backup_rotation.shutil.rmtree", killed)
    with pytest.raises(KeyboardInterrupt):
        list(rotate(tmp_path, Keeping(last=1), taken=taken, now=NOON))
    assert not old.exists()
    assert [path for _, path in backups_in(tmp_path, now=NOON)] == [
        taken,
        tmp_path / f"rummy-{NOON - timedelta(days=1):%Y%m%dT%H%M%SZ}",
    ]
    assert (tmp_path / "photos").is_dir()


def test_what_a_killed_backup_left_behind_goes_after_a_day(tmp_path: Path):
    """Planted fault it catches: the draft of a backup that is being made just now taken for a leftover."""
    for name in (".unfinished-rummy-20260101T000000Z-1", ".leaving-rummy-20260101T000000Z", ".mine-rummy-x", "rummy-x"):
        (tmp_path / name).mkdir()
    now = datetime.now(UTC)
    assert list(clear_leftovers(tmp_path, now=now + timedelta(hours=23))) == []
    gone = list(clear_leftovers(tmp_path, now=now + timedelta(hours=25)))
    assert [path.name[:8] for path in gone] == [".leaving", ".unfinis"]
    assert {path.name for path in tmp_path.iterdir()} == {".mine-rummy-x", "rummy-x"}


@pytest.mark.django_db
def test_the_doctor_tells_the_age_of_the_newest_backup_that_can_be_read(settings: Any, tmp_path: Path):
    """Planted faults it catches: the age of a folder's name alone; a damaged copy taken for a backup."""

    def said() -> tuple[Level, str]:
        ((level, words),) = [(found.level, found.text) for found in examine(now=NOON) if found.subject == "backups"]
        return level, words

    settings.BACKUP_DIR, settings.BACKUP_THEN = None, "rclone"
    assert said()[0] is Level.WARNING
    settings.BACKUP_DIR = tmp_path
    assert said()[0] is Level.BAD
    put(tmp_path, NOON - timedelta(days=8))
    assert said()[0] is Level.BAD
    put(tmp_path, NOON - timedelta(days=2))
    assert said() == (Level.WARNING, "the newest backup that can be read is 2 days old")
    put(tmp_path, NOON - timedelta(hours=9))
    assert said()[0] is Level.FINE
    put(tmp_path, NOON - timedelta(hours=1), is_damaged=True)
    assert said() == (Level.FINE, "the newest backup that can be read is 9 h old")


@pytest.mark.django_db
def test_a_backup_on_the_disk_of_the_data_and_a_disk_that_is_not_mounted_are_told(settings: Any, tmp_path: Path):
    """Planted fault: a mount point without its disk, where backups would go to the disk that they should outlive."""
    settings.BACKUP_DIR = tmp_path / "not-mounted" / "rummy"
    told = [(finding.level, finding.text) for finding in examine(now=NOON) if finding.subject == "backups"]
    assert told == [
        (Level.BAD, f"no backup is made: {settings.BACKUP_DIR} is not there. Mount its disk, or make the folder")
    ]
    with pytest.raises(CommandError, match="is not there"):
        call_command("backup", str(settings.BACKUP_DIR))
    keep_backups(settings.BACKUP_DIR, now=NOON)
    assert not list(tmp_path.iterdir())
    if file := database_file():
        settings.BACKUP_DIR = file.parent
        assert any("with the disk both are lost" in finding.text for finding in examine(now=NOON))
        settings.BACKUP_THEN = "rclone"
        assert not any("with the disk both are lost" in finding.text for finding in examine(now=NOON))
