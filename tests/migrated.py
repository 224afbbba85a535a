"""An empty database is migrated once, and each process of the tests begins with a copy of it.

Migrating costs ten to fifteen seconds of a processor, and eight processes of one `make test` want a database. What is
kept lies in the virtualenv, under a name that says of which migrations, and of which code behind them, it was made.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = Path(sys.prefix) / "migrated"
# Migrations, and what they run besides themselves.
SOURCES = (
    *("scoring/migrations", "scoring/ledger", "tournaments/migrations"),
    *("tournaments/models", "tournaments/log", "tournaments/seasons"),
)
# The migrations of Django and of packages are those that it names.
OTHERS = "requirements/run.txt"
# One for each branch that somebody works on by turns.
MOST_KEPT = 5


def copy_kept(kind: str, make: Callable[[Path], object], target: Path) -> None:
    """Copy what `make` makes at the path that it is given. The first process that asks makes it; the others wait."""
    KEPT.mkdir(exist_ok=True)
    finished = KEPT / f"{_digest()}.{kind}"
    with (KEPT / f"lock.{kind}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not finished.exists():
            for older in sorted(KEPT.glob(f"[0-9a-f]*.{kind}"), key=_made_at)[: 1 - MOST_KEPT]:
                _remove(older)
            # A folder of its own: what a process left that was stopped in the middle is nothing to go on from.
            with tempfile.TemporaryDirectory(dir=KEPT) as folder:
                unfinished = Path(folder) / kind
                make(unfinished)
                unfinished.rename(finished)
        (shutil.copytree if finished.is_dir() else shutil.copyfile)(finished, target)


def copy_for_sqlite(database: Path) -> None:
    """Put an empty, migrated database where this process will look for its own."""
    for beside in ("-wal", "-shm"):
        database.with_name(database.name + beside).unlink(missing_ok=True)
    copy_kept("sqlite3", _migrate_on_sqlite, database)


def manage(address: str, folder: Path, *words: str) -> None:
    """Do what `manage.py` does to a database; the process has its data in `folder`."""
    site = {"DATABASE_URL": address, "VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "rummy_site.settings"}
    subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, env={**os.environ, **site}, check=True)


def _migrate_on_sqlite(database: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        manage(f"sqlite:///{database}", Path(folder), "migrate", "-v0")


def _digest() -> str:
    modules = (path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.py")))
    return sha256(b"".join(path.read_bytes() for path in (ROOT / OTHERS, *modules))).hexdigest()[:16]


def _made_at(path: Path) -> float:
    return path.stat().st_mtime


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
