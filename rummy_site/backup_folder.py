"""What lies in a folder of backups: the backups, and what became of the last tries to make, copy and restore one.

What bears a moment that lies ahead was written while the clock of a machine was wrong. It is left alone and never taken
for the newest: until that moment comes no other one would be made, copied or tried.
"""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from rummy_site.environment import MANIFEST
from tournaments.projections.stale import AHEAD

NAME = re.compile(r"rummy-\d{8}T\d{6}Z")
TRIES = "tries.json"
# A step that takes longer is ended.
LONGEST = timedelta(hours=6)


def backups_in(folder: Path, *, now: datetime) -> list[tuple[datetime, Path]]:
    """The finished backups of a folder by the moment in their names, newest first, but those that lie ahead."""
    return [(moment, path) for moment, path in all_backups_in(folder) if moment <= now + AHEAD]


def all_backups_in(folder: Path) -> list[tuple[datetime, Path]]:
    """The finished backups of a folder by the moment in their names, the latest moment first."""
    backup_paths = [
        path for path in folder.glob("rummy-*") if NAME.fullmatch(path.name) and (path / MANIFEST).is_file()
    ]
    at = {path: datetime.strptime(path.name, "rummy-%Y%m%dT%H%M%SZ").replace(tzinfo=UTC) for path in backup_paths}
    return sorted(((moment, path) for path, moment in at.items()), reverse=True)


class Try(msgspec.Struct, frozen=True, kw_only=True):
    """The last try of a step: when, with which backup, how long it took, and what went wrong (empty: nothing)."""

    at: datetime
    backup: str = ""
    seconds: float = 0
    problem: str = ""
    # The last one that went well.
    good_at: datetime | None = None


class Tries(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the last backup, of its copy elsewhere (BACKUP_THEN), and of the last restore on trial."""

    backup: Try | None = None
    elsewhere: Try | None = None
    restore: Try | None = None


def last_tries(folder: Path, *, now: datetime) -> Tries:
    """What stands in the folder, but what lies ahead; nothing where it was never tried."""
    tries = _noted_tries(folder)
    return Tries(**{step: _until(now, getattr(tries, step)) for step in Tries.__struct_fields__})


def _until(now: datetime, last: Try | None) -> Try | None:
    if last is None or last.at > now + AHEAD:
        return None
    is_ahead = last.good_at is not None and last.good_at > now + AHEAD
    return msgspec.structs.replace(last, good_at=None) if is_ahead else last


def _noted_tries(folder: Path) -> Tries:
    try:
        return msgspec.json.decode((folder / TRIES).read_bytes(), type=Tries)
    except (OSError, msgspec.MsgspecError):
        return Tries()


def note_try(folder: Path, **steps: Try) -> None:
    """Note in the folder what became of a step."""
    draft = folder / f".{TRIES}"
    draft.write_bytes(msgspec.json.encode(msgspec.structs.replace(_noted_tries(folder), **steps)))
    draft.replace(folder / TRIES)
