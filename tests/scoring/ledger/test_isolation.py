"""Every query of the books returns only what was asked for: a club, a currency, causes, players."""

from typing import Any

import pytest
from django.db import transaction

from scoring import ledger
from scoring.ledger import audit
from scoring.ledger.settling import LARGE, held_beside
from scoring.money import AccountKind, AccountRef, Purpose
from scoring.money.payouts import MOST_SUM
from scoring.problems import EventNotAllowed
from tests.builders.ledger import CLUB, NEIGHBOUR, TABLE, deal, holdings, moved, settled

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
OTHER = "table:other"
ASHA, BO, HOUSE = (
    AccountRef(kind=AccountKind.PLAYER, owner="asha"),
    AccountRef(kind=AccountKind.PLAYER, owner="bo"),
    AccountRef(kind=AccountKind.CLUB_FEE),
)


@pytest.fixture
def books(db: None) -> None:
    """Two causes of a club, one corrected; euros; and a neighbour with players of the same names."""
    settled(1, deal(1, asha=-600, bo=540, house=60), deal(2, asha=5, bo=-5))
    settled(3, deal(1, asha=-400, bo=360, house=40), deal(2, asha=5, bo=-5))
    settled(2, deal(1, asha=-30, cy=30), cause=OTHER)
    settled(1, deal(1, asha=7, bo=-7, currency="EUR"), cause="table:euro")
    settled(9, deal(1, asha=-9_999, bo=9_999), club=NEIGHBOUR)


@pytest.mark.usefixtures("books")
def test_a_balance_is_of_one_club_in_one_currency() -> None:
    never = AccountRef(kind=AccountKind.CASH, owner="asha")
    assert ledger.balances(CLUB, "INR", [ASHA, BO, HOUSE, never]) == {ASHA: -425, BO: 355, HOUSE: 40, never: 0}
    assert ledger.balances(CLUB, "EUR", [ASHA, HOUSE]) == {ASHA: 7, HOUSE: 0}
    assert ledger.balances(NEIGHBOUR, "INR", [ASHA]) == {ASHA: -9_999}
    assert ledger.balances_of_kind(CLUB, "INR", AccountKind.PLAYER) == {"asha": -425, "bo": 355, "cy": 30}
    settled(1, moved("table", cy=-30, bo=30), cause="table:back")
    assert ledger.balances_of_kind(CLUB, "INR", AccountKind.PLAYER) == {"asha": -425, "bo": 385}


@pytest.mark.usefixtures("books")
def test_what_is_booked_for_players_is_of_these_causes_and_these_players() -> None:
    booked = ledger.booked_for_players(CLUB, [TABLE, "table:never"], ["asha", "cy"])
    assert booked == {(TABLE, "asha"): -395}
    both = ledger.booked_for_players(CLUB, [TABLE, OTHER], ["asha", "bo", "cy"])
    assert both == {(TABLE, "asha"): -395, (TABLE, "bo"): 355, (OTHER, "asha"): -30, (OTHER, "cy"): 30}


@pytest.mark.usefixtures("books")
def test_what_accounts_hold_beside_a_cause() -> None:
    assert held_beside(CLUB, "INR", AccountKind.PLAYER, cause=TABLE) == {"asha": -30, "bo": 0, "cy": 30}
    assert held_beside(CLUB, "INR", AccountKind.PLAYER, cause="another") == {"asha": -425, "bo": 355, "cy": 30}
    assert held_beside(CLUB, "INR", AccountKind.SIDE_POT, cause=TABLE) == {}


@pytest.mark.usefixtures("books")
def test_what_stands_is_reported_cause_by_cause() -> None:
    standing = audit.standing_sums(CLUB)
    cause = audit.Cause(CLUB, TABLE)
    assert {each.name for each in standing} == {TABLE, OTHER, "table:euro"}
    assert {(line.slot, line.owner or line.kind): amount for line, amount in standing[cause].items()} == {
        ("deal:1", "asha"): -400,
        ("deal:1", "bo"): 360,
        ("deal:1", "club_fee"): 40,
        ("deal:2", "asha"): 5,
        ("deal:2", "bo"): -5,
    }
    assert standing[cause] == audit.planned_sums([deal(1, asha=-400, bo=360, house=40), deal(2, asha=5, bo=-5)])
    assert audit.Cause(NEIGHBOUR, TABLE) in audit.standing_sums()


@pytest.mark.usefixtures("books")
def test_versions_are_reported_cause_by_cause() -> None:
    newest = {audit.Cause(CLUB, TABLE): 3, audit.Cause(CLUB, OTHER): 2, audit.Cause(CLUB, "table:euro"): 1}
    everywhere = newest | {audit.Cause(NEIGHBOUR, TABLE): 9}
    assert (audit.settled_versions(CLUB), audit.settled_versions()) == (newest, everywhere)
    assert (audit.noted_versions(CLUB), audit.noted_versions()) == (newest, everywhere)
    assert audit.causes_of(CLUB, "table:") == sorted((TABLE, OTHER, "table:euro"))
    assert audit.causes_of(CLUB, "cash:") == []


def test_amounts_planned_for_one_line_are_added_up() -> None:
    (line,) = {line for line in audit.planned_sums([moved("s", asha=-1, bo=1)]) if line.owner == "asha"}
    assert line == audit.Line("s", "INR", "player", "asha", Purpose.CHARGE.value)
    twice = [moved("s", asha=-1, bo=1), moved("s", asha=-2, bo=2)]
    assert audit.planned_sums(twice)[line] == -3


def refusal(version: int, *entries: Any) -> list[tuple[str, str | None, str | None]]:
    with transaction.atomic(), pytest.raises(EventNotAllowed) as refused, transaction.atomic():
        settled(version, *entries)
    return [(each.code, each.seat, each.field) for each in refused.value.problems]


def test_the_most_that_can_be_kept_is_posted_and_one_unit_more_is_not() -> None:
    settled(1, moved("a", asha=-MOST_SUM, bo=MOST_SUM))
    assert holdings() == {"asha": -MOST_SUM, "bo": MOST_SUM}
    assert refusal(2, moved("a", asha=-MOST_SUM - 1, bo=MOST_SUM + 1)) == [("out_of_range", None, "amount_minor")]
    assert refusal(2, moved("a", asha=-MOST_SUM - 1, bo=MOST_SUM, cy=1)) == [("out_of_range", None, "amount_minor")]
    assert holdings() == {"asha": -MOST_SUM, "bo": MOST_SUM}


def test_an_account_holds_no_more_than_can_be_kept() -> None:
    """Of a large posting the balance is checked; the message names whose it is and how much it is."""
    settled(1, moved("a", asha=-MOST_SUM, bo=MOST_SUM))
    half = moved("b", cy=-LARGE - 1, bo=LARGE + 1)
    assert refusal(2, moved("a", asha=-MOST_SUM, bo=MOST_SUM), half) == [("out_of_range", "bo", "player INR")]
    assert holdings() == {"asha": -MOST_SUM, "bo": MOST_SUM}
    fee = moved("c", cy=-MOST_SUM, house=MOST_SUM), moved("d", dev=-LARGE - 1, house=LARGE + 1)
    assert refusal(2, moved("a", asha=-MOST_SUM, bo=MOST_SUM), *fee) == [("out_of_range", None, "club_fee INR")]
    # Checked for large postings only: it takes a million of the others to get there.
    assert settled(1, moved("b", cy=-LARGE, bo=LARGE), cause=OTHER).is_news
