"""Facts between two deals are described in the language of the page."""

import pytest
from django.utils import translation

from scoring.events import wire
from scoring.messages import english
from scoring.sheets.event_messages import event_message
from tournaments.rendering.i18n.translating import translate

NAMES = {"2": "Bo", "1": "Asha"}
ACTS: tuple[wire.Event, ...] = (
    wire.DealVoided(deal=3, reason="misdeal"),
    wire.DealConfirmed(deal=3),
    wire.DealConfirmed(deal=3, seat="2"),
    wire.DealDisputed(deal=3, reason="12, not 21"),
    wire.DealDisputed(deal=3, seat="2", reason="12, not 21"),
    wire.DisputeSettled(deal=3, reason="12 it is"),
    wire.Rejoined(seat="2"),
    wire.SeatLeft(seat="2"),
    wire.BoughtIn(seat="2", amount_minor=50_000),
    wire.PenaltyGiven(seat="2", points=5, reason="late"),
    wire.EventWithdrawn(version=4, reason="pressed by mistake"),
    wire.SplitAgreed(),
    wire.TableClosed(),
    wire.TableClosed(time_called=True),
    wire.TableCancelled(reason="the hall closes"),
)


@pytest.mark.parametrize("event", ACTS)
def test_every_act_of_a_table_is_read_out_in_german(event: wire.Event):
    """Planted fault: an event described in other words."""
    said = event_message(event, amount_text=lambda minor: f"₹{minor // 100}.00")
    with translation.override("de"):
        assert translate(said, NAMES) != english(said, NAMES)
