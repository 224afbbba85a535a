"""The worker's side of the site: a message is a hint, the periodic jobs in the worker are the guarantee.

No broker is trusted with money. What needs doing is a row in our tables, and each worker looks there every ten seconds
(rummy_site/worker/periodic.py); that much a lost message costs.
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
from rummy_site.worker.watchdog import ALIVE, READY, notify

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
# Celery would run Django's checks, which load every page; `manage.py check` does, where code changes.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")

# What a worker must be able to do; a release that lost one of them would leave money or seasons where they are.
NEEDED = frozenset(
    f"tournaments.tasks.{name}"
    for name in ("settle_table", "settle_evening", "read_nights", "sweep_settlements", "sweep_readings", "seal_logs")
)
WAIT_FOR_DATABASE_SECONDS = 2.0

logger = logging.getLogger(__name__)

# Said to root because of pickle; we read JSON and nothing else.
warnings.filterwarnings("ignore", message="You're running the worker with superuser", category=SecurityWarning)

TRANSPORT_ALIASES["filesystem"] = "rummy_site.worker.folder_transport:Transport"
app = Celery("rummy_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add("rummy_site.worker.periodic.PeriodicJobs")


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Logging is set up by Django's settings; a connected receiver keeps Celery from replacing it."""


@worker_init.connect
def write_for_the_owner_alone(**_: Any) -> None:
    """As the other processes do."""
    keep_to_owner()


@worker_init.connect
def refuse_to_work_blind(**_: Any) -> None:
    """Start only with every task at hand, and on a database that keeps what it acknowledges.

    Celery writes an exception of a receiver into the log and goes on; only SystemExit stops it.
    """
    # What hangs is ended by SIGABRT (rummy_site/operations/supervisor.py, systemd) and says where it hung.
    faulthandler.enable(file=2)
    missing = sorted(NEEDED - set(app.tasks))
    if missing:
        raise SystemExit(f"worker refused: these tasks could not be loaded: {', '.join(missing)}")
    try:
        _wait_for_database()
    except ImproperlyConfigured as error:
        raise SystemExit(f"worker refused: {error}") from error


def _wait_for_database() -> None:
    """Nothing can be done without it, and whether it forgets can be asked only once it answers."""
    from django.db import Error  # noqa: PLC0415 (apps must be loaded first)

    from rummy_site.database import refuse_forgetful_database  # noqa: PLC0415 (apps must be loaded first)
    from rummy_site.startup import refuse_closed_database  # noqa: PLC0415 (as above)

    notify(READY)
    while True:
        try:
            refuse_forgetful_database()
            refuse_closed_database()
        except Error as error:
            logger.warning("the database does not answer (%s); the worker waits for it", type(error).__name__)
            notify(ALIVE)
            time.sleep(WAIT_FOR_DATABASE_SECONDS)
        else:
            return


@task_prerun.connect
@task_postrun.connect
def drop_broken_connections(**_: Any) -> None:
    """Connections outlive a task (CELERY_DB_REUSE_MAX); one that a database restart broke must not."""
    from django.db import close_old_connections  # noqa: PLC0415 (apps must be loaded first)

    close_old_connections()
