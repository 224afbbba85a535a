"""A reader of a public page presses *Tell me here*, and the browser is told until it is stopped or gone.

Planted faults these catch: a body that another browser could read, a name that the club does not publish, a
subscription that outlives its player, a push service that is gone and asked again for ever, an address inside the
network, and one dead browser that keeps all others from being told.
"""

import json
from datetime import timedelta
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from scoring.events import wire
from tests.builders.playing import NOW, context, new_club
from tests.builders.prize_evening import Evening
from tests.builders.push_service import PushService, Reader
from tests.builders.receivers import release_all
from tournaments import log
from tournaments.merging import merge_players
from tournaments.models import Delivery, Player, PushSubscription, Receiver, Tournament
from tournaments.outbox import push, subscriptions
from tournaments.outbox.receivers import remove_receiver, switch
from tournaments.outbox.sending import KEPT, OFF_AFTER, TRIES_FOR_A_BROWSER, send_due, sweep, tell_owed
from tournaments.people.players import add_players
from tournaments.privacy import erase_player, remove_player, what_is_known
from tournaments.running.commands.record import record_in_tournament
from tournaments.web.public.people.tell_me import MOST_A_MINUTE

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def browsers_are_told(settings, monkeypatch):
    settings.TELLS_BROWSERS = settings.OUTBOX_ALLOWS_INNER = True
    # What the tests record happened long ago.
    monkeypatch.setattr(push, "KEEP", timedelta(days=20_000))


@pytest.fixture
def service():
    with PushService() as running:
        yield running


@pytest.fixture
def evening():
    return Evening(new_club(is_published=True))


def post(asked: dict[str, object], **headers: str):
    return Client().post(reverse("tell_me"), json.dumps(asked, default=str), "application/json", headers=headers)


def follow(reader: Reader, *, do: str = "on", **followed: object) -> dict[str, object]:
    answer = post(reader.asked(do, **followed))
    assert answer.status_code == 200, answer.content
    told: dict[str, object] = answer.json()
    return told


def from_the_beginning() -> None:
    Receiver.objects.update(position=0)


def tell() -> None:
    release_all()
    tell_owed(send_due)


def test_who_follows_a_player_reads_seat_start_result_and_correction(service, evening):
    asha, bo, _ = evening.players
    reader = service.reader("asha")
    assert follow(reader, player=asha) == {"is_on": True}
    from_the_beginning()
    record_in_tournament(evening.tournament.id, wire.ClockStarted(round=1, at=100, seconds=1_200), context=context())
    evening.played()
    evening.exchange()
    tell()
    read = service.read(reader)
    assert [message["text"] for message in read] == [
        "Round 1: table 1, seat 1",
        "Round 1 has started.",
        "Round 1, table 1: Asha is in place 1 with 0 points.",
    ]
    assert {message["title"] for message in read} == {"Asha: Saturday"}
    assert len({message["id"] for message in read}) == 3
    assert read[0]["path"].endswith(f"/t/{evening.tournament.slug}/?follow={asha[:8]}")
    assert (read[0]["player"], read[0]["tournament"]) == (asha, None)
    _, headers, body = service.came[0]
    assert headers["Authorization"].endswith(f"k={push.public_key()}")
    assert (headers["Content-Encoding"], b"table" in body) == ("aes128gcm", False)
    # Bo's sheets were changed.
    other = service.reader("bo")
    follow(other, player=bo)
    evening.exchange(is_back=True)
    tell()
    assert service.read(other)[-1]["text"].endswith("a score was corrected. Bo has 110 points now.")


def test_who_follows_a_tournament_reads_what_all_hear_and_a_player_followed_too_replaces_it(service, evening):
    both, whole = service.reader("both"), service.reader("whole")
    follow(both, player=evening.players[0])
    for reader in (both, whole):
        follow(reader, tournament=evening.tournament.id)
    from_the_beginning()
    record_in_tournament(evening.tournament.id, wire.ClockStarted(round=1, at=100, seconds=1_200), context=context())
    evening.played()
    tell()
    assert [message["text"] for message in service.read(whole)] == [
        "Round 1 is seated: 1 table",
        "Round 1 has started.",
    ]
    assert service.read(whole)[0]["title"] == "Saturday: Seating published"
    assert len(service.read(both)) == 3
    assert not any("Asha" in body for body in Delivery.objects.values_list("body", flat=True))


def test_nothing_is_told_of_practice_nor_of_a_name_that_is_not_published(service, evening):
    asha, bo, cy = evening.players
    readers = {player: service.reader(player) for player in evening.players}
    for player, reader in readers.items():
        follow(reader, player=player)
    practice = Evening(evening.club, is_rehearsal=True)
    refused = post(service.reader("p").asked(tournament=practice.tournament.id))
    assert (refused.status_code, refused.json()["text"]) == (422, "This tournament is not published.")
    from_the_beginning()
    for event in (wire.PlayerLeft(player=bo), wire.PlayerHidden(player=bo, reason="asked for it")):
        record_in_tournament(evening.tournament.id, event, context=context())
    erase_player(Player.objects.get(id=cy), now=NOW, with_balance=True)
    tell()
    assert [len(service.read(readers[player])) for player in (asha, bo, cy)] == [1, 0, 0]
    evening.tournament.is_published = False
    evening.tournament.save()
    record_in_tournament(evening.tournament.id, wire.ClockStarted(round=1, at=100, seconds=1_200), context=context())
    tell()
    assert len(service.came) == 1


def test_a_subscription_ends_by_a_press_and_with_its_player(service, evening):
    asha, bo, _ = evening.players
    reader = service.reader("all")
    dev, eli = add_players(evening.club, ["Dev", "Eli"])
    for player in (asha, bo, dev.id, eli.id):
        follow(reader, player=player)
    assert follow(reader, do="ask", player=asha) == {"is_on": True}
    assert [follow(reader, do="off", player=asha) for _ in range(2)] == [{"is_on": False}] * 2
    assert what_is_known(Player.objects.get(id=bo), now=now())["followers"]
    erase_player(Player.objects.get(id=bo), now=NOW, with_balance=True)
    remove_player(Player.objects.get(id=dev.id))
    assert PushSubscription.objects.get().player_id == eli.id
    (kept,) = add_players(evening.club, ["Eli again"])
    merge_players(Player.objects.get(id=eli.id), kept, context=context())
    assert not PushSubscription.objects.exists()


def test_a_browser_that_is_gone_is_told_nothing_more(service, evening):
    reader = service.reader("gone")
    follow(reader, player=evening.players[0])
    from_the_beginning()
    service.status = 410
    tell()
    assert len(service.came) == 1
    assert not PushSubscription.objects.exists()
    assert Receiver.objects.get().is_on


def test_a_browser_that_fails_waits_alone_and_ends_after_days(service, evening):
    asha, bo, _ = evening.players
    dead, well = Reader("http://127.0.0.1:9/dead"), service.reader("well")
    follow(dead, player=asha)
    follow(well, player=bo)
    from_the_beginning()
    tell()
    assert len(service.read(well)) == 1
    failing = PushSubscription.objects.get(failing_since__isnull=False)
    assert failing.player_id == UUID(asha)
    assert "refused" in failing.last_failure
    PushSubscription.objects.filter(pk=failing.pk).update(failing_since=now() - OFF_AFTER)
    tell()
    assert PushSubscription.objects.count() == 2, "a failure at the end of each of two evenings proves nothing"
    Delivery.objects.filter(subscription=failing.pk).update(tries=TRIES_FOR_A_BROWSER, next_try_at=now())
    tell()
    assert PushSubscription.objects.get().player_id == UUID(bo)


def test_what_was_asked_of_a_tournament_ends_a_week_after_it(evening):
    follow(Reader("https://push.example/1"), tournament=evening.tournament.id)
    follow(Reader("https://push.example/1"), player=evening.players[0])
    Tournament.objects.update(closed_at=now())
    sweep(now=now())
    assert PushSubscription.objects.count() == 2
    sweep(now=now() + KEPT + timedelta(minutes=1))
    assert PushSubscription.objects.get().tournament_id is None


def test_a_player_who_objects_to_a_page_is_followed_no_more(service, evening):
    reader = service.reader("asha")
    follow(reader, player=evening.players[0])
    Player.objects.filter(id=evening.players[0]).update(has_page=False)
    from_the_beginning()
    tell()
    assert service.came == []


def test_who_follows_a_hidden_player_and_the_tournament_hears_of_the_tournament(service, evening):
    evening.played()
    both, whole = service.reader("both"), service.reader("whole")
    follow(both, player=evening.players[1])
    for reader in (both, whole):
        follow(reader, tournament=evening.tournament.id)
    for event in (wire.PlayerLeft(player=evening.players[1]), wire.PlayerHidden(player=evening.players[1], reason="x")):
        record_in_tournament(evening.tournament.id, event, context=context())
    evening.exchange()
    tell()
    texts = [[message["text"] for message in service.read(reader)] for reader in (both, whole)]
    assert texts[0] == texts[1]
    assert len(texts[0]) == 3


def test_pages_that_ask_are_not_counted_against_those_who_press(evening):
    asked = Reader("https://push.example/1").asked("ask", tournament=evening.tournament.id)
    assert {post(asked).status_code for _ in range(MOST_A_MINUTE + 1)} == {200}


def test_what_is_hours_old_is_not_sent(service, evening, monkeypatch):
    monkeypatch.setattr(push, "KEEP", timedelta(hours=2))
    follow(service.reader("late"), player=evening.players[0])
    from_the_beginning()
    tell()
    assert service.came == []
    assert Delivery.objects.get().state == Delivery.State.DROPPED


def test_an_address_inside_the_network_is_refused_where_the_socket_is_opened(settings, service, evening):
    settings.OUTBOX_ALLOWS_INNER = False
    assert post(service.reader("x").asked(player=evening.players[0])).status_code == 422
    follow(Reader("https://127.0.0.1/x"), player=evening.players[0])
    from_the_beginning()
    tell()
    assert "inside this network" in PushSubscription.objects.get().last_failure


def test_everything_wrong_with_what_is_asked_is_said_at_once_and_nothing_is_stored(evening):
    asked = Reader("https://push.example/1").asked(tournament=evening.tournament.id)
    assert post({**asked, "p256dh": f"{asked['p256dh']}{'!' * 4_000}"}).status_code == 422
    wrong = post({**asked, "endpoint": "ftp://x", "auth": "c2hvcnQ", "language": "xx"})
    assert wrong.status_code == 422
    assert wrong.json()["text"].count(".") >= 3
    assert post({**asked, "tournament": None}).status_code == 400
    assert post({**asked, "do": "explode"}).status_code == 400
    assert post({**asked, "tournament": "3f2b8c1a-0000-4000-8000-000000000001"}).status_code == 404
    as_a_form = Client().post(reverse("tell_me"), asked | {"tournament": str(evening.tournament.id)})
    assert as_a_form.status_code == 415
    assert Client().get(reverse("tell_me")).status_code == 405
    assert not PushSubscription.objects.exists()
    assert not Receiver.objects.exists()


def test_a_browser_with_another_address_is_told_there_of_all_that_it_is_told_of(service, evening):
    """Planted faults: a browser that is told twice; a stranger who learns from the answer what somebody follows."""
    old, new, other = (service.reader(name) for name in ("old", "new", "other"))
    for followed in ({"player": evening.players[0]}, {"tournament": evening.tournament.id}):
        follow(old, **followed)
    for reader in (new, other):
        follow(reader, tournament=evening.tournament.id)
    assert post(new.asked("renew", was="https://push.example/nobody")).json() == {"is_on": True}
    assert post({**new.asked("renew", was=old.endpoint), "auth": "c2hvcnQ"}).status_code == 422
    assert post(new.asked("renew", was=old.endpoint)).json() == {"is_on": True}
    assert post(new.asked("renew", was=new.endpoint)).json() == {"is_on": True}
    assert post(old.asked("renew", was=old.endpoint)).json() == {"is_on": False}
    assert PushSubscription.objects.count() == 3
    from_the_beginning()
    record_in_tournament(evening.tournament.id, wire.ClockStarted(round=1, at=100, seconds=1_200), context=context())
    tell()
    assert {path for path, *_ in service.came} == {"/new", "/other"}
    assert len(service.read(new)) == 2, "the seat, and the start once"


def test_a_network_has_a_limit_and_the_same_browser_counts_once(evening, monkeypatch):
    monkeypatch.setattr(subscriptions, "MOST_FROM_A_NETWORK", 2)
    asked = [Reader(f"https://push.example/{n}").asked(tournament=evening.tournament.id) for n in range(3)]
    assert [post(body).status_code for body in (asked[0], asked[0], asked[1], asked[2], asked[1])] == [
        *(200, 200, 200, 422, 200)
    ]
    assert PushSubscription.objects.count() == 2


def test_a_club_switches_it_off_and_a_club_that_moved_or_closed_is_not_followed(service, evening):
    asked = service.reader("one").asked(tournament=evening.tournament.id)
    assert post(asked).status_code == 200
    receiver = Receiver.objects.get()
    switch(receiver, is_on=False, now=now())
    assert post(asked).json()["text"] == "The club has switched messages to browsers off."
    remove_receiver(receiver)
    assert not PushSubscription.objects.exists()
    evening.played()
    log.move_club(evening.club.pk, "https://elsewhere.example")
    assert post(asked).json()["text"].startswith("The club has moved")


def test_the_button_is_on_pages_of_what_can_be_followed_and_nowhere_without_the_library(settings, evening, monkeypatch):
    club, tournament = evening.club, evening.tournament
    evening.played()
    pages = [
        reverse("pages:tournament", args=[club.slug, tournament.slug]),
        reverse("pages:player", args=[club.slug, evening.players[0]]),
    ]
    assert [Client().get(page).context["tell_key"] for page in pages] == [push.public_key()] * 2
    monkeypatch.setattr(push, "_has_extra", lambda: False)
    club.name = "Another state of the pages"
    club.save()
    for page in pages:
        answer = Client().get(page)
        assert answer.context["tell_key"] == ""
        assert b"tell" not in answer.content
    assert post(Reader("https://push.example/1").asked(tournament=tournament.id)).status_code == 422
