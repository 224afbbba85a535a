"""What each process imports: an unused part of the site costs neither start time nor memory."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
QUEUE = {"celery", "kombu"}
PAPER_AND_FILES = {"reportlab", "xlsxwriter", "PIL", "icalendar", "uharfbuzz", "selectolax"}
PAGES = {"tournaments.web", "rest_framework.views", "drf_spectacular.views"}
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


@pytest.mark.parametrize(
    ("code", "unused"),
    [
        pytest.param(COMMAND, QUEUE | PAGES | PAPER_AND_FILES, id="a command"),
        pytest.param(WORKER, PAGES | PAPER_AND_FILES, id="the worker"),
        pytest.param(WEB, QUEUE | PAPER_AND_FILES, id="the web process"),
    ],
)
@pytest.mark.django_db
def test_a_process_loads_what_it_uses(code: str, unused: set[str], site_environment: dict[str, str]):
    """Planted faults it catches: the admin's modules imported at every start, the queue imported before a message."""
    environment = {**site_environment, "DJANGO_SETTINGS_MODULE": "rummy_site.settings"}
    assert loaded(code, environment) & unused == set()


def test_a_command_on_sqlite_loads_no_driver_of_postgresql(tmp_path: Path, site_environment: dict[str, str]):
    environment = {**site_environment, "DATABASE_URL": f"sqlite:///{tmp_path}/empty.sqlite3"}
    settings = {"DJANGO_SETTINGS_MODULE": "rummy_site.settings"}
    assert loaded(COMMAND, environment | settings) & {"psycopg", "psycopg_binary"} == set()
