"""A tournament's evening over the API: the list of the desk, its actions, and who sits where.

Planted faults these catch: a resend that enters a player again who has withdrawn since, a key used for another list,
an action on an old state of the evening, prices read as text, a next step shown to everyone.
"""

from collections.abc import Callable
from typing import Any, get_args

import msgspec
import pytest
from django.test import Client

from scoring.events import wire
from tests.builders.api_clients import Device
from tests.builders.playing import CAST, Playing, context, loses, new_club, new_tournament, show
from tournaments.entries.commands.check_in import DESK_ACTS
from tournaments.models import Player, Role, Tournament
from tournaments.models.log import Event
from tournaments.people.players import add_players
from tournaments.running.commands.cut import make_cut
from tournaments.running.commands.record import record_all_in_tournament, record_in_tournament
from tournaments.seating.commands.seat import seat_round
from tournaments.web.api.tournament_shapes import DeskBody

pytestmark = pytest.mark.django_db
FEE = 10_000


@pytest.fixture
def home():
    """A published tournament with an entry fee; the cast belongs to the club, and nobody has entered."""
    club = new_club(is_published=True)
    add_players(club, CAST)
    return new_tournament(club, entry_minor=FEE)


@pytest.fixture
def desk(home):
    return Device(home.club, Role.CHECKIN)


def url(home, page):
    return f"/api/v1/tournaments/{home.id}/{page}/"


def player(home, name):
    return str(Player.objects.get(club=home.club, name=name).id)


def enter(desk, home, *names, **more):
    extra = {name: more.pop(name) for name in ("key",) if name in more}
    body = {"entries": [name if isinstance(name, dict) else {"name": name} for name in names], **more}
    return desk.send(url(home, "entries"), body, **extra)


def act(desk, home, name, deed, **more):
    extra = {word: more.pop(word) for word in ("key",) if word in more}
    return desk.send(url(home, "desk"), {"player": player(home, name), "act": deed, **more}, **extra)


def listed(desk, home):
    return {one["name"]: one for one in desk.get(url(home, "entries")).json()["items"]}


def test_members_enter_at_their_rate_and_a_request_may_say_rates_and_pots(home, desk):
    pots = [{"name": "Jackpot", "contribution_minor": 1_000, "joins": "opt_in"}]
    record_in_tournament(home.id, wire.PlanMade(plan={"member_minor": 6_000, "side_pots": pots}), context=context())
    Player.objects.filter(name="Asha").update(is_member=True)
    sent = ("Asha", {"name": "Bo", "rate": "free", "pots": ["Jackpot"]}, {"name": "Cy", "rate": "full"})
    assert [one["code"] for one in enter(desk, home, *sent).json()["problems"]] == ["missing_field"]
    assert enter(desk, home, *sent, reason="guest").status_code == 201
    shown = listed(desk, home)
    assert [shown[name]["due_minor"] for name in ("Asha", "Bo", "Cy")] == [6_000, 1_000, FEE]
    assert [shown[name].get("rate", "full") for name in ("Asha", "Bo", "Cy")] == ["member", "free", "full"]
    assert shown["Bo"]["pots"] == ["Jackpot"]


def seat(home, *names):
    record_in_tournament(home.id, wire.PlanMade(plan={"stages": [{"smallest_table": 2}]}), context=context())
    seating = wire.RoundSeated(
        stage=1, round=1, tables=((1, tuple(player(home, name) for name in names)),), method="draw", seed="a seed"
    )
    return seat_round(home.id, seating, context=context()).tables[0]


def test_players_are_entered_by_name_and_listed_with_what_they_owe(home, desk):
    answer = enter(desk, home, {"name": "asha", "is_paid": True}, {"name": "Bo", "is_standby": True})
    assert answer.status_code == 201
    assert {one["name"] for one in answer.json()["items"]} == {"Asha", "Bo"}
    found = listed(desk, home)
    asha, bo = found["Asha"], found["Bo"]
    assert (asha["standing"], asha["paid_minor"], asha["due_minor"]) == ("entered", FEE, 0)
    assert (bo["standing"], bo["paid_minor"]) == ("standby", 0)


def test_an_unknown_name_is_refused_unless_it_is_added_and_a_known_one_is_a_warning(home, desk):
    refused = enter(desk, home, "Asha", "Zoe")
    assert refused.status_code == 422
    assert [problem["code"] for problem in refused.json()["problems"]] == ["unknown_player"]
    assert listed(desk, home) == {}
    assert enter(desk, home, "Asha", "Zoe", adds_new=True).status_code == 201
    assert set(listed(desk, home)) == {"Asha", "Zoe"}
    assert {code for _, code in codes(enter(desk, home, {"name": "Zoe (new)"}, adds_new=True))} == {"same_name"}


def test_a_list_sent_again_enters_nobody_who_has_withdrawn_since_and_its_key_is_not_taken_for_another(home, desk):
    enter(desk, home, "Asha", "Bo", key="once")
    act(desk, home, "Asha", "withdraw")
    act(desk, home, "Bo", "withdraw")
    again = enter(desk, home, "Asha", "Bo", key="once")
    assert again.status_code == 201
    assert again.headers["Idempotency-Replayed"] == "true"
    assert {one["standing"] for one in listed(desk, home).values()} == {"withdrawn"}
    answer = enter(desk, home, "Bo", key="once")
    assert (answer.status_code, answer.json()["code"]) == (422, "key_reused")


def test_an_action_at_the_desk_does_it_says_what_takes_it_back_and_a_second_tap_stores_nothing(home, desk):
    deeds: dict[str, dict[str, Any]] = {
        "check_in": {"is_checked_in": True},
        "pay": {"paid_minor": FEE, "due_minor": 0},
        "absent": {"standing": "absent"},
        "withdraw": {"standing": "withdrawn"},
        "wait": {"standing": "standby"},
    }
    enter(desk, home, "Asha")
    before = listed(desk, home)["Asha"]
    for deed, shown in deeds.items():
        done = act(desk, home, "Asha", deed).json()
        assert shown.items() <= done["items"][0].items()
        stored = Event.objects.count()
        again = act(desk, home, "Asha", deed)
        assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true"), deed
        assert Event.objects.count() == stored
        assert act(desk, home, "Asha", done["undo"], reason="wrong player").status_code == 201
        assert listed(desk, home)["Asha"] == before


def test_a_payment_sent_again_after_it_was_given_back_is_not_taken_again(home, desk):
    enter(desk, home, "Asha")
    act(desk, home, "Asha", "pay", key="once")
    assert [one["code"] for one in act(desk, home, "Asha", "give_back").json()["problems"]] == ["missing_field"]
    act(desk, home, "Asha", "give_back", reason="wrong player")
    assert act(desk, home, "Asha", "pay", key="once").headers["Idempotency-Replayed"] == "true"
    assert listed(desk, home)["Asha"]["paid_minor"] == 0


def test_a_payment_is_undone_alone_with_its_amount(home, desk):
    """Planted fault: everything that the player had paid is refunded."""
    pots = [{"name": "Jackpot", "contribution_minor": 1_000, "joins": "opt_in"}]
    record_in_tournament(home.id, wire.PlanMade(plan={"side_pots": pots}), context=context())
    enter(desk, home, "Asha")
    first = act(desk, home, "Asha", "pay").json()
    enter(desk, home, {"name": "Asha", "pots": ["Jackpot"]})
    second = act(desk, home, "Asha", "pay").json()
    assert [(one["undo"], one["undo_amount_minor"]) for one in (first, second)] == [
        ("give_back", FEE),
        ("give_back", 1_000),
    ]
    undone = act(desk, home, "Asha", "give_back", amount_minor=1_000, reason="wrong player")
    assert undone.status_code == 201
    assert listed(desk, home)["Asha"]["paid_minor"] == FEE
    beyond = act(desk, home, "Asha", "give_back", amount_minor=FEE + 1, reason="wrong player")
    assert beyond.status_code == 422


def test_an_amount_is_refused_where_no_act_takes_one(home, desk):
    """Planted fault: 5.00 was asked for, and all that was due recorded as paid."""
    enter(desk, home, "Asha")
    refused = act(desk, home, "Asha", "pay", amount_minor=500)
    assert (refused.status_code, [one["field"] for one in refused.json()["problems"]]) == (422, ["amount_minor"])
    assert listed(desk, home)["Asha"]["paid_minor"] == 0


@pytest.mark.slow
def test_an_action_decided_on_an_old_evening_is_told_what_was_stored_since(home, desk):
    version = enter(desk, home, "Asha").json()["version"]
    act(desk, home, "Asha", "absent")
    answer = act(desk, home, "Asha", "check_in", expected_version=version)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale_table")
    assert [event["event"]["kind"] for event in answer.json()["events"]] == ["marked_absent"]
    assert answer.json()["detail"].startswith("The tournament stands at version")


def seat_two(home, desk):
    enter(desk, home, "Bo")
    return seat(home, "Asha", "Bo")


def test_who_is_seated_may_not_withdraw_and_a_substitute_plays_on_in_the_place(home, desk):
    enter(desk, home, "Asha")
    seat_two(home, desk)
    refused = act(desk, home, "Asha", "withdraw")
    assert refused.status_code == 422
    assert "Asha has been seated already" in refused.json()["detail"]
    body = {"player": player(home, "Asha"), "by": "Cy", "reason": " \u0000\u0007 "}
    assert desk.send(url(home, "desk/substitute"), body).status_code in (400, 422)
    answer = desk.send(url(home, "desk/substitute"), body | {"reason": "a call from home"})
    assert answer.status_code == 201
    found = {one["name"]: one for one in answer.json()["items"]}
    assert found["Asha"]["replaced_by"] == found["Cy"]["player"]
    assert found["Cy"]["plays_for"] == found["Asha"]["player"]


def codes(answer, of="warnings"):
    return [(one["seat"], one["code"]) for one in answer.json().get(of, [])]


Sent = tuple[str, dict[str, Any]]


def entered(desk: Device, home: Tournament) -> Sent:
    return "entries", {"entries": [{"name": "Asha"}, {"name": "Cy"}]}


def substituted(desk: Device, home: Tournament) -> Sent:
    enter(desk, home, "Asha")
    seat_two(home, desk)
    return "desk/substitute", {"player": player(home, "Asha"), "by": "Cy", "reason": "a call from home"}


def opened(desk: Device, home: Tournament) -> Sent:
    seats = [{"number": number, "player": player(home, name)} for number, name in enumerate(("Asha", "Cy"), start=1)]
    return "tables", {"number": 1, "seats": seats}


def acted(before: str, deed: str) -> Callable[[Device, Tournament], Sent]:
    def sent(desk: Device, home: Tournament) -> Sent:
        enter(desk, home, "Cy")
        if before:
            act(desk, home, "Cy", before)
        return "desk", {"player": player(home, "Cy"), "act": deed}

    return sent


BRINGS_IN = {
    "an entry": entered,
    "a substitute": substituted,
    "a table": opened,
    "checked in": acted("", "check_in"),
    "promoted": acted("wait", "promote"),
    "entered again": acted("withdraw", "enter"),
    "arrived": acted("absent", "arrived"),
}


def suspend(home: Tournament, *, is_suspended: bool = True) -> None:
    Player.objects.filter(club=home.club, name="Cy").update(is_suspended=is_suspended)


@pytest.mark.slow
@pytest.mark.parametrize("name", BRINGS_IN)
def test_whatever_brings_in_a_suspended_player_warns(home, desk, name):
    path, body = BRINGS_IN[name](desk, home)
    suspend(home)
    answer = Device(home.club, Role.DIRECTOR).send(url(home, path), body)
    assert answer.status_code == 201
    assert {one["code"]: one["detail"] for one in answer.json()["warnings"]} == {"suspended": "Cy is suspended"}


@pytest.mark.parametrize("name", BRINGS_IN)
def test_who_asks_first_is_refused_and_nothing_is_stored(home, desk, name):
    """Planted faults: the question asked of a substitute alone; a resend of what was stored, refused because a player
    was suspended since."""
    path, body = BRINGS_IN[name](desk, home)
    director, stored = Device(home.club, Role.DIRECTOR), Event.objects.count()

    def ask() -> Any:
        return director.send(url(home, path), body | {"ask_first": True}, key="asked")

    suspend(home)
    refused = ask()
    assert (refused.status_code, [one["code"] for one in refused.json()["problems"]]) == (422, ["suspended"])
    assert Event.objects.count() == stored
    suspend(home, is_suspended=False)
    answer = ask()
    assert (answer.status_code, codes(answer)) == (201, [])
    suspend(home)
    assert ask().status_code == 201


def test_an_act_that_brings_nobody_in_warns_of_nobody(home, desk):
    enter(desk, home, "Cy")
    Player.objects.filter(club=home.club, name="Cy").update(is_suspended=True)
    assert codes(act(desk, home, "Cy", "pay", ask_first=True)) == []


@pytest.mark.slow
def test_a_substitution_is_taken_back_once_and_the_table_is_opened_again(home, desk):
    enter(desk, home, "Asha", "Cy")
    body = {"player": player(home, "Asha"), "by": "Dev", "reason": "a call\nfrom home"}
    desk.send(url(home, "desk/substitute"), body)
    table = seat(home, "Dev", "Cy")
    back = {"player": player(home, "Asha"), "reason": "only a wrong number"}
    answers = [desk.send(url(home, "desk/substitute/undo"), back, key="once") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[1].headers["Idempotency-Replayed"] == "true"
    (found,) = Client().get(url(home, "evening")).json()["rounds"][0]["tables"]
    assert [one["name"] for one in found["seats"]] == ["Asha", "Cy"]
    assert found["table"] != str(table.id)


def test_an_unchanged_list_is_not_sent_again_and_an_evening_without_a_plan_has_no_stages(home, desk):
    read = Client().get(url(home, "evening")).json()
    assert (read["stage"], "stages" in read, "is_planned" in read) == (1, False, False)
    enter(desk, home, "Asha")
    first = desk.get(url(home, "entries"))
    assert desk.get(url(home, "entries"), headers={"If-None-Match": first["ETag"]}).status_code == 304
    act(desk, home, "Asha", "check_in")
    assert desk.get(url(home, "entries"), headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_everybody_reads_who_sits_where_in_a_published_evening_and_who_directs_the_next_step(home, desk):
    enter(desk, home, "Asha")
    table = seat_two(home, desk)
    answer = Client().get(url(home, "evening")).json()
    seats = [{"player": player(home, name), "name": name} for name in ("Asha", "Bo")]
    tables = [{"table": str(table.id), "number": 1, "seats": seats}]
    assert answer["rounds"] == [{"stage": 1, "round": 1, "method": "draw", "seed": "a seed", "tables": tables}]
    assert "next_step" not in answer
    assert "next_step" not in desk.get(url(home, "evening")).json()
    director = Device(home.club, Role.DIRECTOR)
    assert director.get(url(home, "evening")).json()["next_step"]["table"] == str(table.id)


def test_a_running_clock_is_told_by_its_end_and_a_paused_one_by_what_is_left(home, desk):
    enter(desk, home, "Asha")
    seat_two(home, desk)
    start = wire.ClockStarted(round=1, at=1_000, seconds=600)
    more = wire.TimeAdded(round=1, seconds=60, table=1, reason="spilt tea")
    record_all_in_tournament(home.id, [start, more], context=context())
    clock = Client().get(url(home, "evening")).json()["clock"]
    assert clock == {
        "round": 1,
        "seconds": 600,
        "is_running": True,
        "ends_at": "1970-01-01T00:26:40Z",
        "tables": [{"number": 1, "extra_seconds": 60}],
    }
    record_in_tournament(home.id, wire.ClockPaused(round=1, at=1_100), context=context())
    clock = Client().get(url(home, "evening")).json()["clock"]
    assert (clock["is_running"], clock["left_seconds"]) == (False, 500)


def test_every_action_of_the_desk_is_one_of_the_api():
    told = next(field.type for field in msgspec.structs.fields(DeskBody) if field.name == "act")
    assert set(get_args(told)) == DESK_ACTS.keys()


@pytest.mark.slow
def test_a_re_entry_that_starts_too_low_is_refused_with_player_field_and_numbers(home, desk):
    """Planted fault: the minimum score checked by the page alone."""
    again = {"reentry_minor": 500, "reentry_until_round": 2, "reentry_begins": "score_and_chips"}
    stages = [
        {"smallest_table": 2, "per_table": 1, "length": "minutes"},
        {"smallest_table": 2, "carries": "score", **again, "reentry_chips": -20, "reentry_at_least": 50},
    ]
    enter(desk, home, *CAST)
    record_in_tournament(home.id, wire.PlanMade(plan={"stages": stages}), context=context())
    players = [player(home, name) for name in CAST]
    for name in CAST:
        act(desk, home, name, "pay")
    seating = wire.RoundSeated(
        stage=1, round=1, tables=((1, tuple(players[:2])), (2, tuple(players[2:]))), method="draw", seed="a seed"
    )
    for row, lost in zip(seat_round(home.id, seating, context=context()).tables, (70, 71), strict=True):
        table = Playing(row=row)
        table.deal(1, show, loses(lost))
        table.record({"kind": "table_closed", "time_called": True})
    make_cut(home.id, context=context())
    assert act(desk, home, "Bo", "reenter").status_code == 201
    before = Event.objects.count()
    refused = act(desk, home, "Dev", "reenter")
    assert refused.status_code == 422
    (problem,) = refused.json()["problems"]
    assert (problem["code"], problem["field"]) == ("out_of_range", "reentry_at_least")
    assert problem["detail"] == "Dev would start with 51, and a re-entry needs 50 or fewer"
    assert Event.objects.count() == before
    assert [listed(desk, home)[name].get("reentries", []) for name in ("Bo", "Dev")] == [[2], []]


def test_one_request_takes_every_entry_and_its_key_refunds_them(home, desk):
    enter(desk, home, *CAST)
    record_in_tournament(home.id, wire.PlanMade(plan={}), context=context())
    bo = player(home, "Bo")
    act(desk, home, "Bo", "pay")
    taken = desk.send(url(home, "all"), {"act": "take_entries", "only": [player(home, "Asha"), bo]}, key="all")
    assert taken.status_code == 201
    assert [one["name"] for one in taken.json()["done"]] == ["Asha"]
    assert taken.json()["left_out"] == [{"id": bo, "name": "", "why_not": "already done or changed by someone else"}]
    again = desk.send(url(home, "all"), {"act": "take_entries", "only": [player(home, "Asha"), bo]}, key="all")
    assert again.headers["Idempotency-Replayed"] == "true"
    assert {one["name"] for one in listed(desk, home).values() if one["paid_minor"]} == {"Asha", "Bo"}
    assert desk.send(url(home, "all"), {"act": "take_entries", "undo": "all"}).status_code == 422
    undo = {"act": "take_entries", "undo": "all", "reason": "wrong list"}
    assert desk.send(url(home, "all"), undo).status_code == 201
    assert {one["name"] for one in listed(desk, home).values() if one["paid_minor"]} == {"Bo"}


def test_the_desk_checks_in_everybody_with_a_warning_and_may_not_close_all_tables(home, desk):
    """Planted fault: the question asked of single players alone."""
    enter(desk, home, "Asha", "Cy")
    Player.objects.filter(club=home.club, name="Cy").update(is_suspended=True)
    answer = desk.send(url(home, "all"), {"act": "check_in"})
    assert len(answer.json()["done"]) == 2
    assert desk.send(url(home, "all"), {"act": "close_tables"}).status_code == 403
    assert codes(answer) == [(player(home, "Cy"), "suspended")]
