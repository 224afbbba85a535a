"""The tournament report counts deals, points and minutes by what counts: cancelled deals do not, totals have no deals.

Planted faults these catch: a table that took until a deal was recorded at it by mistake, or until somebody entered its
totals; a deal corrected twice that counts as two.
"""

from datetime import timedelta
from typing import Any

import pytest

from tests.builders.playing import NOW, Playing, loses, new_table, new_tournament, show
from tournaments.models import Tournament
from tournaments.printing.report import tournament_report
from tournaments.rendering.pdf import Facts, Table

pytestmark = pytest.mark.django_db


def after(minutes: int) -> dict[str, Any]:
    return {"now": NOW + timedelta(minutes=minutes)}


@pytest.fixture
def tournament() -> Tournament:
    return new_tournament()


@pytest.fixture
def played(tournament: Tournament) -> Playing:
    """Two deals in 20 minutes, the first corrected twice; a third, recorded by mistake after 90, is cancelled."""
    table = new_table(tournament)
    table.deal(1, show, loses(10), loses(20), loses(30), **after(10))
    table.deal(2, show, loses(20), loses(40), loses(70), **after(20))
    table.correct(1, show, loses(11), loses(20), loses(30), **after(21))
    table.correct(1, show, loses(12), loses(20), loses(30), **after(22))
    table.deal(3, loses(80), show, loses(2), loses(0), **after(90))
    table.record({"kind": "deal_voided", "deal": 3, "reason": "of another table"}, **after(91))
    table.record({"kind": "table_closed", "time_called": True}, **after(92))
    return table


def facts_of(tournament: Tournament) -> dict[str, str]:
    again = Tournament.objects.select_related("club").get(pk=tournament.pk)
    return dict(
        next(part.pairs for part in tournament_report(again).parts if isinstance(part, Facts) and len(part.pairs) > 4)
    )


def test_a_cancelled_deal_is_in_no_number_and_makes_no_table_longer(tournament: Tournament, played: Playing):
    facts = facts_of(tournament)
    assert (facts["Tables"], facts["Deals"]) == ("1", "2")
    assert facts["Fastest table"] == facts["Longest table"] == "Table 1: 20 minutes, 2 deals"
    assert facts["Biggest hand"] == "70 points: Dev (Table 1, deal 2)"
    assert facts["Most deals won"] == "2 deals: Asha"
    assert facts["Corrected or cancelled deals"] == "2"
    assert "Tables entered by totals" not in facts


def test_a_table_entered_by_its_totals_has_a_number_of_its_own(tournament: Tournament, played: Playing):
    table = new_table(tournament, names=("Eli", "Fay", "Gus"), number=2)
    totals = {"1": 7, "2": 101, "3": 140}
    table.record({"kind": "totals_recorded", "totals": totals, "out": {"2": 2, "3": 1}}, **after(600))
    righted = {"kind": "totals_corrected", "totals": {**totals, "1": 8}, "out": {"2": 2, "3": 1}, "reason": "misread"}
    table.record(righted, **after(601))
    facts = facts_of(tournament)
    assert (facts["Tables"], facts["Deals"], facts["Tables entered by totals"]) == ("2", "2", "1")
    assert facts["Fastest table"] == facts["Longest table"] == "Table 1: 20 minutes, 2 deals"
    assert facts["Biggest hand"] == "70 points: Dev (Table 1, deal 2)"
    assert facts["Corrected or cancelled deals"] == "2"
    again = Tournament.objects.select_related("club").get(pk=tournament.pk)
    places = next(part for part in tournament_report(again).parts if isinstance(part, Table))
    won = {row.cells[1]: row.cells[-1] for row in places.rows}
    assert (won["Asha"], won["Bo"], won["Eli"], won["Gus"]) == ("2", "0", "–", "–")


def test_a_tournament_of_totals_alone_says_no_minutes(tournament: Tournament):
    table = new_table(tournament)
    totals = {"1": 7, "2": 101, "3": 140, "4": 119}
    table.record({"kind": "totals_recorded", "totals": totals, "out": {"2": 2, "3": 1, "4": 3}}, **after(600))
    facts = facts_of(tournament)
    assert (facts["Deals"], facts["Tables entered by totals"]) == ("0", "1")
    assert not {"Fastest table", "Longest table", "Biggest hand", "Most deals won"} & facts.keys()


def test_a_sheet_that_was_sent_late_makes_no_table_longer(tournament: Tournament):
    """Planted fault: a phone without a network sends a deal of 20 minutes after the start two hours later."""
    table = new_table(tournament)
    table.deal(1, show, loses(30), loses(30), loses(30), **after(10))
    table.deal(2, show, loses(80), loses(80), loses(80), occurred_at=NOW + timedelta(minutes=20), **after(140))
    assert facts_of(tournament)["Longest table"] == "Table 1: 20 minutes, 2 deals"


@pytest.mark.parametrize("wrong", [-600, 600])
def test_a_device_with_a_wrong_clock_changes_no_minutes(tournament: Tournament, wrong: int):
    table = new_table(tournament)
    table.deal(1, show, loses(30), loses(30), loses(30), **after(10))
    table.deal(2, show, loses(80), loses(80), loses(80), occurred_at=NOW + timedelta(minutes=wrong), **after(30))
    assert facts_of(tournament)["Longest table"] == "Table 1: 30 minutes, 2 deals"


def test_a_table_is_named_with_its_round_where_there_are_several(tournament: Tournament, played: Playing):
    """Planted fault: the biggest hand was at "Table 1", and each round has one."""
    later = new_table(tournament, names=("Eli", "Fay", "Gus"), number=2)
    later.row.round = 2
    later.row.save()
    facts = facts_of(tournament)
    assert facts["Biggest hand"] == "70 points: Dev (Table 1, Round 1, deal 2)"
    assert facts["Longest table"] == "Table 1, Round 1: 20 minutes, 2 deals"
