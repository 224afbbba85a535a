"""A deal that arrives after its table is closed is kept, and a director accepts or refuses it."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from scoring.events import wire
from scoring.problems import EventNotAllowed, EventRejected, KeyReused
from tests.builders.admin_tables import NOW, Evening, evening_at, sheet
from tests.builders.table_cards import card_for, device_with
from tournaments.log.context import CommandContext
from tournaments.models import Club, LateSheet, Player, Role, Scoresheet, TableToken
from tournaments.models.log import Event
from tournaments.models.play import MOST_LATE
from tournaments.privacy import erase_player
from tournaments.tables.commands.without_network import (
    MOST_LATE_WAITING,
    accept_late_sheets,
    keep_late_sheet,
    refuse_late_sheets,
)

pytestmark = pytest.mark.django_db
OUTBOX: Any = {"headers": {"accept": "application/json"}}
CLOSE = {"kind": "table_closed"}


@pytest.fixture
def table(club: Club) -> Evening:
    return evening_at(club, preset="points", entry_minor=0, point_value_minor=100)


def typed(version: int, deal: int, key: str = "a" * 32, **more: str) -> dict[str, str]:
    return sheet(version, deal=deal, key=key, s1="show", c2="10", c3="20", c4="30", **more)


def deals_of(table: Evening) -> list[int]:
    events = Event.objects.filter(stream_id=table.table.pk, kind=wire.DealRecorded.kind).order_by("version")
    return [json.loads(event.body)["deal"] for event in events]


def closed_after_one_deal(table: Evening) -> int:
    """The version on which an offline scorer continues typing."""
    table.deal(1, show="1", s2=5, s3=6, s4=7)
    version = table.version
    table.record(CLOSE)
    return version


def late_of(table: Evening, **changed: Any) -> LateSheet:
    version = closed_after_one_deal(table)
    lost = {seat: {"how": "loss", "count": 9} for seat in "234"}
    raw = {"kind": "deal_recorded", "deal": 2, "outcomes": {"1": {"how": "show"}, **lost}, **changed}
    context = CommandContext(actor="user:7", now=NOW, key="late-2")
    late = keep_late_sheet(table.table.pk, raw, expected=version, context=context)
    assert isinstance(late, LateSheet)
    return late


def test_a_scorers_deal_of_a_closed_table_waits_for_the_director(table: Evening, sam: Client):
    """Planted fault: the table's end taken for the end of a login."""
    version = closed_after_one_deal(table)
    for _ in range(2):
        answer = sam.post(table.score_url, typed(version, 2), **OUTBOX)
        assert (answer.status_code, answer.json()["state"]) == (200, "late")
    assert deals_of(table) == [1]
    assert LateSheet.objects.get().answer == LateSheet.Answer.WAITING
    assert sam.get(table.page("late")).status_code == 403
    page = sam.post(table.score_url, typed(version, 2), follow=True)
    assert "The director decides whether deal 2 counts." in page.content.decode()


def test_a_deal_that_was_stored_before_the_table_was_closed_is_stored(table: Evening, sam: Client):
    """Planted fault: a resend whose first answer was lost is kept as late, too."""
    version = table.version
    assert sam.post(table.score_url, typed(version, 1), **OUTBOX).json()["state"] == "stored"
    table.record(CLOSE)
    again = sam.post(table.score_url, typed(version, 1), **OUTBOX)
    assert again.json() == {"state": "stored", "version": version + 1, "url": table.score_url}
    assert not LateSheet.objects.exists()


def test_neither_a_deal_that_cannot_be_read_nor_one_of_who_may_not_score_leaves_a_late_sheet(
    table: Evening, sam: Client, signed_in: Callable[..., Client]
):
    version = closed_after_one_deal(table)
    answer = sam.post(table.score_url, typed(version, 2) | {"count-2": "many"}, **OUTBOX)
    assert (answer.status_code, answer.json()["state"]) == (422, "refused")
    auditor = signed_in(Role.AUDITOR, login="amira")
    assert auditor.post(table.score_url, typed(version, 2), **OUTBOX).status_code == 403
    assert not LateSheet.objects.exists()


def test_a_director_accepts_what_came_late(table: Evening, sam: Client, dita: Client):
    version = closed_after_one_deal(table)
    for number, key in ((2, "a" * 32), (3, "b" * 32)):
        sam.post(table.score_url, typed(version + number - 2, number, key), **OUTBOX)
    board = dita.get(f"/admin/tournaments/tournament/{table.tournament.pk}/night/").content.decode()
    assert "2 late sheets wait for you." in board
    assert dita.get(table.page("late")).content.decode().count('name="sheets"') == 2
    every = [str(late.pk) for late in LateSheet.objects.all()]
    answer = dita.post(table.page("late"), {"do": "accept", "sheets": every, "key": "c" * 32}, follow=True)
    assert "2 late sheets accepted." in answer.content.decode()
    assert "The table is open again." in answer.content.decode()
    assert deals_of(table) == [1, 2, 3]
    assert not Scoresheet.objects.get(table=table.table).is_closed
    assert {late.answer for late in LateSheet.objects.all()} == {LateSheet.Answer.ACCEPTED}
    again = dita.post(table.page("late"), {"do": "accept", "sheets": every, "key": "d" * 32})
    assert again.status_code == 422
    assert deals_of(table) == [1, 2, 3]


def test_a_tournament_is_not_closed_over_a_late_sheet_which_is_refused_with_a_reason(table: Evening, dita: Client):
    """Planted fault that this catches: the tournament closed, and the deal on the phone refused ever after."""
    late = late_of(table)
    evening = dita.get(f"/api/v1/tournaments/{table.tournament.pk}/evening/").json()
    assert evening["next_step"] == {
        "name": "late_sheet",
        "title": "A late sheet of Table 1 waits for you",
        "button": "Review late sheets of Table 1",
        "table": str(table.table.pk),
    }
    board = dita.get(f"/admin/tournaments/tournament/{table.tournament.pk}/night/").content.decode()
    assert board.index("Review late sheets of Table 1") < board.index("Close the tournament")
    close = f"/admin/tournaments/tournament/{table.tournament.pk}/close/"
    said = "Table 1 (round 1) has 1 late sheet: accept or refuse it first"
    assert said in dita.post(close, {"key": "c" * 32}, follow=True).content.decode()
    table.tournament.refresh_from_db()
    assert table.tournament.closed_at is None
    data = {"do": "refuse", "sheets": [str(late.pk)]}
    assert "enter a reason" in dita.post(table.page("late"), data).content.decode()
    assert LateSheet.objects.get().answer == LateSheet.Answer.WAITING
    done = dita.post(table.page("late"), {**data, "reason": "played twice"}, follow=True)
    assert "1 late sheet refused." in done.content.decode()
    kept = LateSheet.objects.get()
    assert (kept.answer, kept.reason, deals_of(table)) == (LateSheet.Answer.REFUSED, "played twice", [1])
    dita.post(close, {"key": "d" * 32})
    table.tournament.refresh_from_db()
    assert table.tournament.closed_at is not None


def test_a_sheet_that_does_not_fit_leaves_the_table_closed(table: Evening):
    """Planted fault: the table is opened again in a transaction of its own."""
    late = late_of(table, deal=1)
    before = table.version
    with pytest.raises(EventNotAllowed) as refused:
        accept_late_sheets(table.table.pk, [late.pk], reason="late", context=CommandContext(actor="user:1", now=NOW))
    assert refused.value.problems[0].code == "deal_exists"
    assert table.version == before
    assert LateSheet.objects.get().answer == LateSheet.Answer.WAITING


def test_a_player_who_is_erased_is_named_in_no_late_sheet(table: Evening, dita: Client):
    """Planted fault: reasons in the log erased, those of refused sheets kept."""
    late = late_of(table, reason="as Asha said")
    dita.post(table.page("late"), {"do": "refuse", "sheets": [str(late.pk)], "reason": "Asha had left by then"})
    raw = {**late.event, "deal": 3, "reason": "after the break"}
    keep_late_sheet(table.table.pk, raw, expected=9, context=CommandContext(actor="user:7", now=NOW, key="late-3"))
    erase_player(Player.objects.get(name="Asha"), now=NOW, with_balance=True)
    dumped = str(list(LateSheet.objects.order_by("key").values_list("body", "reason")))
    assert "Asha" not in dumped
    assert "after the break" in dumped
    late.refresh_from_db()
    assert (late.event["deal"], late.answer) == (2, LateSheet.Answer.REFUSED)


def test_a_cancelled_table_stays_cancelled(table: Evening, sam: Client, dita: Client):
    version = table.version
    table.record({"kind": "table_cancelled", "reason": "drawn again"})
    sam.post(table.score_url, typed(version, 1), **OUTBOX)
    late = LateSheet.objects.get()
    assert "The table was cancelled." in dita.get(table.page("late")).content.decode()
    with pytest.raises(EventNotAllowed) as refused:
        accept_late_sheets(table.table.pk, [late.pk], reason="late", context=CommandContext(actor="user:1", now=NOW))
    assert refused.value.problems[0].code == "table_cancelled"


def test_a_sheet_too_long_another_under_its_key_and_an_answer_from_another_table_are_refused(table: Evening):
    late = late_of(table)
    raw = {"kind": "deal_recorded", "deal": 2, "outcomes": {}, "note": "x" * MOST_LATE}
    with pytest.raises(EventRejected):
        keep_late_sheet(table.table.pk, raw, expected=3, context=CommandContext(actor="user:7", now=NOW))
    with pytest.raises(IntegrityError), transaction.atomic():
        LateSheet.objects.filter(pk=late.pk).update(body="x" * (MOST_LATE + 1))
    raw = {"kind": "deal_recorded", "deal": 3, "outcomes": {}}
    with pytest.raises(KeyReused):
        keep_late_sheet(table.table.pk, raw, expected=9, context=CommandContext(actor="user:7", now=NOW, key="late-2"))
    assert LateSheet.objects.count() == 1
    other = evening_at(table.club, name="Saturday", names=("Eve", "Fay", "Gil"))
    context = CommandContext(actor="user:1", now=NOW)
    for answer in (accept_late_sheets, refuse_late_sheets):
        with pytest.raises(EventNotAllowed) as refused:
            answer(other.table.pk, [late.pk], reason="late", context=context)
        assert refused.value.problems[0].code == "answered_already"


def sent_late(client: Client, table: Evening, version: int, *deals: int) -> list[Any]:
    """The answers to these deals, each under a key of its own."""
    return [client.post(table.score_url, typed(version, deal, f"{deal:032x}"), **OUTBOX) for deal in deals]


@pytest.mark.slow
def test_a_card_that_floods_its_table_is_told_to_wait_until_the_director_has_reviewed(
    table: Evening, sam: Client, dita: Client
):
    """301 of 301 sheets were kept in 9 seconds, and each stopped the tournament's closing."""
    card = device_with(card_for(table))
    version = closed_after_one_deal(table)
    answers = sent_late(card, table, version, *range(2, 2 + MOST_LATE_WAITING + 5))
    assert [answer.status_code for answer in answers] == [200] * MOST_LATE_WAITING + [429] * 5
    full = answers[-1]
    assert (full.json()["state"], full["Retry-After"]) == ("busy", "60")
    assert full.json()["problems"] == [
        "20 late sheets of this device wait for the director: keep this one and send it again later"
    ]
    page = card.post(table.score_url, typed(version, 40, "f" * 32))
    assert (page.status_code, page["Retry-After"]) == (429, "60")
    assert "20 late sheets of this device wait for the director" in page.content.decode()
    assert LateSheet.objects.count() == MOST_LATE_WAITING
    assert sent_late(card, table, version, 2)[0].json()["state"] == "late", "sent again, it is no further sheet"
    assert sent_late(sam, table, version, 50)[0].json()["state"] == "late", "others may still send"
    first = [str(pk) for pk in LateSheet.objects.order_by("sent_at").values_list("pk", flat=True)[:1]]
    dita.post(table.page("late"), {"do": "refuse", "sheets": first, "reason": "not played"})
    assert sent_late(card, table, version, 60)[0].json()["state"] == "late", "the phone sends the rest"


def test_a_refused_deal_does_not_wait_again_under_another_key_or_version(table: Evening, sam: Client, dita: Client):
    card = device_with(card_for(table))
    version = closed_after_one_deal(table)
    for key in "ab":
        assert card.post(table.score_url, typed(version, 2, key * 32), **OUTBOX).json()["state"] == "late"
    late = LateSheet.objects.get()
    data = {"do": "refuse", "sheets": [str(late.pk)], "reason": "not played"}
    dita.post(table.page("late"), data)
    for again, key in ((version, "a"), (version, "c"), (version + 1, "d")):
        answer = card.post(table.score_url, typed(again, 2, key * 32), **OUTBOX)
        assert (answer.status_code, answer.json()["state"]) == (200, "declined")
    page = sam.post(table.score_url, typed(version, 2, "e" * 32), follow=True)
    assert "The director has refused deal 2. It does not count." in page.content.decode()
    assert LateSheet.objects.get().answer == LateSheet.Answer.REFUSED


def test_the_card_behind_late_sheets_is_revoked_where_they_are_reviewed(table: Evening, sam: Client, dita: Client):
    """Planted fault: the card's page answers 403, and the phone takes it for a revoked card."""
    issued, other = card_for(table), card_for(table)
    card = device_with(issued)
    version = closed_after_one_deal(table)
    sent_late(sam, table, version, 2)
    assert "Revoke card" not in dita.get(table.page("late")).content.decode(), "a login has no card"
    assert [answer.json()["state"] for answer in sent_late(card, table, version, 3, 4)] == ["late", "late"]
    assert card.get(table.score_url).status_code == 403
    assert "Revoke card" in dita.get(table.page("late")).content.decode()
    by_login, *by_card = [str(pk) for pk in LateSheet.objects.order_by("sent_at").values_list("pk", flat=True)]
    refused = dita.post(table.page("late"), {"do": "revoke", "sheets": [by_login]})
    assert refused.status_code == 422
    assert "choose the sheets of a card that is still valid" in refused.content.decode()
    done = dita.post(table.page("late"), {"do": "revoke", "sheets": by_card}, follow=True)
    assert "1 card revoked. Its sheets wait." in done.content.decode()
    assert LateSheet.objects.filter(answer=LateSheet.Answer.WAITING).count() == 3
    assert sent_late(card, table, version, 5)[0].status_code == 403
    assert TableToken.objects.get(pk=other.token.pk).revoked_at is None
