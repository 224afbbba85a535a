"""Pictures for the README, taken of the example club in a browser: `make pictures`."""

import io
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FONTS = ROOT / "tournaments" / "rendering" / "pdf" / "fonts"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DIRECTOR = "demo-director"
PATIENCE_SECONDS = 120
WIDE, PHONE = (1120, 760), (390, 760)
QUALITY = 82
LOST = ("9", "34", "12", "27")
JUDGED = "/en-gb/judge/?wild=5&cards=AH+2H+3H+4S+5D+6S+9C+9D+9S+KH+QD+2C+7C"


def main(folder: Path) -> None:
    """Serve the example club for a moment, and keep four pictures of it in a folder."""
    with served() as (site, password), browser() as chromium:
        wide, phone = signed_in(chromium, site, password, WIDE), signed_in(chromium, site, password, PHONE)
        open_night_board(wide, site)
        keep(wide, folder / "night-board.webp")
        enter_a_deal(phone, site)
        keep(phone, folder / "scorer.webp")
        wide.goto(f"{site}/en-gb/c/marine-drive/t/pool-201-league/")
        keep(wide, folder / "leaderboard.webp")
        wide.goto(f"{site}{JUDGED}")
        keep(wide, folder / "judge.webp")


@contextmanager
def served() -> Iterator[tuple[str, str]]:
    """The example club in a folder of its own: its address, and the director's password."""
    with tempfile.TemporaryDirectory(prefix="rummy-pictures-") as folder:
        environment = {**os.environ, "VAR_DIR": folder, "DATABASE_URL": f"sqlite:///{folder}/pictures.sqlite3"}
        for words in (("migrate", "--verbosity", "0"), ("demo_data",)):
            subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, env=environment, check=True)
        port = free_port()
        serve = [sys.executable, "manage.py", "serve", "--port", str(port), "--while-parent-lives"]
        process = subprocess.Popen(serve, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        try:
            wait_for(f"http://127.0.0.1:{port}/readyz?worker")
            yield f"http://127.0.0.1:{port}", json.loads((Path(folder) / "demo_logins.json").read_text())[DIRECTOR]
        finally:
            process.terminate()
            process.wait()


@contextmanager
def browser() -> Iterator[Browser]:
    """A Chromium of this machine, with typefaces for every language that the pages speak."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        sys.exit(f"none of {', '.join(BROWSERS)} is installed")
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as fonts, sync_playwright() as driver:
        fonts.write(f"<fontconfig><include>/etc/fonts/fonts.conf</include><dir>{FONTS}</dir></fontconfig>")
        fonts.flush()
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        environment: dict[str, Any] = {**os.environ, "FONTCONFIG_FILE": fonts.name}
        yield driver.chromium.launch(executable_path=path, args=arguments, env=environment)


def signed_in(chromium: Browser, site: str, password: str, size: tuple[int, int]) -> Page:
    """A page of that size, with the director signed in."""
    page = chromium.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme="light", locale="en-GB")
    page.goto(f"{site}/admin/login/")
    page.fill("input[name=username]", DIRECTOR)
    page.fill("input[name=password]", password)
    page.press("input[name=password]", "Enter")
    page.wait_for_url(f"{site}/admin/")
    return page


def open_night_board(page: Page, site: str) -> None:
    """The board of the planned evening."""
    page.goto(f"{site}/admin/tournaments/tournament/")
    page.click("text=Planned evening")
    page.goto(page.url.replace("/change/", "/night/"))


def enter_a_deal(page: Page, site: str) -> None:
    """A deal of that evening, entered and not saved: the page says what would follow."""
    open_night_board(page, site)
    page.locator("a[href$='/score/']").first.click()
    page.wait_for_load_state("networkidle")
    seats = page.locator(".seat-row")
    seats.first.locator("input[value=show]").check()
    for number in range(1, seats.count()):
        seats.nth(number).locator("input.count").fill(LOST[number % len(LOST)])
    page.wait_for_load_state("networkidle")
    seats.first.scroll_into_view_if_needed()
    page.evaluate("window.scrollTo(0, 0)")


def keep(page: Page, path: Path) -> None:
    """What the page shows, small enough for a document."""
    page.wait_for_load_state("networkidle")
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.convert("RGB").save(path, "WEBP", quality=QUALITY, method=6)


def wait_for(address: str) -> None:
    """Until the address answers well."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE_SECONDS):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    sys.exit(f"{address} does not answer")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures")
