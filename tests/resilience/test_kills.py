"""Promise 1: an acknowledged event is never lost, whatever process is killed."""

import os
import random
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest
from django.db import connection

from rummy_site.celery import app
from tests.builders.club_at_play import new_evening
from tests.builders.patience import PATIENCE
from tests.builders.proofs import complaints, is_settled, stored_versions
from tests.builders.samples import on_both
from tests.builders.served_site import Phone, Site, serving
from tests.builders.waiting import wait_for_more

PHONES = 3
# A thousand kills with TIMES=10, in parts: a hundred take seven minutes, for the site has to come back each time.
PARTS = on_both(10)


def kill(site: Site, name: str) -> None:
    """Kill the process of this name; one that has just died with another does not count."""
    while True:
        with suppress(ProcessLookupError):
            os.kill(program(site, name), signal.SIGKILL)
            return


def program(site: Site, name: str) -> int:
    """The process of this name; waited for while it restarts."""
    deadline = time.monotonic() + PATIENCE
    while name not in (standing := site.programs()):
        assert time.monotonic() < deadline, site.log.read_text()[-4000:]
        time.sleep(0.05)
    return standing[name]


def hold_worker(site: Site, phones: list[Phone]) -> None:
    """Stop the worker at a moment when it holds no lock that a phone waits for."""
    while True:
        worker = program(site, "worker")
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGSTOP)
        # One that was killed a moment ago still looked alive, and has a successor by now.
        if go_on(phones) and site.programs().get("worker") == worker:
            return
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGCONT)
        time.sleep(0.1)


def go_on(phones: list[Phone]) -> bool:
    """Whether every phone gets an acknowledgement soon."""
    before = [len(phone.acknowledged) for phone in phones]
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if all(len(phone.acknowledged) > count + 1 for phone, count in zip(phones, before, strict=True)):
            return True
        time.sleep(0.05)
    return False


def forget_messages(environment: dict[str, str]) -> None:
    """Lose messages like a broker without a disk, or an emptied folder."""
    for message in Path(environment["VAR_DIR"]).glob("broker/queue/*"):
        message.unlink(missing_ok=True)
    app.control.purge()


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("kills", "deals", "pause"),
    [
        (2, 5, 0.1),
        pytest.param(6, 5, 0.1, marks=pytest.mark.slow),
        *(pytest.param(100, 30, 0.2, id=f"part-{n}", marks=pytest.mark.slow(long=True)) for n in range(PARTS)),
    ],
)
def test_every_acknowledged_event_is_in_the_log_once_after_kills(
    site_environment: dict[str, str], tmp_path: Path, kills: int, deals: int, pause: float
):
    """Three phones open, play and close tables while web server, its answering process and worker are killed.

    Planted faults it catches: an answer given before the commit; the log and the boards written in two
    transactions; a key that is not stored with its event; no sweep when a worker starts, and the message as the only
    word of a settlement.
    """
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    evening = new_evening()
    environment = {**site_environment, "API_WRITER_PER_MINUTE": "100000", "LOG_LEVEL": "WARNING"}
    with serving(environment, tmp_path) as site:
        phones = [
            Phone(site, evening.beside(), random.Random(chance.random()), deals=deals, pause=pause)
            for _ in range(PHONES)
        ]
        for phone in phones:
            phone.start()
        for _ in range(kills - 1):
            wait_for_more(phones)
            time.sleep(chance.uniform(0, 0.4))
            kill(site, chance.choices(["answering", "web", "worker"], weights=[3, 2, 3])[0])
        hold_worker(site, phones)
        for phone in phones:
            phone.finish()
        forget_messages(environment)
        assert not is_settled(evening.club)
        # The last kill interrupts the worker; no message comes again, so the next worker looks for unsettled tables.
        kill(site, "worker")
        site.until(lambda: is_settled(evening.club))
    acknowledged = {key: version for phone in phones for key, version in phone.acknowledged.items()}
    assert len(acknowledged) >= kills, f"seed {seed}"
    assert stored_versions(evening.club) == acknowledged, f"seed {seed}"
    assert complaints() == [], f"seed {seed}"
    connection.close()
