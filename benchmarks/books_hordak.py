"""The same entry through django-hordak, as its documentation posts one, in a virtualenv that is thrown away.

It is no part of the development set: where it cannot be had, the comparison is left out, and said to be.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WANTED = ("django-hordak==2.0.0", "psycopg[binary]")
# Runs in that virtualenv: for every number it reads it posts so many entries, and says how many seconds it took.
PROGRAM = """
import sys, time, dj_database_url, django
from django.conf import settings
settings.configure(
    SECRET_KEY="bench", USE_TZ=True, DEFAULT_CURRENCY="INR", CURRENCIES=["INR"],
    DATABASES={"default": dj_database_url.config()},
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "mptt", "djmoney", "hordak"],
)
django.setup()
from django.core.management import call_command
from django.db import transaction
from hordak.models import Account, Leg, Transaction
from moneyed import Money
call_command("migrate", verbosity=0)
losses = [40, 40, 20, 80, 20]
losers = [Account.objects.create(name=f"player {n}", code=f"{n}", type="LI", currencies=["INR"]) for n in range(1, 6)]
winner = Account.objects.create(name="player 6", code="6", type="LI", currencies=["INR"])
house = Account.objects.create(name="house", code="7", type="IN", currencies=["INR"])
def post():
    with transaction.atomic():
        entry = Transaction.objects.create(description="as on paper")
        for account, loss in zip(losers, losses):
            Leg.objects.create(transaction=entry, account=account, debit=Money(loss, "INR"))
        Leg.objects.create(transaction=entry, account=winner, credit=Money(180, "INR"))
        Leg.objects.create(transaction=entry, account=house, credit=Money(20, "INR"))
print("ready", flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    for _ in range(int(line)):
        post()
    print(time.perf_counter() - start, flush=True)
"""


class Hordak:
    """A process that posts through django-hordak when asked to."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def seconds(self, entries: int) -> float:
        """How long one entry took, of so many."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{entries}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline()) / entries


@contextmanager
def hordak(address: str, folder: Path) -> Iterator[Hordak | None]:
    """Its process on the same server, in a schema of its own; None, with a word about it, where it cannot be had."""
    import psycopg  # noqa: PLC0415 - nobody on SQLite needs it

    try:
        python = _installed(folder)
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", "") or str(error)
        print(f"NOT COMPARED with django-hordak, which cannot be had here: {said.strip()[-300:]}", file=sys.stderr)
        yield None
        return
    with psycopg.connect(address, autocommit=True) as server:
        server.execute("CREATE SCHEMA hordak")
        with _running(python, address) as process:
            yield Hordak(process)
        server.execute("DROP SCHEMA hordak CASCADE")


def _installed(folder: Path) -> Path:
    home = folder / "hordak"
    _run(sys.executable, "-m", "venv", "--without-pip", str(home))
    python = home / "bin" / "python"
    beside = Path(sys.executable).with_name("uv")
    _run(str(beside), "pip", "install", "--quiet", "--system-certs", "--python", str(python), *WANTED)
    return python


def _run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True, text=True)


@contextmanager
def _running(python: Path, address: str) -> Iterator[subprocess.Popen[str]]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DJANGO")}
    process = subprocess.Popen(
        [python, "-c", PROGRAM],
        env=kept | {"DATABASE_URL": address, "PGOPTIONS": "-c search_path=hordak"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout
        assert process.stdout.readline().strip() == "ready", "django-hordak did not come up"
        yield process
