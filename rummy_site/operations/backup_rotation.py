"""Which backups to keep: a number of the latest, and the newest of each of the last days, weeks and months.

Rules: docs/how-to/backups.md, "Backup and restore". Looks only at finished backups; anything else in the folder is left
alone.
"""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

from rummy_site.backup_folder import backups_in
from rummy_site.environment import MANIFEST

LEFTOVERS, DAY = (".unfinished-rummy-", ".leaving-rummy-"), timedelta(days=1)
Period = Callable[[datetime], object]
PERIODS: dict[str, Period] = {
    "daily": lambda moment: moment.date(),
    "weekly": lambda moment: moment.isocalendar()[:2],
    "monthly": lambda moment: (moment.year, moment.month),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """How many of each kind to keep. Without any number: all."""

    last: int = 0
    daily: int = 0
    weekly: int = 0
    monthly: int = 0

    @property
    def is_asked_for(self) -> bool:
        """Whether anything may be removed at all."""
        return bool(self.last or self.daily or self.weekly or self.monthly)


def is_good(backup: Path) -> bool:
    """Whether its database is unchanged since it was written."""
    try:
        manifest = json.loads((backup / MANIFEST).read_text(encoding="utf-8"))
        path = backup / manifest["file"]
        state = path.stat()
        return bool(_digest(path, state.st_size, state.st_mtime_ns) == manifest["sha256"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


@lru_cache(maxsize=64)
def _digest(path: Path, size: int, changed_at: int) -> str:
    """The digest of a file in one state: the worker asks every few minutes, and a copy may have gigabytes."""
    # Loads psycopg, which a worker on SQLite does not need.
    from rummy_site.operations.backup import digest_of  # noqa: PLC0415

    return digest_of(path)


def staying(moments: Iterable[datetime], keeping: Keeping) -> set[datetime]:
    """The ones to keep; `moments` come newest first."""
    newest_first = list(moments)
    kept_moments = set(newest_first[: keeping.last])
    for name, period in PERIODS.items():
        of_period: dict[object, datetime] = {}
        for moment in newest_first:
            of_period.setdefault(period(moment), moment)
        kept_moments |= set(list(of_period.values())[: getattr(keeping, name)])
    return kept_moments


def rotate(folder: Path, keeping: Keeping, *, taken: Path, now: datetime) -> Iterator[Path]:
    """Remove what need not be kept and return it. Never removes `taken`, nor the newest good one before it.

    Backups that can no longer be read, or that lie ahead, are not counted, so that they never displace good ones.
    """
    if not keeping.is_asked_for:
        return
    backups = backups_in(folder, now=now)
    good = [(moment, path) for moment, path in backups if path == taken or is_good(path)]
    kept_moments = staying([moment for moment, _ in good], keeping)
    before = next((path for _, path in good if path != taken), None)
    for moment, path in good:
        if moment not in kept_moments and path not in {taken, before}:
            # A folder with a backup's name is always complete.
            leaving = path.with_name(f".leaving-{path.name}")
            path.rename(leaving)
            shutil.rmtree(leaving)
            yield path


def clear_leftovers(folder: Path, *, now: datetime) -> Iterator[Path]:
    """Remove leftovers of a backup or removal that was killed at least a day ago: nothing works on them any more."""
    for path in sorted(folder.glob(".*-rummy-*")):
        is_ours = path.name.startswith(LEFTOVERS) and path.is_dir()
        # Also one that lies ahead: it was left behind while the clock was wrong.
        if is_ours and abs(now.timestamp() - path.stat().st_mtime) > DAY.total_seconds():
            shutil.rmtree(path)
            yield path
