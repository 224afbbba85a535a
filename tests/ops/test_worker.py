"""A bell rung through the broker of this run is answered by a worker in a process of its own."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings

from rummy_site.celery import HEARTBEAT, app
from tests.patience import PATIENCE
from tournaments.models import WorkerHeartbeat


@pytest.mark.broker
def test_a_worker_answers_a_bell_on_this_broker(worker: "subprocess.Popen[str]"):
    WorkerHeartbeat.objects.all().delete()
    app.send_task(HEARTBEAT)
    deadline = time.monotonic() + PATIENCE
    while not WorkerHeartbeat.objects.exists():
        assert time.monotonic() < deadline, "nobody answered"
        time.sleep(0.05)


def test_every_round_of_the_clock_is_a_task_that_exists():
    app.loader.import_default_modules()
    rounds = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert rounds <= set(app.tasks)


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("app.tasks.pop('tournaments.tasks.sweep_settlements')", "tournaments.tasks.sweep_settlements"),
        ("durability.forgetful_setting = lambda database: 'it forgets'", "it forgets"),
    ],
)
def test_a_worker_that_could_do_harm_does_not_start(site_environment: dict[str, str], code: str, complaint: str):
    """The planted faults: a task that could not be loaded, and a database that forgets."""
    program = (
        "import django; django.setup(); from rummy_site import durability; from rummy_site.celery import app\n"
        f"app.loader.import_default_modules(); {code}\n"
        "app.worker_main(['worker', '-P', 'solo', '--without-gossip', '--without-mingle'])"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env=site_environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode != 0
    assert f"worker refused: {'these' if 'pop' in code else 'it'}" in done.stderr
    assert complaint in done.stderr
