"""The wheel, built and installed elsewhere: it carries all that the site needs, and serves from a folder of its own.

Planted faults: templates, examples, static files or translations not in the wheel; a version written twice; data
kept beside the code; a proof that is started from a file that only a checkout has.
"""

import http.client
import os
import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest

from rummy_site import __version__
from tests.builders.migrated import copy_for_sqlite
from tests.builders.patience import PATIENCE
from tests.builders.serve import ROOT, Served, free_port
from tests.builders.wheels import build_wheel

CARRIED = ("rummy_site", "scoring", "tournaments", "templates", "examples")
INSIDE = {"templates": "rummy_site/templates", "examples": "rummy_site/examples"}
# Environment of the test run: a checkout's data and settings must not reach the installed package.
NOT_ITS_OWN = {"VAR_DIR", "DATABASE_URL", "DJANGO_SETTINGS_MODULE", "PYTHONPATH"}
STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)"')


@dataclass(frozen=True)
class Installed:
    """A wheel in a virtualenv of its own, and an empty home."""

    wheel: Path
    command: Path
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        theirs = {name: value for name, value in os.environ.items() if name not in NOT_ITS_OWN}
        return {**theirs, "HOME": str(self.home), "XDG_DATA_HOME": str(self.home / "data")}

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.command, *words],
            cwd=self.home,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Nothing is downloaded: the wheel's dependencies are those that the tests run on."""
    folder = tmp_path_factory.mktemp("package")
    wheel = build_wheel(folder)
    place = folder / "elsewhere"
    venv.create(place)
    python = place / "bin" / "python"
    found = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    libraries = subprocess.run(found, check=True, capture_output=True, text=True).stdout.strip()
    (Path(libraries) / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-compile", "--no-deps"]
    install += ["--no-index", str(wheel)]
    subprocess.run(install, check=True, capture_output=True, timeout=PATIENCE)
    (folder / "home").mkdir()
    return Installed(wheel, place / "bin" / "rummy-evening", folder / "home")


@pytest.fixture(scope="module")
def served(installed: Installed) -> Iterator[Served]:
    """Its database is migrated before: tests/rummy_site/test_production_pages.py begins without one."""
    data = installed.home / "data" / "rummy-evening"
    data.mkdir(parents=True, mode=0o700, exist_ok=True)
    copy_for_sqlite(data / "rummy.sqlite3")
    port, log = free_port(), installed.home.parent / "serve.log"
    with log.open("w") as file:
        process = subprocess.Popen(
            [installed.command, "serve", "--port", str(port)],
            cwd=installed.home,
            env=installed.environment,
            stdout=file,
            stderr=subprocess.STDOUT,
            text=True,
        )
    running = Served(process, port, log)
    running.until(lambda: running.status("/readyz?worker") == 200)
    yield running
    process.terminate()
    process.wait(PATIENCE)


def page(served: Served, path: str, language: str = "en") -> str:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
    with closing(connection):
        connection.request("GET", path, headers={"Accept-Language": language})
        return connection.getresponse().read().decode()


@pytest.mark.slow
def test_the_wheel_holds_every_file_but_those_that_translators_edit(installed: Installed):
    with ZipFile(installed.wheel) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    files = {path.relative_to(ROOT) for room in CARRIED for path in (ROOT / room).rglob("*") if path.is_file()}
    wanted = {path for path in files if path.suffix not in {".po", ".pyc"}}
    assert held == {str(Path(INSIDE.get(path.parts[0], path.parts[0]), *path.parts[1:])) for path in wanted}


@pytest.mark.slow
def test_its_version_is_the_one_in_the_code(installed: Installed, served: Served):
    assert f"-{__version__}-" in installed.wheel.name
    assert installed.run("--version").stdout == f"rummy-evening {__version__}\n"
    assert f'"version": "{__version__}"' in page(served, "/healthz")
    assert re.search(rf"^  version: {re.escape(__version__)}$", page(served, "/api/v1/schema/"), re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "english"),
    [("{}/judge/", "The judge"), ("/admin/login/", "Password")],
)
def test_its_pages_have_their_styles_and_speak_every_language(served: Served, path: str, english: str):
    german = page(served, path.format("/de"), "de")
    assert '<html lang="de"' in german
    assert english in page(served, path.format("/en-gb"))
    assert english not in german
    styles = STYLE.findall(german)
    assert styles
    assert all(len(page(served, style)) > 200 for style in styles)


@pytest.mark.slow
def test_its_data_lie_in_the_data_folder_and_can_be_backed_up(installed: Installed, served: Served, tmp_path: Path):
    shown = installed.run("manage", "demo_data")
    assert "demo-director" in shown.stdout, shown.stderr
    assert "Marine Drive" in page(served, "/en-gb/")
    backed_up = installed.run("manage", "backup", str(tmp_path))
    assert "fingerprint" in backed_up.stdout, backed_up.stderr
    assert [path.name for path in installed.home.iterdir()] == ["data"]
    assert (installed.home / "data" / "rummy-evening" / "secret_key").exists()


@pytest.mark.slow
def test_what_only_a_checkout_can_do_is_refused(installed: Installed):
    refused = installed.run("manage", "messages")
    assert (refused.returncode, "edited in a checkout" in refused.stderr) == (1, True)
    nothing_asked = installed.run()
    assert (nothing_asked.returncode, nothing_asked.stderr[:20]) == (2, "usage: rummy-evening")
