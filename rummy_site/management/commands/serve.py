"""`manage.py serve`: the whole site on one machine, starting from an empty folder."""

import gc
import os
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections
from django.utils.timezone import now

from rummy_site.database import database_file
from rummy_site.database_release import refuse_newer_database, unapplied_migrations
from rummy_site.environment import count, env
from rummy_site.management.commands.migrate import are_boards_current
from rummy_site.operations.announcing import EVERYWHERE, HERE
from rummy_site.operations.preloading import can_fork, fork
from rummy_site.operations.serving import Plan, become_keeper
from rummy_site.operations.supervisor import Program
from rummy_site.server.reception import MOST_CONNECTIONS
from rummy_site.startup import close, private_paths, read_settings_again, refuse_closed_database

# The processes of one machine: a web server and a worker.

# A web process that is told to end answers what was asked of it (server/ending.py). Shorter than the supervisor waits.
KILL_AFTER_SECONDS = 8
# The worker says every ten seconds that it is well (rummy_site/worker/periodic.py), first when it has started.
SILENT_SECONDS = 90
# A connection that sends no complete header for so long is closed, also between two requests.
HEADER_SECONDS = 15
# What granian buffers of each connection in either direction; also the largest header.
BUFFER_BYTES = 65_536


class Copies(NamedTuple):
    """Where copies of the database are written while it is served, and how many minutes apart."""

    folder: Path
    minutes: int
    pg_dump: str | None = None


def programs(
    *, host: str, port: int, listening: int | None, copies: Copies | None = None, only: str | None = None
) -> list[Program]:
    """The programs that `manage.py serve` keeps running; the web process first, with the socket of that number."""
    site = [worker()] if listening is None else [_web(host=host, port=port, listening=listening), worker()]
    if only:
        # A worker alone follows nobody.
        site = [replace(program, follows=False) for program in site if program.name == only]
    return [*site, *([_copying(copies)] if copies else [])]


def _web(*, host: str, port: int, listening: int) -> Program:
    command = [
        *(sys.executable, "-m", "rummy_site.server.granian", "rummy_site.rsgi:application"),
        *("--interface", "rsgi", "--no-ws"),
        *("--host", host, "--port", str(port), "--log-level", "warning"),
        *("--workers", str(count("WEB_WORKERS"))),
        # HTTP/1 alone: to detect the protocol, granian would wait for the first bytes without a time limit.
        *("--http", "1", "--http1-header-read-timeout", str(HEADER_SECONDS * 1000)),
        *("--http1-buffer-size", str(BUFFER_BYTES), "--backpressure", str(MOST_CONNECTIONS), "--loop", "uvloop"),
        *("--workers-kill-timeout", str(KILL_AFTER_SECONDS), "--respawn-failed-workers"),
    ]
    environment = {"PROCESS_KIND": "web", "WEB_SOCKET": str(listening)}
    return Program(name="web", command=command, environment=environment, files=[listening])


def worker() -> Program:
    """The program that settles, reads and seals."""
    command = [
        *(sys.executable, "-m", "celery", "--app", "rummy_site", "--quiet", "worker"),
        *("--pool", "threads", "--concurrency", str(count("WORKER_THREADS"))),
        *("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "info"),
    ]
    environment = {"PROCESS_KIND": "worker"}
    silent = env.float("WORKER_SILENT_SECONDS", default=SILENT_SECONDS)
    return Program(name="worker", command=command, environment=environment, watchdog_seconds=silent, follows=True)


def _copying(copies: Copies) -> Program:
    command = [
        *(sys.executable, "-m", "rummy_site", "manage", "backup", str(copies.folder), "--every", str(copies.minutes)),
        *("--keep", str(COPIES_KEPT), *(("--pg-dump", copies.pg_dump) if copies.pg_dump else ())),
    ]
    return Program(name="copies", command=command)


# The first of the open files that systemd gives (sd_listen_fds).
SOCKET_OF_SYSTEMD = 3
# The programs that are forked from the command.
PRELOADED = ("web", "worker")
MOST_PORT = 65_535
COPIES_KEPT = 12
COPY_MINUTES = 5
MOST_MINUTES = 24 * 60


class Command(BaseCommand):
    """Migrates where needed, then keeps web and worker running until Ctrl-C."""

    help = "Start web server, worker and clock; Ctrl-C stops them all."
    # Django's checks would load every page. `manage.py check` runs them, and the processes refuse what they cannot
    # serve.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add where to listen, where to copy to, and whether to outlive the parent process."""
        parser.add_argument("--host", help=f"address or name to listen on; {HERE}, in a hall all of them")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--hall", action="store_true", help="for the phones in this machine's own network, by HTTP")
        kind = parser.add_mutually_exclusive_group()
        kind.add_argument("--demo", action="store_true", help="with the example club")
        alone = "this process alone, on one of several machines; the database is migrated before"
        kind.add_argument("--only", choices=PRELOADED, help=alone)
        parser.add_argument("--copy-to", type=Path, metavar="DIR", help="copy the database there while it is served")
        every = f"minutes between two copies; {COPY_MINUTES} where none are given"
        parser.add_argument("--copy-every", type=int, default=COPY_MINUTES, metavar="MINUTES", help=every)
        dump = "for copies of PostgreSQL: pg_dump of its release or newer"
        parser.add_argument("--pg-dump", metavar="PROGRAM", help=dump)
        parser.add_argument("--while-parent-lives", action="store_true", help="stop when the caller is gone")

    def handle(self, *, host: str | None, port: int, while_parent_lives: bool, **options: Any) -> None:
        """Refuse a port in use, make files private, bring the tables up to date unless others do it, run."""
        only = options["only"]
        parent = os.getppid() if while_parent_lives else None
        if options["hall"] and settings.PRODUCTION:
            raise CommandError("--hall serves without encryption, and PRODUCTION is on: take one of them away.")
        named = host if host is not None else EVERYWHERE[0] if options["hall"] else HERE
        address = address_of(named, port)
        named = host_name(named, address)
        copies = copies_to(options["copy_to"], options["copy_every"], options["pg_dump"])
        listening = socket_of_systemd()
        if listening is not None:
            address, port = listening.getsockname()[:2]
            named = address
        elif only != "worker":
            listening = listening_socket(address, port)
        number = None
        if listening is not None:
            listening.set_inheritable(True)
            number = listening.fileno()
        setup_code = self._prepare_database(is_demo=options["demo"], migrates=not only)
        if settings.HAS_METRICS and not only:
            # What processes of an earlier start counted; each of them has left two files. Another may count there now
            # where this one is alone.
            for counts in Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).glob("*.db"):
                counts.unlink()
        running = _preloaded(programs(host=address, port=port, listening=number, copies=copies, only=only))
        hosts = settings.ALLOWED_HOSTS if options["hall"] else None
        become_keeper(
            Plan(programs=running, host=named, port=port, hall_hosts=hosts, parent=parent, setup_code=setup_code)
        )

    def _prepare_database(self, *, is_demo: bool, migrates: bool = True) -> str:
        """Make files private, refuse a closed database, migrate, add the example club if asked; then disconnect.

        Returns the code with which the first login is made; empty where there is one, and where the command
        `login_link` makes it: on one of several machines each start of another one would end it, in production each
        restart, and a log is read by others.
        """
        for line in close(private_paths(Path(settings.VAR_DIR), database_file())):
            self.stdout.write(line)
        refuse_closed_database()
        refuse_newer_database()
        # A club's own database is updated with `migrate` (running.md); the example club has to follow the code by
        # itself.
        is_behind = bool(unapplied_migrations()) or (is_demo and not are_boards_current())
        if is_behind and not migrates:
            raise CommandError("the database waits for migrations: run the command migrate first.")
        if is_behind or is_demo:
            # From here on objects come and go; those that are loaded stay.
            gc.freeze()
            gc.enable()
        if is_behind:
            call_command("migrate", interactive=False, verbosity=0)
        if is_demo:
            call_command("demo_data", stdout=self.stdout)
        setup_code = ""
        if migrates and not settings.PRODUCTION and not get_user_model().objects.exists():
            from tournaments.people.invitations import make_setup_code  # noqa: PLC0415 (a new site alone needs it)

            setup_code = make_setup_code(now=now())
        connections.close_all()
        self.stdout.flush()
        return setup_code


def _preloaded(programs: list[Program]) -> list[Program]:
    """The programs; those that load the same code as this process are forked from it, where that is safe."""
    if not can_fork():
        return programs
    return [
        replace(program, waiting=fork(program.command, read_settings_again, files=program.files))
        if program.name in PRELOADED
        else program
        for program in programs
    ]


def copies_to(folder: Path | None, minutes: int, pg_dump: str | None) -> Copies | None:
    """The folder for copies. It must exist: with its drive not mounted, a new folder would be on this disk."""
    if folder is None:
        return None
    if not 1 <= minutes <= MOST_MINUTES:
        raise CommandError(f"--copy-every {minutes}: it is a number of minutes from 1 to {MOST_MINUTES}.")
    if not folder.is_dir():
        raise CommandError(f"--copy-to {folder} is no folder: plug the medium in, and make the folder on it.")
    return Copies(folder.resolve(), minutes, pg_dump)


def address_of(host: str, port: int) -> str:
    """The IP address of a host name: granian takes no names, and would crash on one again and again.

    Of several, the first that every browser reaches. Refuses port 0, which would be another one at each start.
    """
    if not 1 <= port <= MOST_PORT:
        raise CommandError(f"port {port} is none to listen on: it is a number from 1 to {MOST_PORT}.")
    if not host:
        raise CommandError("--host is empty: name an address, such as 127.0.0.1, or 0.0.0.0 for all of this machine.")
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise CommandError(f"cannot listen on {host} port {port}: {error}. Try another --host.") from error
    return min((str(place[0]) for *_, place in addresses), key=lambda address: ":" in address)


def host_name(host: str, address: str) -> str:
    """The host as browsers send it: they expand numbers such as 0 or 127.1. With `*` a site would answer any host."""
    try:
        socket.getaddrinfo(host, 0, flags=socket.AI_NUMERICHOST)
    except OSError:
        return host
    return address


def listening_socket(host: str, port: int) -> socket.socket:
    """The socket on which the site listens. The supervisor holds it: who connects while no web process runs waits.

    Raises CommandError where another process listens there.
    """
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(MOST_CONNECTIONS)
    except (OSError, OverflowError) as error:
        listening.close()
        raise CommandError(f"cannot listen on {host} port {port}: {error}. Try another PORT.") from error
    return listening


def socket_of_systemd() -> socket.socket | None:
    """The socket that systemd, or whoever speaks its protocol, holds for this process; None where there is none."""
    if os.environ.pop("LISTEN_PID", "") != str(os.getpid()):
        return None
    if (number := os.environ.pop("LISTEN_FDS", "")) != "1":
        raise CommandError(f"systemd gives {number} sockets: let the unit have one ListenStream.")
    return socket.socket(fileno=SOCKET_OF_SYSTEMD)
