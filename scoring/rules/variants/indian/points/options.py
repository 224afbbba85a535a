"""House options of a points table.

Rules: docs/rules/points.md, "House rules". Knows nothing of how deals are played.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from scoring.messages import Message, say, say_many
from scoring.options import Wording, about
from scoring.rules.table.formats import TABLE_OF_SIX, Format, RawPlan, seatable
from scoring.rules.table.variant import Preset, presets
from scoring.rules.variants.indian.outcomes import DealOptions
from scoring.rules.variants.indian.prices import UNCHECKED_DROPS, USUAL_DROPS


class PointsOptions(DealOptions, frozen=True, kw_only=True):
    """House options of a points table."""

    deals: Annotated[
        Annotated[int, Meta(ge=1, le=50)] | UnsetType | None,
        about("Deals, then the table is finished; not set: until it is closed", "Deals to play", extra={"unset": None}),
        Wording("Deals to play", unset="until the table is closed"),
    ] = UNSET
    settle: Annotated[
        Literal["per_deal", "per_session"],
        about("Pay after every deal, or once when the table closes", "When to pay"),
        Wording("Money is paid", {"per_deal": "after every deal", "per_session": "once, when the table closes"}),
    ] = "per_deal"
    table_stakes: Annotated[
        bool, about("A seat that bought in must hold a full count before each deal, or sit out")
    ] = True
    min_buy_in: Annotated[
        int,
        about("Smallest buy-in, in full counts at the point value", "Minimum buy-in", ge=1, le=10),
        Wording("Smallest buy-in, in full counts"),
    ] = 1
    max_buy_in: Annotated[
        Annotated[int, Meta(ge=1, le=100)] | UnsetType | None,
        about(
            "Largest buy-in, in full counts at the point value; not set: no limit",
            "Maximum buy-in",
            extra={"unset": None},
        ),
        Wording("Largest buy-in, in full counts", unset="no limit"),
    ] = UNSET
    max_buy_ins: Annotated[
        Annotated[int, Meta(ge=1, le=50)] | UnsetType | None,
        about(
            "Most buy-ins of a seat, the first one included; not set: no limit",
            "Most buy-ins per seat",
            extra={"unset": None},
        ),
        Wording("Most buy-ins of a seat", unset="no limit"),
    ] = UNSET

    def reminders(self) -> Iterator[Message]:
        """When the table is finished, and whether the money on it limits who plays."""
        if isinstance(self.deals, int):
            yield say_many(
                "{number} deal is played.", "{number} deals are played.", count=self.deals, number=self.deals
            )
        if self.table_stakes:
            yield say("Before each deal a player needs a full count on the table, or sits out.")
        if isinstance(self.max_buy_ins, int):
            yield say_many(
                "A seat buys in {count} time at most.", "A seat buys in {count} times at most.", count=self.max_buy_ins
            )


# Points rummy as houses print it, and tournament formats that clubs make of it.


FORYOURUMMY = {**USUAL_DROPS, "wrong_show": 80, "leave_after_draw": "middle_drop", "printed_as_wild": "aces"}
CHIPS_LEVELS = ((-200, 2), (-100, 2), (0, 2))

POINTS = presets(
    points=Preset("Points rummy", {}),
    points_session=Preset("Points rummy, paid at the end", {"settle": "per_session"}),
    points_short_drops=Preset(
        "Points rummy, drops 10 and 30",
        {"first_drop": 10, "middle_drop": 30, "leave_after_draw": "full"},
        "As on ClassicRummy: a player who leaves after drawing pays a full count.",
    ),
    foryourummy_points=Preset(
        "Points rummy, foryourummy",
        FORYOURUMMY,
        "As on its page. Sets are deducted like sequences: the page is silent on that.",
    ),
    rummycentral_points=Preset(
        "Points rummy, RummyCentral",
        {**USUAL_DROPS, "wrong_show": 80, "leave_after_draw": "middle_drop", "deduct_sets": False},
        "Its rule 7 read to the letter: cards in sets count against a loser, only sequences do not.",
    ),
    circle_points=Preset(
        "Points rummy, RummyCircle style",
        {**USUAL_DROPS, "printed_as_wild": "aces", "wrong_show_continues": True},
        "Published: aces are wild with a printed joker, and play goes on after a wrong show. " + UNCHECKED_DROPS,
    ),
    a23_points=Preset(
        "Points rummy, A23 style",
        {**USUAL_DROPS, "printed_as_wild": "aces"},
        f"Published: aces are wild with a printed joker. {UNCHECKED_DROPS}",
    ),
    octro_points=Preset(
        "Points rummy, Octro",
        {
            **USUAL_DROPS,
            "packs": 3,
            "printed_jokers": 2,
            "full_without_sequences": True,
            "long_sequence": True,
            "joker_rule": "one_in_sequence",
            "identical_cards": True,
        },
        "Published for four and five seats: three packs with six jokers, one of the two sequences has four cards, one "
        "joker in a sequence, three identical cards are a pure sequence, and without two sequences a hand costs 80. "
        "With fewer seats it plays with two packs. " + UNCHECKED_DROPS,
    ),
    junglee_points=Preset(
        "Points rummy, Junglee style",
        {**USUAL_DROPS, "deduct_sets": True, "ace": "both", "wrong_show_continues": True},
        "Published: sets are deducted, aces are low or high, and play goes on after a wrong show. " + UNCHECKED_DROPS,
    ),
)


def _levels(players: int) -> RawPlan:
    """Chips carry over from level to level; a player who lost too many is out, or re-enters before the final level."""
    stages: list[RawPlan] = []
    for number, (least, rounds) in enumerate(CHIPS_LEVELS, 1):
        stage = {
            "name": say("Level {number}", number=number),
            "rounds": rounds,
            **TABLE_OF_SIX,
            "length": "minutes",
            "minutes": 15,
        }
        carries = {"carries": "score", "seating": "snake"} if stages else {}
        stages.append(seatable({**stage, **carries, "at_least": least}, players))
    for number in (2, 3):
        first_round = 1 + sum(rounds for _, rounds in CHIPS_LEVELS[: number - 1])
        again = {"reentry_minor": 1000, "reentry_until_round": first_round, "reentry_begins": "least_score"}
        stages[number - 1] |= again
    final = {"name": say("Final level"), "smallest_table": 2, "largest_table": 6, "preferred_table": 6}
    stages.append({**final, "carries": "score", "seating": "standing", "length": "minutes", "minutes": 30})
    return {"stages": stages, "late_until_round": 2, "prizes_bp": [5000, 3000, 2000]}


def _session(players: int) -> RawPlan:
    """Points rummy for one tournament: new tables every hour, and every point counts."""
    stage = {"name": say("Session"), "rounds": 3, **TABLE_OF_SIX, "length": "minutes", "minutes": 60}
    return {"stages": [seatable(stage, players)], "leaving": "forfeit", "late_until_round": 3}


FORMATS = (
    Format(
        name="chips_levels",
        title="Levels with re-entry",
        note="Points carry over like chips; the lowest are out at each stage, and may re-enter until the last.",
        players=range(8, 201),
        make=_levels,
    ),
    Format(
        name="points_session",
        title="Points rummy session",
        note="Three hours at changing tables; every point counts.",
        players=range(4, 201),
        make=_session,
    ),
)
