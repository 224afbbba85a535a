"""The worker's side of the site: a message is a hint, the periodic jobs in the worker are the guarantee.

No broker is trusted with money. Pending work is a row in our tables, and each worker looks there every ten seconds
(rummy_site/worker/periodic.py): a lost message costs no more than that delay.
"""

import faulthandler
import logging
import os
import time
import warnings
from typing import Any

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import setup_logging, task_postrun, task_prerun, worker_init
from django.core.exceptions import ImproperlyConfigured
from kombu.transport import TRANSPORT_ALIASES

from rummy_site.startup import keep_to_owner
from rummy_site.worker.watchdog import ALIVE, notify

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
# Celery would run Django's checks, which load every page; `manage.py check` runs them when code changes.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")

# Tasks that a worker must have; a release without one of them would leave money, seasons or erased names unprocessed.
NEEDED = frozenset(
    f"tournaments.tasks.{name}"
    for name in (
        *("settle_table", "settle_evening", "read_nights", "sweep_settlements", "sweep_readings", "seal_logs"),
        "forget_names",
    )
)
WAIT_FOR_DATABASE_SECONDS = 2.0

logger = logging.getLogger(__name__)

# Celery warns root because of pickle; we read JSON and nothing else.
warnings.filterwarnings("ignore", message="You're running the worker with superuser", category=SecurityWarning)

TRANSPORT_ALIASES["filesystem"] = "rummy_site.worker.folder_transport:Transport"
TRANSPORT_ALIASES["amqp"] = "rummy_site.worker.amqp_transport:Transport"
TRANSPORT_ALIASES["amqps"] = "rummy_site.worker.amqp_transport:SSLTransport"
app = Celery("rummy_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add("rummy_site.worker.periodic.PeriodicJobs")


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Logging is set up by Django's settings; a connected receiver keeps Celery from replacing it."""


@worker_init.connect
def write_for_the_owner_alone(**_: Any) -> None:
    """Make new files readable by their owner alone, as the other processes do."""
    keep_to_owner()


@worker_init.connect
def refuse_to_work_blind(**_: Any) -> None:
    """Start only with every task registered, and on a database that keeps what it acknowledges.

    Celery logs an exception from a receiver and continues; only SystemExit stops it.
    """
    # A hanging process is ended by SIGABRT (rummy_site/operations/supervisor.py) and prints its stacks.
    faulthandler.enable(file=2)
    missing = sorted(NEEDED - set(app.tasks))
    if missing:
        raise SystemExit(f"worker refused: these tasks could not be loaded: {', '.join(missing)}")
    try:
        _wait_for_database()
    except ImproperlyConfigured as error:
        raise SystemExit(f"worker refused: {error}") from error


def _wait_for_database() -> None:
    """Wait for the database: nothing works without it, and its settings can be checked only once it answers."""
    from django.db import Error  # noqa: PLC0415 (apps must be loaded first)

    from rummy_site.database import refuse_forgetful_database  # noqa: PLC0415 (apps must be loaded first)
    from rummy_site.database_release import refuse_newer_database  # noqa: PLC0415 (as above)
    from rummy_site.startup import refuse_closed_database  # noqa: PLC0415 (as above)
    from tournaments.transient_errors import outage_line  # noqa: PLC0415 (as above)

    while True:
        try:
            refuse_forgetful_database()
            refuse_closed_database()
            refuse_newer_database()
        except Error as error:
            logger.warning("%s; the worker waits for it", outage_line(error) or error)
            notify(ALIVE)
            time.sleep(WAIT_FOR_DATABASE_SECONDS)
        else:
            return


@task_prerun.connect
@task_postrun.connect
def drop_broken_connections(**_: Any) -> None:
    """Connections outlive a task (CELERY_DB_REUSE_MAX); drop those that a database restart broke."""
    from django.db import close_old_connections  # noqa: PLC0415 (apps must be loaded first)

    close_old_connections()
