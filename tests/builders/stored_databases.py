"""`python -m tests.builders.stored_databases NAME`: keeps a database, full of data, for later releases to migrate.

Writes `tests/data/upgrades/NAME.sqlite.xz` and `NAME.sql.xz` (PostgreSQL). NAME is the newest migration of the code,
such as tournaments-0025. With `--code FOLDER` another checkout writes the data, with `--told` by commands of its own
instead of the story, one word list each.
"""

import argparse
import lzma
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from tests.plugins import postgres
from tests.plugins.servers import Server

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "tests" / "data" / "upgrades"
TELL = "import django; django.setup(); from tests.builders.story import tell; tell()"
# Statements of the newest pg_dump that only psql, or only the newest server, understands.
NOT_FOR_EVERY_SERVER = ("\\", "SET transaction_timeout")


def main() -> None:
    """Store both databases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--code", type=Path, default=ROOT)
    parser.add_argument("--told", action="append", default=[], help="words of a manage.py command")
    asked = parser.parse_args()
    STORED.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rummy.sqlite3"
        _fill(asked.code, f"sqlite:///{file}", asked.told)
        _keep(STORED / f"{asked.name}.sqlite.xz", _compact(file))
    server = Server("postgres")
    try:
        address = postgres.start(server)
        _fill(asked.code, address, asked.told)
        _keep(STORED / f"{asked.name}.sql.xz", _dumped(server, address))
    finally:
        server.stop()


def _fill(code: Path, address: str, told: list[str]) -> None:
    """Migrate an empty database and write the data into it, as the code in that folder does."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "DATABASE_URL": address,
            "VAR_DIR": folder,
            "PYTHONPATH": str(code),
            "DJANGO_SETTINGS_MODULE": "rummy_site.settings",
        }
        steps = [["manage.py", *words.split()] for words in told] or [["-c", TELL]]
        for words in [["manage.py", "migrate", "-v0"], *steps, ["manage.py", "prove"]]:
            subprocess.run([sys.executable, *words], cwd=code, env=environment, check=True)


def _compact(file: Path) -> bytes:
    """The whole database in one file, without what its write-ahead log holds beside it."""
    copy = file.with_suffix(".copy")
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
        target.execute("VACUUM")
    return copy.read_bytes()


def _dumped(server: Server, address: str) -> bytes:
    """The database as plain SQL, without owners."""
    program = postgres.programs_of(server) / "pg_dump"
    options = ["--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=200"]
    dump = subprocess.run(
        [str(program), *options, address], check=True, capture_output=True, **server._as_user(), cwd=server.folder
    )
    lines = dump.stdout.decode().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(NOT_FOR_EVERY_SERVER)).encode()


def _keep(path: Path, content: bytes) -> None:
    path.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
