"""The programs a backup calls: our own proofs over a copied file, and PostgreSQL's pg_dump.

Each runs in a process of its own, with the password in its environment and never among its words.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo

from rummy_site.environment import BASE_DIR
from tournaments.management.verdicts import UNREAD

DEBIAN_HOME = Path("/usr/lib/postgresql")
NO_PROGRAM = (
    "{name} was not found. Install the PostgreSQL client of the server's release (on Debian: postgresql-client), or "
    "name the program with --{option}. A base backup or snapshot by whoever runs the server does as well."
)


class NotCopied(Exception):
    """No backup was made; the message says why."""


def prove_sqlite(copy: Path, fingerprints: Sequence[str]) -> bool:
    """Hold a copied file to its own log: chains, boards, books, and each fingerprint noted before the copying.

    False where everything holds but for facts that cannot be read. Raises NotCopied where anything was changed.
    """
    noted = [word for fingerprint in fingerprints for word in ("--noted", fingerprint)]
    with tempfile.TemporaryDirectory(prefix="rummy-proof-") as folder:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "rummy_site.settings",
            "DATABASE_URL": f"sqlite:///{copy.resolve()}",
            "VAR_DIR": folder,
        }
        return _run([sys.executable, "manage.py", "prove", *noted], environment, beside=UNREAD) != UNREAD


def copy_postgresql(parameters: Mapping[str, Any], copy: Path, *, pg_dump: str | None) -> None:
    """One consistent dump in PostgreSQL's custom format, read back to its end. `parameters` are the driver's."""
    program = _program("pg_dump", pg_dump)
    address, environment = _address(parameters)
    options = ["--format=custom", "--no-owner", "--no-privileges", "--lock-wait-timeout=20s", f"--file={copy}"]
    _run([program, *options, f"--dbname={address}"], environment)
    restore = Path(program).with_name("pg_restore")
    if restore.exists():
        _run([str(restore), "--file=/dev/null", str(copy)], environment)


def restore_postgresql(parameters: Mapping[str, Any], dump: Path, *, pg_restore: str | None) -> None:
    """The whole dump in one transaction, or nothing of it."""
    program = _program("pg_restore", pg_restore)
    address, environment = _address(parameters)
    options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
    _run([program, *options, f"--dbname={address}", str(dump)], environment)


def _address(parameters: Mapping[str, Any]) -> tuple[str, Mapping[str, str]]:
    """The database as a program is told of it: all but the password, which stands in the environment."""
    known = {option.keyword.decode() for option in Conninfo.get_defaults()} - {"password"}
    address = make_conninfo(**{name: value for name, value in parameters.items() if name in known})
    return address, {**os.environ, "PGPASSWORD": parameters.get("password") or ""}


def _program(name: str, named: str | None) -> str:
    """The program that was named, else the newest one of this machine: it must not be older than the server."""
    if named:
        return named
    newest = sorted(DEBIAN_HOME.glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    found = str(newest[-1]) if newest else shutil.which(name)
    if found is None:
        raise NotCopied(NO_PROGRAM.format(name=name, option=name.replace("_", "-")))
    return found


def _run(command: Sequence[str], environment: Mapping[str, str], *, beside: int = 0) -> int:
    """The exit status of a program: 0, or the one named beside it. Raises NotCopied on every other."""
    try:
        done = subprocess.run(  # noqa: S603 (the commands are ours, or named by whoever runs this machine)
            command, cwd=BASE_DIR, env=dict(environment), capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise NotCopied(f"{command[0]} could not be started: {error}") from error
    if done.returncode not in (0, beside):
        said = (done.stdout + done.stderr).strip()[-1_000:]
        raise NotCopied(f"{Path(command[0]).name} {command[1]} said: {said}")
    return done.returncode
