"""A whole evening through the API: seats, deals, two scorers at one table, a rejoin, a wrong sheet, money, proof.

Planted faults these catch: a message sent before the commit (the worker finds nothing owed), a correction after
settlement that leaves the old entries standing, a board that lags behind its events.
"""

import time
from typing import Any

import pytest
from django.test import Client

from scoring.ledger import trial_balance
from tests.builders.api_clients import Device
from tests.builders.patience import PATIENCE
from tests.builders.playing import deal, first_drop, loses, middle_drop, out, show
from tests.builders.whole_evening import Evening, proved
from tournaments.books.commands import tables_to_settle


def settled() -> None:
    """Wait until the worker has settled whatever is owed."""
    deadline = time.monotonic() + PATIENCE
    while tables_to_settle():
        assert time.monotonic() < deadline, "no worker settled this"
        time.sleep(0.05)


@pytest.mark.slow
def test_an_evening_from_the_first_seat_to_the_last_entry(worker):
    evening = Evening()
    pool = evening.tournament("Pool", "pool_101", entry_minor=100_000, fee_bp=1_200)
    table = evening.table(pool, "Asha", "Bo", "Cy", "Dev", "Esha")
    evening.write(
        table,
        deal(1, loses(80), show, first_drop, loses(12), loses(33)),
        deal(2, loses(30), first_drop, show, loses(24), loses(9)),
    )
    assert evening.board(pool)["Asha"] == (5, 110)
    evening.write(
        table,
        {"kind": "rejoined", "seat": "1"},
        deal(3, loses(18), show, middle_drop, loses(41), first_drop),
        deal(4, first_drop, loses(34), show, loses(80), loses(16)),
        deal(5, loses(12), show, loses(25), out, loses(39)),
        deal(6, show, loses(15), loses(22), out, out),
        deal(7, first_drop, show, out, out, out),
    )
    assert evening.board(pool)["Bo"] == (1, 69)
    evening.write(table, {"kind": "table_closed"})
    settled()
    assert held(evening.club.id) == {"player": -72_000, "club_fee": 72_000}
    proved()

    points = evening.tournament("Points", "points", point_value_minor=200, fee_bp=1_000)
    cash = evening.table(points, "Farid", "Gita", "Hari", "Isha", "Jay", "Kabir")
    evening.write(cash, deal(1, show, loses(20), loses(20), loses(10), loses(40), loses(10)))
    settled()
    assert held(evening.club.id)["club_fee"] == 72_000 + 2_000
    evening.write(
        cash,
        deal(1, show, loses(2), loses(20), loses(10), loses(40), loses(10), kind="deal_corrected", reason="misread"),
    )
    settled()
    assert held(evening.club.id)["club_fee"] == 72_000 + 1_640
    evening.write(cash, {"kind": "penalty_given", "seat": "2", "points": 5, "reason": "late"}, client=evening.director)
    evening.write(cash, {"kind": "table_closed"})
    settled()
    assert sum(held(evening.club.id).values()) == 0
    proved()


def held(club_id: Any) -> dict[str, int]:
    return {line.kind.value: line.balance_minor for line in trial_balance(club_id)}


@pytest.mark.slow
@pytest.mark.django_db
def test_two_scorers_at_one_table_never_lose_what_the_first_one_wrote():
    evening = Evening()
    table = evening.table(evening.tournament("Pool", "pool_201"), "Asha", "Bo", "Cy")
    other = Device(evening.club)
    path = f"/api/v1/tables/{table}/events/"
    mine = {"expected_version": 1, "event": deal(1, show, loses(20), loses(30))}
    theirs = {"expected_version": 1, "event": deal(1, show, loses(20), loses(33))}
    assert evening.scorer.send(path, mine, key="mine").status_code == 201
    told = other.send(path, theirs)
    assert (told.status_code, told.json()["events"][0]["event"]["outcomes"]["3"]["count"]) == (409, 30)
    counted: Any = theirs["event"]
    fixed = {**counted, "kind": "deal_corrected", "reason": "counted again together"}
    assert other.send(path, {"expected_version": told.json()["current_version"], "event": fixed}).status_code == 201
    assert evening.scorer.send(path, mine, key="mine").headers["Idempotency-Replayed"] == "true"
    assert Client().get(f"/api/v1/tables/{table}/").json()["seats"]["3"]["total"] == 33
    proved()
