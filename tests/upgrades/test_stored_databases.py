"""Updating a club: databases that earlier releases left, full of data, migrate and pass every proof.

Planted faults these catch: a kind of event, a slot of the books or a column renamed without reading the old one; boards
updated only by a rebuild by hand.
"""

import lzma
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from scoring.events.wire import EVENTS
from tests.builders.fresh_database import connected, fresh_database
from tests.builders.loaded_site import Loaded
from tests.builders.stored_databases import STORED
from tests.builders.story import tell
from tournaments.models.log import Event

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
    with fresh_database(tmp_path) as environment:
        if connection.vendor == "sqlite":
            file = STORED / f"{request.param}.sqlite.xz"
            (tmp_path / "rummy.sqlite3").write_bytes(lzma.decompress(file.read_bytes()))
        else:
            # Plain SQL: the server may be older than the dump.
            with connected(environment) as empty:
                empty.execute(lzma.decompress((STORED / f"{request.param}.sql.xz").read_bytes()))
        yield environment


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


def _updated(site: Loaded, environment: dict[str, str]) -> str:
    done = site.run(["-c", UPDATED], environment)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout
