"""A club's log over the API, for programs that follow it.

Planted faults these catch: a position that is left out because its event is about money, an amount that a scorer reads,
an event of another club, an old answer to a log that has grown.
"""

import pytest

from tests.builders.api_clients import Device
from tests.builders.playing import CAST, loses, new_club, new_table, new_tournament, show
from tournaments import log
from tournaments.models import Role
from tournaments.people.players import add_players

pytestmark = pytest.mark.django_db
FEE, FLOAT = 12_345, 77_777


@pytest.fixture
def club():
    return new_club()


@pytest.fixture
def path(club):
    """The log of a club with an entry fee that was paid in cash, and a deal."""
    tournament = new_tournament(club, entry_minor=FEE)
    add_players(club, CAST)
    director = Device(club, Role.DIRECTOR)
    entries = [{"name": name, "is_paid": True} for name in CAST]
    entered = director.send(f"/api/v1/tournaments/{tournament.pk}/entries/", {"entries": entries})
    assert entered.status_code == 201, entered.content
    cash = f"/api/v1/clubs/{club.pk}/cash/"
    for event in ({"kind": "till_opened", "float_minor": FLOAT}, {"kind": "till_counted", "pieces": {"100": 1}}):
        sent = {"event": {"till": f"token:{director.token.pk}", **event}}
        assert director.send(cash, sent).status_code == 201
    new_table(tournament, ("Ed", "Fay")).deal(1, show, loses(20))
    new_table(new_tournament(new_club("Bo's club")))
    return f"/api/v1/clubs/{club.pk}/log/"


def test_every_position_is_given_in_order_in_pages_that_name_the_next(club, path):
    director, after, positions = Device(club, Role.DIRECTOR), 0, []
    while after is not None:
        page = director.get(path, {"after": after, "limit": 3}).json()
        positions += [event["position"] for event in page["events"]]
        after = page["next_after"]
    assert positions == list(range(1, page["position"] + 1))
    assert len(positions) == len(log.read_club(club.pk)) > 8
    assert director.get(path, {"after": page["position"]}).json()["events"] == []
    assert director.get(path, {"after": 9_999_999_999}).json()["next_after"] is None


def test_money_is_a_position_without_a_body_for_who_may_not_see_the_books(club, path):
    whole = Device(club, Role.AUDITOR).get(path).json()["events"]
    part = Device(club, Role.SCORER).get(path).json()["events"]
    assert [(event["position"], event["kind"]) for event in part] == [
        (event["position"], event["kind"]) for event in whole
    ]
    closed = {event["kind"] for event in part if "event" not in event}
    assert {"entry_paid", "till_opened", "till_counted"} <= closed
    assert "deal_recorded" not in closed
    assert all("hash" not in event and "id" not in event for event in part if "event" not in event)
    assert str(FLOAT) not in str(part)
    assert str(FLOAT) in str(whole)
    assert all("event" in event and "hash" in event for event in whole)
    (deal,) = [event for event in part if event["kind"] == "deal_recorded"]
    assert (deal["stream_kind"], deal["event"]["outcomes"]["2"]["count"]) == ("table", 20)


def test_an_unchanged_log_is_304_and_one_that_has_grown_is_not(club, path):
    scorer = Device(club)
    tag = scorer.get(path)["ETag"]
    assert scorer.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert Device(club, Role.DIRECTOR).get(path, headers={"If-None-Match": tag}).status_code == 200
    new_table(new_tournament(club), ("Gus", "Hal"))
    assert scorer.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_the_log_is_for_people_of_the_club(club, path, client):
    assert client.get(path).status_code == 401
    assert Device(new_club("Dita's"), Role.OWNER).get(path).status_code == 404
    assert Device(club, Role.DISPLAY).get(path).status_code == 403
    answer = Device(club).get(path, {"after": "-1"})
    assert (answer.status_code, answer.json()["problems"][0]["field"]) == (400, "after")
