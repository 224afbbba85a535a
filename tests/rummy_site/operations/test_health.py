"""The two health checks, and when readiness is answered with no."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from rummy_site import __version__
from rummy_site.operations import health
from tournaments.models import WorkerHeartbeat


def beat(*, seconds_ago: float) -> None:
    moment = timezone.now() - timedelta(seconds=seconds_ago)
    WorkerHeartbeat.objects.update_or_create(name="worker", defaults={"beat_at": moment})


def test_the_process_answers_without_asking_the_database_and_a_machine_by_its_address(client: Client):
    assert client.get("/healthz").json() == {"status": "ok", "version": __version__}
    assert client.get("/healthz", HTTP_HOST="10.1.2.3:8000").status_code == 200
    assert client.get("/no-such-page", HTTP_HOST="10.1.2.3:8000").status_code == 400


@pytest.mark.django_db
def test_a_club_can_play_when_the_worker_was_seen_a_moment_ago(client: Client):
    beat(seconds_ago=5)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["status"] == "ready"
    assert 5 <= answer.json()["checks"]["worker"]["age_seconds"] < 60
    assert client.get("/readyz?worker").status_code == 200


@pytest.mark.django_db
def test_a_worker_that_never_came_is_told_and_takes_no_web_process_away(client: Client):
    """Planted fault it catches: a missing worker makes a load balancer remove the web process."""
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    assert answer.json()["checks"]["worker"] == {"ok": False, "problem": "no worker has shown itself yet"}
    asked = client.get("/readyz?worker")
    assert (asked.status_code, asked.json()["status"]) == (503, "not ready")


@pytest.mark.django_db
def test_a_worker_that_fell_silent_is_told_and_decides_for_those_who_ask_for_it(client: Client):
    beat(seconds_ago=600)
    for address, status in (("/readyz", 200), ("/readyz?worker", 503), ("/readyz?worker=1&x=2", 503)):
        answer = client.get(address)
        assert answer.status_code == status
        assert answer.json()["checks"]["worker"]["age_seconds"] >= 600
        assert not answer.json()["checks"]["worker"]["ok"]


@pytest.mark.django_db
def test_since_when_the_broker_is_out_of_reach_is_reported(client: Client):
    beat(seconds_ago=5)
    since = timezone.now() - timedelta(minutes=3)
    WorkerHeartbeat.objects.update(broker_down_since=since)
    answer = client.get("/readyz?worker")
    assert answer.status_code == 200
    assert answer.json()["checks"]["worker"]["broker_down_since"] == since.isoformat()


@pytest.mark.django_db
def test_tables_behind_the_code_are_reported(client: Client, monkeypatch: pytest.MonkeyPatch):
    beat(seconds_ago=5)
    monkeypatch.setattr(health, "unapplied_migrations", lambda: 2)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["migrations"] == {"ok": False, "unapplied": 2}


@pytest.mark.django_db
def test_a_database_that_is_gone_is_an_answer_and_not_a_failure(client: Client, monkeypatch: pytest.MonkeyPatch):
    def gone(*args: Any, **kwargs: Any) -> None:
        raise OperationalError("connection refused at 10.0.0.7")

    monkeypatch.setattr("rummy_site.operations.health.connection.cursor", gone)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["database"] == {"ok": False, "problem": "OperationalError"}
    assert "10.0.0.7" not in answer.content.decode()
