"""What lies in a folder of backups: the backups, and what became of the last tries to make, copy and restore one."""

import os
import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import msgspec

from rummy_site.environment import MANIFEST

NAME = re.compile(r"rummy-\d{8}T\d{6}Z")
TRIES = "tries.json"
# A step that takes longer is ended.
LONGEST = timedelta(hours=6)
ANSWERS_WITHIN_SECONDS = 2.0
_looks: dict[Path, Thread] = {}


def is_hung(folder: Path) -> bool:
    """Whether a folder does not answer, as one whose server is gone: whoever reads it then waits for ever.

    The thread that looks waits in our place, one for each folder until it answers.
    """
    look = _looks.get(folder)
    if look is None or not look.is_alive():
        look = _looks[folder] = Thread(target=_read, args=[folder], daemon=True)
        look.start()
    look.join(ANSWERS_WITHIN_SECONDS)
    return look.is_alive()


def _read(folder: Path) -> None:
    with suppress(OSError):
        os.listdir(folder)


def backups_in(folder: Path) -> list[tuple[datetime, Path]]:
    """The finished backups of a folder by the moment in their names, newest first."""
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


def last_tries(folder: Path) -> Tries:
    """What stands in the folder; nothing where it was never tried."""
    try:
        return msgspec.json.decode((folder / TRIES).read_bytes(), type=Tries)
    except (OSError, msgspec.MsgspecError):
        return Tries()


def note_try(folder: Path, **steps: Try) -> None:
    """Note in the folder what became of a step."""
    draft = folder / f".{TRIES}"
    draft.write_bytes(msgspec.json.encode(msgspec.structs.replace(last_tries(folder), **steps)))
    draft.replace(folder / TRIES)
