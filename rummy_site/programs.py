"""The processes of one machine: a web server and a worker."""

import sys

from rummy_site.environment import env
from rummy_site.supervisor import Program

# An endless request ignored SIGTERM for minutes until this was set.
KILL_AFTER_SECONDS = 3
# The worker says every ten seconds that it is well (rummy_site/rounds.py); the first time, once it has started.
SILENT_SECONDS = 90
# A thread that idles out takes its database connection with it.
KEEP_THREADS_SECONDS = 600


def programs(*, host: str, port: int) -> list[Program]:
    """What `manage.py serve` keeps running."""
    return [_web(host=host, port=port), _worker()]


def _web(*, host: str, port: int) -> Program:
    command = [
        *(sys.executable, "-m", "granian", "rummy_site.wsgi:application", "--interface", "wsgi", "--no-ws"),
        *("--host", host, "--port", str(port), "--log-level", "warning"),
        *("--workers", env.str("WEB_WORKERS", default="1")),
        *("--blocking-threads", env.str("WEB_THREADS", default="4")),
        *("--blocking-threads-idle-timeout", str(KEEP_THREADS_SECONDS)),
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
