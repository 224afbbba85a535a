"""How many files a reader has to read who follows a deal from the form that posts it into the log and the boards.

Counted are our files with a function that is called while a second deal is posted: the first fills caches.
Planted fault: recording at a table in a module of its own, which calls what records.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from django.test import Client

from tests.tournaments.web.admin.evening import Evening, sheet

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parents[5]
ROOMS = tuple(f"{ROOT / room}/" for room in ("rummy_site", "scoring", "tournaments"))
MOST_FILES = 52


def files_called(work: Callable[[], object]) -> set[str]:
    """The files whose functions are called, at least once; class bodies and comprehensions are not functions."""
    found: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and not frame.f_code.co_name.startswith("<"):
            found.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return {str(Path(file).relative_to(ROOT)) for file in found if file.startswith(ROOMS)}


def test_a_deal_passes_through_few_files(sam: Client, pool: Evening):
    def post(deal: int) -> None:
        sent = sheet(deal, deal=deal, key=f"{deal:032}", s1="show", c2="1", c3="2", c4="3")
        assert sam.post(pool.score_url, sent).status_code == 302

    post(1)
    passed = files_called(lambda: post(2))
    assert "tournaments/log/appending.py" in passed
    assert len(passed) <= MOST_FILES, "\n".join(sorted(passed))
