"""A second server follows the first: it serves public reads meanwhile, and replaces the first when that is gone.

What was acknowledged is there, because each commit waited until the standby had it on its disk. No public page needs a
database that takes writes.
"""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.conf import settings

from tests.builders.club_at_play import Evening
from tests.builders.patience import PATIENCE
from tests.builders.served_site import ROOT, Phone, serving
from tests.builders.there import there
from tests.builders.waiting import wait_for_more
from tests.conftest import OUR_OWN
from tests.plugins import postgres
from tests.plugins.servers import Server
from tournaments.models import Club, Player, Tournament

pytestmark = [
    pytest.mark.slow(long=True),
    pytest.mark.skipif("sqlite" in settings.DATABASES["default"]["ENGINE"], reason="SQLite has no standby"),
]
LOOKS = 12
BEGIN = """
import django; django.setup()
import json
from tests.builders.club_at_play import new_evening
evening = new_evening()
players = [str(player.pk) for player in evening.players]
print(json.dumps([str(evening.club.pk), str(evening.tournament.pk), players, evening.secret]))
"""
# What everyone may read, asked for once for each line of input.
LOOK = """
import django; django.setup()
import json, sys
from django.test import Client
from tests.builders.public_tables import address
from tournaments.models import Tournament
tournament = Tournament.objects.select_related("club").get(pk=sys.argv[1])
board = f"/api/v1/tournaments/{tournament.pk}/leaderboard/"
paths = (board, address(tournament), address(tournament, "rounds/"))
for _ in sys.stdin:
    answers = [Client(SERVER_NAME="localhost").get(path, follow=True) for path in paths]
    print(json.dumps([[answer.status_code for answer in answers], answers[0].json()["position"]]), flush=True)
"""


@pytest.fixture
def servers() -> Iterator[tuple[Server, Server]]:
    """Two of them, for this test alone: one will be killed."""
    first, second = Server("first"), Server("second")
    yield first, second
    second.stop()
    first.stop()


def test_a_standby_serves_while_it_follows_and_loses_nothing_when_it_takes_over(
    servers: tuple[Server, Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    first, second = servers
    monkeypatch.setenv(postgres.MIGRATED, "")
    here = postgres.start_migrated(first)
    evening = _evening(_environment(here, tmp_path / "here"))
    follower = postgres.follow(second, here)
    _wait_for_followers(here)
    with serving(_environment(here, tmp_path / "here"), tmp_path) as site:
        phone = Phone(site, evening, random.Random(1), deals=30)
        phone.start()
        positions = _looked(evening, _environment(follower, tmp_path / "there"), phone)
        first.kill()
    acknowledged = dict(phone.acknowledged)
    assert acknowledged
    assert positions == sorted(positions)
    assert len(set(positions)) > LOOKS // 3, positions
    _ask(follower, "SELECT pg_promote()")
    assert acknowledged.items() <= _stored(follower).items()
    with serving(_environment(follower, tmp_path / "there"), tmp_path) as site:
        phone.site = site
        phone.finish()
    assert phone.acknowledged.items() <= _stored(follower).items()
    _run([sys.executable, "manage.py", "prove"], _environment(follower, tmp_path / "there"))


def _looked(evening: Evening, environment: dict[str, str], phone: Phone) -> list[int]:
    """At which positions the standby showed the board while the phone was writing; every page was there."""
    words = [sys.executable, "-c", LOOK, str(evening.tournament.pk)]
    positions = []
    with subprocess.Popen(
        words, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as looking:
        asked, answers = there(looking.stdin), there(looking.stdout)
        for _ in range(LOOKS):
            wait_for_more([phone])
            print(file=asked, flush=True)
            statuses, position = json.loads(answers.readline())
            assert statuses == [200, 200, 200]
            positions.append(position)
        asked.close()
    return positions


def _evening(environment: dict[str, str]) -> Evening:
    club, tournament, players, secret = json.loads(_run([sys.executable, "-c", BEGIN], environment))
    people = [Player(pk=UUID(player)) for player in players]
    return Evening(Club(pk=UUID(club)), Tournament(pk=UUID(tournament), preset="points"), people, secret)


def _wait_for_followers(address: str) -> None:
    """From here on every commit waits until a standby has it on its disk."""
    _ask(address, "ALTER SYSTEM SET synchronous_standby_names = '*'")
    _ask(address, "SELECT pg_reload_conf()")
    deadline = time.monotonic() + PATIENCE
    while _ask(address, "SELECT sync_state FROM pg_stat_replication") != [("sync",)]:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def _stored(address: str) -> dict[str, int]:
    return dict(_ask(address, "SELECT key::text, version FROM tournaments_event"))


def _ask(address: str, question: str) -> list[Any]:
    with psycopg.connect(address.replace("postgres://", "postgresql://"), autocommit=True) as database:
        return database.execute(question).fetchall() if question.startswith("SELECT") else [database.execute(question)]


def _run(words: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _environment(address: str, folder: Path) -> dict[str, str]:
    ours = {"DATABASE_URL": address, "VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "rummy_site.settings"}
    passed = {name: value for name, value in os.environ.items() if name not in OUR_OWN}
    return {**passed, **ours, "API_WRITER_PER_MINUTE": "100000", "LOG_LEVEL": "WARNING"}
