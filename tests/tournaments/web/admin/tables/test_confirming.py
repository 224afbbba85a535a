"""Confirming deals at a table: the recorder cannot confirm their own deal, a dispute calls the director."""

import re
from typing import Any
from uuid import uuid4

import pytest

from scoring.problems import EventNotAllowed
from tests.builders.admin_tables import Evening
from tests.builders.api_clients import Device
from tests.builders.confirming import evening_with
from tests.builders.page_text import refusal_of
from tests.builders.table_cards import card_for, device_with
from tournaments import log
from tournaments.models import Role, Scoresheet
from tournaments.models.log import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(club) -> Evening:
    evening = evening_with(club, "second_seat")
    evening.deal(1, show="1", s2=12, s3=20, s4=30, actor="user:0")
    return evening


def word(evening, **more):
    return {"version": str(evening.version), "key": str(uuid4()), **more}


def unconfirmed(evening) -> int:
    return Scoresheet.objects.get(table=evening.table).unconfirmed


def codes(evening, raw, actor):
    with pytest.raises(EventNotAllowed) as refused:
        evening.record(raw, actor=actor)
    return [problem.code for problem in refused.value.problems]


CONFIRMED = {"kind": "deal_confirmed", "deal": 1, "seat": "2"}


def test_a_deal_is_confirmed_by_somebody_else_than_who_wrote_it_down_or_corrected_it(table):
    assert codes(table, CONFIRMED, "user:0") == ["own_deal"]
    assert unconfirmed(table) == 1
    table.record(CONFIRMED, actor="user:1")
    assert unconfirmed(table) == 0
    outcomes = {"1": {"how": "show"}, **{s: {"how": "loss", "count": 9} for s in "234"}}
    table.record({"kind": "deal_corrected", "deal": 1, "outcomes": outcomes, "reason": "misread"}, actor="user:1")
    assert codes(table, CONFIRMED, "user:1") == ["own_deal"]
    table.record(CONFIRMED, actor="user:0")
    assert unconfirmed(table) == 0


def test_a_second_official_is_a_person_who_signed_in(club):
    table = evening_with(club, "second_official")
    table.deal(1, show="1", s2=12, s3=20, s4=30)
    for actor in (f"table:{uuid4()}", f"token:{uuid4()}"):
        assert codes(table, CONFIRMED, actor) == ["not_an_official"]
    table.record(CONFIRMED, actor="user:1")
    assert unconfirmed(table) == 0


def test_a_deal_that_was_corrected_after_the_closing_can_still_be_confirmed(club):
    table = evening_with(club, "second_seat")
    for number, count in ((1, 80), (2, 30)):
        table.deal(number, show="1", s2=count, s3=count, s4=count)
        table.record(CONFIRMED | {"deal": number}, actor="user:1")
    table.record({"kind": "table_closed"})
    outcomes = {"1": {"how": "show"}, **{seat: {"how": "loss", "count": 79} for seat in "234"}}
    table.record({"kind": "deal_corrected", "deal": 1, "outcomes": outcomes, "reason": "misread"}, actor="user:1")
    assert unconfirmed(table) == 1
    table.record(CONFIRMED, actor="user:0")
    assert unconfirmed(table) == 0


@pytest.mark.slow
def test_the_recorder_sees_no_button_and_is_refused_with_the_reason(table, signed_in):
    desk = signed_in(Role.SCORER)
    scorer = desk.session["_auth_user_id"]
    table.deal(2, show="1", s2=1, s3=2, s4=3, actor=f"user:{scorer}")
    page = desk.get(table.score_url).content.decode()
    assert "Second seat: confirm deal 1" in page
    assert "Second seat: confirm deal 2" not in page
    assert "Someone else must confirm" in page
    own = desk.post(table.page("confirm/2"), word(table))
    assert "you recorded deal 2: someone else must confirm it" in refusal_of(own)
    assert desk.get(table.page("confirm/7")).status_code == 404


def test_the_tables_card_confirms_what_a_scorer_wrote(table):
    phone = device_with(card_for(table))
    assert "Second seat: confirm deal 1" in phone.get(table.score_url).content.decode()
    assert phone.post(table.page("confirm/1"), word(table, said_by="2")).status_code == 302
    stored = Event.objects.get(stream_id=table.table.pk, kind="deal_confirmed")
    assert stored.actor.startswith("table:")
    assert '"seat":"2"' in stored.body


@pytest.mark.slow
def test_a_dispute_has_a_reason_locks_the_deal_and_is_settled_by_the_director_with_a_reason(table, sam, dita):
    table.deal(2, show="1", s2=1, s3=2, s4=3)
    assert sam.post(table.page("dispute/1"), word(table)).status_code == 422
    assert not Scoresheet.objects.get(table=table.table).has_dispute
    assert sam.post(table.page("dispute/1"), word(table, said_by="2", reason="I held 24")).status_code == 302
    page, score_sheet = (sam.get(table.page(name)).content.decode() for name in ("score", "sheet"))
    assert "Disputed: the director resolves it" in page
    assert "I held 24" in page
    assert '<span class="chip">unconfirmed</span>' in score_sheet
    assert '<span class="chip is-red">disputed</span>' in score_sheet
    assert sam.get(table.page("correct/1")).status_code == 403
    assert sam.get(table.page("settle-dispute/1")).status_code == 403
    assert "Accept deal" in dita.get(table.score_url).content.decode()
    assert dita.post(table.page("settle-dispute/1"), word(table)).status_code == 422
    assert dita.post(table.page("settle-dispute/1"), word(table, reason="counted together")).status_code == 302
    assert not Scoresheet.objects.get(table=table.table).has_dispute
    assert unconfirmed(table) == 1


def test_over_the_api_the_recorder_is_refused_and_another_device_confirms(table):
    path = f"/api/v1/tables/{table.table.pk}/events/"
    first, second = (Device(table.club, Role.SCORER) for _ in range(2))
    outcomes = {"1": {"how": "show"}} | {seat: {"how": "first_drop"} for seat in "234"}
    recorded = {"kind": "deal_recorded", "deal": 2, "outcomes": outcomes}
    assert first.send(path, {"expected_version": 2, "event": recorded}).status_code == 201
    confirmed = {"expected_version": 3, "event": CONFIRMED | {"deal": 2}}
    refused = first.send(path, confirmed)
    assert refused.status_code == 422
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert [problem["code"] for problem in refused.json()["problems"]] == ["own_deal"]
    assert second.send(path, confirmed).status_code == 201


TICK = re.compile(r'<input type="checkbox" name="settles" value="yes" checked>\s*This resolves the dispute')


def disputed(table: Evening) -> None:
    table.record({"kind": "deal_disputed", "deal": 1, "reason": "I held 24"}, actor="user:7")


def kinds(table: Evening) -> list[str]:
    return list(Event.objects.filter(stream_id=table.table.pk).order_by("version").values_list("kind", flat=True))[2:]


def corrected(table: Evening, **more: str) -> Any:
    typed = {"kind": "deal_corrected", "deal": "1", "how-1": "show", "count-2": "24", "count-3": "20", "count-4": "30"}
    return word(table, **typed, **more, do="save", reason="counted together")


def test_a_correction_settles_the_dispute_about_its_deal_where_that_is_ticked(table, dita):
    """Planted fault: the deal is corrected, its dispute stays open, and the director gives a second reason."""
    page = table.page("correct/1")
    assert not TICK.search(dita.get(page).content.decode())
    disputed(table)
    assert TICK.search(dita.get(page).content.decode())
    dita.post(page, corrected(table))
    assert kinds(table) == ["deal_disputed", "deal_corrected"]
    refused = dita.post(page, corrected(table) | {"reason": ""})
    assert refused.status_code == 422
    assert not TICK.search(refused.content.decode())
    sent = corrected(table, settles="yes") | {"count-2": "25"}
    for _ in ("sent", "sent again"):
        assert dita.post(page, sent).status_code == 302
        assert kinds(table) == ["deal_disputed", "deal_corrected", "deal_corrected", "dispute_settled"]
    assert not Scoresheet.objects.get(table=table.table).has_dispute
    assert unconfirmed(table) == 0
    assert [event.note for event in log.read(table.club.pk, table.table.pk)[-2:]] == ["counted together"] * 2


def test_cancelling_a_disputed_deal_settles_its_dispute(table, dita):
    """Planted fault: a dispute about a deal that is not on the sheet, which nobody can resolve."""
    disputed(table)
    assert TICK.search(dita.get(table.page("void/1")).content.decode())
    dita.post(table.page("void/1"), word(table, reason="a wrong pack", settles="yes"))
    assert kinds(table) == ["deal_disputed", "dispute_settled", "deal_voided"]
    assert not Scoresheet.objects.get(table=table.table).has_dispute


def test_the_decision_between_two_entries_settles_the_dispute(table, dita):
    disputed(table)
    typed = {"deal": "1", "how-1": "show", "count-2": "24", "count-3": "20", "count-4": "30"}
    page = dita.post(table.page("keying"), word(table, **typed, do="compare")).content.decode()
    assert TICK.search(page)
    dita.post(table.page("keying"), word(table, **typed, **{"pick-2": "second"}, do="settle", settles="yes"))
    assert kinds(table) == ["deal_disputed", "deal_corrected", "dispute_settled"]


def test_entries_that_agree_after_the_correction_need_no_more(club, dita):
    table = evening_with(club, "two_seats")
    table.deal(1, show="1", s2=12, s3=20, s4=30, actor=f"table:{uuid4()}:1")
    second = device_with(card_for(table, seat=2))
    entered = {"kind": "deal_recorded", "deal": "1", "how-1": "show", "count-2": "24", "count-3": "20", "count-4": "30"}
    second.post(table.score_url, word(table, **entered, do="save"))
    assert kinds(table) == ["deal_disputed"]
    dita.post(table.page("correct/1"), corrected(table, settles="yes"))
    assert kinds(table) == ["deal_disputed", "deal_corrected"]
    assert not Scoresheet.objects.get(table=table.table).has_dispute
