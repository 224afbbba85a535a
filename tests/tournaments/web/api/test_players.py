"""One player over the API: changed, merged, removed, erased and told, by the same commands as the pages.

Planted faults these catch: a guard that only a form has, a value of somebody else that is lost, a dry run that saves,
a player of another club, a key of a text that nobody has seen.
"""

import json
from typing import Any, get_args
from uuid import uuid4

import pytest
from django.test import Client
from django.utils.timezone import now

from tests.builders.api_clients import Device, person
from tests.builders.playing import deal, loses, new_club, new_table, new_tournament, show
from tests.builders.there import there
from tournaments.models import Club, ErasedPlayer, LateSheet, Player, Role, Table, TableToken
from tournaments.models.log import Event
from tournaments.people.players import add_players
from tournaments.tables.commands.table_tokens import issue_cards
from tournaments.web.api.club_shapes import ClubNaming
from tournaments.web.api.player_shapes import NamingWord

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return new_club(naming="first", telling="number")


@pytest.fixture
def director(club):
    return Device(club, Role.DIRECTOR)


@pytest.fixture
def owner(club):
    return Device(club, Role.OWNER)


def path(player: Player, *words: str) -> str:
    return "/".join(("/api/v1/clubs", str(player.club_id), "players", str(player.pk), *words, ""))


def refused(answer: Any) -> set[tuple[str, str]]:
    """Code and field of every problem."""
    assert answer.status_code == 422, answer.content
    return {(problem["code"], problem.get("field", "")) for problem in answer.json()["problems"]}


def test_the_words_for_names_are_those_of_the_model():
    words = {model: {word for word, _ in model._meta.get_field("naming").choices or ()} for model in (Player, Club)}
    assert set(get_args(NamingWord)) == {"", *words[Player]}
    assert set(get_args(ClubNaming)) == words[Club]


def test_a_player_is_changed_and_public_names_follow(club, director):
    asha, twin = add_players(club, ["Asha Rao", "Bo Iyer"])
    changes = {"member_number": "1042", "email": "asha@example.org", "naming": "pseudonym", "pseudonym": "Queen"}
    answer = director.send(path(asha, "change"), changes)
    assert answer.status_code == 201, answer.content
    assert {name: answer.json()[name] for name in changes} == changes
    assert answer.json()["public_name"] == "Queen"
    assert director.get(path(asha)).json() == answer.json()
    renamed = director.send(path(twin, "change"), {"name": " Asha Rao "}).json()
    assert renamed["name"] == "Asha Rao (2)"
    listed = director.get(f"/api/v1/clubs/{club.pk}/players/", {"number": "1042"}).json()["items"]
    assert [(item["id"], item["member_number"]) for item in listed] == [(str(asha.pk), "1042")]


def test_everything_that_is_wrong_is_named_at_once_and_nothing_is_changed(club, director):
    asha, bo = add_players(club, ["Asha", "Bo"])
    director.send(path(bo, "change"), {"member_number": "7"})
    wrong = {"name": "call 98765 43210", "email": "asha", "member_number": "7", "naming": "pseudonym", "note": "x"}
    fields = {field for _, field in refused(director.send(path(asha, "change"), wrong))}
    assert fields == {"name", "email", "member_number", "pseudonym"}
    asha.refresh_from_db()
    assert (asha.name, asha.email, asha.note) == ("Asha", "", "")
    shape = director.send(path(asha, "change"), {"nmae": "x", "is_member": 1, "naming": None})
    assert refused(shape) == {("unknown_field", "nmae"), ("wrong_type", "is_member"), ("wrong_type", "naming")}


def test_what_somebody_else_changed_meanwhile_is_not_changed_over(club, director):
    """Planted fault: an outside number that a second program overwrites."""
    (asha,) = add_players(club, ["Asha"])
    first = {"member_number": "1", "expected": {"member_number": ""}}
    assert director.send(path(asha, "change"), first).status_code == 201
    # Its answer was lost: sent again, it sets what it has set.
    assert director.send(path(asha, "change"), first).status_code == 201
    second = {"member_number": "2", "expected": {"member_number": ""}}
    assert refused(director.send(path(asha, "change"), second)) == {("stale", "expected.member_number")}
    asha.refresh_from_db()
    assert asha.member_number == "1"


def test_two_rows_of_one_person_are_tried_merged_and_separated(club, director):
    asha, twin = add_players(club, ["Asha", "Asha Rao"])
    before = Event.objects.count()
    tried = director.send(path(asha, "merge"), {"into": str(twin.pk), "dry_run": True}).json()
    assert (tried["player"]["merged_into"], tried["problems"], Event.objects.count()) == (None, [], before)
    key = uuid4().hex
    merged = director.send(path(asha, "merge"), {"into": str(twin.pk)}, key=key)
    assert merged.json()["player"]["merged_into"] == str(twin.pk)
    again = director.send(path(asha, "merge"), {"into": str(twin.pk)}, key=key)
    assert (again["Idempotency-Replayed"], Event.objects.count()) == ("true", before + 1)
    # What is merged is changed at the row that stays.
    assert refused(director.send(path(asha, "change"), {"note": "x"})) == {("merged", "")}
    assert director.send(path(asha, "unmerge"), {}).json()["name"] == "Asha"
    assert refused(director.send(path(asha, "unmerge"), {})) == {("not_merged", "into")}
    (stranger,) = add_players(new_club("Dita's"), ["Dita"])
    assert refused(director.send(path(asha, "merge"), {"into": str(stranger.pk)})) == {("not_a_choice", "into")}


def test_a_player_without_a_history_is_removed_and_one_who_played_stays(club, director):
    table = new_table(new_tournament(club))
    seated = there(Player.objects.filter(seats__table=table.row).first())
    assert ("played", "player") in refused(director.send(path(seated, "remove"), {}))
    (asha,) = add_players(club, ["Zora"])
    assert director.send(path(asha, "remove"), {}).json()["name"] == "Zora"
    assert director.send(path(asha, "remove"), {}).status_code == 404


def test_erasing_is_tried_first_then_done_once(club, owner):
    (asha,) = add_players(club, ["Asha Rao"])
    Player.objects.filter(pk=asha.pk).update(email="asha@example.org")
    Club.objects.filter(pk=club.pk).update(about="Asha Rao began it all")
    tried = owner.send(path(asha, "erase"), {"dry_run": True})
    assert tried["Cache-Control"] == "no-store"
    places = {source["name"]: source for source in tried.json()["sources"]}
    assert (places["names"]["entries"], places["names"]["is_erased"]) == (1, True)
    assert (places["descriptions"]["entries"], places["descriptions"]["is_erased"]) == (1, False)
    (mention,) = tried.json()["mentions"]
    assert (mention["kind"], mention["id"], mention["key"]) == ("club", str(club.pk), None)
    asha.refresh_from_db()
    assert (asha.name, asha.erased_at) == ("Asha Rao", None)
    assert refused(owner.send(path(asha, "erase"), {"also": ["beef"]})) == {("not_a_choice", "also[0]")}
    done = owner.send(path(asha, "erase"), {}).json()
    assert (done["player"]["is_erased"], done["player"]["email"]) == (True, "")
    again = owner.send(path(asha, "erase"), {})
    assert (again["Idempotency-Replayed"], again.json()["sources"]) == ("true", [])
    assert ErasedPlayer.objects.get().player == asha.pk
    assert refused(owner.send(path(asha, "change"), {"note": "x"})) == {("erased", "")}


def test_what_is_known_of_a_person_is_told_to_an_owner_alone(club, owner, director):
    (asha,) = add_players(club, ["Asha Rao"])
    answer = owner.get(path(asha, "data"))
    assert answer["Cache-Control"] == "no-store"
    assert [row["name"] for row in answer.json()["sources"]["names"]] == ["Asha Rao"]
    assert director.get(path(asha, "data")).status_code == 403
    assert director.send(path(asha, "erase"), {}).status_code == 403


def test_a_deal_that_its_table_refuses_is_kept_for_the_director(club):
    """Planted faults: junk that breaks the director's page, a deal that waits though the table takes it; a card that
    ended with its table and brings no late sheet, or another event.
    """
    tournament = new_tournament(club, preset="points", point_value_minor=100)
    table, other_table = new_table(tournament), new_table(tournament, ("Eve", "Fay", "Gus", "Hal"), number=2)
    row = Table.objects.select_related("tournament__club", "scoresheet").get(pk=table.row.pk)
    seats, maker = {table.row.pk: [1]}, person(club, Role.DIRECTOR)
    (seat_card,) = issue_cards([row], key=uuid4(), user_id=maker.pk, now=now(), seats=seats)
    scorer, address = Device(club, Role.SCORER), f"/api/v1/tables/{table.row.pk}/"
    body = {"expected_version": 1, "event": deal(1, show, loses(3), loses(4), loses(5))}
    keep = f"{address}late-sheets/keep/"
    assert refused(scorer.send(keep, body)) == {("table_open", "")}
    first = uuid4().hex
    assert scorer.send(f"{address}events/", body, key=first).status_code == 201
    close = {"expected_version": 2, "event": {"kind": "table_closed"}}
    assert scorer.send(f"{address}events/", close).status_code == 201
    # Its answer was lost: the table has it.
    assert scorer.send(keep, body, key=first).json() == {
        "table": str(table.row.pk),
        "state": "stored",
        "sheet": None,
        "version": 2,
    }
    late = {"expected_version": 2, "event": deal(2, show, loses(3), loses(4), loses(5))}
    waiting = scorer.send(keep, late)
    assert (waiting.status_code, waiting.json()["state"]) == (201, "waiting")
    again = scorer.send(keep, late)
    assert (again["Idempotency-Replayed"], again.json()["sheet"]) == ("true", waiting.json()["sheet"])
    for event, problem in (
        ({"kind": "table_closed"}, ("not_a_deal", "kind")),
        ({"kind": ["x"]}, ("not_a_deal", "kind")),
    ):
        assert refused(scorer.send(keep, {"expected_version": 2, "event": event})) == {problem}
    unreadable = scorer.send(keep, {"expected_version": 2, "event": {"kind": "deal_recorded", "deal": "two"}})
    assert unreadable.status_code == 422
    assert LateSheet.objects.count() == 1
    director = Device(club, Role.DIRECTOR)
    refuse = {"sheets": [waiting.json()["sheet"]], "answer": "refuse", "reason": "played twice"}
    assert director.send(f"{address}late-sheets/", refuse).status_code == 201
    assert scorer.send(keep, late).json()["state"] == "refused"
    # The card of a seat has ended with its table.
    card = Client(headers={"Authorization": f"Bearer {seat_card.secret}"})
    by_card: dict[str, Any] = {"data": json.dumps(late), "content_type": "application/json"}
    assert card.post(f"{address}events/", **by_card, headers={"Idempotency-Key": "c"}).status_code == 401
    assert card.post(keep, **by_card, headers={"Idempotency-Key": "c"}).json()["state"] == "refused"
    assert card.post(keep.replace(str(table.row.pk), str(other_table.row.pk)), **by_card).status_code == 404
    TableToken.objects.update(revoked_at=now())
    assert card.post(keep, **by_card, headers={"Idempotency-Key": "c"}).status_code == 401
    # The key of a late sheet is a part of the key under which it is recorded.
    other = {"expected_version": 2, "event": deal(2, show, loses(6), loses(7), loses(8))}
    longest = scorer.send(keep, other, key="k" * 200).json()["sheet"]
    accept = {"sheets": [longest], "answer": "accept"}
    assert director.send(f"{address}late-sheets/", accept).status_code == 201
