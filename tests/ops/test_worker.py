"""A bell rung through the broker of this run is answered by a worker in a process of its own."""

import subprocess
import time

import pytest
from django.conf import settings

from rummy_site.celery import HEARTBEAT, app
from tournaments.models import WorkerHeartbeat


@pytest.mark.broker
def test_a_worker_answers_a_bell_on_this_broker(worker: "subprocess.Popen[str]"):
    WorkerHeartbeat.objects.all().delete()
    app.send_task(HEARTBEAT)
    deadline = time.monotonic() + 20
    while not WorkerHeartbeat.objects.exists():
        assert time.monotonic() < deadline, "nobody answered"
        time.sleep(0.05)


def test_every_round_of_the_clock_is_a_task_that_exists():
    app.loader.import_default_modules()
    rounds = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert rounds <= set(app.tasks)
