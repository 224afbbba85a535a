"""Backups that nobody must remember: one a day, one a week restored and proven, and what became of the last tries.

The worker calls `keep_backups` where BACKUP_DIR is set and BACKUP_EVERY_HOURS is not 0. Each step is a command in a
process of its own: it takes minutes on a large site, and ends without taking the worker along.
What became of it stands in BACKUP_DIR/tries.json, for `manage.py doctor`.
"""

import fcntl
import logging
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import Max

from rummy_site.backup_folder import LONGEST, Try, backups_in, last_tries, note_try
from rummy_site.environment import BASE_DIR, ENDS_WITH_PARENT
from tournaments.management.terminal import UNREAD
from tournaments.models import Scoresheet
from tournaments.transient_errors import refuse_hung

# As docs/how-to/backups.md advises; who wants others sets BACKUP_EVERY_HOURS=0 and calls `manage.py backup`.
KEEP = ("--keep", "3", "--keep-daily", "7", "--keep-weekly", "5", "--keep-monthly", "12")
RESTORED_EVERY = timedelta(days=7)
# A backup and a trial wait until the evening is over, but not for ever.
QUIET, PATIENCE = timedelta(minutes=30), timedelta(hours=6)
AGAIN = timedelta(hours=1)
ENDING_SECONDS = 60
LOCK = ".tries.lock"
MOST_OUTPUT = 2_000

logger = logging.getLogger(__name__)


def keep_backups(folder: Path, *, now: datetime) -> None:
    """Make a backup if one is due, copy it elsewhere, and once a week restore the newest one on trial.

    Of several workers with the same folder one does it. A folder that is not there is not made: its disk may not be
    mounted. Raises OSError where the folder hangs.
    """
    refuse_hung(folder)
    if not folder.is_dir():
        logger.error("no backup is made: BACKUP_DIR %s is not there. Mount its disk, or make the folder", folder)
        return
    with (folder / LOCK).open("w") as lock, suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # A program that outlives a worker which was killed is not run a second time beside it.
        os.set_inheritable(lock.fileno(), True)  # noqa: FBT003 (its own signature)
        if is_backup_due(folder, now=now):
            _run("backup", folder, [*_manage("backup"), str(folder), *KEEP], now=now)
        if is_copy_due(folder, now=now):
            newest = backups_in(folder, now=now)[0][1]
            command = [*shlex.split(settings.BACKUP_THEN), str(newest)]
            _run("elsewhere", folder, command, now=now, backup=newest.name)
        if is_restore_due(folder, now=now):
            newest = backups_in(folder, now=now)[0][1]
            trial = [*_manage("restore"), str(newest), "--try"]
            _run("restore", folder, trial, now=now, backup=newest.name)


def is_backup_due(folder: Path, *, now: datetime) -> bool:
    """Whether the newest backup is old enough, and nobody plays; one that is much too old does not wait for that."""
    backups, tried = backups_in(folder, now=now), last_tries(folder, now=now).backup
    if tried is not None and tried.problem and now - tried.at < AGAIN:
        return False
    if not backups:
        return True
    due_since = backups[0][0] + timedelta(hours=settings.BACKUP_EVERY_HOURS)
    return now >= due_since and _is_time(due_since, now=now)


def is_copy_due(folder: Path, *, now: datetime) -> bool:
    """Whether the newest backup is not elsewhere yet; an hour passes after a copy that failed."""
    backups, tried = backups_in(folder, now=now), last_tries(folder, now=now).elsewhere
    if not backups or not settings.BACKUP_THEN:
        return False
    if tried is not None and tried.problem:
        return now - tried.at >= AGAIN
    return tried is None or tried.backup != backups[0][1].name


def is_restore_due(folder: Path, *, now: datetime) -> bool:
    """Whether a week has passed since a backup was restored on trial, a day where the last trial failed."""
    tried = last_tries(folder, now=now).restore
    wait = timedelta(days=1) if tried is not None and tried.problem else RESTORED_EVERY
    if not backups_in(folder, now=now):
        return False
    return tried is None or (now - tried.at >= wait and _is_time(tried.at + wait, now=now))


def _is_time(due_since: datetime, *, now: datetime) -> bool:
    """Whether nobody plays, or what is due has waited long enough for that."""
    if now - due_since >= PATIENCE:
        return True
    last = Scoresheet.objects.aggregate(last=Max("last_recorded_at"))["last"]
    # One that lies ahead was recorded while the clock was wrong, and says nothing of now.
    return last is None or abs(now - last) >= QUIET


def _manage(command: str) -> list[str]:
    return [sys.executable, "-m", "rummy_site", "manage", command]


def _run(step: str, folder: Path, command: Sequence[str], *, now: datetime, backup: str = "") -> None:
    """Run a step, and note in the folder what became of it. After LONGEST it is ended, with all that it has started."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "rummy_site.settings",
        "PROCESS_KIND": "",
        ENDS_WITH_PARENT: "true",
    }
    began = datetime.now(now.tzinfo)
    try:
        with subprocess.Popen(  # noqa: S603 (ours, or named in the settings)
            command,
            cwd=BASE_DIR,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # Whatever a program of somebody else's prints, what became of it is noted.
            errors="replace",
            # A group of its own, which can be ended as a whole.
            start_new_session=True,
            # It has the lock as well.
            close_fds=False,
        ) as process:
            try:
                output, _ = process.communicate(timeout=LONGEST.total_seconds())
            except subprocess.TimeoutExpired:
                _end_group(process)
                raise
        # Our own status 3: made, and some records cannot be read; the doctor names them. Of restic or rsync it is a
        # failure.
        is_good = process.returncode == 0 or (step == "backup" and process.returncode == UNREAD)
        problem = "" if is_good else output.strip()[-MOST_OUTPUT:] or "failed"
    except subprocess.TimeoutExpired:
        # Without the command: there may be a password in it.
        problem = f"it was ended after {LONGEST.total_seconds() / 3600:.0f} hours"
    except OSError as error:
        problem = str(error)
    if problem:
        # Before it is noted: a disk that is full may take no note.
        logger.error("%s failed: %s", step, problem)
    before = getattr(last_tries(folder, now=now), step)
    good_at = now if not problem else before.good_at if before is not None else None
    seconds = (datetime.now(now.tzinfo) - began).total_seconds()
    new = Try(at=now, backup=backup, seconds=round(seconds, 1), problem=problem, good_at=good_at)
    note_try(folder, **{step: new})


def _end_group(process: "subprocess.Popen[str]") -> None:
    """Ask a step to end, which a trial uses to drop its database; a moment later kill what is left of its group."""
    os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(ENDING_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
