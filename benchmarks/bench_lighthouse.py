"""What Lighthouse says of the public pages: performance, accessibility, best practices, SEO, of 100 each.

Lighthouse is fetched by npm into a folder that is thrown away, and drives the machine's own Chromium as a phone. The
example club is served as `make demo` serves it. A busy machine loads pages late, so each is looked at three times and
the middle mark counts; of the projector, which is for a wall and not for search engines, accessibility alone. Where one
of the three cannot be had, nothing is measured, and said.

    python -m benchmarks.bench_lighthouse [--json]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.figures import IS_SMALLEST, sized, tell
from benchmarks.serving import served_site

WANTED = "lighthouse@12.8.2"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
ACCESSIBILITY = ("accessibility",)
LEAST = 95.0
TIMES = sized(3, smallest=1)
# Now and then a browser does not come up, or falls.
TRIES = 3
CLUB = "/en-gb/c/marine-drive/"
TOURNAMENT = f"{CLUB}t/pool-101-evening/"
TABLE = f"{TOURNAMENT}r1/table-1/"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PAGES = {
    "club": CLUB,
    "board": TOURNAMENT,
    "rounds": f"{TOURNAMENT}rounds/",
    "table": TABLE,
    "seasons": f"{CLUB}seasons/",
    "ratings": f"{CLUB}ratings/",
    "projector": f"{TOURNAMENT}screen/",
}


def main() -> None:
    """Print the figures."""
    at_least = {f"{page}_{category}": LEAST for page in (*PAGES, "player") for category in _wanted(page)}
    tell(__doc__, figures, at_least=at_least)


def figures() -> dict[str, float]:
    """Each page's mark in each category; none where a tool is missing."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory(prefix="rummy-lighthouse-") as folder:
        # At its smallest size nothing is fetched from elsewhere.
        program = None if IS_SMALLEST else _installed(Path(folder))
        if not browser or not program:
            print("NOT MEASURED: it takes npm, Lighthouse from it, and a Chromium", file=sys.stderr)
            return {}
        with served_site() as site:
            pages = PAGES | {"player": _a_player(site.address)}
            return dict(_marks(program, browser, {page: site.address + path for page, path in pages.items()}))


def _wanted(page: str) -> tuple[str, ...]:
    return ACCESSIBILITY if page == "projector" else CATEGORIES


def _marks(program: Path, browser: str, addresses: dict[str, str]) -> Iterator[tuple[str, float]]:
    for page, address in addresses.items():
        wanted = _wanted(page)
        reports = [_report(program, browser, address, wanted) for _ in range(TIMES)]
        for category in wanted:
            marks = [report["categories"][category]["score"] for report in reports]
            yield f"{page}_{category}", round(100 * median(marks))


def _report(program: Path, browser: str, address: str, wanted: tuple[str, ...]) -> Any:
    words = [str(program), address, "--quiet", "--output=json", "--output-path=stdout"]
    words += [f"--only-categories={','.join(wanted)}", "--chrome-flags=--headless=new --no-sandbox"]
    for _ in range(TRIES):
        known = {**os.environ, "CHROME_PATH": browser}
        done = subprocess.run(words, env=known, check=False, capture_output=True, text=True)
        if done.returncode == 0:
            return json.loads(done.stdout)
    raise RuntimeError(f"Lighthouse has nothing to say of {address}: {done.stderr[-500:]}")


def _a_player(address: str) -> str:
    """The page of somebody who is on the list of players."""
    listed = urllib.request.urlopen(f"{address}{CLUB}players/").read().decode()
    found: list[str] = re.findall(rf"{CLUB}p/[0-9a-f-]{{36}}/", listed)
    return found[0]


def _installed(folder: Path) -> Path | None:
    words = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), WANTED]
    try:
        subprocess.run(words, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return folder / "node_modules" / ".bin" / "lighthouse"


if __name__ == "__main__":
    main()
