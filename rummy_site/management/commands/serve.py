"""`manage.py serve`: the whole site on one machine, from an empty folder to an open door."""

import contextlib
import os
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from rummy_site.database import database_file
from rummy_site.environment import env
from rummy_site.operations.health import unapplied_migrations
from rummy_site.operations.supervisor import Program, Supervisor
from rummy_site.server.listening import MOST_CONNECTIONS
from rummy_site.startup import close, private_paths, refuse_closed_database

# The processes of one machine: a web server and a worker.

# An endless request ignored SIGTERM for minutes until this was set.
KILL_AFTER_SECONDS = 3
# The worker says every ten seconds that it is well (rummy_site/worker/rounds.py); the first time, once it has started.
SILENT_SECONDS = 90
# A connection that sends no whole header for so long is closed, also one that is kept open between two requests.
HEADER_SECONDS = 15
# What granian keeps of each connection in either direction; the largest header, too.
BUFFER_BYTES = 65_536


def programs(*, host: str, port: int) -> list[Program]:
    """What `manage.py serve` keeps running."""
    return [_web(host=host, port=port), _worker()]


def _web(*, host: str, port: int) -> Program:
    command = [
        *(sys.executable, "-m", "granian", "rummy_site.rsgi:application", "--interface", "rsgi", "--no-ws"),
        *("--host", host, "--port", str(port), "--log-level", "warning"),
        *("--workers", env.str("WEB_WORKERS", default="1")),
        # HTTP/1 alone: to find out which one is spoken, granian would wait for the first bytes without an end.
        *("--http", "1", "--http1-header-read-timeout", str(HEADER_SECONDS * 1000)),
        *("--http1-buffer-size", str(BUFFER_BYTES), "--backpressure", str(MOST_CONNECTIONS), "--loop", "uvloop"),
        *("--workers-kill-timeout", str(KILL_AFTER_SECONDS), "--respawn-failed-workers"),
    ]
    return Program(name="web", command=command, environment={"PROCESS_KIND": "web"})


def _worker() -> Program:
    command = [
        *(sys.executable, "-m", "celery", "--app", "rummy_site", "--quiet", "worker"),
        *("--pool", "threads", "--concurrency", env.str("WORKER_THREADS", default="2")),
        *("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "info"),
    ]
    environment = {"PROCESS_KIND": "worker"}
    silent = env.float("WORKER_SILENT_SECONDS", default=SILENT_SECONDS)
    return Program(name="worker", command=command, environment=environment, watchdog_seconds=silent)


KNOCK_SECONDS = 0.3
MOST_PORT = 65_535


class Command(BaseCommand):
    """Migrates where needed, then keeps web and worker running until Ctrl-C."""

    help = "Start web server, worker and clock; Ctrl-C stops them all."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to listen, and whether to outlive whoever called."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--while-parent-lives", action="store_true", help="stop when the caller is gone")

    def handle(self, *, host: str, port: int, while_parent_lives: bool, **options: Any) -> None:
        """Refuse a port that is taken, close what others can read, bring the tables up to date, run."""
        address = address_of(host, port)
        refuse_taken_port(address, port)
        for said in close(private_paths(Path(settings.VAR_DIR), database_file())):
            self._say(said)
        refuse_closed_database()
        if unapplied_migrations():
            call_command("migrate", interactive=False, verbosity=0)
        supervisor = Supervisor(programs(host=address, port=port), say=self._say)
        announce = Announcement(host=host, port=port, say=self._say)
        parent = os.getppid()

        def each_tick() -> None:
            announce.when_open()
            if while_parent_lives and os.getppid() != parent:
                supervisor.stop()

        supervisor.run(each_tick=each_tick)

    def _say(self, line: str) -> None:
        """Print a line now. A terminal that was closed is no reason to stop serving."""
        with contextlib.suppress(BrokenPipeError):
            self.stdout.write(line)
            self.stdout.flush()


class Announcement:
    """Says once, when the door really opens, where it is."""

    def __init__(self, *, host: str, port: int, say: Callable[[str], None]) -> None:
        name = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104 (compared, not bound)
        name = f"[{name}]" if ":" in name else name
        self.address = f"http://{name}:{port}/"
        self.is_made = False
        self._say = say

    def when_open(self) -> None:
        """Knock; the first answer of any kind means that the web process is up."""
        if self.is_made or not _answers(f"{self.address}healthz"):
            return
        self.is_made = True
        self._say(f"\n  Public pages  {self.address}\n  Admin         {self.address}admin/\n  Stop          Ctrl-C\n")


def address_of(host: str, port: int) -> str:
    """The number behind a host's name: granian takes no name, and would fall again and again over one.

    Of several the first that every browser reaches. Port 0 would be another one at each start.
    """
    if not 1 <= port <= MOST_PORT:
        raise CommandError(f"port {port} is none to listen on: it is a number from 1 to {MOST_PORT}.")
    if not host:
        raise CommandError("--host is empty: name an address, such as 127.0.0.1, or 0.0.0.0 for all of this machine.")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise CommandError(f"cannot listen on {host} port {port}: {error}. Try another --host.") from error
    return min((str(place[0]) for *_, place in found), key=lambda address: ":" in address)


def refuse_taken_port(host: str, port: int) -> None:
    """Say plainly that somebody else listens there, instead of starting a server that falls again and again."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            raise CommandError(f"cannot listen on {host} port {port}: {error}. Try another PORT.") from error


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=KNOCK_SECONDS):  # noqa: S310 (always http, always our own)
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
