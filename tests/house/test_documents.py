"""Links and names in documents and docstrings resolve, and lines are not too long. `make docs` checks the site."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house.test_budgets import ROOT, house_files, name_of

LONGEST_LINE = 120
# A README with four of them still opens at once on a phone.
LARGEST_PICTURE = 80_000
# Not prose: rows of a table, and examples, which are indented or between fences.
EXAMPLE = re.compile(r"^```[\s\S]*?^```$|^(?: {4,}|\s*\|).*$", re.MULTILINE)
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
NAMED = re.compile(r"(docs/[\w/.-]+\.(?:md|csv))(?:,\s+\"([^\"]+)\")?")
# A file of ours; one of a test is named from the folder of the tests.
FILE = re.compile(
    r"`((?:benchmarks|rummy_site|scoring|templates|tests|tournaments)/[\w/.-]+\.(?:css|html|json|js|py)\b)"
)
# A heading, or a paragraph that begins with its title.
TITLE = re.compile(r"^(?:#+ (?:\d+\. )?|\*\*)(.+?)(?:\.?\*\*.*)?$", re.MULTILINE)


@cache
def titles(document: Path) -> tuple[str, ...]:
    return tuple(TITLE.findall(document.read_text()))


def anchors(document: Path) -> set[str]:
    """What a browser takes for the address of each heading."""
    heads = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def lost_links(document: Path) -> Iterator[str]:
    for link in LINK.findall(document.read_text()):
        place, _, anchor = link.partition("#")
        target = (document.parent / place).resolve() if place else document
        if "://" in link:
            continue
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield link


def lost_names(text: str) -> Iterator[str]:
    """Documents that are not there, and sections that they do not have."""
    for place, section in NAMED.findall(text):
        if not (ROOT / place).exists():
            yield place
        elif section and not any(title.startswith(" ".join(section.split())) for title in titles(ROOT / place)):
            yield f"{place}, {section}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_link_of_a_document_leads_somewhere(document: Path):
    """Planted fault: a link to a decision under the title that it had once."""
    assert not [*lost_links(document), *lost_names(document.read_text())]


def test_every_module_names_rules_that_are_there():
    """Planted fault: a section that was called otherwise since."""
    lost = {name_of(path): found for path in house_files() if (found := list(lost_names(path.read_text())))}
    assert not lost


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_file_that_a_document_names_is_there(document: Path):
    """Planted fault: a decision that names a module as it was called before it went into another."""
    named = FILE.findall(document.read_text())
    assert [file for file in named if not (ROOT / file).exists() and not (ROOT / "tests" / file).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_no_line_of_prose_is_longer_than_a_reader_can_follow(document: Path):
    """Planted fault: a paragraph in one line."""
    prose = EXAMPLE.sub("", document.read_text())
    assert [line for line in prose.splitlines() if len(line) > LONGEST_LINE] == []


def test_the_readme_shows_four_small_pictures():
    """Planted fault: a picture that nobody took, and one as a browser gives it, ten times as large."""
    readme = (ROOT / "README.md").read_text()
    taken = {name_of(path): path.stat().st_size for path in (ROOT / "docs" / "pictures").glob("*.webp")}
    assert sorted(taken) == sorted(re.findall(r'src="([^"]+)"', readme))
    assert len(taken) == 4
    assert max(taken.values()) < LARGEST_PICTURE
