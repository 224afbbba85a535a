"""Two seats enter each deal on their own phones: what each page shows, and what the API answers to a seat's card.

Planted faults that these catch: the other seat's numbers shown before one's own are typed; a difference shown only on
the later phone; a card of one seat made for all; a card's code that opens more of the API than its table.
"""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.core import signing
from django.test import Client

from tests.builders.admin_tables import Evening, club_called, evening_at, sheet
from tests.builders.confirming import evening_with
from tests.builders.flat import flat
from tests.builders.page_text import refusal_of
from tests.builders.table_cards import COOKIE, card_for, device_with, hand_over
from tournaments.models import Club, Scoresheet, TableToken
from tournaments.models.log import Event
from tournaments.tables.commands.table_tokens import revoke_card
from tournaments.web.admin.tables.card_exchange import SALT

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(club: Club) -> Evening:
    return evening_with(club, "two_seats")


@pytest.fixture
def phones(table: Evening) -> dict[str, Client]:
    return {seat: device_with(card_for(table, seat=int(seat))) for seat in "123"}


def entry(version: int, *, deal: int = 1, c2: str = "12", **more: str) -> dict[str, str]:
    return sheet(version, deal=deal, key=str(uuid4()), s1="show", c2=c2, c3="20", c4="30", **more)


def page(client: Client, url: str) -> str:
    return flat(client.get(url).content.decode())


def kinds(table: Evening) -> list[str]:
    return list(Event.objects.filter(stream_id=table.table.pk).order_by("version").values_list("kind", flat=True))[1:]


def unconfirmed(table: Evening) -> int:
    return Scoresheet.objects.get(table=table.table).unconfirmed


def test_a_page_opened_later_says_for_whom_it_asks_for_the_deal_and_does_not_give_it_away(
    table: Evening, phones: dict[str, Client]
):
    phones["1"].post(table.score_url, entry(1, c2="79"))
    shown = page(phones["2"], table.score_url)
    assert "You enter for <bdi>Bo the second</bdi>" in shown
    assert "Another seat has entered deal 1. Enter it too." in shown
    assert "Save deal 1" in shown
    assert not re.search(r"\b79\b", shown)
    assert "Save deal 2" in page(phones["1"], table.score_url)
    preview = phones["2"].post(table.page("preview"), entry(2, c2="33", kind="deal_recorded", do="check"))
    assert "33" in preview.content.decode()
    assert "already recorded" not in preview.content.decode()
    # From a page of before the other entry.
    answer = flat(phones["2"].post(table.score_url, entry(1, c2="79"), follow=True).content.decode())
    assert "Deal 1 confirmed by" in answer
    assert "Save deal 2" in answer
    assert (kinds(table), unconfirmed(table)) == (["deal_recorded", "deal_confirmed"], 0)


@pytest.mark.slow
def test_a_difference_shows_both_phones_only_what_differs_and_the_director_resolves_it(
    table: Evening, phones: dict[str, Client], dita: Client
):
    phones["1"].post(table.score_url, entry(1))
    phones["2"].post(table.score_url, entry(1, c2="21"))
    for seat in "12":
        for url in (table.score_url, table.page("words")):
            shown = page(phones[seat], url)
            found = shown[shown.index("Deal 1: the two entries differ") : shown.index("</table>")]
            assert '<th scope="col"><bdi>Asha the second</bdi></th><th scope="col"><bdi>Bo the second</bdi>' in found
            assert found.count('<tr class="differs">') == 1
            assert "Loss 12" in found
            assert "Loss 21" in found
            assert "Cy" not in found
            assert "Correct my entry" in shown
    assert "Correct my entry" not in page(phones["3"], table.score_url)
    assert "Its two seats correct it, or the director" in page(phones["3"], table.score_url)
    shown = page(phones["1"], table.page("log"))
    assert "Asha the second, card of Table 2" in shown
    assert "Bo the second, card of Table 2" in shown
    assert "entered differently by" in shown
    shown = page(dita, table.score_url)
    for said in ("Deal 1: the two entries differ", "Loss 21", "Correct deal 1", "Accept deal"):
        assert said in shown
    dita.post(table.page("settle-dispute/1"), {"version": "3", "key": str(uuid4()), "reason": "read the paper"})
    assert unconfirmed(table) == 0


@pytest.mark.slow
def test_the_second_seat_corrects_its_own_entry_with_its_own_numbers_before_it(
    table: Evening, phones: dict[str, Client]
):
    phones["1"].post(table.score_url, entry(1))
    mistyped = refusal_of(phones["2"].post(table.score_url, entry(1, c2="many")))
    assert 'value="many"' in mistyped
    assert "Save deal 1" in mistyped
    phones["2"].post(table.score_url, entry(1, c2="21"))
    shown = page(phones["2"], table.page("correct/1"))
    assert 'value="21"' in shown
    assert "data-goes-on" not in shown
    assert phones["2"].post(table.page("correct/1"), entry(3, kind="deal_recorded")).status_code == 302
    assert kinds(table) == ["deal_recorded", "deal_disputed", "deal_confirmed"]


def test_the_first_seat_corrects_its_own_entry_and_both_agree(table: Evening, phones: dict[str, Client]):
    phones["1"].post(table.score_url, entry(1))
    phones["2"].post(table.score_url, entry(1, c2="21"))
    shown = page(phones["1"], table.page("correct/1"))
    assert 'value="12"' in shown
    assert 'value="Compared with the other entry"' in shown
    sent = entry(3, c2="21", kind="deal_corrected", reason="Compared with the other entry")
    assert phones["1"].post(table.page("correct/1"), sent).status_code == 302
    assert (kinds(table)[-1], unconfirmed(table)) == ("deal_corrected", 0)
    assert "Deal 1: the two entries differ" not in page(phones["2"], table.score_url)


@pytest.mark.slow
def test_an_outbox_is_told_what_became_of_its_deal(table: Evening, phones: dict[str, Client]):
    accept = {"accept": "application/json"}
    phones["1"].post(table.score_url, entry(1))
    differs = phones["2"].post(table.score_url, entry(1, c2="21"), headers=accept).json()
    assert (differs["state"], differs["version"]) == ("differs", 3)
    same = entry(1)
    first, again = (phones["2"].post(table.score_url, same, headers=accept).json() for _ in range(2))
    assert (first["state"], first["version"]) == ("stored", 4)
    assert again == first
    refused = phones["2"].post(table.score_url, entry(1, c2="many"), headers=accept)
    assert (refused.status_code, refused.json()["state"]) == (422, "refused")


@pytest.mark.slow
def test_a_phone_that_scans_a_second_seats_card_does_not_confirm_itself(table: Evening, phones: dict[str, Client]):
    phones["1"].post(table.score_url, entry(1))
    hand_over(phones["1"], card_for(table, seat=2).secret)
    assert "Another seat has entered" not in page(phones["1"], table.score_url)
    assert "someone else must confirm it" in refusal_of(phones["1"].post(table.score_url, entry(1)))
    assert unconfirmed(table) == 1


@pytest.mark.slow
def test_a_player_who_opens_another_seats_card_in_a_private_window_ends_it_on_its_owners_phone(table: Evening):
    """Without the cookie that remembers the first card, the window is a new device: its owner must notice."""
    first, second = card_for(table, seat=1), card_for(table, seat=2)
    own, owner, private = device_with(first), device_with(second), Client()
    own.post(table.score_url, entry(1))
    assert hand_over(private, second.secret).status_code == 302
    assert private.get(table.score_url).status_code == 200
    ended = owner.post(table.score_url, entry(1))
    assert ended.status_code == 403
    assert "This card was opened on another device." in flat(ended.content.decode())
    assert own.get(table.score_url).status_code == 200, "the other seat's phone is as it was"
    assert hand_over(owner, second.secret).status_code == 302
    assert private.get(table.score_url).status_code == 403
    owner.post(table.score_url, entry(1))
    assert (kinds(table), unconfirmed(table)) == (["deal_recorded", "deal_confirmed"], 0)


def test_a_phone_that_opened_its_seats_card_before_openings_were_noted_keeps_it(table: Evening):
    """Planted fault: every phone at play signed out by the update."""
    card = card_for(table, seat=1)
    phone = device_with(card)
    older = signing.dumps([str(card.token.pk), str(table.table.pk)], salt=SALT)
    TableToken.objects.update(opened="")
    phone.cookies[COOKIE] = older
    assert phone.get(table.score_url).status_code == 200


def test_a_phone_does_not_speak_for_a_seat_whose_card_it_never_held(table: Evening, phones: dict[str, Client]):
    """Planted fault: the seats of earlier cards read from unsigned cookies."""
    stranger = device_with(card_for(evening_at(table.club, name="Saturday", names=("Eli", "Fay")), seat=2))
    phones["1"].post(table.score_url, entry(1))
    assert stranger.post(table.score_url, entry(1)).status_code in (302, 403)
    phones["2"].post(table.score_url, entry(1, c2="21"))
    for forged in ("1", phones["1"].cookies["rummy_seat_1"].value, phones["1"].cookies["rummy_table"].value):
        phones["3"].cookies["rummy_seat_2"] = forged
        assert phones["3"].post(table.score_url, entry(1)).status_code == 422
        assert "Correct my entry" not in page(phones["3"], table.score_url)
    assert kinds(table) == ["deal_recorded", "deal_disputed"]


@pytest.mark.slow
def test_the_part_that_changes_is_drawn_again_with_what_has_and_says_who_called_the_director(
    table: Evening, phones: dict[str, Client]
):
    first = phones["2"].get(table.page("words"))
    assert "<html" not in first.content.decode()
    tag = {"if-none-match": first["ETag"]}
    assert phones["2"].get(table.page("words"), headers=tag).status_code == 304
    phones["1"].post(table.score_url, entry(1))
    assert phones["2"].get(table.page("words"), headers=tag).status_code == 200
    table.record({"kind": "deal_disputed", "deal": 1, "seat": "3", "reason": "cards on the floor"})
    shown = page(phones["2"], table.page("words"))
    assert "cards on the floor" in shown
    assert re.search(r"\d\d:\d\d\)", shown)
    assert "Locked. Play the next deal" in shown


def test_pages_of_other_tables_ask_for_nothing_by_themselves():
    plain = evening_at(club_called("Bo's club", "bo"))
    shown = page(device_with(card_for(plain)), plain.score_url)
    assert "data-live" not in shown
    assert "htmx" not in shown
    assert "Table card" in shown


# Cards


def test_a_table_whose_deals_two_seats_enter_has_a_card_for_each_seat_which_is_made_again_alone(
    table: Evening, dita: Client
):
    card_for(table)
    shown = flat(dita.post(table.page("cards"), {"key": str(uuid4())}).content.decode())
    assert shown.count('class="segno"') == 4
    assert "with the phone of <bdi>Cy the second</bdi>" in shown
    assert '<option value="3" dir="auto">Cy the second</option>' in page(dita, table.page("cards"))
    dita.post(table.page("cards"), {"key": str(uuid4()), "seat": "3"})
    assert sorted(TableToken.objects.filter(table=table.table).values_list("seat", flat=True)) == [0, 1, 2, 3, 3, 4]
    assert not TableToken.objects.exclude(revoked_at=None).exists()


def test_all_cards_at_once_are_one_for_each_seat_and_one_for_other_tables(table: Evening, dita: Client):
    url = f"/admin/tournaments/tournament/{table.tournament.pk}/cards/"
    assert flat(dita.post(url, {"key": str(uuid4())}).content.decode()).count('class="segno"') == 5
    for kind in ("cards", "sheets"):
        printed = dita.post(url, {"key": str(uuid4()), "print": kind})
        assert printed["Content-Type"] == "application/pdf"


# The API


def api(table: Evening, secret: str | None, event: dict[str, Any], *, seen: int, key: str = "") -> Any:
    return Client().post(
        f"/api/v1/tables/{table.table.pk}/events/",
        {"expected_version": seen, "event": event},
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}", "Idempotency-Key": key or str(uuid4())},
    )


def deal(*counts: int, **more: Any) -> dict[str, Any]:
    losses = {str(seat): {"how": "loss", "count": count} for seat, count in enumerate(counts, 2)}
    return {"kind": "deal_recorded", "deal": 1, "outcomes": {"1": {"how": "show"}, **losses}, **more}


def test_a_seats_card_enters_over_the_api_and_is_not_stale(table: Evening):
    first, second = (card_for(table, seat=seat).secret for seat in (1, 2))
    assert api(table, first, deal(12, 20, 30), seen=1).status_code == 201
    differs = api(table, second, deal(21, 20, 30), seen=1)
    assert (differs.status_code, differs.json()["event"]["kind"]) == (201, "deal_disputed")
    assert differs.json()["event"]["outcomes"]["2"] == {"how": "loss", "count": 21}
    confirmed = api(table, second, deal(12, 20, 30), seen=1, key="once")
    assert confirmed.json()["event"] == {"kind": "deal_confirmed", "deal": 1, "seat": "2"}
    again = api(table, second, deal(12, 20, 30), seen=1, key="once")
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")
    assert again.json() == confirmed.json()
    for secret, count in ((first, 12), (second, 21)):
        api(table, secret, deal(count, 20, 30, deal=2), seen=4)
    correction = deal(21, 20, 30, reason="looked again") | {"kind": "deal_corrected", "deal": 2}
    assert api(table, first, correction, seen=5).status_code == 201
    assert unconfirmed(table) == 0


def test_the_code_of_a_seat_opens_one_table_of_the_api_until_it_is_revoked_and_that_of_a_table_none(table: Evening):
    other = evening_at(table.club, name="Saturday", names=("Eli", "Fay"))
    card, whole = card_for(table, seat=1), card_for(table).secret
    assert api(other, card.secret, deal(12), seen=1).status_code == 404
    assert api(table, whole, deal(12, 20, 30), seen=1).status_code == 401
    assert api(table, card.secret, {"kind": "table_cancelled", "reason": "x"}, seen=1).status_code == 403
    headers = {"Authorization": f"Bearer {card.secret}"}
    for path in (f"/api/v1/tournaments/{table.tournament.pk}/entries/", f"/api/v1/clubs/{table.club.pk}/players/"):
        assert Client().get(path, headers=headers).status_code in (403, 404)
    revoke_card(card.token.pk, now=card.token.created_at)
    assert api(table, card.secret, deal(12, 20, 30), seen=1).status_code == 401
