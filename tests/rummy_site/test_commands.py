"""Every documented command works as documented, in a fresh process of its own.

Planted faults: a proof that needs a connection that is already open (within a test, or after another
proof, it always is); a command that is not documented; a day taken for every day that Python knows, a
position of any width, a club of any slug, bytes that are no text, and a host's name passed to a server that takes
numbers only: each ended in a traceback, or in a page that answers 500.
"""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command, get_commands
from django.core.management.base import CommandError

from rummy_site.management.commands import backup
from rummy_site.management.commands.serve import address_of
from rummy_site.operations.announcing import Announcement
from rummy_site.operations.backup import Backup
from scoring.problems import Defect
from scoring.storage.postgresql import divide
from tests.builders.loaded_site import Loaded
from tests.builders.migrated import copy_for_sqlite
from tournaments.models import Club

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "commands.md"
OURS = ("rummy_site", "tournaments", "scoring")
# Covered by tests of their own; `migrate` is Django's, with more behind it, and `partition` needs PostgreSQL.
ELSEWHERE = frozenset({"serve", "migrate", "messages", "partition", "box", "unbox", "import_list"})
# In this order, on one data folder; the proofs come after the commands that write.
LINES = (
    "demo_data",
    "simulate_night --players 8 --preset pool_101 --seed 1",
    "import_sheet --dry-run examples/points-table-1.csv",
    "verify_log",
    "leave_out",
    "rebuild --check",
    "check_ledger",
    "export_books --club marine-drive --format beancount --out {folder}/books.beancount",
    "export_site marine-drive/gin {folder}/site --anyway",
    "prove",
    "backup {folder}/backups --keep 3 --keep-daily 7",
    "unlock demo-director",
    "login_link demo-director --site https://club.example",
    "doctor",
)

# Bad arguments, and the message for each.
ODD = (
    ("export_books --club marine-drive --format csv --to 9999-12-31", "9999-12-31 is not between 2000-01-01 and"),
    ("export_books --club marine-drive --format csv --from 2026-13-01", "'2026-13-01' is no day"),
    ("check_ledger --club 00000000-0000-4000-8000-000000000000", "There is no club 00000000-0000-4000-8000-0000"),
    ("verify_log --noted 99999999999999999999-AAAA-BBBB-CCCC-DDDD", "The log is not as it was written."),
    ("leave_out --club marine-drive --position 99999999999999999999 --reason x", "nothing stands at position 9999"),
    ("simulate_night --players 4 --preset points --seed 1 --club a/..", "there can be no club 'a/..': "),
    ("simulate_night --players 4 --preset points --seed 1 --club " + "x" * 61, "there can be no club 'xxx"),
    ("simulate_night --players 4 --preset points --seed 1 --club former", "there can be no club 'former': "),
    ("login_link nobody-at-all", "nobody signs in as nobody-at-all"),
    ("backup /tmp/x --every 99999999999999999999", "'99999999999999999999' is no number from 1 to 100000"),
    ("backup /tmp/x --keep none", "'none' is no number from 1 to 100000"),
    ("serve --port 0", "port 0 is none to listen on"),
    ("serve --port 65536", "port 65536 is none to listen on"),
    ("serve --host no.such.host.invalid", "cannot listen on no.such.host.invalid"),
    ("serve --host=", "--host is empty"),
    ("serve --copy-to /no/such/folder", "--copy-to /no/such/folder is no folder"),
    ("serve --copy-to / --copy-every 0", "--copy-every 0: it is a number of minutes from 1 to 1440"),
)


def named_on_the_page() -> set[str]:
    return set(re.findall(r"^\| `manage\.py (\w+)", PAGE.read_text(), re.MULTILINE))


def test_the_page_names_every_command_and_no_other():
    ours = {name for name, app in get_commands().items() if app in OURS}
    assert named_on_the_page() | {"migrate"} == ours
    assert {line.split()[0] for line in LINES} | ELSEWHERE | {"restore"} == ours


def told(site: Loaded, folder: Path, line: str) -> str:
    words = line.format(folder=folder).split()
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"VAR_DIR": str(folder / "var"), "DJANGO_SETTINGS_MODULE": "rummy_site.settings"}
    done = site.run(["manage.py", *words], environment)
    assert done.returncode == 0, f"{line}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


@pytest.mark.slow
def test_each_of_them_runs_by_itself(loaded_site: Loaded, tmp_path: Path):
    database = tmp_path / "var" / "rummy.sqlite3"
    database.parent.mkdir(mode=0o700)
    copy_for_sqlite(database)
    database.chmod(0o600)
    told(loaded_site, tmp_path, "migrate --verbosity 0")
    (tmp_path / "backups").mkdir()
    for line in LINES:
        told(loaded_site, tmp_path, line)
    [backup] = (tmp_path / "backups").iterdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "var").mkdir()
    told(loaded_site, tmp_path / "elsewhere", f"restore {backup}")
    assert (tmp_path / "books.beancount").stat().st_size > 0
    assert (tmp_path / "site" / "index.html").exists()


@pytest.mark.django_db
def test_odd_words_are_refused_in_a_line():
    club = Club.objects.create(slug="former", name="Marine Drive Card Club")
    club.slug = "marine-drive"
    club.save()
    for line, said in ODD:
        with pytest.raises(CommandError) as refused:
            call_command(*line.split())
        assert said in str(refused.value)
        assert Club.objects.count() == 1, line


def test_bytes_that_are_no_text_are_named(manage: Callable[..., subprocess.CompletedProcess[str]]):
    done = manage("unlock", "\udcff")
    assert (done.returncode, done.stderr) == (1, "not done: '\\udcff' holds bytes that are no text in UTF-8\n")


def test_a_database_that_is_not_there_or_none_is_told_in_a_line(
    manage: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
):
    (tmp_path / "letter.txt").write_text("Dear treasurer, " * 100)
    said = {
        f"sqlite:///{tmp_path}/letter.txt": "file is not a database",
        f"sqlite:///{tmp_path}/empty.sqlite3": "no such table: tournaments_",
        "postgres://club@127.0.0.1:1/club": "onnection refused",
    }
    for address, why in said.items():
        done = manage("verify_log", DATABASE_URL=address)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
        assert done.stderr.startswith("not done: the database cannot be used: ")
        assert why in done.stderr


@pytest.mark.django_db
def test_examples_that_cannot_be_read_are_refused_in_a_line(tmp_path: Path):
    (tmp_path / "sheet.csv").write_bytes((ROOT / "examples" / "points-table-1.csv").read_bytes())
    for written in (b"{", b"[]", b'{"tournament": 5}', b"\xff"):
        (tmp_path / "night.json").write_bytes(written)
        with pytest.raises(CommandError, match="cannot be read"):
            call_command("demo_data", examples=tmp_path)


def test_a_run_that_cannot_note_how_far_it_has_come_says_so(tmp_path: Path, settings: Any):
    settings.VAR_DIR = tmp_path
    (tmp_path / "resume").touch()
    with pytest.raises(CommandError, match=r"resume/verify_log.jsonl cannot be written: File exists"):
        call_command("verify_log", resume=True)


def test_a_host_may_be_named():
    found = {host: address_of(host, 80) for host in ("localhost", "127.0.0.1", "::", "::1")}
    assert found == {"localhost": "127.0.0.1", "127.0.0.1": "127.0.0.1", "::": "::", "::1": "::1"}
    assert Announcement(host="::1", port=80, say=print).address == "http://[::1]:80/"


def test_copies_go_on_when_their_medium_was_away_or_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Planted faults: a folder that is created again on the machine's own disk; the first error ends it."""
    usb = tmp_path / "usb"
    usb.mkdir()
    nights: list[Path] = []

    def take(folder: Path, **wishes: Any) -> Backup:
        nights.append(folder / f"rummy-{len(nights)}")
        if len(nights) == 2:
            raise OSError("no space left on device")
        return Backup(folder=nights[-1], clubs=[], size=1, digest="d", unread=[])

    def wait(seconds: float) -> None:
        assert seconds == 5 * 60
        waited.append(seconds)
        if len(waited) == 1:
            usb.rmdir()
        elif len(waited) == 2:
            assert not usb.exists()
            usb.mkdir()
        elif len(waited) == 4:
            raise KeyboardInterrupt

    waited: list[float] = []
    monkeypatch.setattr(backup, "take_backup", take)
    monkeypatch.setattr("time.sleep", wait)
    with pytest.raises(KeyboardInterrupt):
        call_command("backup", str(usb), every=5, keep=12)
    said = capsys.readouterr()
    assert "rummy-0" in said.out
    assert "Mount its disk, or make the folder" in said.err
    assert "no space left on device" in said.err
    assert len(nights) == 3


class OldServer:
    """A cursor of PostgreSQL 16, which is asked for its version and must be asked for nothing else."""

    def execute(self, question: str, values: object) -> None:
        assert "server_version_num" in question, question

    def fetchall(self) -> list[tuple[int]]:
        return [(160_004,)]


def test_parts_are_refused_by_an_older_server_in_one_line_before_anything_is_changed():
    """Planted fault: the tables locked or renamed first, so that the identity column fails half-way."""
    with pytest.raises(Defect, match=r"^parts need PostgreSQL 17 or newer, and this server is 16: [^\n]+$"):
        divide(OldServer(), 8)
