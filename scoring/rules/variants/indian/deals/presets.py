"""Deals rummy as houses print it, and an evening that clubs make of it.

Rules: docs/rules/deals.md, "Presets"; docs/rules/tournaments.md, "Formats". A value that no page was found for is the
usual one, and the note says so. Knows nothing of play.
"""

from typing import Any

from scoring.rules.table.formats import TABLE_OF_SIX, Format, RawPlan, seatable, tables_for, through
from scoring.rules.table.variant import Preset


def _best_of(deals: int, **more: Any) -> dict[str, Any]:
    """A fixed number of deals, 80 chips for each, and an extra deal where seats are level."""
    return {"deals": deals, "chips_per_deal": 80, "tiebreak": "extra_deal", **more}


DEALS = (
    Preset(name="deals_best_of_2", title="Best of 2 deals", options={"deals": 2}),
    Preset(
        name="deals_best_of_3",
        title="Best of 3 deals",
        options={"deals": 3},
        note="Playship prints it for six seats: 240 chips each, by the number of deals and not of seats.",
    ),
    Preset(name="deals_best_of_6", title="Best of 6 deals", options={"deals": 6}),
    Preset(name="deals_one_a_seat", title="One deal for each seat", options={}),
    Preset(
        name="foryourummy_deals_2",
        title="Best of 2 deals, foryourummy",
        options=_best_of(2, drop_allowed=False),
        note="As its page prints it: 160 chips, no drops, an extra deal for seats that are level.",
    ),
    Preset(
        name="foryourummy_deals_6",
        title="Best of 6 deals, foryourummy",
        options=_best_of(6, drop_allowed=False),
        note="As its page prints it: 480 chips, no drops, an extra deal for seats that are level.",
    ),
    Preset(
        name="circle_deals_2",
        title="Best of 2 deals, RummyCircle style",
        options=_best_of(2, printed_as_wild="aces", wrong_show_continues=True),
        note="Published: wild aces, and play goes on after a wrong show. Not verified: the rest is the usual game.",
    ),
    Preset(
        name="a23_deals_2",
        title="Best of 2 deals, A23 style",
        options=_best_of(2, printed_as_wild="aces"),
        note="Published: aces are wild with a printed joker. Not verified: the rest is the usual game.",
    ),
    Preset(
        name="junglee_deals_2",
        title="Best of 2 deals, Junglee style",
        options=_best_of(2, packs=1, deduct_sets=True),
        note="Published: one pack for two seats, and an extra deal for seats that are level. "
        "Not verified: no drops, and one printed joker.",
    ),
)


def _deals_as_seats(players: int) -> RawPlan:
    """Every table plays as many deals as it has seats; two of each table, then the final."""
    tables = tables_for(players, 6)
    first = {"name": "Tables", **TABLE_OF_SIX, "length": "deals_as_seats", **through(6, tables, 2)}
    final = {"name": "Final", **TABLE_OF_SIX, "length": "deals_as_seats", "seating": "standing"}
    return {"stages": [seatable(first, players), final], "prizes_bp": [6000, 2500, 1500]}


FORMATS = (
    Format(
        name="deals_as_seats",
        title="As many deals as seats",
        note="Each table plays one deal for every seat, as big card rooms do; then a final of six.",
        players=range(12, 37),
        make=_deals_as_seats,
    ),
)
