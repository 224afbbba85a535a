"""Reading over HTTP: published data is public, unchanged answers are not sent again, the past stays.

Planted faults these catch: an ETag that ignores names (an erased player stays on the board), folding before the ETag is
compared, showing officials to the public, a board of the past that follows today's corrections.
"""

import pytest
from django.test import Client
from django.utils.module_loading import import_string
from django.utils.timezone import now

from tests.builders.api_clients import Device, events_of
from tests.builders.playing import deal, loses, new_club, new_table, new_tournament, rename, show
from tournaments.models import Player, Role
from tournaments.models.log import Event
from tournaments.privacy import erase_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    home = new_tournament(new_club(is_published=True), entry_minor=10_000)
    played = new_table(home)
    played.deal(1, show, loses(34), loses(20), loses(12))
    return played


def board_of(table) -> str:
    return f"/api/v1/tournaments/{table.row.tournament_id}/leaderboard/"


def address_of(table) -> str:
    return f"/api/v1/tables/{table.row.id}/"


def totals(answer) -> dict[str, int]:
    return {row["name"]: row["total"] for row in answer.json()["rows"]}


def test_everybody_may_read_a_published_board_as_json_and_its_head(table):
    strange = '<script>"\u202e😀=cmd()'
    rename("Bo", strange)
    answer = Client().get(board_of(table))
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")
    assert totals(answer) == {"Asha": 0, "Dev": 12, "Cy": 20, strange: 34}
    assert answer.headers["Cache-Control"] == "public, no-cache"
    headed = Client().head(board_of(table))
    assert (headed.status_code, headed.content, headed.headers["ETag"]) == (200, b"", answer.headers["ETag"])
    refused = Client().get(board_of(table), headers={"Accept": "text/html"})
    assert (refused.status_code, refused.json()["code"]) == (406, "not_acceptable")


def test_equal_totals_share_a_place_and_say_so():
    home = new_tournament(new_club(is_published=True))
    new_table(home).deal(1, show, loses(20), loses(20), loses(12))
    rows = Client().get(f"/api/v1/tournaments/{home.id}/leaderboard/").json()["rows"]
    assert [(row["place"], row.get("is_tied", False)) for row in rows] == [(1, False), (2, False), (3, True), (3, True)]


@pytest.mark.slow
@pytest.mark.parametrize("hidden", ["club", "tournament"])
def test_what_is_not_published_exists_for_members_only(table, hidden):
    home = table.row.tournament
    thing = home.club if hidden == "club" else home
    thing.is_published = False
    thing.save()
    auditor = Device(home.club, Role.AUDITOR)
    own = f"/api/v1/tournaments/{home.id}/"
    for path in (board_of(table), address_of(table), events_of(table), own, f"{own}tables/"):
        assert Client().get(path).status_code == 404
        answer = auditor.get(path)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "private, no-cache")


@pytest.mark.parametrize("address", [board_of, address_of, events_of])
def test_an_unchanged_answer_is_not_sent_again_and_costs_two_queries(table, address, django_assert_max_num_queries):
    path = address(table)
    tag = Client().get(path).headers["ETag"]
    assert not tag.startswith("W/")
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        with django_assert_max_num_queries(2):
            answer = Client().get(path, headers={"If-None-Match": known})
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["ETag"] == tag
    table.deal(2, show, loses(3), loses(4), loses(5))
    answer = Client().get(path, headers={"If-None-Match": tag})
    assert (answer.status_code, answer.headers["ETag"] != tag) == (200, True)


def test_an_unchanged_answer_is_not_folded(table, monkeypatch):
    tag = Client().get(address_of(table)).headers["ETag"]
    past = Client().get(address_of(table), {"at": "1"}).headers["ETag"]
    for name in (
        "scoring.rules.table.table.fold",
        "tournaments.tables.queries.sheets.load_table",
        "tournaments.log.reading.fold",
    ):
        monkeypatch.setattr(name, lambda *args: pytest.fail("folded"))
    assert Client().get(address_of(table), headers={"If-None-Match": tag}).status_code == 304
    assert Client().get(address_of(table), {"at": "1"}, headers={"If-None-Match": past}).status_code == 304


@pytest.mark.parametrize(
    ("address", "reading"),
    [
        (board_of, "tournaments.web.api.tables.version_shown"),
        (address_of, "tournaments.web.api.tables.seat_names"),
    ],
)
def test_an_event_that_comes_in_between_is_in_the_tag_as_well(table, address, reading, monkeypatch):
    """The planted fault: the ETag of the version that was read first with the answer that was made afterwards."""
    read = import_string(reading)

    def read_and_be_overtaken(*asked):
        names = read(*asked)
        if table.seen == 2:
            table.deal(2, show, loses(3), loses(4), loses(5))
        return names

    with monkeypatch.context() as patch:
        patch.setattr(reading, read_and_be_overtaken)
        overtaken = Client().get(address(table))
    calm = Client().get(address(table))
    assert (overtaken.content, overtaken.headers["ETag"]) == (calm.content, calm.headers["ETag"])


@pytest.mark.slow
def test_an_erased_player_is_gone_although_no_event_changed(table):
    for path in (board_of(table), address_of(table)):
        tag = Client().get(path).headers["ETag"]
        erase_player(Player.objects.get(name="Bo"), now=now(), with_balance=True)
        answer = Client().get(path, headers={"If-None-Match": tag})
        assert answer.status_code == 200
        assert b'"Bo"' not in answer.content
        rename("Erased player", "Bo")


def test_a_table_shows_seats_sheet_and_money(table):
    shown = Client().get(address_of(table)).json()
    assert shown["seats"]["2"] == {
        "player": shown["seats"]["2"]["player"],
        "name": "Bo",
        "place": 4,
        "total": 34,
        "drops_left": 3,
    }
    cell = {"how": "loss", "said": "Loss", "count": 34, "points": 34, "total": 34}
    assert shown["lines"][0]["cells"]["2"] == cell
    assert (shown["next_deal"], shown["in_play"], shown["status"]) == (2, ["1", "2", "3", "4"], "open")
    assert shown["stakes"]["entry_minor"] == 10_000


def test_the_past_is_what_was_shown_then(table):
    table.record(deal(1, show, loses(3), loses(20), loses(12), kind="deal_corrected", reason="upside down"))
    then = Client().get(address_of(table), {"at": "2"}).json()
    assert (then["version"], then["seats"]["2"]["total"]) == (2, 34)
    first = Event.objects.get(stream_id=table.row.id, version=2)
    assert totals(Client().get(board_of(table), {"at": str(first.position)}))["Bo"] == 34
    assert totals(Client().get(board_of(table)))["Bo"] == 3


def test_a_moment_of_the_past_stands_for_a_version(table):
    path = address_of(table)
    assert Client().get(path, {"at": "2026-01-17T19:30:00+05:30"}).json()["version"] == 2
    assert Client().get(f"{path}?at=2026-01-17T19:30:00+05:30").json()["version"] == 2
    assert Client().get(board_of(table), {"at": "2026-01-17T13:59:59Z"}).json()["rows"] == []


@pytest.mark.slow
def test_the_past_as_it_is_known_now_counts_a_correction_where_it_stands(table):
    table.deal(2, loses(9), show, loses(9), loses(9))
    table.record(deal(1, show, loses(3), loses(20), loses(12), kind="deal_corrected", reason="upside down"))
    first = Event.objects.get(stream_id=table.row.id, version=2)
    known, shown = Client().get(address_of(table), {"at": "known:2"}), Client().get(address_of(table), {"at": "2"})
    assert (known.json()["seats"]["2"]["total"], shown.json()["seats"]["2"]["total"]) == (3, 34)
    assert known.headers["ETag"] != Client().get(address_of(table)).headers["ETag"]
    assert totals(Client().get(board_of(table), {"at": f"known:{first.position}"}))["Dev"] == 12
    assert totals(Client().get(board_of(table), {"at": "round:1"}))["Dev"] == 21
    assert Client().get(board_of(table), {"at": "round:0"}).json()["rows"] == []


def test_what_is_known_now_is_known_to_be_unchanged_until_the_next_event(table):
    for path in (address_of(table), board_of(table)):
        tag = Client().get(path, {"at": "known:2"}).headers["ETag"]
        assert Client().get(path, {"at": "known:2"}, headers={"If-None-Match": tag}).status_code == 304
        assert Client().get(path, {"at": "round:1"}, headers={"If-None-Match": tag}).status_code == 200
    tag = Client().get(board_of(table), {"at": "round:1"}).headers["ETag"]
    table.deal(2, loses(9), show, loses(9), loses(9))
    assert Client().get(board_of(table), {"at": "round:1"}, headers={"If-None-Match": tag}).status_code == 200


BEFORE = "2026-01-17T13:59:59Z"


NEVER = ("3", "0", "99999999", BEFORE, "round:0", "known:0", f"known:{BEFORE}")
NO_MOMENTS = (
    *("x", "-1", "1.5", "99999999999", "2026-01-17", "2026-01-17T19:30", "0001-01-01T00:00+14:00"),
    *("1969-12-31T00:00Z", "known:", "known:x", "known:2026-01-17T19:30", "known:1969-12-31T00:00Z", "round:x"),
)


def test_a_version_that_never_was_does_not_exist_and_what_is_no_moment_is_refused(table):
    assert {at: Client().get(address_of(table), {"at": at}).status_code for at in NEVER} == dict.fromkeys(NEVER, 404)
    assert Client().get(address_of(table), {"at": "round:1"}).json()["seats"]["2"]["total"] == 34
    for path in (address_of(table), board_of(table)):
        answers = {at: Client().get(path, {"at": at}) for at in NO_MOMENTS}
        found = {at: (answer.status_code, answer.json()["code"]) for at, answer in answers.items()}
        assert found == dict.fromkeys(NO_MOMENTS, (400, "bad_parameter"))


def test_events_come_in_order_after_a_version(table):
    table.deal(2, show, loses(3), loses(4), loses(5))
    shown = Client().get(events_of(table), {"after": 1, "limit": 1}).json()
    assert [event["version"] for event in shown["events"]] == [2]
    assert (shown["version"], shown["next_after"]) == (3, 2)
    assert Client().get(events_of(table), {"after": 3}).json()["events"] == []
    assert Client().get(events_of(table), {"after": "x"}).status_code == 400


def test_who_wrote_and_why_is_for_those_who_work_for_the_club(table):
    table.record({"kind": "deal_voided", "deal": 1, "reason": "Bo held fourteen cards"})
    public = Client().get(events_of(table)).content.decode()
    assert "fourteen" not in public
    assert "actor" not in public
    member = Device(table.row.tournament.club).get(events_of(table)).json()["events"][-1]
    assert (member["event"]["reason"], member["actor"]) == ("Bo held fourteen cards", "user:sam")


@pytest.mark.slow
def test_a_board_of_two_hundred_is_small_and_takes_few_queries(django_assert_max_num_queries):
    home = new_tournament(new_club(is_published=True), preset="points", point_value_minor=100)
    for number in range(1, 41):
        names = tuple(f"Player of table {number} {seat}"[:20] for seat in "abcde")
        new_table(home, names, number).deal(1, show, *(loses(count) for count in (20, 30, 40, 50)))
    # Six to read it, the others to cache it; and then one for the ETag, one for the cached answer.
    for most in (17, 2):
        with django_assert_max_num_queries(most):
            answer = Client().get(f"/api/v1/tournaments/{home.id}/leaderboard/")
    assert len(answer.json()["rows"]) == 200
    assert len(answer.content) < 40_000


@pytest.mark.slow
def test_a_board_of_the_past_takes_as_few_queries_however_many_tables(django_assert_max_num_queries):
    home = new_tournament(new_club(is_published=True))
    for number in range(1, 9):
        new_table(home, number=number).deal(1, show, loses(3), loses(4), loses(5))
    with django_assert_max_num_queries(8):
        answer = Client().get(f"/api/v1/tournaments/{home.id}/leaderboard/", {"at": "12"})
    assert answer.json()["position"] == 12


def test_an_address_that_leads_nowhere_is_a_problem_document():
    for path in ("nowhere/", "tables/1/", "tables/../clubs/", ""):
        for method in ("get", "post", "put"):
            answer = getattr(Client(), method)(f"/api/v1/{path}")
            assert answer.status_code in (404, 405)
            assert answer.headers["Content-Type"] == "application/problem+json"
