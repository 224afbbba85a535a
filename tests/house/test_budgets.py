"""The limits of the house style: length of files and functions, names banned from lock files, banned constructs."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("rummy_site", "scoring", "tournaments", "benchmarks")
LONGEST_FILE = 350
LONGEST_FUNCTION = 40
# Bytes as written: a phone in a full hall loads them before its first deal.
OUTBOX = 15 * 1024
NAMELESS_ROOMS = {"utils.py", "helpers.py", "common.py", "misc.py"}
# Split, so that this file does not find itself.
PUT_OFF = re.compile("|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")))
FROM_ELSEWHERE = re.compile(r"""(?:src|href)=["'](?:https?:)?//|url\(\s*["']?(?:https?:)?//|@import\s""")


def house_files() -> list[Path]:
    """Every module we wrote, migrations and tests left out."""
    return sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py") if "migrations" not in path.parts)


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Each function with the number of lines of its body, its docstring not counted."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            yield node.name, (node.end_lineno or 0) - body[0].lineno + 1 if body else 0


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_no_file_is_longer_than_a_reader_can_hold():
    long = {
        name_of(path): lines for path in house_files() if (lines := len(path.read_text().splitlines())) > LONGEST_FILE
    }
    assert long == {}


def test_no_function_is_longer_than_a_page():
    long = {
        f"{name_of(path)}:{name}": lines
        for path in house_files()
        for name, lines in functions(path)
        if lines > LONGEST_FUNCTION
    }
    assert long == {}


def test_every_module_says_what_it_is_for():
    silent = [
        name_of(path)
        for path in house_files()
        if path.read_text().strip() and not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert silent == []


def test_no_room_is_named_after_nothing():
    assert [name_of(path) for path in house_files() if path.name in NAMELESS_ROOMS] == []


def test_nothing_is_put_off_in_a_comment():
    written = [
        *house_files(),
        *(ROOT / "templates").rglob("*.html"),
        *(ROOT / "docs").rglob("*.md"),
        *ROOT.glob("*.md"),
    ]
    assert [name_of(path) for path in written if PUT_OFF.search(path.read_text())] == []


@pytest.mark.parametrize("name", ["uv.txt", "run.txt", "dev.txt"])
def test_a_lock_file_names_no_host_and_a_digest_for_every_package(name: str):
    text = (ROOT / "requirements" / name).read_text()
    assert "://" not in text
    packages = re.findall(r"^[a-z0-9].*==.*$", text, flags=re.MULTILINE)
    assert packages
    assert [line for line in packages if not line.endswith("\\")] == []


def test_pages_and_styles_load_nothing_from_elsewhere():
    folders = [ROOT / "templates", *(ROOT / room for room in ROOMS)]
    files = [path for folder in folders for kind in ("*.html", "*.css", "*.js") for path in folder.rglob(kind)]
    assert [name_of(path) for path in files if FROM_ELSEWHERE.search(path.read_text())] == []


def test_the_outbox_is_small():
    static = ROOT / "tournaments" / "static" / "tournaments"
    assert sum((static / name).stat().st_size for name in ("outbox.js", "outbox_worker.js")) <= OUTBOX
    # Loaded where deals leave a device as a code or a file, and at no other time.
    assert (static / "outbox_carry.js").stat().st_size <= OUTBOX / 3
