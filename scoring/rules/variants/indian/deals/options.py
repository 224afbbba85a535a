"""House options of a deals table.

Rules: docs/rules/deals.md, "House rules". Knows nothing of how deals are played.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from scoring.messages import Message, say, say_many
from scoring.options import Wording, about
from scoring.rules.table.formats import TABLE_OF_SIX, Format, RawPlan, seatable, tables_for, through
from scoring.rules.table.variant import Preset, presets
from scoring.rules.variants.indian.outcomes import DealOptions


class DealsOptions(DealOptions, frozen=True, kw_only=True):
    """House options of a deals table."""

    deals: Annotated[
        int, about("Deals to play; default 2 for two seats, else one a seat", ge=1, le=20), Wording("Deals to play")
    ] = 2
    chips_per_deal: Annotated[int, about("Chips a seat starts with for each deal", ge=40, le=200)] = 80
    absent_points: Annotated[
        int, about("Points of a seat that is away, for each deal it misses", "Points when absent", ge=0, le=80)
    ] = 40
    tiebreak: Annotated[
        Literal["extra_deal", "most_deals_won", "share"],
        about("Equal chips at the top: an extra deal, most deals won, or share", "Tie-break"),
        Wording(
            "Equal chips at the top",
            {"extra_deal": "an extra deal", "most_deals_won": "most deals won", "share": "they share"},
        ),
    ] = "extra_deal"
    tiebreak_moves_chips: Annotated[bool, about("Chips move in an extra deal too", "Chips move in a tie-break")] = False
    stop_when_decided: Annotated[bool, about("Stop when nobody can catch the leader")] = False
    second_prize_bp: Annotated[
        int,
        about("Share of the pot less the fee", "Second prize", ge=0, le=5_000),
        Wording("Second prize, of the pot less the fee"),
    ] = 0

    @property
    def absent_price(self) -> int:
        return self.absent_points

    def reminders(self) -> Iterator[Message]:
        """How many deals are played, with how many chips, and what follows where seats are tied."""
        deals = self.deals
        played = say_many("{number} deal is played", "{number} deals are played", count=deals, number=deals)
        chips = say("with {chips} chips each to start.", chips=deals * self.chips_per_deal)
        yield Message("{deals} {chips}", {"deals": played, "chips": chips})
        yield say("Tie for first: {how}.", how=self.choice_message("tiebreak"))


# Deals rummy as houses print it, and a tournament format that clubs make of it.


def _best_of(deals: int, **more: Any) -> dict[str, Any]:
    """A fixed number of deals, 80 chips for each, and an extra deal where seats are tied."""
    return {"deals": deals, "chips_per_deal": 80, "tiebreak": "extra_deal", **more}


DEALS = presets(
    deals_best_of_2=Preset("Best of 2 deals", {"deals": 2}),
    deals_best_of_3=Preset(
        "Best of 3 deals",
        {"deals": 3},
        "Playship prints it for six seats: 240 chips each, by the number of deals and not of seats.",
    ),
    deals_best_of_6=Preset("Best of 6 deals", {"deals": 6}),
    deals_one_a_seat=Preset("One deal for each seat", {}),
    foryourummy_deals_2=Preset(
        "Best of 2 deals, foryourummy",
        _best_of(2, drop_allowed=False),
        "As on its page: 160 chips, no drops, an extra deal for tied seats.",
    ),
    foryourummy_deals_6=Preset(
        "Best of 6 deals, foryourummy",
        _best_of(6, drop_allowed=False),
        "As on its page: 480 chips, no drops, an extra deal for tied seats.",
    ),
    circle_deals_2=Preset(
        "Best of 2 deals, RummyCircle style",
        _best_of(2, printed_as_wild="aces", wrong_show_continues=True),
        "Published: wild aces, and play goes on after a wrong show. Not verified: the rest is the usual game.",
    ),
    a23_deals_2=Preset(
        "Best of 2 deals, A23 style",
        _best_of(2, printed_as_wild="aces"),
        "Published: aces are wild with a printed joker. Not verified: the rest is the usual game.",
    ),
    junglee_deals_2=Preset(
        "Best of 2 deals, Junglee style",
        _best_of(2, packs=1, deduct_sets=True),
        "Published: one pack for two seats, and an extra deal for tied seats. Not verified: no "
        "drops, and one printed joker.",
    ),
)


def _deals_as_seats(players: int) -> RawPlan:
    """Every table plays as many deals as it has seats; two of each table, then the final."""
    tables = tables_for(players, 6)
    first = {"name": say("Tables"), **TABLE_OF_SIX, "length": "deals_as_seats", **through(6, tables, 2)}
    final = {"name": say("Final"), **TABLE_OF_SIX, "length": "deals_as_seats", "seating": "standing"}
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
