"""What no formatter, linter or link checker looks at: lock files, other hosts, sizes, named files, forms."""

import re

import pytest

from rummy_site import __version__
from tests.builders.source_files import ROOMS, ROOT, name_of

# Bytes as written: a phone in a full hall loads them before its first deal. As sent they are 6 kB.
OUTBOX = 20 * 1024
FROM_ELSEWHERE = re.compile(r"""(?:src|href)=["'](?:https?:)?//|url\(\s*["']?(?:https?:)?//|@import\s""")
BY_HAND = re.compile(r"\bPOST\s*(?:\[|\.get(?:list)?\b)", re.IGNORECASE)
# In an address it may stay, as in that of a decision.
OTHER_WORD = re.compile(r"\blogged (?:in|out)\b|(?<!-)\blog-ins?\b|\blogs in\b|\blog out\b", re.IGNORECASE)
# A file of ours; one of a test is named from the folder of the tests.
FILE = re.compile(
    r"`((?:benchmarks|rummy_site|scoring|templates|tests|tournaments)/[\w/.-]+\.(?:css|html|json|js|py)\b)"
)


@pytest.mark.parametrize("name", ["uv.txt", "build.txt", "run.txt", "dev.txt"])
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


def test_every_file_that_a_document_names_is_there():
    """Planted fault: a decision that names a module as it was called before it went into another."""
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    named = {(name_of(document), file) for document in documents for file in FILE.findall(document.read_text())}
    assert {
        (document, file)
        for document, file in named
        if not (ROOT / file).exists() and not (ROOT / "tests" / file).exists()
    } == set()


@pytest.mark.slow
def test_documents_say_sign_in():
    """One word for one thing, as on pages, where `words.tsv` asks for it. Planted fault: "logged in" in a how-to."""
    documents = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
    assert [name_of(path) for path in documents if OTHER_WORD.search(path.read_text())] == []


def test_no_page_reads_what_is_posted_by_hand():
    """Planted faults: `request.POST.get` in a page that has forms; `post.getlist` in the reader of one."""
    files = [path for room in ("rummy_site", "scoring", "tournaments") for path in (ROOT / room).rglob("*.py")]
    assert [name_of(path) for path in files if BY_HAND.search(path.read_text())] == []


def test_the_notes_of_changes_begin_with_the_version_at_hand():
    """A release is a tag, its wheel, and the part of CHANGELOG.md headed with its version: release.yml reads it."""
    heading = next(line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line.startswith("## "))
    assert re.fullmatch(rf"## {re.escape(__version__)} \((not released yet|\d{{4}}-\d\d-\d\d)\)", heading)
