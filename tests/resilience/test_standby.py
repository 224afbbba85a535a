"""A second server follows the first, serves public reads meanwhile, and replaces it behind PgBouncer while deals are
entered: by the commands of docs/how-to/standby.md, as they are printed.

What was acknowledged is there, because each commit waited until the standby had it. No public page needs a database
that takes writes.
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from rummy_site import examples
from tests.builders.club_at_play import Evening
from tests.builders.patience import PATIENCE
from tests.builders.serve import free_port
from tests.builders.served_site import ROOT, Phone, serving
from tests.builders.there import there
from tests.builders.waiting import wait_for_more
from tests.conftest import OUR_OWN
from tests.plugins import postgres
from tests.plugins.servers import Server
from tournaments.models import Club, Player, Tournament

pytestmark = pytest.mark.slow
PAGE = ROOT / "docs/how-to/standby.md"
# A step names the machine first, and has its commands in a block below; those without are no commands.
STEP = re.compile(r"^(\d)\. .*?`(db1|db2|web)`(.*?)(?=^\d\. |^#)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^ {7}((?:psql|rummy-evening|echo|pg_basebackup|systemctl|sed) .*)$", re.MULTILINE)
PGBOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin") or ""
LOOKS = 4
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
def machines() -> Iterator["Machines"]:
    """Three of them, for this test alone: one will be lost."""
    if not PGBOUNCER:
        said = "pgbouncer is not installed"
        pytest.fail(said) if os.environ.get("REQUIRE_SERVERS") else pytest.skip(said)
    machines = Machines()
    yield machines
    for machine in machines.named.values():
        machine.stop()


def test_a_standby_takes_over_by_the_page_while_deals_are_entered_and_nothing_is_lost(
    machines: "Machines", tmp_path: Path
):
    """Planted faults: commits that wait for nobody; prepared statements behind a pooler; 500 for what it says while the
    database is away; a server that was promoted, and waits for a standby of its own.
    """
    machines.follow_steps(1, 4)
    here, follower = machines.address("db1"), machines.address("db2")
    _wait_until_it_follows(here)
    behind = _environment(machines.pooled("rummy"), tmp_path / "var") | {"DATABASE_PREPARE": "false"}
    evening = _evening(behind)
    with serving(behind, tmp_path) as site:
        phones = [Phone(site, evening, random.Random(1), deals=10)]
        phones[0].start()
        positions = _looked(evening, _environment(follower, tmp_path / "there"), phones[0])
        assert positions == sorted(positions)
        assert len(set(positions)) > 1, positions
        acknowledged = dict(phones[0].acknowledged)
        machines.follow_steps(6, 8)
        assert acknowledged.items() <= _stored(follower).items()
        wait_for_more(phones)
        phones[0].finish()
        # The worker goes on too: the money of every table is settled.
        owed = "SELECT count(*) FROM tournaments_scoresheet WHERE due_version > settled_version"
        site.until(lambda: _ask(follower, owed) == [(0,)])
    assert phones[0].acknowledged == _stored(follower)
    _run([sys.executable, "manage.py", "prove"], behind)
    apart = behind | {"DATABASE_URL": machines.pooled("rummy_session")}
    dump = ["--pg-dump", str(machines.programs / "pg_dump")]
    _run([sys.executable, "manage.py", "backup", str(tmp_path), *dump], apart)


class Machines:
    """Those of the page: two of PostgreSQL and one of PgBouncer, in folders of their own and on sockets."""

    def __init__(self) -> None:
        self.named = {name: Server(name) for name in ("db1", "db2", "web")}
        first, second = self.named["db1"], self.named["db2"]
        postgres.start_migrated(first)
        self.programs = postgres.programs_of(second)
        second.own_folder("data")
        for name in ("db1", "db2"):
            self.named[name].variables |= {"PGHOST": f"{self.named[name].folder}/run", "PGUSER": "postgres"}
        for statement in (
            "ALTER DATABASE rummy ALLOW_CONNECTIONS true",
            "CREATE ROLE rummy SUPERUSER LOGIN PASSWORD 'password-of-rummy'",
        ):
            _ask(self.address("db1", "postgres"), statement)
        web, self.port = self.named["web"], free_port()
        web.own_folder("etc")
        self._ours = {
            "/etc/postgresql/17/main": f"{first.folder}/data",
            "/var/lib/postgresql/17/main": f"{second.folder}/data",
            "/etc/pgbouncer": f"{web.folder}/etc",
            "host=db1": f"host={first.folder}/run",
            "host=db2": f"host={second.folder}/run",
            "= 6432": f"= {self.port}",
        }
        self._services: dict[tuple[str, str], Callable[[], object]] = {
            ("db2", "start postgresql@17-main"): lambda: postgres.serve(second, self.programs, second.folder / "data"),
            ("db1", "stop postgresql@17-main"): first.kill,
            ("web", "restart pgbouncer"): self._start_pgbouncer,
            ("web", "reload pgbouncer"): lambda: there(web.process).send_signal(signal.SIGHUP),
        }

    def follow_steps(self, first: int, last: int) -> None:
        """Run the commands of these steps of the page, each on its machine."""
        for number, name, text in STEP.findall(PAGE.read_text()):
            if first <= int(number) <= last:
                commands = COMMAND.findall(text)
                assert commands, number
                for command in commands:
                    self._run(name, command)

    def address(self, name: str, database: str = "rummy") -> str:
        return f"postgres://postgres@/{database}?host={self.named[name].folder}/run"

    def pooled(self, database: str) -> str:
        return f"postgres://rummy:password-of-rummy@127.0.0.1:{self.port}/{database}"

    def _run(self, name: str, command: str) -> None:
        program, _, words = command.partition(" ")
        if program == "systemctl":
            self._services[name, words]()
        elif program == "rummy-evening":
            example, path = words.removeprefix("example ").split(" > ")
            text = examples.filled(example, host=None, web=["127.0.0.1:8000"])
            Path(self._as_ours(path)).write_text(self._as_ours(text))
        else:
            path = f"PATH={self.programs}:$PATH"
            self.named[name].run(["sh", "-ec", f"{path}; {self._as_ours(command)}"])

    def _as_ours(self, text: str) -> str:
        for its, own in self._ours.items():
            text = text.replace(its, own)
        return text

    def _start_pgbouncer(self) -> None:
        self.named["web"].give(self.named["web"].folder / "etc")
        self.named["web"].start(
            [PGBOUNCER, f"{self.named['web'].folder}/etc/pgbouncer.ini"], is_up=lambda: _answers(self.pooled("rummy"))
        )


def _wait_until_it_follows(address: str) -> None:
    """The reload of a setting takes a moment."""
    deadline = time.monotonic() + PATIENCE
    while _ask(address, "SELECT application_name, sync_state FROM pg_stat_replication") != [("db2", "sync")]:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def _answers(address: str) -> bool:
    try:
        _ask(address, "SELECT 1")
    except psycopg.OperationalError:
        return False
    return True


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


def _stored(address: str) -> dict[str, int]:
    """The version that each key of a table has in the log."""
    stream = "JOIN tournaments_stream AS stream ON stream.id = stream_id AND stream.kind = 'table'"
    return dict(_ask(address, f"SELECT key::text, event.version FROM tournaments_event AS event {stream}"))


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
