"""What each process imports: an unused part of the site costs neither start time nor memory."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.bench_start import AT_MOST, figures
from rummy_site.optional import without

ROOT = Path(__file__).resolve().parents[3]
QUEUE = {"celery", "kombu"}
PAPER_AND_FILES = {"reportlab", "xlsxwriter", "PIL", "icalendar", "uharfbuzz", "selectolax"}
PAGES = {"tournaments.web", "rest_framework.views", "drf_spectacular.views"}
# Installed with the tools of developers, and loaded by libraries that find them.
DRIVER = {"psycopg", "psycopg_binary"}
TOOLS = {"rich", "requests", "jinja2", "docutils", "pygments", "markdown"}
COMMAND = "import django; django.setup()"
WORKER = (
    "import rummy_site.celery; rummy_site.celery.app.loader.import_default_modules(); import rummy_site.worker.periodic"
)
WEB = "import rummy_site.wsgi, rummy_site.urls"


def loaded(code: str, environment: dict[str, str]) -> set[str]:
    """The modules, and their packages, that a process has imported once it ran this."""
    called = [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"]
    return set(
        subprocess.run(called, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout.split()
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "unused"),
    [
        pytest.param(COMMAND, QUEUE | PAGES | PAPER_AND_FILES | TOOLS, id="a command"),
        pytest.param(WORKER, PAGES | PAPER_AND_FILES | TOOLS, id="the worker"),
        pytest.param(WEB, QUEUE | PAPER_AND_FILES | TOOLS, id="the web process"),
    ],
)
@pytest.mark.django_db
def test_a_process_on_sqlite_loads_what_it_uses(
    code: str, unused: set[str], tmp_path: Path, site_environment: dict[str, str]
):
    """Planted faults it catches: the admin's modules imported at every start, the queue imported before a message."""
    environment = {**site_environment, "DATABASE_URL": f"sqlite:///{tmp_path}/empty.sqlite3"}
    assert loaded(code, environment) & (unused | DRIVER) == set()


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["web", "worker"])
def test_a_forked_process_connects_and_answers_as_its_environment_says(kind: str, site_environment: dict[str, str]):
    """Planted faults it catches: the command's connection, which waits for locks for twenty seconds; its hosts."""
    code = """
import django, os; django.setup()
from django.conf import settings
from django.db import connection
from rummy_site.database import default_database
from rummy_site.startup import read_settings_again
with connection.cursor() as cursor: cursor.execute("SELECT 1")
connection.close()
os.environ.update(PROCESS_KIND="WANTED", ALLOWED_HOSTS="hall.local")
read_settings_again()
kind = {"is_web": "WANTED" == "web", "is_worker": "WANTED" == "worker"}
wanted = default_database(folder=settings.VAR_DIR, **kind)["OPTIONS"]
assert settings.ALLOWED_HOSTS == ["hall.local"]
assert connection.settings_dict["OPTIONS"] == wanted, connection.settings_dict
with connection.cursor() as cursor: cursor.execute("SELECT 1")
"""
    environment = {**site_environment, "DJANGO_SETTINGS_MODULE": "rummy_site.settings"}
    assert "rummy_site.settings" in loaded(code.replace("WANTED", kind), environment)


@pytest.mark.slow
def test_a_start_stays_within_its_processor_time_and_memory():
    """Planted fault: a supervisor, or a worker, that loads the pages."""
    start = figures(starts=2)
    # Beside other tests the unit and the start, one after the other, may differ by a quarter.
    most = {**AT_MOST, "first_page_setups": AT_MOST["first_page_setups"] * 1.25}
    assert not {name: start[name] for name in most if start[name] > most[name]}


def test_a_module_counts_as_not_installed_for_a_block_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "colour_of_logs.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    with without("colour_of_logs"), pytest.raises(ImportError):
        importlib.import_module("colour_of_logs")
    assert importlib.import_module("colour_of_logs")
    with without("colour_of_logs"):
        assert importlib.import_module("colour_of_logs")
