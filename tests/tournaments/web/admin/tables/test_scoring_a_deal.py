"""The scorer's page without JavaScript: what is typed, what is stored, what is shown."""

from typing import Any

import pytest
from django.test import Client

from tests.builders.admin_tables import Evening, evening_at, sheet
from tests.builders.page_text import html, refusal_of, said
from tournaments.models import Club, Scoresheet

FULL: dict[str, Any] = {"s1": "show", "c2": "34", "s3": "first_drop", "s4": "wrong_show"}


def test_a_saved_deal_stands_in_the_log_with_an_exact_message_and_the_next_dealer(sam: Client, pool: Evening):
    assert '<option value="1" selected' in html(sam.get(pool.score_url))
    answer = sam.post(pool.score_url, sheet(1, dealer="1", **FULL))
    assert (answer.status_code, answer["Location"], pool.version) == (302, pool.score_url, 2)
    assert "Saved. Deal 1: Asha show, Bo loss 34, Cy first drop, Dev wrong show" in said(answer)
    page = html(sam.get(pool.score_url))
    assert "Save deal 2" in page
    assert '<option value="2" selected' in page


def test_checking_tells_what_will_happen_and_stores_nothing(sam: Client, pool: Evening):
    pool.deal(1, show="1", s2=79, s3=10, s4=10)
    answer = sam.post(pool.score_url, sheet(2, deal=2, s1="show", c2="40", c3="5", c4="5", do="check"))
    assert answer.status_code == 200
    assert "Bo: 79 + 40 = 119, out of 101" in html(answer)
    assert "Bo may rejoin before the next deal" in html(answer)
    assert 'name="count-2" id="count-2" value="40"' in html(answer)
    assert pool.version == 2


def test_every_problem_is_reported_at_its_seat_and_nothing_typed_is_lost(sam: Client, pool: Evening):
    typed = sheet(1, s1="show", s2="show", c3="abc", c4="-5")
    page = refusal_of(sam.post(pool.score_url, typed))
    assert pool.version == 1
    for told in (
        "Bo is a second winner",
        "Cy: 'abc' is not a whole number of at most 6 digits",
        "Dev has -5; hand points cannot be negative",
    ):
        assert told in page.replace("&#x27;", "'")
    assert 'value="abc"' in page
    assert 'value="-5"' in page
    assert "3 errors" in page


def test_a_wrong_sheet_is_refused_whole(sam: Client, pool: Evening):
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"c1": "1", "c2": "2", "c3": "3", "c4": "4"}, "nobody won this deal"),
        ({"s1": "show", "c1": "12", "c2": "2", "c3": "3", "c4": "4"}, "Asha won the deal, so 0; the sheet says 12"),
        ({"s1": "show", "c2": "81", "c3": "3", "c4": "4"}, "Bo has 81, but a hand never costs more than 80"),
        ({"s1": "show", "c2": "2", "c3": "3"}, "Dev is still in, but has no outcome"),
        ({"s1": "show", "s2": "loss", "c3": "3", "c4": "4"}, "Bo lost, but no hand points were entered"),
        ({"s1": "show", "s2": "slept", "c3": "3", "c4": "4"}, "Bo"),
        ({"s1": "show", "c2": "2", "c3": "3", "c4": "4", "deal": "7"}, "deal 7 cannot follow: the next deal is 1"),
        ({"s1": "show", "c2": "9" * 5000, "c3": "3", "c4": "4"}, "is not a whole number of at most 6 digits"),
        ({}, "a deal needs outcomes"),
    ]
    for typed, told in wrong:
        assert told in refusal_of(sam.post(pool.score_url, sheet(1, **typed))).replace("&#x27;", "'")
        assert pool.version == 1


def test_a_deal_that_is_sent_or_typed_twice_is_stored_once_and_a_changed_one_is_no_resend(
    sam: Client, dita: Client, pool: Evening
):
    for who, key in ((dita, "1"), (dita, "1"), (sam, "2"), (sam, "2")):
        answer = who.post(pool.score_url, sheet(1, key=key * 32, **FULL))
        assert answer.status_code == 302
    assert "Sent twice, saved once. Deal 1: Asha show" in said(answer)
    changed = dita.post(pool.score_url, sheet(1, key="1" * 32, **{**FULL, "c2": "35"}))
    assert "<td>Loss 34</td><td>Loss 35</td>" in refusal_of(changed, 409)
    assert pool.version == 2


def test_of_two_scorers_the_slower_sees_what_the_faster_wrote_and_can_hand_in_the_own_sheet(
    sam: Client, dita: Client, pool: Evening
):
    dita.post(pool.score_url, sheet(1, key="1" * 32, s1="show", c2="43", c3="10", c4="10"))
    mine: dict[str, Any] = {"s1": "show", "c2": "34", "c3": "10", "c4": "10"}
    page = refusal_of(sam.post(pool.score_url, sheet(1, key="2" * 32, **mine)), 409)
    for told in (
        "someone saved first",
        "<b>Dita</b>",
        "<td>Loss 43</td><td>Loss 34</td>",
        'name="count-2" id="count-2" value="34"',
        pool.page("correct/1"),
    ):
        assert told in page
    adopted = html(sam.post(pool.page("correct/1"), sheet(1, key="2" * 32, do="adopt", **mine)))
    assert 'value="34"' in adopted
    assert 'name="version" value="2"' in adopted
    assert pool.version == 2
    again = sheet(2, key="3" * 32, reason="43 was read as 34", **mine)
    assert sam.post(pool.page("correct/1"), again).status_code == 302
    assert pool.version == 3


def test_a_deal_is_saved_beside_a_correction_of_another_one(sam: Client, dita: Client, pool: Evening):
    """Planted fault: the phone's deal 2 refused as too late because deal 1 was corrected meanwhile."""
    pool.deal(1, show="1", s2=30, s3=10, s4=10)
    typed = sheet(2, key="1" * 32, deal=2, s1="show", c2="34", c3="10", c4="10")
    fixed = sheet(2, key="2" * 32, s1="show", c2="43", c3="10", c4="10", reason="34 was read as 43")
    assert dita.post(pool.page("correct/1"), fixed).status_code == 302
    for _ in ("sent", "sent again, because the answer was lost"):
        assert sam.post(pool.score_url, typed).status_code == 302
    assert pool.version == 4
    assert Scoresheet.objects.get(table=pool.table).deals == 2


def test_a_correction_is_saved_beside_a_later_deal_and_not_over_another_correction(
    sam: Client, dita: Client, pool: Evening
):
    pool.deal(1, show="1", s2=30, s3=10, s4=10)
    fixed = sheet(2, key="1" * 32, s1="show", c2="43", c3="10", c4="10", reason="34 was read as 43")
    pool.deal(2, show="1", s2=5, s3=10, s4=10)
    assert dita.post(pool.page("correct/1"), fixed).status_code == 302
    mine = sheet(3, key="2" * 32, s1="show", c2="44", c3="10", c4="10", reason="30 was 44")
    page = refusal_of(sam.post(pool.page("correct/1"), mine), 409)
    assert "Save mine" in page
    assert "<td>Loss 43</td><td>Loss 44</td>" in page
    assert pool.version == 4


def test_a_seat_that_is_out_has_no_row_until_a_correction_brings_it_back(sam: Client, pool: Evening):
    pool.deal(1, show="1", s2=80, s3=10, s4=10)
    pool.deal(2, show="1", s2=30, s3=10, s4=10)
    page = html(sam.get(pool.score_url))
    assert ('name="how-1"' in page, 'name="how-2"' in page) == (True, False)
    outcomes = {"1": {"how": "show"}, **{seat: {"how": "loss", "count": 3} for seat in "234"}}
    pool.record({"kind": "deal_corrected", "deal": 2, "outcomes": outcomes, "reason": "30 was 3"})
    page = refusal_of(sam.post(pool.score_url, sheet(3, deal=3, s1="show", c3="10", c4="10")), 409)
    for told in ("someone saved first", "Save mine", 'name="count-2"'):
        assert told in page


def test_house_options_decide_which_keys_there_are(sam: Client, club: Club):
    counted = evening_at(club, options={"stock_exhausted": "count_now"})
    assert "Stock ran out, hands counted" in html(sam.get(counted.score_url))


@pytest.mark.slow
def test_level_seats_are_given_a_tie_break_sheet_for_which_no_corrected_deal_is_taken(sam: Client, club: Club):
    even = evening_at(club, preset="deals_best_of_2", names=("Eve", "Flo"))
    even.deal(1, show="1", s2=20)
    even.deal(2, show="2", s1=20)
    page = html(sam.get(even.score_url))
    for told in ("Tie-break deal: tied players", "<title>Tie-break deal, Table 1, ", "Save tie-break deal"):
        assert told in page
    assert "Deal 1" not in page.partition("<main")[0]
    typed: dict[str, Any] = {"kind": "tiebreak_recorded", "s1": "show", "c2": "5"}
    stale = sheet(even.version, **typed)
    level = {"1": {"how": "show"}, "2": {"how": "loss", "count": 20}}
    even.record({"kind": "deal_corrected", "deal": 1, "outcomes": level, "wild": "7H", "reason": "which card was wild"})
    refused = refusal_of(sam.post(even.score_url, stale), 409)
    assert "someone saved first" in refused
    assert f'formaction="{even.page("correct/1")}"' not in refused
    answer = sam.post(even.score_url, sheet(even.version, key="1" * 32, **typed), follow=True)
    assert "Tie-break deal: Eve show, Flo loss 5" in html(answer)
    assert Scoresheet.objects.get(table=even.table).is_finished


def test_the_preview_fragment_names_what_is_still_missing(sam: Client, pool: Evening):
    answer = sam.post(pool.page("preview"), sheet(1, kind="deal_recorded", s1="show", c2="30"))
    assert answer.status_code == 200
    assert "<html" not in html(answer)
    assert "Still to fill in:" in html(answer)
    assert "<bdi>Cy</bdi>" in html(answer)
    assert 'data-lacks="count-3 count-4"' in html(answer)


def test_a_correction_is_ready_to_save_with_its_reason_only(dita: Client, pool: Evening):
    """On the sheet, and where two seats are swapped or a deal is cancelled."""
    pool.deal(1, show="1", s2=30, s3=10, s4=10)
    swap = {"one": "2", "other": "3", "deal": "1", "do": "check"}
    pages: list[tuple[str, dict[str, Any]]] = [
        ("preview", sheet(2, kind="deal_corrected", deal=1, s1="show", c2="43", c3="10", c4="10")),
        ("exchange", sheet(2) | swap),
        ("void/1", sheet(2, do="check")),
    ]
    for page, typed in pages:
        without = html(dita.post(pool.page(page), typed))
        assert ("Enter a reason" in without, "Ready to save" in without) == (True, False), page
        assert "Ready to save" in html(dita.post(pool.page(page), typed | {"reason": "misread"})), page


@pytest.mark.slow
def test_a_key_that_is_no_key_and_a_version_that_is_none_do_no_harm(sam: Client, pool: Evening):
    for wrong in ({"key": "x\x00y"}, {"key": ""}, {"version": "9" * 4000}, {"version": "-1"}, {"version": "²"}):
        answer = sam.post(pool.score_url, {**sheet(1, s1="show", c2="1", c3="2"), **wrong})
        assert answer.status_code in (409, 422)
    assert pool.version == 1
