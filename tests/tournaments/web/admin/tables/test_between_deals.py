"""Corrections, cancelled deals and every action between deals, through their pages."""

import re

import pytest
from django.test import Client

from scoring.messages import Amount, say
from tests.builders.acts_at_tables import act, last_kind
from tests.builders.admin_tables import Evening, evening_at, sheet
from tests.builders.page_text import html, refusal_of, said
from tournaments.models import Club, Scoresheet
from tournaments.rendering.i18n.translating import translate


def test_a_correction_is_prefilled_previewed_needs_a_reason_and_is_told_by_the_history(sam: Client, pool: Evening):
    pool.deal(1, show="1", s2=45, s3=10, s4=10)
    page, typed = pool.page("correct/1"), sheet(2, s1="show", c2="54", c3="10", c4="10")
    assert 'name="count-2" id="count-2" value="45"' in html(sam.get(page))
    assert "+9" in html(sam.post(page, {**typed, "do": "check"}))
    assert 'value="54"' in refusal_of(sam.post(page, typed))
    assert pool.version == 2
    assert "Deal 1 corrected: Asha show, Bo loss 54" in said(sam.post(page, {**typed, "reason": "misread"}))
    history = html(sam.get(pool.page("log")))
    for told in (
        "<del>Loss 45</del> <ins>Loss 54</ins>",
        "Reason: <bdi>misread</bdi>",
        "<bdi>Sam</bdi>",
        "Fingerprint",
    ):
        assert told in history


def test_a_correction_that_keeps_a_player_in_says_so_and_not_that_they_rejoined(sam: Client, pool: Evening):
    """Planted faults: "rejoined" for a player who never did; "-20" with a hyphen."""
    pool.deal(1, show="1", s2=80, s3=10, s4=10)
    pool.deal(2, show="1", s2=30, s3=10, s4=10)
    typed = {**sheet(3, s1="show", c2="10", c3="10", c4="10"), "do": "check"}
    page = html(sam.post(pool.page("correct/2"), typed))
    assert ("in again" in page, "rejoined" in page) == (True, False)
    # Cells alone: an id may have "-20" in it.
    assert re.search(r"<td>\s*−20\s*</td>", page)
    assert not re.search(r"<td>\s*-20\s*</td>", page)


def test_a_deal_that_was_recorded_is_voided_with_a_reason_and_may_be_played_again(sam: Client, pool: Evening):
    assert sam.get(pool.page("correct/3")).status_code == 404
    assert sam.get(pool.page("void/3")).status_code == 404
    pool.deal(1, show="1", s2=45, s3=10, s4=10)
    assert sam.post(pool.page("void/1"), act(2, reason="")).status_code == 422
    assert sam.post(pool.page("void/1"), act(2, key="b" * 32, reason="14 cards")).status_code == 302
    assert "1 (cancelled, to be played again)" in html(sam.get(pool.score_url))
    answer = sam.post(pool.score_url, sheet(3, deal=1, key="c" * 32, s1="show", c2="1", c3="2", c4="3"))
    assert answer.status_code == 302


@pytest.mark.slow
def test_a_rejoin_is_offered_with_its_score_and_fee_to_those_who_may(sam: Client, pool: Evening):
    pool.deal(1, show="1", s2=80, s3=10, s4=10)
    pool.deal(2, show="1", s2=30, s3=10, s4=61)
    page, score_sheet = html(sam.get(pool.score_url)), html(sam.get(pool.page("sheet")))
    assert "<bdi>Bo</bdi> rejoins at 72 for ₹300.00" in page
    assert page.count("rejoins at") == 1
    assert "Bo: 80 + 30 = 110, out of 101" in score_sheet
    assert pool.page("correct/2") in score_sheet
    assert "Bo rejoined" in said(sam.post(pool.page("rejoin"), act(3, seat="2")))
    refused = sam.post(pool.page("rejoin"), act(4, key="b" * 32, seat="3"))
    assert "Cy can rejoin only after going out by score" in refusal_of(refused)


@pytest.mark.slow
def test_a_split_is_refused_with_everybody_in_and_shows_what_each_gets_before_it_is_stored(sam: Client, pool: Evening):
    assert pool.page("split") not in html(sam.get(pool.score_url))
    assert "a split is for two or three" in refusal_of(sam.post(pool.page("split"), act(1)))
    assert pool.version == 1
    pool.deal(1, show="1", s2=79, s3=80, s4=60)
    pool.deal(2, show="2", s1=60, s3=80, s4=1)
    assert "<bdi>Asha</bdi> gets <b>₹" in html(sam.get(pool.page("split")))
    assert sam.post(pool.page("split"), act(3)).status_code == 302
    assert last_kind(pool) == "split_agreed"


@pytest.mark.slow
def test_only_a_director_is_led_back_to_the_night_board(sam: Client, dita: Client, pool: Evening):
    board = f"/admin/tournaments/tournament/{pool.tournament.pk}/night/"
    for path in (pool.score_url, pool.page("sheet"), pool.page("penalty")):
        assert f'href="{board}"' in html(dita.get(path))
    page = html(sam.get(pool.score_url))
    assert (board in page, pool.page("cards") in page) == (False, False)


def test_a_penalty_is_the_directors_previewed_and_tells_every_problem(sam: Client, dita: Client, pool: Evening):
    pool.deal(1, show="1", s2=80, s3=10, s4=10)
    page, typed = pool.page("penalty"), act(2, seat="2", points="21")
    assert sam.post(page, {**typed, "reason": "late"}).status_code == 403
    checked = dita.post(page, {**typed, "reason": "", "do": "check"})
    assert checked.status_code == 200
    assert "Bo: 80 + 21 = 101, out of 101" in html(checked)
    refused = refusal_of(dita.post(page, act(2, seat="", points="many", reason="")))
    for told in ("Points: 'many' is not a whole number of at most 6 digits", "reason", 'value="many"'):
        assert told in refused.replace("&#x27;", "'")
    assert pool.version == 2
    assert "Penalty of 21 for Bo" in said(dita.post(page, {**typed, "reason": "late"}))


def test_a_buy_in_is_typed_in_whole_units(dita: Client, club: Club):
    cash = evening_at(club, preset="points", point_value_minor=200, entry_minor=0)
    small = dita.post(cash.page("buy-in"), act(1, seat="1", amount_minor="10"))
    assert small.status_code == 422
    assert "Asha buys in for ₹10.00; the minimum is ₹160.00" in refusal_of(small)
    wrong = dita.post(cash.page("buy-in"), act(1, seat="1", amount_minor="1e9999999"))
    assert "is not an amount of INR" in html(wrong)
    stored = dita.post(cash.page("buy-in"), act(1, key="b" * 32, seat="1", amount_minor="160.00"))
    assert "Asha bought in for ₹160.00" in said(stored)


def test_a_refusal_writes_amounts_as_its_club_does_and_no_page_after_it_does(dita: Client, club: Club):
    """Planted fault: "buys in for 10.00", in no currency; or amounts of the next club in the notation of this one."""
    Club.objects.filter(pk=club.pk).update(locale="de_DE")
    cash = evening_at(club, preset="points", point_value_minor=200, entry_minor=0)
    refused = dita.post(cash.page("buy-in"), act(1, seat="1", amount_minor="10"))
    assert "Asha buys in for 10,00 ₹; the minimum is 160,00 ₹" in refusal_of(refused)
    assert translate(say("{amount}", amount=Amount(1_000, "INR"))) == "10.00 INR"


@pytest.mark.slow
def test_an_act_can_be_withdrawn_once_with_a_reason(dita: Client, pool: Evening):
    pool.record({"kind": "seat_left", "seat": "4"})
    page = pool.page("withdraw/2")
    assert "Dev left the table" in html(dita.get(page))
    assert dita.post(page, act(2, reason="  ")).status_code == 422
    typed = act(2, key="b" * 32, reason="only outside")
    assert "Saved. Undone: Dev left the table" in said(dita.post(page, typed))
    assert "Sent twice, saved once. Undone: Dev left the table" in said(dita.post(page, typed))
    assert pool.version == 3


@pytest.mark.slow
def test_a_table_closes_when_it_is_decided_and_not_before(sam: Client, pool: Evening):
    assert "4 seats are still in" in refusal_of(sam.post(pool.page("close"), act(1)))
    for seat in ("2", "3", "4"):
        pool.record({"kind": "seat_left", "seat": seat})
    assert "Close the table" in html(sam.get(pool.score_url))
    assert sam.post(pool.page("close"), act(4, key="b" * 32)).status_code == 302
    assert Scoresheet.objects.get(table=pool.table).is_closed


def test_an_act_on_a_table_that_moved_on_tells_what_came_between(sam: Client, pool: Evening):
    pool.deal(1, show="1", s2=1, s3=2, s4=3)
    answer = refusal_of(sam.post(pool.page("leave"), act(1, seat="4")), 409)
    assert "someone saved first" in answer
    assert "Deal 1: " in answer
    assert pool.version == 2


def test_a_conflict_stands_on_top_with_the_actions_that_resolve_it(sam: Client, dita: Client, pool: Evening):
    pool.deal(1, show="1", s2=80, s3=10, s4=10)
    pool.deal(2, show="1", s2=30, s3=10, s4=10)
    pool.record({"kind": "rejoined", "seat": "2"})
    outcomes = {"1": {"how": "show"}, **{s: {"how": "loss", "count": 10} for s in ("2", "3", "4")}}
    pool.record({"kind": "deal_corrected", "deal": 2, "outcomes": outcomes, "reason": "10, not 30"})
    page = html(dita.get(pool.score_url))
    assert "Conflicting records" in page
    assert pool.page("withdraw/4") in page
    assert pool.page("withdraw/4") not in html(sam.get(pool.score_url))
    assert dita.post(pool.page("withdraw/4"), act(5, reason="never out")).status_code == 302
    assert "Conflicting records" not in html(dita.get(pool.score_url))
