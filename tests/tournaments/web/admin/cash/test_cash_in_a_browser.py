"""The cash desk on a phone, from the first note to the closed night; and with the keyboard alone."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.builders.admin_tables import club_called
from tests.builders.browser_checks import looks_right
from tests.builders.cash_desk import CashDesk, at_the_desk
from tournaments.models import CashBook, Role
from tournaments.people.players import add_players

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 800}
TARGETS = """[...document.querySelectorAll('main button, main .tool, main input:not([type=hidden]), main select')]
  .filter(e => e.offsetParent).map(e => (e.closest('label') ?? e).getBoundingClientRect().height)"""


@pytest.fixture
def desk(transactional_db: None) -> CashDesk:
    """Dita directs, and takes the money herself."""
    club = club_called("Asha's club", "asha")
    add_players(club, ("Asha", "Bo", "José"))
    return at_the_desk(club, Role.DIRECTOR, "dita")


@pytest.fixture
def at(live_server: Any, page: Any, desk: CashDesk) -> Callable[[str], Any]:
    """The browser at a page of the desk."""
    cookie = {"name": "sessionid", "value": desk.client.cookies["sessionid"].value, "url": live_server.url}
    page.context.add_cookies([cookie])
    page.set_viewport_size(PHONE)

    def go(path: str = "") -> Any:
        page.goto(f"{live_server.url}{desk.url(path)}")
        return page

    return go


def test_a_night_on_a_phone_from_the_float_to_the_closed_book(at: Callable[..., Any], desk: CashDesk):
    page = at()
    page.fill("#id_float", "200")
    page.click("text=Open my till")
    page.wait_for_selector("text=Your till is open with ₹200.00")
    page.fill("#find", "jos")
    page.wait_for_selector("#found >> text=José")
    page.press("#find", "Enter")
    page.wait_for_selector("h1 >> text=José")
    page.keyboard.type("500")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Taken from José")
    page.click("text=Count and close")
    page.wait_for_selector("text=Count the till")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    page.keyboard.type("1")
    assert page.inner_text("[data-total]") == "₹700.00"
    page.click("text=Save count")
    page.click("text=Close the till")
    page.wait_for_selector("text=Till closed.")
    page.click("nav[aria-label=Cash] >> text=Cash book")
    page.click("button >> text=Close cash book")
    page.wait_for_selector("text=. It cannot be changed.")
    assert CashBook.objects.get().is_closed
    assert (desk.holds("bank"), desk.has("José")) == (70_000, 50_000)
    assert page.complaints == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_of_the_desk_fits_a_phone_and_its_keys_a_thumb(at: Callable[..., Any], desk: CashDesk, scheme: str):
    desk.opens().takes("500", "Asha").counts(p50000=1)
    desk.sends(desk.player("Asha"), "transfer", to="Bo", amount="5", reason="forgot his purse")
    for path in (
        "?q=s",
        desk.player("Asha"),
        "lines/3/",
        desk.count_page,
        "night/",
        f"nights/{desk.book}/",
        "balances/",
    ):
        page = at(path)
        page.emulate_media(color_scheme=scheme)
        looks_right(page, path)
        assert min(page.evaluate(TARGETS), default=44) >= 44, path
        assert page.complaints == [], path


@pytest.mark.parametrize("width", [1280, 360])
def test_whoever_is_to_be_paid_stands_beside_the_tick_and_the_sum_follows_the_ticks(
    at: Callable[..., Any], desk: CashDesk, width: int
):
    """Planted fault: the tick at the left edge, the name at the right one, the amount a line below."""
    desk.opens().takes("500", "Asha").takes("20", "Bo")
    page = at("balances/")
    page.set_viewport_size({"width": width, "height": 800})
    rows = page.locator("[aria-labelledby=of-tournament] .desk-row")
    for row in rows.all():
        tick, name, amount = (row.locator(part).bounding_box() for part in ("input", ".desk-name", ".cash-amount"))
        assert 0 < name["x"] - tick["x"] - tick["width"] < 48
        assert abs(name["y"] + name["height"] / 2 - amount["y"] - amount["height"] / 2) < 2
    rows.first.locator("input").check()
    assert page.locator("[data-many-total]").inner_text() == "Payouts of those ticked: ₹500.00"
    page.click("text=Tick all")
    page.wait_for_selector("text=Payouts of those ticked: ₹520.00")
    page.click("text=Pay out in cash")
    page.wait_for_selector("text=2 payouts saved: ₹520.00")
    assert (desk.has("Asha"), desk.has("Bo")) == (0, 0)
    assert page.complaints == []
