"""The cash desk over the API: the same lines under the same rules as on its pages."""

from typing import Any

import pytest

from tests.builders.api_clients import Device
from tests.builders.playing import new_club
from tournaments.models import CashBook, Club, Role
from tournaments.people.permissions import EVENT_PERMISSIONS, MATRIX, Permission
from tournaments.people.players import add_players

pytestmark = pytest.mark.django_db


class Till(Device):
    """A cashier's device at a club with Asha and Bo."""

    def __init__(self, club: Club, role: Role = Role.CASHIER) -> None:
        super().__init__(club, role)
        self.path = f"/api/v1/clubs/{club.pk}/cash/"
        self.name = f"token:{self.token.pk}"

    def writes(self, kind: str, *, key: str = "", **fields: Any) -> Any:
        more = {name: fields.pop(name) for name in ("expected_version", "book") if name in fields}
        return self.send(self.path, {"event": {"kind": kind, **fields}, **more}, key=key)

    def opens(self) -> "Till":
        assert self.writes("till_opened", till=self.name).status_code == 201
        return self

    def takes(self, player: Any, amount_minor: int, **more: Any) -> Any:
        place = f"till:{self.name}"
        return self.writes("money_received", player=str(player.pk), amount_minor=amount_minor, place=place, **more)


@pytest.fixture
def club(db: None) -> Club:
    return new_club()


@pytest.fixture
def asha(club: Club) -> Any:
    return add_players(club, ("Asha", "Bo"))[0]


def test_lines_are_read_back_in_pages_and_a_till_is_counted_blind_here_too(club: Club, asha: Any):
    till, director = Till(club).opens(), Till(club, Role.DIRECTOR)
    assert till.takes(asha, 5_000).json()["line"] == 3
    assert till.get(f"{till.path}balances/").json()["items"][0]["balance_minor"] == 5_000
    first = till.get(till.path, {"limit": 1}).json()
    assert ([line["event"]["kind"] for line in first["lines"]], first["next_after"]) == (["cash_book_opened"], 1)
    rest = till.get(till.path, {"after": 1}).json()
    assert [line["event"]["kind"] for line in rest["lines"]] == ["till_opened", "money_received"]
    assert rest["next_after"] is None
    assert "held_minor" not in till.get(till.path).json()["tills"][0]
    assert director.get(till.path).json()["tills"][0]["held_minor"] == 5_000
    till.writes("till_counted", till=till.name, pieces={"5000": 1})
    assert till.get(till.path).json()["tills"][0]["held_minor"] == 5_000


def test_the_same_key_writes_once_and_is_marked(club: Club, asha: Any):
    till = Till(club).opens()
    answers = [till.takes(asha, 5_000, key="once") for _ in range(2)]
    assert [answer.json()["line"] for answer in answers] == [3, 3]
    assert answers[1]["Idempotency-Replayed"] == "true"
    assert CashBook.objects.get().version == 3


def test_a_line_about_the_same_player_meanwhile_is_reported(club: Club, asha: Any):
    till = Till(club).opens()
    till.takes(asha, 5_000)
    book = str(CashBook.objects.get().pk)
    answer = till.takes(asha, 100, expected_version=2, book=book)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale_table")
    # Whoever counts this till blind is told that there was one, and not what.
    assert [event["event"] for event in answer.json()["events"]] == [None]


def test_every_problem_is_named_with_its_field_and_a_refused_line_begins_no_book(club: Club, asha: Any):
    till = Till(club)
    answer = till.writes("money_transferred", player=str(asha.pk), amount_minor=0)
    assert answer.status_code == 422
    assert {problem["field"] for problem in answer.json()["problems"]} == {"amount_minor", "to", "reason"}
    assert till.takes(asha, 5_000).status_code == 422
    assert not CashBook.objects.exists()


def test_no_till_is_opened_for_nobody_and_no_book_begun_twice(club: Club):
    director = Till(club, Role.DIRECTOR).opens()
    for till in ("user:99999", "user:x", "somebody"):
        answer = director.writes("till_opened", till=till)
        assert [problem["code"] for problem in answer.json()["problems"]] == ["no_till"], till
    assert director.writes("cash_book_opened", currency="INR").status_code == 422
    assert CashBook.objects.get().version == 2


def test_another_clubs_book_does_not_exist(club: Club, asha: Any):
    Till(new_club("Dita's club")).opens()
    theirs = str(CashBook.objects.get().pk)
    assert Till(club).opens().takes(asha, 100, book=theirs).status_code == 404


@pytest.mark.parametrize("role", [Role.CASHIER, Role.CHECKIN, Role.AUDITOR])
def test_each_kind_of_line_takes_its_action(club: Club, asha: Any, role: Role):
    till = Till(club, role)
    lines: dict[str, dict[str, Any]] = {
        "debt_written_off": {"player": str(asha.pk), "amount_minor": 1, "reason": "x"},
        "credit_granted": {"player": str(asha.pk), "limit_minor": 1, "reason": "x"},
        "cash_book_closed": {},
        "till_opened": {"till": till.name},
    }
    for kind, fields in lines.items():
        status = till.writes(kind, **fields).status_code
        assert (status == 403) == (
            EVENT_PERMISSIONS[kind] not in MATRIX[role] or Permission.HANDLE_CASH not in MATRIX[role]
        ), kind


def test_a_currency_without_money_is_a_bad_parameter(club: Club):
    till = Till(club)
    assert till.get(till.path, {"currency": "EUR"}).status_code == 400


@pytest.mark.slow
def test_a_line_whose_first_answer_was_lost_is_found_in_a_book_that_was_closed_since(club: Club, asha: Any):
    till = Till(club, Role.DIRECTOR)
    first = till.writes("till_opened", till=till.name, key="lost-answer-1")
    counted: dict[str, Any] = {"pieces": {}}
    for kind, fields in (("till_counted", counted), ("till_closed", {})):
        till.writes(kind, till=till.name, **fields)
    till.writes("cash_book_closed")
    again = till.writes("till_opened", till=till.name, key="lost-answer-1")
    assert (again.json()["line"], again.json()["book"]) == (2, first.json()["book"])
    assert CashBook.objects.count() == 1


def test_no_line_break_slips_in_behind_a_place_or_counts_a_note_twice(club: Club):
    till = Till(club, Role.DIRECTOR).opens()
    for place in ("bank\n", "desk\n", "till:token:1\n"):
        answer = till.writes("money_moved", source="owner", target=place, amount_minor=5)
        assert [problem["field"] for problem in answer.json()["problems"]] == ["target"], place
    assert till.writes("till_counted", till=till.name, pieces={"100": 1, "100\n": 1}).status_code == 422


def test_a_levy_is_a_directors_to_pass_on(club: Club, asha: Any):
    till = Till(club).opens()
    till.takes(asha, 5_000)
    own = f"till:{till.name}"
    for source, target in (("levy", own), (own, "levy")):
        answer = till.writes("money_moved", source=source, target=target, amount_minor=50)
        assert [problem["code"] for problem in answer.json()["problems"]] == ["not_your_deed"]


def test_a_key_may_be_as_long_as_keys_are_though_its_line_begins_a_book(club: Club):
    till = Till(club)
    answer = till.writes("till_opened", till=till.name, key="k" * 200)
    assert answer.status_code == 201
