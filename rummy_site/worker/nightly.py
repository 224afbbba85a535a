"""Backups that nobody must remember: one a day, one a week restored and proven, and what became of the last tries.

The worker calls `keep_backups` where BACKUP_DIR is set and BACKUP_EVERY_HOURS is not 0. Each step is a command in a
process of its own: it takes minutes on a large site, and ends without taking the worker along.
What became of it stands in BACKUP_DIR/tries.json, for `manage.py doctor`, `/metrics` and Today.
"""

import fcntl
import logging
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
from django.conf import settings
from django.db.models import Max

from rummy_site.backup_folder import TRIES, Try, backups_in, last_tries
from rummy_site.environment import BASE_DIR
from tournaments.models import Scoresheet

# As docs/how-to/backups.md advises; who wants others sets BACKUP_EVERY_HOURS=0 and calls `manage.py backup`.
KEEP = ("--keep", "3", "--keep-daily", "7", "--keep-weekly", "5", "--keep-monthly", "12")
RESTORED_EVERY = timedelta(days=7)
# A backup waits until the evening is over, but not for ever.
QUIET, PATIENCE = timedelta(minutes=30), timedelta(hours=6)
LONGEST = timedelta(hours=6)
LOCK = ".tries.lock"
MOST_OUTPUT = 2_000

logger = logging.getLogger(__name__)


def keep_backups(folder: Path, *, now: datetime) -> None:
    """Make a backup if one is due, copy it elsewhere, and once a week restore the newest one on trial.

    Of several workers with the same folder one does it.
    """
    with (folder / LOCK).open("w") as lock, suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if is_backup_due(folder, now=now):
            is_made = _run("backup", folder, [*_manage("backup"), str(folder), *KEEP], now=now)
            if is_made and settings.BACKUP_THEN:
                newest = backups_in(folder)[0][1]
                _run("elsewhere", folder, [*shlex.split(settings.BACKUP_THEN), str(newest)], now=now)
        if is_restore_due(folder, now=now):
            newest = backups_in(folder)[0][1]
            _run("restore", folder, [*_manage("restore"), str(newest), "--try"], now=now, backup=newest.name)


def is_backup_due(folder: Path, *, now: datetime) -> bool:
    """Whether the newest backup is old enough, and nobody plays; one that is much too old does not wait for that."""
    newest = max((moment for moment, _ in backups_in(folder)), default=None)
    tried = last_tries(folder).backup
    if tried is not None and tried.problem and now - tried.at < timedelta(hours=1):
        return False
    due_since = (newest or datetime.min.replace(tzinfo=now.tzinfo)) + timedelta(hours=settings.BACKUP_EVERY_HOURS)
    if now < due_since:
        return False
    last = Scoresheet.objects.aggregate(last=Max("last_recorded_at"))["last"]
    return newest is None or last is None or now - last >= QUIET or now - due_since >= PATIENCE


def is_restore_due(folder: Path, *, now: datetime) -> bool:
    """Whether a week has passed since a backup was restored on trial, a day where the last trial failed."""
    tried = last_tries(folder).restore
    wait = timedelta(days=1) if tried is not None and tried.problem else RESTORED_EVERY
    return bool(backups_in(folder)) and (tried is None or now - tried.at >= wait)


def _manage(command: str) -> list[str]:
    return [sys.executable, "-m", "rummy_site", "manage", command]


def _run(step: str, folder: Path, command: Sequence[str], *, now: datetime, backup: str = "") -> bool:
    """Run a step, and note in the folder what became of it. Whether it went well."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "rummy_site.settings", "PROCESS_KIND": ""}
    began = datetime.now(now.tzinfo)
    try:
        done = subprocess.run(  # noqa: S603 (ours, or named in the settings)
            command,
            cwd=BASE_DIR,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST.total_seconds(),
        )
        # Status 3: made, and some records cannot be read; the doctor names them.
        problem = "" if done.returncode in (0, 3) else (done.stdout + done.stderr).strip()[-MOST_OUTPUT:] or "failed"
    except (OSError, subprocess.TimeoutExpired) as error:
        problem = str(error)
    before = getattr(last_tries(folder), step)
    good_at = now if not problem else before.good_at if before is not None else None
    seconds = (datetime.now(now.tzinfo) - began).total_seconds()
    new = Try(at=now, backup=backup, seconds=round(seconds, 1), problem=problem, good_at=good_at)
    draft = folder / f".{TRIES}"
    draft.write_bytes(msgspec.json.encode(msgspec.structs.replace(last_tries(folder), **{step: new})))
    draft.replace(folder / TRIES)
    if problem:
        logger.error("%s failed: %s", step, problem)
    return not problem
