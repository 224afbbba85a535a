"""Writing to a table over HTTP: stored once, refused whole, with a clear answer.

Planted faults these catch: answering a resend from today's table instead of the stored event, a 409 without the
stored deal, a refusal that leaves something behind, a length or depth that is checked only after parsing.
"""

import json
import threading
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.db import connection, connections
from django.db.models.sql.compiler import SQLCompiler
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now
from rest_framework.throttling import SimpleRateThrottle

from scoring.events.reading import read_stored
from scoring.sheets import snapshots
from tests.builders.api_clients import Device, events_of, person, send
from tests.builders.playing import deal, finished_pool, first_drop, loses, new_table, new_tournament, show
from tournaments import log
from tournaments.models import ApiToken, Membership, Role
from tournaments.people.access import revoke_tokens

pytestmark = pytest.mark.django_db

PROBLEM = "application/problem+json"


def body(expected: int = 1, **event):
    sent = {"kind": "deal_recorded", "deal": 1, **deal(1, show, loses(34), first_drop, loses(12)), **event}
    return {"expected_version": expected, "event": sent}


@pytest.fixture
def table():
    return new_table()


@pytest.fixture
def scorer(table):
    return Device(table.row.tournament.club)


def test_a_deal_is_stored_and_answered_with_its_version_and_moment(table, scorer):
    answer = scorer.send(events_of(table), body())
    assert answer.status_code == 201
    assert answer.json()["version"] == 2
    assert answer.json()["event"] == body()["event"]
    assert answer.json()["actor"] == f"token:{scorer.token.id}"
    assert table.totals() == [0, 34, 20, 12]
    assert ApiToken.objects.get(id=scorer.token.id).last_used_at is not None
    told = scorer.send(events_of(table), {**body(2, deal=2), "occurred_at": "2026-01-17T19:30:00+05:30"})
    assert told.json()["occurred_at"] == "2026-01-17T14:00:00Z"


def test_the_same_key_and_body_get_the_same_answer_to_the_byte_and_another_body_is_refused(table, scorer):
    first = scorer.send(events_of(table), body(), key="k")
    scorer.send(events_of(table), body(2, deal=2))
    again = scorer.send(events_of(table), body(), key="k")
    other = scorer.send(events_of(table), body(deal=1, outcomes={}), key="k")
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert len(log.read(table.row.tournament.club_id, table.row.id)) == 3


def test_who_was_slower_is_told_what_stands_there(table, scorer):
    scorer.send(events_of(table), body())
    answer = scorer.send(events_of(table), deal_of(loses(9), show, loses(8), loses(7)))
    assert answer.status_code == 409
    assert answer.headers["Content-Type"] == PROBLEM
    told = answer.json()
    assert (told["code"], told["expected_version"], told["current_version"]) == ("stale_table", 1, 2)
    assert [event["event"] for event in told["events"]] == [body()["event"]]
    assert table.totals() == [0, 34, 20, 12]


def test_a_refusal_of_the_rules_names_player_seat_field_and_number_all_at_once(table, scorer):
    answer = scorer.send(events_of(table), deal_of(show, {"how": "show"}, loses(90), loses(-1)))
    assert answer.status_code == 422
    problems = answer.json()["problems"]
    assert {(problem["code"], problem["seat"], problem["field"]) for problem in problems} >= {
        ("two_winners", "2", "how"),
        ("count_over_cap", "3", "count"),
        ("negative_count", "4", "count"),
    }
    assert any("Cy has 90" in problem["detail"] for problem in problems)
    assert len(log.read(table.row.tournament.club_id, table.row.id)) == 1


def deal_of(*hands):
    return {"expected_version": 1, "event": deal(1, *hands)}


IMPOSSIBLE = [
    (b"[" * 20_000, 400, "malformed"),
    (b'{"a":' * 20_000, 400, "malformed"),
    (b" ", 400, "malformed"),
    (b"", 422, "body_rejected"),
    (b"{", 400, "malformed"),
    (b"\xff\xfe", 400, "malformed"),
    (b'{"expected_version": 1.0, "event": {}}', 400, "malformed"),
    (b'{"expected_version": 99999999999999999999, "event": {}}', 400, "malformed"),
    (b'{"expected_version": 1, "event": {"kind": "\\u0000"}}', 400, "malformed"),
    (b'{"expected_version": 1, "event": {"kind": "\\ud800"}}', 400, "malformed"),
    (b'{"expected_version": NaN, "event": {}}', 400, "malformed"),
    (b'"' + b"x" * 300_000 + b'"', 413, "too_large"),
    (b"[]", 422, "body_rejected"),
    (b"{}", 422, "body_rejected"),
    (b'{"expected_version": "1", "event": {}, "x": 1}', 422, "body_rejected"),
    (b'{"expected_version": 0, "event": {}}', 422, "body_rejected"),
    (b'{"expected_version": 1, "event": {}, "occurred_at": "0001-01-01T00:00:00+14:00"}', 422, "body_rejected"),
    (b'{"expected_version": 1, "event": {}, "occurred_at": "2026-01-17 19:00"}', 422, "body_rejected"),
    (b'{"expected_version": 1, "event": {}}', 422, "event_rejected"),
    (b'{"expected_version": 1, "event": {"kind": "table_opened"}}', 403, "not_allowed"),
    (b'{"expected_version": 1, "event": {"kind": ["x"]}}', 422, "event_rejected"),
    (b'{"expected_version": 1, "event": {"kind": "rejoined", "seat": {"a": 1}}}', 422, "event_rejected"),
]


def test_a_body_that_cannot_be_is_a_problem_document_and_nothing_is_stored(table, scorer):
    for sent, status, code in IMPOSSIBLE:
        answer = scorer.send(events_of(table), sent)
        assert (answer.status_code, answer.json()["code"]) == (status, code), sent[:80]
        assert answer.headers["Content-Type"] == PROBLEM
        assert answer.json()["status"] == status
        assert all(problem["detail"] for problem in answer.json()["problems"])
    for key in (None, "x" * 201, "é", " "):
        answer = scorer.send(events_of(table), body(), key=key)
        assert (answer.status_code, answer.json()["code"]) == (400, "missing_idempotency_key")
    answer = scorer.post(events_of(table), {"a": "b"}, headers={"Idempotency-Key": "k"})
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
    answer = scorer.send(events_of(table), {"expected_version": "1", "x": 1})
    codes = {problem["code"] for problem in answer.json()["problems"]}
    assert codes == {"wrong_type", "unknown_field", "missing_field"}
    assert len(log.read(table.row.tournament.club_id, table.row.id)) == 1


def test_a_stranger_is_asked_who_they_are(table):
    answer = send(Client(), events_of(table), body())
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_revoked_token_is_worth_nothing(table, scorer):
    assert scorer.send(events_of(table), body()).status_code == 201
    revoke_tokens([scorer.token.id], now=scorer.token.created_at)
    assert scorer.send(events_of(table), body(2, deal=2)).status_code == 401
    assert scorer.get(events_of(table)).status_code == 401


@pytest.mark.parametrize(
    "leave",
    [
        lambda owner: get_user_model().objects.filter(pk=owner.pk).update(is_active=False),
        lambda owner: Membership.objects.filter(user=owner).update(role=Role.AUDITOR),
        lambda owner: Membership.objects.filter(user=owner).delete(),
        lambda owner: owner.delete(),
    ],
    ids=["shut out", "an auditor", "no member", "deleted"],
)
def test_a_token_goes_on_whatever_becomes_of_its_maker(table, leave):
    """Planted fault: the hall's tablets stop in the middle of a round, because somebody gave up an office."""
    club = table.row.tournament.club
    maker = person(club, Role.DIRECTOR)
    device = Device(club, Role.SCORER, owner=maker)
    assert device.send(events_of(table), body()).status_code == 201
    leave(maker)
    answer = device.send(events_of(table), body(2, deal=2))
    assert (answer.status_code, answer.json()["actor"]) == (201, f"token:{device.token.pk}")


def test_a_session_needs_its_csrf_token(table):
    user = person(table.row.tournament.club, Role.SCORER)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(user)
    answer = send(browser, events_of(table), body())
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    browser.cookies["csrftoken"] = "a" * 32
    answer = send(browser, events_of(table), body(), headers={"X-CSRFToken": "a" * 32})
    assert answer.status_code == 201
    assert answer.json()["actor"] == f"user:{user.pk}"


def test_a_writer_who_floods_is_told_when_to_come_back_in_a_full_hall_too(table, scorer, monkeypatch):
    """Planted fault: a cache of 300 entries, which lost its counts when a thousand phones asked."""
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "writer", "2/min")
    with time_machine.travel(now(), tick=False):
        answers = [scorer.send(events_of(table), body(n, deal=n)) for n in range(1, 3)]
        for phone in range(1_000):
            cache.add(f"throttle_address_{phone}", 0)
        answers.append(scorer.send(events_of(table), body(3, deal=3)))
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert 1 <= int(answers[2].headers["Retry-After"]) <= 60
    assert answers[2].json()["code"] == "too_many_requests"


def test_the_processes_of_one_site_share_a_limit(table, scorer, settings, monkeypatch):
    settings.API_COUNTING_PROCESSES = 2
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "writer", "4/min")
    with time_machine.travel(now(), tick=False):
        answers = [scorer.send(events_of(table), body(n, deal=n)) for n in range(1, 4)]
    assert [answer.status_code for answer in answers] == [201, 201, 429], "each of two processes takes two of four"


def test_an_address_that_floods_is_told_too(table, monkeypatch):
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "address", "0/min")
    with time_machine.travel(datetime(2026, 1, 17, 14, 0, 20, tzinfo=UTC), tick=False):
        answer = Client().get(events_of(table), REMOTE_ADDR="198.51.100.7")
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "40")


def test_unknown_tokens_slow_down_their_address_and_hold_no_good_one_back(scorer):
    """A hall's devices share one address, and one of them tries an old token for ever.

    Planted faults it catches: failures of tokens not counted; a good token refused because of a bad one; a failure
    of a token that keeps people of the same address from signing in.
    """
    old: dict[str, Any] = {"headers": {"Authorization": "Bearer rummy_of-last-year"}}
    with time_machine.travel(now(), tick=False):
        statuses = [Client().get("/api/v1/clubs/", **old).status_code for _ in range(22)]
        refused = Client().get("/api/v1/clubs/", **old)
    assert statuses == [401] * 21 + [429]
    assert refused.json()["code"] == "too_many_requests"
    assert int(refused.headers["Retry-After"]) >= 1
    assert scorer.get("/api/v1/clubs/").status_code == 200
    user = person(scorer.token.club, is_staff=True)
    answer = Client().post("/admin/login/", {"username": user.username, "password": "pw"})
    assert answer.status_code == 302


@pytest.mark.django_db(transaction=True)
def test_of_two_scorers_who_save_the_same_deal_one_is_told_what_the_other_wrote():
    table = new_table()
    club = table.row.tournament.club
    devices = [Device(club), Device(club)]
    hands = [[show, loses(34), loses(5), loses(6)], [loses(34), show, loses(7), loses(8)]]
    barrier = threading.Barrier(2)
    answers = []

    def save(number: int) -> None:
        barrier.wait()
        answers.append(devices[number].send(events_of(table), deal_of(*hands[number])))
        connections.close_all()

    threads = [threading.Thread(target=save, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored, told = sorted(answers, key=lambda answer: answer.status_code)
    assert (stored.status_code, told.status_code) == (201, 409)
    assert [event["event"] for event in told.json()["events"]] == [stored.json()["event"]]


def test_something_that_breaks_is_told_as_a_problem_and_nothing_is_stored(table, scorer, monkeypatch):
    def broken(*args, **kwargs):
        raise ZeroDivisionError

    monkeypatch.setattr("tournaments.tables.commands.record.write_boards", broken)
    scorer.raise_request_exception = False
    answer = scorer.send(events_of(table), body())
    assert (answer.status_code, answer.json()["code"]) == (500, "defect")
    assert "Zero" not in answer.content.decode()
    assert len(log.read(table.row.tournament.club_id, table.row.id)) == 1


def test_a_pool_is_played_and_closed_over_http(scorer, table):
    events = [
        deal(1, show, loses(60), loses(70), loses(80)),
        deal(2, show, loses(60), loses(70), loses(80)),
        {"kind": "table_closed"},
    ]
    for version, event in enumerate(events, start=1):
        answer = scorer.send(events_of(table), {"expected_version": version, "event": event})
        assert answer.status_code == 201, json.dumps(answer.json())
    shown = scorer.get(f"/api/v1/tables/{table.row.id}/").json()
    assert (shown["status"], shown["winners"]) == ("closed", ["1"])
    assert finished_pool().totals() == table.totals()


@pytest.mark.slow
def test_a_deal_takes_few_statements_of_which_django_writes_one_however_long_the_table():
    """At a table where each deal is paid: the token, the sheet, the event, the boards, and the settlement owed.

    Planted faults it catches: the sheet read twice, the token read by a queryset, boards written by `update`,
    every event of the table parsed again.
    """
    table = new_table(new_tournament(preset="points", point_value_minor=100))
    device = Device(table.row.tournament.club)
    for number in range(1, 30):
        assert device.send(events_of(table), body(number, deal=number)).status_code == 201
    reads = patch.object(snapshots, "read_stored", wraps=read_stored)
    writes = patch.object(SQLCompiler, "setup_query", autospec=True, side_effect=SQLCompiler.setup_query)
    with reads as read, writes as written, CaptureQueriesContext(connection) as asked:
        assert device.send(events_of(table), body(30, deal=30)).status_code == 201
    assert len(asked) <= 8
    assert (read.call_count, written.call_count) == (1, 1)
