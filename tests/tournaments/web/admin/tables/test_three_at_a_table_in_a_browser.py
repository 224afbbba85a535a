"""Two scorers and a director work at the same table at once: one records, the other confirms, the third resolves."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders.admin_tables import Evening, person
from tests.builders.browser_checks import looks_right, sign_in
from tests.builders.confirming import evening_with
from tournaments.models import Club, Role, Scoresheet
from tournaments.models.log import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(club: Club) -> Evening:
    return evening_with(club, "second_seat")


@pytest.fixture
def at_desk(live_server: Any, chromium: Any, table: Evening) -> Iterator[Callable[..., Any]]:
    """A user's own browser, at the table's scoring page."""
    contexts = []

    def sit(login: str, role: Role) -> Any:
        context = chromium.new_context(viewport={"width": 1280, "height": 900})
        contexts.append(context)
        sign_in(context, live_server.url, person(login, role, table.club, first_name=login.capitalize()))
        page = context.new_page()
        page.complaints = []
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto(f"{live_server.url}{table.score_url}")
        return page

    yield sit
    for context in contexts:
        context.close()


def looked_at(page: Any, name: str) -> None:
    """Nothing unlabelled, pale or wider than a phone."""
    for width in (1280, 375):
        page.set_viewport_size({"width": width, "height": 900})
        looks_right(page, name)
    page.set_viewport_size({"width": 1280, "height": 900})


def typed(page: Any, *counts: str) -> None:
    """A deal with the keyboard: seat 1 shows, the others lose."""
    for place, key in enumerate(("s", *counts), start=1):
        page.focus(f"#count-{place}")
        page.keyboard.type(key)
    page.keyboard.press("Control+Enter")


@pytest.mark.slow
def test_one_records_another_confirms_and_the_director_settles(at_desk: Callable[..., Any], table: Evening):
    sam, uma, dita = (at_desk("sam", Role.SCORER), at_desk("uma", Role.SCORER), at_desk("dita", Role.DIRECTOR))
    typed(sam, "12", "45", "30")
    sam.wait_for_selector("text=Someone else must confirm")
    expect(sam.locator("text=Second seat: confirm deal 1")).to_have_count(0)
    looked_at(sam, "waiting-own")

    uma.reload()
    looked_at(uma, "waiting")
    uma.click("text=Second seat: confirm deal 1")
    uma.wait_for_selector(".messagelist >> text=Deal 1 confirmed")

    # Sam writes the next deal on a page from before Uma's confirmation: the two do not clash, and it is saved.
    typed(sam, "1", "54", "3")
    sam.wait_for_selector("text=Save deal 3")

    uma.reload()
    uma.click("text=Dispute it")
    uma.select_option("#id_said_by", "3")
    uma.fill("#id_reason", "I held 45, not 54")
    looked_at(uma, "disputing")
    uma.click("text=Call the director")
    uma.wait_for_selector("text=Disputed: the director resolves it")

    dita.reload()
    looked_at(dita, "disputed")
    dita.click("text=Correct deal 2")
    dita.fill("#count-3", "45")
    dita.fill("#reason", "read the wrong way round")
    dita.wait_for_selector("text=In the tournament")
    looked_at(dita, "correcting")
    dita.click("[data-save]")
    dita.wait_for_selector(".messagelist")

    kinds = list(Event.objects.filter(stream_id=table.table.pk).order_by("version").values_list("kind", flat=True))
    assert kinds[1:] == [
        "deal_recorded",
        "deal_confirmed",
        "deal_recorded",
        "deal_disputed",
        "deal_corrected",
        "dispute_settled",
    ]
    sheet = Scoresheet.objects.get(table=table.table)
    assert (sheet.unconfirmed, sheet.has_dispute) == (0, False)
    assert sam.complaints == uma.complaints == dita.complaints == []


@pytest.mark.slow
def test_the_pages_of_the_desk_fit_a_screen_and_a_phone(at_desk: Callable[..., Any], table: Evening, live_server: Any):
    table.deal(1, show="1", s2=12, s3=45, s4=30)
    dita = at_desk("dita", Role.DIRECTOR)
    dita.goto(f"{live_server.url}{table.page('sheet')}")
    looked_at(dita, "sheet")
    dita.click("text=Swap two players")
    dita.select_option("#id_one", "1")
    dita.select_option("#id_other", "3")
    dita.check("input[name=deal]")
    dita.click("text=Preview")
    dita.wait_for_selector("text=In the tournament")
    looked_at(dita, "exchange")
    dita.goto(f"{live_server.url}{table.page('keying')}")
    looked_at(dita, "keying")
    dita.click("label:has(input[name=how-1][value=show])")
    for seat, count in (("2", "12"), ("3", "54"), ("4", "30")):
        dita.fill(f"#count-{seat}", count)
    dita.click("text=Compare with the first entry")
    dita.wait_for_selector("text=the two entries differ")
    dita.check("input[name=pick-3][value=second]")
    dita.click("text=Preview")
    dita.wait_for_selector("text=In the tournament")
    looked_at(dita, "differences")
    dita.click("text=Save decision")
    dita.wait_for_selector(".messagelist >> text=corrected from the second entry")
    home = table.tournament
    dita.goto(f"{live_server.url}/c/{table.club.slug}/t/{home.slug}/")
    looked_at(dita, "board")
    dita.goto(f"{live_server.url}/c/{table.club.slug}/t/{home.slug}/r1/table-2/")
    looked_at(dita, "public-sheet")
