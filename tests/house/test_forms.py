"""What is posted is read by Django forms.

Planted: `request.POST.get` in a page that has forms; a page in the list that reads nothing by hand any more.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BY_HAND = re.compile(r"\bPOST\s*(?:\[|\.get(?:list)?\b)", re.IGNORECASE)
ADMIN = "tournaments/web/admin"
# Pages whose forms were written before there were command forms; no page can be added.
STILL_BY_HAND = {
    "evenings/plan_form",
    "evenings/plan_pages",
    "evenings/tournament_form",
}


def test_no_page_reads_what_is_posted_by_hand():
    files = [path for room in ("rummy_site", "scoring", "tournaments") for path in (ROOT / room).rglob("*.py")]
    found = {str(path.relative_to(ROOT)) for path in files if BY_HAND.search(path.read_text())}
    assert found == {f"{ADMIN}/{page}.py" for page in STILL_BY_HAND}
