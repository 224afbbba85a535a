"""RabbitMQ of the machine (Debian's package `rabbitmq-server`), for tests that stop and start it."""

import signal
import socket
from pathlib import Path

from tests.plugins.servers import CannotStart, Server

PROGRAM = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
# No busy waiting: an idle broker must cost nothing beside the tests.
QUIET = "+sbwt none +sbwtdcpu none +sbwtdio none"


def start(server: Server) -> str:
    """Start a node of its own, with a name service of its own; its address."""
    if not PROGRAM.exists():
        raise CannotStart("rabbitmq-server is not installed")
    port, distribution, names = _free_ports(3)
    server.variables = _settings(server.own_folder("rabbit"), port=port, distribution=distribution, names=names)
    server.goodbye = signal.SIGTERM
    # The one that the node would start stays when the node ends.
    server.start_beside(["epmd", "-port", str(names), "-address", "127.0.0.1"])
    server.start([PROGRAM], is_up=lambda: answers(port))
    return f"amqp://guest:guest@127.0.0.1:{port}//"


def answers(port: int) -> bool:
    """Whether the broker speaks AMQP; its port opens a little earlier."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as probe:
            probe.sendall(b"AMQP\x00\x00\x09\x01")
            return bool(probe.recv(1))
    except OSError:
        return False


def _settings(folder: Path, *, port: int, distribution: int, names: int) -> dict[str, str]:
    return {
        "RABBITMQ_NODENAME": f"test{port}@localhost",
        "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODE_PORT": str(port),
        "RABBITMQ_DIST_PORT": str(distribution),
        "RABBITMQ_MNESIA_BASE": str(folder),
        "RABBITMQ_LOG_BASE": str(folder),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
        "RABBITMQ_CONFIG_FILE": str(folder / "none"),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": QUIET,
        # The script becomes the node itself, so that a signal to it reaches the node.
        "RUNNING_UNDER_SYSTEMD": "1",
        "ERL_EPMD_PORT": str(names),
        "HOME": str(folder),
    }


def _free_ports(count: int) -> list[int]:
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [int(probe.getsockname()[1]) for probe in probes]
    for probe in probes:
        probe.close()
    return ports
