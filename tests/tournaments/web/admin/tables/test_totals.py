"""The page on which a table is entered by its totals, and what every other page then shows of it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.builders.acts_at_tables import act, last_kind
from tests.builders.admin_tables import Evening, evening_at
from tests.builders.page_text import html, refusal_of, said, text_of
from tests.builders.proofs import complaints
from tournaments.books.commands import settle_table
from tournaments.models import Club, Role, Scoresheet, Standing

POOL = {
    "totals-1": "7",
    "totals-2": "101",
    "totals-3": "140",
    "totals-4": "119",
    "out-2": "2",
    "out-3": "1",
    "out-4": "3",
}
TURNED = {**POOL, "totals-1": "119", "totals-4": "7", "out-1": "3", "out-4": ""}


def sent(version: int, fields: dict[str, str] = POOL, *, kind: str = "totals_recorded", **more: Any) -> dict[str, Any]:
    return act(version, kind=kind, **fields, **more)


def test_a_table_is_entered_by_its_totals_on_one_page(sam: Client, pool: Evening):
    assert pool.page("totals") in html(sam.get(pool.score_url))
    seen = sam.post(pool.page("totals"), sent(1, do="check"))
    assert "Ready to save" in html(seen)
    assert Scoresheet.objects.get(table=pool.table).version == 1
    saved = sam.post(pool.page("totals"), sent(1))
    assert saved.status_code == 302
    assert "Totals recorded" in said(saved)
    page = text_of(sam.get(pool.score_url))
    assert "by totals" in page
    assert "\u2068Asha\u2069 wins" in page
    assert complaints() == []


def test_what_is_mistyped_is_reported_at_each_seat_and_stays_typed(sam: Client, pool: Evening):
    typed = {**POOL, "totals-1": "seven", "totals-2": "", "out-4": ""}
    answer = sam.post(pool.page("totals"), sent(1, typed))
    page = refusal_of(answer)
    assert "3 errors" in page
    assert 'value="seven"' in page
    assert "'seven' is not a whole number of at most 6 digits" in page.replace("&#x27;", "'")
    assert "Bo has no total" in page
    assert "Dev is out with 119 points: enter when" in page
    assert not Scoresheet.objects.get(table=pool.table).has_totals


def test_a_form_sent_twice_is_saved_once(sam: Client, pool: Evening):
    assert sam.post(pool.page("totals"), sent(1)).status_code == 302
    assert "saved once" in said(sam.post(pool.page("totals"), sent(1)))
    assert pool.version == 2


def test_somebody_who_was_faster_is_shown_and_nothing_is_overwritten(sam: Client, pool: Evening):
    pool.deal(1, show="1", s2=30, s3=10, s4=10)
    answer = sam.post(pool.page("totals"), sent(1))
    assert answer.status_code == 409
    assert last_kind(pool) == "deal_recorded"


def test_a_game_that_is_paid_deal_by_deal_says_why_it_has_no_totals(sam: Client, club: Club):
    points = evening_at(club, preset="points", entry_minor=0, point_value_minor=100)
    assert points.page("totals") not in html(sam.get(points.score_url))
    assert "each deal is paid at once here: enter it deal by deal" in text_of(sam.get(points.page("totals")))


def test_totals_are_corrected_by_whoever_may_correct_a_deal_and_undone_by_a_director(
    sam: Client, dita: Client, signed_in: Callable[..., Client], pool: Evening
):
    sam.post(pool.page("totals"), sent(1))
    assert "enter a reason" in refusal_of(dita.post(pool.page("totals"), sent(2, TURNED, kind="totals_corrected")))
    corrected = dita.post(
        pool.page("totals"), sent(2, TURNED, kind="totals_corrected", key="b" * 32, reason="Asha and Dev were swapped")
    )
    assert corrected.status_code == 302
    assert "\u2068Dev\u2069 wins" in text_of(dita.get(pool.score_url))
    history = text_of(dita.get(pool.page("log")))
    assert "Totals corrected" in history
    assert "119, out as number 3" in history
    sheet = html(dita.get(pool.page("sheet")))
    assert pool.page("withdraw/2") in sheet
    assert dita.post(pool.page("withdraw/2"), act(3, key="c" * 32, reason="wrong table")).status_code == 302
    assert not Scoresheet.objects.get(table=pool.table).has_begun
    assert complaints() == []
    display = signed_in(Role.CHECKIN, login="door")
    assert display.get(pool.page("totals")).status_code == 403


def test_a_correction_after_settling_reverses_the_payout_and_settles_again(dita: Client, pool: Evening):
    dita.post(pool.page("totals"), sent(1))
    dita.post(pool.page("close"), act(2, key="b" * 32))
    assert settle_table(pool.table.pk, now=pool.now).posted > 0
    dita.post(pool.page("totals"), sent(3, TURNED, kind="totals_corrected", key="c" * 32, reason="swapped"))
    settled = settle_table(pool.table.pk, now=pool.now)
    assert (settled.reversed, settled.posted) == (1, 1)
    [winner] = Standing.objects.filter(table=pool.table, payout_minor__gt=0)
    assert winner.player.name == "Dev"
    assert complaints() == []


@pytest.mark.parametrize("language", ["en", "de", "hi"])
def test_the_page_and_its_refusals_are_told_in_every_language(dita: Client, pool: Evening, language: str):
    answer = dita.get(pool.page("totals"), headers={"Accept-Language": language})
    assert answer.status_code == 200
    if language != "en":
        assert "Save totals" not in html(answer)
