"""What the tasks of an evening cost whoever does them in a browser: pages, taps, keys, pixels scrolled.

A Chromium of this machine does each task on a site that is thrown away. Counted from the moment the first page is open:
documents loaded, presses of a pointer, keys, and every pixel that scrolls, by hand or by itself. A further task is a
function in `TASKS` that takes a `Hall`, begins to count and gives back what it took, and its bounds in `AT_MOST`.

    python -m benchmarks.bench_steps [--json]
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from benchmarks.figures import tell, throwaway_site
from benchmarks.serving import served_site

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 760}
PLAYERS = ("Asha", "Bo", "Cy", "Dev", "Esha", "Farid")
LOST = ("45", "12", "33", "10", "78")
AT_MOST = {
    "deal_at_desk.keys": 13,
    "deal_at_desk.pixels": 0,
    "deal_on_phone.taps": 20,
    "deal_on_phone.pixels": 0,
    "correction.pages": 2,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """A served site with a club, a browser, and its director, who is signed in on every screen."""

    club: Any
    address: str
    browser: Any
    session: str

    def screen(self, path: str, size: Mapping[str, int]) -> Any:
        """A page of the site on a screen of its own; `steps` counts on it."""
        from tests.tournaments.web.steps import Steps  # noqa: PLC0415 - the site comes first

        is_phone = size is PHONE
        context = self.browser.new_context(viewport=size, has_touch=is_phone, is_mobile=is_phone)
        context.add_cookies([{"name": "sessionid", "value": self.session, "url": self.address}])
        page = context.new_page()
        page.steps = Steps(page)
        page.goto(f"{self.address}{path}", wait_until="networkidle")
        return page

    def table(self) -> Any:
        """A table of six at pool rummy."""
        from tests.tournaments.web.admin.evening import evening_at  # noqa: PLC0415 - the site comes first

        return evening_at(self.club, names=PLAYERS)


def deal_at_desk(hall: Hall) -> dict[str, int]:
    """Six seats with two-digit counts, by keyboard."""
    page = hall.screen(hall.table().score_url, DESK)
    page.steps.begin()
    page.keyboard.type("s" + "".join(LOST))
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Save deal 2")
    return dict(page.steps.taken())


def deal_on_phone(hall: Hall) -> dict[str, int]:
    """The same deal with a thumb."""
    page = hall.screen(hall.table().score_url, PHONE)
    page.steps.begin()
    page.locator(".is-current .key:has([data-letter=s])").tap()
    for digit in "".join(LOST):
        page.locator(f"[data-press='{digit}']").tap()
    page.locator("[data-save]").tap()
    page.wait_for_selector("text=Save deal 2")
    return dict(page.steps.taken())


def correction(hall: Hall) -> dict[str, int]:
    """One count of a stored deal that was misread."""
    table = hall.table()
    table.deal(1, show="6", s1=31, s2=12, s3=45, s4=30, s5=20)
    page = hall.screen(table.score_url, DESK)
    page.steps.begin()
    page.get_by_role("link", name="Correct deal 1").click()
    page.wait_for_selector("#reason")
    page.keyboard.type("44misread")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Save deal 2")
    return dict(page.steps.taken())


TASKS: tuple[Callable[[Hall], dict[str, int]], ...] = (deal_at_desk, deal_on_phone, correction)


def main() -> None:
    """Print the figures."""
    tell(__doc__, figures, at_most=AT_MOST)


def figures() -> dict[str, float]:
    """Each task's pages, taps, keys and pixels; none where there is no browser."""
    if not _browser():
        print("NOT MEASURED: it takes a Chromium", file=sys.stderr)
        return {}
    with hall() as found:
        return {f"{task.__name__}.{what}": number for task in TASKS for what, number in task(found).items()}


@contextmanager
def hall() -> Iterator[Hall]:
    """The site as `make demo` serves it, with a club of its own in it."""
    with throwaway_site(LOG_LEVEL="ERROR"):
        from django.test import Client  # noqa: PLC0415 - the site comes first

        from tests.tournaments.web.admin.evening import club_called, person  # noqa: PLC0415
        from tournaments.models import Role  # noqa: PLC0415

        club, client = club_called("Bench club", "bench-club"), Client()
        client.force_login(person("bench-director", Role.DIRECTOR, club))
        session = client.cookies["sessionid"].value
        # Its keys lie in the folder: the session holds in the processes of the site too.
        with served_site(VAR_DIR=os.environ["VAR_DIR"]) as site, _chromium() as browser:
            yield Hall(club=club, address=site.address, browser=browser, session=session)


@contextmanager
def _chromium() -> Iterator[Any]:
    """A headless browser. Its driver keeps an event loop in this thread, which Django takes for asynchronous code."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not where the package alone is installed

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as driver:
        yield driver.chromium.launch(executable_path=_browser(), args=arguments)


def _browser() -> str | None:
    return next(filter(None, map(shutil.which, BROWSERS)), None)


if __name__ == "__main__":
    main()
