"""Updating a club: databases that earlier releases left, full of data, migrate and pass every proof.

Planted faults these catch: a kind of event, a slot of the books or a column renamed without reading the old one; boards
updated only by a rebuild by hand.
"""

import lzma
import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from django.db import connection

from scoring.events.wire import EVENTS
from tests.builders.loaded_site import Loaded
from tests.builders.stored_databases import STORED
from tests.builders.story import tell
from tournaments.models.log import Event

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(path.name.partition(".")[0] for path in STORED.glob("*.sql.xz"))
# The oldest goes through every migration, and the newest has everything in it that can happen. PostgreSQL tests the
# oldest under make test-long.
OLDEST, *OTHERS, NEWEST = NAMES
ALL = [
    pytest.param(OLDEST),
    *(pytest.param(name, marks=pytest.mark.slow(long=True)) for name in OTHERS),
    pytest.param(NEWEST, marks=pytest.mark.postgres),
]
# In one process: starting one takes longer than most of what it does here.
UPDATED = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("prove")
"""

# Excludes an unreadable event; no event written here is one.
NOT_TOLD = {"fact_left_out"}


@pytest.fixture
def stored(request: pytest.FixtureRequest, db: None, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a site whose database is one that was stored."""
    vendor = connection.vendor
    restore = _on_postgresql if vendor == "postgresql" else _on_sqlite
    for address in restore(request.param, tmp_path):
        yield {
            **os.environ,
            "DATABASE_URL": address,
            "VAR_DIR": str(tmp_path / "var"),
            "DJANGO_SETTINGS_MODULE": "rummy_site.settings",
        }


@pytest.mark.parametrize("stored", ALL, indirect=True)
def test_a_stored_database_migrates_and_proves(stored: dict[str, str], loaded_site: Loaded):
    said = _updated(loaded_site, stored)
    assert "The log is as it was written" in said
    assert "The boards equal the log" in said


def test_every_release_was_stored_for_both_databases():
    assert NAMES
    assert sorted(path.name.partition(".")[0] for path in STORED.glob("*.sqlite.xz")) == NAMES


@pytest.mark.slow(long=True)
@pytest.mark.django_db
def test_the_story_that_is_stored_tells_every_kind_of_event():
    tell()
    assert set(EVENTS) - set(Event.objects.values_list("kind", flat=True)) == NOT_TOLD


def _on_sqlite(name: str, folder: Path) -> Iterator[str]:
    file = folder / "rummy.sqlite3"
    file.write_bytes(lzma.decompress((STORED / f"{name}.sqlite.xz").read_bytes()))
    yield f"sqlite:///{file}"


def _on_postgresql(name: str, folder: Path) -> Iterator[str]:
    """A database of its own on the run's server, filled by plain SQL: the server may be older than the dump."""
    parameters = {**connection.get_connection_params(), "autocommit": True}
    for ours in ("prepare_threshold", "context", "cursor_factory"):
        parameters.pop(ours, None)
    fresh = f"upgrade_{uuid4().hex[:8]}"
    with psycopg.connect(**parameters) as server:
        server.execute(f"CREATE DATABASE {fresh}")
        try:
            with psycopg.connect(**{**parameters, "dbname": fresh}) as empty:
                empty.execute(lzma.decompress((STORED / f"{name}.sql.xz").read_bytes()))
            address, _, query = os.environ["DATABASE_URL"].partition("?")
            yield f"{address.rpartition('/')[0]}/{fresh}?{query}"
        finally:
            server.execute(f"DROP DATABASE {fresh} WITH (FORCE)")


def _updated(site: Loaded, environment: dict[str, str]) -> str:
    done = site.run(["-c", UPDATED], environment)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout
