"""What was recorded between two deals is read out in the language of the page."""

import pytest

from scoring.projections.telling import fact_said
from scoring.rules import events
from tournaments.saying.interpreting import is_known

NAMES = {"2": "Bo", "1": "Asha"}
ACTS: tuple[events.Fact, ...] = (
    events.DealVoided(deal=3, reason="misdeal"),
    events.DealConfirmed(deal=3),
    events.DealConfirmed(deal=3, seat="2"),
    events.DealDisputed(deal=3, reason="12, not 21"),
    events.DealDisputed(deal=3, seat="2", reason="12, not 21"),
    events.DisputeSettled(deal=3, reason="12 it is"),
    events.Rejoined(seat="2"),
    events.SeatLeft(seat="2"),
    events.BoughtIn(seat="2", amount_minor=50_000),
    events.PenaltyGiven(seat="2", points=5, reason="late"),
    events.FactWithdrawn(version=4, reason="pressed by mistake"),
    events.SplitAgreed(),
    events.TableClosed(),
    events.TableClosed(time_called=True),
    events.TableCancelled(reason="the hall closes"),
)


@pytest.mark.parametrize("fact", ACTS)
def test_every_act_of_a_table_has_its_form(fact: events.Fact):
    """Planted: an act read out in other words."""
    assert is_known(fact_said(fact, NAMES, amount_said=lambda minor: f"₹{minor // 100}.00"))
