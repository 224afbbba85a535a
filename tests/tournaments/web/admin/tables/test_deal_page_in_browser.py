"""A deal takes few keys at a desk and few taps on a phone, and no control on the page covers another."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders.admin_tables import Evening, evening_at, person
from tests.builders.axe import violations
from tests.builders.browser_checks import UNLABELLED, sign_in
from tests.builders.browser_steps import Steps
from tests.builders.samples import crossed
from tests.builders.western_pages import tournament_state
from tournaments.models import Club, Role
from tournaments.models.log import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = ("Asha Raghunathan", "Bo", "Cy", "Dev Mukherjee", "Esha", "Farid", "Gita", "Hari", "Indu", "Jai")
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 760}
COUNTS = ("45", "12", "33", "10", "78")


@pytest.fixture
def at(live_server: Any, chromium: Any, club: Club) -> Iterator[Callable[..., Any]]:
    """A scorer's page of a table on a screen of some size; `page.complaints` as everywhere."""
    sam, contexts = person("sam", Role.DIRECTOR, club, first_name="Sam"), []

    def go(table: Evening, size: dict[str, int], **how: Any) -> Any:
        context = chromium.new_context(viewport=size, has_touch=size == PHONE, is_mobile=size == PHONE, **how)
        contexts.append(context)
        sign_in(context, live_server.url, sam)
        page = context.new_page()
        page.steps = Steps(page)
        page.complaints = []
        page.on("console", lambda said: page.complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto(f"{live_server.url}{table.score_url}", wait_until="networkidle")
        return page

    yield go
    for context in contexts:
        context.close()


def seated(club: Club, seats: int) -> Evening:
    return evening_at(club, preset="pool_201", names=NAMES[:seats])


def stored(table: Evening, version: int = 2) -> dict[str, Any]:
    body = json.loads(Event.objects.get(stream_id=table.table.pk, version=version).body)
    outcomes: dict[str, Any] = body["sheet"]["outcomes"]
    return outcomes


def taps(page: Any, *presses: str) -> None:
    """Taps of digits on the pad, or of an ending's letter in the open seat."""
    for press in presses:
        if press.isdigit():
            page.locator(f"[data-press='{press}']").tap()
        else:
            page.locator(f".is-current .key:has([data-letter='{press}'])").tap()


def shows_and_loses() -> dict[str, Any]:
    losses = {str(seat): {"how": "loss", "count": int(count)} for seat, count in enumerate(COUNTS, start=2)}
    return {"1": {"how": "show"}, **losses}


@pytest.mark.slow
def test_six_seats_are_entered_at_a_desk_with_thirteen_keys_at_most(at: Callable[..., Any], club: Club):
    table = seated(club, 6)
    page = at(table, DESK)
    page.steps.begin()
    page.keyboard.type("s" + "".join(COUNTS))
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.matches('[data-save]')")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Save deal 2")
    assert page.steps.taken() == {"pages": 1, "taps": 0, "keys": 13, "pixels": 0}
    assert stored(table) == shows_and_loses()
    assert page.complaints == []


def test_six_seats_are_entered_on_a_phone_without_scrolling(at: Callable[..., Any], club: Club):
    """The second deal too, whose page says what was saved of the first."""
    table = seated(club, 6)
    page = at(table, PHONE)
    sizes = page.evaluate(SIZES)
    assert len(sizes) > 15
    assert min(sizes) >= 44
    for deal in (1, 2):
        page.steps.begin()
        taps(page, "s", *"".join(COUNTS))
        page.locator("[data-save]").tap()
        page.wait_for_selector(f"text=Save deal {deal + 1}")
        assert page.steps.taken() == {"pages": 1, "taps": 12, "keys": 0, "pixels": 0}
        assert stored(table, deal + 1) == shows_and_loses()
    assert page.complaints == []


@pytest.mark.slow
def test_a_stored_deal_is_corrected_in_two_pages_with_a_reason_and_its_first_count_typed_over(
    at: Callable[..., Any], club: Club
):
    """Planted fault: the first count focused and not selected, so that 31 typed over with 44 became 4431."""
    table = seated(club, 6)
    table.deal(1, show="6", s1=31, s2=12, s3=45, s4=30, s5=20)
    page = at(table, DESK)
    page.steps.begin()
    page.get_by_role("link", name="Correct deal 1").click()
    page.wait_for_selector("text=Enter a reason")
    page.keyboard.type("44")
    assert page.input_value("#count-1") == "44"
    page.keyboard.press("Control+Enter")
    expect(page.locator("#reason")).to_be_focused()
    page.keyboard.type("31 was read for 44")
    page.wait_for_selector("text=Ready to save")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Save deal 2")
    assert page.steps.taken()["pages"] == 2
    assert stored(table, 3)["1"] == {"how": "loss", "count": 44}


def test_an_unfinished_sheet_is_not_sent_and_its_first_open_field_has_the_focus(at: Callable[..., Any], club: Club):
    """Planted fault: an empty sheet was sent and refused, and stayed as refused on the device."""
    table = seated(club, 3)
    page = at(table, DESK)
    said = page.locator("text=Not saved. Fill in the whole sheet first.")
    for typed, wanted in (("", "count-1"), ("45", "count-2"), ("12", "count-3"), ("33", "count-1")):
        page.keyboard.type(typed)
        page.keyboard.press("Control+Enter")
        expect(said).to_be_visible()
        expect(page.locator(f"#{wanted}")).to_be_focused()
    page.wait_for_selector("text=Choose the winner")
    page.context.set_offline(True)
    page.keyboard.press("Backspace")
    page.keyboard.press("Control+Enter")
    expect(said).to_be_visible()
    expect(page.locator("[data-outbox] li")).to_have_count(0)
    assert Event.objects.filter(stream_id=table.table.pk).count() == 1
    page.context.set_offline(False)
    page.keyboard.type("s")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("text=Save deal 2")
    assert stored(table)["3"] == {"how": "loss", "count": 33}


@pytest.mark.slow
def test_an_unfinished_sheet_of_fields_is_not_sent_either_and_the_first_count_of_a_correction_typed_over(
    at: Callable[..., Any], club: Club
):
    table = tournament_state(club, "rum")
    page = at(table, DESK)
    said = page.locator("text=Not saved. Fill in the whole sheet first.")
    page.keyboard.press("Control+Enter")
    expect(said).to_be_visible()
    page.fill("[name='counts-2']", "7")
    page.keyboard.press("Control+Enter")
    expect(said).to_be_visible()
    expect(page.locator("[name=out]").first).to_be_focused()
    assert Event.objects.filter(stream_id=table.table.pk).count() == 1
    table.record({"kind": "deal_recorded", "deal": 1, "out": "1", "counts": {"2": 31, "3": 7}})
    page.goto(page.url)
    page.get_by_role("link", name="Correct deal 1").click()
    page.wait_for_selector("#reason")
    page.keyboard.type("44")
    assert [page.input_value(f"[name='counts-{seat}']") for seat in (1, 2, 3)] == ["", "44", "7"]


@pytest.mark.slow
def test_a_refused_sheet_has_the_focus_in_its_wrong_field(at: Callable[..., Any], club: Club):
    page = at(seated(club, 3), DESK)
    page.keyboard.type("s12")
    page.fill("#count-3", "999")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".errornote")
    expect(page.locator("#count-3")).to_be_focused()


@pytest.mark.slow
def test_who_presses_enter_behind_each_count_passes_nobody_over_and_saves_nothing_unseen(
    at: Callable[..., Any], club: Club
):
    """Planted fault: after two digits of the last seat the focus was on Save, and Enter saved."""
    table = seated(club, 6)
    page = at(table, DESK)
    keyboard = page.keyboard
    for typed in ("s", "45", "7", "12"):
        keyboard.type(typed)
        keyboard.press("Enter")
    assert [page.input_value(f"#count-{seat}") for seat in (2, 3, 4)] == ["45", "7", "12"]
    expect(page.locator("#count-5")).to_be_focused()
    keyboard.type("33")
    # A count that is shortened stays where it is, and so does one beyond the cap.
    for key in ("ArrowUp", "End", "Backspace"):
        keyboard.press(key)
    expect(page.locator("#count-5")).to_be_focused()
    assert page.input_value("#count-5") == "3"
    keyboard.type("3")
    keyboard.type("81")
    expect(page.locator("#count-6")).to_be_focused()
    for key in ("Backspace", "Backspace", "7", "8"):
        keyboard.press(key)
    expect(page.locator("#count-6")).to_be_focused()
    keyboard.press("Enter")
    expect(page.locator("[data-save]")).to_be_focused()
    page.wait_for_selector("text=Ready to save")
    assert Event.objects.filter(stream_id=table.table.pk).count() == 1


@pytest.mark.slow
def test_who_taps_next_behind_each_count_passes_nobody_over_and_takes_a_seat_up_again(
    at: Callable[..., Any], club: Club
):
    """Planted fault: after two digits the pad moved on by itself, and *Next* then left the next seat empty."""
    page = at(seated(club, 6), PHONE)
    taps(page, "s")
    for typed in ("45", "7", "12"):
        taps(page, *typed)
        page.locator("[data-press=next]").tap()
    assert [page.input_value(f"#count-{seat}") for seat in (2, 3, 4)] == ["45", "7", "12"]
    assert page.evaluate("document.activeElement.id") == "count-5"
    page.locator("[data-press=next]").tap()
    assert page.evaluate("document.activeElement.id") == "count-6"
    page.locator("[data-row='2'] .name").tap()
    taps(page, "1", "2")
    assert page.input_value("#count-2") == "12"
    assert page.get_attribute("[data-row='5']", "class") == "seat-row is-current"
    page.locator("[data-row='4'] .name").tap()
    taps(page, "m")
    page.locator("[data-row='4'] .name").tap()
    page.locator("[data-press=back]").tap()
    expect(page.locator("[name=how-4]:checked")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("laid_for", "size"),
    crossed([(2, "en-GB"), (6, "en-GB"), (6, "de-DE"), (6, "hi-IN"), (10, "de-DE")], [DESK, PHONE]),
)
def test_no_control_of_the_page_lies_under_another(
    at: Callable[..., Any], club: Club, laid_for: tuple[int, str], size: dict[str, int]
):
    """Up to six seats nothing is beyond the edge either: neither a seat, what follows, nor the button that saves."""
    seats, language = laid_for
    page = at(seated(club, seats), size, locale=language)
    taps(page, "s") if size == PHONE else page.keyboard.type("s")
    page.wait_for_selector("[data-preview] .still")
    for row in range(1, seats + 1):
        page.focus(f"#count-{row}")
        assert page.evaluate(COVERED, seats > 6) == []
    assert "\n".join(violations(page)) == ""
    assert page.evaluate(UNLABELLED) == []
    assert page.complaints == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "size"), crossed(["rummy500", "gin_partnership", "rummy_royal"], [DESK, PHONE]))
def test_a_field_that_has_the_focus_lies_under_nothing(at: Callable[..., Any], club: Club, game: str, size: Any):
    page = at(tournament_state(club, game), size)
    expect(page.locator("[data-save]")).to_be_visible()
    stops, covered = 0, []
    while page.evaluate("Boolean(document.activeElement.closest('[data-scorer]'))"):
        covered += page.evaluate(COVERED_FOCUS)
        stops += 1
        page.keyboard.press("Tab")
    assert stops > 6
    assert covered == []


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_without_scripts_every_field_is_there_and_nothing_sticks(at: Callable[..., Any], club: Club, size: Any):
    table = seated(club, 6)
    page = at(table, size, java_script_enabled=False)
    page.locator("label:has([name=how-1][value=show])").click()
    for seat, count in enumerate(COUNTS, start=2):
        page.fill(f"#count-{seat}", count)
    page.locator("[data-save]").click()
    page.wait_for_selector("text=Save deal 2")
    assert stored(table) == shows_and_loses()
    if size == PHONE:
        assert page.locator(".deal-foot").evaluate("foot => getComputedStyle(foot).position") == "static"


# How wide or high, whichever is less, each key is on a phone.
SIZES = """[...document.querySelectorAll(
    `.is-current .key, .is-current .count, .is-current summary, .pad button, .deal-bar button`)]
  .filter(e => e.offsetParent && !e.closest('details:not([open]) > :not(summary)'))
  .map(e => e.getBoundingClientRect()).map(r => Math.min(r.width, r.height))"""

# Controls of the sheet whose middle is covered by something else. Those of a longer sheet are scrolled to first.
COVERED = """(isLong) => [...document.querySelectorAll(
    '.seat-row .key, .seat-row .count, .seat-row summary, .pad button, .deal-bar button, .preview .still')]
  .filter(control => control.offsetParent && !control.closest('details:not([open]) > :not(summary)'))
  .filter(control => {
    if (isLong && control.closest('.seat-row')) control.scrollIntoView({ block: "nearest" });
    const box = control.getBoundingClientRect();
    const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !there || !control.contains(there);
  }).map(control => control.outerHTML.slice(0, 120))"""

# The focused control, where its middle is covered by something else.
COVERED_FOCUS = """(() => {
  const control = document.activeElement, box = control.getBoundingClientRect();
  const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return (control.closest('label') || control).contains(there) ? [] : [control.outerHTML.slice(0, 120)];
})()"""
