"""Every command that the README names does what it says, in a process of its own that has read nothing yet.

Planted: a proof that asks a connection for what it knows only once it was opened (a proof in a test, or after another
proof, never sees that); a command that nobody named in the README.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
OURS = ("rummy_site", "tournaments", "scoring")
# Their own tests run them; `migrate` is Django's, with more behind it.
ELSEWHERE = frozenset({"serve", "migrate", "messages"})
# In this order, on one data folder; the proofs come after what writes.
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
    "doctor",
)

pytestmark = pytest.mark.once


def named_in_the_readme() -> set[str]:
    return set(re.findall(r"^\| `manage\.py (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE))


def test_the_readme_names_every_command_and_no_other():
    ours = {name for name, app in get_commands().items() if app in OURS}
    assert named_in_the_readme() | {"migrate"} == ours
    assert {line.split()[0] for line in LINES} | ELSEWHERE | {"restore"} == ours


def told(folder: Path, line: str) -> str:
    words = line.format(folder=folder).split()
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"VAR_DIR": str(folder / "var"), "DJANGO_SETTINGS_MODULE": "rummy_site.settings"}
    done = subprocess.run(
        [sys.executable, "manage.py", *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{line}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def test_each_of_them_runs_by_itself(tmp_path: Path):
    told(tmp_path, "migrate --verbosity 0")
    for line in LINES:
        told(tmp_path, line)
    [backup] = (tmp_path / "backups").iterdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "var").mkdir()
    told(tmp_path / "elsewhere", f"restore {backup}")
    assert (tmp_path / "books.beancount").stat().st_size > 0
    assert (tmp_path / "site" / "index.html").exists()
