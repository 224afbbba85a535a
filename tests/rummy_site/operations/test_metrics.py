"""What a site tells those who watch it: who may ask, what is counted, and the line of each request in the log."""

import json
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import yaml
from django.db import OperationalError
from django.http import Http404, HttpResponse
from django.middleware.security import SecurityMiddleware
from django.test import Client, RequestFactory
from django.utils.timezone import now
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from rummy_site.environment import cache
from rummy_site.middleware import counts
from rummy_site.middleware.failures import RefusalReason
from rummy_site.middleware.requests import PROBES
from rummy_site.middleware.secret_paths import without_secrets
from rummy_site.operations import metrics as watched
from rummy_site.operations.logs import NoSecrets
from rummy_site.server.reception import refuse
from tests.builders.admin_tables import club_called, evening_at
from tests.builders.served_site import Site, serving
from tournaments import log
from tournaments.log.reading import ClubEnd
from tournaments.models import Delivery, EveningSheet, Receiver, SiteCheck, WorkerHeartbeat
from tournaments.tasks import sweep_settlements

ROOT = Path(__file__).resolve().parents[3]
RULES, DASHBOARD = ROOT / "examples/prometheus/rules.yml", ROOT / "examples/grafana/dashboard.json"
# Of requests: they come from the files of the processes, and not from the database.
OF_REQUESTS = {"rummy_requests_total", "rummy_request_seconds_bucket"}


def values() -> dict[str, float]:
    """What the site says of its own state now."""
    registry = CollectorRegistry()
    registry.register(watched.Site())
    families = text_string_to_metric_families(generate_latest(registry).decode())
    return {sample.name: sample.value for family in families for sample in family.samples}


@pytest.mark.parametrize(
    ("headers", "may"),
    [
        ({"REMOTE_ADDR": "10.1.2.3"}, True),
        ({"REMOTE_ADDR": "192.0.2.9"}, False),
        ({"REMOTE_ADDR": "192.0.2.9", "HTTP_AUTHORIZATION": "Bearer watch-me"}, True),
        ({"REMOTE_ADDR": "192.0.2.9", "HTTP_AUTHORIZATION": "Bearer watch-you"}, False),
        ({"REMOTE_ADDR": "192.0.2.9", "HTTP_AUTHORIZATION": "watch-me"}, False),
        # A proxy that the settings do not name: it is at an inner address, and whoever asks it is not.
        ({"REMOTE_ADDR": "10.1.2.3", "HTTP_X_FORWARDED_FOR": "192.0.2.9"}, False),
        ({"REMOTE_ADDR": "192.0.2.9", "HTTP_X_FORWARDED_FOR": "10.1.2.3"}, False),
    ],
)
def test_only_the_token_and_inner_addresses_may_watch(headers: dict[str, str], may: bool, settings: Any):
    """Planted fault: everybody who comes through a proxy on this machine reads the metrics."""
    settings.METRICS_TOKEN, settings.METRICS_FROM = "watch-me", (ip_network("10.0.0.0/8"),)
    assert watched._may_watch(RequestFactory().get("/metrics", **headers)) is may  # type: ignore[arg-type]


def test_without_a_token_nobody_has_the_empty_one(settings: Any):
    settings.METRICS_TOKEN, settings.METRICS_FROM = "", (ip_network("10.0.0.0/8"),)
    asked = RequestFactory().get("/metrics", REMOTE_ADDR="192.0.2.9", HTTP_AUTHORIZATION="Bearer ")
    with pytest.raises(Http404):
        watched.metrics(asked)


@pytest.mark.django_db
def test_a_site_that_is_not_watched_has_no_such_page(client: Client):
    assert client.get("/metrics").status_code in (302, 404)


@pytest.mark.django_db
def test_events_and_ages_are_those_of_the_database(monkeypatch: pytest.MonkeyPatch):
    assert values()["rummy_events_total"] == 0
    assert "rummy_worker_heartbeat_age_seconds" not in values()
    monkeypatch.setattr(log, "unsealed_since", lambda: {uuid4(): now() - timedelta(minutes=61), uuid4(): now()})
    ends = {uuid4(): ClubEnd(position, uuid4()) for position in (7, 5)}
    monkeypatch.setattr(log, "club_ends", lambda: ends)
    WorkerHeartbeat.objects.create(
        name="worker", beat_at=now() - timedelta(seconds=70), broker_down_since=now() - timedelta(minutes=5)
    )
    said = values()
    assert said["rummy_events_total"] == 12
    assert 70 <= said["rummy_worker_heartbeat_age_seconds"] < 100
    assert 3600 < said["rummy_unsealed_oldest_seconds"] < 3700
    assert 300 <= said["rummy_broker_down_seconds"] < 330
    assert said["rummy_database_up"] == 1


@pytest.mark.django_db
def test_a_database_that_is_gone_is_a_metric_and_not_a_failure(monkeypatch: pytest.MonkeyPatch):
    def gone(moment: object) -> Iterator[object]:
        raise OperationalError("connection refused")
        yield

    monkeypatch.setattr(watched, "_of_database", gone)
    said = values()
    assert said["rummy_database_up"] == 0
    assert "rummy_events_total" not in said


def test_alerts_and_dashboard_ask_for_metrics_that_are_there(settings: Any, db: None, tmp_path: Path):
    """Planted fault: a metric that was renamed, and an alert that never comes."""
    settings.CACHE_URL = f"unix://{tmp_path}/nothing"
    settings.CACHES = {**settings.CACHES, "default": cache("default", settings.CACHE_URL, entries=9)}
    WorkerHeartbeat.objects.create(name="worker", beat_at=now())
    for subject in ("backups", "restores", "checks"):
        SiteCheck.objects.create(subject=subject, good_at=now())
    SiteCheck.objects.create(subject="room", since=now(), bad_at=now())
    there = {*values(), *OF_REQUESTS}
    rules = [rule["expr"] for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]
    panels = [target["expr"] for panel in json.loads(DASHBOARD.read_text())["panels"] for target in panel["targets"]]
    asked = {name for expression in (*rules, *panels) for name in re.findall(r"\brummy_\w+", expression)}
    assert len(rules) >= 8
    assert asked <= there, asked - there


@pytest.mark.parametrize(
    ("series", "rings"),
    [
        ({}, []),
        ({"rummy_worker_heartbeat_age_seconds": "60x40"}, []),
        # One trouble, as two machines say it.
        ({"rummy_worker_heartbeat_age_seconds": "0+60x40", "rummy_checks_age_seconds": "0+60x60"}, ["RummyNoWorker"]),
        ({"rummy_worker_heartbeat_age_seconds": "_x40"}, ["RummyNoWorker"]),
        ({"rummy_checks_age_seconds": "600+60x40"}, ["RummyNotChecked"]),
        ({"rummy_database_up": "0x40", "rummy_worker_heartbeat_age_seconds": "_x40"}, ["RummyDatabaseAway"] * 2),
        # Of two workers with a disk each, in turns.
        ({'rummy_check_bad{subject="room"}': "1 2 1 2 1 2 1 2 1 2 " * 4}, ["RummyCheckBad"]),
        ({'rummy_check_bad{subject="backups"}': "1x40", "rummy_backup_age_seconds": "999999x40"}, ["RummyCheckWarns"]),
        (
            {'rummy_check_bad{subject="settlements"}': "1x40", "rummy_settlements_failed": "1x40"},
            ["RummyNothingIsSettled"],
        ),
        # A disk of a machine; a check of workers that is bad elsewhere hides none.
        ({"rummy_disk_free_bytes": "1000000000x40"}, ["RummyDiskFills"] * 2),
        (
            {'rummy_check_bad{subject="room"}': "1x40", "rummy_disk_free_bytes": "9x40"},
            ["RummyCheckWarns", "RummyDiskFull", "RummyDiskFull"],
        ),
        # A machine was not asked for a while, and is again.
        ({"up": "1 1 1 " + "_ " * 29 + "1 1 1 1 1", 'rummy_requests_total{status="500"}': "_x31 7 7 7 7 7"}, []),
    ],
)
def test_each_trouble_rings_once(series: dict[str, str], rings: list[str], tmp_path: Path):
    """Planted faults: an expression with a bracket too few, which keeps Prometheus from starting; an alert of its own
    for what a check says as well; one for each machine of what all of them read in the database; all that is missing
    rings where the database is.
    """
    promtool = shutil.which("promtool")
    if promtool is None:
        said = "NO PROMTOOL: Debian's package prometheus is not installed"
        (pytest.fail if os.environ.get("REQUIRE_SERVERS") else pytest.skip)(said)
    usual = {"up": "1x40", "rummy_database_up": "1x40", "rummy_worker_heartbeat_age_seconds": "5x40"}
    said_by = [
        {
            "series": f'{name.rstrip("}")}{"," if "{" in name else "{"}job="rummy",instance="{machine}"}}',
            "values": values,
        }
        for machine in ("a", "b")
        for name, values in {**usual, **series}.items()
    ]
    names = {rule["alert"] for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]}
    asked = 'sum by (alertname) (ALERTS{alertstate="firing"})'
    samples = [{"labels": f'{{alertname="{name}"}}', "value": rings.count(name)} for name in sorted(set(rings))]
    assert set(rings) <= names
    tests = [
        {
            "interval": "1m",
            "input_series": said_by,
            "promql_expr_test": [{"expr": asked, "eval_time": "35m", "exp_samples": samples}],
        }
    ]
    file = tmp_path / "tests.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": tests}))
    done = subprocess.run([promtool, "test", "rules", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.django_db
def test_prizes_that_wait_are_as_old_as_the_oldest_record_that_made_them_due(settings: Any):
    """Planted faults: the age of tables only; prizes of a practice tournament, which nobody ever settles."""
    evening = evening_at(club_called("Asha's club", "asha"), now=now() - timedelta(hours=2))
    sweep_settlements()
    assert values()["rummy_settlement_oldest_seconds"] == 0
    EveningSheet.objects.update(due_position=1, settled_position=0)
    said = values()
    assert said["rummy_settlements_waiting"] == 1
    first = log.read_club(evening.tournament.club_id)[0].recorded_at
    assert said["rummy_settlement_oldest_seconds"] == pytest.approx((now() - first).total_seconds(), abs=30)
    EveningSheet.objects.update(is_rehearsal=True)
    assert values()["rummy_settlements_waiting"] == 0


@pytest.mark.django_db
def test_messages_that_were_given_up_and_receivers_that_were_switched_off_are_counted():
    """Planted fault: a receiver that a person switched off, or whose reader stopped it, counts as one that failed."""
    club = club_called("Asha's club", "asha")
    for number, reason in enumerate(("", "unsubscribed", "failing", "gone")):
        Receiver.objects.create(
            club=club, channel="webhook", name=f"r{number}", position=0, is_on=False, off_reason=reason, off_at=now()
        )
    receiver = Receiver.objects.create(club=club, channel="webhook", name="on", position=0, failures=1)
    for number, state in enumerate(("waiting", "failed", "failed", "sent")):
        Delivery.objects.create(
            receiver=receiver, kind="test", position=number, number=0, body="{}", told_at=now(), state=state
        )
    said = values()
    assert (said["rummy_receivers_off"], said["rummy_receivers_failing"]) == (2, 1)
    assert (said["rummy_deliveries_waiting"], said["rummy_deliveries_failed"]) == (1, 2)


@pytest.mark.slow
def test_counting_a_request_costs_less_than_a_tenth_of_a_millisecond(tmp_path: Path):
    """Of processor time, with a name and a status of many. Planted fault: a lock of the file for each request."""
    code = """
import time
from django.conf import settings
settings.configure()
from django.http import HttpRequest
from rummy_site.middleware.counts import count_request
request = HttpRequest()
request.method = "GET"
def count(number):
    for turn in range(number):
        count_request(request, f"pages:{turn % 40}", 200, 0.02)
count(200)
began = time.process_time()
count(5_000)
print((time.process_time() - began) / 5_000)
"""
    environment = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    assert float(done.stdout) < 0.000_1


def test_counts_take_their_room_before_they_are_mapped_and_a_disk_without_it_stops_no_request(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    """Planted faults: a file that is a hole, in which each process dies once its disk is full; a folder that is gone
    fails every request.
    """
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    monkeypatch.setattr(counts, "_with_files", set())
    monkeypatch.setattr(counts, "_failed_at", {})
    assert counts._make_files(os.getpid())
    files = [path.stat() for path in tmp_path.iterdir()]
    assert [(file.st_size, file.st_blocks * 512 >= file.st_size) for file in files] == [(counts.ROOM_BYTES, True)] * 2
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path / "gone"))
    counts._with_files.clear()
    counts.count_request(RequestFactory().get("/"), "pages:clubs", 200, 0.1)
    assert "requests are not counted: No such file or directory" in caplog.text


def test_a_link_out_of_a_mail_is_not_written_to_the_log(client: Client, settings: Any):
    """Planted faults: whoever reads the log stops the messages of a reader, or sets a new password; a link that is
    redirected, refused or meets a defect is written whole.
    """
    for path, shown in (
        ("/en-gb/messages/stop/some-secret/", "/en-gb/messages/stop/.../"),
        ("/admin/account/forgotten/1/some-secret/", "/admin/account/forgotten/1/.../"),
        ("/admin/account/forgotten/sent/", "/admin/account/forgotten/sent/"),
    ):
        assert without_secrets(path) == shown
    settings.LOG_REQUESTS, settings.SECURE_SSL_REDIRECT = True, True
    path = "/en-gb/messages/stop/some-secret/"
    with capture_logs(processors=[merge_contextvars]) as lines:
        assert client.get(path).status_code == 301
        status, headers, _ = refuse(RequestFactory().get(path).environ, RefusalReason.TOO_BUSY, 0)
    assert [line["path"] for line in lines] == ["/en-gb/messages/stop/.../"] * 2
    assert (status, dict(headers)["X-Request-ID"]) == (503, lines[1]["request_id"])
    line = logging.LogRecord("django.request", logging.ERROR, "", 1, "%s: %s", ("Internal Server Error", path), None)
    NoSecrets().filter(line)
    assert "some-secret" not in line.getMessage()


def test_a_machine_asks_by_address_and_without_encryption(settings: Any):
    """Planted fault: in production it is sent on to an encrypted address, and its Host is refused before that."""
    settings.SECURE_SSL_REDIRECT = True
    security = SecurityMiddleware(lambda request: HttpResponse())
    for path in PROBES:
        answer: Any = security(RequestFactory().get(path, headers={"Host": "10.0.0.9:8000"}))
        assert answer.status_code == 200


@pytest.mark.slow
@pytest.mark.django_db
def test_two_processes_count_together_and_each_request_has_one_line(site_environment: dict[str, str], tmp_path: Path):
    """Planted faults: each process tells its own half; a line with a query string; the caller's number is lost."""
    watched_site = {"WEB_WORKERS": "2", "METRICS_TOKEN": "watch-me", "LOG_REQUESTS": "true", "LOG_JSON": "true"}
    with serving({**site_environment, **watched_site}, tmp_path) as site:
        for number in range(30):
            numbered: dict[str, Any] = {"X-Request-ID": f"given-number-{number}"}
            site.ask("GET", "/en-gb/?name=Asha", **numbered)
        odd: dict[str, Any] = {"X-Request-ID": "no\tnumber"}
        site.ask("GET", "/en-gb/", **odd)
        site.ask("POST", "/api/v1/clubs/", body={})
        counted = {_counted(site, 'method="GET",status="200",view="pages:home"') for _ in range(6)}
        assert counted == {31.0}
        assert site.ask("GET", "/metrics").status == 404
    lines = [json.loads(line) for line in site.log.read_text().splitlines() if '"rummy_site.access"' in line]
    asked = [line for line in lines if line["view"] == "pages:home"]
    assert [line["request_id"] for line in asked[:30]] == [f"given-number-{number}" for number in range(30)]
    assert re.fullmatch("[0-9a-f]{32}", asked[30]["request_id"])
    assert {"path", "view", "status", "milliseconds", "method", "request_id"} <= set(asked[0])
    assert "Asha" not in site.log.read_text()
    assert not [line for line in lines if line["path"] in ("/readyz", "/metrics")]


def _counted(site: Site, labels: str) -> float:
    text = site.ask("GET", "/metrics", Authorization="Bearer watch-me").body.decode()
    line = next((line for line in text.splitlines() if line.startswith(f"rummy_requests_total{{{labels}}}")), text)
    return float(line.rpartition(" ")[2])


@pytest.mark.slow
def test_a_reported_defect_has_its_stack_and_nothing_that_was_typed(tmp_path: Path):
    """Planted faults: the message of the exception, a local variable, a body, a cookie, a line's arguments."""
    code = """
import json, logging, django; django.setup()
import sentry_sdk
from sentry_sdk.transport import Transport
sent = []
class Kept(Transport):
    def capture_envelope(self, envelope): sent.append(envelope.serialize().decode())
sentry_sdk.get_client().transport = Kept()
from django.test import Client
from django.urls import path
from django.http import HttpRequest
import rummy_site.urls
def broken(request: HttpRequest):
    typed = request.POST["name"]
    raise ValueError(f"{typed} cannot be seated")
rummy_site.urls.urlpatterns.insert(0, path("broken/", broken))
client = Client(raise_request_exception=False)
client.cookies["sessionid"] = "Cookie-of-Asha"
answer = client.post("/broken/?player=Asha", {"name": "Asha"}, headers={"Referer": "http://x/?q=Asha"})
logging.getLogger("tournaments").error("settlement of %s failed", "Asha", extra={"who": "Asha"})
print(json.dumps(sent))
"""
    environment = {
        "VAR_DIR": str(tmp_path / "var"),
        "DJANGO_SETTINGS_MODULE": "rummy_site.settings",
        "SENTRY_DSN": "http://key@127.0.0.1:9/1",
        "ALLOWED_HOSTS": "testserver",
        "PATH": "/usr/bin:/bin",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    sent = json.loads(done.stdout.splitlines()[-1])
    assert any('"ValueError"' in envelope and '"broken"' in envelope for envelope in sent)
    assert any("settlement of %s failed" in envelope for envelope in sent)
    assert "Asha" not in done.stdout
