"""The processes of one machine: a web server and a worker."""

import sys

from rummy_site.environment import env
from rummy_site.operations.supervisor import Program
from rummy_site.server.listening import MOST_CONNECTIONS

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
