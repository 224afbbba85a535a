"""A phone that loses its network loses no deals: they wait in its outbox and reach the log once, in order."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
import zxingcpp
from django.utils.timezone import now
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from tests.builders.admin_tables import Evening, evening_at, person
from tests.builders.browser_checks import sign_in
from tests.builders.outbox import HALL, SECURE, saves, types
from tests.builders.patience import PATIENCE
from tests.builders.samples import each
from tournaments.log.context import CommandContext
from tournaments.models import LateSheet, Role
from tournaments.models.log import Event
from tournaments.tables.commands import without_network

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WAITING = "[data-outbox] li:has-text('waiting')"


@pytest.fixture
def site(request: Any, live_server: Any, settings: Any) -> str:
    """The site in a hall without HTTPS, or, on request, as a secure origin on which a service worker runs."""
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, HALL]
    return str(live_server.url.replace("localhost", getattr(request, "param", HALL)))


@pytest.fixture
def phone(site: str, chromium: Any, pool: Evening) -> Iterator[Callable[..., Any]]:
    """A user's own phone at the table's scoring page."""
    contexts = []

    def take(login: str, role: Role = Role.SCORER, *, at: Evening = pool) -> Any:
        context = chromium.new_context(viewport={"width": 390, "height": 800})
        contexts.append(context)
        sign_in(context, site, person(login, role, pool.club, first_name=login.capitalize()))
        page = context.new_page()
        page.goto(f"{site}{at.score_url}")
        return page

    yield take
    for context in contexts:
        context.close()


def deals_of(table: Evening) -> list[tuple[int, int, int]]:
    """Version, deal and points of seat 2 of each deal of the log, in order."""
    events = Event.objects.filter(stream_id=table.table.pk, kind="deal_recorded").order_by("version")
    read = [(event.version, json.loads(event.body)) for event in events]
    return [(version, body["deal"], body["sheet"]["outcomes"]["2"]["count"]) for version, body in read]


def lets_deals_wait(page: Any, *deals: int) -> None:
    page.context.set_offline(True)
    for number in deals:
        types(page, str(number), "5", "6")
        saves(page)
        page.wait_for_selector(f"text=Save deal {number + 1}")


def comes_to(page: Any, table: Evening, deals: list[tuple[int, int, int]]) -> None:
    """The log finally has these deals, and the phone shows none as waiting. It pauses for 75 s at most."""
    for _ in range(int(10 * PATIENCE)):
        if deals_of(table) == deals:
            break
        page.wait_for_timeout(100)
    assert deals_of(table) == deals
    page.wait_for_selector(WAITING, state="detached")


@pytest.mark.parametrize("site", each(HALL, SECURE), indirect=True)
def test_deals_typed_without_network_reach_the_log_in_order(phone: Callable[..., Any], pool: Evening, site: str):
    sam = phone("sam")
    # A hall without HTTPS has no service worker.
    assert sam.evaluate("Boolean(navigator.serviceWorker)") is (SECURE in site)
    types(sam, "1", "2", "3")
    saves(sam)
    sam.wait_for_selector("text=Save deal 2")
    for number in (2, 3, 4):
        lets_deals_wait(sam, number)
        expect(sam.locator("[data-row='1'].is-current #count-1:focus")).to_have_count(1)
    expect(sam.locator(WAITING)).to_have_count(3)
    expect(sam.locator("text=No connection. Keep scoring")).to_be_visible()
    sam.context.set_offline(False)
    comes_to(sam, pool, [(2, 1, 1), (3, 2, 2), (4, 3, 3), (5, 4, 4)])


def loses_the_answer(route: Any) -> Any:
    """The request reaches the site, its answer only the test."""
    there = urlsplit(route.request.url)
    local = there._replace(netloc=f"localhost:{there.port}").geturl()
    answer = route.fetch(url=local, headers=route.request.headers | {"host": there.netloc})
    route.abort()
    return answer


def test_an_answer_that_is_lost_stores_a_deal_once(phone: Callable[..., Any], pool: Evening):
    sam = phone("sam")
    lost: list[Any] = []

    def lose(route: Any) -> None:
        if route.request.method == "POST" and len(lost) < 2:
            lost.append(loses_the_answer(route))
        else:
            route.continue_()

    sam.route(f"**{pool.score_url}", lose)
    for number, count in ((1, "1"), (2, "4")):
        types(sam, count, "5", "6")
        saves(sam)
        sam.wait_for_selector(f"text=Save deal {number + 1}")
    comes_to(sam, pool, [(2, 1, 1), (3, 2, 4)])
    assert [answer.ok for answer in lost] == [True, True]


@pytest.mark.slow
@pytest.mark.parametrize("said", ["text/html", "application/json"])
def test_what_a_network_answers_in_our_place_neither_stores_nor_refuses_a_deal(
    phone: Callable[..., Any], pool: Evening, said: str
):
    """Planted faults: the page of a hotspot taken for a refusal; JSON of a proxy taken for a success."""
    sam = phone("sam")
    asked: list[Any] = []

    def in_our_place(route: Any) -> None:
        if route.request.method == "POST" and len(asked) < 2:
            asked.append(route)
            route.fulfill(status=200, content_type=said, body="{}")
        else:
            route.continue_()

    sam.route(f"**{pool.score_url}", in_our_place)
    types(sam, "1", "2", "3")
    saves(sam)
    sam.wait_for_selector(WAITING)
    comes_to(sam, pool, [(2, 1, 1)])
    assert len(asked) == 2


@pytest.mark.slow
def test_a_page_that_is_closed_sends_when_it_is_opened_again(phone: Callable[..., Any], pool: Evening):
    sam = phone("sam")
    url, context = sam.url, sam.context
    lets_deals_wait(sam, 1)
    sam.fill("#count-2", "17")
    sam.wait_for_timeout(200)
    sam.close()
    context.set_offline(False)
    again = context.new_page()
    again.goto(url)
    comes_to(again, pool, [(2, 1, 1)])

    # Unsaved input is there, too.
    assert again.input_value("#count-2") == "17"
    types(again, "17", "5", "6")
    saves(again)
    again.wait_for_selector("text=Save deal 3")
    assert deals_of(pool) == [(2, 1, 1), (3, 2, 17)]


# IndexedDB opens three seconds late.
LATE_STORE = """(() => {
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (...words) {
    const opened = open.apply(this, words);
    const late = { get result() { return opened.result; }, get error() { return opened.error; } };
    opened.onupgradeneeded = (event) => late.onupgradeneeded?.(event);
    opened.onsuccess = (event) => setTimeout(() => late.onsuccess?.(event), 3000);
    return late;
  };
})()"""


@pytest.mark.slow
def test_a_deal_saved_before_the_store_answers_waits_behind_the_deals_there(phone: Callable[..., Any], pool: Evening):
    """Planted fault: a save that does not wait, so that the form was sent as deal 1 past the deal in the outbox."""
    page = phone("sam")
    page.route("**/score/", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    types(page, "10", "20", "30")
    saves(page)
    page.wait_for_selector(WAITING)
    page.add_init_script(LATE_STORE)
    page.reload()
    types(page, "11", "21", "31")
    saves(page)
    page.locator("[data-outbox] li").nth(1).wait_for()
    page.unroute("**/score/")
    page.evaluate("dispatchEvent(new Event('online'))")
    comes_to(page, pool, [(2, 1, 10), (3, 2, 11)])


@pytest.mark.slow
def test_the_later_of_two_sees_both_sheets_and_loses_neither(phone: Callable[..., Any], pool: Evening):
    sam, uma = phone("sam"), phone("uma")
    lets_deals_wait(sam, 1, 2)
    types(uma, "40", "5", "6")
    saves(uma)
    uma.wait_for_selector("text=Save deal 2")
    sam.context.set_offline(False)
    sam.wait_for_selector("[data-outbox] li:has-text('not saved') >> text=Review", timeout=20_000)
    expect(sam.locator(WAITING)).to_have_count(1)
    assert deals_of(pool) == [(2, 1, 40)]
    sam.click("[data-outbox] li >> text=Review")
    sam.wait_for_selector("text=Not saved: someone saved first")
    expect(sam.locator(".compare >> text=40")).to_have_count(1)
    sam.click("text=Discard mine")
    comes_to(sam, pool, [(2, 1, 40), (3, 2, 2)])


@pytest.mark.slow
def test_a_deal_that_was_refused_is_fixed_in_its_place_also_when_its_page_is_opened_again(
    phone: Callable[..., Any], pool: Evening
):
    """Planted fault: the page offered deal 2; deal 1 typed again there waited behind a deal that was never fixed."""
    sam = phone("sam")
    sam.context.set_offline(True)
    types(sam, "999", "5", "6")
    saves(sam)
    sam.wait_for_selector("text=Save deal 2")
    lets_deals_wait(sam, 2)
    sam.wait_for_selector("text=No connection: totals follow when it is back.")
    sam.context.set_offline(False)
    sam.wait_for_selector("text=No connection", state="hidden")
    sam.wait_for_selector("[data-outbox] li >> text=Review", timeout=20_000)
    sam.goto(sam.url)
    sam.wait_for_selector("[data-outbox] li >> text=Review")
    assert (sam.input_value("#count-2"), sam.input_value("#count-3")) == ("999", "5")
    assert sam.locator("[data-save]").inner_text() == "Save deal 1"
    sam.click("[data-outbox] li >> text=Review")
    sam.wait_for_selector(".errorlist")
    sam.fill("#count-2", "9")
    saves(sam)
    comes_to(sam, pool, [(2, 1, 9), (3, 2, 2)])
    sam.wait_for_selector("text=Save deal 3")


@pytest.mark.slow
def test_two_tabs_send_each_deal_once(phone: Callable[..., Any], pool: Evening):
    sam = phone("sam")
    other = sam.context.new_page()
    other.goto(sam.url)
    lets_deals_wait(sam, 1, 2, 3)
    posted: list[str] = []
    for tab in (sam, other):
        tab.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
    sam.context.set_offline(False)
    comes_to(sam, pool, [(2, 1, 1), (3, 2, 2), (4, 3, 3)])

    assert len([url for url in posted if url.endswith(pool.score_url)]) == 3


def code_in(page: Any) -> str:
    """The text of the code that a page draws, one dot a square, as a camera reads it."""
    width, dots = page.evaluate(
        """() => {
          const canvas = document.querySelector("[data-code]");
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return [canvas.width, [...data].filter((_, at) => at % 4 === 0)];
        }"""
    )
    rows = [bytes(dots[at : at + width]) for at in range(0, len(dots), width)]
    larger = [bytes(dot for dot in row for _ in range(4)) for row in rows for _ in range(4)]
    [found] = zxingcpp.read_barcodes(memoryview(b"".join(larger)).cast("B", shape=[len(larger), 4 * width]))
    return str(found.text)


def test_deals_that_cannot_be_sent_reach_another_device_as_a_file(
    phone: Callable[..., Any], pool: Evening, tmp_path: Any
):
    sam, uma = phone("sam"), phone("uma")
    lets_deals_wait(sam, 1, 2)
    with sam.expect_download() as download:
        sam.click("text=Save to a file")
    file = tmp_path / "deals.json"
    download.value.save_as(file)

    uma.click("text=Move deals to another device")
    for wrong, said in ((b"{}", "deals of another table"), (b"no", "holds no deals of a table")):
        uma.set_input_files("input[data-file]", {"name": "x.json", "mimeType": "application/json", "buffer": wrong})
        uma.wait_for_selector(f"text={said}")
    uma.set_input_files("input[data-file]", file)
    uma.wait_for_selector("text=each still counts once")
    comes_to(uma, pool, [(2, 1, 1), (3, 2, 2)])

    # The first device finds its network again, and sends what is there already.
    sam.context.set_offline(False)
    comes_to(sam, pool, [(2, 1, 1), (3, 2, 2)])


@pytest.mark.slow
def test_a_code_opens_a_deal_on_another_device_which_asks_before_it_is_taken_over(
    phone: Callable[..., Any], pool: Evening
):
    sam, uma = phone("sam"), phone("uma")
    lets_deals_wait(sam, 1)
    sam.click("text=Move deals to another device")
    sam.wait_for_selector("[data-out] >> text=Deal 1")
    address = code_in(sam)
    assert address.startswith(f"{sam.url.partition('#')[0]}#deal=")

    uma.goto("about:blank")
    uma.goto(address)
    uma.wait_for_selector("text=Deal 1 comes from another device.")
    assert deals_of(pool) == []
    uma.click("text=Take it over")
    comes_to(uma, pool, [(2, 1, 1)])
    assert "#" not in uma.url


@pytest.mark.slow
def test_the_dashboard_tells_a_phone_with_a_refused_deal_and_as_of_when(phone: Callable[..., Any], pool: Evening):
    dita, sam = phone("dita", Role.DIRECTOR), phone("sam")
    types(sam, "999", "2", "3")
    sam.evaluate("document.querySelector('form[data-scorer]').noValidate = true")
    saves(sam)
    dita.goto(dita.url.split("/table/")[0] + f"/tournament/{pool.tournament.pk}/night/")
    dita.wait_for_selector("text=1 deal waits")
    dita.wait_for_selector("text=As of ")
    dita.context.set_offline(True)
    dita.wait_for_selector("text=Connection lost. Shown as of")
    dita.context.set_offline(False)
    dita.wait_for_selector("text=Connection lost", state="hidden")


@pytest.mark.slow
def test_what_waits_for_another_table_is_listed_with_the_way_there(phone: Callable[..., Any], pool: Evening):
    """Planted fault: nobody at this table learns that a deal of the former one is still on the tablet."""
    other = evening_at(pool.club, name="Sunday")
    sam, uma = phone("sam"), phone("uma")
    lets_deals_wait(sam, 1)
    tablet = sam.context
    sam.close()
    tablet.clear_cookies()
    tablet.add_cookies(uma.context.cookies())
    tablet.set_offline(False)
    page = tablet.new_page()
    page.goto(uma.url.replace(pool.score_url, other.score_url))
    page.wait_for_selector("[data-outbox] li:has-text('Deal 1')")
    assert deals_of(pool) == []
    # It can be discarded here too: the way there may be closed by now.
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.click("[data-outbox] li >> text=Discard")
    page.click("[data-outbox] li >> text=Table 1")
    comes_to(page, pool, [(2, 1, 1)])


def looks_again(page: Any) -> None:
    """What the page does by itself from time to time."""
    with page.expect_response("**/device/"):
        page.evaluate("dispatchEvent(new Event('online'))")


def test_a_page_learns_of_a_correction_by_someone_else(phone: Callable[..., Any], pool: Evening):
    """A blank sheet shows it at once; a sheet with a deal keeps it, and saves it beside the correction."""
    pool.deal(1, show="1", s2=30, s3=10, s4=10)
    sam = phone("sam")
    corrected = {"kind": "deal_corrected", "deal": 1, "reason": "misread"}
    for count in (40, 50):
        if count == 50:
            types(sam, "1", "2", "3")
        losses = {seat: {"how": "loss", "count": 10} for seat in "34"}
        pool.record({**corrected, "outcomes": {"1": {"how": "show"}, "2": {"how": "loss", "count": count}, **losses}})
        looks_again(sam)
        if count == 40:
            sam.wait_for_selector("[data-row='2'] .seat-stand >> text=40")
            expect(sam.locator("[data-changed]")).to_be_hidden()
    expect(sam.locator("[data-changed]")).to_be_visible()
    expect(sam.locator("#count-2")).to_have_value("1")
    saves(sam)
    comes_to(sam, pool, [(2, 1, 30), (5, 2, 1)])


@pytest.mark.slow
def test_what_waits_can_be_discarded(phone: Callable[..., Any], pool: Evening):
    """The last deal first: its number is free again."""
    sam = phone("sam")
    lets_deals_wait(sam, 1, 2)
    sam.on("dialog", lambda dialog: dialog.accept())
    sam.locator("[data-outbox] li >> text=Discard").nth(1).click()
    sam.wait_for_selector("text=Save deal 2")
    expect(sam.locator(WAITING)).to_have_count(1)
    types(sam, "7", "5", "6")
    saves(sam)
    sam.wait_for_selector("text=Save deal 3")
    sam.context.set_offline(False)
    comes_to(sam, pool, [(2, 1, 1), (3, 2, 7)])


@pytest.mark.slow
def test_a_user_who_is_signed_out_keeps_the_deals(phone: Callable[..., Any], pool: Evening):
    sam = phone("sam")
    own = sam.context.cookies()
    lets_deals_wait(sam, 1)
    sam.context.clear_cookies()
    sam.context.set_offline(False)
    sam.wait_for_selector("text=You are signed out. The deals stay on this device")
    assert deals_of(pool) == []
    sam.context.add_cookies(own)
    sam.reload()
    comes_to(sam, pool, [(2, 1, 1)])


@pytest.mark.slow
def test_deals_of_a_table_that_was_closed_meanwhile_go_to_the_director(phone: Callable[..., Any], pool: Evening):
    """Planted fault: a phone that takes the closed table for an ended login."""
    table = evening_at(pool.club, name="Points", preset="points", entry_minor=0, point_value_minor=100)
    sam, uma = phone("sam", at=table), phone("uma", Role.DIRECTOR, at=table)
    lets_deals_wait(sam, 1, 2)
    table.record({"kind": "table_closed"})
    sam.context.set_offline(False)
    for deal in (1, 2):
        sam.wait_for_selector(f"text=The director decides whether deal {deal} counts.")
    assert deals_of(table) == []
    uma.goto(uma.url.replace("/score/", "/late/"))
    expect(uma.locator("[name=sheets]:checked")).to_have_count(2)
    uma.click("button[value=accept]")
    uma.wait_for_selector("text=2 late sheets accepted.")
    assert [(deal, count) for _, deal, count in deals_of(table)] == [(1, 1), (2, 2)]


@pytest.mark.slow
def test_a_phone_keeps_what_the_director_has_no_room_for_and_sends_it_later(
    phone: Callable[..., Any], pool: Evening, monkeypatch: Any
):
    """Planted faults: 429 taken for a refusal of the sheet, or for a broken connection."""
    monkeypatch.setattr(without_network, "MOST_LATE_WAITING", 1)
    table = evening_at(pool.club, name="Points", preset="points", entry_minor=0, point_value_minor=100)
    sam = phone("sam", at=table)
    lets_deals_wait(sam, 1, 2)
    table.record({"kind": "table_closed"})
    sam.context.set_offline(False)
    sam.wait_for_selector("text=The director has late sheets of this device to review.")
    expect(sam.locator(WAITING)).to_have_count(1)
    first = LateSheet.objects.get()
    context = CommandContext(actor="user:1", now=now())
    without_network.refuse_late_sheets(table.table.pk, [first.pk], reason="not played", context=context)
    sam.evaluate("dispatchEvent(new Event('online'))")
    sam.wait_for_selector(WAITING, state="detached")
    assert [late.event["deal"] for late in LateSheet.objects.order_by("sent_at")] == [1, 2]
    expect(sam.locator("[data-busy]")).to_be_hidden()


@pytest.mark.parametrize("site", [SECURE], indirect=True)
def test_a_page_is_reloaded_without_network_where_there_is_https(phone: Callable[..., Any], pool: Evening):
    sam = phone("sam")
    sam.wait_for_selector("[data-opens=offline]", state="attached")
    lets_deals_wait(sam, 1)
    sam.reload()
    sam.wait_for_selector("text=Save deal 2")
    sam.wait_for_selector(WAITING)
    lets_deals_wait(sam, 2)
    sam.context.set_offline(False)
    comes_to(sam, pool, [(2, 1, 1), (3, 2, 2)])


class Line:
    """A phone whose network is cut at random moments, also between a request and its answer; sometimes it is killed."""

    def __init__(self, page: Any, chance: random.Random) -> None:
        self.page, self.chance, self.url = page, chance, page.url
        self.typed: list[int] = []
        self._cut_answers()

    def _cut_answers(self) -> None:
        def cut(route: Any) -> None:
            if route.request.method == "POST" and route.request.url == self.url and self.chance.random() < 0.3:
                loses_the_answer(route)
            else:
                route.continue_()

        self.page.route("**/score/", cut)

    def play(self) -> None:
        """Type one deal and press Save, whatever the network does."""
        self.page.context.set_offline(self.chance.random() < 0.4)
        count = self.chance.randint(1, 5)
        deal = len(self.typed) + 1
        for _ in range(3):
            with suppress(PlaywrightError):
                types(self.page, str(count), "1", "1")
                saves(self.page)
                self.page.wait_for_selector(f"text=Save deal {deal + 1}", timeout=20_000)
            if self._is_at(deal + 1):
                break
        else:
            raise AssertionError(f"deal {deal} of {self.typed}: {self.page.inner_text('body')[:2_000]}")
        self.typed.append(count)
        if self.chance.random() < 0.15:
            self.die()

    def _is_at(self, deal: int) -> bool:
        """Whether the page waits for this deal. A page that was cut off is opened again, as a user would."""
        if not self.page.url.startswith("http"):
            self.page.context.set_offline(False)
            self.page.goto(self.url)
        self.page.wait_for_selector("text=/Save deal \\d+/")
        return bool(self.page.locator(f"text=Save deal {deal}").count())

    def die(self) -> None:
        """The page is killed; without network it opens again where it is kept, else when the network is back."""
        context = self.page.context
        self.page.close()
        context.set_offline(False)
        self.page = context.new_page()
        self._cut_answers()
        self.page.goto(self.url)
        self.page.wait_for_selector(f"text=Save deal {len(self.typed) + 1}", timeout=30_000)


DEALS = [14, pytest.param(334, marks=pytest.mark.slow(long=True))]


@pytest.mark.slow
@pytest.mark.parametrize("deals", DEALS)
def test_three_phones_whose_lines_are_cut_store_every_deal_once(phone: Callable[..., Any], pool: Evening, deals: int):
    """Planted faults: a new key at each try; the deal removed from the outbox before its answer."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    tables = [
        evening_at(pool.club, name=f"Hall {number}", preset="points", entry_minor=0, point_value_minor=100)
        for number in (1, 2, 3)
    ]
    lines = [Line(phone(f"sam{number}", at=at), chance) for number, at in enumerate(tables)]
    for _ in range(deals):
        for line in lines:
            line.play()
    for line, at in zip(lines, tables, strict=True):
        line.page.context.set_offline(False)
        expected = [(number + 1, number, count) for number, count in enumerate(line.typed, start=1)]
        comes_to(line.page, at, expected)
