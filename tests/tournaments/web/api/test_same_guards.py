"""What a page refuses, a program is refused too: each guard stands in the command, and both doors meet it.

Planted faults these catch: a check in a view or a form, which a program or an action for many walks past.
"""

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.events import wire
from scoring.problems import EventNotAllowed
from tests.builders.api_clients import Device, person
from tests.builders.playing import NOW, context
from tests.builders.stages import Night, pool_won_in
from tournaments.models import Role, Table
from tournaments.models.log import Event
from tournaments.people.players import add_players
from tournaments.running.commands.close import cancel_tournament
from tournaments.running.commands.record import record_in_tournament
from tournaments.tables.commands.record import record_wire_event
from tournaments.tables.commands.table_tokens import issue_cards

pytestmark = pytest.mark.django_db

LEVEL: dict[str, Any] = {
    "stages": [{"smallest_table": 2, "advancing": 3}, {"smallest_table": 2}],
    "tie_breaks": ["deals_won"],
}


class Doors:
    """A director with a browser and with a program."""

    def __init__(self, night: Night) -> None:
        self.night = night
        club = night.tournament.club
        self.browser, self.program = Client(), Device(club, Role.DIRECTOR)
        self.browser.force_login(person(club, Role.DIRECTOR, is_staff=True))

    def page(self, name: str, **typed: str) -> int:
        address = reverse(f"admin:tournaments_tournament_{name}", args=[self.night.tournament.pk])
        return self.browser.post(address, {"key": uuid.uuid4().hex, **typed}).status_code

    def api(self, page: str, **body: Any) -> Any:
        return self.program.send(f"/api/v1/tournaments/{self.night.tournament.pk}/{page}/", body)

    def refused(self, page: str, **body: Any) -> list[str]:
        answer = self.api(page, **body)
        assert answer.status_code == 422, answer.content
        return [problem["code"] for problem in answer.json()["problems"]]


def test_a_tie_that_nobody_has_is_broken_through_neither_door():
    doors = Doors(Night(LEVEL))
    one, two = doors.night.seat((0, 1), (2, 3))
    pool_won_in(one, 2)
    pool_won_in(two, 2, first=False)
    asha, bo, *_ = doors.night.players
    before = Event.objects.count()
    typed = {"tie": f"{asha} {bo}", "method": "extra_deal", f"place-{asha}": "1", f"place-{bo}": "2"}
    assert doors.page("ties", **typed) == 422
    assert doors.refused("ties", players=[asha, bo], method="extra_deal") == ["not_a_choice"]
    assert Event.objects.count() == before


def test_a_tournament_with_fees_and_nobody_seated_is_closed_through_neither_door():
    night = Night(LEVEL, entry_minor=10_000)
    doors = Doors(night)
    record_in_tournament(
        night.tournament.pk, wire.EntryPaid(player=night.players[0], amount_minor=10_000), context=context()
    )
    assert doors.page("close") == 422
    assert doors.refused("close") == ["nothing_played"]


@pytest.mark.slow
def test_an_abandoned_tournament_is_not_restored_as_if_it_were_deleted():
    night = Night(LEVEL)
    doors = Doors(night)
    one, two = night.seat((0, 1), (2, 3))
    pool_won_in(one, 2)
    cancel_tournament(night.tournament.pk, reason="flooded", context=context())
    assert two.sheet.is_cancelled
    assert doors.page("restore") == 302
    assert doors.refused("restore") == ["not_deleted"]
    night.tournament.refresh_from_db()
    assert night.tournament.is_cancelled


def test_a_substitute_has_no_entry_fee_to_be_lowered():
    night = Night(LEVEL, entry_minor=10_000)
    (zoe,) = add_players(night.tournament.club, ["Zoe"])
    night.seat((0, 1), (2, 3))
    event = wire.PlayerSubstituted(player=night.players[0], by=str(zoe.pk), reason="went home")
    record_in_tournament(night.tournament.pk, event, context=context())
    terms = wire.EntryTermsSet(player=str(zoe.pk), rate="free", reason="guest")
    with pytest.raises(EventNotAllowed) as refused:
        record_in_tournament(night.tournament.pk, terms, context=context())
    assert [problem.code for problem in refused.value.problems] == ["not_a_choice"]


def test_a_cancelled_table_has_no_card():
    night = Night(LEVEL)
    one, _ = night.seat((0, 1), (2, 3))
    record_wire_event(one.row.pk, {"kind": "table_cancelled", "reason": "a mistake"}, expected=1, context=context())
    table = Table.objects.select_related("scoresheet", "tournament__club").get(pk=one.row.pk)
    user = person(night.tournament.club, Role.DIRECTOR)
    with pytest.raises(EventNotAllowed, match="takes no card"):
        issue_cards([table], key=uuid.uuid4(), user_id=user.pk, now=NOW)


@pytest.mark.slow
def test_a_till_is_not_counted_by_a_sheet_without_a_number():
    """Planted fault: the count of nothing, which tells who counts blind what the till should hold."""
    club = Night(LEVEL).tournament.club
    cashier = Device(club, Role.CASHIER)
    cash, till = f"/api/v1/clubs/{club.pk}/cash/", f"token:{cashier.token.pk}"
    cashier.send(cash, {"event": {"kind": "till_opened", "till": till}})
    nothing = cashier.send(cash, {"event": {"kind": "till_counted", "till": till, "pieces": {}}})
    assert [problem["code"] for problem in nothing.json()["problems"]] == ["nothing_counted"]
    empty = cashier.send(cash, {"event": {"kind": "till_counted", "till": till, "pieces": {"100": 0}}})
    assert empty.status_code == 201
