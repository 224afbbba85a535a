"""The worker's side of the site: the queue is a doorbell, the periodic sweep is the guarantee.

No broker is trusted with money. What needs doing is a row in our tables; a lost message costs thirty seconds.
"""

import os
import warnings
from typing import Any

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import beat_init, setup_logging, task_postrun, task_prerun, worker_init, worker_ready
from django.core.exceptions import ImproperlyConfigured

from rummy_site.private_files import keep_to_owner

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")

SWEEP = "tournaments.tasks.sweep_settlements"
SWEEP_READINGS = "tournaments.tasks.sweep_readings"
SEAL = "tournaments.tasks.seal_logs"
HEARTBEAT = "tournaments.tasks.worker_heartbeat"

# Said to root because of pickle; we read JSON and nothing else.
warnings.filterwarnings("ignore", message="You're running the worker with superuser", category=SecurityWarning)

app = Celery("rummy_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Logging is set up by Django's settings; a connected receiver keeps Celery from replacing it."""


@worker_init.connect
@beat_init.connect
def write_for_the_owner_alone(**_: Any) -> None:
    """As the other processes do; a clock of its own keeps a file too."""
    keep_to_owner()


@worker_init.connect
def refuse_to_work_blind(**_: Any) -> None:
    """Start only with every task at hand, and on a database that keeps what it acknowledges.

    Celery writes an exception of a receiver into the log and goes on; only SystemExit stops it.
    """
    from rummy_site.durability import refuse_forgetful_database  # noqa: PLC0415 (apps must be loaded first)

    missing = sorted({SWEEP, SWEEP_READINGS, HEARTBEAT, SEAL} - set(app.tasks))
    if missing:
        raise SystemExit(f"worker refused: these tasks could not be loaded: {', '.join(missing)}")
    try:
        refuse_forgetful_database()
    except ImproperlyConfigured as error:
        raise SystemExit(f"worker refused: {error}") from error


@worker_ready.connect
def do_the_rounds_at_once(**_: Any) -> None:
    """Beat waits one interval before its first round; a worker that has just started shows itself now."""
    app.send_task(HEARTBEAT)
    app.send_task(SWEEP)
    app.send_task(SWEEP_READINGS)


@task_prerun.connect
@task_postrun.connect
def drop_broken_connections(**_: Any) -> None:
    """Connections outlive a task (CELERY_DB_REUSE_MAX); one that a database restart broke must not."""
    from django.db import close_old_connections  # noqa: PLC0415 (apps must be loaded first)

    close_old_connections()
