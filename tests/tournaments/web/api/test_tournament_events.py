"""The events of a tournament over the API: as those of a table, each with all that follows from it.

Planted faults these catch: a seating without tables, a cut that the results do not give, a tie that nobody has, a
player of another club who enters, money in another cashier's till, a clock set by a device, amounts for a scorer.
"""

import uuid
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from scoring.events import wire
from scoring.events.tournament import TOURNAMENT_EVENTS
from tests.builders.api_clients import Device
from tests.builders.playing import NOW, context, loses, new_club, show
from tests.builders.stages import Night, pool_won_in
from tests.builders.there import there
from tournaments.draw.search import lots
from tournaments.models import Role, SeatingDraft, Table
from tournaments.models.log import Event
from tournaments.people.permissions import EVENT_PERMISSIONS, MATRIX, Permission
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_in_tournament, tournament_state

pytestmark = pytest.mark.django_db

HEATS = {"stages": [{"smallest_table": 2, "per_table": 1}, {"smallest_table": 2}]}


@pytest.fixture
def night():
    return Night(HEATS, entry_minor=10_000)


@pytest.fixture
def director(night):
    return Device(night.tournament.club, Role.DIRECTOR)


def url(night: Night) -> str:
    return f"/api/v1/tournaments/{night.tournament.id}/events/"


def version(night: Night) -> int:
    return tournament_state(night.tournament).version


def record(client: Any, night: Night, event: dict[str, Any], **more: Any) -> Any:
    key = more.pop("key", "")
    return client.send(url(night), {"expected_version": version(night), "event": event, **more}, key=key)


def codes(answer: Any) -> list[str]:
    assert answer.status_code == 422, answer.content
    return [problem["code"] for problem in answer.json()["problems"]]


def seating(night: Night, *tables: tuple[int, ...]) -> dict[str, Any]:
    seated = [[number, [night.players[at] for at in table]] for number, table in enumerate(tables, start=1)]
    return {"kind": "round_seated", "stage": 1, "round": 1, "tables": seated, "method": "by_hand"}


def test_a_round_is_seated_played_and_cut_by_events_alone(night, director):
    answer = record(director, night, seating(night, (0, 1), (2, 3)))
    assert answer.status_code == 201, answer.content
    assert answer.json()["version"] == version(night)
    assert {problem["code"] for problem in answer.json()["warnings"]} == {"not_paid"}
    assert Table.objects.filter(tournament=night.tournament).count() == 2
    night.round = 1
    for row in Table.objects.filter(tournament=night.tournament):
        event = {"kind": "deal_recorded", "deal": 1, "outcomes": {"1": show, "2": loses(80)}}
        path = f"/api/v1/tables/{row.id}/events/"
        assert director.send(path, {"expected_version": 1, "event": event}).status_code == 201
        event = {"kind": "deal_recorded", "deal": 2, "outcomes": {"1": show, "2": loses(80)}}
        assert director.send(path, {"expected_version": 2, "event": event}).status_code == 201
        assert director.send(path, {"expected_version": 3, "event": {"kind": "table_closed"}}).status_code == 201
    wrong = {"kind": "cut_made", "stage": 1, "advancing": [night.players[1], night.players[3]]}
    assert codes(record(director, night, wrong)) == ["other_results"]
    assert record(director, night, {**wrong, "advancing": [night.players[0], night.players[2]]}).status_code == 201
    assert len(tournament_state(night.tournament).cuts) == 1


def test_the_same_request_again_is_answered_again_and_another_one_under_its_key_is_refused(night, director):
    event = {"kind": "checked_in", "player": night.players[0]}
    body = {"expected_version": version(night), "event": event}
    first = director.send(url(night), body, key="once")
    again = director.send(url(night), body, key="once")
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")
    assert again.json()["id"] == first.json()["id"]
    other = director.send(url(night), {**body, "event": {**event, "player": night.players[1]}}, key="once")
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")


def test_another_version_is_stale_with_what_was_stored_since(night, director):
    seen = version(night)
    record(director, night, {"kind": "checked_in", "player": night.players[0]})
    event = {"kind": "checked_in", "player": night.players[1]}
    answer = director.send(url(night), {"expected_version": seen, "event": event})
    assert (answer.status_code, answer.json()["current_version"]) == (409, seen + 1)
    assert [stored["event"]["kind"] for stored in answer.json()["events"]] == ["checked_in"]


@pytest.mark.slow
def test_every_kind_is_stale_at_another_version_and_nothing_is_stored(night, director):
    """Planted fault: a command that does not look at the version."""
    before = Event.objects.count()
    player = night.players[0]
    bodies: dict[str, dict[str, Any]] = {
        "plan_made": {"plan": HEATS},
        "entry_paid": {"player": player, "amount_minor": 1},
        "entry_refunded": {"player": player, "amount_minor": 1, "reason": "x"},
        "side_pot_won": {"pot": "x", "players": [player], "reason": "x"},
        "player_substituted": {"player": player, "by": night.players[1], "reason": "x"},
        "player_reentered": {"player": player, "stage": 1},
        "reentry_undone": {"player": player, "stage": 1},
        "round_seated": {name: value for name, value in seating(night, (0, 1), (2, 3)).items() if name != "kind"},
        "seats_changed": {"round": 1, "tables": []},
        "players_moved": {"round": 1, "instead_of": [1], "tables": []},
        "move_undone": {"version": 2, "reason": "x"},
        "cut_made": {"stage": 1, "advancing": []},
        "cut_withdrawn": {"stage": 1, "reason": "x"},
        "tie_settled": {"stage": 1, "order": [player], "method": "extra_deal"},
        "side_pot_win_undone": {"pot": "x", "reason": "x"},
        "time_added": {"round": 1, "seconds": 60, "reason": "x"},
    }
    kinds = [event.kind for event in TOURNAMENT_EVENTS]
    for kind in [*kinds, "tournament_closed", "tournament_cancelled", "tournament_reopened"]:
        fields = EVENTS_FIELDS[kind]
        body = bodies.get(kind) or {
            name: {"player": player, "round": 1, "reason": "x"}[name] for name in fields & {"player", "round", "reason"}
        }
        answer = director.send(url(night), {"expected_version": 1, "event": {"kind": kind, **body}})
        assert answer.status_code == 409, (kind, answer.content)
    assert Event.objects.count() == before


LIFE: list[type[wire.Event]] = [wire.TournamentClosed, wire.TournamentCancelled, wire.TournamentReopened]
EVENTS_FIELDS = {event.kind: set(event.__struct_fields__) for event in [*TOURNAMENT_EVENTS, *LIFE]}


def test_what_is_done_already_is_refused_with_the_reason(night, director):
    event = {"kind": "checked_in", "player": night.players[0]}
    record(director, night, event)
    assert record(director, night, event).status_code == 422
    assert len([one for one in Event.objects.all() if one.kind == "checked_in"]) == 1


def test_nobody_of_another_club_enters_nor_one_whom_nobody_knows(night, director):
    (stranger,) = add_players(new_club("Dita's club"), ["Zoe"])
    for player in (str(stranger.id), str(uuid.uuid4()), "nobody", night.players[0].upper()):
        assert codes(record(director, night, {"kind": "player_entered", "player": player})) == ["unknown_player"]
    substituted = {"kind": "player_substituted", "player": night.players[0], "by": str(stranger.id), "reason": "x"}
    assert codes(record(director, night, substituted)) == ["unknown_player"]


def test_money_is_in_the_till_of_who_takes_it(night):
    desk = Device(night.tournament.club, Role.CHECKIN)
    paid = {"kind": "entry_paid", "player": night.players[0], "amount_minor": 10_000}
    assert codes(record(desk, night, {**paid, "place": "till:user:1"})) == ["not_your_till"]
    assert record(desk, night, paid).status_code == 201
    assert tournament_state(night.tournament).entrants[night.players[0]].paid_minor == 10_000


def test_the_clock_is_the_servers(night, director):
    night.seat((0, 1), (2, 3))
    started = {"kind": "clock_started", "round": 1, "seconds": 600}
    assert codes(record(director, night, {**started, "at": 1})) == ["unknown_field"]
    with time_machine.travel(NOW + timedelta(minutes=1), tick=False):
        answer = record(director, night, started)
    assert answer.status_code == 201, answer.content
    assert answer.json()["event"]["at"] == int(NOW.timestamp()) + 60


def test_only_an_open_tie_is_broken_and_only_in_the_order_of_its_lots():
    stages = [{"smallest_table": 2, "advancing": 3}, {"smallest_table": 2}]
    night = Night({"stages": stages, "tie_breaks": ["deals_won"]})
    director = Device(night.tournament.club, Role.DIRECTOR)
    asha, bo, cy, _ = night.players
    settled = {"kind": "tie_settled", "stage": 1, "order": [bo, cy], "method": "extra_deal"}
    assert codes(record(director, night, settled)) == ["not_a_choice"]
    one, two = night.seat((0, 1), (2, 3))
    pool_won_in(one, 2)
    pool_won_in(two, 2, first=False)
    assert codes(record(director, night, {**settled, "order": [asha, bo]})) == ["not_a_choice"]
    drawn = list(lots("K7QF-2M9X", [bo, cy]))
    by_lots = {**settled, "method": "lots", "seed": "K7QF-2M9X"}
    assert codes(record(director, night, {**by_lots, "order": drawn[::-1]})) == ["not_a_choice"]
    high = {**settled, "method": "high_card", "cards": {bo: "KS", cy: "2C"}}
    assert codes(record(director, night, {**high, "order": [cy, bo]})) == ["not_a_choice"]
    assert record(director, night, {**by_lots, "order": drawn}).status_code == 201


@pytest.mark.slow
def test_whom_a_draft_keeps_apart_no_event_seats_together(night, director):
    path = f"/api/v1/tournaments/{night.tournament.id}/events/"
    assert path == url(night)
    plan = {
        "wishes": {
            "sizes": {"allowed": [2, 3, 4], "preferred": 2},
            "apart": [{"one": night.players[0], "other": night.players[1]}],
        },
        "steps": [],
    }
    draft: Any = plan
    SeatingDraft.objects.create(
        tournament=night.tournament, round=1, version=1, plan=wire.canonical(draft), actor="user:1", changed_at=NOW
    )
    assert codes(record(director, night, seating(night, (0, 1), (2, 3)))) == ["kept_apart"]
    assert record(director, night, seating(night, (0, 2), (1, 3))).status_code == 201


@pytest.mark.slow
def test_a_tournament_is_closed_reopened_and_abandoned_by_its_events(night, director):
    """Planted fault: fees are paid and nobody was seated, and the fees stay in a pool that nobody wins."""
    paid = wire.EntryPaid(player=night.players[0], amount_minor=10_000)
    record_in_tournament(night.tournament.id, paid, context=context())
    assert codes(record(director, night, {"kind": "tournament_closed"})) == ["nothing_played"]
    cancelled = {"kind": "tournament_cancelled", "reason": "flooded"}
    assert record(director, night, cancelled).status_code == 201
    reopened = {"kind": "tournament_reopened", "reason": "dry again"}
    assert record(director, night, reopened).status_code == 201
    assert not tournament_state(night.tournament).is_closed


@pytest.mark.slow
def test_events_are_read_after_a_version_and_those_of_money_by_whoever_reads_the_books(night, director):
    """Planted fault: a desk that counts blind reads here what was paid."""
    record(director, night, {"kind": "entry_paid", "player": night.players[0], "amount_minor": 10_000})
    last = version(night) - 1
    for role in (Role.DIRECTOR, Role.AUDITOR, Role.CHECKIN, Role.SCORER):
        answer = Device(night.tournament.club, role).get(f"{url(night)}?after={last}")
        (event,) = answer.json()["events"]
        if Permission.SEE_BOOKS in MATRIX[role]:
            assert event["event"]["amount_minor"] == 10_000, role
        else:
            assert (event["event"], event["hash"]) == (None, None), role
    first = director.get(f"{url(night)}?limit=2").json()
    assert (len(first["events"]), first["next_after"]) == (2, 2)
    assert director.get(url(night), headers={"If-None-Match": director.get(url(night))["ETag"]}).status_code == 304
    assert Client().get(url(night)).status_code == 401


@pytest.mark.slow
@pytest.mark.parametrize("role", [Role.SCORER, Role.CHECKIN, Role.CASHIER])
def test_each_kind_takes_what_it_takes_on_its_page(night, role):
    device = Device(night.tournament.club, role)
    for event in TOURNAMENT_EVENTS:
        answer = device.send(url(night), {"expected_version": 1, "event": {"kind": event.kind}})
        permission = EVENT_PERMISSIONS.get(event.kind, Permission.DIRECT)
        assert (answer.status_code == 403) == (permission not in MATRIX[role]), event.kind
    assert there(device.send(url(night), {"expected_version": 1, "event": {"kind": "x"}})).status_code == 403
