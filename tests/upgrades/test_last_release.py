"""An update while the site is open: earlier code serves on the schema of this one, and can come back to it.

Planted faults these catch: a migration marked as one beside which earlier code serves that takes a column away; a note
that earlier code does not read.
"""

import json
import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from rummy_site.database_release import note_served
from tests.builders.club_at_play import Evening, new_evening
from tests.builders.fresh_database import fresh_database
from tests.builders.proofs import complaints, is_settled
from tests.builders.served_site import ROOT, Phone, serving
from tests.builders.waiting import wait_for_more

pytestmark = pytest.mark.slow
BEGUN = """
import django; django.setup()
from tests.builders.club_at_play import new_evening
import json
evening = new_evening()
players = [str(player.pk) for player in evening.players]
print(json.dumps([str(evening.tournament.pk), players, evening.secret, evening.board_path]))
"""
SETTLED = """
import django; django.setup()
import time
from tests.builders.proofs import is_settled
from tournaments.models import Club
[club] = Club.objects.all()
while not is_settled(club):
    time.sleep(0.2)
"""


def git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if not done.returncode else ""


def last_release() -> str:
    """The last tag; before the first one, the commit before this one. Empty without the history."""
    before = git("rev-parse", "--verify", "--quiet", "HEAD^")
    return git("describe", "--tags", "--abbrev=0", "--match=v*", before) or before if before else ""


@pytest.mark.postgres
@pytest.mark.django_db
def test_the_code_of_the_last_release_serves_on_this_schema_unless_migrate_says_to_stop_it(tmp_path: Path):
    """It reads a board, takes deals and settles while this code migrates, and everything is proven afterwards."""
    release = last_release()
    if not release:
        pytest.skip("this copy of the code has no history")
    code = tmp_path / "code"
    code.mkdir()
    archive = subprocess.run(["git", "archive", release], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "-x"], cwd=code, input=archive.stdout, check=True)
    with fresh_database(tmp_path) as its:
        environment = {**its, "API_WRITER_PER_MINUTE": "100000", "LOG_LEVEL": "WARNING"}
        run(code, ["manage.py", "migrate", "-v0"], environment)
        if "stop the site first" in run(ROOT, ["manage.py", "migrate", "--plan"], environment):
            return
        tournament, players, secret, board = json.loads(run(code, ["-c", BEGUN], environment))
        of: Any = [SimpleNamespace(id=player) for player in players]
        evening = Evening(club=of[0], tournament=SimpleNamespace(id=tournament), players=of, secret=secret)  # type: ignore[arg-type]
        with serving(environment, tmp_path, code=code) as site:
            phone = Phone(site, evening, random.Random(1))
            phone.start()
            wait_for_more([phone])
            run(ROOT, ["manage.py", "migrate"], environment)
            wait_for_more([phone])
            assert site.ask("GET", board).status == 200
            phone.finish()
            assert phone.refusals == []
            run(code, ["-c", SETTLED], environment)
        run(ROOT, ["manage.py", "rebuild"], environment)
        run(ROOT, ["manage.py", "prove"], environment)


@pytest.mark.django_db(transaction=True)
def test_the_way_back_leads_to_a_site_that_plays_and_settles(site_environment: dict[str, str], tmp_path: Path):
    """This code takes the part of the earlier one: newer code has added a column, and is given up again."""
    evening = new_evening()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tournaments_player ADD COLUMN later varchar(9) DEFAULT '' NOT NULL")
    recorder = MigrationRecorder(connection)
    recorder.record_applied("tournaments", "9999_later")
    note_served("tournaments", "9999_later")
    try:
        with serving({**site_environment, "API_WRITER_PER_MINUTE": "100000"}, tmp_path) as site:
            phone = Phone(site, evening, random.Random(2))
            phone.start()
            wait_for_more([phone])
            phone.finish()
            assert site.ask("GET", evening.board_path).status == 200
            site.until(lambda: is_settled(evening.club))
            assert "this code may serve beside it" in site.log.read_text()
        assert complaints() == []
    finally:
        recorder.migration_qs.filter(name="9999_later").delete()
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE tournaments_player DROP COLUMN later")


def run(code: Path, words: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=code, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout
