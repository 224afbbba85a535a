"""An empty database is migrated once, and each process of the tests begins with a copy of it.

Migrating costs some seven seconds of a processor, and eight processes of one `make test` need a database. The
copy is kept in the virtualenv, under a digest of the migrations and of the code that they run.
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

ROOT = Path(__file__).resolve().parents[2]
KEPT = Path(sys.prefix) / "migrated"
# Migrations, and the code that they run.
SOURCES = (
    *("scoring/migrations", "scoring/ledger", "scoring/storage", "tournaments/migrations"),
    *("tournaments/models", "tournaments/log", "tournaments/seasons"),
)
# One for each branch that is being worked on.
OTHERS = "requirements/run.txt"
# One for each branch that somebody works on by turns.
MOST_KEPT = 5


def copy_kept(kind: str, make: Callable[[Path], object], target: Path, *, of: str = "") -> None:
    """Copy what `make` makes to the given path. The first process that asks makes it; the others wait.

    It is kept for code with this digest, which is that of the migrations unless another is given.
    """
    KEPT.mkdir(exist_ok=True)
    finished = KEPT / f"{of or _digest()}.{kind}"
    with (KEPT / f"lock.{kind}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not finished.exists():
            for older in sorted(KEPT.glob(f"[0-9a-f]*.{kind}"), key=_made_at)[: 1 - MOST_KEPT]:
                remove(older)
            # A folder of its own: what a process left when it was stopped half-way must not be used.
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
    """Run a command of `manage.py` on a database; the process has its data in `folder`."""
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


def remove(path: Path) -> None:
    """Delete a file or a folder."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
