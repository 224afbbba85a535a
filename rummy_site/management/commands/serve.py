"""`manage.py serve`: the whole site on one machine, from an empty folder to an open door."""

import contextlib
import io
import ipaddress
import os
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import ifaddr
import segno
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from rummy_site.database import database_file
from rummy_site.environment import env
from rummy_site.operations.health import unapplied_migrations
from rummy_site.operations.supervisor import Program, Supervisor
from rummy_site.server.reception import MOST_CONNECTIONS
from rummy_site.startup import close, private_paths, refuse_closed_database

# The network of a hall: which addresses phones reach this machine at, and how its site answers there without TLS.

EVERYWHERE = "0.0.0.0"  # noqa: S104 (a hall's phones have to reach it)
# Any other machine: nothing is sent there, the kernel only says by which address it would go.
ELSEWHERE = ("192.0.2.254", 9)
NEEDS_HTTPS = (
    "Without HTTPS a score page that is open keeps its deals without network. To open it again without network, "
    "HTTPS is needed."
)


def hall_addresses() -> list[str]:
    """This machine's IPv4 addresses in networks that are not the internet; first the one that leads out of it."""
    found = {str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4}
    usual = _leading_out()
    return sorted((each for each in found if _is_of_a_hall(each)), key=lambda each: (each != usual, _rank(each), each))


def hall_settings(hosts: Sequence[str], allowed: Sequence[str]) -> dict[str, str]:
    """Settings with which a site answers phones at these hosts by plain HTTP."""
    name = socket.gethostname()
    known = dict.fromkeys([*allowed, *hosts, name, f"{name}.local"])
    return {"ALLOWED_HOSTS": ",".join(known), "SECURE_SSL_REDIRECT": "false", "SECURE_HSTS_SECONDS": "0"}


def code_of(address: str) -> Iterator[str]:
    """The lines of a QR code for a terminal of either colour."""
    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(out=drawn, compact=True)
    return iter(drawn.getvalue().splitlines())


def _leading_out() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def _is_of_a_hall(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    return ip.is_private and not ip.is_loopback


def _rank(address: str) -> int:
    """Homes and halls use 192.168 and 10; 172.16 is rather a container's, and 169.254 means that nobody gave one."""
    return next((at for at, start in enumerate(("192.168.", "10.", "172.")) if address.startswith(start)), 3)


# The processes of one machine: a web server and a worker.

# An endless request ignored SIGTERM for minutes until this was set.
KILL_AFTER_SECONDS = 3
# The worker says every ten seconds that it is well (rummy_site/worker/rounds.py); the first time, once it has started.
SILENT_SECONDS = 90
# A connection that sends no whole header for so long is closed, also one that is kept open between two requests.
HEADER_SECONDS = 15
# What granian keeps of each connection in either direction; the largest header, too.
BUFFER_BYTES = 65_536


class Copies(NamedTuple):
    """Where copies of the database go while it is served, and how many minutes lie between two."""

    folder: Path
    minutes: int
    pg_dump: str | None = None


def programs(
    *, host: str, port: int, web_settings: Mapping[str, str] | None = None, copies: Copies | None = None
) -> list[Program]:
    """What `manage.py serve` keeps running."""
    web = _web(host=host, port=port, web_settings=web_settings or {})
    return [web, _worker(), *([_copying(copies)] if copies else [])]


def _web(*, host: str, port: int, web_settings: Mapping[str, str]) -> Program:
    command = [
        *(sys.executable, "-m", "granian", "rummy_site.rsgi:application", "--interface", "rsgi", "--no-ws"),
        *("--host", host, "--port", str(port), "--log-level", "warning"),
        *("--workers", env.str("WEB_WORKERS", default="1")),
        # HTTP/1 alone: to find out which one is spoken, granian would wait for the first bytes without an end.
        *("--http", "1", "--http1-header-read-timeout", str(HEADER_SECONDS * 1000)),
        *("--http1-buffer-size", str(BUFFER_BYTES), "--backpressure", str(MOST_CONNECTIONS), "--loop", "uvloop"),
        *("--workers-kill-timeout", str(KILL_AFTER_SECONDS), "--respawn-failed-workers"),
    ]
    return Program(name="web", command=command, environment={**web_settings, "PROCESS_KIND": "web"})


def _worker() -> Program:
    command = [
        *(sys.executable, "-m", "celery", "--app", "rummy_site", "--quiet", "worker"),
        *("--pool", "threads", "--concurrency", env.str("WORKER_THREADS", default="2")),
        *("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "info"),
    ]
    environment = {"PROCESS_KIND": "worker"}
    silent = env.float("WORKER_SILENT_SECONDS", default=SILENT_SECONDS)
    return Program(name="worker", command=command, environment=environment, watchdog_seconds=silent)


def _copying(copies: Copies) -> Program:
    command = [
        *(sys.executable, "-m", "rummy_site", "manage", "backup", str(copies.folder), "--every", str(copies.minutes)),
        *("--keep", str(COPIES_KEPT), *(("--pg-dump", copies.pg_dump) if copies.pg_dump else ())),
    ]
    return Program(name="copies", command=command)


KNOCK_SECONDS = 0.3
MOST_PORT = 65_535
HERE = "127.0.0.1"
COPIES_KEPT = 12
COPY_MINUTES = 5
MOST_MINUTES = 24 * 60
# How often a hall's address is looked at: a router that was started again may have given another one.
LOOK_SECONDS = 10.0


class Command(BaseCommand):
    """Migrates where needed, then keeps web and worker running until Ctrl-C."""

    help = "Start web server, worker and clock; Ctrl-C stops them all."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to listen, where to copy to, and whether to outlive whoever called."""
        parser.add_argument("--host", help=f"address or name to listen on; {HERE}, in a hall all of them")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--hall", action="store_true", help="for the phones in this machine's own network, by HTTP")
        parser.add_argument("--copy-to", type=Path, metavar="DIR", help="copy the database there while it is served")
        every = f"minutes between two copies; {COPY_MINUTES} where none are given"
        parser.add_argument("--copy-every", type=int, default=COPY_MINUTES, metavar="MINUTES", help=every)
        dump = "for copies of PostgreSQL: pg_dump of its release or newer"
        parser.add_argument("--pg-dump", metavar="PROGRAM", help=dump)
        parser.add_argument("--while-parent-lives", action="store_true", help="stop when the caller is gone")

    def handle(self, *, host: str | None, port: int, while_parent_lives: bool, **options: Any) -> None:
        """Refuse a port that is taken, close what others can read, bring the tables up to date, run."""
        if options["hall"] and settings.PRODUCTION:
            raise CommandError("--hall serves without encryption, and PRODUCTION is on: take one of them away.")
        named = host if host is not None else EVERYWHERE if options["hall"] else HERE
        address = address_of(named, port)
        copies = copies_to(options["copy_to"], options["copy_every"], options["pg_dump"])
        refuse_taken_port(address, port)
        for said in close(private_paths(Path(settings.VAR_DIR), database_file())):
            self._say(said)
        refuse_closed_database()
        if unapplied_migrations():
            call_command("migrate", interactive=False, verbosity=0)
        announce = (HallAnnouncement if options["hall"] else Announcement)(host=named, port=port, say=self._say)
        running = programs(host=address, port=port, web_settings=announce.web_settings(), copies=copies)
        supervisor = Supervisor(running, say=self._say)
        parent = os.getppid()

        def each_tick() -> None:
            announce.when_open()
            if announce.has_moved():
                supervisor.renew("web", announce.web_settings())
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
        self.port = port
        self.address = self._address(HERE if host in {EVERYWHERE, "::"} else host)
        self.is_made = False
        self._say = say

    def _address(self, host: str) -> str:
        return f"http://[{host}]:{self.port}/" if ":" in host else f"http://{host}:{self.port}/"

    def when_open(self) -> None:
        """Knock; the first answer of any kind means that the web process is up."""
        if self.is_made or not _answers(f"{self.address}healthz"):
            return
        self.is_made = True
        for line in ("", *self.lines(), "  Stop          Ctrl-C", ""):
            self._say(line)

    def lines(self) -> Iterator[str]:
        """What is to be known of the site that is open now."""
        yield f"  Public pages  {self.address}"
        yield f"  Admin         {self.address}admin/"

    def web_settings(self) -> dict[str, str]:
        """Settings of the web process beyond those of the environment."""
        return {}

    def has_moved(self) -> bool:
        """Whether the site has to be reached at other addresses than it was started for."""
        return False


class HallAnnouncement(Announcement):
    """Of a site for the phones in this machine's own network; the network may give other addresses meanwhile."""

    def __init__(self, *, host: str, port: int, say: Callable[[str], None]) -> None:
        super().__init__(host=host, port=port, say=say)
        self._named = [] if host in {EVERYWHERE, "::"} else [host]
        self._hosts = self._found()
        self._looked_at = time.monotonic()

    def _found(self) -> list[str]:
        return self._named or hall_addresses()

    def lines(self) -> Iterator[str]:
        """The addresses and a QR code of the first; or that this machine is in no network."""
        if not self._hosts:
            yield from super().lines()
            yield "  This machine is in no network: connect it to the hall's router. Phones reach it then."
            return
        first, *others = map(self._address, self._hosts)
        yield f"  Public pages  {first}"
        yield f"  Admin         {first}admin/"
        if others:
            yield f"  Or            {', '.join(others)}"
        if sys.stdout.isatty():
            yield from code_of(first)
        yield "  Phones have to be in the same network as this machine."
        yield f"  {NEEDS_HTTPS}"

    def web_settings(self) -> dict[str, str]:
        """The hosts of the hall's own network, and cookies that work without TLS."""
        return hall_settings(self._hosts, settings.ALLOWED_HOSTS)

    def has_moved(self) -> bool:
        """Whether this machine has other addresses now than it had when they were looked at."""
        if time.monotonic() - self._looked_at < LOOK_SECONDS:
            return False
        self._looked_at = time.monotonic()
        if (found := self._found()) == self._hosts:
            return False
        self._hosts, self.is_made = found, False
        return True


def copies_to(folder: Path | None, minutes: int, pg_dump: str | None) -> Copies | None:
    """Where copies go: a folder that is there, for a medium that is not plugged in would be a folder of this disk."""
    if folder is None:
        return None
    if not 1 <= minutes <= MOST_MINUTES:
        raise CommandError(f"--copy-every {minutes}: it is a number of minutes from 1 to {MOST_MINUTES}.")
    if not folder.is_dir():
        raise CommandError(f"--copy-to {folder} is no folder: plug the medium in, and make the folder on it.")
    return Copies(folder.resolve(), minutes, pg_dump)


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
