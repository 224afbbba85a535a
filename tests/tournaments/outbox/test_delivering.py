"""Every message arrives under its id, whatever fails: receivers, the network, a worker in the middle of its work.

Planted faults these catch: a position that moves without its deliveries, a message noted before it was sent, one that
is given up after the first failure, a second worker that sends the same, a receiver switched off by one bad message, a
signature over the body alone.
"""

import json
import random
import smtplib
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now
from standardwebhooks import Webhook

from scoring.events import wire
from scoring.messages import say
from tests.builders.api_clients import person
from tests.builders.patience import PATIENCE
from tests.builders.playing import context, new_club
from tests.builders.prize_evening import Evening
from tests.builders.receivers import SECRET, Inbox, end_of_log, new_receiver, release_all, told
from tests.builders.stages import Night
from tournaments.models import Club, Delivery, MessageKind, Player, Receiver, Role
from tournaments.outbox import chat, sending
from tournaments.outbox.following import clubs_behind, follow
from tournaments.outbox.posting import Answer, NoAnswer
from tournaments.outbox.receivers import send_test, switch
from tournaments.outbox.rendering import rendered
from tournaments.outbox.secrets import CannotBeRead, new_secret, opened, sealed
from tournaments.outbox.sending import KEPT, OFF_AFTER, PAUSES, in_threads, send_due, sweep, tell_owed
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_in_tournament

pytestmark = pytest.mark.django_db
State = Delivery.State


def wait_until(holds: Callable[[], bool], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.05)


def published() -> Club:
    return new_club(is_published=True)


def played(club: Club) -> Evening:
    return Evening(club).played()


def test_receivers_that_fail_at_random_get_every_message_of_a_tournament():
    chance = random.Random(7)
    club = published()
    steady, wild = new_receiver(club), new_receiver(club)
    evening = Evening(club)
    always, sometimes = Inbox(), Inbox(lambda identity: chance.choice((204, 204, 500, 429, 400, 404)))
    inboxes = {steady.pk: always, wild.pk: sometimes}
    corrections: list[Callable[[], object]] = [evening.exchange, partial(evening.exchange, is_back=True)] * 3
    steps = [evening.played, *corrections, *[release_all] * 60]
    for step in steps:
        step()
        for club_id in clubs_behind():
            follow(club_id, now=now())
        for receiver in sending.due():
            with patch.object(sending, "post", inboxes[receiver.pk]):
                send_due(receiver)
    assert len(always.bodies) == steady.deliveries.count() > 20
    assert always.calls == list(always.bodies)
    assert sorted(map(json.dumps, sometimes.bodies.values())) == sorted(map(json.dumps, always.bodies.values()))
    assert len(sometimes.calls) > len(sometimes.bodies)
    assert not Delivery.objects.exclude(state=State.SENT).exists()


def test_while_a_receiver_is_down_its_messages_wait_in_order_and_each_try_waits_longer():
    club = published()
    receiver = new_receiver(club)
    played(club)
    inbox = Inbox(lambda identity: 503)
    for pause in PAUSES[:4]:
        began = now()
        told(inbox)
        receiver.refresh_from_db()
        assert began + pause <= receiver.busy_until <= now() + pause
        release_all()
    assert len(set(inbox.calls)) == 1
    inbox.answer = lambda identity: 200
    told(inbox)
    assert [*inbox.bodies] == [*Delivery.objects.order_by("position", "number").values_list("message_id", flat=True)]
    receiver.refresh_from_db()
    assert (receiver.failures, receiver.failing_since) == (0, None)


def test_a_message_that_is_refused_does_not_hold_up_the_others():
    club = published()
    new_receiver(club)
    played(club)
    inbox = Inbox(lambda identity: 200 if inbox.bodies else 400)
    told(inbox)
    assert inbox.bodies == {}
    inbox.answer = lambda identity: 400 if identity == inbox.calls[0] else 200
    release_all()
    told(inbox)
    assert len(inbox.bodies) == 4
    assert Delivery.objects.get(state=State.WAITING).tries == 2
    assert Receiver.objects.get().is_on


def test_a_message_refused_for_three_days_is_given_up():
    assert timedelta(days=2.5) < sum(PAUSES, timedelta()) < timedelta(days=4)
    club = published()
    new_receiver(club, kinds=["seating_published"])
    played(club)
    inbox = Inbox(lambda identity: 400)
    with patch.object(sending, "OFF_AFTER", timedelta(days=30)):
        for _ in range(len(PAUSES) + 3):
            told(inbox)
            release_all()
    assert len(inbox.calls) == len(PAUSES) + 1
    assert Delivery.objects.get().state == State.FAILED


@pytest.mark.parametrize("has_mail", [True, False])
def test_a_receiver_that_is_gone_is_switched_off_and_the_owner_is_told(settings, has_mail):
    settings.HAS_MAIL_SERVER = has_mail
    club = published()
    person(club, Role.OWNER, email="owner@example.org")
    receiver = new_receiver(club)
    played(club)
    told(Inbox(lambda identity: 410))
    receiver.refresh_from_db()
    assert (receiver.is_on, receiver.off_reason) == (False, "gone")
    assert [letter.to for letter in mail.outbox] == [["owner@example.org"]] * has_mail
    assert told(Inbox()).calls == []


def test_a_receiver_that_is_down_for_a_day_loses_nothing_and_after_three_it_is_switched_off():
    club = published()
    receiver = new_receiver(club)
    played(club)
    told(Inbox(lambda identity: 500))
    Receiver.objects.update(failing_since=now() - timedelta(days=1))
    release_all()
    told(Inbox(lambda identity: 500))
    assert Receiver.objects.get().is_on
    Receiver.objects.update(failing_since=now() - OFF_AFTER)
    release_all()
    told(Inbox(lambda identity: 500))
    receiver.refresh_from_db()
    assert (receiver.is_on, receiver.off_reason) == (False, "failing")
    assert receiver.deliveries.filter(state=State.WAITING).count() == 5


def test_a_worker_killed_between_sending_and_noting_sends_again_under_the_same_id():
    club = published()
    new_receiver(club)
    played(club)
    inbox = Inbox()
    with patch.object(sending, "_note", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        told(inbox)
    # Its claim holds until it ends.
    assert told(inbox).calls == inbox.calls[:1]
    release_all()
    told(inbox)
    assert len(inbox.calls) == len(inbox.bodies) + 1
    assert inbox.calls[0] == inbox.calls[1]


def test_a_worker_killed_while_it_writes_deliveries_writes_none_of_them():
    club = published()
    receiver = new_receiver(club)
    played(club)
    write = Delivery.objects.bulk_create

    def write_and_die(*args: Any, **kwargs: Any) -> None:
        assert write(*args, **kwargs)
        raise KeyboardInterrupt

    killed = patch.object(Delivery.objects, "bulk_create", write_and_die)
    with killed, pytest.raises(KeyboardInterrupt), transaction.atomic():
        follow(club.pk, now=now())
    receiver.refresh_from_db()
    assert (receiver.position, Delivery.objects.count()) == (0, 0)
    assert follow(club.pk, now=now())
    receiver.refresh_from_db()
    assert receiver.position == end_of_log(club)


def test_two_workers_send_each_message_once():
    club = published()
    receiver = new_receiver(club)
    played(club)
    follow(club.pk, now=now())
    inbox = Inbox()

    def answer(identity):
        # The other worker comes while this one waits for its answer.
        assert send_due(receiver) == 0
        return 200

    inbox.answer = answer
    told(inbox)
    assert len(inbox.calls) == len(set(inbox.calls)) == 5


def test_events_that_are_told_twice_are_written_once():
    club = published()
    new_receiver(club)
    played(club)
    assert follow(club.pk, now=now())
    before = Delivery.objects.count()
    assert not follow(club.pk, now=now())
    assert Delivery.objects.count() == before


def test_an_event_whose_transaction_is_rolled_back_is_not_told():
    club = published()
    evening = Evening(club)
    new_receiver(club, position=end_of_log(club))
    start = wire.ClockStarted(round=1, at=100, seconds=1_200)

    def started_and_killed():
        record_in_tournament(evening.tournament.id, start, context=context())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), transaction.atomic():
        started_and_killed()
    assert told(Inbox()).calls == []
    record_in_tournament(evening.tournament.id, start, context=context())
    assert len(told(Inbox()).calls) == 1


def test_a_receiver_gets_only_its_kinds_and_only_its_clubs_events():
    club, other = published(), published()
    new_receiver(club, kinds=["table_result"])
    new_receiver(other)
    played(club)
    inbox = told(Inbox())
    assert inbox.kinds() == ["table_result"]


def test_the_library_of_standard_webhooks_verifies_a_message_with_either_secret():
    club = published()
    fresh = new_secret()
    until = now() + timedelta(hours=1)
    new_receiver(club, secret=sealed(fresh), old_secret=sealed(SECRET), old_secret_until=until)
    played(club)
    bodies = []

    class Raw(Inbox):
        def __call__(self, url, body, headers, **extra):
            bodies.append(body)
            return super().__call__(url, body, headers, **extra)

    inbox = told(Raw())
    for secret in (fresh, SECRET):
        for body, headers in zip(bodies, inbox.headers, strict=True):
            assert Webhook(secret).verify(body, headers)["type"] in MessageKind.values
    with pytest.raises(Exception, match="No matching signature"):
        Webhook(new_secret()).verify(bodies[0], inbox.headers[0])
    assert inbox.headers[0]["webhook-id"].startswith("msg_")


@pytest.mark.parametrize("channel", ["webhook", "players"])
def test_after_a_restore_an_event_has_the_ids_it_had_and_another_at_its_position_has_not(settings, channel):
    """Planted faults: an id of position and number, and one that is drawn when a delivery is written."""
    settings.HAS_MAIL_SERVER = True
    club = published()
    new_receiver(club, channel)
    evening = Evening(club)
    players = Player.objects.filter(id__in=evening.players)
    players.update(email="a@club.example", wants_mail=True)

    def ids() -> dict[int, set[str]]:
        follow(club.pk, now=now())
        by_position: dict[int, set[str]] = {}
        for position, identity in Delivery.objects.values_list("position", "message_id"):
            by_position.setdefault(position, set()).add(identity)
        return by_position

    as_backed_up = transaction.savepoint()
    before = ids()
    record_in_tournament(evening.tournament.id, wire.ClockStarted(round=1, at=100, seconds=1_200), context=context())
    lost = ids()
    transaction.savepoint_rollback(as_backed_up)
    players.filter(id=evening.players[0]).update(wants_mail=False)
    record_in_tournament(evening.tournament.id, wire.ClockStarted(round=1, at=100, seconds=1_500), context=context())
    again = ids()
    (position,) = set(lost) - set(before)
    assert again.pop(position).isdisjoint(lost[position])
    assert all(ids <= before[earlier] for earlier, ids in again.items())
    assert channel == "players" or again == before


@pytest.mark.django_db(transaction=True)
def test_receivers_of_one_club_that_hang_delay_no_other_club_nor_each_new_one_of_their_own(settings):
    """Planted fault: one queue of threads for all clubs."""
    slow, quick = published(), published()
    hanging = [new_receiver(slow, kinds=["seating_published"]) for _ in range(sending.THREADS + 1)]
    new_receiver(quick, kinds=["seating_published"])
    for club in (slow, quick):
        Evening(club)
    arrived, may_answer = threading.Event(), threading.Event()

    def answer(url, body, headers, **extra):
        if json.loads(body)["data"]["club"] == quick.slug:
            arrived.set()
        else:
            may_answer.wait(20)
        return Answer(status=204)

    try:
        with patch.object(sending, "post", answer):
            tell_owed(in_threads)
            assert arrived.wait(3)
            # Looked at again a second later: what is queued is not queued twice.
            tell_owed(in_threads)
            may_answer.set()
            wait_until(lambda: Delivery.objects.filter(state=State.SENT).count() == len(hanging) + 1)
            wait_until(lambda: not sending._at_work.total())
    finally:
        may_answer.set()
    assert not Delivery.objects.filter(tries__gt=1).exists()


@pytest.mark.django_db(transaction=True)
def test_receivers_that_failed_leave_threads_of_their_club_to_the_others():
    club = published()
    for _ in range(sending.THREADS):
        new_receiver(club, kinds=["seating_published"], failing_since=now())
    well = new_receiver(club, kinds=["seating_published"])
    Evening(club)
    may_answer = threading.Event()

    def answer(url, body, headers, **extra):
        if headers["webhook-id"] != well.deliveries.get().message_id:
            may_answer.wait(20)
        return Answer(status=204)

    try:
        with patch.object(sending, "post", answer):
            tell_owed(in_threads)
            wait_until(lambda: well.deliveries.get().state == State.SENT, seconds=3)
            may_answer.set()
            wait_until(lambda: not sending._at_work.total())
    finally:
        may_answer.set()


@pytest.mark.slow
def test_mail_to_two_hundred_players_costs_two_queries_each_and_their_own_table_alone(settings):
    """Planted faults: looking names and merges up for each mail, and all tables in each delivery."""
    settings.HAS_MAIL_SERVER = True
    counted = {}
    for number in (12, 200):
        club = published()
        names = [f"Player {n}" for n in range(number)]
        night = Night({"stages": [{"smallest_table": 4}]}, names=names, club=club, is_published=True)
        Player.objects.filter(club=club).update(email="a@club.example", wants_mail=True)
        new_receiver(club, "players", kinds=["seating_published"], position=end_of_log(club))
        night.seat(*(range(at, at + 4) for at in range(0, number, 4)))
        with CaptureQueriesContext(connection) as following:
            follow(club.pk, now=now())
        assert len(mail.outbox) == 0
        assert max(len(body) for body in Delivery.objects.values_list("body", flat=True)) < 800
        with CaptureQueriesContext(connection) as sent:
            while Delivery.objects.filter(receiver__club=club, state=State.WAITING).exists():
                tell_owed(send_due)
        assert len(mail.outbox) == number
        assert "Round 1: table 3, seat 4" in mail.outbox[11].body
        mail.outbox.clear()
        counted[number] = len(following), len(sent)
    (few_told, few_sent), (many_told, many_sent) = counted.values()
    # More rows are written by more statements, and more batches are begun.
    assert many_told <= few_told + 5
    assert many_sent - few_sent <= 2 * (200 - 12) + 20 * 4


def test_a_secret_is_not_readable_in_the_database_nor_with_another_key(settings):
    receiver = new_receiver(published())
    assert SECRET not in receiver.secret
    assert "hook.example" not in receiver.address
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another key"
    assert opened(receiver.secret) == SECRET
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(CannotBeRead):
        opened(receiver.secret)
    played(receiver.club)
    assert told(Inbox()).calls == []
    receiver.refresh_from_db()
    assert receiver.off_reason == "unreadable"


def test_one_defect_of_ours_holds_up_no_other_message(caplog):
    club = published()
    new_receiver(club)
    played(club)
    inbox = Inbox()

    def broken(delivery, *more):
        if delivery.kind == MessageKind.SEATING_PUBLISHED:
            raise ZeroDivisionError
        return rendered(delivery, *more)

    with patch.object(sending, "rendered", broken):
        told(inbox)
    assert len(inbox.bodies) == 4
    assert Delivery.objects.get(state=State.WAITING).answer == "ZeroDivisionError"


def test_a_network_failure_is_noted_with_its_reason():
    club = published()
    new_receiver(club)
    played(club)
    with patch.object(sending, "post", side_effect=NoAnswer("refused by\0\ud800who knows")):
        tell_owed(send_due)
    delivery = Delivery.objects.order_by("position").first()
    assert delivery is not None
    # The receiver was down: that is no try of the message.
    assert (delivery.state, delivery.tries, delivery.answer) == (State.WAITING, 0, "refused by  who knows")


def test_old_deliveries_are_swept_and_those_that_wait_are_kept():
    club = published()
    receiver = new_receiver(club)
    played(club)
    told(Inbox(lambda identity: 200 if len(identity) else 500))
    waiting = receiver.deliveries.first()
    assert waiting is not None
    receiver.deliveries.filter(pk=waiting.pk).update(state=State.WAITING)
    assert sweep(now=now()) == 0
    assert sweep(now=now() + KEPT + timedelta(days=1)) == 4
    assert list(receiver.deliveries.all()) == [waiting]


def test_a_merged_player_is_written_to_under_the_row_that_stays(settings):
    settings.HAS_MAIL_SERVER = True
    club = published()
    new_receiver(club, "players", kinds=["table_result"])
    evening = Evening(club)
    (other,) = add_players(club, ["Bo Other"])
    Player.objects.filter(id=other.id).update(email="bo@example.org", wants_mail=True)
    Player.objects.filter(id=evening.players[1]).update(merged_into=other)
    evening.played()
    tell_owed(send_due)
    (letter,) = mail.outbox
    assert letter.to == ["bo@example.org"]
    assert "you are in place 2" in letter.body


def test_a_failure_that_nothing_waits_for_any_more_is_forgotten():
    club = published()
    receiver = new_receiver(club, kinds=["seating_published", "deal_corrected"])
    evening = played(club)
    told(Inbox(lambda identity: 500))
    Receiver.objects.update(failing_since=now() - OFF_AFTER)
    receiver.deliveries.exclude(tried_at=None).delete()
    release_all()
    evening.exchange()
    told(Inbox(lambda identity: 500))
    receiver.refresh_from_db()
    assert (receiver.is_on, receiver.failures) == (True, 1)


def one_mail_each(settings):
    """Mail to three players of a seating."""
    settings.SENDS_MAIL = True
    club = published()
    new_receiver(club, "players", kinds=["seating_published"])
    for at, player in enumerate(Evening(club).players):
        Player.objects.filter(id=player).update(email=f"{at}@example.org", wants_mail=True)


class OfProvider(Exception):
    """As django-anymail raises: with the provider's status."""

    def __init__(self, status_code: int) -> None:
        super().__init__(status_code)
        self.status_code = status_code


class AnymailRecipientsRefused(Exception):
    """Of this name in django-anymail."""


@pytest.mark.parametrize(
    ("error", "arrived"),
    [
        (smtplib.SMTPDataError(554, b"no such user"), 2),
        (UnicodeEncodeError("ascii", "\u017f", 0, 1, "no"), 2),
        (AnymailRecipientsRefused(), 2),
        (OfProvider(422), 2),
        (OfProvider(429), 0),
        (OfProvider(503), 0),
        (OSError("no server"), 0),
    ],
)
def test_one_dead_mailbox_stops_no_mail_to_other_players(settings, error, arrived):
    one_mail_each(settings)
    send, calls = EmailMultiAlternatives.send, []

    def first_fails(letter, *args):
        calls.append(letter)
        if len(calls) == 1:
            raise error
        return send(letter, *args)

    with patch.object(EmailMultiAlternatives, "send", first_fails):
        tell_owed(send_due)
    assert len(mail.outbox) == arrived
    receiver = Receiver.objects.get()
    assert (receiver.failures, receiver.failing_since is None) == ((0, True) if arrived else (1, False))


@pytest.mark.parametrize("change", ["off", "remove", "stop", "erase"])
def test_what_is_stopped_while_messages_are_sent_is_not_sent(settings, change):
    one_mail_each(settings)
    changes: dict[str, Callable[[], object]] = {
        "off": lambda: switch(Receiver.objects.get(), is_on=False, now=now()),
        "remove": Receiver.objects.all().delete,
        "stop": partial(Player.objects.update, wants_mail=False),
        "erase": Delivery.objects.exclude(state=State.SENT).delete,
    }
    send = EmailMultiAlternatives.send

    def sent_and_stopped(letter, *args):
        send(letter, *args)
        changes[change]()

    with patch.object(EmailMultiAlternatives, "send", sent_and_stopped):
        tell_owed(send_due)
    assert len(mail.outbox) == 1


def test_a_test_message_ends_a_long_pause_and_never_the_claim_of_a_worker():
    club = published()
    receiver = new_receiver(club)
    played(club)
    follow(club.pk, now=now())

    def answer(identity):
        send_test(receiver, now=now())
        assert send_due(receiver) == 0
        return 200

    assert len(told(Inbox(answer)).calls) == 5
    Receiver.objects.update(busy_until=now() + timedelta(hours=1), failures=5)
    send_test(receiver, now=now())
    assert len(told(Inbox()).calls) == 6


def test_an_exception_in_one_club_does_not_keep_the_others_from_being_told(caplog):
    one, other = published(), published()
    for club in (one, other):
        new_receiver(club)
        played(club)
    broken = min(clubs_behind(), key=clubs_behind().index)

    def follow_all_but_one(club_id, **extra):
        if club_id == broken:
            raise ZeroDivisionError
        return follow(club_id, **extra)

    with patch.object(sending, "follow", follow_all_but_one):
        assert len(told(Inbox()).bodies) == 5
    assert "a club's events cannot be told" in caplog.text


def test_a_chat_that_does_not_take_one_message_gets_the_next_after_three_tries():
    club = published()
    new_receiver(club, "chat", kinds=["seating_published", "table_result"])
    played(club)
    refused = "Seating published"
    arrived = []

    def send(address, title, text):
        if refused in title:
            return say("The chat did not take the message")
        arrived.append(title)
        return None

    for tries in (1, 2, 3):
        with patch.object(chat, "send", send):
            tell_owed(send_due)
        assert bool(arrived) is (tries == 3)
        release_all()
