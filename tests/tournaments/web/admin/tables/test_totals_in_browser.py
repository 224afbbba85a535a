"""The page on which a table is entered by its totals, on a phone and on a desk."""

from typing import Any

import pytest

from tests.builders.admin_tables import club_called, evening_at, person
from tests.builders.axe import violations
from tests.builders.browser_checks import looks_right, sign_in
from tournaments.models import Role, Scoresheet

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TYPED = {"totals-1": "7", "totals-2": "101", "totals-3": "140", "totals-4": "119", "out-2": "2", "out-3": "1"}


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
def test_totals_are_typed_previewed_and_saved_in_both_widths(live_server: Any, page: Any, width: int):
    home = club_called("Asha's club", "asha")
    evening = evening_at(home, names=("Asha", "Bo Bartholomew-Featherstonehaugh", "Cy", "Dev"))
    page.set_viewport_size({"width": width, "height": 760})
    sign_in(page.context, live_server.url, person("sam", Role.SCORER, home, first_name="Sam"))
    page.goto(f"{live_server.url}{evening.score_url}")
    page.click("text=Enter totals")
    last = page.locator("[name=out-4]").bounding_box()
    assert last["x"] + last["width"] <= width
    for name, text in TYPED.items():
        page.fill(f"[name={name}]", text)
    page.click("text=Preview")
    assert "Dev is out with 119 points" in page.inner_text("form.act-form")
    looks_right(page, "refused")
    # The error has the width of the row, not of the field.
    assert page.locator(".totals .wrong").first.bounding_box()["height"] < 50
    page.fill("[name=out-4]", "3")
    page.click("button:has-text('Preview')")
    page.wait_for_selector(".preview .ready")
    looks_right(page, "previewed")
    assert page.evaluate("(p => p.scrollWidth <= p.clientWidth)(document.querySelector('.preview'))")
    assert list(violations(page)) == []
    page.click("text=Save totals")
    page.wait_for_selector("text=Totals recorded")
    looks_right(page, "saved")
    assert Scoresheet.objects.get(table=evening.table).has_totals
    assert page.complaints == []
