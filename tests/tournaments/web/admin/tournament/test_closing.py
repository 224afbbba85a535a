"""What the page that closes a tournament names before it closes it."""

from collections.abc import Callable
from typing import Any

from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from scoring.events import wire
from tests.builders.admin_tournaments import Night, a_night, record
from tests.builders.page_text import html
from tournaments.models import Club, Role

PLAN: dict[str, Any] = {
    "stages": [{"smallest_table": 2}],
    "prizes_bp": [7_000, 3_000],
    "guaranteed_minor": 100_000,
    "member_minor": 8_000,
    "side_pots": [{"name": "High hand", "contribution_minor": 500}],
}


def matters(client: Client, night: Night) -> dict[str, str | None]:
    """What is open, with the page that each line leads to."""
    lines = LexborHTMLParser(html(client.get(night.url("close")))).css("ul.plain a")
    return {" ".join(line.text().split()): line.attributes["href"] for line in lines}


def test_closing_names_what_is_open_each_with_a_link(dita: Client, signed_in: Callable[..., Client], club: Club):
    """Planted fault: the page closed with unpaid entries, a tie and a side pot without a word."""
    night = a_night(club, PLAN, entry_minor=10_000)
    asha, _, cy = night.enter("Asha", "Bo", "Cy")
    night.seat(size=3)
    cashier = signed_in(Role.CASHIER, login="cash")
    page = night.url(f"desk/{asha}")
    cashier.post(night.url("till"), {"do": "none", "back": "desk"})
    cashier.post(page, {"do": "pay", "key": "a" * 32})
    cashier.post(page, {"do": "give", "amount": "20", "seen": "10500", "reason": "change", "key": "b" * 32})
    night.record(wire.EntryTermsSet(player=str(cy), rate="free", reason="guest"))
    desk = night.url("desk")
    assert matters(dita, night) == {
        "3 entry fees are not paid: ₹130.00.": desk,
        "Asha, Bo and Cy share places 1 to 3 and their prizes.": night.url("prizes"),
        "Side pot High hand has no winner: ₹15.00.": night.url("prizes"),
        "The club adds ₹800.00 to the prizes.": night.url("prizes"),
        "₹20.00 refunded to Asha by cash: change.": page,
        "Free entry for Cy by deleted login: guest.": night.url(f"desk/{cy}"),
    }


def test_a_tie_for_a_prize_is_broken_on_the_page_that_the_closing_leads_to(dita: Client, club: Club):
    """Bo and Cy are tied for the second prize, and the plan has a card drawn. Planted fault: *Ties* knew only cuts."""
    night = a_night(club, PLAN | {"tie_breaks": ["deals_won", "high_card"]}, entry_minor=10_000)
    night.enter("Asha", "Bo", "Cy")
    (table,) = night.seat(size=3)
    assert "Asha, Bo and Cy share places 1 to 3 and their prizes." in matters(dita, night)
    lost = {"how": "loss", "count": 80}
    for number in (1, 2):
        record(
            table, {"kind": "deal_recorded", "deal": number, "outcomes": {"1": {"how": "show"}, "2": lost, "3": lost}}
        )
    record(table, {"kind": "table_closed"})
    assert matters(dita, night)["Tied for places 2 to 3: Bo and Cy."] == night.url("ties")
    (tie,) = dita.get(night.url("ties")).context["ties"]
    assert (tie.text, list(tie.forms)) == (
        "Tied for places 2 to 3. Until the tie is broken they share the prizes.",
        ["high_card"],
    )
    cards = {f"card-{player}": card for (player, _), card in zip(tie.players, ("9h", "Kh"), strict=True)}
    sent = {"tie": " ".join(tie.task.players), "method": "high_card", "key": "c" * 32, **cards}
    assert dita.post(night.url("ties"), sent).status_code == 302
    assert not [line for line in matters(dita, night) if "places" in line]
    rows = dita.get(night.url("prizes")).context["prizes"].rows
    assert [(row.place, row.names) for row in rows] == [("1", ("Asha",)), ("2", ("Cy",))]
    assert not dita.get(night.url("ties")).context["ties"]


def test_a_tie_that_the_next_stage_decides_is_not_offered(dita: Client, club: Club):
    """Three are tied in the heats, at the cut. Planted fault: *Ties* also said that they share the prizes."""
    stages = [{"smallest_table": 2, "advancing": 3}, {"smallest_table": 2}]
    night = a_night(club, {"stages": stages, "prizes_bp": [7_000, 3_000], "tie_breaks": ["high_card"]}, entry_minor=100)
    night.enter("Asha", "Bo", "Cy", "Dev")
    (table,) = night.seat(size=4)
    lost = {"how": "loss", "count": 80}
    for number in (1, 2):
        outcomes = {"1": {"how": "show"}, "2": lost, "3": lost, "4": lost}
        record(table, {"kind": "deal_recorded", "deal": number, "outcomes": outcomes})
    record(table, {"kind": "table_closed"})
    ties = dita.get(night.url("ties")).context["ties"]
    assert ties
    assert not any("share the prizes" in tie.text for tie in ties)
