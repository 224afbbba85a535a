"""What is posted is read by Django forms.

Planted faults: `request.POST.get` in a page that has forms; `post.getlist` in the reader of one.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BY_HAND = re.compile(r"\bPOST\s*(?:\[|\.get(?:list)?\b)", re.IGNORECASE)


@pytest.mark.slow
def test_no_page_reads_what_is_posted_by_hand():
    files = [path for room in ("rummy_site", "scoring", "tournaments") for path in (ROOT / room).rglob("*.py")]
    assert [str(path.relative_to(ROOT)) for path in files if BY_HAND.search(path.read_text())] == []
