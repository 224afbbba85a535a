"""A scripted director plays a whole night in a browser and never touches the mouse: from the plan to settled prizes."""

from collections.abc import Callable
from typing import Any

import pytest

from scoring.ledger.audit import ledger_problems
from tests.builders.admin_tables import club_called, person
from tests.builders.admin_tournaments import Night, a_night
from tests.builders.browser_checks import sign_in
from tournaments.models import EveningSheet, Role

pytestmark = [pytest.mark.browser, pytest.mark.slow(long=True), pytest.mark.django_db(transaction=True)]
GUESTS = ("Asha", "Bo", "Cy", "Dev", "Eve", "Flo", "Gus", "Hari")
MOST_STEPS, MOST_TABS = 40, 150
IS_FOCUSED = "selector => document.activeElement.matches(selector)"
# The usual number of Tab presses to it: the last steps are checked one by one.
STEPS_AHEAD = """selector => {
    const all = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')];
    const shown = all.filter(one => one.checkVisibility() && one.tabIndex >= 0 && !one.disabled);
    return shown.findIndex(one => one.matches(selector)) - shown.indexOf(document.activeElement);
}"""
SUBMIT = "#content form button[type=submit].is-main, #content form button[type=submit].is-grave"


class Keyboard:
    """A director without a mouse: Tab until the focus is there, then a key."""

    def __init__(self, page: Any, night: Night) -> None:
        self.page, self.night, self.keys = page, night, page.keyboard
        self.went: list[str] = []
        self.board = f"/en-gb/c/asha/t/{night.tournament.slug}/"
        self.deeds: dict[str, Callable[[], None]] = {
            "plan": self.plan,
            "entries": self.enter,
            "seating": self.seat,
            "score": self.score,
        }

    def follow(self) -> None:
        """Press the suggested button, do what its page is for, come back to the board."""
        for _ in range(MOST_STEPS):
            if self.page.get_attribute("[data-next]", "href") == self.board:
                return
            if self.page.get_attribute("[data-next]", "hx-get"):
                self.do_many()
                continue
            self.press("[data-next]")
            place = self.place()
            self.went.append(place)
            if place != "night":
                self.deeds.get(place, lambda: self.press(SUBMIT))()
            if self.place() != "night":
                self.press('a[href$="/night/"]')
        raise AssertionError(f"went in a circle: {self.went[-8:]}")

    def place(self) -> str:
        return str(self.page.url.partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2])

    def reach(self, selector: str) -> None:
        if not self.page.evaluate(IS_FOCUSED, selector):
            for _ in range(self.page.evaluate(STEPS_AHEAD, selector) - 3):
                self.keys.press("Tab")
        for _ in range(MOST_TABS):
            if self.page.evaluate(IS_FOCUSED, selector):
                return
            self.keys.press("Tab")
        raise AssertionError(f"no Tab leads to {selector} on {self.page.url}")

    def press(self, selector: str) -> None:
        """Focus a link or button that opens another page, and open it."""
        self.reach(selector)
        with self.page.expect_navigation():
            self.keys.press("Enter")

    def plan(self) -> None:
        self.reach("#id_players")
        self.keys.press("Control+A")
        self.keys.type(str(len(GUESTS)))
        with self.page.expect_navigation():
            self.keys.press("Enter")
        self.press('[aria-label="Use Winners qualify"]')

    def enter(self) -> None:
        """Everybody has paid, and the club has no till."""
        self.press('button[value="none"]')
        self.reach('[name="names"]')
        for name in GUESTS:
            self.keys.type(f"{name}; paid\n")
        self.press('button[value="look"]')
        self.reach('[name="adds_new"]')
        self.keys.press("Space")
        self.press('button[value="store"]')

    def do_many(self) -> None:
        """A list that opens above the dashboard: the same key twice, and the dashboard continues by itself."""
        before = self.page.inner_text("[data-next]")
        self.went.append("many")
        self.reach("[data-next]")
        self.keys.press("Enter")
        self.page.wait_for_selector("[data-many-do]")
        self.reach("[data-many-do]")
        self.keys.press("Enter")
        self.page.wait_for_function("was => document.querySelector('[data-next]').innerText !== was", arg=before)

    def seat(self) -> None:
        self.press('button[value="draw"]')
        self.press('button[value="publish"]')

    def score(self) -> None:
        """The first who is still in shows, all others lose 80."""
        seats = self.page.locator("[id^=count-]").count()
        for typed in ("s", *["80"] * (seats - 1)):
            self.keys.type(typed)
            self.keys.press("Enter")
        with self.page.expect_navigation():
            self.keys.press("Control+Enter")
        self.page.wait_for_selector(".messagelist >> text=Saved.")


def test_a_director_plays_a_night_with_the_keyboard_only(live_server: Any, page: Any, transactional_db: None):
    club = club_called("Asha's club", "asha")
    night = a_night(club, entry_minor=10_000)
    sign_in(page.context, live_server.url, person("dita", Role.DIRECTOR, club, first_name="Dita"))
    page.goto(f"{live_server.url}{night.url()}")
    director = Keyboard(page, night)
    director.follow()
    assert list(dict.fromkeys(director.went))[:5] == ["plan", "entries", "many", "seating", "score"]
    row = EveningSheet.objects.get(tournament=night.tournament)
    assert night.state.is_closed
    assert (row.settled_position >= row.due_position > 0, row.settle_problem) == (True, "")
    assert ledger_problems(club.pk) == []
    assert page.complaints == []
