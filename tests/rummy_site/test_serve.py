"""`manage.py serve`: web and worker start, a killed one is restarted, Ctrl-C stops everything."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import ifaddr
import pytest
from django.core.management import CommandError
from django.db import connection
from django.http.request import split_domain_port, validate_host

from rummy_site.management.commands import serve
from rummy_site.operations import announcing, hall
from rummy_site.operations.hall import NEEDS_HTTPS
from tests.builders.backups import programs_of_this_server
from tests.builders.patience import PATIENCE
from tests.builders.processes import family, is_alive, memory_kb
from tests.builders.serve import ROOT, Served, free_port
from tournaments.models import Invitation
from tournaments.people.access import code_digest

MEMORY_LIMIT_KB = 400 * 1024
KEEPER_LIMIT_KB = 15 * 1024


def _copying() -> list[str]:
    """The program that copies the test's database: PostgreSQL's own pg_dump."""
    return [] if connection.vendor == "sqlite" else ["--pg-dump", str(programs_of_this_server() / "pg_dump")]


@pytest.fixture
def served(request: pytest.FixtureRequest, site_environment: dict[str, str], tmp_path: Path) -> Iterator[Served]:
    """`manage.py serve` with further arguments of a test."""
    port, log = free_port(), tmp_path / "serve.log"
    words = [word.format(folder=tmp_path) for word in getattr(request, "param", [])]
    words += _copying() if "--copy-to" in words else []
    with log.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port), *words],
            cwd=ROOT,
            env=site_environment,
            stdout=file,
            stderr=subprocess.STDOUT,
            text=True,
        )
    yield Served(process, port, log)
    process.kill()
    process.wait()


@pytest.mark.slow
def test_the_site_opens_survives_kills_and_closes_on_ctrl_c(served: Served):
    served.until(lambda: served.status("/readyz?worker") == 200)
    served.until(lambda: f"http://127.0.0.1:{served.port}/admin/" in served.log.read_text())
    assert sum(map(memory_kb, family(served.process.pid))) < MEMORY_LIMIT_KB
    assert memory_kb(served.process.pid) < KEEPER_LIMIT_KB

    os.kill(served.child("granian"), signal.SIGKILL)
    served.until(lambda: "web    | ended" in served.log.read_text())
    served.until(lambda: served.status("/healthz") == 200)

    os.kill(served.child("celery"), signal.SIGKILL)
    served.until(lambda: served.log.read_text().count(" ready.") == 2)

    everybody = family(served.process.pid)
    served.process.send_signal(signal.SIGINT)
    assert served.process.wait(PATIENCE) == 0
    assert [number for number in everybody if is_alive(number)] == []


@pytest.mark.slow
@pytest.mark.parametrize("served", [["--demo"]], indirect=True)
def test_the_demo_is_one_command_from_an_empty_folder_to_the_example_club(served: Served):
    served.until(lambda: served.status("/en-gb/c/marine-drive/") == 200)
    assert "demo-director" in served.log.read_text()


@pytest.mark.django_db
def test_the_demo_writes_boards_of_earlier_code_again(monkeypatch: pytest.MonkeyPatch):
    """As `migrate` does. Planted fault it catches: a demo that shows boards stored by the code before an update."""
    called: list[str] = []
    monkeypatch.setattr(serve, "call_command", lambda name, **_: called.append(name))
    monkeypatch.setattr(serve, "close", lambda paths: [])
    monkeypatch.setattr(serve, "unapplied_migrations", lambda: 0)
    monkeypatch.setattr(serve, "refuse_closed_database", lambda: None)
    monkeypatch.setattr(serve, "refuse_newer_database", lambda: None)
    monkeypatch.setattr(serve, "connections", SimpleNamespace(close_all=lambda: None))
    for are_current in (False, True):
        monkeypatch.setattr(serve, "are_boards_current", lambda are_current=are_current: are_current)
        serve.Command()._prepare_database(is_demo=True)
    assert called == ["migrate", "demo_data", "demo_data"]


@pytest.mark.django_db
def test_one_of_several_machines_runs_one_process_and_leaves_migrations_to_who_updates(monkeypatch: pytest.MonkeyPatch):
    """Planted faults: two machines that migrate at once; each start ends the code that another one has printed."""
    for name in serve.PRELOADED:
        [program] = serve.programs(host="127.0.0.1", port=8000, listening=9, only=name)
        assert (program.name, program.follows) == (name, False)
    monkeypatch.setattr(serve, "close", lambda paths: [])
    monkeypatch.setattr(serve, "refuse_closed_database", lambda: None)
    monkeypatch.setattr(serve, "refuse_newer_database", lambda: None)
    monkeypatch.setattr(serve, "connections", SimpleNamespace(close_all=lambda: None))
    code = serve.Command()._prepare_database(is_demo=False)
    assert serve.Command()._prepare_database(is_demo=False, migrates=False) == ""
    assert code_digest(code) == Invitation.objects.get().digest
    monkeypatch.setattr(serve, "unapplied_migrations", lambda: ["tournaments.9999"])
    with pytest.raises(CommandError, match="waits for migrations"):
        serve.Command()._prepare_database(is_demo=False, migrates=False)


@pytest.mark.slow
def test_the_process_that_keeps_the_others_loads_nothing_but_pythons_own_and_a_few_files_of_ours():
    """Planted fault it catches: `rummy_site` that loads its Celery app, and with it Django, when it is imported."""
    code = "import sys; before = {*sys.modules}; import rummy_site.operations.serving; print(*{*sys.modules} - before)"
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    loaded = {name for name in said.split() if name.partition(".")[0] not in sys.stdlib_module_names}
    assert loaded == {
        "rummy_site",
        *("rummy_site.operations", "rummy_site.worker", "rummy_site.worker.watchdog"),
        *(f"rummy_site.operations.{name}" for name in ("announcing", "preloading", "serving", "supervisor")),
    }


def test_a_port_that_is_taken_is_reported_at_once(manage: Callable[..., "subprocess.CompletedProcess[str]"]):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        answer = manage("serve", "--port", str(other.getsockname()[1]))
    assert answer.returncode == 1
    assert "cannot listen on 127.0.0.1" in answer.stderr


# A machine without a network has no address of its own but this one; a hall's are tried below where there are any.
A_HALLS = "127.0.0.2"


@pytest.mark.slow
@pytest.mark.parametrize("served", [["--hall", "--host", A_HALLS, "--copy-to", "{folder}"]], indirect=True)
def test_a_hall_reaches_the_site_at_the_address_that_is_printed_and_copies_are_made(served: Served):
    served.until(partial(is_open, served, A_HALLS))
    served.until(lambda: NEEDS_HTTPS in served.log.read_text())
    assert f"http://{A_HALLS}:{served.port}/admin/" in served.log.read_text()
    assert served.status("/", host=A_HALLS, name="evil.example") == 400
    folder = served.log.parent
    served.until(lambda: any(folder.glob("rummy-2*/manifest.json")))
    served.until(lambda: "copies |" in served.log.read_text())


def is_open(served: Served, address: str) -> bool:
    return served.status("/en-gb/", host=address, name=f"{address}:{served.port}") == 200


@pytest.mark.slow
@pytest.mark.parametrize("served", [["--hall"]], indirect=True)
def test_a_hall_is_served_at_every_address_of_this_machine_or_told_that_it_has_none(served: Served):
    found = hall.hall_addresses()
    for address in found or ["127.0.0.1"]:
        served.until(partial(is_open, served, address))
    served.until(lambda: (NEEDS_HTTPS if found else "is in no network") in served.log.read_text())


def test_a_hall_is_not_served_in_production(manage: Callable[..., "subprocess.CompletedProcess[str]"]):
    answer = manage(
        "serve",
        "--hall",
        PRODUCTION="true",
        SECRET_KEY="k" * 30 + "0123456789abcdefghijklmno",
        ALLOWED_HOSTS="club.example",
    )
    assert answer.returncode == 1
    assert "--hall serves without encryption, and PRODUCTION is on" in answer.stderr


def test_a_hall_whose_router_gave_another_address_is_announced_again(monkeypatch: pytest.MonkeyPatch):
    said: list[str] = []
    found = ["192.168.1.10"]
    monkeypatch.setattr(hall, "hall_addresses", lambda: list(found))
    monkeypatch.setattr(hall, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(announcing, "_answers", lambda host, port: True)
    announce = hall.HallAnnouncement(host="0.0.0.0", port=8000, allowed=["club.example"], say=said.append)  # noqa: S104
    announce.when_open()
    assert "  Public pages  http://192.168.1.10:8000/" in said
    assert not announce.has_moved()
    found[:] = ["10.0.0.7", "192.168.1.10"]
    assert announce.has_moved()
    assert "10.0.0.7" in announce.web_settings()["ALLOWED_HOSTS"].split(",")
    announce.when_open()
    assert "  Public pages  http://10.0.0.7:8000/" in said
    assert "  Or            http://192.168.1.10:8000/" in said
    found.clear()
    assert announce.has_moved()
    announce.when_open()
    assert any("is in no network" in line for line in said)


@pytest.mark.parametrize("host", ["0", "127.1", "*", "0:0::1", "localhost"])
def test_a_hall_answers_to_the_host_that_it_tells_and_to_no_other(host: str, monkeypatch: pytest.MonkeyPatch):
    """Planted faults: `*` among the hosts, so that any was answered; 0, and unbracketed addresses."""
    try:
        told = serve.host_name(host, serve.address_of(host, 8000))
    except CommandError:
        pytest.skip("no host of this machine")
    monkeypatch.setattr(announcing, "_answers", lambda host, port: True)
    monkeypatch.setattr(hall, "hall_addresses", lambda: ["192.168.1.10"])
    said: list[str] = []
    announce = hall.HallAnnouncement(host=told, port=8000, allowed=["club.example"], say=said.append)
    announce.when_open()
    sent = said[1].rpartition("://")[2].removesuffix("/")
    hosts = announce.web_settings()["ALLOWED_HOSTS"].split(",")
    assert validate_host(split_domain_port(sent)[0], hosts), sent
    assert not validate_host("evil.example", hosts)
    assert sent in ("192.168.1.10:8000", "127.0.0.1:8000", "[::1]:8000", "localhost:8000")


def test_a_name_with_a_dot_behind_it_is_answered():
    hosts = hall.hall_settings(["rummy.lan."], [])["ALLOWED_HOSTS"].split(",")
    assert validate_host(split_domain_port("rummy.lan.:8000")[0], hosts)


def test_the_usual_address_comes_first_and_the_internets_are_none_of_a_hall(monkeypatch: pytest.MonkeyPatch):
    given = ["8.8.8.8", "127.0.0.1", "172.17.0.1", "169.254.3.4", "10.1.2.3", "192.168.0.9"]
    ips = [SimpleNamespace(ip=each, is_IPv4=True) for each in given] + [
        SimpleNamespace(ip=("fe80::1", 0, 2), is_IPv4=False)
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [SimpleNamespace(ips=ips)])
    monkeypatch.setattr(hall, "_leading_out", lambda: "")
    assert hall.hall_addresses() == ["192.168.0.9", "10.1.2.3", "172.17.0.1", "169.254.3.4"]
    monkeypatch.setattr(hall, "_leading_out", lambda: "172.17.0.1")
    assert hall.hall_addresses()[0] == "172.17.0.1"
