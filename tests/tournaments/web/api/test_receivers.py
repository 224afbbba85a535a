"""Receivers of a club's messages by a program, as on their page.

Planted faults these catch: a secret in a list, a second secret for a request that was sent again, another club's
receiver that answers, a receiver that is told of what happened before it was switched on.
"""

from typing import Any, get_args
from uuid import uuid4

import pytest

from tests.builders.api_clients import Device
from tests.builders.playing import NOW, new_club
from tests.builders.prize_evening import Evening
from tests.builders.receivers import Inbox, end_of_log, new_receiver, told
from tournaments.log.context import club_lock
from tournaments.models import MessageKind, Receiver, Role
from tournaments.outbox.receivers import readable_secrets
from tournaments.web.api import receivers
from tournaments.web.api.receiver_shapes import AnyChannel, KindName

pytestmark = pytest.mark.django_db
HOOK = {"channel": "webhook", "name": "Website", "address": "https://hook.example/in", "kinds": ["table_result"]}


@pytest.fixture
def club():
    return new_club(is_published=True)


@pytest.fixture
def director(club):
    return Device(club, Role.DIRECTOR)


def path(club, *more: object) -> str:
    return "/".join(map(str, ("/api/v1/clubs", club.pk, "receivers", *more, "")))


def test_a_receiver_is_added_once_and_its_secret_is_in_that_answer_alone(club, director):
    Evening(club).played()
    key = uuid4().hex
    first, again = (director.send(path(club), HOOK, key=key) for _ in range(2))
    assert (first.status_code, again.status_code, again["Idempotency-Replayed"]) == (201, 201, "true")
    assert director.send(path(club), {**HOOK, "name": "x"}, key=key).json()["code"] == "key_reused"
    receiver = Receiver.objects.get()
    assert first["Cache-Control"] == "no-store"
    assert first.json()["secret"] == again.json()["secret"] == readable_secrets(receiver, now=NOW)[0]
    assert (receiver.position, receiver.site) == (end_of_log(club), "http://testserver")
    (listed,) = director.get(path(club), {"channel": "webhook", "on": "true"}).json()["items"]
    assert (listed["address"], listed["kinds"], "secret" in listed) == (HOOK["address"], ["table_result"], False)
    assert director.get(path(club), {"channel": "mail"}).json()["items"] == []
    assert Device(club, Role.SCORER).get(path(club)).status_code == 403


def test_every_problem_is_named_at_its_field(club, director):
    shape = director.send(path(club), {"channel": "pigeon", "kinds": ["test"], "x": 1})
    assert {problem["field"] for problem in shape.json()["problems"]} == {"channel", "kinds[0]", "name", "x"}
    inner = director.send(path(club), {**HOOK, "address": "http://10.0.0.1/", "language": "tlh"})
    assert {problem["field"] for problem in inner.json()["problems"]} == {"address", "language"}
    chat = {**HOOK, "channel": "chat", "address": "ntfy://club", "kinds": ["balance_due"]}
    assert [problem["code"] for problem in director.send(path(club), chat).json()["problems"]] == ["not_for_chats"]
    assert not Receiver.objects.exists()


def test_a_new_secret_is_made_once_for_a_key_and_the_former_one_stays_for_a_day(club, director):
    """Planted fault: sent again, it ends the secret that the website still has."""
    receiver, key = new_receiver(club), uuid4().hex
    former = readable_secrets(receiver, now=NOW)[0]
    answers = [director.send(path(club, receiver.pk, "secret"), {}, key=key) for _ in range(2)]
    assert [answer.get("Idempotency-Replayed") for answer in answers] == [None, "true"]
    receiver.refresh_from_db()
    secrets = readable_secrets(receiver, now=NOW)
    assert secrets == [answers[0].json()["secret"], former]
    assert answers[1].json()["secret"] == secrets[0] != former
    other = director.send(path(club, receiver.pk, "secret"), {})
    assert other.json()["secret"] not in (secrets[0], former)
    mail = new_receiver(club, "mail")
    refused = director.send(path(club, mail.pk, "secret"), {})
    assert [problem["code"] for problem in refused.json()["problems"]] == ["no_secret"]


def test_a_receiver_is_changed_switched_tested_and_removed(club, director):
    receiver = new_receiver(club)
    changed = director.send(path(club, receiver.pk, "change"), {"name": "Site", "kinds": ["seating_published"]})
    assert (changed.status_code, changed.json()["name"], changed.json()["address"]) == (
        201,
        "Site",
        "https://hook.example/in",
    )
    off = [director.send(path(club, receiver.pk, "switch"), {"is_on": False}) for _ in range(2)]
    assert [answer.get("Idempotency-Replayed") for answer in off] == [None, "true"]
    assert [problem["code"] for problem in director.send(path(club, receiver.pk, "test"), {}).json()["problems"]] == [
        "is_off"
    ]
    Evening(club).played()
    on = director.send(path(club, receiver.pk, "switch"), {"is_on": True})
    assert on.json()["is_on"] is True
    receiver.refresh_from_db()
    assert receiver.position == end_of_log(club)
    assert director.send(path(club, receiver.pk, "test"), {}).status_code == 200
    assert told(Inbox()).kinds() == ["test"]
    (sent,) = director.get(path(club, receiver.pk, "deliveries"), {"kind": "test"}).json()["items"]
    assert (sent["kind"], sent["state"], sent["tries"], "next_try_at" in sent) == ("test", "sent", 1, False)
    assert director.get(path(club, receiver.pk, "deliveries"), {"state": "waiting"}).json()["items"] == []
    assert director.send(path(club, receiver.pk, "remove"), {}).json()["id"] == str(receiver.pk)
    assert director.send(path(club, receiver.pk, "remove"), {}).status_code == 404
    assert not Receiver.objects.exists()


def test_two_programs_that_change_different_fields_lose_neither(club, director, monkeypatch):
    receiver, change, locked = new_receiver(club), {"name": "Site"}, club_lock

    def second_comes_first(club_id):
        monkeypatch.setattr(receivers, "club_lock", locked)
        director.send(path(club, receiver.pk, "change"), {"address": "https://new.example/in"})
        return locked(club_id)

    monkeypatch.setattr(receivers, "club_lock", second_comes_first)
    answer = director.send(path(club, receiver.pk, "change"), change).json()
    assert (answer["name"], answer["address"]) == ("Site", "https://new.example/in")


def test_the_channels_are_those_of_the_model():
    assert set(get_args(AnyChannel)) == set(Receiver.Channel.values)
    assert set(get_args(KindName)) == set(MessageKind.values) - {MessageKind.TEST}


def test_another_clubs_receiver_does_not_exist(club):
    receiver, stranger = new_receiver(club), Device(new_club("Bo's club"), Role.OWNER)
    own: Any = stranger.token.club
    for home in (club, own):
        assert stranger.get(path(home, receiver.pk, "deliveries")).status_code == 404
        for act in ("change", "test", "secret", "remove"):
            assert stranger.send(path(home, receiver.pk, act), {}).status_code == 404, act
        assert stranger.send(path(home, receiver.pk, "switch"), {"is_on": False}).status_code == 404
    receiver.refresh_from_db()
    assert receiver.is_on
