"""Every line of the two pages on production, run as root would on bare machines (tests/builders/bare_machines.py).

Planted faults: a step left out, such as collecting static files; a line of a page that is not run; an example with a
path of its own; a web role that owns the tables; a worker that may not make the database of a restore on trial; a
broker's user without rights; a restart that ends the link of the first login; a command that reads the lines which are
pasted after it.
"""

import json
import os
import random
import re
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from textwrap import dedent
from typing import Any

import psycopg
import pytest

from tests.builders.bare_machines import HTTP, Machines
from tests.builders.club_at_play import Write, deal
from tests.builders.nginx import NGINX
from tests.builders.serve import ROOT
from tests.builders.wheels import build_wheel
from tests.plugins import rabbitmq

STEP = re.compile(r"^## (\d+)\. (?:On (10[\d., and]+): )?", re.MULTILINE)
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)"')
# A club of the tests, on the installed site; four players and the key of a phone.
PLAY = f"""
import json, sys
sys.path.append({str(ROOT)!r})
from tests.builders.club_at_play import new_evening, opening
evening = new_evening()
writes = [opening(evening, number) for number in (1, 2)]
print(json.dumps([evening.secret, [[write.path, write.body] for write in writes]]))
"""

TRIAL = """
from django.conf import settings
from django.utils.timezone import now
from rummy_site.worker.nightly import keep_backups
keep_backups(settings.BACKUP_DIR, now=now())
"""
SETUP_IS_OPEN = """
from tournaments.people.invitations import invitation_by_code
print(invitation_by_code({code!r}, ["setup"]) is not None)
"""
SETTLED = "SELECT count(*) FROM tournaments_scoresheet WHERE settled_version > 0"


def steps(page: str) -> list[tuple[list[str], str]]:
    """The machines and the lines of each step. A block that belongs to no step, or is of another kind, is a failure."""
    text = (ROOT / "docs" / "start" / page).read_text()
    _, *parts = STEP.split(text)
    numbers, machines, texts = parts[::3], parts[1::3], [part.partition("\n## ")[0] for part in parts[2::3]]
    assert [int(number) for number in numbers] == list(range(1, len(numbers) + 1))
    blocks = [BLOCK.findall(part) for part in texts]
    assert {kind for step in blocks for kind, _ in step} == {"sh"}
    assert text.count("```") == 2 * sum(map(len, blocks))
    # Nor is there a block that is only indented.
    assert not re.search(r"^(    |\t)\S", BLOCK.sub("", text), re.MULTILINE)
    names = [re.findall(r"[\d.]+\d", where or "") or ["one"] for where in machines]
    return [(where, "".join(lines for _, lines in step)) for where, step in zip(names, blocks, strict=True)]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (NGINX and rabbitmq.PROGRAM.exists()):
        said = "nginx or rabbitmq-server is not installed"
        pytest.fail(said) if os.environ.get("REQUIRE_SERVERS") else pytest.skip(said)
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@contextmanager
def followed(page: str, wheel: Path, folder: Path, *, front: str) -> Iterator[tuple[Machines, str]]:
    """Machines on which every line of a page has been run, and what was printed."""
    all_steps = steps(page)
    names = sorted({name for names, _ in all_steps for name in names})
    machines = Machines(folder / "machines", names=names, front=front, wheel=wheel)
    try:
        printed = "".join(machines.run(lines, name) for names, lines in all_steps for name in names)
        machines.until(lambda: machines.ask("/readyz?worker")[0] == 200)
        yield machines, printed
    finally:
        machines.end()


def test_no_line_of_a_page_is_left_out():
    assert len(steps("one-machine.md")) <= 8
    assert len(steps("several-machines.md")) <= 12


def in_shell(machines: Machines, machine: str, program: str) -> str:
    (machines.folder / "program.py").write_text(program)
    return machines.run(f"rummy-evening manage shell --no-imports < {machines.folder}/program.py", machine)


def play_deals(machines: Machines, machine: str) -> None:
    """A deal at each of two tables, over https."""
    secret, openings = json.loads(in_shell(machines, machine, PLAY))

    def send(write: Write) -> Any:
        key = {"Authorization": f"Bearer {secret}", "Idempotency-Key": write.key, "Content-Type": "application/json"}
        status, answer = machines.ask(write.path, method="POST", body=write.body, **key)
        assert status == 201, answer
        return json.loads(answer)

    for path, body in openings:
        send(deal(send(Write(path, body))["id"], 1, random.Random(1)))


def site_is_served(machines: Machines, printed: str) -> None:
    assert re.search(r"https://club\.example/setup/#\w+", printed)
    status, page = machines.ask("/admin/login/")
    assert (status, "Password" in page) == (200, True)
    assert {machines.ask(style)[0] for style in STYLE.findall(page)} == {200}
    with pytest.raises(urllib.error.HTTPError) as moved:
        urllib.request.build_opener(Stays).open(f"http://{machines.front}:{HTTP}/judge/")
    assert (moved.value.code, moved.value.headers["Location"]) == (301, f"https://{machines.front}/judge/")


class Stays(urllib.request.HTTPRedirectHandler):
    """Follows no redirect."""

    def redirect_request(self, *words: Any) -> None:
        return None


def ailments(machines: Machines, machine: str) -> list[str]:
    """The subjects of the doctor's lines that are not fine."""
    lines = machines.run("rummy-evening manage doctor", machine).splitlines()
    return [line.split()[1] for line in lines if line.split()[0] != "fine"]


@pytest.mark.slow
def test_one_machine_is_served_with_tls(wheel: Path, tmp_path: Path):
    with followed("one-machine.md", wheel, tmp_path, front="one") as (machines, printed):
        machines.run("systemctl restart rummy", "one")
        site_is_served(machines, printed)
        (code,) = re.findall(r"/setup/#(\w+)", printed)
        assert in_shell(machines, "one", SETUP_IS_OPEN.format(code=code)) == "True\n"
        # Whether SQLite is of late is this machine's own; the first trial comes after minutes, and backups stay here.
        assert set(ailments(machines, "one")) - {"database"} == {"elsewhere", "restores"}
        play_deals(machines, "one")
        database = sqlite3.connect(machines.root("one") / "var/lib/rummy-evening/rummy.sqlite3")
        with closing(database):
            machines.until(lambda: database.execute(SETTLED).fetchone() == (2,))
        # The same release again: what is tried is that every line works, and that the new virtualenv then serves.
        page = (ROOT / "docs/how-to/updating.md").read_text().partition("## Several machines")[0]
        blocks = re.findall(r"^ {3}```sh\n(.*?)^ {3}```$", page, re.MULTILINE | re.DOTALL)
        assert page.count("```") == 2 * len(blocks)
        for block in blocks:
            machines.run(dedent(block), "one")
        assert "/opt/rummy-evening-2/bin/" in (machines.root("one") / "etc/systemd/system/rummy.service").read_text()
        machines.until(lambda: machines.ask("/readyz?worker")[0] == 200)


@pytest.mark.slow
def test_several_machines_play_a_deal_and_settle_it(wheel: Path, tmp_path: Path):
    with followed("several-machines.md", wheel, tmp_path, front="10.0.0.2") as (machines, printed):
        site_is_served(machines, printed)
        # What the worker does after some minutes, with its role.
        in_shell(machines, "10.0.0.3", TRIAL)
        assert ailments(machines, "10.0.0.3") == []
        play_deals(machines, "10.0.0.3")
        for name in ("10.0.0.2", "10.0.0.3"):
            assert '"method": "POST"' in (machines.root(name) / "rummy-web.log").read_text()
        settings = (machines.root("10.0.0.2") / "etc/rummy.env").read_text()
        (address,) = re.findall("^DATABASE_URL=(.+)$", settings, re.MULTILINE)
        with psycopg.connect(address, autocommit=True) as database:
            machines.until(lambda: database.execute(SETTLED).fetchone() == (2,))
            for forbidden in ("ALTER TABLE tournaments_event DISABLE TRIGGER ALL", "CREATE DATABASE other"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    database.execute(forbidden)
