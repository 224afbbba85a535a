"""What the tasks of an evening cost whoever does them in a browser: pages, taps, keys, pixels scrolled.

A Chromium of this machine does each task on a site that is thrown away. Counted from the moment the first page is open:
documents loaded, presses of a pointer, keys, and every pixel that scrolls, by hand or by itself. Of the plan's pages
their height and fields are counted, down to *More options*. A further task is a function in `TASKS` that takes a
`Hall`, begins to count and gives back what it took, and its bounds in `AT_MOST`.

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
    "round_1_from_sign_in.pages": 6,
    "round_1_from_sign_in.taps": 9,
    "round_1_by_repeat.pages": 4,
    "round_1_by_repeat.taps": 6,
    "eight_tables_closed.pages": 1,
    "eight_tables_closed.taps": 2,
    "late_player.pages": 2,
    "late_player.taps": 4,
    "plan_page.height": 1_500,
    "plan_page.fields": 12,
    "saved_plan_page.height": 1_500,
    "saved_plan_page.fields": 12,
}
KNOWN = tuple(f"{name} {family}" for family in ("Rao", "Sen", "Das") for name in PLAYERS)
PASSWORD = "a long pass phrase"  # noqa: S105 - of a site that is thrown away
# What a page shows before "More options": how far down it goes, and what can be filled in. What is folded is not shown.
BEFORE_MORE = """() => {
  const more = document.querySelector(".more-options");
  const shown = [...document.querySelectorAll("#content :is(input, select, textarea):not([type=hidden])")];
  const above = (one) => !more || one.compareDocumentPosition(more) & Node.DOCUMENT_POSITION_FOLLOWING;
  const groups = shown.filter((one) => one.checkVisibility() && above(one)).map((one) =>
    one.type === "radio" ? one.name : one);
  const height = more ? more.getBoundingClientRect().top + scrollY : document.documentElement.scrollHeight;
  return { height: Math.round(height), fields: new Set(groups).size };
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """A served site with a club, a browser, and its director, who is signed in on every screen."""

    club: Any
    address: str
    browser: Any
    session: str

    def screen(self, path: str, size: Mapping[str, int], *, session: str | None = None) -> Any:
        """A page of the site on a screen of its own; `steps` counts on it. An empty `session` is nobody's."""
        from tests.builders.browser_steps import Steps  # noqa: PLC0415 - the site comes first

        is_phone = size is PHONE
        context = self.browser.new_context(viewport=size, has_touch=is_phone, is_mobile=is_phone)
        cookie = {"name": "sessionid", "value": self.session if session is None else session, "url": self.address}
        context.add_cookies([cookie] if cookie["value"] else [])
        page = context.new_page()
        page.steps = Steps(page)
        page.goto(f"{self.address}{path}", wait_until="networkidle")
        return page

    def table(self) -> Any:
        """A table of six at pool rummy."""
        from tests.builders.admin_tables import evening_at  # noqa: PLC0415 - the site comes first

        return evening_at(self.club, names=PLAYERS)

    def sign_in(self, slug: str) -> tuple[Any, Any]:
        """A club of its own, and its director's screen with the page on which they sign in."""
        from tests.builders.admin_tables import club_called, person  # noqa: PLC0415 - the site comes first
        from tournaments.models import Role  # noqa: PLC0415

        club = club_called(slug, slug)
        person(slug, Role.DIRECTOR, club)
        return club, self.screen("/admin/login/?next=/admin/", DESK, session="")

    def night(self, plan: Mapping[str, Any] | None = None) -> Any:
        """A tournament of the director's club."""
        from tests.builders.admin_tournaments import HEATS, a_night  # noqa: PLC0415 - the site comes first

        return a_night(self.club, dict(plan or HEATS))


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


def round_1_from_sign_in(hall: Hall) -> dict[str, int]:
    """Eighteen known players, their names pasted, their fees taken, round 1 seated and published."""
    from tournaments.people.players import add_players  # noqa: PLC0415 - the site comes first

    club, page = hall.sign_in("eighteen")
    add_players(club, KNOWN)
    page.steps.begin()
    _sign_in(page, "eighteen")
    page.get_by_role("link", name="New tournament").click()
    page.get_by_label("Paste names, one a line").click()
    page.keyboard.insert_text("\n".join(KNOWN))
    page.get_by_label("Entry fee").first.click()
    page.keyboard.type("100")
    page.get_by_role("button", name="Create tournament").click()
    return _to_round_1(page)


def round_1_by_repeat(hall: Hall) -> dict[str, int]:
    """The same rules, plan and players as last week."""
    from django.utils.timezone import now  # noqa: PLC0415 - the site comes first

    from tournaments.rehearsal.simulation import SimulationDraft, simulate_tournament  # noqa: PLC0415

    club, page = hall.sign_in("again")
    simulate_tournament(club, SimulationDraft(players=18, preset="pool_101", seed="again", is_real=True), now=now())
    page.steps.begin()
    _sign_in(page, "again")
    page.get_by_role("button", name="Repeat").click()
    return _to_round_1(page)


def _sign_in(page: Any, login: str) -> None:
    page.keyboard.type(login)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.get_by_role("button", name="Log in").click()


def _to_round_1(page: Any) -> dict[str, int]:
    """From a tournament with its players to the first round: what the checklist suggests, and nothing else."""
    page.locator("[data-next]", has_text="Check in players").click()
    page.locator("[data-many-do]").click()
    page.locator("[data-next]", has_text="Seat round 1").click()
    page.get_by_role("button", name="Publish").click()
    page.wait_for_selector("text=Round 1 is seated")
    return dict(page.steps.taken())


def eight_tables_closed(hall: Hall) -> dict[str, int]:
    """Eight finished tables, from the dashboard."""
    from tests.builders.admin_tournaments import play_out  # noqa: PLC0415 - the site comes first

    night = hall.night()
    night.enter(*(f"Player {number}" for number in range(16)))
    for table in night.seat():
        play_out(table)
    page = hall.screen(night.url(), DESK)
    page.steps.begin()
    page.locator("[data-next]", has_text="Close 8 tables").click()
    page.locator("[data-many-do]").click()
    page.wait_for_selector("text=8 tables closed")
    return dict(page.steps.taken())


def late_player(hall: Hall) -> dict[str, int]:
    """A known player who comes after round 1 was seated, from the dashboard to a seat."""
    from tournaments.people.players import add_players  # noqa: PLC0415 - the site comes first

    add_players(hall.club, ["Gita"])
    night = hall.night({"stages": [{"smallest_table": 2, "preferred_table": 6}], "late_until_round": 2})
    night.enter(*PLAYERS[:4])
    night.seat()
    page = hall.screen(night.url(), DESK)
    page.steps.begin()
    page.locator("#to-seats").click()
    page.locator("[name='name']").first.click()
    page.keyboard.type("Gita")
    page.get_by_role("button", name="Seat player").click()
    page.wait_for_selector(".messagelist")
    return dict(page.steps.taken())


def plan_page(hall: Hall) -> dict[str, int]:
    """The page of a new tournament as it is opened."""
    return dict(hall.screen("/admin/tournaments/tournament/add/", DESK).evaluate(BEFORE_MORE))


def saved_plan_page(hall: Hall) -> dict[str, int]:
    """The page of a plan with two stages as it is opened."""
    return dict(hall.screen(hall.night().url("plan"), DESK).evaluate(BEFORE_MORE))


TASKS: tuple[Callable[[Hall], dict[str, int]], ...] = (
    deal_at_desk,
    deal_on_phone,
    correction,
    round_1_from_sign_in,
    round_1_by_repeat,
    eight_tables_closed,
    late_player,
    plan_page,
    saved_plan_page,
)


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

        from tests.builders.admin_tables import club_called, person  # noqa: PLC0415
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
