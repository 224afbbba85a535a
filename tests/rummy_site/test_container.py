"""examples/container and docs/how-to/container.md: what the files say, and every line of the page, without Docker.

The steps of the Containerfile and the commands of the services run as processes (tests/builders/containers.py), so a
fault in any of them ends this test: an option that no command has, a folder that nobody may write, a health check that
asks the wrong port, a site that PostgreSQL does not let in, an nginx that does not find it.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
import yaml

from tests.builders.containers import Compose, instructions, there
from tests.builders.nginx import NGINX
from tests.builders.serve import ROOT
from tests.plugins import postgres, valkey
from tests.plugins.servers import CannotStart, Server

EXAMPLE = ROOT / "examples" / "container"
PAGE = (ROOT / "docs" / "how-to" / "container.md").read_text()
BLOCKS = re.compile(r"^ *```(\S+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
COMPOSE = yaml.safe_load((EXAMPLE / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
# Settings of the page's file that are the compose file's own.
OURS = {"DATABASE_PASSWORD"}


def test_the_page_is_run_to_the_last_line():
    """Planted fault: lines below a heading that .ci/container does not run."""
    blocks = [(heading, kind) for heading, part in parts() for kind, _ in BLOCKS.findall(part)]
    assert 2 * len(blocks) == PAGE.count("```")
    assert {kind for _, kind in blocks} == {"sh", "console"}
    assert "certbot" in next(text for kind, text in BLOCKS.findall(PAGE) if kind == "console")
    run = re.findall(r"<\(lines (\w+)", (ROOT / ".ci" / "container").read_text())
    assert list(dict.fromkeys(heading for heading, _ in blocks)) == run


def parts() -> list[tuple[str, str]]:
    """Each heading of the page, and what is below it."""
    texts = re.split(r"^## (.+)$", PAGE, flags=re.MULTILINE)[1:]
    return list(zip(texts[::2], texts[1::2], strict=True))


def test_settings_of_the_containers_are_settings_of_the_site():
    """Planted fault: a name that nothing reads, such as BROKER_URL."""
    known = set(re.findall(r"`([A-Z][A-Z0-9_]+)`", (ROOT / "docs/reference/running.md").read_text()))
    image = [words for kind, words in instructions(EXAMPLE / "Containerfile") if kind == "ENV"]
    of_image = set(re.findall(r"([A-Z_]+)=", " ".join(image))) - {"PATH"}
    of_page = set(re.findall(r"^ *([A-Z_]+)=", PAGE, re.MULTILINE))
    of_site = set().union(*(service["environment"] for service in SERVICES.values() if "env_file" in service))
    assert of_site | of_image | (of_page - OURS) <= known
    assert set(re.findall(r"\$\{(\w+)", (EXAMPLE / "compose.yaml").read_text())) <= of_page


def test_versions_agree():
    """Planted faults: a pg_dump that is older than the server; a Debian on which nothing is tested."""
    text = (EXAMPLE / "Containerfile").read_text()
    client = re.findall(r"postgresql-client-(\d+)", text)
    assert [SERVICES["postgres"]["image"]] == [f"postgres:{release}" for release in client]
    tested = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]["run"]["strategy"]["matrix"][
        "debian"
    ]
    assert set(re.findall(r"^FROM debian:(\w+)-slim", text, re.MULTILINE)) <= set(tested)
    for name in ("build.txt", "run.txt"):
        assert re.search(rf"--require-hashes[ \\\n]+--requirement requirements/{name}", text)


def test_containers_may_do_what_they_need_and_no_more():
    """Planted faults: a published database; a container without a limit; root's rights for what needs none."""
    for name, service in SERVICES.items():
        assert service["read_only"], name
        assert (service["cap_drop"], service["security_opt"]) == (["ALL"], ["no-new-privileges:true"]), name
        assert service["mem_limit"], name
        assert service["restart"] == ("no" if name == "migrate" else "unless-stopped"), name
    assert {name for name, service in SERVICES.items() if "ports" in service or "cap_add" in service} == {"nginx"}
    networks = {name: set(service["networks"]) for name, service in SERVICES.items()}
    assert (networks["postgres"], networks["valkey"], networks["nginx"]) == ({"back"}, {"back"}, {"front"})
    assert COMPOSE["networks"]["back"]["internal"]
    users = {name: service["user"] for name, service in SERVICES.items() if "user" in service}
    assert users == {"postgres": "postgres", "valkey": "valkey"}
    [user] = [words for kind, words in instructions(EXAMPLE / "Containerfile") if kind == "USER"]
    assert re.findall(r"useradd .* (\w+) ", (EXAMPLE / "Containerfile").read_text()) == [user] != ["root"]
    # Docker kills a process after ten seconds, unless it is told otherwise; ours end theirs within eight.
    assert int(SERVICES["worker"]["stop_grace_period"].removesuffix("s")) > 10
    # Owners make boxes of their clubs there.
    assert all("backups:/backups" in SERVICES[name]["volumes"] for name in ("web-a", "web-b"))


def test_the_key_the_settings_and_the_backups_beside_the_compose_file_get_into_no_image_and_no_commit():
    """Planted fault: a folder of examples that is copied whole, with what the page puts into it."""
    assert "examples/container" in (ROOT / ".dockerignore").read_text().split()
    ignored = (ROOT / ".gitignore").read_text().split()
    for name in (".env", "tls/", "backups.tar"):
        assert f"/examples/container/{name}" in ignored


def test_addresses_and_volumes_are_there():
    """Planted faults: proxies that nginx is not one of, so that everybody has one address; a volume nobody made."""
    [front] = COMPOSE["networks"]["front"]["ipam"]["config"]
    fixed = {
        name: service["networks"]["front"]["ipv4_address"]
        for name, service in SERVICES.items()
        if isinstance(service["networks"], dict)
    }
    assert set(fixed) == {"web-a", "web-b", "nginx"}
    assert len(set(fixed.values())) == 3
    for address in fixed.values():
        assert ip_address(address) in ip_network(front["subnet"])
        assert ip_address(address) not in ip_network(front["ip_range"])
    assert SERVICES["web-a"]["environment"]["PROXIES"] == fixed["nginx"]
    mounted = {word.split(":")[0] for service in SERVICES.values() for word in service.get("volumes", ())}
    assert {name for name in mounted if not name.startswith("./")} == set(COMPOSE["volumes"])
    assert {name for name in mounted if name.startswith("./") and not (EXAMPLE / name).exists()} == {"./tls"}


class Database(NamedTuple):
    folder: Path
    programs: Path


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[tuple[Database, Path]]:
    """A PostgreSQL without our database, and the program of Valkey."""
    database, broker = Server("container-postgres"), Server("container-valkey")
    try:
        address = postgres.start(database)
        with psycopg.connect(address, dbname="postgres", autocommit=True) as connection:
            connection.execute("DROP DATABASE rummy")
        yield Database(database.folder, postgres.programs_of(database)), valkey._program(broker)
    except CannotStart as error:
        pytest.fail(str(error)) if os.environ.get("REQUIRE_SERVERS") else pytest.skip(str(error))
    finally:
        database.stop()
        broker.stop()


@pytest.fixture
def compose(tmp_path: Path, servers: tuple[Database, Path]) -> Iterator[Compose]:
    if not NGINX:
        said = "nginx is not installed"
        pytest.fail(said) if os.environ.get("REQUIRE_SERVERS") else pytest.skip(said)
    checkout = tmp_path / "checkout"
    for folder in (".ci", "examples/container", "docs/how-to"):
        shutil.copytree(ROOT / folder, checkout / folder)
    home = checkout / "examples" / "container"
    (tmp_path / "state").mkdir()
    compose = Compose(home, tmp_path / "state", *servers)
    try:
        yield compose
    finally:
        for process, _ in compose.processes.values():
            process.kill()
            process.wait()


@pytest.mark.slow(long=True)
def test_its_lines_lead_from_a_checkout_to_settled_money_and_through_an_update_and_a_restore(
    compose: Compose, servers: tuple[Database, Path]
):
    """Planted faults: static files that the user of the image may not read; the site as a superuser of PostgreSQL."""
    compose.serve(compose.home.parents[1] / ".ci" / "container", SITE=f"https://localhost:{compose.ports['https']}")
    log = (compose.folder / "program.log").read_text()
    assert log.count("settled\n") == 3
    assert not re.search(r"^bad\b", log, re.MULTILINE), log
    # At the start, for the update, and after the restore. Nobody could ask while nginx is replaced.
    started = {name: compose.started.count(name) for name in SERVICES if name != "migrate"}
    assert started == {"web-a": 3, "web-b": 3, "worker": 3, "postgres": 1, "valkey": 1, "nginx": 2}
    site = compose.images["site"]
    # What the image does by itself, but for a port that is none.
    alone = subprocess.run(
        [there(site, "/opt/rummy/bin") / site.command[0], *site.command[1:], "--port", "0"],
        env=compose.environment("web-a"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "port 0 is none to listen on" in alone.stderr
    static = there(site, "/opt/rummy/static")
    assert [path for path in static.rglob("*") if not path.stat().st_mode & 0o004] == []
    with psycopg.connect(f"host={servers[0].folder}/run user=postgres", dbname="postgres") as connection:
        roles = connection.execute(
            "SELECT rolname, rolsuper, rolcreaterole, rolpassword IS NULL FROM pg_authid WHERE rolcanlogin ORDER BY 1"
        ).fetchall()
    assert roles == [("postgres", True, True, True), ("rummy", False, False, False)]
