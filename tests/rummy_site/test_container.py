"""examples/container and docs/how-to/container.md, where no Docker is: .ci/container runs the page in Docker.

What the files say of one another is read. The steps of the Containerfile run in a folder that stands for the image, and
what they made is run with the commands and health checks of the compose file.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

from rummy_site.operations.preloading import die_with_parent
from tests.builders import migrated
from tests.builders.nginx import NGINX, write_configuration
from tests.builders.patience import PATIENCE
from tests.builders.serve import ROOT, free_port
from tests.plugins import postgres
from tests.plugins.servers import CannotStart, Server

EXAMPLE = ROOT / "examples" / "container"
PAGE = (ROOT / "docs" / "how-to" / "container.md").read_text()
BLOCKS = re.compile(r"^ *```(\S+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
COMPOSE = yaml.safe_load((EXAMPLE / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


def instructions(file: Path) -> Iterator[tuple[str, str]]:
    """Each instruction of a Containerfile, and its words."""
    text = re.sub(r"^#.*\n", "", file.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    for line in filter(None, text.splitlines()):
        kind, words = line.split(maxsplit=1)
        yield kind, words


# The last of each kind, which are those of the site's image.
IMAGE = dict(instructions(EXAMPLE / "Containerfile"))
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
    of_image = set(re.findall(r"([A-Z_]+)=", IMAGE["ENV"])) - {"PATH"}
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
    assert re.findall(r"useradd .* (\w+) ", (EXAMPLE / "Containerfile").read_text()) == [IMAGE["USER"]] != ["root"]
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


def test_an_update_replaces_one_container_after_the_other():
    """Planted faults: `up` without a name, with which Compose replaces all that depend on `migrate`; two builders."""
    ups = re.findall(r"^ *docker compose up (.*)$", dict(parts())["Update"], re.MULTILINE)
    assert ups == [f"--detach --wait --no-deps {name}" for name in ("web-a", "web-b", "worker", "nginx")]
    assert "depends_on" not in SERVICES["nginx"]
    builds = {name: service["build"] for name, service in SERVICES.items() if "build" in service}
    assert {name: build["target"] for name, build in builds.items()} == {"migrate": "site", "nginx": "nginx"}
    for build in builds.values():
        assert (EXAMPLE / build["context"] / build["dockerfile"]).samefile(EXAMPLE / "Containerfile")


# Folders of an image; what else a step names is this machine's.
IN_IMAGE = re.compile(r"(?<![\w./$-])/(?:opt|src|data|backups|etc/nginx/conf.d|tmp)\b")


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which every COPY and RUN was carried out, but those of root and of the network: Debian's packages."""
    root = folder = tmp_path_factory.mktemp("image")
    for path in ("opt", "tmp", "data", "backups"):
        (root / path).mkdir()
    for kind, words in instructions(EXAMPLE / "Containerfile"):
        match kind, words.split():
            case "WORKDIR", [path]:
                folder = root / path.removeprefix("/")
                folder.mkdir(exist_ok=True)
            case "COPY", ["--from=build", source, target]:
                assert source == target
                assert (root / source.removeprefix("/")).is_dir()
            case "COPY", [*sources, target]:
                for source in sources:
                    copy(ROOT / source, folder / IN_IMAGE.sub(rf"{root}\g<0>", target), into=target.endswith("/"))
            case "RUN", _ if "apt-get" not in words:
                carry_out(IN_IMAGE.sub(rf"{root}\g<0>", words), folder)
    return root


def copy(source: Path, target: Path, *, into: bool) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        return
    target = target / source.name if into else target
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def carry_out(step: str, folder: Path) -> None:
    """With the packages that the tests run on, which are those of the locks."""
    environment = {
        "PATH": f"{sysconfig.get_path('scripts')}:/usr/bin:/bin",
        "PYTHONPATH": sysconfig.get_path("purelib"),
        **dict.fromkeys(("PIP_NO_INDEX", "PIP_NO_COMPILE", "PIP_DISABLE_PIP_VERSION_CHECK"), "1"),
    }
    done = subprocess.run(
        ["bash", "-e", "-c", step],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, f"{step}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


@pytest.mark.slow(long=True)
def test_what_its_steps_make_serves_a_site_that_is_well(image: Path, tmp_path: Path):
    """Planted faults: static files that others may not read; an option that no command has; a check of another port."""
    assert [path for path in (image / "opt/rummy/static").rglob("*") if not path.stat().st_mode & 0o004] == []
    site = f"127.0.0.1:{free_port()}"
    environment = {
        **dict(word.split("=", 1) for word in IN_IMAGE.sub(rf"{image}\g<0>", IMAGE["ENV"]).split()),
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "ALLOWED_HOSTS": "club.example",
        "SECRET_KEY": "k5f0w8z2" * 8,
    }
    migrated.copy_for_sqlite(image / "data" / "rummy.sqlite3")
    log = (tmp_path / "log").open("w+")

    def start(command: list[str]) -> subprocess.Popen[bytes]:
        there = [re.sub(r"127\.0\.0\.1:8000|web-a:8000", site, word) for word in command]
        there[0] = str(image / "opt/rummy/bin" / there[0])
        return subprocess.Popen(there, env=environment, cwd="/", stdout=log, stderr=log, preexec_fn=die_with_parent)  # noqa: PLW1509

    def said() -> str:
        return Path(log.name).read_text()[-2000:]

    assert start(SERVICES["migrate"]["command"]).wait(PATIENCE) == 0, said()
    web = start([*SERVICES["web-a"]["command"], "--port", site.split(":")[1]])
    worker = start(SERVICES["worker"]["command"])
    try:
        for check in (json.loads(IMAGE["HEALTHCHECK"].split("CMD ")[1]), SERVICES["worker"]["healthcheck"]["test"][1:]):
            end = time.monotonic() + PATIENCE
            while start(check).wait(PATIENCE):
                assert web.poll() is worker.poll() is None, said()
                assert time.monotonic() < end, said()
    finally:
        for process in (web, worker):
            process.send_signal(signal.Signals[IMAGE["STOPSIGNAL"]])
        stopped = [process.wait(PATIENCE) for process in (web, worker)]
    assert stopped == [0, 0], said()


@pytest.mark.slow(long=True)
def test_nginx_takes_its_configuration_and_asks_the_two_sites(image: Path, tmp_path: Path):
    """Planted fault: an address in the Containerfile that no service has in the compose file."""
    if not NGINX:
        said = "nginx is not installed"
        pytest.fail(said) if os.environ.get("REQUIRE_SERVERS") else pytest.skip(said)
    text = (image / "etc/nginx/conf.d/default.conf").read_text()
    addresses = [SERVICES[name]["networks"]["front"]["ipv4_address"] for name in ("web-a", "web-b")]
    assert re.findall(r"server (\S+):8000 max_fails=0;", text) == addresses
    tls = tmp_path / "tls"
    tls.mkdir()
    steps = (ROOT / ".ci" / "container").read_text().replace("\\\n", " ")
    [made] = re.findall(r"^openssl req -x509 .*", steps, re.MULTILINE)
    subprocess.run(["bash", "-e", "-c", made], cwd=tmp_path, check=True, timeout=PATIENCE)
    for of_image, ours in (
        ("listen 443 ssl;", f"listen 127.0.0.1:{free_port()} ssl;"),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("/etc/nginx/tls/", f"{tls}/"),
        ("/var/cache/nginx/", f"{tmp_path}/"),
    ):
        assert of_image in text, of_image
        text = text.replace(of_image, ours)
    tried = subprocess.run([*write_configuration(tmp_path, text), "-t"], capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr


@pytest.mark.slow
def test_the_site_owns_its_database_and_administers_nothing():
    """Planted fault: the site as a superuser of PostgreSQL."""
    server = Server("container-postgres")
    try:
        address = postgres.start(server)
        psql = str(postgres.programs_of(server) / "psql")
        with psycopg.connect(address, dbname="postgres", autocommit=True) as connection:
            connection.execute("DROP DATABASE rummy")
            done = subprocess.run(
                [
                    *(psql, "--no-psqlrc", "--set=ON_ERROR_STOP=1", f"--host={server.folder}/run"),
                    *("--username=postgres", f"--file={EXAMPLE / 'role.sql'}"),
                ],
                env={"DATABASE_PASSWORD": "a word"},
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            roles = connection.execute(
                "SELECT rolname, rolsuper, rolcreaterole, rolpassword IS NULL FROM pg_authid"
                " WHERE rolcanlogin ORDER BY 1"
            ).fetchall()
            [owner] = connection.execute(
                "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'rummy'"
            ).fetchall()
    except CannotStart as error:
        pytest.fail(str(error)) if os.environ.get("REQUIRE_SERVERS") else pytest.skip(str(error))
    finally:
        server.stop()
    assert roles == [("postgres", True, True, True), ("rummy", False, False, False)]
    assert owner == ("rummy",)
