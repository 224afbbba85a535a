"""Settling brings the books to what a table should have paid: once, and whatever was posted before."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from scoring import storage
from scoring.ledger import settle
from scoring.models import Account, JournalEntry, SettledCause
from scoring.money import PlannedEntry
from scoring.problems import Defect
from tests.builders.ledger import CLUB, NEIGHBOUR, NOW, TABLE, deal, holdings, references, settled
from tests.builders.there import there

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_closed_table_pays_the_winner_and_the_house_once():
    result = settled(17, deal(1, asha=-600, bo=540, house=60), at=NOW + timedelta(hours=1))
    assert (result.is_news, result.posted) == (True, (f"{TABLE}@17/deal:1",))
    assert holdings() == {"asha": -600, "bo": 540, "house": 60}
    assert not settled(17, deal(1, asha=-600, bo=540, house=60)).is_news
    entry = JournalEntry.objects.get()
    assert (entry.posted_at, entry.memo) == (NOW + timedelta(hours=1), "as the sheet says")


def test_late_worker_does_not_undo_what_a_newer_version_settled():
    settled(21, deal(1, asha=-500, bo=500))
    assert not settled(17, deal(1, asha=-600, bo=600)).is_news
    assert holdings() == {"asha": -500, "bo": 500}


def test_newer_version_in_which_no_money_changed_posts_nothing_but_is_noted():
    settled(17, deal(1, asha=-600, bo=600))
    result = settled(21, deal(1, asha=-600, bo=600))
    assert (result.is_news, result.posted, result.unchanged) == (True, (), ("deal:1",))
    assert SettledCause.objects.get(cause=TABLE).version == 21


def test_corrected_deal_is_reversed_and_posted_again_and_the_others_stay():
    settled(17, deal(2, asha=-100, cy=100), deal(3, asha=-600, bo=600))
    result = settled(21, deal(2, asha=-100, cy=100), deal(3, asha=-500, bo=500))
    assert (result.reversed, result.unchanged) == (("deal:3",), ("deal:2",))
    assert references() == {"@17/deal:2", "@17/deal:3", "@17/deal:3~reversed@21", "@21/deal:3"}
    assert holdings() == {"asha": -600, "cy": 100, "bo": 500}
    reversal = JournalEntry.objects.get(reverses__isnull=False)
    assert there(reversal.reverses).reference == f"{TABLE}@17/deal:3"
    assert (reversal.version, reversal.slot, reversal.currency) == (21, "deal:3", "INR")


def test_voided_deal_leaves_nothing_on_any_account_and_is_posted_again_when_it_is_played_again():
    settled(17, deal(3, asha=-600, bo=600))
    assert settled(21).reversed == ("deal:3",)
    assert holdings() == {}
    settled(25, deal(3, asha=-600, bo=600))
    assert holdings() == {"asha": -600, "bo": 600}


def test_tables_of_a_player_and_of_a_neighbour_are_settled_each_by_itself():
    settled(3, deal(1, asha=-600, bo=600), cause="table:a")
    settled(2, deal(1, asha=-50, cy=50), cause="table:b")
    settled(18, deal(1, asha=-70, bo=70), cause="table:a", club=NEIGHBOUR)
    settled(3, cause="table:b")
    assert (holdings(), holdings(NEIGHBOUR)["bo"]) == ({"asha": -600, "bo": 600}, 70)


def test_correction_that_is_taken_back_pays_the_first_amounts_again():
    for version, amount in ((17, 600), (21, 500), (25, 600)):
        settled(version, deal(3, asha=-amount, bo=amount))
    assert holdings() == {"asha": -600, "bo": 600}
    assert references() == {
        "@17/deal:3",
        "@17/deal:3~reversed@21",
        "@21/deal:3",
        "@21/deal:3~reversed@25",
        "@25/deal:3",
    }


def test_a_player_has_one_account_in_each_currency():
    settled(1, deal(1, asha=-600, bo=600), cause="table:a")
    settled(1, deal(1, asha=-500, bo=500), cause="table:b")
    settled(1, deal(1, asha=-400, bo=400, currency="EUR"), cause="table:c")
    assert sorted(Account.objects.filter(owner="asha").values_list("currency", flat=True)) == ["EUR", "INR"]


def test_a_user_who_asked_for_the_settlement_can_still_take_all_of_it_back():
    """Planted fault: a claim committed apart from its entries would leave this table noted as settled for ever."""
    with transaction.atomic():
        settled(17, deal(1, asha=-600, bo=600))
        transaction.set_rollback(True)
    assert settled(17, deal(1, asha=-600, bo=600)).is_news


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ((deal(1, asha=-600, bo=599),), "deal:1 does not balance"),
        ((deal(1, asha=-600),), "deal:1 does not balance"),
        ((deal(1, asha=-6, bo=6), deal(1, asha=-7, bo=7)), "plans a slot twice"),
    ],
)
def test_plan_that_cannot_be_right_is_refused_before_anything_is_written(entries: tuple[PlannedEntry], said: str):
    with pytest.raises(Defect, match=said):
        settled(17, *entries)
    assert not JournalEntry.objects.exists()
    assert not SettledCause.objects.exists()


@pytest.mark.parametrize(("cause", "version"), [("", 17), (TABLE, 0)])
def test_settlement_of_nothing_is_a_defect(cause: str, version: int):
    with pytest.raises(Defect, match="nothing to settle"):
        settle(CLUB, cause, version=version, entries=(), now=NOW)


def test_a_long_session_asks_the_database_no_more_often_than_a_short_one(monkeypatch: pytest.MonkeyPatch):
    """Planted fault: one INSERT for each deal makes this 52 more."""
    settled(17, deal(1, asha=-600, bo=540, house=60), cause="table:opens the accounts")
    asked = asked_of_the_database(monkeypatch)
    settled(17, deal(1, asha=-600, bo=540, house=60), cause="table:short")
    short = asked.copy()
    asked.clear()
    settled(17, *[deal(number, asha=-600, bo=540, house=60) for number in range(1, 51)])
    assert asked == short
    assert len(short) == (1 if connection.vendor == "postgresql" else 6)


def asked_of_the_database(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The SQL that the ledger sends to the driver from now on: it does not go through Django's count of queries."""
    asked: list[str] = []
    database = storage.of(connection)
    opened = database._cursor

    @contextmanager
    def noted() -> Iterator[Any]:
        with opened() as cursor:
            yield Noting(cursor, asked)

    monkeypatch.setattr(database, "_cursor", noted)
    return asked


class Noting:
    """A cursor that records its SQL."""

    def __init__(self, cursor: Any, asked: list[str]) -> None:
        self.cursor = cursor
        self.asked = asked

    def execute(self, statement: str, *values: Any) -> Any:
        self.asked.append(str(statement))
        return self.cursor.execute(statement, *values)

    def executemany(self, statement: str, rows: Any) -> Any:
        self.asked.append(statement)
        return self.cursor.executemany(statement, rows)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.cursor, name)
