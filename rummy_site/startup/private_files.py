"""What the service writes is for its owner alone: the database holds names, amounts and the hashes of passwords.

Rules: docs/reference/running.md, "What it refuses". The door of every process sets the mask, `serve` closes what stood
open before, and the doctor looks.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

PRIVATE_MASK = 0o077
OTHERS = 0o007
ENTER = 0o001


def keep_to_owner() -> None:
    """What this process writes from now on nobody else can read."""
    os.umask(PRIVATE_MASK)


def private_paths(var: Path, database: Path | None) -> list[Path]:
    """What must be its owner's alone and is there: the data folder, its key, and SQLite's files wherever they lie."""
    files = [database.with_name(database.name + end) for end in ("", "-wal", "-shm")] if database else []
    return [path for path in (var, var / "secret_key", *files) if path.exists()]


def too_open(paths: list[Path]) -> Iterator[tuple[Path, int]]:
    """Those that group or others may use, and by which rights."""
    for path in paths:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & PRIVATE_MASK:
            yield path, mode


def is_in_reach(path: Path, mode: int) -> bool:
    """Whether anybody on the machine can use it: they may, and may enter the folder where it lies."""
    return bool(mode & OTHERS) and (path.is_dir() or bool(path.parent.stat().st_mode & ENTER))


def close(paths: list[Path]) -> Iterator[str]:
    """Take the rights of group and others away; what was done, or why it could not be."""
    for path, mode in list(too_open(paths)):
        try:
            path.chmod(mode & ~PRIVATE_MASK)
        except PermissionError:
            yield f"{path} can be read by others (mode {mode:04o}), and is not ours to close"
        else:
            yield f"{path} could be read by others (mode {mode:04o}); now by its owner alone"
